// What both verifiers need: the chain, verdicts, forms, keys and signatures, and the group of edwards25519. `verify.mjs` judges logs of
// a host, `verify-of-two.mjs` those of two without one. Node alone, and written from docs/reference/log-format.md.

import { createHash, createPublicKey, verify as verifySignature } from "node:crypto";

/** What is wrong with a file: at which entry, in one word what, and whose fault it is. */
export class Fault extends Error {
  constructor(entry, code, party, reason) {
    super(reason);
    Object.assign(this, { entry, code, party });
  }
}

// --- lines -----------------------------------------------------------------------------------------------------------

export const sha256 = (data) => createHash("sha256").update(data).digest("hex");
export const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const KEY = /^[a-z][a-z0-9_:.]{0,47}$/;

/** Canonical JSON; throws a sentence for what has no canonical form. */
export function cj(x, depth = 0) {
  if (depth > 16) throw new Error("a value lies deeper than 16 levels");
  if (x === null || typeof x === "boolean") return String(x);
  if (typeof x === "number") {
    if (!Number.isSafeInteger(x)) throw new Error("a number is not whole, or too large");
    return JSON.stringify(x);
  }
  if (typeof x === "string") {
    if (!x.isWellFormed()) throw new Error("a text holds a lone surrogate");
    return JSON.stringify(x);
  }
  if (Array.isArray(x)) return `[${x.map((y) => cj(y, depth + 1)).join(",")}]`;
  const field = (name) => {
    if (!KEY.test(name)) throw new Error(`the key ${JSON.stringify(name)} is not allowed`);
    return `"${name}":${cj(x[name], depth + 1)}`;
  };
  return `{${Object.keys(x).sort().map(field).join(",")}}`;
}

export const same = (a, b) => cj(a) === cj(b);

export function readLine(bytes) {
  if (bytes.length > 65536) throw new Error("the line has more than 65,536 bytes");
  const text = utf8.decode(bytes);
  const value = JSON.parse(text);
  if (cj(value) !== text) throw new Error("the line is not canonical JSON");
  if (value === null || typeof value !== "object") throw new Error("a line is an object or an array");
  return value;
}

/** The lines of a file without their LF; what follows the last LF stands behind them. */
export function splitLines(data) {
  const lines = [];
  let from = 0;
  for (let to; (to = data.indexOf(10, from)) >= 0; from = to + 1) lines.push(data.subarray(from, to));
  return [lines, data.subarray(from)];
}

/**
 * Takes the entries of a file: objects, each with its number and the hash of the one above. `takeLine` takes what stands beside them;
 * where it or a line is wrong, `unreadable` says who answers for that.
 */
export function readChain(entries, data, takeLine, unreadable = (lines, n, why) => new Fault(n, "FORM", "supplier", why)) {
  const [lines, rest] = splitLines(data);
  lines.forEach((bytes, number) => {
    const n = entries.length;
    let f;
    try {
      f = readLine(bytes);
      if (Array.isArray(f)) return takeLine(f, bytes);
    } catch (why) {
      throw unreadable(lines, number, why.message);
    }
    if (f.n !== n || f.prev !== (entries.at(-1)?.hash ?? "0".repeat(64))) {
      throw new Fault(n, "CHAIN", "supplier", `the chain breaks at entry ${n}`);
    }
    entries.push({ f, hash: sha256(bytes) });
  });
  const last = Math.max(entries.length - 1, 0);
  if (rest.length) throw new Fault(last, "FORM", "supplier", "the last line does not end in a line feed");
  if (!entries.length) throw new Fault(0, "FORM", "supplier", "the file is empty");
}

/** The verdict that `judge` gives, or that the fault makes which it throws; `headOf` gives the entry that it is about. */
export function concluded(judge, headOf) {
  const head = () => (headOf() ? [headOf().f.n, headOf().hash] : null);
  try {
    return { entry: null, code: null, party: null, ...judge(), head: head() };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    const { entry, code, party, message } = fault;
    return { verdict: "fault", entry, code, party, reason: message, head: head() };
  }
}

// Forms: functions that say whether a value has one.

