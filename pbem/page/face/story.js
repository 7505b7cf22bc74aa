// What happened, as a running log beside the map, and the list of the game's turns: each moment can be looked at again.

import { announce, button, dice, fill, make } from "./dom.js";
import { t } from "./texts.js";

const SAID = 6; // so many of the last items are told to who hears the screen

export class Story {
  constructor(look) { // `look(n)` shows the board as it was after entry n
    this.look = look;
    this.since = -1;
    this.steps = [];
    this.log = make("ol", { class: "moments" });
    this.turns = make("ol", { class: "turns" });
    const scroll = (name, list, says) => make("div", { class: `scroll ${name}`, tabIndex: 0, role: "region", "aria-labelledby": says }, list);
    this.places = { log: scroll("log", this.log, "happened"), turns: scroll("list", this.turns, "turns") };
    this.tabs = Object.fromEntries([["log", "happened"], ["turns", "turns"]].map(([name, says]) => [name,
      button(t(says), () => this.open(name), { id: says, class: "tab" })]));
    this.node = make("section", { class: "story" }, make("h2", { class: "unseen" }, t("happened")), make("div", { class: "tabs" }, Object.values(this.tabs)), Object.values(this.places));
    this.open("log");
  }

  open(which) {
    for (const [name, place] of Object.entries(this.places)) {
      place.hidden = name !== which;
      this.tabs[name].setAttribute("aria-pressed", String(name === which));
    }
    if (which === "turns") this.turns.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  tell({ moments, turns }) { // what was told since; returns whether it happened while we looked on
    const fresh = this.since >= 0;
    for (const old of this.log.querySelectorAll(".new")) old.classList.remove("new");
    for (const moment of moments) this.add(moment, fresh);
    this.list(turns);
    const scroll = this.places.log, first = this.log.querySelector(".new");
    scroll.scrollTop = first ? first.offsetTop - scroll.offsetTop - 8 : scroll.scrollHeight;
    if (fresh && moments.length) announce(moments.flatMap(({ items }) => items.map(({ text }) => text)).slice(-SAID).join(" "));
    return fresh;
  }

  add({ n, chapters, items }, fresh) {
    this.since = Math.max(this.since, n);
    const inside = [], left = new Map(chapters.map((one) => [one.name, one]));
    for (const { text, heads } of items) {
      const said = text.split("\n").flatMap((line, i) => [i ? make("br") : null, ...dice(line)]).filter(Boolean);
      if (heads) {
        const begins = [...left.values()].find(({ name }) => text.includes(name)); // “The battle of Annan” begins the part “Annan”
        left.delete(begins?.name);
        inside.push(make("h3", { class: begins ? `begins deep${begins.depth}` : "", "data-part": begins?.name }, said));
      } else if (inside.at(-1)?.localName === "ul") inside.at(-1).append(make("li", {}, said));
      else inside.push(make("ul", {}, make("li", {}, said)));
    }
    if (!inside.length) return;
    this.steps.push(n);
    const heads = [...left.values()].map(({ name, depth }) => make("h3", { class: `begins deep${depth}`, "data-part": name }, name));
    const view = button(t("show_then"), () => this.look(n), { class: "then", "aria-label": t("show_entry", { n }), title: t("show_entry", { n }) });
    this.log.append(make("li", { class: fresh ? "moment new" : "moment", "data-n": n }, heads, view, inside));
  }

  list(turns) { // and what came of each stands at its beginning in the log, too
    for (const { n, name, came } of turns) {
      const head = came && this.log.querySelector(`[data-n="${n}"] [data-part="${CSS.escape(name)}"]`);
      if (!head) continue;
      head.querySelector(".came")?.remove();
      head.append(make("span", { class: "came" }, ` ${came}`));
    }
    fill(this.turns, turns.map(({ n, depth, name, came }) => make("li", { class: `deep${depth}`, "data-n": n },
      button(name, () => this.jump(n), { class: "turn-of" }), came && make("span", { class: "came" }, ` ${came}`))));
    this.tabs.turns.hidden = !turns.length;
  }

  jump(n) {
    this.look(n);
    const moment = this.log.querySelector(`[data-n="${n}"]`);
    if (moment) this.places.log.scrollTop = moment.offsetTop - this.places.log.offsetTop - 8;
  }

  beside(n, by) { // the step before or after one; null where there is none
    const at = n === null ? this.steps.length - 1 : this.steps.findLastIndex((one) => one <= n);
    return this.steps[at + by] ?? null;
  }

  mark(n) { // which moment is looked at; null is now
    const turn = n === null ? null : [...this.turns.children].findLast((one) => Number(one.dataset.n) <= n);
    for (const one of [...this.log.children, ...this.turns.children]) {
      if (one === turn || (one.parentNode === this.log && Number(one.dataset.n) === n)) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }
}
