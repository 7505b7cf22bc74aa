// One game: the map, what is asked, what may be touched, the order as it grows, what happened. All of it comes from the service; what is
// kept here is the draft, with the drafts before and after it, and which moment is looked at.

import { bell } from "./bell.js";
import { player } from "./card.js";
import { compare } from "./compare.js";
import { announce, button, download, drawn, fill, make, table, told } from "./dom.js";
import { lies } from "./door.js";
import { besideOf } from "./friend.js";
import { Hand } from "./hand.js";
import { complaintOf, entries } from "./judge.js";
import { keysOf } from "./keys.js";
import { keep } from "./last.js";
import { Board } from "./map.js";
import { letter } from "./post.js";
import { Rolls } from "./rolls.js";
import { place as rules, Sheet } from "./rules.js";
import { plans, sayings } from "./says.js";
import { Story } from "./story.js";
import { ask, language, t, when, why } from "./texts.js";

const MODES = { // by who deals: what is beside a game
  host: { press: "press_say", beside: (screen) => complaintOf(screen.game), bell },
  two: { press: "press_friend", beside: (screen) => besideOf(screen.game, () => screen.refresh()), bell: () => null },
};
const AT_ONCE = "pbem.oneclick"; // where it is kept that one touch is never the whole
const SECOND = 1000; // so long one can undo an answer that was one touch, before it is signed
const SEVERAL = 3; // and so many of them one that was several, or means more than it says
const SHORT = 4; // lines of a question that are shown at once, besides the first
const BESIDE = ["choice:PLAN", "choice:AHEAD"]; // what goes along with an order is offered after it
const UP = .75; // so much of the map is covered by the turn that its handle has slid up
const LISTED = `[data-touch]:not(${BESIDE.map((at) => `[data-at="${at}"]`)})`; // what is to be chosen
const KINDS = [["card", "cards"], ["choice", "choices"], ["", "others"], ["beside", "others"]]; // of what is touched, and how it is listed

function atOnce(wanted) { // is an answer that is one touch signed by itself, in a second? With `wanted` it is from now on, or is not
  try {
    if (wanted !== undefined) localStorage.setItem(AT_ONCE, wanted ? "yes" : "no");
    return localStorage.getItem(AT_ONCE) !== "no";
  } catch { // the browser lets nothing be kept
    return false;
  }
}

const isPlan = (lines) => lines.length > 0 && lines.every((line) => !line.trim() || /^PLAN /i.test(line)); // kept, not signed

export class Game {
  constructor(game, go) {
    this.game = game;
    this.go = go;
    this.drafts = [{ lines: [], at: "" }]; // the last is the one before us, each with what was touched for it
    this.undone = [];
    this.called = new Map(); // lines, each with what was touched for it: what that is called, by its place
    this.typed = "";
    this.board = new Board((touches, event) => this.touched(touches, event), { can: (touches) => this.canGo(touches), lift: (touches) => this.lift(touches), lay: (touches, event, lifted) => this.lay(touches, event, lifted), leave: (lifted) => this.letGo(lifted) });
    this.hand = new Hand((touches, event) => this.touched(touches, event));
    this.rolls = new Rolls();
    this.story = new Story((n) => this.look(n));
    this.parts = Object.fromEntries(["head", "asked", "odds", "draft", "touches", "typing", "letters", "more"].map((name) => [name, make("section", { class: name })]));
    const { head, asked, odds, draft, touches, typing, letters, more } = this.parts;
    this.turn = make("div", { class: "turn", tabIndex: 0, role: "region", "aria-label": t("turn") }, asked, this.board.scene, letters, touches, this.rolls.node, odds, this.hand.node, this.hand.beside, typing, draft);
    this.handle = button("", () => this.slide(!this.isUp), { class: "drawer" });
    this.left = make("div", { class: "left", onpointerdown: () => this.slide(false), onfocusin: () => this.slide(false) }, this.board.node);
    this.right = make("div", { class: "right", onscroll: () => this.slid() }, this.handle, this.turn, this.story.node, more);
    this.node = make("main", { class: "game" }, head, make("div", { class: "stage" }, this.left, this.right));
    this.grips();
    this.sheet = new Sheet(this.node, () => this.now?.rules ?? "");
    this.hears = new AbortController();
    const { signal } = this.hears;
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    document.addEventListener("pointerdown", (event) => this.down(event), { signal });
    for (const [place, kind] of [[document, "wheel"], [document, "visibilitychange"], [window, "blur"]]) place.addEventListener(kind, () => this.stay(), { signal }); // who looks elsewhere has not signed
  }

