"""Who takes back what he may not, or without consent, is found; each attack has an honest twin that passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Fault
from pbem.kernel import Json
from pbem.ledger import Entry, PrivateKey
from pbem.ledger.pair import Spoken, append, lines_of, signed_turn, signed_word, verify_pair
from pbem.referee.pair import PairPlay, audit_pair
from tests.ledger.verify_mjs import node_is_new_enough

from .cheating import of
from .hosted import TINY, find
from .playing import Couple, at_random, key_of
from .taking_back import AGREE, Hesitant, asked_back, taken_back

Found = tuple[str, str, int] | None
ANSWERS = ("seal", "order")


def decided(game: str = "swords", do: str = "order", seed: int = 1) -> Couple:
    """A game in which the last turn ends with such an answer, and the other is on turn."""
    couple = Couple(TINY if game == "tiny" else find(game), {"players": 2}, f"back {game} {seed}")
    for _mail in range(400):
        couple.play(at_random(seed), most=1)
        course = next(iter(couple.plays.values())).course
        author = course.other(course.baton)
        if course.can_go_back(author) and couple.entries[-1].fields["say"]["acts"][-1]["do"] == do:
            return couple
    raise LookupError("nobody answered so")


def seats_of(couple: Couple) -> tuple[str, str]:
    """Who answered, and his friend, who is on turn."""
    course = next(iter(couple.plays.values())).course
    return course.other(course.baton), course.baton


def signs(
    couple: Couple, seat: str, acts: list[Json], *, behind: list[Entry] | None = None, more: bool = False
) -> Entry:
    """What a seat signs behind the log, or behind more entries, whatever its program says."""
    entries = [*couple.entries, *(behind or [])]
    head = (entries[-1].n, entries[-1].hash)
    no = sum(entry.k == "turn" and entry.fields["by"] == seat for entry in entries) + 1
    return append(head, signed_turn(couple.keys[seat], couple.plays[seat].vault, no, head, acts, more=more))


def log_of(couple: Couple, *more: Entry) -> bytes:
    return b"".join(entry.line + b"\n" for entry in (*couple.entries, *more))


def by_all(couple: Couple, *more: Entry) -> set[Found]:
    """What a player's program, `verify` and `audit` find."""
    found = {of(verify_pair(log_of(couple, *more)))}
    found.add(of(audit_pair(log_of(couple, *more), lambda _rules: couple.pack.knowing)))
    last = more[-1]
    reader = couple.again(couple.plays[last.fields["by"]].other)
    try:
        for entry in more:
            reader.take_entry(entry)
        found.add(None)
    except Fault as why:
        found.add((why.code, why.party, why.entry))
    return found


@pytest.mark.variants
@pytest.mark.parametrize(("game", "do"), [("tiny", "seal"), ("swords", "order"), ("swords", "seal")])
def test_the_honest_twin_of_them_all(game: str, do: str) -> None:
    couple = decided(game, do)
    author, friend = seats_of(couple)
    before = couple.plays[author].answered
    consent = signs(couple, friend, [asked_back(couple, author), AGREE])
    assert by_all(couple, consent) == {None}
    taken_back(couple)
    assert couple.plays[author].answered == before - 1
    assert couple.plays[author].question is not None
    couple.play(at_random(7), most=30)
    assert verify_pair(couple.dump()).verdict == "unfinished"


def test_a_consent_says_nothing_more() -> None:
    """ORDERING or BIND, at once: a consent with more or less than its parts, a second one, or one after your own turn."""
    couple = decided()
    author, friend = seats_of(couple)
    asks = asked_back(couple, author)
    link = {"do": "link", "x": couple.plays[friend].vault.chain.x(couple.plays[friend].course.seats[friend].links + 1)}
    resigns = signed_word(couple.keys[author], couple.plays[author].vault, couple.plays[author].course.head, "draw")
    n = len(couple.entries)
    for acts in (
        [asks],
        [asks, AGREE, link],
        [link, asks, AGREE],
        [resigns, asks, AGREE],
        [asks, asks, AGREE],
        [asks, AGREE, AGREE],
    ):
        assert by_all(couple, signs(couple, friend, acts)) == {("ORDERING", friend, n)}
    assert by_all(couple, signs(couple, friend, [asks, AGREE], more=True)) == {("ORDERING", friend, n)}


