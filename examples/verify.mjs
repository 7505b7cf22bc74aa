#!/usr/bin/env node
// Checks .pbem files with nothing but Node (20 or later):
//
//     node verify.mjs FILE [--seat SEAT]      prints one JSON object; exits with 1 on a fault or where it cannot judge,
//     node verify.mjs --many < LIST           with 2 where there is nothing to read, with 3 where only line ends were changed;
//                                             of a list of files, one object a line
//
// Everything that `pbem verify` checks of pbem-log/1 (and its candidate /1-rc), written from
// docs/reference/log-format.md, in the order of that page, as a second opinion: the same entry, code and party. It knows no
// game's rules, and says so: what is right here is "signed and in order; rules not judged". Beside it lie `verify-basics.mjs`,
// which it needs, `verify-kept.mjs`, which says what holds of seats whose keys the host keeps, and `verify-of-two.mjs`, which judges
// logs of two without a host.

import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  anything, apart, both, bytesOf, cj, concluded, count, distinct, either, Fault, flag, hex64, hours, isExtra, isObject, isSigned,
  isUsable, keyLine, keyOf, letters, list, mapping, MOST, name, oneOf, options, pair, positive, readChain, readLine, record, rules,
  salt, same, seat, seen, sha256, signature, statement, termsOf, text, whole, written,
} from "./verify-basics.mjs";
import { keptSeats } from "./verify-kept.mjs";
import { isOfTwo, verifyOfTwo } from "./verify-of-two.mjs";

export { isSigned, isUsable };

/** Something in the chain that should be so: else a fault at that entry, the host's. */
function need(f, holds, code, reason) {
  if (!holds) throw new Fault(f.n, code, "host", `${reason} (entry ${f.n})`);
}

const HEARD = 262_144; // bytes that a seat hears with one tell
const DRAWN = 4096; // dice and names of one event, and items of a tell
const chainLabel = written(/^(pub|priv:[a-z][a-z0-9_]{0,39}|anew:[1-9][0-9]{0,5})$/);

function moment(x) {
  if (typeof x !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(x) || x.startsWith("0000")) return false;
  const time = new Date(x);
  return !Number.isNaN(time.valueOf()) && isoOf(time) === x;
}

// --- entries ---------------------------------------------------------------------------------------------------------

const entry = (k, fields) => record({ k: oneOf(k), n: positive, prev: hex64, ...fields });
const signed = (k, say, fields = {}) => entry(k, { at: moment, by: seat, say, sig: signature, ...fields });

const recovery = either(hex64, oneOf(""));
const orderSeals = record({ order: hex64, plans: hex64 });
const numbered = { no: positive, seen, after: lastOrders };

const sayJoin = statement(["join"], { key: keyLine, chain: hex64, next: recovery });
const sayReady = statement(["ready"], { link: hex64, link_n: positive, seen });
const sayOrder = both(
  statement(["order"], {
    ask: count, rev: count, seen, pub: record({ "order?": text }), seals: orderSeals, "link?": hex64, "link_n?": positive,
  }),
  (say) => Object.hasOwn(say, "link") === Object.hasOwn(say, "link_n"),
);
const sayAhead = statement(["ahead"], { rev: count, seen, link: hex64, link_n: whole(2, MOST), seals: orderSeals });
const ACTS = ["resign", "draw", "takeback", "agree", "leave", "claim"];
const about = { "about?": count, "what?": hex64, "hours?": whole(1, 8760) };
const saySay = both(statement(ACTS, { ...numbered, ...about }), aboutFits);
const sayRekey = statement(["rekey"], { ...numbered, key: keyLine, chain: hex64, next: recovery, "recovery?": keyLine });

/** At most two pairs: the last answer, [question, revision], and the last order sent ahead, [−mark, revision]. */
function lastOrders(x) {
  if (!list(pair(whole(-MOST, MOST), count))(x)) return false;
  const kinds = x.map(([ref]) => (ref < 0 ? "ahead" : "answer")).join(" ");
  return ["", "answer", "ahead", "answer ahead"].includes(kinds);
}

function aboutFits(say) {
  const has = (field) => Object.hasOwn(say, field);
  const names = has("about") + has("what");
  if (has("what") && say.act !== "agree") return false;
  return names === (["agree", "takeback"].includes(say.act) ? 1 : 0) && has("hours") === (say.act === "leave");
}

const roll = record({ op: oneOf("roll"), n: whole(1, DRAWN), sides: whole(1, 65536) });
const draw = both(record({ op: oneOf("draw"), n: whole(0, DRAWN), of: list(anything, 0, DRAWN) }), (r) => r.n <= r.of.length);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const workOf = (r) => (r.op === "roll" ? r.n : r.of.length);
const requests = both(list(either(roll, draw), 1, DRAWN), (all) => sum(all.map(workOf)) <= DRAWN);

/** p0, p1, … without a gap, perhaps with req. */
function places(x) {
  if (!isObject(x) || !Object.values(x).every(hex64)) return false;
  const count = Object.keys(x).length - Object.hasOwn(x, "req");
  if (count < 1 || count > DRAWN) return false;
  return Array.from({ length: count }, (_, i) => `p${i}`).every((place) => Object.hasOwn(x, place));
}

/** Either shows its requests, as many results as it has places, or seals them. */
function requestOnce(f) {
  const shown = Object.hasOwn(f, "req");
  if (shown === Object.hasOwn(f.seals, "req")) return false;
  return !shown || sum(f.req.map((r) => r.n)) === Object.keys(f.seals).length;
}

const one = (x) => Object.keys(x).length === 1;
const deal = { chain: written(/^deal:[1-9][0-9]{0,5}$/), "req?": requests, seals: places };
const RANDS = {
  pub: entry("rand", { chain: oneOf("pub"), i: positive, x: hex64, req: requests, res: list(list(anything)) }),
  priv: entry("rand", { chain: written(/^priv:[a-z][a-z0-9_]{0,39}$/), i: positive, seals: both(mapping(seat, hex64), one) }),
  deal: both(entry("rand", { ...deal, i: oneOf(1), anchor: hex64, path: list(hex64, 12, 12) }), requestOnce),
  anew: both(entry("rand", { chain: written(/^anew:[1-9][0-9]{0,5}$/), i: oneOf(1), seals: places }), requestOnce),
};

const question = {
  to: distinct(list(seat, 1, 64)), what: written(/^[a-z][a-z0-9_ ]{0,39}$/), secret: oneOf("no", "until resolved", "until end"),
  "mark?": positive, "due?": moment,
};
const aloneInTheOpen = (f) => f.secret !== "no" || f.to.length === 1;
const newcomer = record({ say: sayJoin, sig: signature });
const changes = either(record({ takeback: count }), record({ rules }), record({ player: newcomer }));
const agreed = distinct(list(count, 1, 65));
const report = record({ facts: list(anything, 0, DRAWN), view: isObject });
const winner = written(/^([a-z][a-z0-9_]{0,39})?$/);
const result = (x) => isObject(x) && winner(x.winner) && text(x.why); // all else in it is the game's
const KINDS = {
  game: record({
    k: oneOf("game"), n: oneOf(0), prev: hex64, at: moment, proto: oneOf("pbem-log/1", "pbem-log/1-rc"), nonce: hex64, rules,
    opts: options, seats: distinct(list(seat, 1, 64)), host: keyLine,
    chains: mapping(chainLabel, hex64), deals: hex64, terms: (x) => terms(x),
  }),
  join: signed("join", sayJoin),
  ready: signed("ready", sayReady),
  ask: both(entry("ask", { ...question, at: moment }), aloneInTheOpen),
  order: signed("order", either(sayOrder, sayAhead)),
  tell: entry("tell", {
    pub: report, opens: list(hex64, 0, DRAWN), links: list(pair(text, positive), 0, DRAWN), rolls: list(count, 0, DRAWN),
    seals: mapping(name, hex64),
  }),
  skip: entry("skip", { at: moment, to: seat, ask: count, why: oneOf("due", "late", "only", "out") }),
  say: signed("say", saySay),
  rekey: signed("rekey", sayRekey, { "due?": moment }),
  amend: entry("amend", { at: moment, what: changes, agreed, "due?": moment }),
  host: entry("host", {
    at: moment, key: keyLine, chains: mapping(chainLabel, hex64), deals: hex64, mark: positive, seen, agreed, "due?": moment,
  }),
  renew: entry("renew", { at: moment, chains: mapping(chainLabel, hex64), "deals?": hex64, "due?": moment }),
  extend: entry("extend", { at: moment, ask: count, due: moment, why: letters(0, 1000), "cause?": count }),
  end: entry("end", { at: moment, result, "cause?": count }),
};

