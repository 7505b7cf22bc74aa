// The host's door, or the relay between two friends: what is signed is brought there by itself, and what lies there comes by itself,
// where the page can reach one. Which requests are made the service says (“visit”, “listen”, “carried”); how they travel, the carrier.
// Of several tabs one listens, one after the other visits, and each is told what came. A door tells of letters in a stream; a relay
// answers once there is one.

import { carry, reaches, request } from "./carrier.js";
import { announce, button, fill, make } from "./dom.js";
import { language, t, why } from "./texts.js";

const EARS = 4; // a browser holds six connections to one server, and wants some for the rest
const LOOK = 60_000; // at the doors of further games one looks so often, in milliseconds
const FIRST = 1_000, LONGEST = 60_000, AWAY = 20_000; // of the pauses before a door is tried again, and the longest before a relay is
const SILENCE = 50_000; // a door says something every 20 s; where nothing comes for so long, the line is dead
const TRIES = 60;
const EAR = "pbem-door-ear", WAY = "pbem-door-way", REACHED = "pbem-reached";
const KEPT = 30;

const told = []; // what came, the newest first
const under = new Map(); // by game: the errand that is under way
const states = new Map(); // by game: how its door is
const boxes = new Map(); // by the name of a letter: who shows what becomes of it
const readers = new Set();
const beside = "BroadcastChannel" in globalThis ? new BroadcastChannel("pbem-door") : null;

const held = (name, work) => (navigator.locks ? navigator.locks.request(name, work) : work());
const say = (call, more = {}) => carry({ call, language, ...more }); // nobody is asked for a passphrase in the background

export const onNews = (reader) => readers.add(reader); // called with the games of which something is new

// -- errands

export function visit(game) { // brings what waits of a game, and fetches what lies there; resolves with what came of it
  const mine = (under.get(game) ?? Promise.resolve()).then(() => held(WAY, () => errand("visit", { game })));
  under.set(game, mine.catch(() => {}));
  return mine;
}

export async function errand(call, more) { // an errand that a call begins, to its end
  const all = { game: more.game ?? "", brought: [], came: [], trouble: [] };
  try {
    let step = await say(call, more);
    for (;;) {
      for (const name of ["brought", "came", "trouble"]) all[name].push(...step[name]);
      if (!step.ask) break;
      step = await say("carried", { errand: step.errand, ...(await request(step.ask, AbortSignal.timeout(LONGEST))) });
    }
  } catch (error) {
    if (error.kind === "unkept") throw error; // another tab writes, and brings it
    all.trouble.push(why(error));
  } finally {
    all.came = all.came.filter((one) => one.kind !== "old" && !(one.kind === "left" && told.some((before) => before.came.some(({ game, text }) => game === one.game && text === one.text)))); // said once
    if (all.brought.length || all.came.length) news(all);
  }
  return all;
}

const trying = new Set();
async function again(game) { // as long as something of a game was signed and did not get to the door
  if (trying.has(game)) return;
  trying.add(game);
  for (let pause = 4 * FIRST, left = TRIES, well = false; left > 0 && !well; left -= 1, pause = Math.min(2 * pause, LONGEST)) {
    await rest(pause);
    const { brought, trouble } = await visit(game).catch((error) => ({ brought: [], trouble: [why(error)] }));
    well = !trouble.length && brought.every(({ became }) => became);
  }
  trying.delete(game);
}

function news(all) {
  for (const one of all.brought) boxes.get(one.name)?.(one, all.came);
  if (!all.came.length && !all.brought.some(({ became }) => became)) return; // nothing is new: a list made anew would try again at once
  told.unshift({ ...all, at: new Date() });
  told.length = Math.min(told.length, KEPT);
  const moved = [...new Set([all.game, ...all.came.map(({ game }) => game)].filter(Boolean))];
  beside?.postMessage(moved);
  spread(moved);
}

function spread(games) {
  if (document.hidden && !document.title.startsWith("● ")) document.title = `● ${document.title}`;
  for (const reader of readers) reader(games);
  look();
}

