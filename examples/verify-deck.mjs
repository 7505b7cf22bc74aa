// The deck of two who play without a host, `pbem-deck/2`: elements, numbers, proofs, and the proof of a shuffle. Written from
// docs/reference/deck.md, for `verify-of-two.mjs`.

import { createHmac } from "node:crypto";
import {
  bigOf, cj, decoded, encoded, isNeutral, isTorsionFree, minus, ORDER, sha512, sumOfMultiples, times,
} from "./verify-basics.mjs";

export const DECK = "pbem-deck/2";
const GROUP = "pbem-group/1";

// --- elements, numbers, proofs ---------------------------------------------------------------------------------------

const textOfBytes = (bytes) => bytes.toString("base64").slice(0, 43);
export const textOf = (point) => textOfBytes(encoded(point));

/** The 32 bytes of 43 letters, or null where there is another way to write them. */
function bytesOf(text) {
  const data = Buffer.from(text, "base64");
  return data.length === 32 && textOfBytes(data) === text ? data : null;
}

/** The element that a text stands for, or null: a point of the curve, of order L, in its one form. */
export function element(text) {
  const data = bytesOf(text);
  const point = data && decoded(data);
  return point && !isNeutral(point) && isTorsionFree(point) ? { text, point } : null;
}

export const BASE = element(textOfBytes(Buffer.from(`58${"66".repeat(31)}`, "hex")));

/** The number that a text stands for, or null where it is not below L. */
export function number(text) {
  const data = bytesOf(text);
  const n = data && bigOf(data);
  return n !== null && n < ORDER ? n : null;
}

/** The element of a thing: hashes are tried until one is a point, and eight times that is it. */
export function hashed(...thing) {
  for (let a = 0; ; a++) {
    const point = decoded(sha512(cj([GROUP, "element", a, ...thing])).subarray(0, 32));
    const high = point && times(8n, point);
    if (high && !isNeutral(high)) return { text: textOf(high), point: high };
  }
}

export const hmac = (key, about, kind = "sha256") => createHmac(kind, Buffer.from(key, "hex")).update(cj(about)).digest();

/** The number drawn from a secret for a thing. */
export function drawn(secret, ...thing) {
  for (let a = 0; ; a++) {
    const n = bigOf(hmac(secret, [GROUP, "number", a, ...thing], "sha512")) % ORDER;
    if (n) return n;
  }
}

/** Does a proof hold: are the second of both pairs the same multiple of the first? */
export function holds(shown, pairs, about) {
  const [c, s] = shown.split(".").map(number);
  if (c === null || s === null) return false;
  const told = pairs.map(([a, b]) => [a.text, b.text, textOf(sumOfMultiples([[s, a.point], [c, minus(b.point)]]))]);
  return bigOf(sha512(cj([GROUP, "proof", about, told]))) % ORDER === c;
}

// --- the proof of a shuffle ------------------------------------------------------------------------------------------

const step = (...about) => sha512(cj([DECK, ...about]));
const hex = (bytes) => bytes.toString("hex");
const asNumber = (bytes) => bigOf(bytes) % ORDER;
const reduced = (n) => ((n % ORDER) + ORDER) % ORDER;
const textsOf = (elements) => elements.map(({ text }) => text);

/** What number and order of a deck depend on besides the secret: the deck that is shuffled. */
export const digestOfBelow = (game, no, below) => hex(step("below", game, no, textsOf(below)));

const GENERATORS = [];
function generator(i) {
  while (GENERATORS.length <= i) GENERATORS.push(hashed(DECK, "generator", GENERATORS.length).point);
  return GENERATORS[i];
}

const sum = (terms) => sumOfMultiples(terms.map(([n, point]) => [reduced(n), point]));
/** Com(r; values): the terms of its sum. */
const committed = (r, values) => [r, ...values].map((n, i) => [n, generator(i)]);

/** Does a text prove that `lies` is `below` in some order, each element times the number of `key`? */
export function isShuffle({ game, no, by, below, key, lies }, text) {
  const n = lies.length;
  const parts = text.split(".");
  if (parts.length !== 3 * n + 10) return false;
  const points = parts.slice(0, 8).map(element);
  const numbers = parts.slice(8).map(number);
  if (points.includes(null) || numbers.includes(null)) return false;
  const [A, C, M, R1, R2, R3, R4, R5] = points;
  const V = numbers.slice(0, n);
  const inner = numbers.slice(n, 2 * n - 2);
  const B = numbers.slice(2 * n - 2, 3 * n - 2);
  const [r, s, rho, xi] = numbers.slice(3 * n - 2);

  const t0 = hex(step("statement", game, no, by, textsOf(below), key.text, textsOf(lies)));
  const t1 = step("u", t0, A.text);
  const t2 = step("y", hex(t1), C.text);
  const t3 = step("z", hex(t2));
  const [u, y, z] = [t1, t2, t3].map(asNumber);
  const e = asNumber(step("e", hex(t3), ...textsOf([M, R1, R2, R3, R4, R5])));
  const t = [u];
  while (t.length < n) t.push((t.at(-1) * u) % ORDER);
  const product = t.reduce((all, one, i) => reduced(all * (one + y * BigInt(i + 1) - z)), 1n);
  const Q = [V[0], ...inner, (e * product) % ORDER];

  const isEqual = ({ text: due }, terms) => textOf(sum(terms)) === due;
  return (
    isEqual(R1, [...committed(r, V.map((one) => one + e * z)), [-e, C.point], [-e * y, A.point]]) &&
    isEqual(R2, [...committed(s, inner.concat(Q.at(-1)).map((next, i) => e * next - Q[i] * V[i + 1])), [-e, M.point]]) &&
    isEqual(R3, [...committed(rho, B), [-e, C.point]]) &&
    isEqual(R4, [...lies.map(({ point }, i) => [B[i], point]), ...below.map(({ point }, j) => [-xi * t[j], point])]) &&
    isEqual(R5, [[xi, BASE.point], [-e, key.point]])
  );
}