/** Has an entry the form of its kind? */
function isWellFormed(f) {
  const [extra, rest] = apart(f, isExtra);
  if (bytesOf(extra) > 4096) return false;
  const table = f.k === "rand" ? RANDS : KINDS;
  const kind = f.k === "rand" ? String(f.chain).split(":")[0] : f.k;
  return typeof kind === "string" && Object.hasOwn(table, kind) && table[kind](rest);
}

// --- terms -----------------------------------------------------------------------------------------------------------

const builtIn = mapping(seat, record({ player: name, ver: count, playouts: count }));
const namedTerms = termsOf({
  late: oneOf("default", "claim"), leave: hours, hours, grace: hours, most: hours, "rated?": flag, "event?": letters(1, 64),
  "built_in?": builtIn, "odds?": flag,
});
const terms = (x) => namedTerms(x) && x.most >= x.hours + x.grace;

// --- moments and times -----------------------------------------------------------------------------------------------

const isoOf = (time) => time.toISOString().replace(".000Z", "Z");
const LAST = "9999-12-31T23:59:59Z";
const secondsBetween = (start, end) => (Date.parse(end) - Date.parse(start)) / 1000;

/** The moment so many seconds later, the last one of the calendar where that ends before it. */
function later(at, seconds) {
  const time = Date.parse(at) + 1000 * seconds;
  return time > Date.parse(LAST) ? LAST : isoOf(new Date(time));
}

/** `at` runs on; an order has arrived after its question was put, unless it was sent ahead. */
function checkMoment(course, f) {
  if (!Object.hasOwn(f, "at")) return;
  const asked = f.k === "order" && f.say.act === "order" ? (course.question?.at ?? "") : "";
  need(f, f.at >= (f.k === "order" ? asked : course.clock), "TIME", "this moment has passed");
}

/** A time to answer stands exactly where the terms have one. */
function checkHasTime(course, f) {
  const has = Object.hasOwn(f, "due");
  need(f, has === (course.terms.hours !== 0), "TIME", "there is a time, or none, otherwise than by the terms");
  return has;
}

function checkWithin(f, least, most) {
  need(f, f.due >= least, "TIME", `by the terms the time ends at ${least} at the least`);
  need(f, f.due <= most, "TIME", `by the terms the time ends at ${most} at the most`);
}

function checkTimeOfQuestion(course, f) {
  const { hours: least, grace, most } = course.terms;
  if (!checkHasTime(course, f)) return;
  checkWithin(f, later(f.at, 3600 * (least + grace)), later(f.at, 3600 * most));
}

function checkTimeOfCall(course, f) {
  if (!checkHasTime(course, f)) return;
  const length = lengthOfCall(course);
  checkWithin(f, later(f.at, length), later(f.at, Math.max(length, 3600 * course.terms.most)));
}

/** So many seconds a call has at the least: as many as what it voids, or the call that it begins anew. */
function lengthOfCall(course) {
  const least = 3600 * (course.terms.hours + course.terms.grace);
  const on = waitsFor(course);
  return on?.due ? Math.max(least, secondsBetween(on.at, on.due)) : least;
}

function checkExtension(course, f) {
  const on = waitsFor(course);
  checkWithin(f, "", later(on.at, Math.max(on.length ?? 0, 3600 * course.terms.most) + 3600 * on.added));
}

// --- the course of a log: its state, and what each entry makes of it -------------------------------------------------

const REACH = 2; // an order can be sent ahead for the seat's next mark, or for the one after it
const REST = 10; // marked questions that a seat answers between two changes of its key
const NONE = [-1, 0]; // no order: neither question or mark, nor revision

const EMPTY_SEAT = {
  key: "", next: "", anchor: "", base: 0, anchors: [], // the anchor counts as link number `base`
  mark: 0, put: [], // the marked questions put to it: [entry, mark]
  linkN: 0, link: "", fresh: false, ready: false, // `fresh`: of its chain it has given no link yet
  answer: NONE, ahead: NONE, seen: -1, // its last orders, and the highest entry that it had seen for one
  said: 0, gone: 0, missed: 0, late: false, leave: 0, rested: REST, byKey: false,
};

/** The phase is roster, ready, play (events fall, a tell comes), told, asked, answered, called or over. */
function courseOf(f) {
  return {
    order: f.seats, seats: new Map(f.seats.map((seat) => [seat, { ...EMPTY_SEAT }])), rules: f.rules,
    terms: f.terms, clock: f.at, phase: "roster", roster: 0,
    hosts: [{ from: 0, key: f.host }], keys: [f.host], moved: 0, chains: new Map(), indices: new Map(), dealt: 0,
    trees: [{ after: 0, root: f.deals }], mark: 1, floor: 1, since: 0, question: null, call: null, claim: null,
    offers: new Map(), pledges: new Map(), owed: null, ends: 0, back: [], here: null, rolls: [], inTheOpen: [],
  };
}

const isAsked = (course) => course.phase === "asked";
const isCalled = (course) => course.phase === "called";
const isOpen = (course) => course.phase === "asked" || course.phase === "answered";
const waitsFor = (course) => (isCalled(course) ? course.call : isAsked(course) ? course.question : null);
const markOfCall = (course) => course.mark + REACH + 1;
const playing = (course) => course.order.filter((seat) => !course.seats.get(seat).gone);
const notReady = (course) => playing(course).filter((seat) => !course.seats.get(seat).ready);
const missing = (course) => (isCalled(course) || course.phase === "ready" ? notReady(course) : []);
const indexOf = (course, label) => course.indices.get(label) ?? 0;
const dueOf = (course) => (isCalled(course) ? course.call : course.question)?.due ?? "";

/** Link number and value to which the seat's next one leads. */
const below = (holder) => (holder.fresh || !holder.link ? [holder.base, holder.anchor] : [holder.linkN, holder.link]);

function takeIn(course, f) {
  course.ends = 0;
  AFTER[f.k](course, f);
  if (Object.hasOwn(f, "at") && f.at > course.clock) course.clock = f.at;
}

const AFTER = {
  game: begun,
  join(course, f) {
    seated(course, f.by, f.say, 0);
    const joined = [...course.seats.values()].every((holder) => holder.key);
    Object.assign(course, { phase: joined ? "ready" : "roster", roster: f.n, since: f.n });
  },
  ready(course, f) {
    const holder = heard(course, f.by);
    Object.assign(holder, { ready: true, fresh: false, linkN: f.say.link_n, link: f.say.link });
    if (!course.call) holder.mark = 1;
    if (course.call) calledOn(course);
    else if (!missing(course).length) course.phase = "play";
  },
  rand(course, f) {
    if (f.chain === "pub") course.rolls.push(f.i);
    if (f.chain.startsWith("deal:")) course.dealt = Number(f.chain.slice(5));
    course.indices.set(f.chain, f.i);
    course.phase = "play";
    noWayBack(course);
  },
  tell(course, f) {
    if (f.links.length || !f.opens.every((digest) => course.inTheOpen.includes(digest))) noWayBack(course);
    Object.assign(course, { phase: "told", moved: 0, rolls: [], inTheOpen: [] });
  },
  ask(course, f) {
    const before = new Map([...course.seats].map(([seat, { mark, put }]) => [seat, { mark, put }]));
    course.here = f.to.length === 1 ? { n: f.n, seat: f.to[0], before } : null;
    for (const seat of f.mark ? f.to : []) {
      const holder = course.seats.get(seat);
      Object.assign(holder, { mark: f.mark, put: [...holder.put, [f.n, f.mark]] });
    }
    const { n, to, secret, mark = 0, at = "", due = "" } = f;
    course.question = { n, to, secret, mark, at, due, added: 0, open: to, silent: [], orders: [] };
    Object.assign(course, { phase: "asked", mark: Math.max(course.mark, mark), claim: null });
  },
  order(course, { by, say }) {
    const holder = heard(course, by);
    course.offers.clear();
    course.pledges.clear();
    const isAhead = say.act === "ahead";
    holder[isAhead ? "ahead" : "answer"] = [isAhead ? say.link_n : say.ask, say.rev];
    holder.seen = Math.max(holder.seen, say.seen[0]);
    if (Object.hasOwn(say, "link")) {
      Object.assign(holder, { linkN: say.link_n, link: say.link, fresh: false, rested: Math.min(holder.rested + 1, REST) });
    }
    course.question.orders.push(by);
    const own = course.back.every((point) => point.seat === by) ? course.back : [];
    course.back = isAhead || !course.here ? [] : [...own, course.here];
    course.here = null;
    if (say.pub?.order !== undefined) course.inTheOpen.push(say.seals.order);
    answered(course, by);
  },
  skip(course, f) {
    const holder = course.seats.get(f.to);
    noWayBack(course);
    if (!holder.gone && f.why !== "only") {
      holder.missed += 1;
      course.question.silent.push(f.to);
    }
    answered(course, f.to);
  },
  say(course, f) {
    heard(course, f.by).said = f.say.no;
    SAID[f.say.act](course, f, f.say);
  },
  extend(course, f) {
    const on = isCalled(course) ? course.call : course.question;
    on.due = f.due;
    on.added += course.owed?.hours ?? 0;
    course.owed = null;
  },
  rekey(course, f) {
    const holder = heard(course, f.by);
    const renewed = f.say.key === holder.key;
    holder.said = f.say.no;
    called(course, f, markOfCall(course), f.by);
    seated(course, f.by, f.say, course.mark - 1);
    if (!renewed) Object.assign(holder, { rested: 0, byKey: !Object.hasOwn(f.say, "recovery") });
  },
  amend(course, f) {
    if (f.what.player) return replaced(course, f, f.what.player.say);
    if (f.what.rules) {
      voidQuestion(course);
      Object.assign(course, { rules: f.what.rules, back: [] });
    } else takenBack(course, f.what.takeback);
    course.offers.clear();
    course.pledges.clear();
    Object.assign(course, { phase: "play", owed: null, here: null, since: f.n });
  },
  host(course, f) {
    called(course, f, f.mark);
    begun(course, f);
    course.hosts.push({ from: f.n, key: f.key });
    course.keys.push(f.key);
    course.moved = f.n;
  },
  renew(course, f) {
    called(course, f, markOfCall(course));
    begun(course, f);
  },
  end(course) {
    Object.assign(course, { phase: "over", owed: null });
  },
};

