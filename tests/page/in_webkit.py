"""The page in WebKitGTK: `python -m tests.page.in_webkit [PICTURES]`, with Debian's webkit2gtk-driver and xvfb.

As `in_browser`, which drives Chromium and Firefox, it is no test of pytest's: `.ci/run` says so where something is missing. The
built page is served with its headers: the first screen, a game alone by clicks, logs judged, a key made and saved; then the server
is gone, and the page comes up with all that. `pbem.html` is opened from a disk: a game alone, and a desk under a passphrase.
Over `pbem web` a game alone is played. What a browser keeps once it is closed cannot be tried so: one that is driven forgets it.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

from pbem.page.service import Service
from pbem.page.single import BUILT
from tests.ledger.files import DATA

from .by_page import desk_served
from .calling import ok
from .judged import GOLDEN
from .serving import served
from .webdriver import Driven, DriverRefused, NoBrowserBegins, browser, driven

ADDRESS, SECRET = "ann@example.org", "Bannockburn by the burn"
LOGS = (GOLDEN / "lords-2.pbem", min((DATA / "bad").glob("*.pbem")))
"""A game that is in order, and a misdeed."""
ASKED = "main.game:not(.busy) :is(.touches .knob, #sign, .result)"
CAUGHT = """
const made = URL.createObjectURL.bind(URL), keep = (data) => { window.saved = [...new Uint8Array(data)]; };
URL.createObjectURL = (blob) => { blob.arrayBuffer().then(keep); return made(blob); };
"""
"""Lets what the page hands out as a file be there as `saved`: the driver knows no downloads."""
CLOSES = """
window.kept = (async () => {
  const { Files } = await import("/files.mjs"), data = new Map(), { transaction } = IDBDatabase.prototype;
  class Own extends Files { async take() { Object.assign(this, { writes: true, channel: { postMessage() {} } }); } }
  const fs = {
    unlink: (path) => data.delete(path), writeFile: (path, one) => data.set(path, one), readFile: (path) => data.get(path),
    mkdirTree() {}, readdir: () => [...data.keys()].map((path) => path.slice(6)), stat: () => ({}), isDir: () => false,
  };
  const files = await Own.open(fs, "/desk", () => {}, "tried");
  data.set("/desk//one", new Uint8Array([1]));
  await files.keep();
  let closes = true;
  IDBDatabase.prototype.transaction = function (...given) {
    if (closes) this.close();
    closes = false;
    return transaction.apply(this, given);
  };
  data.set("/desk//two", new Uint8Array([2]));
  await files.keep();
  IDBDatabase.prototype.transaction = transaction;
  return [...(await files.stored()).keys()].join();
})().catch((error) => `${error.why} ${error.message}`).then((said) => { window.keptNow = said; });
"""
"""Keeps one file, lets the browser close what it keeps, and keeps another: by the page's own module."""
MOST = 12
"""So many touches one order may take."""


