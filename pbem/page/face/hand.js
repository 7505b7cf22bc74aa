// What lies before a seat, as cards: those that may be played now are buttons. Which card does what, the service says.

import { fill, make } from "./dom.js";
import { t } from "./texts.js";

const COLOUR = /^#[0-9a-f]{6}$/;

export class Hand {
  constructor(touched) { // `touched(touches, event)` is called with what was touched
    this.touched = touched;
    this.node = make("section", { class: "hand" });
    this.beside = make("section", { class: "hand" }); // what matters less
    this.rows = [];
    this.words = [];
  }

  show(rows, words) { // rows of cards; a game that has none sets its words
    this.rows = rows;
    this.words = words;
    this.light([]);
  }

  light(touches, chosen = []) { // lays the cards out, those that may be touched as buttons; returns which places these are
    const by = new Map(), lit = new Set();
    for (const touch of touches) by.set(touch.at, [...(by.get(touch.at) ?? []), touch]);
    const card = (one) => {
      const found = one.at && by.get(one.at);
      if (found) lit.add(one.at);
      return this.card(one, found, chosen.includes(one.at));
    };
    const row = ({ title, cards, backs, small }) => make("div", { class: small ? "laid small" : "laid" }, make("h3", {}, title),
      make("ul", { "aria-label": title }, cards.map((one) => make("li", {}, card(one))),
        Array.from({ length: backs }, () => make("li", { class: "unturned", "aria-hidden": "true" }))));
    const rows = (less) => this.rows.filter(({ small }) => small === less).map(row);
    fill(this.node, this.rows.length ? rows(false) : this.words.length ? [make("h2", {}, t("hand")), this.words] : []);
    fill(this.beside, rows(true));
    return lit;
  }

  card({ name, figure, kind, says, colour, at }, touches, chosen) {
    const inside = [touches && make("span", { class: "unseen" }, `${touches.map(({ label }) => label).join(", ")}. `),
      make("span", { class: "figure" }, figure || "✦"), make("b", {}, name), make("span", { class: "kind" }, kind), says && make("span", { class: "says" }, says), touches && touches[0].note && make("span", { class: "says idle" }, touches[0].note)];
    const face = touches ? make("button", { type: "button", class: "card can", "data-at": at, "data-touch": "", onclick: (event) => this.touched(touches, event) }, inside)
      : make("div", { class: "card", "data-at": at }, inside);
    if (chosen) face.classList.add("chosen");
    if (COLOUR.test(colour)) face.style.setProperty("--band", colour);
    return face;
  }
}