/** The game may end by entry n; where one seat is left it does, at once. */
function endsBy(course, n) {
  course.ends = n;
  if (playing(course).length === 1) course.owed = { kinds: ["end"], n, last: true };
}

const SAID = {
  draw: (course, f) => course.offers.set(f.n, { seat: f.by, act: "draw", about: 0, agreed: new Map() }),
  takeback: (course, f, say) => course.offers.set(f.n, { seat: f.by, act: "takeback", about: say.about, agreed: new Map() }),
  agree(course, f, { what, about }) {
    if (what !== undefined) {
      if (!course.pledges.has(what)) course.pledges.set(what, new Map());
      course.pledges.get(what).set(f.by, f.n);
      return;
    }
    const offer = course.offers.get(about);
    offer.agreed.set(f.by, f.n);
    if (!completes(course, offer, f.by)) return;
    if (offer.act === "takeback") {
      course.owed = { kinds: ["amend"], n: f.n, takeback: offer.about, agreed: [about, ...offer.agreed.values()] };
    } else Object.assign(course, { ends: f.n, owed: { kinds: ["end"], n: f.n } });
  },
  resign(course, f) {
    leaves(course, f.by, f.n);
    endsBy(course, f.n);
    if (isCalled(course)) calledOn(course);
  },
  claim(course, f) {
    if (!isCalled(course)) {
      Object.assign(course, { claim: { n: f.n, seat: f.by }, owed: { kinds: ["order", "skip"], n: f.n } });
      return;
    }
    for (const seat of missing(course)) leaves(course, seat, f.n).late = true;
    endsBy(course, f.n);
    calledOn(course);
  },
  leave(course, f, say) {
    course.seats.get(f.by).leave += say.hours;
    course.owed = { kinds: ["extend"], n: f.n, hours: say.hours };
  },
};

/** Who signs something is there. */
const heard = (course, seat) => Object.assign(course.seats.get(seat), { missed: 0, late: false });

function noWayBack(course) {
  Object.assign(course, { back: [], here: null });
}

/** A seat has the key and the chain of a statement from now on. */
function seated(course, seat, say, base) {
  const holder = course.seats.get(seat);
  const anchors = [...holder.anchors, say.chain];
  Object.assign(holder, { key: say.key, next: say.next, anchor: say.chain, anchors, base, fresh: true });
  course.keys.push(say.key);
}

function leaves(course, seat, n) {
  for (const [at, offer] of course.offers) if (offer.seat === seat) course.offers.delete(at);
  noWayBack(course);
  return Object.assign(course.seats.get(seat), { gone: n });
}

/** An answer stands; with the last one under a claim those who gave none are out. */
function answered(course, seat) {
  const { question, claim } = course;
  question.open = question.open.filter((other) => other !== seat);
  course.phase = question.open.length ? "answered" : "play";
  if (question.open.length || !claim) return;
  for (const late of question.silent) leaves(course, late, claim.n).late = true;
  Object.assign(course, { claim: null, owed: null });
  endsBy(course, claim.n);
}

/** Has every seat that plays on agreed once `seat` has? */
const completes = (course, offer, seat) => playing(course).every((s) => s === offer.seat || s === seat || offer.agreed.has(s));

/** The open question, if it bears a mark, was not put. */
function voidQuestion(course) {
  if (!isAsked(course) || !course.question.mark) return;
  for (const seat of course.question.to) {
    const holder = course.seats.get(seat);
    Object.assign(holder, { mark: holder.mark - 1, put: holder.put.filter(([n]) => n !== course.question.n) });
  }
}

function takenBack(course, n) {
  const point = course.back.find((p) => p.n === n);
  for (const [seat, before] of point.before) Object.assign(course.seats.get(seat), before);
  course.back = course.back.filter((p) => p.n < n);
}

function replaced(course, f, say) {
  const holder = course.seats.get(say.seat);
  called(course, f, markOfCall(course), say.seat);
  seated(course, say.seat, say, course.mark - 1);
  Object.assign(holder, { gone: 0, missed: 0, late: false, rested: REST, byKey: false, answer: NONE, ahead: NONE, seen: -1 });
}

/** All are called to be ready; who stood ahead of others does so still. */
function called(course, f, mark, maker) {
  const length = lengthOfCall(course);
  const makers = isCalled(course) ? course.call.makers : [];
  voidQuestion(course);
  const least = Math.min(...[...course.seats.values()].map((holder) => holder.mark));
  for (const holder of course.seats.values()) Object.assign(holder, { mark: mark + holder.mark - least, ready: false });
  course.call = { n: f.n, mark, at: f.at, due: f.due ?? "", length, added: 0, makers: maker ? [...makers, maker] : makers };
  course.offers.clear();
  course.pledges.clear();
  noWayBack(course);
  Object.assign(course, { phase: "called", mark, floor: mark, since: f.n });
}

/** Once all are ready the question is put again; after a move what no seat knew is dealt anew before that, and told. */
function calledOn(course) {
  if (!missing(course).length) course.phase = course.moved ? "play" : "told";
}

/** The host's chains go on from new anchors. */
function begun(course, f) {
  for (const [label, anchor] of Object.entries(f.chains)) {
    course.chains.set(label, [...(course.chains.get(label) ?? []), { after: indexOf(course, label), anchor }]);
  }
  if (f.deals) course.trees.push({ after: course.dealt, root: f.deals });
}

/** The entries by which every seat that is not out has agreed to an amendment; who is to be replaced is not asked. */
function agreedTo(course, what) {
  const pledges = course.pledges.get(sha256(cj(what))) ?? new Map();
  const needed = playing(course).filter((seat) => seat !== what.player?.say.seat);
  if (!needed.every((seat) => pledges.has(seat))) return null;
  return needed.map((seat) => pledges.get(seat)).sort((a, b) => a - b);
}

// --- the course of a log: what may come next -------------------------------------------------------------------------

/** Whatever it holds: nothing stands after the end, and what an entry calls for stands right after it. */
function checkTurn(course, f) {
  need(f, course.phase !== "over", "ORDERING", "it stands after the end of the game");
  const { owed } = course;
  need(f, !owed || owed.kinds.includes(f.k), "ORDERING", `${owed?.kinds[0]} should follow entry ${owed?.n}`);
}