def test_what_was_taken_back_is_not_taken_back_twice() -> None:
    couple = decided()
    author, friend = seats_of(couple)
    asks = asked_back(couple, author)
    once = signs(couple, friend, [asks, AGREE])
    nothing = signs(couple, author, [], behind=[once])
    late = signs(couple, friend, [asks, AGREE], behind=[once])
    assert of(verify_pair(log_of(couple, once, late))) == ("ORDERING", friend, late.n)
    late = signs(couple, friend, [asks, AGREE], behind=[once, nothing])
    assert of(verify_pair(log_of(couple, once, nothing, late))) == ("BIND", friend, late.n)
    word = signed_word(couple.keys[author], couple.plays[author].vault, (nothing.n, nothing.hash), "back")
    again = signs(couple, friend, [word, AGREE], behind=[once, nothing])
    assert of(verify_pair(log_of(couple, once, nothing, again))) == ("BIND", friend, again.n)
    taken_back(couple)
    couple.play(at_random(5), most=1)
    if couple.plays[author].course.can_go_back(author):
        taken_back(couple)  # the twin: what was answered anew can be taken back again
    assert verify_pair(couple.dump()).verdict == "unfinished"


def shown() -> dict[str, Callable[[Couple, str], Json]]:
    def link(couple: Couple, seat: str) -> Json:
        return {"do": "link", "x": couple.plays[seat].vault.chain.x(couple.plays[seat].course.seats[seat].links + 1)}

    return {"link": link, "say": lambda _couple, _seat: {"do": "say", "what": "draw"}}


@pytest.mark.parametrize("what", shown())
def test_nothing_is_taken_back_after_something_was_shown(what: str) -> None:
    """BIND, at once, after dice, a card, a share or a part. No honest program can go back there."""
    couple = decided()
    author, friend = seats_of(couple)
    last = couple.entries.pop()
    acts = [*last.fields["say"]["acts"], shown()[what](couple, author)]
    bent = signs(couple, author, acts)
    word = signed_word(couple.keys[author], couple.plays[author].vault, (bent.n, bent.hash), "back")
    log = log_of(couple, bent, signs(couple, friend, [word, AGREE], behind=[bent]))
    assert of(verify_pair(log)) == ("BIND", friend, bent.n + 1)
    twin = signs(couple, author, [shown()[what](couple, author), *last.fields["say"]["acts"]])
    word = signed_word(couple.keys[author], couple.plays[author].vault, (twin.n, twin.hash), "back")
    assert of(verify_pair(log_of(couple, twin, signs(couple, friend, [word, AGREE], behind=[twin])))) is None


@pytest.mark.slow
def test_no_honest_program_could_go_back_behind_a_share_a_card_or_a_part() -> None:
    seen: dict[str, set[bool]] = {}
    for game in ("tiny", "swords", "hammer"):
        couple = Couple(find(game), {} if game == "hammer" else {"players": 2}, "shown")
        for _mail in range(60):
            if next(iter(couple.plays.values())).course.is_over:
                break
            couple.play(at_random(3), most=1)
            say = couple.entries[-1].fields
            course = couple.plays[say["by"]].course
            kinds = [act["do"] for act in say["say"]["acts"]]
            if not set(ANSWERS) & set(kinds):
                assert not course.can_go_back(say["by"])
                continue
            behind = kinds[max(at for at, do in enumerate(kinds) if do in ANSWERS) + 1 :]
            for do in behind or ["nothing"]:
                seen.setdefault(do, set()).add(course.can_go_back(say["by"]))
    assert seen.pop("nothing") == {True}
    assert True in seen.pop("tell"), "what its author works out alone tells him nothing"
    assert seen.keys() >= {"link", "play", "part"}
    assert all(can == {False} for can in seen.values()), seen


def test_the_friends_own_answer_is_in_the_way() -> None:
    couple = decided()
    author, friend = seats_of(couple)
    asks = asked_back(couple, author)
    couple.play(at_random(1), most=1)
    assert couple.entries[-1].fields["by"] == friend
    n = len(couple.entries)
    assert of(verify_pair(log_of(couple, signs(couple, author, [asks, AGREE])))) == ("BIND", author, n)
    stale = signs(couple, author, [])
    assert of(verify_pair(log_of(couple, stale, signs(couple, friend, [asks, AGREE], behind=[stale])))) == (
        "BIND",
        friend,
        n + 1,
    )


def test_nobody_takes_back_what_the_other_has_answered() -> None:
    """BIND or SIG, the signer's fault. Requests of another game, place or key, and forged consents, fail too."""
    couple = decided()
    author, friend = seats_of(couple)
    own = signed_word(couple.keys[friend], couple.plays[friend].vault, couple.plays[friend].course.head, "back")
    n = len(couple.entries)
    assert by_all(couple, signs(couple, friend, [own, AGREE])) == {("BIND", friend, n)}
    more = signs(couple, friend, [], more=True)
    word = signed_word(couple.keys[author], couple.plays[author].vault, (more.n, more.hash), "back")
    assert of(verify_pair(log_of(couple, more, signs(couple, friend, [word, AGREE], behind=[more])))) == (
        "BIND",
        friend,
        n + 1,
    )