// -- listening

let poke = () => {};
export const look = () => { poke(); dispatchEvent(new Event(REACHED)); }; // there may be other games, or other doors, than before, and one that was away may be back

const rest = (time) => new Promise((done) => { // may be cut short by a network that comes back, or by another errand that gets there
  const ended = () => { clearTimeout(timer); for (const event of ["online", REACHED]) removeEventListener(event, ended); done(); };
  const timer = setTimeout(ended, time);
  for (const event of ["online", REACHED]) addEventListener(event, ended);
});

export async function begin() { // listens as long as the page is open
  if (beside) beside.onmessage = ({ data }) => spread(data);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) document.title = document.title.replace(/^● /, ""); });
  for (;;) {
    try {
      await held(EAR, listens);
    } catch {
      await rest(LONGEST); // this tab cannot write: another one brings and fetches
    }
  }
}

async function listens() {
  const ears = new Map();
  let stumbled, left;
  const trouble = new Promise((_well, badly) => { stumbled = badly; });
  trouble.catch(() => {});
  try {
    for (;;) {
      const poked = new Promise((done) => { poke = done; });
      const { doors } = await say("doors").catch(() => ({ doors: [] }));
      const open = doors.filter(({ door, over }) => !over && reaches(door));
      const near = open.slice(0, EARS), far = open.slice(EARS);
      for (const [game, stop] of ears) if (!near.some((one) => one.game === game)) { stop.abort(); ears.delete(game); }
      for (const { game, relay } of near) {
        if (ears.has(game)) continue;
        ears.set(game, new AbortController());
        (relay ? awaits : hear)(game, ears.get(game).signal).catch(stumbled);
      }
      for (const { game } of far) await visit(game);
      clearTimeout(left);
      const later = far.length ? new Promise((done) => { left = setTimeout(done, LOOK); }) : poked;
      await Promise.race([poked, later, trouble]);
    }
  } finally {
    for (const stop of ears.values()) stop.abort();
  }
}

async function hear(game, signal) {
  let pause = FIRST, last = null;
  while (!signal.aborted) {
    const began = Date.now();
    try {
      const stream = await opened(game, signal);
      state(game, "open");
      for await (const number of numbers(stream, signal)) {
        if (number === last) continue;
        const { trouble } = await visit(game);
        if (trouble.length) throw new Error(trouble.join(" "));
        last = number;
      }
      if (!signal.aborted) state(game, "shut", "");
    } catch (error) {
      if (error.kind === "unkept") throw error;
      if (!signal.aborted) state(game, error.kind === "locked" ? "locked" : "shut", error.message);
    }
    if (signal.aborted) break;
    if (Date.now() - began > LONGEST) pause = FIRST;
    await rest(pause);
    pause = Math.min(2 * pause, LONGEST);
  }
}

async function awaits(game, signal) { // at a relay: a request waits there until there is a letter, and is made again
  for (let pause = FIRST, call = "visit"; !signal.aborted; call = "listen") {
    const began = Date.now(), { brought, came, trouble } = await errand(call, { game });
    if (signal.aborted) break;
    state(game, trouble.length ? "away" : "near", trouble.join(" "));
    const moved = brought.some(({ became }) => became) || came.some(({ kind }) => kind !== "left");
    if (!trouble.length && (moved || call === "visit" || Date.now() - began > FIRST)) pause = FIRST; // else it answers at once, and has nothing
    else {
      await rest(pause);
      pause = Math.min(2 * pause, AWAY);
    }
  }
}

async function opened(game, signal) { // the stream of numbers of a game's door
  let step = await say("listen", { game });
  while (step.ask) {
    const reply = await request(step.ask, step.ask.streams ? signal : AbortSignal.timeout(LONGEST));
    if (reply.stream) return reply.stream;
    step = await say("carried", { errand: step.errand, ...reply });
  }
  throw new Error(step.trouble.join(" "));
}