const MAY = {
  game(course, f) {
    need(f, isSet(f.chains, ["pub", ...f.seats.map((seat) => `priv:${seat}`)]), "FORM", "other chains than a game has");
  },
  join(course, f) {
    need(f, course.phase === "roster" && !course.seats.get(f.by).key, "ORDERING", "the seat is taken");
    need(f, !course.keys.includes(f.say.key), "BIND", "another has this key in this game");
  },
  ready(course, f) {
    need(f, course.phase === "ready" || isCalled(course), "ORDERING", "this is not the time to be ready");
    need(f, missing(course).includes(f.by), "ORDERING", "this seat is not called to be ready");
    const since = isCalled(course) ? course.call.n : course.roster;
    need(f, f.say.seen[0] >= since, "SEEN", "signed before the call, or the last join");
  },
  rand(course, f) {
    need(f, !["roster", "ready", "called"].includes(course.phase), "EARLY", "a random event before every seat was ready");
    need(f, course.phase === "play", "ORDERING", "a random event while a question is open, or between a tell and its question");
    need(f, isNextEvent(course, f.chain, f.i), "REQ", "this is not the next event of a chain of this game");
    const [kind, owner] = f.chain.split(":");
    need(f, kind !== "priv" || Object.hasOwn(f.seals, owner), "FORM", "a draw sealed for another seat");
  },
  tell(course, f) {
    need(f, course.phase === "play", "ORDERING", "a tell before all are ready, while a question is open, or after another");
    need(f, isSet(f.seals, [...course.order, "state"]), "FORM", "a tell seals a report for every seat, and the state");
    need(f, same(f.rolls, course.rolls), "REQ", "these are not the rolls since the last tell");
  },
  ask(course, f) {
    need(f, course.phase === "told", "ORDERING", "a question without a tell before it, or while another is open");
    need(f, same(f.to, course.order.filter((seat) => f.to.includes(seat))), "FORM", "seats are asked in their order");
    for (const seat of f.mark === undefined ? [] : f.to) {
      need(f, f.mark === course.seats.get(seat).mark + 1, "ORDERING", `${seat} stands at another mark`);
    }
    checkTimeOfQuestion(course, f);
  },
  order(course, f) {
    const { by, say } = f;
    const { question, claim } = course;
    checkAnswers(course, f, by, say.act === "ahead" ? question?.n : say.ask);
    const place = (seat) => course.order.indexOf(seat);
    need(f, question.orders.every((other) => place(other) < place(by)), "ORDERING", "an order out of the order of seats");
    if (say.act === "ahead") checkSentAhead(course, f);
    else need(f, say.seen[0] >= question.n, "SEEN", "signed having seen nothing so late as the question");
    need(f, !course.seats.get(by).gone, "ORDERING", "an order of a seat that is out");
    need(f, !claim || question.open.length > 1 || question.silent.length, "ORDERING", "a claim, and nobody is late");
    need(f, (question.mark !== 0) === Object.hasOwn(say, "link"), "LINK", "a link stands exactly on marked questions");
    need(f, !question.mark || say.link_n === question.mark, "LINK", `link ${say.link_n} on mark ${question.mark}`);
    const fits = say.act === "ahead" || (say.pub.order !== undefined) === (question.secret === "no");
    need(f, fits, "FORM", "the text stands in the open exactly where it is no secret");
  },
  skip(course, f) {
    const { question, claim, terms } = course;
    checkAnswers(course, f, f.to, f.ask);
    const { gone } = course.seats.get(f.to);
    const only = f.why === "only";
    const isTrue = gone ? f.why === "out" : only || f.why === (claim ? "late" : "due");
    need(f, isTrue, "ORDERING", `skipped as “${f.why}”, which is not so`);
    if (gone) return;
    need(f, !only || !question.mark, "ORDERING", "nobody else answers a marked question for a seat");
    if (claim) {
      need(f, f.to !== claim.seat, "ORDERING", "the claimant is late himself");
      need(f, !only || question.open.length > 1 || question.silent.length, "ORDERING", "a claim, and nobody is late");
      return;
    }
    need(f, question.due && f.at >= question.due, "ORDERING", "the time to answer was not over");
    need(f, terms.late === "default" || only, "ORDERING", "by the terms of this game a late answer is claimed");
  },
  say(course, f) {
    checkSpeaks(course, f);
    need(f, !isBehindAnOrder(course, f), "ORDERING", "said behind an order that is to be entered first");
    MAY_SAY[f.say.act]?.(course, f, f.say);
  },
  extend(course, f) {
    const on = waitsFor(course);
    need(f, on?.due && f.ask === on.n, "ORDERING", "time is added to what is not open, or has no limit");
    need(f, f.cause === course.owed?.n, "BIND", "time is added for leave that nobody took right above");
    const adds = f.due > on.due && (!course.owed || f.due === later(on.due, 3600 * course.owed.hours));
    need(f, adds, "ORDERING", "other time than was added");
    if (!course.owed) checkExtension(course, f);
  },
  rekey(course, f) {
    const { by, say } = f;
    const holder = course.seats.get(by);
    const byRecovery = Object.hasOwn(say, "recovery");
    checkSpeaks(course, f);
    checkUntouched(course, f);
    const binds = byRecovery || holder.next === "" || holder.next === say.next;
    need(f, binds, "BIND", "another recovery key, without the one that was bound");
    if (say.key === holder.key) {
      const renews = linksLeft(holder) <= FEW.seat && !byRecovery && say.next === holder.next;
      need(f, renews, "BIND", "a change to the key that it has");
      need(f, !holder.anchors.includes(say.chain), "BIND", "a chain that the seat has had");
    } else {
      need(f, holder.rested >= REST || (byRecovery && holder.byKey), "ORDERING", "the key changes again too soon");
      checkNewHolding(course, f, by, say);
    }
    checkTimeOfCall(course, f);
  },
  amend(course, f) {
    if (f.what.player) return mayBeReplaced(course, f, f.what.player.say);
    need(f, !Object.hasOwn(f, "due"), "FORM", "a time to be ready, and nobody is called");
    if (f.what.rules && !course.owed) return mayChangeRules(course, f, f.what.rules);
    const { takeback, agreed } = course.owed ?? {};
    const fits = takeback !== undefined && same(f.what, { takeback }) && same(f.agreed, agreed);
    need(f, fits, "BIND", "not what was agreed on right above");
  },
  host(course, f) {
    const { chains, deals, key, mark, seen: [from] } = f;
    const all = agreedTo(course, { host: { chains, deals, key, mark, seen: f.seen } });
    const between = Array.from({ length: Math.max(0, f.n - from - 1) }, (_, i) => from + 1 + i);
    need(f, all && same(f.agreed, all) && same(f.agreed, between), "BIND", "another host than every seat agreed to right above");
    checkUntouched(course, f);
    need(f, !course.keys.includes(key), "BIND", "a key that a seat or host of this game has or had");
    const least = markOfCall(course);
    need(f, least <= mark && mark <= least + 1000, "ORDERING", `the mark lies not between ${least} and ${least + 1000}`);
    const expected = ["pub", ...course.order.map((seat) => `priv:${seat}`), `anew:${course.hosts.length}`];
    need(f, isSet(chains, expected), "FORM", "other chains than a new host has");
    checkTimeOfCall(course, f);
  },
  renew(course, f) {
    checkUntouched(course, f);
    need(f, Object.keys(f.chains).length || f.deals, "FORM", "nothing is renewed");
    for (const label of Object.keys(f.chains)) {
      const last = course.chains.get(label)?.at(-1);
      const few = last && !label.startsWith("anew:") && LENGTH.pub - (indexOf(course, label) - last.after) <= FEW.host;
      need(f, few, "REQ", `${label} has links enough, or is no chain of this game`);
    }
    need(f, !f.deals || LEAVES - (course.dealt - course.trees.at(-1).after) <= FEW.deals, "REQ", "there are deals enough");
    checkTimeOfCall(course, f);
  },
  end(course, f) {
    const { owed, order } = course;
    if (!Object.hasOwn(f, "cause")) {
      need(f, course.phase === "told", "ORDERING", "the game ends without a tell before it");
      need(f, !owed, "ORDERING", `it does not name entry ${owed?.n}, by which it ends`);
    } else need(f, course.ends && f.cause === course.ends, "ORDERING", "the game is not ended by what stands right above");
    need(f, ["", ...order].includes(f.result.winner), "FORM", "the winner is no seat of this game");
    const isDraw = owed && !owed.last && Object.hasOwn(f, "cause");
    need(f, !isDraw || same(f.result, { winner: "", why: "agreed" }), "TELL", "a draw was agreed, and the result is another");
  },
};