def test_a_word_of_another_game_or_place_or_key_asks_nothing_back() -> None:
    couple, other = decided(), decided(seed=2)
    author, friend = seats_of(couple)
    vault, head = couple.plays[author].vault, couple.plays[author].course.head
    n = len(couple.entries)

    def word(key: PrivateKey, at: Any = head, by: Any = vault) -> Json:
        return signed_word(key, by, at, "back")

    key = couple.keys[author]
    elsewhere = word(key, by=other.plays[author].vault)
    before = word(key, at=(couple.entries[-2].n, couple.entries[-2].hash))
    for asks, code in (
        (elsewhere, "BIND"),
        (before, "BIND"),
        (word(key_of("a stranger")), "SIG"),
        (word(couple.keys[friend]), "SIG"),
        ({**word(key), "sig": signed_word(key, vault, head, "draw")["sig"]}, "SIG"),
    ):
        assert by_all(couple, signs(couple, friend, [asks, AGREE])) == {(code, friend, n)}
    assert by_all(couple, signs(couple, friend, [word(key), AGREE])) == {None}


def test_consent_cannot_be_forged() -> None:
    """The author writes it himself, or calls his answers back without anybody's word."""
    couple = decided()
    author, friend = seats_of(couple)
    asks, n = asked_back(couple, author), len(couple.entries)
    forged = signs(couple, author, [asks, AGREE])
    fields = {**forged.fields, "by": friend, "say": {**forged.fields["say"], "seat": friend}}
    head = (couple.entries[-1].n, couple.entries[-1].hash)
    kept = {key: fields[key] for key in ("k", "by", "say", "sig")}
    assert of(verify_pair(log_of(couple, append(head, kept)))) == ("SIG", "supplier", n)
    assert of(verify_pair(log_of(couple, forged))) == ("ORDERING", author, n)
    again = signs(couple, author, [{"do": "order", "text": "PASS"}])
    assert of(verify_pair(log_of(couple, again))) == ("ORDERING", author, n)
    assert of(verify_pair(log_of(couple, signs(couple, friend, [AGREE])))) == ("BIND", friend, n)


def test_an_agreement_to_a_draw_takes_nothing_back_and_the_other_way_round() -> None:
    couple = decided()
    author, friend = seats_of(couple)
    draw = signed_word(couple.keys[author], couple.plays[author].vault, couple.plays[author].course.head, "draw")
    reader = couple.again(friend)
    assert of(verify_pair(log_of(couple, *reader.turn(couple.keys[friend], None, [draw, AGREE])))) is None
    assert reader.result == {"winner": "", "why": "agreed"}
    taken_back(couple)
    assert couple.plays[author].result is None
    assert couple.plays[author].course.offer == ""


def test_a_seal_that_was_given_up_is_opened_by_nobody() -> None:
    """STRAY or SEALBIND, at once. An illegal order hidden by a take-back is ILLEGAL at the end."""
    couple = decided("swords", "seal")
    author, friend = seats_of(couple)
    given_up = couple.entries[-1]
    index = len(given_up.fields["say"]["acts"]) - 1
    vault = couple.plays[author].vault
    text = vault.read(given_up.fields["say"]["no"], index, given_up.fields["say"]["acts"][index]["c"])
    opens = {"do": "open", "salt": vault.salt(given_up.fields["say"]["no"], index, text), "text": text}
    consent = signs(couple, friend, [asked_back(couple, author), AGREE])
    assert of(verify_pair(log_of(couple, consent, signs(couple, author, [opens], behind=[consent])))) == (
        "STRAY", author, consent.n + 1,
    )  # fmt: skip
    taken_back(couple)
    play = couple.plays[author]
    made = play.turn(couple.keys[author], at_random(9)(play.game, play.view))
    couple.give(author, made)
    while couple.entries[-1].fields["by"] != friend:
        couple.play(at_random(9), most=1)
    n = len(couple.entries)
    assert of(verify_pair(log_of(couple, signs(couple, author, [opens])))) == ("SEALBIND", author, n)
    couple.play(at_random(9), most=1)  # the twin opens the new one
    assert "open" in [act["do"] for act in couple.entries[-1].fields["say"]["acts"]]
    assert verify_pair(couple.dump()).verdict == "unfinished"