  // On a telephone held upright the turn slides up over the map, as far as a finger, a key or its handle moves it.

  get isUp() { return this.node.classList.contains("up"); }

  slide(up) { if (up !== this.isUp) this.right.scrollTo(0, up ? this.left.clientHeight * UP : 0); }

  slid() { // how far
    this.node.classList.toggle("up", this.right.scrollTop > this.right.clientHeight / 9);
    this.grips();
  }

  grips() { // by the handle, which says what there is to be chosen; nothing is measured here, as all else changes with it
    this.handle.setAttribute("aria-expanded", this.isUp);
    const n = this.turn.querySelectorAll(LISTED).length;
    fill(this.handle, make("span", { "aria-hidden": "true" }, this.isUp ? "▾" : "▴"), " ", n ? t("choices", { n }) : make("span", { class: "unseen" }, t("drawer")));
  }

  close() {
    this.closed = true;
    this.stay();
    this.hears.abort();
    this.sheet.seen.disconnect();
  }

  get draft() { return this.drafts.at(-1).lines; }

  get chosen() { // what was touched for the line that is being written
    const long = this.draft.length;
    return this.found?.closed && !this.found.touches.length ? [] : this.drafts.filter(({ lines, at }) => at && lines.length === long).map(({ at }) => at);
  }

  async open() {
    await this.refresh();
    if (!this.now.alone && !this.now.watched) await this.comparing();
    if (this.now.alone && !this.now.over && !this.now.asked) await this.goOn();
  }

  async comparing() { // a copy that came from the host alone is compared before anything is signed
    const { waits, says } = await ask("compare", { game: this.game });
    if (waits) compare(this.parts.letters, this.game, says);
  }

  async came(games) { // something new has come by itself; a draft stays as long as its question is open
    this.stale = games.includes(this.game) && this.busy;
    if (games.includes(this.game) && this.now && !this.busy) await this.refresh(true);
    const place = this.parts.head, elsewhere = games.some((game) => game !== this.game) && !place.querySelector(".elsewhere");
    if (elsewhere) place.append(make("a", { href: "#/", class: "elsewhere note" }, t("new_elsewhere")));
  }

  async refresh(keep = false) { // all anew: the position, what happened since, what may be touched
    const [now, told] = await Promise.all([this.position(), ask("story", { game: this.game, since: this.story.since })]);
    if (this.closed) return;
    this.stay(); // of what came nobody has read anything yet
    if (!keep || now.ask === null || now.ask !== this.now.ask) {
      this.board.drag.end();
      this.drafts = [{ lines: [], at: "" }];
      this.recalled = this.anyway = false;
      this.undone = [];
      this.called = new Map();
      this.found = null;
      this.quiet(); // what answered the question before is no answer to this one
    }
    this.now = now;
    this.template = null;
    const fresh = { ...told, moments: told.moments.filter(({ n }) => n > this.story.since) }; // of two that ask at once the second is told nothing
    const struck = this.rolls.show(fresh.moments, this.story.tell(fresh));
    if (keep && this.at !== null) return; // another moment is looked at
    this.at = null;
    this.slide(false);
    this.show(now, keep);
    this.board.strike(struck);
    this.remember(now);
    await this.recall();
    await this.judge();
  }

  remember({ watched, game, title, seat_name, alone, drawing, tables, text, question, asked, waits_for, over }) { // for the next visit; a puzzle is none of your games
    if (watched || !location.hash.startsWith("#/game/")) return;
    keep({ language, position: { game, title, seat_name, alone, drawing: drawing && this.board.layers.whole(drawing), tables: drawing ? [] : tables, text, question, asked, waits_for, over } });
  }

  position(n = null) { return ask("position", { game: this.game, n, ground: this.board.ground }); }

  // -- what is seen

