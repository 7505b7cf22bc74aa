// Judges logs of two who play without a host, `pbem-peer/2`: written from docs/reference/log-format.md and docs/reference/deck.md, in
// the order of the first page, as a second opinion on what `pbem verify` says. It knows no game's rules. `verify.mjs` calls it.

import { createHmac } from "node:crypto";
import {
  anything, both, cj, concluded, count, distinct, encoded, Fault, flag, hex64, hours, isObject, isSigned, isUsable, keyLine, letters,
  list, oneOf, options, positive, readChain, readLine, record, rules, salt, seat, seen, sha256, signature, statement, termsOf, times,
  whole, written,
} from "./verify-basics.mjs";
import { BASE, DECK, digestOfBelow, drawn, element, hashed, hmac, holds, isShuffle, number, textOf } from "./verify-deck.mjs";

const PEER = "pbem-peer/2";
const LINKS = 4096;
const LENGTHS = [512, 2048, 8192, 40960]; // so long is what is hidden
const BEGUN = 16; // behind so many bytes, from which its stream begins

/** Is this a log of two, to go by its first line? */
export function isOfTwo(data) {
  const end = data.indexOf(10);
  try {
    return readLine(end < 0 ? data : data.subarray(0, end)).proto === PEER;
  } catch {
    return false;
  }
}

/** Checks a log of two as far as no rules are needed. */
export function verifyOfTwo(data) {
  const course = newCourse();
  const entries = [];
  let last = null;
  const judge = () => {
    readChain(entries, data, () => {
      throw new Error("the line is no object");
    });
    last = entries.at(-1);
    for (const entry of entries) checkEntry(course, entry);
    if (isOver(course)) return { verdict: "in order", reason: "signed and in order; rules not judged" };
    const whose = course.baton ? `it is ${course.baton}'s turn, since entry ${last.f.n}` : "a seat is free";
    const owing = course.met && owesOpening(course) === course.baton
      ? `; plans of ${course.baton} are sealed still, though plans and a link of ${course.met} lie open` : "";
    return { verdict: "unfinished", reason: `so far signed and in order; ${whose}${owing}; rules not judged` };
  };
  return concluded(judge, () => last);
}

// --- forms -----------------------------------------------------------------------------------------------------------

const word32 = written(/^[A-Za-z0-9+/]{43}$/); // an element, or a number
const proof = written(/^[A-Za-z0-9+/]{43}\.[A-Za-z0-9+/]{43}$/);
const hidden = both(written(/^[A-Za-z0-9+/]+={0,2}$/), (x) => x.length <= 60_000);
const order = letters(0, 16_384);
const card = letters(1, 64);
const deckNo = whole(1, 4096);
const place = whole(0, 255);

const sayWord = statement(["word"], { seen, what: oneOf("resign", "draw", "back") });
const hiddenDeck = { key: word32, deck: list(word32, 2, 256), proof: letters(0, 34_231) };
const ACTS = {
  seal: { d: hex64, c: hidden },
  order: { text: order },
  open: { salt, text: order },
  link: { x: hex64 },
  tell: { facts: list(anything), view: isObject, "hand?": hidden },
  part: { part: isObject },
  pledge: { d: hex64, c: hidden },
  meet: { text: order },
  deck: { no: deckNo, "cards?": list(card, 2, 256), ...hiddenDeck },
  share: { no: deckNo, place, share: word32, proof },
  play: { no: deckNo, place, card, proof },
  number: { no: deckNo, x: word32 },
  say: { what: oneOf("resign", "draw", "agree") },
  word: { say: sayWord, sig: signature },
  rekey: { key: keyLine, kept: hidden },
  over: { result: isObject, secret: hex64 },
};
const FORM_OF_ACT = new Map(Object.entries(ACTS).map(([what, fields]) => [what, record({ do: oneOf(what), ...fields })]));
const act = (x) => isObject(x) && (FORM_OF_ACT.get(x.do)?.(x) ?? false);

const isGame = record({
  k: oneOf("game"), n: oneOf(0), prev: hex64, proto: oneOf(PEER), nonce: hex64, rules, opts: options,
  seats: distinct(list(seat, 2, 2)), terms: termsOf({ hours, "odds?": flag }),
});
const envelope = { k: oneOf("join", "turn"), n: count, prev: hex64, by: seat, sig: signature };
const isEnveloped = record({ ...envelope, say: isObject });
const SAID = {
  join: statement(["join"], {
    seen, key: keyLine, bound: hex64, anchor: hex64, mix: word32, "deck?": record({ cards: list(card, 2, 256), ...hiddenDeck }),
  }),
  turn: statement(["turn"], { seen, no: positive, acts: list(act, 0, 512), "more?": oneOf(true) }),
};

