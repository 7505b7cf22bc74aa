#!/usr/bin/env node
// Checks a .pbem file with nothing but Node (20 or later): node verify.mjs FILE
//
// Bytes, chain, signatures, heads and receipts, links, seals, public dice, private draws and deals: what SHA-256,
// HMAC-SHA-256 and Ed25519 can show. Written from the protocol's text alone, as a second opinion on `pbem verify`; it
// does not look at the order of entries or at any game's rules. Prints one JSON object, and exits with 1 on a fault.

import { createHash, createHmac, createPublicKey, diffieHellman, generateKeyPairSync, verify } from "node:crypto";
import { readFileSync } from "node:fs";

class Fault extends Error {
  constructor(entry, code, reason) {
    super(reason);
    this.verdict = { verdict: "fault", entry, code, reason };
  }
}

// --- bytes ------------------------------------------------------------------------------------------------------------

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);
const REACH = 2; // an order can be sent ahead for the next mark, or for the one after it
const KEY = /^[a-z][a-z0-9_:.]{0,47}$/;

/** Canonical JSON; throws a sentence for what has no canonical form. */
function cj(x, depth = 0) {
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
  const field = (k) => {
    if (!KEY.test(k)) throw new Error(`the key ${JSON.stringify(k)} is not allowed`);
    return `${JSON.stringify(k)}:${cj(x[k], depth + 1)}`;
  };
  return `{${Object.keys(x).sort().map(field).join(",")}}`;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readLine(bytes) {
  if (bytes.length > 65536) throw new Error("the line is longer than 64 KiB");
  const text = utf8.decode(bytes);
  const value = JSON.parse(text);
  if (cj(value) !== text) throw new Error("the line is not canonical JSON");
  return value;
}

function* splitLines(data) {
  let from = 0;
  for (let to; (to = data.indexOf(10, from)) >= 0; from = to + 1) yield data.subarray(from, to);
  if (from < data.length) yield null;
}

/** First pass: every line, and the chain. */
function readFile(data) {
  const entries = [];
  const attachments = [];
  let prev = "0".repeat(64);
  for (const bytes of splitLines(data)) {
    const n = entries.length;
    const above = Math.max(n - 1, 0);
    if (bytes === null) throw new Fault(above, "FORM", "the last line does not end in a line feed");
    let value;
    try {
      value = readLine(bytes);
      if (Array.isArray(value)) checkAttachment(value);
      else if (!isObject(value)) throw new Error("a line is an object or an array");
    } catch (why) {
      throw new Fault(bytes[0] === 0x5b ? above : n, "FORM", why.message);
    }
    if (Array.isArray(value)) {
      if (n === 0) throw new Fault(0, "FORM", "the file begins with an attachment");
      attachments.push({ after: n - 1, f: value, digest: sha256(bytes) });
      continue;
    }
    if (value.n !== n || value.prev !== prev) throw new Fault(n, "CHAIN", `the chain breaks at entry ${n}`);
    prev = sha256(bytes);
    entries.push({ ...value, hash: prev });
  }
  if (!entries.length) throw new Fault(0, "FORM", "the file is empty");
  if (entries[0].proto !== "pbem-log/0") throw new Fault(0, "FORM", "this is no pbem-log/0");
  return { entries, attachments };
}

const HEX = /^[0-9a-f]{64}$/;
const base64 = (text, length) => {
  const bytes = Buffer.from(String(text), "base64");
  if (bytes.length !== length || bytes.toString("base64") !== text) throw new Error("base64 that is not canonical");
  return bytes;
};

function checkAttachment(f) {
  const fits = {
    seal: () => f.length === 7 && typeof f[2] === "string" && Number.isInteger(f[3]) && /^[0-9a-f]{32}$/.test(f[5]),
    link: () => f.length === 5 && typeof f[2] === "string" && Number.isInteger(f[3]) && HEX.test(f[4]),
    head: () => f.length === 5 && Number.isInteger(f[2]) && f[2] >= 0 && HEX.test(f[3]) && base64(f[4], 64),
    got: () => f.length === 5 && HEX.test(f[2]) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(f[3]) && base64(f[4], 64),
  };
  if (!Object.hasOwn(fits, f[0]) || !HEX.test(f[1]) || !fits[f[0]]()) throw new Error("a malformed attachment");
}

// --- signatures -------------------------------------------------------------------------------------------------------

const string = (data) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(data));
  return Buffer.concat([length, Buffer.from(data)]);
};
const KEY_HEAD = Buffer.concat([string("ssh-ed25519"), Buffer.from([0, 0, 0, 32])]);
const der = (oid, raw) => createPublicKey({ key: Buffer.concat([Buffer.from(oid, "hex"), raw]), format: "der", type: "spki" });
const keys = new Map();

