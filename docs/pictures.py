"""Makes the pictures of the docs, in images/: the map, cards of three games, the mail, the page and the replay page (light, dark,
on a telephone), a terminal, and the page that is played on.

``python docs/pictures.py`` plays a game of the built-in players and chooses a battle in it. The map is drawn by the program; the
others by Chromium, where it is installed, else they stay as they are.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from threading import Thread

from PIL import Image
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from bench.games import play_at_a_table
from docs import screens
from pbem.cli import screen
from pbem.games import GamePack, find
from pbem.ledger import Log
from pbem.look.pixels import in_few_colours, png
from pbem.page.service import Service
from pbem.page.serving import DeskServer
from pbem.reports import replay
from pbem.reports.html import mail, page
from pbem.reports.reckoned import Reckoned
from pbem.reports.report import Report
from pbem.reports.told import told
from pbem.story import session
from pbem.story.telling import LogHead

IMAGES = Path(__file__).resolve().parent / "images"
SEAT, SEED = "scottish", 4
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
COLOURS = TerminalTheme(
    (16, 18, 22), (214, 214, 214),
    [(0, 0, 0), (197, 60, 60), (72, 160, 90), (190, 150, 60),
     (70, 110, 220), (150, 90, 170), (70, 150, 170), (200, 200, 200)],
    [(110, 110, 110), (240, 95, 85), (110, 200, 120), (230, 200, 110),
     (105, 155, 255), (190, 130, 210), (110, 200, 210), (255, 255, 255)],
)  # fmt: skip
"""Of the terminal: its ground and letters, the eight colours, and these brighter."""
LIGHT, DARK = "--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0"
PLAYED = {
    "touched": ("battle", (1280, 800), LIGHT),
    "play-home": ("/", (1280, 900), LIGHT),
    "play-hand": ("hand", (1280, 800), LIGHT),
    "play-winter": ("winter", (1280, 800), DARK),
    "play-lords": ("lords", (1280, 800), LIGHT),
    "play-telephone": ("battle", (500, 1500), LIGHT),
    "play-puzzle": ("/puzzle/puzzle-hammer-1", (1280, 800), LIGHT),
}
"""By picture of the page that is played on: the screen (see `screens`, or a place), its size, and whether it is light or dark."""


def moment(log: Log) -> Report:
    """Return the report at the liveliest question of a game that is put to `SEAT`."""
    tells = told(log, SEAT)
    asks = [entry for entry in log.entries if entry.k == "ask" and SEAT in entry.fields["to"]]
    best: tuple[tuple[int, ...], Report] | None = None
    for before, ask in pairwise(asks):
        heard = [tell for tell in tells if tell.n < ask.n]
        view = heard[-1].view
        new = [tell.facts for tell in heard if tell.n > before.n]
        fire = sum(fact["f"] == "fire" for facts in new for fact in facts)
        battle = view["frames"].get("battle", {})
        lively = (
            sum(len(battle.get(side, ())) for side in ("english", "scottish")) > 3,
            fire >= 2,
            len(view.get("crossed", ())),
            len(view.get("areas", ())),
        )
        if best is None or lively > best[0]:
            earlier = tuple(fact for tell in heard if tell.n <= before.n for fact in tell.facts)
            best = lively, Report(
                game_id=log.game, seat=SEAT, view=view, told=tuple(new), asked=tuple(ask.fields["to"]), entry=ask.n,
                head=ask.hash, due="2031-05-01T18:00:00Z", earlier=earlier, complete=True,
            )  # fmt: skip
    if best is None:
        raise SystemExit(f"In the game of seed {SEED} nothing is asked of {SEAT}.")
    return best[1]


def shoot(
    browser: str,
    file: Path | str,
    out: Path,
    size: tuple[int, int],
    colours: str = LIGHT,
    crop: int = 9999,
    step: str = "",
) -> None:
    """Let the browser draw a file or an address, a replay page at a step; keep the picture in 128 colours."""
    address = file if isinstance(file, str) else file.as_uri()
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *FLAGS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}", colours]
        command += ["--virtual-time-budget=9000", f"--screenshot={out}", f"{address}{step}"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603
    image = Image.open(out).convert("RGB")
    out.write_bytes(in_few_colours(image.crop((0, 0, min(size[0], crop), size[1]))))


def played_on(browser: str) -> None:
    """Let the browser draw the page of "pbem web" at each kind of screen that a game alone shows, the first one, and a puzzle."""
    with tempfile.TemporaryDirectory() as folder:
        names = screens.make(Path(folder))
        server = DeskServer(Service(Path(folder)))
        Thread(target=server.serve_forever, daemon=True).start()
        for picture, (screen, size, colours) in PLAYED.items():
            place = f"/game/{names[screen]}" if screen in names else screen
            shoot(browser, f"{server.address}{place}", IMAGES / f"{picture}.png", size, colours)
        server.shutdown()


def framed(folder: Path, name: str, source: str, size: tuple[int, int]) -> Path:
    """Return a file that shows another in a window so narrow as a browser's own cannot be."""
    path = folder / name
    path.write_text(
        f'<body style="margin:0;background:#888"><iframe src="{source}" width="{size[0]}" height="{size[1]}" '
        'style="border:0;display:block" scrolling="no"></iframe>',
        "utf-8",
    )
    return path