// --- entry by entry --------------------------------------------------------------------------------------------------

function newCourse() {
  return {
    game: "", names: [], seats: new Map(), head: [], baton: "", decks: new Map(), digests: new Set(),
    offer: "", isNewOffer: false, met: "", isClosed: false, decided: null, isAskedBack: false,
  };
}

const otherThan = (course, by) => course.names.find((name) => name !== by);
const isOver = (course) => course.seats.size === 2 && [...course.seats.values()].every(({ secret }) => secret);

/** Who has the other's plans and link before him, and has not opened the pledge that they meet. */
const owesOpening = (course) => (course.met && !course.isClosed ? otherThan(course, course.met) : "");

function checkEntry(course, { f, hash }) {
  const { n } = f;
  const need = (holds, code, party, reason) => {
    if (!holds) throw new Fault(n, code, party, `${reason} (entry ${n})`);
  };
  if (n === 0) {
    need(isGame(f), "FORM", "supplier", "a malformed first entry");
    return Object.assign(course, { game: hash, names: f.seats, head: [0, hash] });
  }
  need(isEnveloped(f), "FORM", "supplier", "a malformed entry");
  const { k, by, say } = f;
  const holder = course.seats.get(by);
  need(k === "join" || holder, "ORDERING", "supplier", `${by} has not joined yet`);
  need(isSigned(k === "join" ? String(say.key) : holder.key, "pbem-say-v1", cj(say), f.sig), "SIG", "supplier", `it is not signed by ${by}`);
  // what was signed for another place anybody can put here, and a join names its own key
  const isPlaced = course.names.includes(by) && say.act === k && say.game === course.game && say.seat === by;
  need(isPlaced, "BIND", "supplier", "signed for another game, use or seat");
  need(cj(say.seen ?? null) === cj(course.head), "SEEN", "supplier", "not signed behind the entry above");
  need(SAID[k](say), "FORM", k === "join" ? "supplier" : by, "what is signed is malformed");
  if (k === "join") join(course, f, need);
  else {
    need(course.seats.size === 2, "ORDERING", by, "a seat is free still");
    need(course.baton === by, "ORDERING", by, "it is the other's turn");
    need(!isOver(course), "ORDERING", by, "the game is over");
    need(say.no === holder.turns + 1, "ORDERING", by, "not the next turn of the seat");
    need(!say.acts.some(asksBack) || isConsent(say), "ORDERING", by, "who lets answers be taken back says nothing else");
    holder.turns = say.no;
    say.acts.forEach((one, index) => takeAct(course, { n, by, no: say.no, index }, one));
    if (!say.more) Object.assign(course, { baton: otherThan(course, by), isNewOffer: false });
  }
  course.head = [n, hash];
}

function join(course, { n, by, say }, need) {
  need(!course.seats.has(by), "ORDERING", "supplier", "the seat is taken");
  const mix = element(say.mix);
  need(mix, "SIG", "supplier", "the half of the common key is no element");
  const isNew = [...course.seats.values()].every((one) => one.key !== say.key && one.mix.text !== say.mix);
  need(isNew, "BIND", "supplier", "the other has this key");
  const { key, bound, anchor } = say;
  course.seats.set(by, {
    n, key, bound, anchor, mix, turns: 0, link: anchor, links: 0, shut: null, secret: "", seals: [], hands: [], layers: [],
  });
  if (say.deck) { // of the first seat: like all of a join it is nobody's
    const must = (holds, code, reason) => need(holds, code, "supplier", reason);
    must(by === course.names[0], "CARD", "the first seat lays a deck out, and nobody else");
    DOES.deck({ course, at: { n, by, no: 0, index: 0 }, need: must }, { no: 1, ...say.deck });
  }
  if (course.seats.size === 2) course.baton = by;
}

// --- acts ------------------------------------------------------------------------------------------------------------

function takeAct(course, at, one) {
  const need = (holds, code, reason) => {
    if (!holds) throw new Fault(at.n, code, at.by, `${reason} (entry ${at.n})`);
  };
  need(!isOver(course), "ORDERING", "the game is over");
  noteDecided(course, at, one);
  DOES[one.do]?.({ course, at, need, holder: course.seats.get(at.by), other: otherThan(course, at.by) }, one);
}

