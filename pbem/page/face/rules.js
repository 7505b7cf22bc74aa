// A game's rules in our own words: a screen of their own, and a sheet beside a game. Each number of a rule that stands anywhere in a game
// leads to its paragraph there.

import { button, fill, make, table } from "./dom.js";
import { framed } from "./thumb.js";
import { ask, t, why } from "./texts.js";

const NUMBERS = /\((?:(?:rule|règle)\s)?(\d+\.\d+(?:, \d+\.\d+)*)\)|\((?:rule|règle)\s([^()]+)\)/g; // “(5.32)”, “(4.2, 4.3)”, “(rule Clan powers)”
const NOT_IN = "a,button,summary,label,svg,pre,textarea,option,.hint,.menu";

export const place = (game, mark = "") => `#/rules/${game}${mark && `/${encodeURIComponent(mark)}`}`;
const id = (mark) => `rule-${mark.toLowerCase().replace(/[^\p{L}\d.]+/gu, "-")}`;

export function link(node, game) { // makes links of the numbers in a text
  const text = node.nodeValue, parts = [];
  let at = 0;
  for (const { 0: all, 1: numbers, 2: heading, index } of text.matchAll(NUMBERS)) {
    const begin = index + all.indexOf(numbers ?? heading), marks = numbers ? numbers.split(", ") : [heading];
    parts.push(text.slice(at, begin), ...marks.flatMap((mark, i) => [i ? ", " : "", make("a", { href: place(game, mark), class: "rule" }, mark)]));
    at = begin + (numbers ?? heading).length;
  }
  if (parts.length) node.replaceWith(...parts, text.slice(at));
}

export function watch(root, game) { // whatever is written below `root` from now on has its numbers as links
  const texts = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return /\(/.test(node.nodeValue) && !node.parentElement?.closest(NOT_IN) ? [node] : [];
    return node.nodeType === Node.ELEMENT_NODE && !node.closest(NOT_IN) ? [...node.childNodes].flatMap(texts) : [];
  };
  const seen = new MutationObserver((found) => found.flatMap(({ addedNodes }) => [...addedNodes]).filter((one) => one.isConnected).flatMap(texts).forEach((one) => link(one, game())));
  seen.observe(root, { childList: true, subtree: true });
  return seen;
}

async function written(game) { // the whole of it as elements
  const { title, about, sections, lists } = await ask("rulebook", { game });
  const rule = ({ marks, text }) => make("p", { class: "ruled", tabIndex: -1, "data-marks": marks.map(id).join(" ") }, make("b", {}, marks.join(", ")), " ", text);
  const nodes = [make("p", { class: "note" }, about), ...sections.map((one) => make("section", {}, make("h2", {}, one.title),
    one.drawing && make("figure", {}, framed(one.drawing, one.title)), one.rules.map(rule))), ...lists.map((one) => table(one))];
  return { title, nodes };
}

function seek(root, mark) { // shows the paragraph of a number, or of the one above it
  for (let one = mark; one; one = one.slice(0, -1)) {
    const found = [...root.querySelectorAll("[data-marks]")].find((node) => node.dataset.marks.split(" ").includes(id(one)));
    if (!found) continue;
    root.querySelector(".found")?.classList.remove("found");
    found.classList.add("found");
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
    return;
  }
}

async function lay(place, game, mark, titled) {
  fill(place, make("p", { class: "note", role: "status" }, t("rules_load")));
  try {
    const { title, nodes } = await written(game);
    titled(title);
    fill(place, nodes);
    watch(place, () => game);
    place.querySelectorAll(".ruled").forEach((one) => [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).forEach((text) => link(text, game)));
    seek(place, mark);
  } catch (error) {
    fill(place, make("p", { class: "wrong", role: "alert" }, why(error)));
  }
}

export class Rules { // a screen
  constructor(game, go) {
    this.game = game;
    this.go = go;
    this.place = make("div", { class: "rulebook" });
    this.head = make("h1", {}, t("rulebook"));
    this.node = make("main", { class: "page" }, make("header", {}, make("a", { href: "#/", class: "home" }, `‹ ${t("games")}`), this.head),
      make("p", {}, make("a", { href: `#/lesson/lesson-${game}-1` }, t("lesson_first"))), this.place);
    this.node.addEventListener("click", (event) => { // in the page itself a number moves to its paragraph
      const at = event.target.closest?.("a.rule");
      if (!at) return;
      event.preventDefault();
      seek(this.place, decodeURIComponent(at.hash.split("/")[3] ?? ""));
    });
  }

  close() {}

  async came() {}

  async open() {
    const mark = decodeURIComponent(location.hash.split("/")[3] ?? "");
    await lay(this.place, this.game, mark, (title) => { fill(this.head, t("titled", { title, part: t("rulebook") })); document.title = `${this.head.textContent} · pbem`; });
    if (!mark) scrollTo(0, 0);
  }
}

export class Sheet { // beside a game: it opens where a number is touched, and leaves the game as it is
  constructor(root, game) {
    this.root = root;
    this.game = game;
    this.place = make("div", { class: "rulebook" });
    this.head = make("h2", {}, t("rulebook"));
    this.node = make("aside", { class: "sheet", hidden: true, "aria-label": t("rulebook") }, make("div", { class: "row" }, this.head, button("✕", () => this.close(), { "aria-label": t("rules_close"), title: t("rules_close") })), this.place);
    root.append(this.node);
    root.addEventListener("click", (event) => {
      const at = event.target.closest?.("a.rule,a.rules");
      if (!at || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.open(at);
    });
    this.seen = watch(root, game);
  }

  async open(at) {
    const mark = decodeURIComponent(at.hash.split("/")[3] ?? "");
    if (!this.node.contains(at)) this.from = at;
    this.node.hidden = false;
    if (this.laid === this.game()) seek(this.place, mark);
    else await lay(this.place, (this.laid = this.game()), mark, (title) => fill(this.head, t("titled", { title, part: t("rulebook") })));
    if (this.place.querySelector(".wrong")) this.laid = "";
    if (!mark) this.node.querySelector("button").focus();
  }

  close() {
    if (this.node.hidden) return;
    this.node.hidden = true;
    this.from?.focus();
  }
}