async function* numbers(stream, signal) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader(), stop = () => reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop);
  let text = "";
  try {
    for (;;) {
      const silent = setTimeout(stop, SILENCE);
      const { value, done } = await reader.read().finally(() => clearTimeout(silent));
      if (done) return;
      const lines = (text + value).split("\n");
      text = lines.pop();
      for (const line of lines) {
        const said = /^data: ?(\d+)\s*$/.exec(line);
        if (said) yield Number(said[1]);
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

// -- what is seen of it

function state(game, how, why = "") {
  states.set(game, { how, why });
  for (const node of document.querySelectorAll(`[data-door="${CSS.escape(game)}"]`)) fill(node, ...stateOf(game));
}

const stateOf = (game) => {
  const { how, why } = states.get(game) ?? {};
  return how ? [make("span", { class: `door-${how}` }, t(`door_${how}`)), ["shut", "away"].includes(how) && why && make("span", { class: "unseen" }, ` ${why}`)] : [];
};

export const lies = (game) => make("span", { class: "door", "data-door": game }, stateOf(game)); // how a game's door is; it follows

export const unsigned = ({ sender }) => sender ? t("unsigned", { sender }) : t("unsigned_unnamed"); // of a bare file nobody knows who sent it

export const came = (one, besides = () => null) => make("div", { class: `box ${one.kind}` },
  make("p", {}, make("b", {}, t(`kind_${one.kind}`)), " ", one.subject || one.name || t("no_subject")),
  one.warnings.map((text) => make("p", { class: "wrong" }, text)),
  ["words", "strange", "confirm", "member", "asks"].includes(one.kind) && make("p", { class: "note" }, unsigned(one)),
  make("pre", { class: one.kind === "report" ? "report" : "quoted", tabIndex: 0 }, one.text), besides(one));

const word = (one) => [make("p", {}, one.says), make("p", { class: "note" }, t(one.became === "relay" ? "relay_says" : "door_says"))];

export const newest = () => told.length ? [make("h3", {}, t("from_the_door")), told.map((all) => make("details", { class: "box" },
  make("summary", {}, new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(all.at), " ",
    [...all.brought.map(({ says }) => says), ...all.came.map(({ subject }) => subject)].join(" · ")),
  all.brought.map((one) => [make("p", { class: "note" }, one.name), word(one)]), all.came.map((one) => came(one))))] : [];

export function byDoor(one, mail) { // a signed letter on its way to the host's door, or to the relay; `mail` makes what is shown where it does not get there
  const [goes, gone, stays, anew] = (one.relay ? ["relay_goes", "relayed", "not_relayed", "try_relay"] : ["on_its_way", "brought", "not_brought", "try_door"]);
  const place = make("div", { class: "by-door", role: "status" }), trouble = make("p", { class: "wrong" });
  const shown = (found, letters) => {
    if (!found.became) {
      again(one.game);
      fill(trouble, t(stays, { why: found.says }));
      if (!trouble.isConnected) fill(place, trouble, make("div", { class: "row" }, button(t(anew), go)), mail()); // else somebody may be sending it
      return;
    }
    boxes.delete(one.name);
    const receipt = letters.some(({ kind, game }) => kind === "receipt" && game === one.game);
    const others = letters.filter(({ kind }) => !["receipt", "report"].includes(kind));
    fill(place, make("div", { class: "box letter" }, make("p", {}, make("b", {}, t(gone))), word(found),
      receipt && make("p", {}, t("has_receipt"))), others.map((one) => came(one)));
    announce(`${t(gone)} ${found.says}`);
  };
  const go = async () => {
    fill(place, make("p", {}, make("b", {}, t("signed_letter")), " ", t(goes)));
    try {
      const { trouble } = await visit(one.game);
      if (!trouble.length) look();
      if (boxes.has(one.name) && !place.querySelector(".wrong")) shown({ became: !trouble.length && one.relay ? "relay" : "", says: trouble.join(" ") || t("already_gone") }, []); // who waits at a relay may have brought it
    } catch (error) {
      shown({ became: "", says: why(error) }, []);
    }
  };
  boxes.set(one.name, shown);
  go();
  return place;
}