const asksBack = (one) => one.do === "word" && one.say.what === "back";
const isConsent = ({ acts: [first, ...rest], more }) => !more && asksBack(first) && cj(rest) === cj([{ do: "say", what: "agree" }]);

/** Keeps where the answers begin that can be taken back: with what comes of them by their author's word alone they end his turn. */
function noteDecided(course, at, one) {
  const isOfThisTurn = course.decided?.at.n === at.n;
  if (one.do === "seal" || one.do === "order") {
    if (!isOfThisTurn) course.decided = { at, shut: course.seats.get(at.by).shut };
  } else if (!(one.do === "tell" && isOfThisTurn) && !asksBack(one) && !course.isAskedBack) course.decided = null;
}

const digestOf = (course, { by, no, index }, saltOf, value) => sha256(cj(["seal", course.game, by, no, `act${index}`, saltOf, value]));
const linkBelow = (course, by, i, x) => sha256(`pbem-link/1 ${course.game} seat:${by} ${i} ${x}`);

function seal({ course, at, need, holder }, { d, c }) {
  need(!course.digests.has(d), "SEALBIND", "this digest stands in the log already");
  course.digests.add(d);
  decides(course);
  holder.shut = { at, d };
  holder.seals.push({ at, d, c });
}

const openly = ({ course }) => decides(course);

/** What is to be checked of each act; whether an `order`, a `part` or a `meet` was due is for the rules. */
const DOES = {
  seal,
  order: openly,
  pledge: seal, // of plans, which are opened like an answer
  meet({ course, at }, { text }) {
    decides(course);
    course.met = text ? at.by : "";
  },
  open({ course, need, holder }, said) {
    need(holder.shut, "STRAY", "there is no seal to be opened");
    need(digestOf(course, holder.shut.at, said.salt, said.text) === holder.shut.d, "SEALBIND", "this is not what was sealed");
    holder.shut = null;
    course.met = "";
  },
  link({ course, at, need, holder }, { x }) {
    holder.links += 1;
    const leads = holder.links <= LINKS && linkBelow(course, at.by, holder.links, x) === holder.link;
    need(leads, "LINK", "the link does not lead to the one before it");
    holder.link = x;
  },
  tell({ at, holder }, { hand }) {
    if (hand !== undefined) holder.hands.push({ at, c: hand });
  },
  deck({ course, at, need }, { no, cards, key, deck, proof: shown }) {
    const laid = course.decks.get(no);
    need((cards === undefined) === (laid !== undefined), "CARD", "who lays a deck out names its cards, and nobody else");
    if (!laid) {
      const isNext = no === course.decks.size + 1 && (no === 1 || course.decks.get(no - 1).shares.size > 0);
      need(isNext, "CARD", `deck ${no} is not the next one`);
      need(new Set(cards).size === cards.length, "CARD", "two cards are called alike");
    }
    const into = laid ?? { no, cards, by: [], shares: new Map(), played: new Map(), numbers: new Map(), isDead: false };
    need(into.by.length < 2 && at.by === course.names[into.by.length], "CARD", "it is not his turn to shuffle");
    need(deck.length === into.cards.length, "CARD", "another number of cards than the deck has");
    const [hiddenBy, ...lies] = [key, ...deck].map(element);
    need(hiddenBy && lies.every((one) => one), "CARD", "something is no element");
    need(new Set(deck).size === deck.length, "CARD", "the same card lies there twice");
    const said = { game: course.game, no, by: at.by, below: belowOf(course, into, at.by), key: hiddenBy, lies };
    need(isShuffle(said, shown), "CARD", "the proof of the shuffle does not hold");
    into.by.push({ at, key: hiddenBy, lies });
    course.seats.get(at.by).layers.push({ at, deck: into });
    course.decks.set(no, into);
  },
  share({ course, at, need }, { no, place: where, share, proof: shown }) {
    const deck = shuffled(course, need, no, where);
    need(!deck.shares.has(where), "CARD", "this share was given before");
    const given = element(share);
    need(given, "CARD", "the share is no element");
    const pairs = [[BASE, keyOfDeck(deck, at.by)], [given, deck.by[1].lies[where]]];
    need(holds(shown, pairs, [DECK, "share", course.game, no, at.by, where, ""]), "CARD", "the proof does not hold");
    deck.shares.set(where, { by: at.by, given });
  },
  play({ course, at, need, other }, { no, place: where, card: name, proof: shown }) {
    const deck = shuffled(course, need, no, where);
    const share = deck.shares.get(where);
    need(share?.by === other, "CARD", "the place is not his");
    need(deck.cards.includes(name), "CARD", "no card of this deck");
    need(!deck.played.has(where) && ![...deck.played.values()].includes(name), "CARD", "card or place was played before");
    const pairs = [[BASE, keyOfDeck(deck, at.by)], [hashed(DECK, "card", course.game, no, name), share.given]];
    need(holds(shown, pairs, [DECK, "play", course.game, no, at.by, where, name]), "CARD", "the proof does not hold");
    deck.played.set(where, name);
  },
  number({ course, at, need }, { no, x }) {
    const deck = course.decks.get(no);
    need(deck, "CARD", "there is no such deck");
    need(!deck.numbers.has(at.by), "CARD", "the number was shown before");
    need(deck.by.length === 2 && [...deck.shares.keys()].every((where) => deck.played.has(where)), "CARD", "cards are in hands still");
    const n = number(x);
    need(n && textOf(times(n, BASE.point)) === keyOfDeck(deck, at.by).text, "CARD", "this is not the number of the deck");
    deck.numbers.set(at.by, n);
    if (deck.numbers.size === 2) reckon(course, deck, course.names.map((name) => deck.numbers.get(name)));
  },
  say({ course, at, need, other }, { what }) {
    need(!course.isClosed, "ORDERING", "the game is over");
    if (what === "agree" && course.isAskedBack) return goBack(course);
    need(what !== "agree" || course.offer === other, "BIND", "there is no offer to agree to");
    says(course, at.by, what, what === "draw");
  },
  word({ course, need, other }, { say, sig }) {
    const fits = say.seat === other && say.game === course.game && cj(say.seen) === cj(course.head) && !course.isClosed;
    need(fits, "BIND", "what is quoted was not said to the entry above");
    const isThere = course.decided?.at.by === other && course.decided.at.n === course.head[0];
    need(say.what !== "back" || isThere, "BIND", "there is nothing to be taken back");
    need(isSigned(course.seats.get(other).key, "pbem-say-v1", cj(say), sig), "SIG", "what is quoted was not signed by the other");
    if (say.what === "back") course.isAskedBack = true;
    else says(course, other, say.what, false);
  },
  rekey({ course, need, holder }, { key }) {
    need(isUsable(key), "SIG", "the key may not be used");
    need([...course.seats.values()].every((one) => one.key !== key), "BIND", "this game has the key already");
    holder.key = key;
  },
  over({ course, at, need, holder }, { secret }) {
    need(!holder.secret, "ORDERING", "the secret was shown before");
    need(sha256(cj([PEER, "bound", course.game, at.by, secret])) === holder.bound, "SEALBIND", "not the secret that was bound");
    holder.secret = secret;
    openAll(course, at.by);
  },
};

