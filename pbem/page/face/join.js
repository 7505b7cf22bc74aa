// Letters that ask: to join a game, to be ready, to agree to a newcomer or another host, to confirm an address. What is to be compared by
// telephone is shown before anything is signed; whoever does not want to, says so or leaves it.

import { button, fill, make } from "./dom.js";
import { check, choice, field, result, sure } from "./asking.js";
import { unsigned } from "./door.js";
import { compared } from "./keys.js";
import { ask, t, why } from "./texts.js";

const MODES = { // by who deals: what a letter that asks wants to be told, and what it wants compared
  host: { compare: "compare_says", joins: () => true, bare: (one) => one.seat || one.what === "ready" ? null : bareFields(one) },
  two: { compare: "friend_compare", joins: (one) => one.title, bare: (one) => one.sender || !one.title ? null : friendField() },
};

export function asks(one, after) { // a letter that asks to join, or to be ready
  const place = make("div", {}), trouble = make("p", { class: "wrong", role: "alert" });
  const sign = button(t(one.what === "ready" ? "say_ready" : "take_seat"), () => joins(), { class: "main", disabled: true });
  const ticks = one.keys.length ? [check(t("have_compared"), { onchange: () => ticked() })] : [];
  if (one.changed) ticks.push(check(t("key_is_new", { who: one.changed_of }), { onchange: () => ticked() }));
  if (one.others) ticks.push(check(t("meant_for_me", { others: one.others, seat: one.seat }), { onchange: () => ticked() }));
  if (one.rules) ticks.push(check(t("rules_unknown", { rules: one.rules.slice(0, 16) }), { onchange: () => ticked() }));
  const ticked = () => { sign.disabled = !ticks.every((each) => each.firstChild.checked); };
  const mode = MODES[one.mode], bare = mode.bare(one);
  const joins = async () => {
    const more = bare ? bare.values() : one.others ? { seat: one.seat } : {};
    try {
      const done = await ask("join", { game: one.game, rules: one.rules, forget: one.changed_of, ...more });
      result(place, done, after);
      box.querySelector(".answers").remove();
      if (!done.letters.length) after();
    } catch (error) {
      trouble.textContent = why(error);
    }
  };
  ticked();
  const declines = () => sure(place, { title: t("decline"), means: t("decline_means"), yes: t("decline"), sign: async () => { await ask("decline", { game: one.game }); after(); return {}; } });
  const box = make("div", { class: "box asks" }, make("p", {}, make("b", {}, one.subject || `${t("kind_asks")} ${one.title || t("no_subject")}`)),
    one.words && [make("p", { class: "note" }, unsigned(one)), make("details", {}, make("summary", {}, t("its_words")), make("pre", { class: "quoted", tabIndex: 0 }, one.words))],
    one.terms.length > 0 && [make("p", {}, t("entry_0")), make("ul", {}, one.terms.map((line) => make("li", {}, line)))],
    make("div", { class: "answers" }, one.keys.length > 0 && [make("p", {}, t(mode.compare)), compared(one.keys)],
      one.met && make("pre", { class: "quoted met", tabIndex: 0 }, one.met), one.changed && make("pre", { class: "quoted wrong", tabIndex: 0 }, one.changed), bare?.node, ticks, trouble,
      make("div", { class: "row" }, mode.joins(one) && sign, button(t("decline"), declines))), place);
  return box;
}

function friendField() { // who invites is not said in what was attached
  const [named, address] = field(t("friend_address"), { type: "email", required: true });
  return { node: make("div", { class: "fields" }, named, address), values: () => ({ host: address.value.trim() }) };
}

function bareFields({ seats }) { // only what was attached is here: what stands in the mail is typed
  const [named, seat] = choice(t("side"), seats.map(({ seat: id, name }) => [id, name]));
  const [tokened, token] = field(t("token"), { type: "text", autocomplete: "off", spellcheck: false, maxLength: 64 });
  const [hosted, host] = field(t("host_address"), { type: "email" });
  return {
    node: [make("p", { class: "note" }, t("bare_says")), make("div", { class: "fields" }, named, seat, tokened, token, hosted, host)],
    values: () => ({ seat: seat.value, token: token.value.trim(), host: host.value.trim() }),
  };
}

export function besides(one) { // what a letter wants that was just read: to agree to somebody, or a confirmation
  const place = make("div", {});
  if (one.proposes) {
    const again = check(t("another_before"), {});
    const begin = () => sure(place, {
      title: t(`welcome_${one.proposes}`), means: t(`welcome_${one.proposes}_means`), fields: one.proposes === "host" ? [again] : [],
      sign: () => ask("welcome", { data: one.eml, another: again.firstChild.checked }),
    });
    return [make("div", { class: "row" }, button(t(`welcome_${one.proposes}`), begin)), place];
  }
  if (one.code) {
    const begin = () => sure(place, { title: t(one.kind), means: t(`${one.kind}_means`), sign: () => ask("confirm", { to: one.sender, code: one.code }) });
    return [make("div", { class: "row" }, button(t(one.kind), begin)), place];
  }
  return null;
}