const isSet = (x, names) => Object.keys(x).length === names.length && names.every((name) => Object.hasOwn(x, name));

/** Always the next index of a chain; deals have one event each, and come by their numbers. */
function isNextEvent(course, label, i) {
  const anew = `anew:${course.hosts.length - 1}`;
  if (label.startsWith("anew:")) return course.moved !== 0 && label === anew && !course.indices.has(label);
  if (label.startsWith("deal:")) return label === `deal:${course.dealt + 1}`;
  return course.chains.has(label) && i === indexOf(course, label) + 1;
}

/** An answer goes to the open question, from a seat that it was put to, and once. */
function checkAnswers(course, f, seat, ask) {
  const { question } = course;
  need(f, question && isOpen(course) && ask === question.n, "ASK", "an answer to a question that is not open");
  need(f, question.to.includes(seat), "ASK", "an answer to a question that was not put to this seat");
  need(f, question.open.includes(seat), "ASK", "a second answer");
}

/** Not older than what voided a question last, and not too far ahead of what the seat had seen. */
function checkSentAhead(course, f) {
  const [seenTo] = f.say.seen;
  const { question } = course;
  need(f, question.mark, "ASK", "sent ahead, for a question without a mark");
  need(f, seenTo >= course.since, "SEEN", "signed before what voided it");
  const borne = course.seats.get(f.by).put.filter(([n]) => n <= seenTo).map(([, mark]) => mark);
  need(f, question.mark <= Math.max(course.floor, ...borne) + REACH, "SEEN", "sent too far ahead");
}

function checkUntouched(course, f) {
  need(f, isAsked(course) || isCalled(course), "ORDERING", "no untouched question stands open, and nobody is called");
}

// --- what is said besides orders -------------------------------------------------------------------------------------

/** Its number is the next, its seat plays on, and has given no later order than it names. */
function checkSpeaks(course, { n, by, say }) {
  const holder = course.seats.get(by);
  need({ n }, say.no === holder.said + 1, "ORDERING", "not the next number of this seat");
  need({ n }, !holder.gone, "ORDERING", "the seat is out");
  const answer = say.after.find(([ref]) => ref >= 0) ?? NONE;
  const [ref, rev] = say.after.find(([ref]) => ref < 0) ?? [1, 0];
  const last = notAfter(holder.answer, answer) && notAfter(holder.ahead, [-ref, rev]) && holder.seen <= say.seen[0];
  need({ n }, last, "SEEN", "signed before an order of this seat that stands above");
}

const notAfter = ([a, revA], [b, revB]) => a < b || (a === b && revA <= revB);

/** Does it count only behind an order that its seat signed before it, and that answers the open question? */
function isBehindAnOrder(course, { by, say }) {
  if (!["resign", "draw"].includes(say.act) || !isOpen(course)) return false;
  const { open, n } = course.question;
  return open.includes(by) && (say.after ?? []).some(([ref]) => ref === n);
}

const MAY_SAY = {
  takeback(course, f, say) {
    const stands = course.back.some((point) => point.n === say.about && point.seat === f.by);
    need(f, stands, "BIND", "no question to which this seat may go back");
    need(f, isAsked(course), "ORDERING", "no untouched question stands open");
  },
  agree(course, f, say) {
    if (say.what === undefined) return mayAgree(course, f, say);
    need(f, !course.pledges.get(say.what)?.has(f.by), "BIND", "agreed to before");
    checkUntouched(course, f);
  },
  resign(course, f) {
    need(f, isAsked(course) || isCalled(course), "ORDERING", "no untouched question stands open");
  },
  claim(course, f) {
    if (isCalled(course)) return mayClaimOfMissing(course, f);
    need(f, isAsked(course), "ORDERING", "no untouched question stands open");
    need(f, course.terms.late === "claim", "ORDERING", "the terms know no win by time");
    need(f, dueOf(course) && f.at >= dueOf(course), "ORDERING", "the time to answer was not over");
    need(f, !same(course.question.open, [f.by]), "ORDERING", "it waits for nobody else");
  },
  leave(course, f, say) {
    const called = isCalled(course);
    need(f, called || isAsked(course), "ORDERING", "no untouched question stands open");
    const awaited = called ? missing(course) : course.question.open;
    const holder = course.seats.get(f.by);
    need(f, awaited.includes(f.by) && dueOf(course), "ORDERING", "nothing with a time limit is asked of this seat");
    need(f, f.at < dueOf(course), "ORDERING", "the time to answer was over");
    need(f, say.hours + holder.leave <= course.terms.leave, "ORDERING", "more leave than it has left");
    need(f, secondsBetween(dueOf(course), LAST) >= 3600 * say.hours, "ORDERING", "leave beyond the end of the calendar");
  },
};

/** One agrees to another seat's offer, which lapses at the next order. */
function mayAgree(course, f, say) {
  const offer = course.offers.get(say.about);
  need(f, offer && offer.seat !== f.by && !offer.agreed.has(f.by), "BIND", "no offer of another that stands, or agreed to before");
  need(f, say.seen[0] >= say.about, "SEEN", "signed without having seen the offer");
  const fits = isAsked(course) || (offer.act === "draw" && course.phase === "told");
  need(f, fits || !completes(course, offer, f.by), "ORDERING", "the last agreement, while answers are being written");
}

/** Nobody holds a game up by not being ready, and nobody wins by a call that he made himself. */
function mayClaimOfMissing(course, f) {
  need(f, dueOf(course) && f.at >= dueOf(course), "ORDERING", "the time to be ready was not over");
  need(f, !missing(course).includes(f.by), "ORDERING", "the claimant is not ready himself");
  need(f, !course.call.makers.includes(f.by), "ORDERING", "the claimant made the call himself");
}

function mayChangeRules(course, f, { id, ver }) {
  need(f, same(f.agreed, agreedTo(course, f.what)), "BIND", "not what every seat agreed to since the last order");
  need(f, isAsked(course), "ORDERING", "no untouched question stands open");
  need(f, id === course.rules.id && ver > course.rules.ver, "ORDERING", "no newer version of this game's rules");
}

// --- another key, another player -------------------------------------------------------------------------------------

const linksLeft = (holder) => LENGTH.seat - (Math.max(holder.linkN, holder.base) - holder.base);

function checkNewHolding(course, f, seat, say) {
  need(f, !course.keys.includes(say.key), "BIND", "a key that a seat or host of this game has or had");
  need(f, !course.seats.get(seat).anchors.includes(say.chain), "BIND", "a chain that the seat has had");
}

/** Late twice in a row, or out by time, and never heard of since; not ready in the time of a call is once, in twice that twice. */
function hasVanished(course, seat, at) {
  const holder = course.seats.get(seat);
  let missed = holder.missed + (holder.late ? 2 : 0);
  if (isCalled(course) && missing(course).includes(seat) && course.call.due && at >= course.call.due) {
    missed += at >= later(course.call.due, secondsBetween(course.call.at, course.call.due)) ? 2 : 1;
  }
  return missed >= 2;
}

function mayBeReplaced(course, f, say) {
  need(f, course.seats.has(say.seat) && hasVanished(course, say.seat, f.at), "BIND", "no seat whose player has vanished");
  need(f, !course.owed && same(f.agreed, agreedTo(course, f.what)), "BIND", "not what every seat agreed to since the last order");
  checkUntouched(course, f);
  checkNewHolding(course, f, say.seat, say);
  checkTimeOfCall(course, f);
}

// --- attachments -----------------------------------------------------------------------------------------------------

const label = written(/^[a-z][a-z0-9_:.]{0,47}$/);
const tuple = (...forms) => (x) => x.length === forms.length && forms.every((form, i) => form(x[i]));
const LINES = {
  seal: tuple(text, hex64, name, whole(-MOST, MOST), name, salt, anything),
  link: tuple(text, hex64, label, positive, hex64),
  head: tuple(text, hex64, count, hex64, signature),
  got: tuple(text, hex64, hex64, moment, signature),
};
const isLine = (f) => typeof f[0] === "string" && Object.hasOwn(LINES, f[0]) && LINES[f[0]](f);
const isHead = (f) => f[0] === "head" && isLine(f);