export const written = (pattern) => (x) => typeof x === "string" && pattern.test(x);
export const whole = (least, most) => (x) => Number.isSafeInteger(x) && x >= least && x <= most;
export const oneOf = (...words) => (x) => words.includes(x);
export const anything = () => true;
export const letters = (least, most) => (x) => typeof x === "string" && [...x].length >= least && [...x].length <= most;
export const text = (x) => typeof x === "string";
export const flag = (x) => typeof x === "boolean";
export const list = (form, least = 0, most = Infinity) => (x) =>
  Array.isArray(x) && x.length >= least && x.length <= most && x.every((item) => form(item));
export const pair = (first, second) => (x) => Array.isArray(x) && x.length === 2 && first(x[0]) && second(x[1]);
export const distinct = (form) => (x) => form(x) && new Set(x).size === x.length;
export const mapping = (name, form) => (x) => isObject(x) && Object.entries(x).every(([key, value]) => name(key) && form(value));
export const either = (...forms) => (x) => forms.some((form) => form(x));
export const both = (...forms) => (x) => forms.every((form) => form(x));

/** An object with these fields and no others; one whose name is given with "?" may be missing. */
export function record(fields) {
  const forms = new Map(Object.entries(fields).map(([name, form]) => [name.replace("?", ""), form]));
  const required = Object.keys(fields).filter((name) => !name.endsWith("?"));
  return (x) =>
    isObject(x) && required.every((name) => Object.hasOwn(x, name)) && Object.keys(x).every((name) => forms.get(name)?.(x[name]));
}

export const MOST = 1_000_000; // no entry, mark, index, revision or say has a higher number
export const hex64 = written(/^[0-9a-f]{64}$/);
export const salt = written(/^[0-9a-f]{32}$/);
export const signature = written(/^[A-Za-z0-9+/]{85}[AQgw]==$/);
export const keyLine = written(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-P][A-Za-z0-9+/]{42}$/);
export const name = written(/^[a-z][a-z0-9_]{0,39}$/);
export const seat = (x) => name(x) && !["host", "state", "pub", "req", "order", "plans"].includes(x);
export const count = whole(0, MOST);
export const positive = whole(1, MOST);
export const hours = whole(0, 8760);
export const seen = pair(count, hex64);

/** What a player signs: one of some acts, in a game, for a seat. */
export const statement = (acts, fields) => record({ act: oneOf(...acts), game: hex64, seat, ...fields });
export const rules = record({ id: written(/^[a-z][a-z0-9_.:-]{0,63}$/), ver: count, sha256: hex64 });
export const bytesOf = (x) => Buffer.byteLength(cj(x));
export const options = (x) => isObject(x) && bytesOf(x) <= 32_768;

/** The fields that are so, and those that are not. */
export function apart(x, holds) {
  const of = (wanted) => Object.fromEntries(Object.entries(x).filter(([field]) => holds(field) === wanted));
  return [of(true), of(false)];
}

export const isExtra = (field) => field.startsWith("x:");
/** Terms with these fields, and with what begins with "x:". */
export const termsOf = (fields) => (x) => isObject(x) && record(fields)(apart(x, isExtra)[1]);

// --- signatures ------------------------------------------------------------------------------------------------------

const string = (data) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(data));
  return Buffer.concat([length, Buffer.from(data)]);
};
export const sha512 = (data) => createHash("sha512").update(data).digest();
const rawKey = (line) => Buffer.from(line.slice(12), "base64").subarray(19);

/** What a key line comes to: why it may not be used, or the key. */
export function keyOf(line) {
  if (!KNOWN_KEYS.has(line)) {
    const refused = keyLine(line) ? refusal(rawKey(line)) : "it is no key line";
    const der = () => Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), rawKey(line)]);
    KNOWN_KEYS.set(line, { refused, key: refused ? null : createPublicKey({ key: der(), format: "der", type: "spki" }) });
  }
  return KNOWN_KEYS.get(line);
}
const KNOWN_KEYS = new Map();

function refusal(raw) {
  if ((bigOf(raw) & LOW) >= P) return "it is not canonically encoded";
  const point = decoded(raw);
  if (!point) return "it is no point of the curve";
  if (isNeutral(point)) return "it is the neutral point";
  return isTorsionFree(point) ? "" : "it has a part of low order";
}