function says(course, by, what, isNewOffer) {
  if (what === "draw") Object.assign(course, { offer: by, isNewOffer });
  else course.isClosed = true;
}

/** Answers are taken back, and their author's seal of before is the one that he may open. */
function goBack(course) {
  const { at, shut } = course.decided;
  course.seats.get(at.by).shut = shut;
  Object.assign(course, { decided: null, isAskedBack: false, offer: "" });
}

/** Who decides how to play on ends an offer, but for one that he makes in the same turn. */
function decides(course) {
  if (!course.isNewOffer) course.offer = "";
}

function shuffled(course, need, no, where) {
  const deck = course.decks.get(no);
  need(deck?.by.length === 2 && where < deck.cards.length, "CARD", "there is no such place of a shuffled deck");
  return deck;
}

const keyOfDeck = (deck, by) => deck.by.find(({ at }) => at.by === by).key;

/** What a seat shuffles: the cards, or what the first seat has laid. */
const belowOf = (course, deck, by) =>
  by === course.names[0] ? deck.cards.map((name) => hashed(DECK, "card", course.game, deck.no, name)) : deck.by[0].lies;

/** A dead deck by both numbers: whoever has laid other cards than he had to is at fault, where he has. */
function reckon(course, deck, numbers) {
  deck.by.forEach((laid, who) => checkLayer(laid, belowOf(course, deck, laid.at.by), numbers[who]));
  deck.isDead = true;
}

function checkLayer({ at, lies }, below, n) {
  const due = new Set(below.map((one) => textOf(times(n, one.point))));
  if (!lies.every((one) => due.has(one.text))) throw wrong(at, "CARD", "other cards than there are");
}

// --- what secrets open -----------------------------------------------------------------------------------------------

export { drawn, hmac };
export const secretFor = (secret, ...about) => hmac(secret, [PEER, ...about]).toString("hex");