  show(position, keep = false) { // `keep`: it has come by itself, and what somebody has opened, and perhaps written in, stays as it is
    document.title = `${position.title} · pbem`;
    this.foreseen = false;
    const { head, asked } = this.parts, back = this.at !== null;
    fill(head, this.heading(position));
    this.node.classList.toggle("plain", !position.drawing);
    this.node.classList.toggle("past", back);
    this.rolls.node.hidden = back;
    if (position.drawing) this.board.show(position.drawing, position.scene);
    else fill(this.board.place, this.words(position));
    fill(asked, back ? this.past() : this.asks(position));
    const places = position.drawing ? this.board.places() : new Map(), drawn = ({ at }) => places.has(at); // what lies on the table need not lie beside it again
    this.hand.show(position.cards.filter(({ cards }) => !cards.length || !cards.every(drawn)), position.cards.length ? [] : told(position.hand));
    fill(this.parts.odds, position.scene && !back ? this.reckon() : []);
    if (!keep || !this.parts.more.querySelector("details[open]")) this.more(position);
  }

  heading(position) {
    return [make("a", { href: "#/", class: "home" }, `‹ ${t("games")}`), make("h1", { tabIndex: -1 }, position.title),
      make("p", { class: "under" }, t(position.watched ? "you_look" : "you_play", { seat: position.seat_name }), " ", !position.alone && !position.watched && lies(this.game)),
      position.rules && make("a", { href: rules(position.rules), class: "rules home" }, t("rulebook"))];
  }

  reckon() { // the odds of a battle, for whoever wants to know: they are reckoned when they are opened
    const place = make("div", {}), load = async ({ target }) => {
      if (!target.open || place.childElementCount) return;
      try {
        fill(place, (await ask("odds", { game: this.game })).tables.map(table));
      } catch (error) {
        fill(place, make("p", { class: "wrong" }, why(error)));
      }
    };
    return make("details", { ontoggle: load }, make("summary", {}, t("odds")), place);
  }

  ending(position) { // who won, with nothing hidden any more; and how it went, as the replay's last step shows it
    const head = make("h2", {}, t("over")), place = make("div", { class: "ending" }), next = make("div", { class: "row rematches" }), better = this.better();
    ask("closing", { game: this.game }).then(({ drawings, tables, outcome, laid_open: open, rematches }) => {
      fill(place, drawings.map((one) => drawn(one.svg)), tables.map(table));
      if (outcome) fill(head, outcome).className = "outcome";
      fill(next, rematches.map((one) => this.rematch(one)));
      if (outcome) announce(outcome);
      if (open && this.at === null && !this.closed) this.board.anew(open);
      if (rematches.length) better.open = true;
    }).catch((error) => fill(place, make("p", { class: "wrong" }, why(error))));
    return [head, make("p", { class: "result" }, position.over), next, place, better];
  }

  rematch({ what, name, ...given }) { // the same again, the other side, a stronger opponent
    const begin = async () => { try { this.go(`#/game/${(await ask("begin", given)).game}`); } catch (error) { this.trouble(error); } };
    return button(t(`rematch_${what}`, { name: what === "stronger" ? player(name) : name }), begin, { class: what === "again" ? "main" : "" });
  }

  better() { // a second opinion: it is reckoned when it is opened
    const place = make("div", { class: "ending", role: "status" }), load = async ({ target }) => {
      if (!target.open || place.childElementCount) return;
      try {
        const { drawings, tables } = await ask("opinion", { game: this.game });
        fill(place, drawings.map((one) => drawn(one.svg)), tables.map(table), !tables.length && make("p", { class: "note" }, t("better_none")));
      } catch (error) {
        fill(place, make("p", { class: "wrong" }, why(error)));
      }
    };
    return make("details", { class: "better", ontoggle: load }, make("summary", {}, t("better")), make("p", { class: "note" }, t("better_says")), place);
  }

  words(position) {
    return [position.tables.map(table), position.text && make("pre", { class: "wide", tabIndex: 0 }, position.text)].flat();
  }

  past() {
    const step = (by, name) => {
      const n = this.story.beside(this.at, by);
      return button(t(name), () => this.look(n), { disabled: n === null, id: name });
    };
    return [make("p", { class: "note" }, t("as_it_was", { n: this.at })),
      make("div", { class: "row" }, step(-1, "step_back"), step(1, "step_on"), button(t("to_now"), () => this.look(null), { class: "main" }))];
  }

