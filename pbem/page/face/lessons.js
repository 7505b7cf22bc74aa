// A first lesson: positions as a puzzle has them, each with what to touch. What leads on is lit twice; what does not is explained and taken back.

import { announce, button, dice, fill, make, told } from "./dom.js";
import { Puzzle } from "./puzzles.js";
import { place as rules } from "./rules.js";
import { ask, t } from "./texts.js";

const at = (name) => `#/lesson/${name}`;

export class Lesson extends Puzzle {
  constructor(name, go) {
    super(name, go);
    this.said = make("div", {});
    fill(this.verdict, make("h2", { id: "verdict" }, t("lesson_came")), this.said);
    this.verdict.hidden = true;
  }

  async refresh() {
    const [now, step] = await Promise.all([this.position(), ask("step", { game: this.game })]);
    if (this.closed) return;
    Object.assign(this, { now, step, at: null });
    this.show(now);
    document.title = `${t("titled", { title: t("lesson_first"), part: step.title })} · pbem`;
    await this.judge();
  }

  heading({ title, rules: game }) {
    const { number, steps } = this.step;
    return [make("a", { href: "#/", class: "home" }, `‹ ${t("games")}`), make("h1", { tabIndex: -1 }, t("titled", { title, part: t("lesson_first") })),
      make("p", { class: "under" }, t("lesson_step", { n: number, all: steps })), make("a", { href: rules(game), class: "rules home" }, t("rulebook"))];
  }

  asks(position) {
    const { title, says, touch } = this.step;
    return [make("h2", {}, title), make("p", {}, says), make("p", { class: "task" }, `☞ ${touch}`),
      make("details", {}, make("summary", {}, t("asked")), told(position.question))];
  }

  get verb() { return "lesson_do"; }

  async judge() {
    await super.judge();
    if (!this.now.asked || this.closed || !this.found) return;
    const draft = this.draft, { astray, touches } = await ask("leads", { game: this.game, draft });
    if (this.closed || draft !== this.draft) return;
    if (astray && this.drafts.length > 1) { // it is legal, and not what is wanted here
      this.drafts.pop();
      await this.judge();
      this.kindly(astray);
      return;
    }
    this.lead(touches);
  }

  async choose(...given) {
    fill(this.parts.letters);
    await super.choose(...given);
  }

  kindly(says) {
    fill(this.parts.letters, make("div", { class: "box", role: "status" }, make("p", {}, says)));
    this.parts.letters.scrollIntoView({ block: "nearest" }); // on a telephone it lies below the text of the step
    announce(says);
  }

  lead(touches) { // what leads on is lit once more
    const places = this.board.places(), found = [...new Set(touches.map(({ at: one }) => one))].flatMap((one) => places.get(one) ?? []);
    this.drawn = new Set(touches.map(({ draft }) => draft.join("\n")));
    this.places = new Set(touches.map(({ at: one }) => one));
    this.board.marks.push(...this.board.enlighten(found.map((element) => [element, " pb-lead"])));
    this.mark(this.turn);
    this.turn.querySelector("#sign")?.classList.toggle("lead", !touches.length);
  }

  mark(root) { // a card of the hand may have several touches: it leads on where one of them does
    for (const one of root.querySelectorAll("[data-touch]")) one.classList.toggle("lead", "draft" in one.dataset ? this.drawn.has(one.dataset.draft) : this.places.has(one.dataset.at));
  }

  knob(touch) {
    const made = super.knob(touch);
    made.dataset.draft = touch.draft.join("\n");
    return made;
  }

  touched(touches, event) {
    super.touched(touches, event);
    const menu = this.node.querySelector(".menu");
    if (menu) this.mark(menu);
  }

  async sign() {
    if (this.busy || !this.found?.closed || !this.now.asked) return;
    await this.during(async () => {
      const { wanted, said, moment, position } = await ask("learn", { game: this.game, text: this.draft.join("\n") });
      if (wanted) this.done(said, moment, position);
      else this.kindly(said);
    });
  }

  done(why, moment, position) {
    const { title, next, lesson } = this.step;
    this.now = position;
    this.drafts = [{ lines: [], at: "" }];
    this.quiet();
    fill(this.parts.letters);
    this.show(position);
    const struck = this.rolls.show([moment], true);
    this.board.strike(struck);
    const begin = async () => { try { this.go(`#/game/${(await ask("begin", { game: lesson, seat: this.now.seat })).game}`); } catch (error) { this.trouble(error); } };
    const on = next ? button(t("lesson_next"), () => this.go(at(next)), { class: "main" }) : [make("p", {}, t("lesson_end")), button(t("play_it"), begin, { class: "main" }), " ", make("a", { href: "#/", class: "knob" }, t("games")), " ", make("a", { href: rules(lesson), class: "knob rules" }, t("rulebook"))];
    fill(this.parts.asked, make("h2", { tabIndex: -1 }, `✓ ${title}`), make("p", {}, why), make("div", { class: "row" }, on));
    this.verdict.hidden = false;
    fill(this.said, moment.items.map(({ text, heads }) => make(heads ? "h3" : "p", { class: "line in1" }, dice(text))));
    announce(`${t("puzzle_right")}. ${why}`);
    this.turn.scrollTo?.(0, 0);
    this.parts.asked.querySelector("button")?.focus({ preventScroll: true });
    this.parts.asked.scrollIntoView({ block: "nearest" });
  }
}