/** Opens what the secrets open that were shown so far, the last by a seat: in the order of entries, the first fault counts. */
function openAll(course, by) {
  const { secret, anchor, mix, n } = course.seats.get(by);
  const half = drawn(secret, PEER, "mix", course.game, by);
  let x = secretFor(secret, "top");
  for (let i = LINKS; i > 0; i--) x = linkBelow(course, by, i, x);
  const follows = x === anchor && textOf(times(half, BASE.point)) === mix.text;
  if (!follows) throw new Fault(n, "SEALBIND", by, `this does not follow from the secret (entry ${n})`);
  let common = null; // the key that both have in common
  const commonKey = () => (common ??= encoded(times(half, course.seats.get(otherThan(course, by)).mix.point)).toString("hex"));
  const toOpen = [];
  for (const one of course.seats.values()) {
    toOpen.push(...one.hands.splice(0).map(({ at, c }) => [at, () => openHand(course, commonKey(), at, c)]));
    if (!one.secret) continue;
    toOpen.push(...one.seals.splice(0).map((seal) => [seal.at, () => openSeal(course, one.secret, seal)]));
    toOpen.push(...one.layers.splice(0).map(({ at, deck }) => [at, () => openLayer(course, deck, at)]));
  }
  toOpen.sort(([a], [b]) => a.n - b.n || a.index - b.index);
  for (const [, open] of toOpen) open();
}

const wrong = (at, code, reason) => new Fault(at.n, code, at.by, `${reason} (entry ${at.n})`);

function openSeal(course, secret, { at, d, c }) {
  const value = revealed(secretFor(secret, "own", at.no, at.index), c);
  const saltOf = () => secretFor(secret, "salt", at.no, at.index, value).slice(0, 32);
  const isSo = typeof value === "string" && digestOf(course, at, saltOf(), value) === d;
  if (!isSo) throw wrong(at, "SEALBIND", "the seal does not hold what was hidden beside it");
}

function openHand(course, common, at, c) {
  const key = hmac(common, [PEER, "hand", course.game, at.by, at.no, at.index]).toString("hex");
  if (revealed(key, c) === undefined) throw wrong(at, "SEALBIND", "what was written for both cannot be read");
}

/** What a secret says of a deck that its seat laid: it was hidden by the number that follows, and holds what lay below. */
function openLayer(course, deck, at) {
  const { by } = at;
  const below = belowOf(course, deck, by);
  const secret = secretFor(course.seats.get(by).secret, "deck", deck.no);
  const n = drawn(secret, DECK, "key", course.game, deck.no, by, digestOfBelow(course.game, deck.no, below));
  const own = deck.by.find((laid) => laid.at.by === by);
  if (textOf(times(n, BASE.point)) !== own.key.text) throw wrong(at, "CARD", "hidden by another number");
  if (!deck.isDead) checkLayer(own, below, n);
}

/** What is hidden under a key, or undefined where it is not just what would have been written. */
export function revealed(key, text) {
  const data = Buffer.from(text, "base64");
  if (!LENGTHS.includes(data.length - BEGUN)) return undefined;
  try {
    const plain = mixed(key, data.subarray(0, BEGUN), data.subarray(BEGUN));
    const value = readLine(plain.subarray(0, plain.findLastIndex((byte) => byte !== 0x20) + 1));
    const isSo = Array.isArray(value) && value.length === 1 && hiddenUnder(key, value[0]) === text;
    return isSo ? value[0] : undefined;
  } catch {
    return undefined;
  }
}

export function hiddenUnder(key, value) {
  const plain = Buffer.from(cj([value]));
  const length = LENGTHS.find((most) => plain.length <= most);
  const filled = Buffer.concat([plain, Buffer.alloc(length - plain.length, " ")]);
  const begun = createHmac("sha256", Buffer.from(key, "hex")).update(filled).digest().subarray(0, BEGUN);
  return Buffer.concat([begun, mixed(key, begun, filled)]).toString("base64");
}

function mixed(key, begun, data) {
  const own = createHmac("sha256", Buffer.from(key, "hex")).update(begun).digest();
  const out = Buffer.from(data);
  const number = Buffer.alloc(4);
  for (let c = 0; 32 * c < out.length; c++) {
    number.writeUInt32BE(c);
    const block = createHmac("sha256", own).update(number).digest();
    for (let i = 0; i < 32 && 32 * c + i < out.length; i++) out[32 * c + i] ^= block[i];
  }
  return out;
}