// What may be sealed, by where: a seat's own report says by numbers which public facts it heard.
const ownReport = record({ facts: list(either(whole(0, DRAWN), isObject, text), 0, DRAWN), view: isObject });
const VALUES = { text, request: requests, draw: pair(requests, list(list(anything))), report: ownReport, place: anything };

function formOfSealed(f, sealName) {
  if (f.k === "order") return "text";
  if (f.k === "tell") return sealName === "state" ? "text" : "report";
  if (sealName === "req") return "request";
  return f.chain.startsWith("priv:") ? "draw" : "place";
}

/** Takes note of the seals of an entry, and checks the openings that the file holds of them. */
function bear(c, f, who, ref, seals) {
  for (const [sealName, digest] of Object.entries(seals)) {
    need(f, !c.bearers.has(digest), "SEALBIND", `the seal ${sealName} repeats a digest`);
    c.bearers.set(digest, { n: f.n, who, name: sealName });
    if (c.openings.has(digest)) checkOpening(c, f, { who, ref, sealName, digest });
  }
}

/** How many bytes a seat hears, when the public facts that its report names are written out. */
function bytesHeard(told, heard) {
  const sizes = new Map();
  const sizeOf = (k) => sizes.get(k) ?? sizes.set(k, bytesOf(told[k])).get(k);
  return sum(heard.map((fact) => (typeof fact === "number" ? sizeOf(fact) : bytesOf(fact))));
}

function checkOpening(c, f, { who, ref, sealName, digest }) {
  const [, game, by, of, as, , value] = c.openings.get(digest);
  const binds = game === c.game && by === who && of === ref && as === sealName;
  need(f, binds, "SEALBIND", `the seal ${sealName} opens as ${as} of ${by}, ${of}`);
  const form = formOfSealed(f, sealName);
  need(f, VALUES[form](value), "FORM", `the sealed value ${sealName} is malformed`);
  if (form === "report") {
    const there = value.facts.every((fact) => typeof fact !== "number" || fact < f.pub.facts.length);
    need(f, there, "FORM", `the report to ${sealName} names a public fact that is not there`);
    need(f, bytesHeard(f.pub.facts, value.facts) <= HEARD, "FORM", `the report to ${sealName} tells too much`);
  }
  const open = f.k === "order" && sealName === "order" ? f.say.pub?.order : undefined;
  need(f, open === undefined || open === value, "SEALBIND", "the order in the open is not the one that was sealed");
  c.opened.set(digest, value);
}

// --- signatures ------------------------------------------------------------------------------------------------------

function checkUsable(f, line, whose) {
  need(f, isUsable(line), "SIG", `${whose} may not be used: ${keyOf(line).refused}`);
}

/** Signed by the seat's key, for this game and this seat. */
function checkSigned(c, f) {
  const { by, say } = f;
  need(f, c.course.seats.has(by), "BIND", `${by} is no seat of this game`);
  const message = cj(say);
  need(f, isSigned(signerOf(c, f), "pbem-say-v1", message, f.sig), "SIG", `the signature is not ${by}'s`);
  need(f, say.game === c.game && say.seat === by, "BIND", "signed for another game or seat");
  c.signed.set(sha256(message), f.n);
}

/** The key that has to have signed an entry; keys that are named in it may be used. */
function signerOf(c, f) {
  const { by, say } = f;
  if (f.k === "join") {
    checkUsable(f, say.key, `${by}'s key`);
    return say.key;
  }
  const holder = c.course.seats.get(by);
  need(f, holder.key, "ORDERING", `${by} has not joined yet`);
  if (f.k !== "rekey") return holder.key;
  checkUsable(f, say.key, `${by}'s new key`);
  if (!Object.hasOwn(say, "recovery")) return holder.key;
  checkUsable(f, say.recovery, "the recovery key");
  need(f, sha256(say.recovery) === holder.next, "SIG", `${by} bound another recovery key, or none`);
  return say.recovery;
}

/** The host in office at an entry, as far as the log has been read. */
const hostAt = (c, n) => c.course.hosts.findLast((host) => host.from <= n).key;
const hostSigned = (key, f) => isSigned(key, f[0] === "head" ? "pbem-head-v1" : "pbem-got-v1", cj(f.slice(0, 4)), f[4]);

/** Is a head that fits, over one of the entries from `first` to `last`, signed by this key? */
const isCovered = (c, key, first, last) =>
  c.beside.some(({ f, good }) => good && f[0] === "head" && f[1] === c.game && f[2] >= first && f[2] <= last &&
    c.entries[f[2]]?.hash === f[3] && hostSigned(key, f));

// --- chance ----------------------------------------------------------------------------------------------------------

const FEW = { seat: 256, host: 1024, deals: 64 }; // with so few links (deals) left there may be new anchors
const LENGTH = { pub: 16384, priv: 16384, seat: 4096, deal: 1, anew: 1 };
const DEPTH = 12;
const LEAVES = 2 ** DEPTH;

/** The link of number `to` below link `place`, both counted from the chain's own anchor; "" beyond the chain's length. */
function linkDown(bound, chain, place, x, to) {
  if (place > LENGTH[chain.split(":")[0]]) return "";
  for (let p = place; p > to; p--) x = sha256(`pbem-link/1 ${bound} ${chain} ${p} ${x}`);
  return x;
}

/** A seat's link leads to the last one that it gave, or to its anchor. */
function checkLink(c, f, mark) {
  const { by, say } = f;
  const holder = c.course.seats.get(by);
  const [last, x] = below(holder);
  const leads = say.link_n === mark && last <= mark;
  need(f, leads && linkDown(c.game, `seat:${by}`, mark - holder.base, say.link, last - holder.base) === x, "LINK",
    `${by}'s link ${say.link_n} is not that of mark ${mark}, or does not lead to his anchor`);
}

/** The path from a deal's anchor leads to the last root. */
function checkPath(c, f) {
  const { after, root } = c.course.trees.at(-1);
  const leaf = Number(f.chain.slice(5)) - after - 1;
  let x = sha256(`pbem-leaf/1 ${f.chain} ${f.anchor}`);
  f.path.forEach((other, depth) => {
    const [left, right] = (leaf >> depth) & 1 ? [other, x] : [x, other];
    x = sha256(`pbem-node/1 ${left} ${right}`);
  });
  need(f, leaf < LEAVES && x === root, "LINK", "the deal's anchor does not lead to the root");
  c.course.chains.set(f.chain, [{ after: 0, anchor: f.anchor }]);
}

function checkRand(c, f) {
  if (f.path) checkPath(c, f);
  const here = `${f.chain} ${f.i}`;
  c.events.set(here, f.n);
  if (f.chain === "pub") {
    c.links.set(here, f.x);
    checkHostLink(c, f, f.x, (reason) => need(f, false, "LINK", reason));
    return need(f, same(resultOf(c, f, f.x, f.req), f.res), "RAND", "the dice gave something else");
  }
  bear(c, f, "host", f.n, f.seals);
  const x = c.links.get(here);
  const wrong = (reason) => {
    throw new Fault(f.n, "LINK", "supplier", reason);
  };
  if (x !== undefined) checkHostLink(c, f, x, wrong);
  if (f.chain.startsWith("priv:")) checkDraw(c, f, x);
  else checkDeal(c, f, x);
}

/** A link of the host's leads to the next lower one of its chain that is known, or to the anchor. */
function checkHostLink(c, { chain, i }, x, wrong) {
  const { after, anchor } = c.course.chains.get(chain).findLast((one) => one.after < i);
  let to = i - 1;
  while (to > after && !c.links.has(`${chain} ${to}`)) to--;
  const known = to > after ? c.links.get(`${chain} ${to}`) : anchor;
  if (linkDown(c.nonce, chain, i - after, x, to - after) !== known) wrong(`link ${i} of ${chain} does not lead to its anchor`);
}

function checkDraw(c, f, x) {
  const [digest] = Object.values(f.seals);
  if (x === undefined || !c.opened.has(digest)) return;
  const [req, res] = c.opened.get(digest);
  need(f, same(resultOf(c, f, x, req), res), "RAND", "the draw is not what the dice gave");
}

function checkDeal(c, f, x) {
  const req = f.req ?? c.opened.get(f.seals.req);
  if (req === undefined) return;
  const count = Object.keys(f.seals).length - Object.hasOwn(f.seals, "req");
  need(f, sum(req.map((r) => r.n)) === count, "FORM", "a deal has as many places as its request gives results");
  if (x === undefined) return;
  resultOf(c, f, x, req).flat().forEach((value, place) => {
    const digest = f.seals[`p${place}`];
    need(f, !c.opened.has(digest) || same(c.opened.get(digest), value), "RAND", `place ${place} is not what the dice put there`);
  });
}