function rawKey(line) {
  const [kind, body, ...more] = String(line).split(" ");
  const blob = base64(body, 51);
  if (kind !== "ssh-ed25519" || more.length || !blob.subarray(0, 19).equals(KEY_HEAD)) throw new Error("not an ed25519 key");
  return blob.subarray(19);
}

/** Whether this is the key's SSHSIG signature (sha512) over a text. */
function signed(line, namespace, text, sig) {
  try {
    if (!keys.has(line)) keys.set(line, der("302a300506032b6570032100", rawKey(line)));
    const hash = createHash("sha512").update(text).digest();
    const blob = Buffer.concat([Buffer.from("SSHSIG"), ...[namespace, "", "sha512", hash].map(string)]);
    return verify(null, blob, keys.get(line), base64(sig, 64));
  } catch {
    return false;
  }
}

const P = 2n ** 255n - 19n;

/** Why a key may not be used, or "": not canonical, y = 1, or of low order (then the X25519 exchange fails). */
function refused(line) {
  try {
    const raw = Buffer.from(rawKey(line)).reverse();
    const y = BigInt(`0x${raw.toString("hex")}`) & (2n ** 255n - 1n);
    if (y >= P) return "the key is not canonically encoded";
    if (y === 1n) return "the key is y = 1";
    const u = ((1n + y) * power(P + 1n - y, P - 2n)) % P;
    const point = Buffer.from(u.toString(16).padStart(64, "0"), "hex").reverse();
    diffieHellman({ privateKey: generateKeyPairSync("x25519").privateKey, publicKey: der("302a300506032b656e032100", point) });
    return "";
  } catch {
    return "the key is of low order, or no key";
  }
}

function power(base, exponent) {
  let result = 1n;
  for (base %= P; exponent; exponent >>= 1n, base = (base * base) % P) if (exponent & 1n) result = (result * base) % P;
  return result;
}

// --- chance -----------------------------------------------------------------------------------------------------------

/** Results of the requests of one event, all from one stream. */
function outcome(xHex, text, requests) {
  const key = createHmac("sha256", Buffer.from(xHex, "hex")).update(text).digest();
  let block = Buffer.alloc(0);
  let count = 0;
  const byte = () => {
    if (!block.length) {
      const c = Buffer.alloc(4);
      c.writeUInt32BE(count++);
      block = createHmac("sha256", key).update(c).digest();
    }
    const first = block[0];
    block = block.subarray(1);
    return first;
  };
  const uniform = (n) => {
    if (n === 1) return 0;
    const m = n <= 256 ? 256 : 65536;
    for (;;) {
      const v = n <= 256 ? byte() : byte() * 256 + byte();
      if (v < m - (m % n)) return v % n;
    }
  };
  return requests.map((r) => {
    if (r.op === "roll") return Array.from({ length: r.n }, () => 1 + uniform(r.sides));
    const a = [...r.of];
    for (let t = 0; t < r.n; t++) {
      const j = t + uniform(a.length - t);
      [a[t], a[j]] = [a[j], a[t]];
    }
    return a.slice(0, r.n);
  });
}

// --- second pass ------------------------------------------------------------------------------------------------------