  asks(position) {
    if (position.over) return this.ending(position);
    if (position.asked) {
      const due = position.due && make("p", { class: "due" }, t("due", { when: when(position.due) }));
      const doubt = position.doubt && make("p", { class: "wrong" }, position.doubt);
      const words = position.question.filter(({ text }) => !position.scene?.svg.includes(text)); // what a scene shows need not stand beside it in words
      const first = words.find(({ depth }) => !depth), rest = words.filter((one) => one !== first);
      const more = rest.length > SHORT || (position.scene && rest.length) ? make("details", {}, make("summary", {}, t("at_length")), told(rest)) : told(rest);
      return [make("h2", { class: "yours" }, t("asked")), position.answered && make("p", { class: "due" }, t("answered")), first && told([first]), due, doubt, more];
    }
    const seats = position.waits_for.join(", ");
    const due = position.due && make("p", { class: "due" }, t("they_answer", { when: when(position.due) }));
    const aside = this.aside || position.watched || position.alone ? null : button(t("aside"), () => { this.aside = true; fill(asked_note, t("aside_says")); this.judge(); }), asked_note = make("p", { class: "note" });
    return [make("h2", {}, position.watched ? t("looked_at") : seats ? t("waits_for", { seats }) : t("waits")), due, aside, asked_note];
  }

  async look(n) { // the position as it was then, or as it is
    if (n !== null) this.stay();
    const turn = (this.looking = {});
    try {
      const position = n === null ? this.now : await this.position(n);
      if (turn !== this.looking || this.closed) return;
      this.at = n;
      this.slide(false);
      const held = document.activeElement?.id;
      this.show(position);
      this.story.mark(n);
      if (["step_back", "step_on"].includes(held)) (document.querySelector(`#${held}:enabled`) ?? this.parts.asked.querySelector(".main"))?.focus();
      if (n === null) await this.judge();
      else this.quiet();
    } catch (error) {
      this.trouble(error);
    }
  }

  // -- the draft

  async recall() { // what was begun for this question before the page was left, or in another tab
    const { asked, ask: question } = this.now;
    if (this.recalled || !asked || question === null) return;
    this.recalled = true;
    const { lines, said } = await ask("draft", { game: this.game, ask: question }).catch(() => ({ lines: [] }));
    if (!lines.length || this.drafts.length > 1) return;
    lines.forEach((line, i) => { if (said[i]) this.called.set(line, new Map([["", said[i]]])); });
    this.drafts.push({ lines, at: "" });
  }

  keep(lines = this.draft) { // until it is signed; a tab that only reads keeps none
    const { asked, ask: question } = this.now;
    return asked && question !== null ? ask("draft", { game: this.game, ask: question, lines }).catch(() => {}) : null;
  }

  async judge() { // asks what may come next, and how the draft reads
    if (!this.now.asked && !this.aside) {
      this.quiet();
      return;
    }
    let judged;
    const turn = (this.judging = new Promise((done) => { judged = done; }));
    this.found = null; // what is seen belongs to the draft before
    try {
      const found = await ask("touches", { game: this.game, draft: this.draft, ask: this.now.ask, ground: this.board.ground });
      if (turn !== this.judging || this.closed || this.at !== null) return;
      this.foresee(found.preview);
      found.touches = found.touches.filter(({ at }) => at !== "end" || !found.closed); // that is all: the button says it
      this.found = found;
      const out = found.preview?.takes_out.map((touch) => ({ ...touch, label: t("take_out", { line: this.reads(this.draft.find((one) => !touch.draft.includes(one))) }) }));
      this.lit = this.board.light(found.touches, this.chosen, out);
      this.held = this.hand.light(found.touches, this.chosen);
      this.write();
      this.offer();
    } catch (error) {
      this.trouble(error);
    } finally {
      if (turn === this.judging) this.judging = null;
      judged();
    }
  }

  foresee(preview) { // the drawing as it will be once the draft is signed; without one, as it is
    if (!preview && !this.foreseen) return;
    this.foreseen = Boolean(preview);
    const { drawing, scene } = preview ?? this.now;
    if (drawing) this.board.show(drawing, scene);
  }

  get verb() { return this.now.alone ? "play" : isPlan(this.draft) ? "keep_plans" : "sign"; } // what is done with a whole order

  quiet() { // nothing may be touched
    this.stay();
    this.parts.odds.after(this.hand.node);
    for (const name of ["touches", "draft", "typing"]) fill(this.parts[name]);
    this.board.light([]);
    this.hand.light([]);
    this.grips();
  }

