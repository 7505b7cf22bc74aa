// Kept seats, of which a host keeps the keys: what a log says of them that can be checked, and no verdict. Written from
// docs/reference/log-format.md, for `verify.mjs`; it needs nothing but Node and `verify-basics.mjs`.

import { createHmac } from "node:crypto";
import { cj, hex64, isObject, sha256 } from "./verify-basics.mjs";

const KEPT = "x:kept";
const MAIL = "x:mail";
const LINKS = 4096; // of a seat's chain

/** What entry 0 publishes of the seed. */
export const commitment = (nonce, seed) => sha256(`pbem-kept/1 ${nonce} ${seed}`);

/** The top of a kept seat's chain. */
export const topOf = (seed, game, seat, words) =>
  createHmac("sha256", Buffer.from(seed, "hex")).update(cj(["pbem-kept/1", game, seat, words])).digest("hex");

/** The digest of the letter that was answered and of the mails that answer it, texts or bytes. */
export const mailDigest = (game, salt, parts) => sha256(["pbem-mail/1", game, salt, ...parts.map(sha256)].join(" "));

/** Has a text the form of a player's words? */
export const areWords = (x) =>
  typeof x === "string" && [...x].length <= 200 && !x.startsWith(" ") && !x.includes("  ") && /^[ \p{L}\p{M}\p{N}]*$/u.test(x);

/** The anchor of a chain, from its top. */
export function anchorOf(top, game, seat) {
  let x = top;
  for (let i = LINKS; i > 0; i -= 1) x = sha256(`pbem-link/1 ${game} seat:${seat} ${i} ${x}`);
  return x;
}

const hasOnly = (x, ...names) => isObject(x) && Object.keys(x).sort().join() === names.sort().join();
const isTerm = (x) =>
  hasOnly(x, "of", "seats") && hex64(x.of) && Array.isArray(x.seats) && x.seats.length > 0 && x.seats.every((s) => typeof s === "string");
const isJoin = (x) => hasOnly(x, "words", "mail") && hex64(x.mail) && areWords(x.words);
const isEnd = (x) => hasOnly(x, "seed") && hex64(x.seed);

/** What a log says of its kept seats, or null: `entries` are the fields of its entries, `game` is its id. */
export function keptSeats(entries, game) {
  const [first] = entries;
  const term = first.terms?.[KEPT];
  if (term === undefined) return null;
  const found = { may: isTerm(term) ? term.seats : [], seed: "not shown", all: false, seats: {}, odd: [] };
  const builtIn = Object.keys(first.terms.built_in ?? {});
  const outside = new Set(); // seats whose players hold their own keys
  if (!found.may.length || !found.may.every((seat) => first.seats.includes(seat))) found.odd.push(0);
  const anchors = new Map(); // of each chain, by who holds it
  let seed = "";
  const joins = (n, say, value) => {
    const seat = say.seat;
    if (!isJoin(value) || !found.may.includes(seat)) found.odd.push(n);
    const words = typeof value?.words === "string" ? value.words : "";
    const former = Object.hasOwn(found.seats, seat) ? found.seats[seat] : null;
    const { before, ...rest } = former ?? {};
    const earlier = former ? { before: [...(before ?? []), rest] } : {};
    const one = { ...earlier, joined: n, words, chain: "not shown", next: say.next === "" ? "empty" : "bound", orders: 0, mailed: 0, taken: 0 };
    if (former) anchors.set(rest, anchors.get(former));
    anchors.set(one, say.chain);
    delete found.seats[seat]; // so that it stands last, as it came last
    found.seats[seat] = one;
    outside.delete(seat);
  };
  for (const f of entries.slice(1)) {
    const seat = Object.hasOwn(found.seats, f.by ?? "") ? found.seats[f.by] : null;
    const value = f[KEPT];
    if (f.k === "join") {
      if (value !== undefined) joins(f.n, f.say, value);
      else if (!builtIn.includes(f.by)) outside.add(f.by);
    } else if ((f.k === "order" || f.k === "say") && seat && !seat.taken) {
      seat.orders += 1;
      if (hex64(f[MAIL])) seat.mailed += 1;
      else if (f[MAIL] !== undefined) found.odd.push(f.n);
    } else if (f.k === "rekey" && seat && !seat.taken) {
      seat.taken = f.n;
    } else if (f.k === "amend" && f.what.player) {
      const other = found.seats[f.what.player.say.seat];
      if (other && !other.taken) other.taken = f.n;
      if (value !== undefined) joins(f.n, f.what.player.say, value);
    } else if (f.k === "end" && value !== undefined) {
      if (isEnd(value)) seed = value.seed;
      else found.odd.push(f.n);
    } else if (value !== undefined || f[MAIL] !== undefined) {
      found.odd.push(f.n);
    }
  }
  found.all = Object.keys(found.seats).length > 0 && outside.size === 0;
  if (seed) {
    found.seed = found.may.length && term.of === commitment(first.nonce, seed) ? "fits" : "differs";
    for (const [seat, one] of Object.entries(found.seats)) {
      for (const holder of [...(one.before ?? []), one]) {
        const fits = anchorOf(topOf(seed, game, seat, holder.words), game, seat) === anchors.get(holder);
        holder.chain = fits ? "fits" : "differs";
      }
    }
  }
  return found;
}
