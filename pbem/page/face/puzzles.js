// A row of puzzles, the list of all, and one of them: a position as a game has it, with a task. What would be signed there is judged here.

import { announce, button, dice, fill, make, told } from "./dom.js";
import { Game } from "./game.js";
import { place as rules } from "./rules.js";
import { small } from "./thumb.js";
import { ask, t, why } from "./texts.js";

const HERE = "#/puzzles";
const place = (name) => `#/puzzle/${name}`;

const FEW = 6; // so many are shown on the first screen

export function row() { // a few that are not solved, with their positions: what puzzles need is fetched when somebody comes to see them
  const list = make("ul", { class: "posers" }), seen = make("div", { class: "coming" }, list);
  const load = async () => {
    try {
      const { games } = await ask("puzzles");
      const open = games.map(({ title, puzzles: all }) => all.filter(({ solved }) => !solved).map((one) => ({ ...one, title })));
      const few = Array.from({ length: FEW }, (_, i) => open[i % open.length]?.[Math.floor(i / open.length)]).filter(Boolean); // by turns of each game
      const places = few.map(() => make("span", { class: "cover", "aria-hidden": "true" }));
      fill(list, few.map((one, i) => make("li", {}, make("a", { href: place(one.name) }, places[i], make("b", {}, t("puzzle_of", { n: one.number, game: one.title })), make("span", {}, one.task)))));
      for (const [i, { name }] of few.entries()) if (seen.isConnected) await small(places[i], name);
    } catch { /* the page of puzzles says what is wrong */ }
  };
  const watch = new IntersectionObserver((found) => { if (found.some(({ isIntersecting }) => isIntersecting)) { watch.disconnect(); load(); } }, { rootMargin: "0px 0px -25% 0px" }); // well in sight
  watch.observe(seen);
  return [make("h2", {}, t("puzzles")), make("p", {}, t("puzzles_say")), seen, make("p", {}, make("a", { href: HERE }, t("puzzles_all")))];
}

export class Puzzles { // the page with all of them
  constructor(_name, go) {
    this.go = go;
    this.node = make("main", { class: "page" });
  }

  close() {}

  async came() {}

  async open() {
    document.title = `${t("puzzles")} · pbem`;
    const list = make("div", { class: "puzzles", id: "puzzles" }, make("p", { class: "note", role: "status" }, t("puzzles_load")));
    fill(this.node, make("header", {}, make("a", { href: "#/", class: "home" }, `‹ ${t("games")}`), make("h1", {}, t("puzzles"))), make("p", {}, t("puzzles_say")), list);
    try {
      fill(list, (await ask("puzzles")).games.map(ofGame));
      list.querySelector("li:not(.solved) a, a")?.focus(); // a key has a place to go on from
    } catch (error) {
      fill(list, make("p", { class: "wrong", role: "alert" }, why(error)));
    }
  }
}

function ofGame({ title, puzzles: all }) {
  const done = all.filter(({ solved }) => solved).length;
  return [make("h2", {}, title, " ", make("span", { class: "note" }, t("puzzles_done", { n: done, all: all.length }))),
    make("ul", { class: "rows" }, all.map((one) => make("li", { class: one.solved && "solved" }, make("a", { href: place(one.name) }, `${one.number}. ${one.task}`),
      one.solved && make("b", {}, `✓ ${t("puzzle_solved")}`))))];
}

export class Puzzle extends Game {
  constructor(name, go) {
    super(name, go);
    this.said = make("div", {}, make("p", { class: "note" }, t("puzzle_judged_here")));
    this.verdict = make("section", { class: "story verdict", tabIndex: 0, "aria-labelledby": "verdict" }, make("h2", { id: "verdict" }, t("puzzle_yours")), this.said, this.answer());
    this.story.node.replaceWith(this.verdict); // of a position nothing has happened yet
  }

  leave() {} // it is judged when it is meant to be

  async open() {
    await this.refresh();
    scrollTo(0, 0); // the list may have been left far down
  }

  async refresh() {
    const [now, task] = await Promise.all([this.position(), ask("puzzle", { game: this.game })]);
    if (this.closed) return;
    Object.assign(this, { now, task, at: null });
    this.show(now);
    document.title = `${t("puzzle_of", { n: task.number, game: now.title })} · pbem`;
    await this.judge();
  }

  async came() {} // it is nobody's game: nothing comes

  keep() {}

  heading({ title, seat_name: seat }) {
    const { number, solved } = this.task;
    return [make("a", { href: HERE, class: "home" }, `‹ ${t("puzzles")}`), make("h1", { tabIndex: -1 }, t("puzzle_of", { n: number, game: title })),
      make("p", { class: "under" }, t("you_play", { seat }), " ", solved && make("b", {}, `✓ ${t("puzzle_solved")}`)), this.now.rules && make("a", { href: rules(this.now.rules), class: "rules home" }, t("rulebook"))];
  }

  asks(position) {
    const { task, about } = this.task;
    return [make("h2", {}, t("puzzle_task")), make("p", { class: "task" }, task), about.map((line) => make("p", { class: "note" }, line)),
      make("details", {}, make("summary", {}, t("asked")), told(position.question))];
  }

  get verb() { return "puzzle_judge"; }

  async sign() { // nothing is: it is judged
    if (this.busy || !this.found?.closed) return;
    await this.during(async () => this.judged(await ask("solve", { game: this.game, text: this.draft.join("\n") })));
  }

  judged({ solves, said, line }) {
    const heading = t(solves ? "puzzle_right" : "puzzle_wrong"), next = solves && this.task.next;
    fill(this.parts.letters);
    const head = make("h3", { tabIndex: -1 }, `${solves ? "✓" : "✗"} ${heading}`);
    fill(this.said, make("div", { class: solves ? "box solved" : "box" }, head, make("p", {}, said), line.map(({ text, depth }) => make("p", { class: depth ? "line in1" : "line" }, dice(text))),
      next && button(t("puzzle_next"), () => this.go(place(next)), { class: "main" })));
    if (solves) {
      this.task.solved = true;
      fill(this.parts.head, this.heading(this.now));
    }
    announce(`${heading}. ${said}`);
    head.focus({ preventScroll: true });
    head.scrollIntoView();
  }

  more(position) { fill(this.parts.more, position.drawing && make("details", {}, make("summary", {}, t("in_words")), this.words(position))); }

  answer() {
    const answer = make("div", {});
    const load = async ({ target }) => {
      if (!target.open || answer.childElementCount) return;
      try {
        fill(answer, told((await ask("solution", { game: this.game })).said));
      } catch (error) {
        fill(answer, make("p", { class: "wrong", role: "alert" }, why(error)));
      }
    };
    return make("details", { class: "answer", ontoggle: load }, make("summary", {}, t("puzzle_answer")), answer);
  }
}