def terminal(report: Report, pack: GamePack) -> str:
    """Return a page that shows the map as a terminal does."""
    console = Console(record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor", width=80)
    lines = list(pack.look.terminal(report.typed(pack)))
    below = next(i for i, line in enumerate(lines) if any("contested" in span.text for span in line))
    screen.draw(lines[: below + 1], console)
    body = "margin: 0; background: {background}; color: {foreground}"
    letters = "margin: 16px; font: 15px/18px 'DejaVu Sans Mono', Menlo, Consolas, monospace"
    form = f'<meta charset="utf-8"><body style="{body}"><pre style="{letters}">{{code}}</pre>'
    return console.export_html(theme=COLOURS, inline_styles=True, code_format=form)


def card_of(game: str) -> None:
    """Write the card of a game of the built-in players to the end."""
    pack = find(game)
    log = Log.parse(play_at_a_table(pack, {}, SEED).whole())
    told = session.report(replay.opened(log), pack, LogHead(*log.head))
    (IMAGES / f"story-{game}.png").write_bytes(told.pictures[session.CARD])


def main() -> int:
    """Make all pictures; return the exit code."""
    pack = find("hammer")
    log = Log.parse(play_at_a_table(pack, {}, SEED).whole())
    report = moment(log)
    drawn = png(Reckoned(report, pack).picture)
    (IMAGES / "map.png").write_bytes(drawn)
    browser = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if browser is None:
        print(f"Only the map has been drawn: there is no Chromium here ({', '.join(CHROMIUM)}).", file=sys.stderr)
        return 0
    story = session.report(replay.opened(log), pack, LogHead(*log.head))
    (IMAGES / "story-card.png").write_bytes(story.pictures[session.CARD])
    for other in ("lords", "swords"):
        card_of(other)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "story.html").write_text(story.html, "utf-8")
        shoot(browser, folder / "story.html", IMAGES / "story.png", (800, 2600))
        (folder / "map.png").write_bytes(drawn)
        (folder / "mail.html").write_text(mail(Reckoned(report, pack), "map").replace("cid:map", "map.png"), "utf-8")
        (folder / "page.html").write_text(page(Reckoned(report, pack)), "utf-8")
        shoot(browser, folder / "mail.html", IMAGES / "mail.png", (800, 2200))
        shoot(browser, folder / "page.html", IMAGES / "page-light.png", (800, 2600))
        shoot(browser, folder / "page.html", IMAGES / "page-dark.png", (800, 2600), DARK)
        (folder / "terminal.html").write_text(terminal(report, pack), "utf-8")
        shoot(browser, folder / "terminal.html", IMAGES / "terminal.png", (756, 1004))
        phone = framed(folder, "phone.html", "page.html", (390, 2400))
        shoot(browser, phone, IMAGES / "page-telephone.png", (500, 2400), crop=390)
        step = f"#step={report.entry}"
        (folder / "replay.html").write_text(replay.page(log, pack), "utf-8")
        shoot(browser, folder / "replay.html", IMAGES / "replay.png", (1280, 860), step=step)
        shoot(
            browser, folder / "replay.html", IMAGES / "replay-dark.png", (1280, 860), DARK, step=f"{step}&seat={SEAT}"
        )
        phone = framed(folder, "phone.html", f"replay.html{step}&amp;seat={SEAT}", (390, 844))
        shoot(browser, phone, IMAGES / "replay-telephone.png", (500, 844), crop=390)
    played_on(browser)
    return 0


if __name__ == "__main__":
    sys.exit(main())