/** Is this the key's signature? Node checks S < L, and that S·B − k·A is encoded as R, byte by byte. */
export function isSigned(line, namespace, message, sig) {
  const { key } = keyOf(line);
  if (!key) return false;
  const blob = Buffer.concat([Buffer.from("SSHSIG"), ...[namespace, "", "sha512", sha512(message)].map(string)]);
  return verifySignature(null, blob, key, Buffer.from(sig, "base64"));
}

/** May a key be used: is it the canonical encoding of a point of prime order? */
export const isUsable = (line) => !keyOf(line).refused;

// --- the curve -------------------------------------------------------------------------------------------------------

// Points are [X, Y, Z, T] with x = X/Z, y = Y/Z, T = XY/Z.

export const P = 2n ** 255n - 19n;
export const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
export const mod = (x) => ((x % P) + P) % P;
const LOW = 2n ** 255n - 1n;
const D = mod(-121665n * power(121666n, P - 2n));
const D2 = mod(2n * D);
const ROOT = power(2n, (P - 1n) / 4n); // a square root of −1

function power(base, exponent) {
  let result = 1n;
  for (let b = base; exponent; exponent >>= 1n, b = (b * b) % P) if (exponent & 1n) result = (result * b) % P;
  return result;
}

/** The number of some bytes, the lowest first. */
export const bigOf = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex") || "0"}`);
export const bytesOfNumber = (n) => Buffer.from(n.toString(16).padStart(64, "0"), "hex").reverse();

/** The point that 32 bytes stand for, or null where they are not canonical or no point of the curve. */
export function decoded(bytes) {
  const number = bigOf(bytes);
  const y = number & LOW;
  return y < P ? pointOf(y, number >> 255n) : null;
}

export function encoded([x, y, z]) {
  const inverse = power(z, P - 2n);
  return bytesOfNumber(mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n));
}

function pointOf(y, odd) {
  const [u, v] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  let x = mod(u * power(v, 3n) * power(mod(u * power(v, 7n)), (P - 5n) / 8n));
  if (mod(v * x * x) === mod(-u)) x = mod(x * ROOT);
  if (mod(v * x * x) !== u || (x === 0n && odd)) return null;
  if ((x & 1n) !== odd) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

export function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const [a, b] = [mod((y1 - x1) * (y2 - x2)), mod((y1 + x1) * (y2 + x2))];
  const [c, d] = [mod(D2 * t1 * t2), mod(2n * z1 * z2)];
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function double([x, y, z]) {
  const [a, b, c] = [(x * x) % P, (y * y) % P, (2n * z * z) % P];
  const h = a + b;
  const [e, g] = [h - ((x + y) * (x + y)) % P, a - b];
  const f = c + g;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

export const NEUTRAL = [0n, 1n, 1n, 0n];

/** 0 to 15 times a point. */
function firstOf(point) {
  const table = [NEUTRAL, point];
  while (table.length < 16) table.push(add(table.at(-1), point));
  return table;
}

const digitsOf = (n) => [...n.toString(16)].map((digit) => parseInt(digit, 16));

/** The sum of numbers times points, n ≥ 0, as [[n, point], …]: all of them by hexadecimal digits, so that one doubling serves all. */
export function sumOfMultiples(terms) {
  const rows = terms.map(([n, point]) => [digitsOf(n), firstOf(point)]);
  const most = Math.max(...rows.map(([digits]) => digits.length));
  let total = NEUTRAL;
  for (let place = most; place > 0; place--) {
    if (place < most) total = double(double(double(double(total))));
    for (const [digits, table] of rows) {
      const digit = digits[digits.length - place] ?? 0;
      if (digit) total = add(total, table[digit]);
    }
  }
  return total;
}

export const times = (n, point) => sumOfMultiples([[n, point]]);
export const minus = ([x, y, z, t]) => [P - x, y, z, P - t];
export const isTorsionFree = (point) => isNeutral(times(ORDER, point));
export const isNeutral = ([x, y, z]) => x === 0n && y === z;