  async choose(lines, said, at = "", event = null) { // `event` is the touch: where a pointer leaves nothing open by it, the answer is signed in a second
    const before = this.drafts.at(-1);
    if (event && (this.busy || !await this.isOffered(lines, at) || this.drafts.at(-1) !== before)) return; // what is touched there belongs to the draft before
    this.stay();
    const own = { lines, at };
    this.call(lines, said, at);
    this.drafts.push(own);
    this.undone = [];
    this.closeMenu();
    this.eager = event?.detail && this.pressed === this.now.ask ? own : null; // a question that came under the finger is another
    await this.judge();
    if (this.isWhole) this.slide(false); // it is drawn on the map
    await this.keep();
    if (this.eager === own && this.isWhole && atOnce()) this.leave(said);
    else if (this.drafts.at(-1) === own) announce(said);
  }

  async isOffered(lines, at) { // a touch while the page asks what may be touched counts if it still may
    if (!this.judging) return true;
    while (this.judging) await this.judging;
    return !this.busy && !this.closed && this.found?.touches.some((one) => one.at === at && one.draft.join("\n") === lines.join("\n"));
  }

  call(lines, said, at) { // what is new in a draft is called as what was touched for it, from the line's beginning on
    const gone = this.draft.filter((line) => !lines.includes(line)), made = new Map([[at, said]]);
    for (const line of lines.filter((one) => !this.draft.includes(one))) {
      const begun = [...gone, ...(this.laid ?? [])].find((one) => line.startsWith(one.replace(/\d+$/, ""))), before = this.called.get(begun);
      if (!at || (begun ? !before || this.draft.some((one) => one !== begun && this.called.get(one) === before) : gone.length)) this.called.delete(line); // what else it says is not known
      else this.called.set(line, before ? new Map([...before, ...made]) : made);
    }
  }

  reads(line) { // in the player's words, or as it is signed
    const said = [...this.called.get(line)?.values() ?? []];
    return said.length > 1 ? said.map((one) => one.split(" (")[0]).join(" · ") : said[0] ?? line;
  }

  get isWhole() { return this.found?.closed && !isPlan(this.draft) && this.found.touches.every(({ at }) => BESIDE.includes(at)); } // nothing can be added but plans

  leave(said) { // what was touched bit by bit, or means more than it says, is looked at longer
    const sign = this.parts.draft.querySelector("#sign"), seconds = this.drafts.length > 2 || this.found.unsaid.length ? SEVERAL : 1;
    sign?.style.setProperty("--going", `${seconds}s`);
    sign?.classList.add("going");
    announce(t("going", { said, n: seconds })); // in one sentence: a second one might cut off the first
    this.going = setTimeout(() => this.sign(), seconds * SECOND);
  }

  stay() { // nothing is signed by itself: neither what waits for that, nor what was touched a moment ago
    this.eager = null;
    clearTimeout(this.going);
    this.parts.draft.querySelector("#sign")?.classList.remove("going");
  }

  undo() {
    if (this.busy) return;
    this.stay();
    if (this.drafts.length < 2) { if (this.now.back) this.takeBack(); return; }
    this.undone.push(this.drafts.pop());
    announce(t("undone"));
    this.judge().then(() => this.keep());
  }

  redo() {
    if (this.busy || !this.undone.length) return;
    this.drafts.push(this.undone.pop());
    announce(t("redone"));
    this.judge().then(() => this.keep());
  }

  write() { // the draft as lines, and what is to be done with it
    const { draft } = this.parts, { closed, order, unsaid, wrong, touches, preview } = this.found;
    const lines = this.draft.filter((line) => line.trim());
    const name = (line) => this.called.get(line) ?? line, rows = [...new Set(lines.map(name))].map((one) => lines.filter((line) => name(line) === one)); // lines of one touch are one sentence
    const out = (row) => {
      const says = t("take_out", { line: this.reads(row[0]) });
      return button("", () => this.choose(this.draft.filter((one) => !row.includes(one)), says), { class: "out", "aria-label": says, title: says });
    };
    const shown = rows.map((row) => make("li", { class: !closed && row.includes(lines.at(-1)) && touches.length ? "open" : "" },
      row.map((line, i) => [!i && this.called.has(line) && make("span", {}, this.reads(line)), " ", make("code", {}, line)]), rows.length > 1 && out(row)));
    const inside = [make("h2", { class: "unseen" }, t("order")),
      shown.length > 0 && make("ol", { class: "lines", "aria-label": t("order") }, shown),
      closed && order !== lines.join("\n") && make("p", { class: "note" }, t("reads_as"), " ", make("code", {}, order)),
      closed && unsaid.map((sentence) => make("p", { class: "note" }, sentence)),
      preview?.says.map((sentence) => make("p", { class: "note" }, sentence)),
      !touches.length && !closed && wrong.map(({ text }) => make("p", { class: "wrong" }, text)),
      make("div", { class: "row" },
        closed && button(t(this.verb), () => this.sign(), { class: "main", id: "sign" }),
        button(t(this.drafts.length < 2 && this.now.back ? "answer_back" : "undo"), () => this.undo(), { disabled: this.drafts.length < 2 && !this.now.back, title: "Ctrl Z" }),
        button(t("redo"), () => this.redo(), { disabled: !this.undone.length, title: "Ctrl Y" }),
        button(t("anew"), () => this.choose([], t("anew")), { disabled: !lines.length }))];
    fill(draft, this.drafts.length > 1 || this.undone.length || this.now.back ? inside : []);
    requestAnimationFrame(() => { for (const one of draft.querySelectorAll(".lines")) one.scrollTop = one.lastChild.offsetTop - one.offsetTop; }); // the line that is being written is seen, once all is laid out
    fill(this.parts.typing, this.typing());
  }