class AtThePage:
    """Somebody at the page in that browser."""

    def __init__(self, driver: Driven, address: str, pictures: Path | None) -> None:
        self.driver, self.address, self.pictures = driver, address, pictures

    def comes(self, ready: str = "body[data-ready=yes]") -> float:
        """Open the page; return after how many seconds it is ready."""
        began = time.monotonic()
        self.driver.opens("about:blank")
        self.driver.opens(self.address)
        self.there(ready)
        return time.monotonic() - began

    def there(self, selector: str) -> None:
        """Wait until this is there."""
        self.driver.until("return document.querySelector(given[0]) !== null", selector)

    def text(self, selector: str) -> str:
        """Return what stands there, once it is there."""
        return str(self.driver.until("return document.querySelector(given[0])?.textContent", selector))

    def shows(self, name: str) -> None:
        """Keep a picture of it, where pictures are wanted."""
        if self.pictures:
            (self.pictures / f"webkit-{name}.png").write_bytes(self.driver.picture())

    def plays(self) -> str:
        """Begin a game of Lords alone and play one order of it; return what happened, as it stands there."""
        self.driver.said('localStorage.setItem("pbem.oneclick", "no")')
        self.driver.clicks("form:has(#lords-seat) button[type=submit]")
        self.there(ASKED)
        for _ in range(MOST):
            if self.driver.said('return document.querySelector("#sign") !== null'):
                break
            lines = self.driver.said('return document.querySelectorAll(".lines li").length')
            self.driver.clicks(".touches .knob")
            self.driver.until(
                'return document.querySelector("#sign") || document.querySelectorAll(".lines li").length > given[0]',
                lines,
            )
            self.there(ASKED)
        before = self.driver.said('return document.querySelectorAll(".moments > li").length')
        self.driver.clicks("#sign")
        self.driver.until('return document.querySelectorAll(".moments > li").length > given[0]', before)
        self.there(ASKED)
        return self.text(".moments")

    def begins_an_order(self) -> str:
        """Touch one thing, without signing; return the draft once it is kept."""
        self.driver.clicks(".touches .knob")
        self.there(".lines code")
        self.there(ASKED)
        return self.text(".lines code")

    def goes_on(self) -> str:
        """Open the game that was kept; return what had happened."""
        self.driver.clicks("section.kept a")
        self.there(ASKED)
        return self.text(".moments")

    def judges(self, log: Path) -> str:
        """Let the page judge a file by the rules; return what it says."""
        self.driver.said('location.hash = "#/tools"')
        self.there("details:has(#audit)")
        self.driver.types("details:has(#audit) .drop input[type=file]", str(log))
        return self.text("details:has(#audit) .came .verdict")

    def makes_a_key(self, passphrase: str = "") -> None:
        """Make a key."""
        self.driver.said('location.hash = "#/"')
        self.there("details:has(#address)")
        self.driver.clicks("details:has(#address) > summary")
        self.driver.types("#address", ADDRESS)
        if passphrase:
            self.driver.types("#passphrase", passphrase)
        self.driver.clicks("form:has(#address) button[type=submit]")

    def saves(self) -> bytes:
        """Save the desk; return the file."""
        self.driver.said(CAUGHT)
        self.driver.clicks("#unsaved button")
        return bytes(self.driver.until("return window.saved"))


def fingerprint(text: str) -> str:
    """Return the fingerprint of a key that stands in a text."""
    return text.partition("SHA256:")[2][:43]


def served_page(driver: Driven, folder: Path, pictures: Path | None) -> Iterator[str]:
    """Go through what is not as it should be of the page that a server hands out; print how long it took."""
    reports = list[str]()
    with served(folder, reports) as server, tempfile.TemporaryDirectory() as name:
        Thread(target=server.serve_forever, daemon=True).start()
        here = AtThePage(driver, f"http://127.0.0.1:{server.server_address[1]}/", pictures)
        took, service = [here.comes()], Service(name)
        here.shows("home")
        for log in LOGS:
            yield from wrong_verdict(log, here.judges(log), service)
        here.makes_a_key()
        own = fingerprint(here.text(".mail .digest"))
        desk = b64encode(here.saves()).decode()
        if fingerprint(ok(service, "restore", data=desk)["fingerprint"]) != own:
            yield f"the key {own} is not in the desk that was saved"
        told = here.plays()
        here.shows("game")
        draft = here.begins_an_order()
        driver.said("location.hash = '#/'")
        here.goes_on()
        if (found := here.text(".lines code")) != draft:
            yield f"a draft is not as it was left: {found} / {draft}"
        driver.said(CLOSES)
        if (found := driver.until("return window.keptNow")) != "/one,/two":
            yield f"what the browser had closed is not opened again: {found}"
        driver.until("return navigator.serviceWorker.controller !== null")
        driver.said('fetch("/off", { method: "POST", body: "" }).then(() => { window.off = true; })')
        driver.until("return window.off")
        took.append(here.comes())
        if fingerprint(here.text(".mail")) != own:
            yield "without a network the key is not there"
        if not (found := here.goes_on()).startswith(told):
            yield f"a game alone is not as it was left: {found[-200:]} / {told[-200:]}"
        if (found := here.text(".lines code")) != draft:
            yield f"a draft does not outlive a reload: {found} / {draft}"
        server.shutdown()
    yield from (f"the policy was broken: {report}" for report in reports)
    print("served: ready in {:.1f} s, without a network in {:.1f} s".format(*took))


