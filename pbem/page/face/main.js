// Which screen is shown: the address says it behind its `#`. And what is said when the service cannot be reached.

import { ring } from "./bell.js";
import { carry } from "./carrier.js";
import { begin as listen, look, onNews } from "./door.js";
import { announce, fill, make } from "./dom.js";
import { Game } from "./game.js";
import { Home } from "./home.js";
import { begin as last, over } from "./last.js";
import { Lesson } from "./lessons.js";
import { Puzzle, Puzzles } from "./puzzles.js";
import { take } from "./relay.js";
import { Rules } from "./rules.js";
import { before, language, own, prepare, speak, t, why } from "./texts.js";
import { Tools } from "./tools.js";
import { watch } from "./watch.js";

const app = document.getElementById("app");
let screen = null;

function go(address, anew = false) {
  if (location.hash === address || anew) {
    history.replaceState(null, "", address);
    show();
  } else location.hash = address;
}

async function show() {
  take(); // a link may have been opened in this tab
  screen?.close();
  const [, kind, name] = /^#\/(game|puzzle|lesson|rules|puzzles|tools)(?:\/([\w-]+))?(?:\/[^/]*)?$/.exec(location.hash) ?? [];
  const Screen = { "#/puzzles": Puzzles, "#/tools": Tools }[location.hash] ?? (name && { game: Game, puzzle: Puzzle, lesson: Lesson, rules: Rules }[kind]) ?? Home;
  const opened = (screen = new Screen(name ?? "", go));
  fill(app, opened.node);
  delete document.body.dataset.ready;
  try {
    await opened.open();
  } catch (error) {
    if (opened === screen) fill(app, make("main", { class: "page" }, make("h1", {}, "pbem"), make("p", { class: "wrong", role: "alert" }, why(error)), make("p", {}, make("a", { href: "#/" }, t("games")))));
  }
  look();
  if (opened === screen) {
    document.body.dataset.ready = "yes";
    announce(document.title);
  }
}

async function begin() {
  watch(show);
  prepare();
  await last(app, before());
  try {
    const about = await carry({ call: "about", language });
    await speak(language || (about.fingerprint ? about.language : own(about.languages)) || about.language);
  } catch (error) {
    over();
    document.documentElement.lang = before();
    fill(app, make("main", { class: "page" }, make("h1", {}, "pbem"), make("p", { class: "wrong", role: "alert" }, why(error))));
    document.body.dataset.ready = "no";
    return;
  }
  over();
  addEventListener("hashchange", show);
  addEventListener("dragover", (event) => event.preventDefault()); // a file that misses its place does not take the page away
  addEventListener("drop", (event) => event.preventDefault());
  await show();
  onNews((games) => screen.came(games));
  onNews((games) => ring(games).catch(() => {})); // a desk that is locked tells nothing
  listen();
}

begin();