  typing() {
    const field = make("input", { type: "text", id: "typed", autocomplete: "off", spellcheck: false, value: this.typed, maxLength: 2000, oninput: () => { this.typed = field.value; } });
    const typed = (event) => {
      event.preventDefault();
      if (!field.value.trim()) return;
      this.typed = "";
      this.choose([...this.draft.filter((line) => line.trim()), field.value.trim()], field.value).then(() => document.getElementById("typed")?.focus());
    };
    const template = make("pre", { class: "template", tabIndex: 0, hidden: true });
    return make("details", { open: this.opened ?? (!this.found.touches.length && !this.found.closed), ontoggle: ({ target }) => target.open && this.showTemplate(template) },
      make("summary", { onclick: (event) => { this.opened = !event.target.parentNode.open; } }, t("by_typing")),
      make("form", { onsubmit: typed }, make("label", { for: "typed" }, t("line")), field, make("button", { type: "submit" }, t("add"))),
      template);
  }

  async showTemplate(place) { // lines to type over: what they are is found out when somebody wants to type
    try {
      const { text } = await (this.template ??= ask("template", { game: this.game }));
      fill(place, text);
      place.hidden = !text;
    } catch (error) {
      this.template = null;
      fill(place, why(error));
      place.hidden = false;
    }
  }

  offer() { // the numbered answers, as a letter has them; what else may be touched, which also stands on the map or in the hand, if these have it
    const { touches: place } = this.parts, held = [place, this.hand.node, this.hand.beside].some((one) => one.contains(document.activeElement));
    const cards = new Set(this.found.touches.filter(({ at }) => this.held.has(at)).map(({ draft }) => draft.join("\n"))); // what a card of the hand does is not listed besides
    const answers = this.found.answers.every(({ draft }) => cards.has(draft.join("\n"))) ? [] : this.found.answers, touches = this.found.touches.filter(({ at, listed }) => !listed && !this.held.has(at)), groups = new Map(KINDS.map(([kind]) => [kind, []]));
    for (const touch of touches) {
      const kind = BESIDE.includes(touch.at) ? "beside" : touch.at.split(":")[0];
      groups.get(groups.has(kind) ? kind : "").push(touch);
    }
    fill(place, this.found.touches.length || this.found.answers.length ? make("h2", {}, t("next")) : null,
      answers.length ? make("ol", { class: "answers", "aria-label": t("next") }, answers.map((one) => make("li", {}, this.knob(one)))) : null,
      KINDS.map(([kind, name]) => groups.get(kind).length ? make("ul", { class: name }, groups.get(kind).map((touch) => make("li", {}, this.knob(touch)))) : null),
      this.lit ? make("p", { class: "note" }, t("on_the_map")) : null);
    if (this.held.size) (place.querySelector(".answers") ?? place.querySelector("h2")).after(this.hand.node); // where a card is what is asked, the hand is the list
    else this.parts.odds.after(this.hand.node);
    this.grips();
    [...this.turn.querySelectorAll("[data-touch]")].slice(0, 9).forEach((one, i) => one.setAttribute("data-key", i + 1));
    if (document.activeElement === document.body) this.parts.head.querySelector("h1").focus({ preventScroll: true }); // a key has a place to go on from
    if (held || this.returned) (this.turn.querySelector("#sign") ?? this.turn.querySelector("[data-touch]"))?.focus({ preventScroll: true });
    this.returned = false;
  }