/** What the requests of one event give, all from one stream. */
function resultOf(c, { chain, i }, x, req) {
  const given = [...c.course.seats].filter(([, { link }]) => link).map(([seat, { linkN, link }]) => [seat, linkN, link]);
  const links = given.sort(([a], [b]) => (a < b ? -1 : 1));
  const key = createHmac("sha256", Buffer.from(x, "hex")).update(cj(["rand", c.game, chain, i, links])).digest();
  const uniform = uniformOf(bytesOfStream(key));
  return req.map((r) => (r.op === "roll" ? Array.from({ length: r.n }, () => 1 + uniform(r.sides)) : drawn(uniform, r)));
}

function* bytesOfStream(key) {
  const number = Buffer.alloc(4);
  for (let block = 0; ; block++) {
    number.writeUInt32BE(block);
    yield* createHmac("sha256", key).update(number).digest();
  }
}

const uniformOf = (stream) => (n) => {
  if (n === 1) return 0;
  const byte = () => stream.next().value;
  const m = n <= 256 ? 256 : 65536;
  for (;;) {
    const value = m === 256 ? byte() : 256 * byte() + byte();
    if (value < m - (m % n)) return value % n;
  }
};

function drawn(uniform, { n, of }) {
  const a = [...of];
  for (let t = 0; t < n; t++) {
    const j = t + uniform(a.length - t);
    [a[t], a[j]] = [a[j], a[t]];
  }
  return a.slice(0, n);
}

// --- what verify checks, in which order ------------------------------------------------------------------------------

/** Checks a file as far as no rules are needed; `seat` may say whose copy it is, "host" for the whole file. */
export function verify(data, seat) {
  if (isOfTwo(data)) return verifyOfTwo(data);
  const c = {
    entries: [], beside: [], openings: new Map(), links: new Map(), // the file: links by "label index", openings by digest
    bearers: new Map(), opened: new Map(), events: new Map(), named: new Set(), signed: new Map(), // what its entries made of it
    repeated: new Set(), lastHead: -1, lostTo: -1, own: new Map(), course: null, nonce: "",
    get game() {
      return this.entries[0]?.hash ?? "";
    },
  };
  const judge = () => {
    readChain(c.entries, data, (f, bytes) => takeLine(c, f, bytes), (...where) => unreadable(c, ...where));
    const unknown = notJudged(c);
    if (unknown) return { verdict: "cannot_judge", reason: unknown };
    Object.assign(c, { lostTo: lostTo(c), own: owners(c, seat) });
    checkEntries(c);
    const kept = keptSeats(c.entries.map(({ f }) => f), c.game);
    if (isFinished(c)) return { verdict: "in order", reason: "signed and in order; rules not judged", ...(kept && { kept }) };
    const closed = [...c.bearers.keys()].filter((digest) => !c.opened.has(digest)).length;
    const reason = `so far signed and in order, with ${closed} closed seals; rules not judged`;
    return { verdict: "unfinished", reason, ...(kept && { kept }) };
  };
  return concluded(judge, () => c.entries.at(-1));
}

const isFinished = (c) => c.entries.at(-1).f.k === "end";

/** Why a log is of a kind that is not judged, or "". */
function notJudged(c) {
  const { proto } = c.entries[0].f;
  const other = typeof proto === "string" && !/^pbem-log\/1(-rc)?$/.test(proto) && /^pbem-(log|peer)\/[0-9]{1,4}(-rc)?$/.test(proto);
  return other ? `a log of ${proto}` : "";
}

// First the bytes and the chain of the whole file.

function takeLine(c, f, bytes) {
  if (!c.entries.length) throw new Error("the file begins with an attachment");
  const good = isLine(f);
  const digest = good && f[0] === "seal" ? sha256(bytes) : "";
  if (digest && !c.openings.has(digest)) c.openings.set(digest, f);
  const here = `${f[2]} ${f[3]}`;
  if (good && f[0] === "link" && f[2] !== "pub" && !c.links.has(here)) c.links.set(here, f[4]);
  c.beside.push({ after: c.entries.length - 1, f, good, digest });
}

/** A line that is none: the host's where a valid head of his covers it as it stands, and who took over before it had taken over. */
function unreadable(c, lines, number, reason) {
  const n = c.entries.length;
  if (lines[number][0] === 0x5b) return new Fault(Math.max(n - 1, 0), "FORM", "supplier", reason);
  const host = c.entries.findLast(({ f }) => f.k === "host")?.f.key ?? c.entries[0]?.f.host;
  const byHost = typeof host === "string" && isUsable(host) && isHeadBelow(c, lines, number, host) && allTookOver(c);
  return new Fault(n, "FORM", byHost ? "host" : "supplier", reason);
}

/** Does a head of this host fit the line, or an entry that follows on it before another host's? */
function isHeadBelow(c, lines, number, host) {
  const hashes = new Map([[c.entries.length, sha256(lines[number])]]);
  let fits = true;
  for (const bytes of lines.slice(number + 1)) {
    const value = readable(bytes);
    if (isObject(value) && fits) {
      const last = c.entries.length + hashes.size - 1;
      if (value.k === "host") return false;
      fits = value.prev === hashes.get(last);
      if (fits) hashes.set(last + 1, sha256(bytes));
    }
    if (Array.isArray(value) && isHead(value) && value[1] === c.game && hashes.get(value[2]) === value[3]) {
      if (hostSigned(host, value)) return true;
    }
  }
  return false;
}

function readable(bytes) {
  try {
    return readLine(bytes);
  } catch {
    return null;
  }
}

/** Has every host of the file come into office by what is in order? */
function allTookOver(c) {
  const moves = c.entries.filter(({ f }) => f.k === "host").length;
  if (!moves) return true;
  try {
    checkEntries(c);
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
  }
  return c.course !== null && c.course.hosts.length > moves;
}

// Then entry by entry, with the lines between it and the next one.

function checkEntries(c) {
  const lines = c.beside.values();
  let line = lines.next().value;
  for (const { f } of c.entries) {
    checkEntry(c, f);
    checkDue(c, f);
    for (; line?.after === f.n; line = lines.next().value) checkBeside(c, line);
  }
  const last = c.entries.length - 1;
  if (c.lastHead < last) throw new Fault(last, "HEADSIG", "supplier", "no signed head covers the last entry");
}

/** The first that is wrong with an entry: the host's, if a valid head of his covers it. */
function checkEntry(c, f) {
  try {
    need(f, isWellFormed(f), "FORM", `a malformed entry of kind ${JSON.stringify(f.k)}`);
    if (f.n === 0) Object.assign(c, { course: courseOf(f), nonce: f.nonce });
    checkTurn(c.course, f);
    if (["join", "ready", "order", "say", "rekey"].includes(f.k)) checkSigned(c, f);
    checkMoment(c.course, f);
    MAY[f.k](c.course, f);
    if (Object.hasOwn(f.say ?? {}, "seen")) checkSeen(c, f, f.say.seen);
    CHECKS[f.k]?.(c, f);
    takeIn(c.course, f);
  } catch (fault) {
    if (fault instanceof Fault && fault.party === "host" && !isHosts(c, f.n)) fault.party = "supplier";
    throw fault;
  }
}

/** Did the host in office make entry n as it stands? Of entry 0, that whose key it names, or nobody else. */
function isHosts(c, n) {
  const key = n ? c.course.hosts.at(-1).key : String(c.entries[0].f.host);
  return (n === 0 && !isUsable(key)) || isCovered(c, key, n, Infinity);
}

function checkSeen(c, f, [n, h]) {
  need(f, n < f.n && c.entries[n].hash === h, "SEEN", `signed having seen another entry ${n}`);
}