function check({ entries, attachments }) {
  const game = entries[0];
  const G = game.hash;
  const openings = new Map(); // digest -> fields of the seal line
  const shown = new Map(); // "label i" -> x of a host's link, attached or public
  for (const { f, digest } of attachments) {
    if (f[0] === "seal" && !openings.has(digest)) openings.set(digest, f);
    if (f[0] === "link" && f[2] !== "pub" && !shown.has(`${f[2]} ${f[3]}`)) shown.set(`${f[2]} ${f[3]}`, f[4]);
  }
  const borne = new Map(); // digest -> where it stands in the chain
  const events = new Map(); // "label i" -> entry number
  const named = new Set(); // digests and links that a tell has named
  const players = new Map(); // seat -> { key, anchor, mark, x }
  const receipts = new Map(); // digest of a say -> entry number
  const known = new Set();
  const out = new Set(); // seats that have resigned or lost by time
  let readyMark = 1; // the mark of saying ready
  let highest = 1;
  let asked; // the last question: what is sent ahead answers it by its mark
  let lastHead = -1;
  const hosts = [{ from: 0, key: game.host }]; // who was host, one after the other
  const chains = new Map(Object.entries(game.chains).map(([label, anchor]) => [label, [{ after: 0, anchor }]]));
  // what only a former host held, up to where another went on, may be lost
  const lostTo = Math.max(-1, ...entries.filter((e) => e.k === "host").map((e) => e.seen?.[0] ?? -1));
  const hostAt = (n) => hosts.findLast((host) => host.from <= n).key;

  const link = (label, i, x) => sha256(`pbem-link/1 ${game.nonce} ${label} ${i} ${x}`);
  const down = (label, i, x, to) => {
    for (; i > to; i--) x = link(label, i, x);
    return x;
  };

  function bear(e, who, ref, seals) {
    for (const [name, digest] of Object.entries(seals)) {
      if (borne.has(digest)) throw new Fault(e.n, "SEALBIND", `the seal ${name} repeats a digest`);
      borne.set(digest, e.n);
      const f = openings.get(digest);
      if (f && (f[1] !== G || f[2] !== who || f[3] !== ref || f[4] !== name)) {
        throw new Fault(e.n, "SEALBIND", `the seal ${name} opens as ${f[4]} of ${f[2]}, ${f[3]}`);
      }
    }
  }

  function signedEntry(e) {
    const { say } = e;
    if (e.k === "join") {
      const why = refused(say.key);
      if (why) throw new Fault(e.n, "SIG", `${e.by}'s key may not be used: ${why}`);
      players.set(e.by, { key: say.key, next: say.next, mark: 0, x: say.chain });
    }
    const player = players.get(e.by);
    const { recovery } = e.k === "rekey" ? say : {};
    if (recovery !== undefined && (refused(recovery) || sha256(recovery) !== player?.next)) {
      throw new Fault(e.n, "SIG", `the recovery key is not the one that ${e.by} bound`);
    }
    if (!player || !signed(recovery ?? player.key, "pbem-say-v1", cj(say), e.sig)) {
      throw new Fault(e.n, "SIG", `the signature is not ${e.by}'s`);
    }
    if (say.game !== G || say.seat !== e.by) throw new Fault(e.n, "BIND", "signed for another game or seat");
    if (e.k === "rekey") {
      const bad = refused(say.key);
      if (bad) throw new Fault(e.n, "SIG", `${e.by}'s new key may not be used: ${bad}`);
      call(player, say);
    }
    if (e.k === "order") receipts.set(sha256(cj(say)), e.n);
    if (say.link !== undefined) {
      const mark = e.k === "ready" ? readyMark : (say.act === "ahead" ? asked : entries[say.ask])?.mark;
      const [last, below] = player.fresh === undefined ? [player.mark, player.x] : [0, player.fresh];
      if (say.link_n !== mark) throw new Fault(e.n, "LINK", `link ${say.link_n} is given on mark ${mark}`);
      if (mark < last || down(`seat:${e.by}`, mark, say.link, last) !== below) {
        throw new Fault(e.n, "LINK", `${e.by}'s link ${mark} does not lead to his anchor`);
      }
      Object.assign(player, { mark, x: say.link, ready: true, fresh: undefined });
    }
    if (e.k !== "order") return;
    bear(e, e.by, say.act === "ahead" ? -say.link_n : say.ask, say.seals);
    const text = openings.get(say.seals.order)?.[6];
    if (text !== undefined && say.pub?.order !== undefined && text !== say.pub.order) {
      throw new Fault(e.n, "SEALBIND", "the order in the open is not the one that was sealed");
    }
  }

  function newcomer(e, { say, sig }) {
    const bad = refused(say.key);
    if (bad) throw new Fault(e.n, "SIG", `the newcomer's key may not be used: ${bad}`);
    if (!signed(say.key, "pbem-say-v1", cj(say), sig)) throw new Fault(e.n, "SIG", "the newcomer has not signed");
    if (say.game !== G || !players.has(say.seat)) throw new Fault(e.n, "BIND", "the newcomer signed for another game or seat");
    out.delete(say.seat);
    call(players.get(say.seat), say);
  }

  /** A new chain: the link of the last mark counts until everybody has given a new one. */
  function call(player, say) {
    Object.assign(player, { key: say.key, next: say.next, fresh: say.chain });
    readyMark = highest += REACH + 1;
    for (const p of players.values()) p.ready = false;
  }

  function rand(e) {
    const label = e.chain;
    const here = `${label} ${e.i}`;
    const next = e.i === 1 ? !events.has(here) : !label.startsWith("deal:") && events.has(`${label} ${e.i - 1}`);
    if (!chains.has(label) || events.has(here) || !next) {
      throw new Fault(e.n, "REQ", `event ${e.i} of ${label} is not the next one`);
    }
    if ([...players].some(([seat, p]) => !p.ready && !out.has(seat)) || players.size !== game.seats.length) {
      throw new Fault(e.n, "EARLY", "a random event before every seat was ready");
    }
    events.set(here, e.n);
    if (e.x !== undefined) shown.set(here, e.x);
    if (e.seals) bear(e, "host", e.n, e.seals);
    const x = shown.get(here);
    if (x === undefined) return;
    const { after, anchor } = chains.get(label).findLast((chain) => chain.after < e.i);
    let to = e.i - 1;
    while (to > after && !shown.has(`${label} ${to}`)) to--;
    if (to === after) to = 0;
    if (down(label, e.i, x, to) !== (to ? shown.get(`${label} ${to}`) : anchor)) {
      throw new Fault(e.n, "LINK", `link ${e.i} of ${label} does not lead to its anchor`);
    }
    const links = [...players].map(([seat, p]) => [seat, p.mark, p.x]).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = cj(["rand", G, label, e.i, links]);
    const wrong = (what) => new Fault(e.n, "RAND", `${what} is not what the dice gave`);
    if (label === "pub") {
      if (cj(outcome(x, text, e.req)) !== cj(e.res)) throw wrong("the result");
    } else if (label.startsWith("priv:")) {
      const f = openings.get(e.seals[label.slice(5)]);
      if (f && cj(outcome(x, text, f[6][0])) !== cj(f[6][1])) throw wrong("the draw");
    } else {
      const req = e.req ?? openings.get(e.seals.req)?.[6];
      if (req === undefined) return;
      outcome(x, text, req).flat().forEach((value, place) => {
        const f = openings.get(e.seals[`p${place}`]);
        if (f && cj(f[6]) !== cj(value)) throw wrong(`place ${place}`);
      });
    }
  }

  function tell(e) {
    for (const digest of e.opens) {
      if (!borne.has(digest) || named.has(digest)) throw new Fault(e.n, "STRAY", "the tell opens a seal that is not there");
      named.add(digest);
      if (!openings.has(digest)) throw new Fault(e.n, "UNOPENED", "an opening that the tell names is missing");
    }
    for (const [label, i] of e.links) {
      const name = `${label} ${i}`;
      if (!label.startsWith("deal:") || !events.has(name) || named.has(name)) {
        throw new Fault(e.n, "STRAY", `the tell shows link ${name}, which is not to be shown`);
      }
      named.add(name);
      if (!shown.has(name)) throw new Fault(e.n, "UNOPENED", `link ${name}, which the tell names, is missing`);
    }
    bear(e, "host", e.n, e.seals);
  }

  /** Another host goes on: every seat that is not out has agreed to his key, anchors and beginning. */
  function another(e) {
    const { chains: anchors, key, mark, seen } = e;
    const [n, h] = seen;
    const bad = refused(key);
    if (bad) throw new Fault(e.n, "SIG", `the new host's key may not be used: ${bad}`);
    const digest = sha256(cj({ host: { chains: anchors, key, mark, seen } }));
    const agreed = e.agreed.map((m) => entries[m]).filter((a) => a?.say?.act === "agree" && a.say.what === digest);
    const behind = e.agreed.every((m, at) => m === n + 1 + at) && e.n === n + 1 + e.agreed.length;
    const all = [...players.keys()].every((seat) => out.has(seat) || agreed.some((a) => a.by === seat));
    if (!behind || !all || agreed.length !== e.agreed.length || [...players.values(), ...hosts].some((p) => p.key === key)) {
      throw new Fault(e.n, "BIND", "another host than every seat agreed to right above");
    }
    if (entries[n].hash !== h) throw new Fault(e.n, "SEEN", `all agreed to go on from another entry ${n}`);
    if (!attachments.some(({ f }) => f[0] === "head" && f[1] === G && f[2] === n && f[3] === h && hostSigned(f))) {
      throw new Fault(e.n, "HEADSIG", `no head of the former host covers entry ${n} itself`);
    }
    const used = (label) => [...events.keys()].filter((name) => name.startsWith(`${label} `)).length;
    const deals = Object.keys(game.chains).filter((label) => label.startsWith("deal:")).length + hosts.length;
    const names = Array.from({ length: deals }, (_, i) => `deal:${i + 1}`).filter((label) => !used(label));
    const expected = ["pub", ...game.seats.map((seat) => `priv:${seat}`), ...names].sort();
    if (cj(Object.keys(anchors).sort()) !== cj(expected)) throw new Fault(e.n, "FORM", "not the chains a new host has");
    for (const label of expected) {
      if (!chains.has(label)) chains.set(label, []);
      chains.get(label).push({ after: used(label), anchor: anchors[label] });
    }
    hosts.push({ from: e.n, key });
    if (mark <= highest + REACH) throw new Fault(e.n, "ORDERING", `a link of mark ${mark} may be known already`);
    readyMark = highest = mark;
    for (const p of players.values()) p.ready = false;
  }

  /** Could only a former host have shown this? */
  const isLost = (n, name) => {
    const { k, chain } = entries[n];
    const alone = k === "rand" ? chain.startsWith("deal:") : k === "tell" && name === entries[n].seals.state;
    return n <= lostTo && !named.has(name) && alone;
  };

  function end(e) {
    for (const [digest, n] of borne) {
      if (!openings.has(digest) && !isLost(n, digest)) throw new Fault(e.n, "UNOPENED", `an opening of entry ${n} is missing at the end`);
    }
    for (const [name, n] of events) {
      if (!shown.has(name) && !isLost(n, name)) throw new Fault(e.n, "UNOPENED", `link ${name} is missing at the end`);
    }
  }

  /** A head or receipt is of the host in office at the entry that it is over. */
  const hostSigned = (f) => {
    const [space, n] = f[0] === "head" ? ["pbem-head-v1", f[2]] : ["pbem-got-v1", receipts.get(f[2]) ?? Infinity];
    return signed(hostAt(n), space, cj(f.slice(0, 4)), f[4]);
  };

  function attachment({ after, f, digest }) {
    const fault = (code, reason) => new Fault(after, code, reason);
    const once = (key) => {
      if (known.has(key)) throw fault("STRAY", `the same ${f[0]} stands here twice`);
      known.add(key);
    };
    if (f[0] === "seal") {
      if (!borne.has(digest)) throw fault("STRAY", "an opening fits no seal above it");
      return once(digest);
    }
    if (f[1] !== G) throw fault("STRAY", `a ${f[0]} of another game`);
    if (f[0] === "link") {
      if (f[2] === "pub" || !events.has(`${f[2]} ${f[3]}`)) throw fault("STRAY", "a link that no event above asks for");
      return once(`${f[2]} ${f[3]}`);
    }
    if (!hostSigned(f)) throw fault("HEADSIG", `a ${f[0]} that the host did not sign`);
    if (f[0] === "got") {
      if (!receipts.has(f[2])) throw fault("STRAY", "a receipt for no order above it");
      return once(f[2]);
    }
    const [, , n, h] = f;
    once(`${n} ${h}`);
    if (entries[n]?.hash !== h) {
      const other = ({ f: g }) => g[0] === "head" && g[1] === G && g[2] === n && g[3] !== h && hostSigned(g);
      if (attachments.some(other)) throw new Fault(after, "FORK", `the host signed two heads over entry ${n}`);
      throw fault("HEADSIG", `the head over entry ${n} does not fit`);
    }
    if (n > after) throw fault("STRAY", "a head before its entry");
    lastHead = Math.max(lastHead, n);
  }

  const why = refused(game.host);
  if (why) throw new Fault(0, "SIG", `the host's key may not be used: ${why}`);
  let next = 0;
  for (const e of entries) {
    try {
      if (e.k === "ask") {
        asked = e;
        highest = Math.max(highest, e.mark ?? 0);
      }
      if (e.k === "amend" && e.what.player) newcomer(e, e.what.player);
      if (e.k === "skip" && e.why === "late") out.add(e.to);
      if (e.k === "say" && e.say.act === "resign") out.add(e.by);
      if (e.k === "say" && e.say.act === "claim") {
        // whoever is not ready when that is claimed is out
        for (const [seat, p] of players) if (!p.ready) out.add(seat);
      }
      if (e.k === "host") another(e);
      else if (e.say) signedEntry(e);
      else if (e.k === "rand") rand(e);
      else if (e.k === "tell") tell(e);
      else if (e.k === "end") end(e);
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault(e.n, "FORM", `entry ${e.n} is malformed: ${error.message}`);
    }
    while (next < attachments.length && attachments[next].after === e.n) attachment(attachments[next++]);
  }
  const last = entries.at(-1);
  if (lastHead < last.n) throw new Fault(last.n, "HEADSIG", "no signed head covers the last entry");
  return { verdict: last.k === "end" ? "clean" : "unfinished", entry: null, code: null, reason: `${entries.length} entries` };
}

let result;
try {
  result = check(readFile(readFileSync(process.argv[2])));
} catch (error) {
  if (!(error instanceof Fault)) {
    console.error(process.argv[2] ? String(error.message) : "usage: node verify.mjs FILE");
    process.exit(2);
  }
  result = error.verdict;
}
console.log(JSON.stringify(result));
process.exit(result.verdict === "fault" ? 1 : 0);