  knob(touch) {
    return make("button", {
      type: "button", class: touch.note.includes("!") ? "knob fight" : "knob", "data-at": touch.at, "data-touch": "",
      onclick: (event) => this.choose(touch.draft, touch.label, touch.at, event),
    }, make("span", {}, touch.label.charAt(0).toUpperCase() + touch.label.slice(1)), touch.note && make("small", {}, ` ${touch.note}`));
  }

  touched(touches, event) { // on the map: one at once; of several one is chosen
    this.closeMenu();
    if (touches.length === 1) {
      this.choose(touches[0].draft, touches[0].label, touches[0].at, event);
      return;
    }
    const menu = make("ul", { class: "menu", role: "group", "aria-label": t("next") }, touches.map((touch) => make("li", {}, this.knob(touch))));
    this.node.append(menu);
    const { width, height } = menu.getBoundingClientRect(), within = (value, most) => Math.max(4, Math.min(value, most - 4));
    menu.style.left = `${within(event.clientX, innerWidth - width)}px`;
    menu.style.top = `${within(event.clientY + 6, innerHeight - height)}px`;
    menu.querySelector("button").focus();
  }

  goals(touches) { // the areas to which a block goes by its touches: those whose line ends with the name of one
    const areas = [...this.board.places().keys()].filter((at) => at.startsWith("area:"));
    return touches.flatMap((touch) => {
      const line = touch.draft.find((one) => !this.draft.includes(one)) ?? "", at = areas.find((one) => line.endsWith(` ${one.slice("area:".length)}`));
      return at ? [{ ...touch, at }] : [];
    });
  }

  canGo(touches) { return !this.busy && !this.judging && (touches.length > 1 ? this.goals(touches).length > 0 : !touches[0].closes); } // is there a way for a block that is dragged?

  async lift(touches) { // a block is taken up: that touches it, and resolves with the draft of it; or lights up where each of its touches lets it go
    this.closeMenu();
    const [{ draft, label, at }] = touches;
    if (touches.length === 1) {
      await this.choose(draft, label, at);
      return draft;
    }
    this.board.light(this.goals(touches), [at]);
    return null;
  }

  lay(touches, { clientX, clientY }, lifted) { // on an area, or where it was taken up
    if (lifted && this.draft !== lifted) return; // something else was drafted meanwhile, or is asked
    const goes = touches[0].at.startsWith("area:"), one = touches.length === 1;
    if (goes && lifted && one) this.drafts.pop(); // both are undone at once
    this.laid = lifted;
    if (!lifted && !one) this.judge();
    if (goes || !lifted) this.touched(touches, { clientX, clientY, detail: 1 });
    this.laid = null;
  }

  letGo(lifted) { // beside everything: it is as if nobody had taken it up
    if (lifted && this.draft !== lifted) return;
    if (lifted) this.drafts.pop();
    this.judge().then(() => lifted && this.keep());
  }

  closeMenu() { this.node.querySelector(".menu")?.remove(); }

  // -- signing and playing

  async sign() { // what is signed is what is seen
    this.stay();
    if (this.closed || this.busy || this.at !== null || !this.found?.closed) return;
    await this.during(async () => {
      const text = this.draft.join("\n"), game = this.game;
      const plan = isPlan(this.draft), { said, letters = [], more } = plan ? await ask("plans", { game, text }) : await ask("sign", { game, text, ask: this.now.ask, anyway: this.anyway ?? false });
      if (plan) await this.keep([]);
      this.aside = false;
      announce(t(this.now.alone ? "played" : "signed", { said }));
      if (this.now.alone) {
        this.returned = true;
        if (more) await this.bots();
        await this.refresh();
      } else {
        await this.refresh();
        fill(this.parts.letters, letters.map((one) => letter(one, () => fill(this.parts.letters))));
      }
    });
  }

  takeBack() { // a game alone: the answer before, as long as nothing was revealed
    return this.during(async () => { await ask("say", { game: this.game, what: "takeback" }); announce(t("undone")); await this.refresh(); });
  }

  async goOn() { await this.during(async () => { await this.bots(); await this.refresh(); }); }

  async bots() { // one answer after the other, so that it can be left
    for (let more = true; more && !this.closed;) {
      const { more: further, said } = await ask("go_on", { game: this.game });
      if (said) announce(t("played", { said }));
      more = further;
      if (more) await this.refresh();
    }
  }