def own_server(driver: Driven, pictures: Path | None) -> Iterator[str]:
    """Go through what is not as it should be of the page that `pbem web` serves."""
    with tempfile.TemporaryDirectory() as name, desk_served(Path(name, "desk")) as address:
        here = AtThePage(driver, address, pictures)
        took, told = here.comes(), here.plays()
        here.comes()
        if not (found := here.goes_on()).startswith(told):
            yield f"over pbem web a game alone is not as it was left: {found[-200:]} / {told[-200:]}"
    print(f"pbem web: ready in {took:.1f} s")


def wrong_verdict(log: Path, said: str, service: Service) -> Iterator[str]:
    """Hold what the page says of a log against what the service says here, which is what the command says."""
    own = ok(service, "check", data=b64encode(log.read_bytes()).decode(), name=log.name, audit=True)
    parts = [own["outcome"], *own["words"], own["fault"], own["reason"], own["head"], *own["chosen"], own["doubt"]]
    yield from (f"of {log.name} the page says {said}, and not: {part}" for part in parts if part and part not in said)


def single_file(driver: Driven, file: Path, pictures: Path | None) -> Iterator[str]:
    """Go through what is not as it should be of the page from a disk; print how long it took."""
    here = AtThePage(driver, file.as_uri(), pictures)
    took, told = here.comes(), here.plays()
    here.comes()
    if not (found := here.goes_on()).startswith(told):
        yield f"in the file a game alone is not as it was left: {found[-200:]} / {told[-200:]}"
    driver.clicks(".home")
    here.makes_a_key(SECRET)
    own = fingerprint(here.text(".mail .digest"))
    here.comes(".passphrase input")
    here.shows("locked")
    driver.types(".passphrase input", SECRET)
    driver.clicks(".passphrase button[type=submit]")
    here.there("body[data-ready=yes]")
    if fingerprint(here.text(".mail")) != own:
        yield "in the file the key is not there by its passphrase"
    print(f"pbem.html: ready in {took:.1f} s")


def judged(program: str, file: Path, pictures: Path | None) -> int:
    """Let a browser begin and judge the page in it; return the exit code. Raises NoBrowserBegins."""
    asked, faults = list[str](), list[str]()
    with driven(program, asked) as (driver, version):
        print(version)
        for tried in (
            served_page(driver, BUILT, pictures),
            single_file(driver, file, pictures),
            own_server(driver, pictures),
        ):
            try:
                faults += tried
            except DriverRefused as error:
                faults.append(f"{error}; the page: {driver.said('return document.body.innerText.slice(0, 600)')}")
    faults += [f"it asks for {address}" for address in asked]
    print("".join(f"WRONG: {fault}\n" for fault in faults), end="")
    return 1 if faults else 0


def main(arguments: list[str]) -> int:
    """Judge the page in the browser, if one begins; return the exit code."""
    program, file = browser(), BUILT.with_name("pbem.html")
    if program is None or not file.exists() or len(arguments) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    pictures = Path(arguments[0]) if arguments else None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # no browser is left behind
    try:
        return judged(program, file, pictures)
    except NoBrowserBegins as error:  # of which no page is the cause
        print(f"skipped: no browser begins here. What it would have told: whether the page works in WebKit. {error}")
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