const CHECKS = {
  game: (c, f) => checkUsable(f, f.host, "the host's key"),
  ready: (c, f) => checkLink(c, f, c.course.call?.mark ?? 1),
  order(c, f) {
    const { by, say } = f;
    if (c.course.question.mark) checkLink(c, f, c.course.question.mark);
    bear(c, f, by, say.act === "ahead" ? -say.link_n : say.ask, say.seals);
  },
  rand: checkRand,
  tell(c, f) {
    for (const digest of f.opens) checkNamed(c, f, digest, c.bearers.has(digest));
    for (const [chain, i] of f.links) checkNamed(c, f, `${chain} ${i}`, chain.startsWith("deal:") && c.events.has(`${chain} ${i}`));
    need(f, c.course.inTheOpen.every((digest) => f.opens.includes(digest)), "TELL", "it does not open an order given in the open");
    bear(c, f, "host", f.n, f.seals);
  },
  amend(c, f) {
    const { player } = f.what;
    if (!player) return;
    checkUsable(f, player.say.key, "the newcomer's key");
    need(f, isSigned(player.say.key, "pbem-say-v1", cj(player.say), player.sig), "SIG", "the newcomer has not signed");
    need(f, player.say.game === c.game, "BIND", "the newcomer signed for another game");
  },
  host(c, f) {
    const [n] = f.seen;
    checkUsable(f, f.key, "the new host's key");
    checkSeen(c, f, f.seen);
    if (!isCovered(c, c.course.hosts.at(-1).key, n, n)) {
      throw new Fault(f.n, "HEADSIG", "supplier", `no head of the former host over entry ${n}`);
    }
    c.lostTo = Math.max(c.lostTo, n);
  },
};

/** A tell names what is logged above it, and not twice. */
function checkNamed(c, f, what, isThere) {
  need(f, isThere && !c.named.has(what), "STRAY", "the tell names what is not there, or was named before");
  c.named.add(what);
}

// What is due.

/** Up to which entry what only a former host held may be lost. */
function lostTo(c) {
  const moves = c.entries.filter(({ f }) => f.k === "host" && isWellFormed(f));
  return Math.max(-1, ...moves.map(({ f }) => f.seen[0]));
}

/** Whose openings are due with their entry, and up to which entry. */
function owners(c, seat) {
  const all = c.entries.length;
  if (seat !== undefined) return new Map([[seat, all]]);
  const opened = new Map();
  let lastTell = 0;
  for (const { f } of isFinished(c) ? [] : c.entries) {
    if (f.k !== "tell" || !isObject(f.seals)) continue;
    lastTell = f.n;
    for (const [sealName, digest] of Object.entries(f.seals)) {
      if (c.openings.has(digest)) opened.set(sealName === "state" ? "host" : sealName, f.n);
    }
  }
  const isWhole = opened.size === 1 || ![...opened.values()].includes(lastTell);
  return isWhole ? new Map([...opened.keys()].map((owner) => [owner, all])) : opened;
}

function checkDue(c, f) {
  const owns = (owner) => (c.own.get(owner) ?? -1) >= f.n || (c.own.get("host") ?? -1) >= f.n;
  if (f.k === "order" && owns(f.by)) opensDue(c, f, Object.values(f.say.seals));
  if (f.k === "tell") {
    opensDue(c, f, f.opens);
    linksDue(c, f, f.links.map(([chain, i]) => `${chain} ${i}`));
    opensDue(c, f, Object.entries(f.seals).filter(([of]) => owns(of === "state" ? "host" : of)).map(([, digest]) => digest));
  }
  if (f.k === "rand" && f.chain !== "pub" && owns(f.chain.replace("priv:", ""))) {
    opensDue(c, f, Object.values(f.seals));
    linksDue(c, f, [`${f.chain} ${f.i}`]);
  }
  if (f.k === "end") {
    opensDue(c, f, [...c.bearers.keys()]);
    linksDue(c, f, [...c.events.keys()].filter((event) => !event.startsWith("pub ")));
  }
}

function opensDue(c, f, digests) {
  const absent = digests.find((digest) => !c.openings.has(digest) && !isLost(c, digest));
  if (absent) throw new Fault(f.n, "UNOPENED", "supplier", `due at entry ${f.n} and missing: the opening of ${absent}`);
}

function linksDue(c, f, links) {
  const isLostLink = (link) => /^(deal|anew):/.test(link) && c.events.get(link) <= c.lostTo && !c.named.has(link);
  const absent = links.find((link) => !c.links.has(link) && !isLostLink(link));
  if (absent) throw new Fault(f.n, "UNOPENED", "supplier", `due at entry ${f.n} and missing: link ${absent}`);
}

/** Could only a former host have opened this seal: a fingerprint, or a place or list of a deal, that no tell names? */
function isLost(c, digest) {
  const bearer = c.bearers.get(digest);
  if (bearer.who !== "host" || bearer.n > c.lostTo || c.named.has(digest)) return false;
  const { k, chain } = c.entries[bearer.n].f;
  return bearer.name === "state" || (k === "rand" && /^(deal|anew):/.test(chain));
}

// The lines beside the chain.

function checkBeside(c, { after, f, good, digest }) {
  const fault = (code, reason) => new Fault(after, code, "supplier", `${reason} (below entry ${after})`);
  const once = (key) => {
    if (c.repeated.has(key)) throw fault("STRAY", `the same ${f[0]} stands here twice`);
    c.repeated.add(key);
  };
  if (!good) throw fault("FORM", "a malformed line");
  if (f[0] === "seal") {
    if (!c.bearers.has(digest)) throw fault("STRAY", "an opening that fits no seal above it");
    return once(digest);
  }
  if (f[1] !== c.game) throw fault("STRAY", `a ${f[0]} of another game`);
  BESIDE[f[0]](c, f, after, fault, once);
}

const BESIDE = {
  link(c, f, after, fault, once) {
    const link = `${f[2]} ${f[3]}`;
    if (f[2] === "pub" || !c.events.has(link)) throw fault("STRAY", "a link of no random event above it");
    once(link);
  },
  got(c, f, after, fault, once) {
    const n = c.signed.get(f[2]);
    if (!hostSigned(hostAt(c, n ?? Infinity), f)) throw fault("HEADSIG", "a receipt that the host did not sign");
    if (n === undefined) throw fault("STRAY", "a receipt for nothing signed above it");
    once(f[2]);
  },
  head(c, f, after, fault, once) {
    const [, game, n, h] = f;
    const isSignedHead = (other) => hostSigned(hostAt(c, n), other);
    if (!isSignedHead(f)) throw fault("HEADSIG", `a head over entry ${n} that the host did not sign`);
    once(`${n} ${h}`);
    if (c.entries[n]?.hash !== h) {
      const others = c.beside.filter(({ f: g, good }) => good && g[0] === "head" && g[1] === game && g[2] === n && g[3] !== h);
      const forked = others.some(({ f: g }) => isSignedHead(g));
      if (forked) throw new Fault(after, "FORK", "host", `the host signed two heads over entry ${n}`);
      throw fault("HEADSIG", `the head over entry ${n} does not fit`);
    }
    if (n > after) throw fault("STRAY", "a head above its entry");
    c.lastHead = Math.max(n, c.lastHead);
  },
};

// --- from the command line -------------------------------------------------------------------------------------------

/** A log with the line ends that a log has: no line of one holds a carriage return, or is empty. */
function repaired(data) {
  const isUtf16 = data.length > 1 && [0xfeff, 0xfffe].includes(data.readUInt16BE(0));
  const swapped = isUtf16 && data[0] === 0xfe && data.length % 2 === 0 ? Buffer.from(data).swap16() : data;
  const plain = isUtf16 ? Buffer.from(swapped.toString("utf16le")) : data;
  const text = plain.toString("latin1").replace(/^\xef\xbb\xbf/, "");
  let end = text.length;
  while (" \t\r\n\x1a\0".includes(text[end - 1] ?? "-")) end -= 1;
  const lines = text.slice(0, end).split(/[\r\n]/).filter((line) => line);
  return end ? Buffer.from(`${lines.join("\n")}\n`, "latin1") : data;
}

function main([first, ...more]) {
  if (first === "--many") {
    const files = readFileSync(0, "utf8").split("\n").filter((file) => file);
    for (const file of files) console.log(JSON.stringify(verify(readFileSync(file))));
    return 0;
  }
  const seat = more[0] === "--seat" ? more[1] : undefined;
  const data = readFileSync(first);
  const found = verify(data, seat);
  const mended = found.code === "FORM" && found.party === "supplier" ? repaired(data) : data;
  if (!mended.equals(data)) found.repaired = verify(mended, seat);
  console.log(JSON.stringify(found));
  if (["in order", "unfinished"].includes(found.repaired?.verdict)) return 3;
  return ["fault", "cannot_judge"].includes(found.verdict) ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    console.error(process.argv[2] ? String(error.message) : "usage: node verify.mjs FILE [--seat SEAT]");
    process.exitCode = 2;
  }
}