  async during(work) {
    this.busy = true;
    this.node.classList.add("busy");
    this.node.setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      this.trouble(error);
    } finally {
      this.busy = false;
      this.node.classList.remove("busy");
      this.node.removeAttribute("aria-busy");
    }
    if (this.stale) await this.came([this.game]);
  }

  async moved(error) { // another question is open by now: the position anew, and what was written where it still fits
    const lines = this.draft.filter((line) => line.trim());
    await this.refresh();
    const found = lines.length && this.now.asked ? await ask("touches", { game: this.game, draft: lines }) : null;
    if (found?.closed || found?.touches.length) await this.choose(lines, lines.join("; "));
    fill(this.parts.letters, make("div", { class: "box wrong", role: "alert" }, make("p", {}, error.message),
      lines.length > 0 && [make("p", {}, t(this.draft.length ? "draft_kept" : "draft_left")), make("pre", { class: "wide", tabIndex: 0 }, lines.join("\n"))]));
  }

  trouble(error) {
    if (error.kind === "moved") {
      this.moved(error).catch((other) => this.trouble(other));
      return;
    }
    if (error.kind === "compare") {
      compare(this.parts.letters, this.game, error.message);
      return;
    }
    const lines = error.wrong?.length ? error.wrong.map(({ text }) => text) : [why(error)];
    const doubt = this.now?.doubt && !this.anyway && button(t("sign_anyway"), () => { this.anyway = true; this.sign(); });
    fill(this.parts.letters, make("div", { class: "box wrong", role: "alert" }, lines.map((line) => make("p", {}, line)), doubt));
  }

  // -- what else there is

  more(position) {
    const { alone } = position, own = !alone && !position.watched, notes = make("textarea", { id: "notes", rows: 5, maxLength: 100000 });
    const keep = async () => { await ask("notes", { game: this.game, text: notes.value }); announce(t("kept")); };
    notes.addEventListener("change", keep);
    const load = async (event) => { if (event.target.open && !notes.dataset.read) { notes.dataset.read = "1"; notes.value = (await ask("notes", { game: this.game })).said; } };
    fill(this.parts.more,
      position.drawing && make("details", {}, make("summary", {}, t("in_words")), this.words(position), position.seen && table(position.seen)),
      !position.drawing && position.seen && table(position.seen),
      !position.watched && make("details", { ontoggle: load }, make("summary", {}, t("notes")), make("label", { for: "notes" }, t("notes_say")), notes),
      own && [plans(this.game, position), sayings(this.game, position.offers, MODES[position.mode].press), keysOf(this.game), MODES[position.mode].beside(this)],
      entries(this.game),
      !position.watched && make("details", {}, make("summary", {}, t("file")), make("p", {}, t(alone ? "file_alone" : "file_says")),
        make("div", { class: "row" }, button(t("save_log"), () => this.save()), alone && button(t("forget"), () => this.forget()))),
      !position.watched && make("label", { class: "check" }, make("input", { type: "checkbox", id: "at-once", checked: atOnce(), onchange: ({ target }) => { atOnce(target.checked); this.stay(); } }), t("at_one_touch")),
      own && MODES[position.mode].bell());
  }

  async save() {
    try {
      const { name, data } = await ask("log", { game: this.game });
      download(name, data, "application/x-pbem");
    } catch (error) {
      this.trouble(error);
    }
  }

  async forget() {
    if (!confirm(t("really_forget"))) return;
    await ask("forget", { game: this.game });
    this.go("#/");
  }

  down({ target }) { // a finger came down
    this.pressed = this.now?.ask;
    if (!target.closest(".menu")) this.closeMenu();
    if (!target.closest("#sign")) this.stay();
  }

  key(event) {
    this.stay();
    if (event.key === "Escape") { this.board.drag.end(); this.closeMenu(); this.sheet.close(); this.slide(false); }
    const writes = event.target.closest?.("input,textarea");
    if (!(event.ctrlKey || event.metaKey) || writes) {
      if (/^[1-9]$/.test(event.key) && !writes && !event.altKey && !event.ctrlKey && !event.metaKey) this.turn.querySelector(`[data-key="${event.key}"]`)?.click();
      return;
    }
    const act = { z: event.shiftKey ? "redo" : "undo", y: "redo", Enter: "sign" }[event.key];
    if (!act) return;
    event.preventDefault();
    if (this.at === null) this[act]();
  }
}