def test_what_was_taken_back_is_judged_at_the_end_all_the_same() -> None:
    """An order that was not legal, a step that was told otherwise: sealed, given up, and found."""
    for lies in (False, True):
        couple = decided("swords", "seal")
        author, friend = seats_of(couple)
        last = couple.entries.pop()
        say, vault = last.fields["say"], couple.plays[author].vault
        index = len(say["acts"]) - 1
        if lies:
            text = "NO SUCH ORDER"
            seal = {"do": "seal", "d": vault.sealed(say["no"], index, text), "c": vault.hide(say["no"], index, text)}
            last = signs(couple, author, [*say["acts"][:index], seal])
        couple.entries.append(last)
        couple.plays = {seat: couple.again(seat) for seat in (friend,)}
        reader = couple.plays[friend]
        head = reader.course.head
        word = signed_word(couple.keys[author], vault, head, "back")
        made = reader.turn(couple.keys[friend], None, [word, AGREE])
        couple.entries += made
        no = say["no"] + 1
        head = (couple.entries[-1].n, couple.entries[-1].hash)
        winner = couple.pack.rules.resigned(reader.state, (author,), (friend,))
        result = {"winner": winner, "why": "resigned", "seats": [author]}
        over = {"do": "over", "result": result, "secret": vault.secret}
        couple.entries.append(
            append(head, signed_turn(couple.keys[author], vault, no, head, [{"do": "say", "what": "resign"}, over]))
        )
        reader.take_entry(couple.entries[-1])
        couple.entries += reader.turn(couple.keys[friend])
        found = of(audit_pair(couple.dump(), lambda _rules, couple=couple: couple.pack.knowing))  # type: ignore[misc]
        assert found == (("ILLEGAL", author, last.n) if lies else None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "most"),
    [("tiny", {"players": 2, "turns": 3}, 200), ("swords", {"players": 2}, 30), ("hammer", {}, 16)],
)
def test_who_is_stopped_after_any_entry_knows_the_same(game: str, options: Json, most: int) -> None:
    """Also right behind a consent, and from its snapshot."""
    from pbem.player.pair.snapshot import restored, snapshot

    from .kills import stands

    couple = Hesitant(TINY if game == "tiny" else find(game), options, f"kills {game}", 60)
    couple.play(couple.answer, most)
    assert couple.backs > 1
    knowing = couple.pack.knowing
    assert knowing is not None
    for seat in couple.seats:
        going = PairPlay.of(knowing, couple.entries[:3], couple.keys[seat])
        kept = snapshot(going)
        for n, entry in enumerate(couple.entries[3:], 4):
            going.take_entry(entry)
            assert kept is not None
            brought = restored(kept, knowing, couple.entries[:n], going.vault)
            assert brought is not None
            assert stands(brought) == stands(going)
            kept = snapshot(brought)
            assert kept == snapshot(going)
        assert stands(PairPlay.of(knowing, couple.entries, couple.keys[seat])) == stands(going)


def test_who_answers_late_in_a_long_game_looks_at_no_old_news() -> None:
    """How a game stands is kept at each answer: that takes no longer the more has been heard."""

    class Counted(list[tuple[int, Json]]):
        looks = 0

        def __iter__(self) -> Iterator[tuple[int, Json]]:
            for one in super().__iter__():
                type(self).looks += 1
                yield one

        def __reversed__(self) -> Iterator[tuple[int, Json]]:
            for one in super().__reversed__():
                type(self).looks += 1
                yield one

    couple = decided("swords")
    play = couple.plays[seats_of(couple)[0]]
    play.news = Counted([(0, {"f": "old"})] * 1000 + play.news)
    play._stands(Spoken(play.course.head[0] + 1, play.seat, 1, 0))
    assert Counted.looks < 100


@pytest.mark.slow
@pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")
def test_the_second_checker_judges_taking_back_alike(tmp_path: Path) -> None:
    from .verify_mjs import differences

    files: dict[str, bytes] = {}
    for game, do in (("swords", "order"), ("tiny", "seal")):
        couple = decided(game, do)
        author, friend = seats_of(couple)
        asks = asked_back(couple, author)
        turns = {
            "consent": [asks, AGREE], "no consent": [asks], "said late": [AGREE, asks], "twice": [asks, AGREE, AGREE],
            "own": [signed_word(couple.keys[friend], couple.plays[friend].vault, couple.plays[friend].course.head, "back"), AGREE],
            "forged": [{**asks, "sig": couple.entries[-1].fields["sig"]}, AGREE],
        }  # fmt: skip
        for name, acts in turns.items():
            files[f"{game} {name}"] = log_of(couple, signs(couple, friend, acts))
        once = signs(couple, friend, [asks, AGREE])
        open_act = {"do": "open", "salt": "0" * 32, "text": "GO"}
        files[f"{game} open"] = log_of(couple, once, signs(couple, author, [open_act], behind=[once]))
        files[f"{game} more"] = log_of(couple, signs(couple, friend, [asks, AGREE], more=True))
    assert differences(tmp_path, files) == {}
    assert {verify_pair(data).code for data in files.values()} >= {None, "ORDERING", "BIND", "SIG", "STRAY"}
    assert lines_of(files["tiny consent"])
