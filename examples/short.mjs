// Reads short blocks: `node short.mjs VECTORS` checks the vectors of docs/reference/block.md. Written from that page, with nothing
// of pbem and nothing but Node's own modules.
import { createHash, createHmac, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
class Refused extends Error {}
const refuse = (what) => { throw new Refused(what); };
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const cj = (x) =>
  Array.isArray(x) ? `[${x.map(cj).join(",")}]`
  : x && typeof x === "object" ? `{${Object.keys(x).sort().map((key) => `${JSON.stringify(key)}:${cj(x[key])}`).join(",")}}`
  : JSON.stringify(x);

function crc32(data) {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum >>> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

function payload(text) {
  const inside = /BEGIN PBEM ORDERS([^]*)END PBEM ORDERS/i.exec(text)[1].toUpperCase();
  const letters = [...inside.replace(/O/g, "0").replace(/[IL]/g, "1")].filter((letter) => ALPHABET.includes(letter));
  const bytes = [];
  let bits = 0, held = 0;
  for (const letter of letters) {
    held = (held << 5 | ALPHABET.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push(held >> (bits -= 8) & 255);
  }
  return Buffer.from(bytes);
}

function read(data) {
  const sum = data.length > 4 ? crc32(data.subarray(0, -4)) : -1;
  if (sum !== data.readUInt32BE(data.length - 4)) refuse("damaged");
  let at = 1;
  const end = data.length - 4;
  const take = (size) => (at += size) > end ? refuse("none") : data.subarray(at - size, at);
  const number = () => {
    let found = 0;
    for (let place = 0; place < 3; place++) {
      const byte = take(1)[0];
      found |= (byte & 127) << 7 * place;
      if (byte < 128) return place && !byte ? refuse("none") : found;
    }
    return refuse("none");
  };
  if (data[0] >> 4 !== 1) refuse("full wanted");
  const said = { dictionary: data[0] & 15, game: take(8).toString("hex"), seat: number(), parts: [] };
  for (let more = true; more;) {
    const flags = take(1)[0], first = !said.parts.length;
    const [ahead, linked, same, plans] = [flags & 1, flags & 2, flags & 4, flags >> 3 & 3];
    more = Boolean(flags & 32);
    if (flags > 63 || (ahead && !linked) || (first ? plans === 3 || (ahead && same) : !ahead) || said.parts.length === 8) refuse("none");
    const part = { ahead, plans, number: number(), rev: number(), seen: same ? null : number() };
    part.head = ahead && same ? "" : take(8).toString("hex");
    part.link = linked ? take(32).toString("hex") : "";
    part.seed = take(16);
    part.sig = take(64);
    said.parts.push(part);
  }
  said.packed = data.subarray(at, end);
  return said;
}

function texts(said, dictionary) {
  let found;
  try {
    const { buffer, engine } = inflateRawSync(said.packed, { info: true, maxOutputLength: 65536, ...(dictionary.length && { dictionary }) });
    if (engine.bytesWritten !== said.packed.length) refuse("none");
    found = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(buffer).split("\0");
  } catch {
    refuse("none");
  }
  if (found.length !== said.parts.reduce((sum, part) => sum + 1 + (part.plans === 1), 0)) refuse("none");
  return found;
}

// What was signed, written out from the log: `lines` are its lines, `words` its dictionaries by number.
export function writtenOut(text, lines, words) {
  const said = read(payload(text));
  const entries = lines.filter((line) => line.startsWith("{"));
  const logged = entries.map((line) => JSON.parse(line)), hashes = entries.map(sha256);
  if (!(said.dictionary in words)) refuse("full wanted");
  const left = texts(said, Buffer.from(words[said.dictionary]));
  const game = hashes[0], seat = logged[0].seats[said.seat];
  if (!game.startsWith(said.game) || !seat) refuse("full wanted");
  const found = [];
  for (const part of said.parts) {
    const before = found.at(-1), order = left.shift(), here = part.plans === 1 ? left.shift() : "";
    const n = part.seen ?? (part.ahead ? before.say.seen[0] : part.number);
    if (!hashes[n]?.startsWith(part.head)) refuse("full wanted");
    const last = lines.length && logged.slice(0, n + 1).findLast((entry) => entry.k === "order" && entry.by === seat);
    const opened = last && lines.find((line) => line.startsWith("[") && sha256(line) === last.say.seals.plans);
    if (part.plans === 2 && last && !opened) refuse("full wanted");
    const plans = [() => "", () => here, () => (last ? JSON.parse(opened)[6] : ""), () => before.openings[1][6]][part.plans]();
    const salt = (name) => createHmac("sha256", part.seed).update(name).digest("hex").slice(0, 32);
    const ref = part.ahead ? -part.number : part.number;
    const openings = [["order", order], ["plans", plans]].map(([name, value]) => ["seal", game, seat, ref, name, salt(name), value]);
    const say = { act: part.ahead ? "ahead" : "order", game, seat, rev: part.rev, seen: [n, hashes[n]] };
    say.seals = Object.fromEntries(openings.map((line) => [line[4], sha256(cj(line))]));
    if (part.ahead) Object.assign(say, { link: part.link, link_n: part.number });
    else {
      const ask = logged[part.number];
      if (ask?.k !== "ask" || Boolean(part.link) !== "mark" in ask) refuse("full wanted");
      Object.assign(say, { ask: part.number, pub: ask.secret === "no" ? { order } : {} });
      if (part.link) Object.assign(say, { link: part.link, link_n: ask.mark });
    }
    found.push({ say, sig: part.sig.toString("base64"), openings });
  }
  const key = logged.find((entry) => entry.k === "join" && entry.by === seat).say.key;
  if (!found.every(({ say, sig }) => isSigned(key, cj(say), Buffer.from(sig, "base64")))) refuse("not signed");
  return found;
}

function isSigned(line, said, sig) {
  const raw = Buffer.from(line.split(" ")[1], "base64").subarray(-32);
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") }, format: "jwk" });
  const string = (text) => { const data = Buffer.from(text); const size = Buffer.alloc(4); size.writeUInt32BE(data.length); return Buffer.concat([size, data]); };
  const digest = createHash("sha512").update(said).digest();
  const blob = Buffer.concat([Buffer.from("SSHSIG"), string("pbem-say-v1"), string(""), string("sha512"), string(digest)]);
  return verify(null, blob, key, sig);
}

const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
const outcome = (block) => {
  try {
    return cj(writtenOut(block.join("\n"), vectors.log, vectors.dictionaries));
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
};
let wrong = 0;
for (const [what, { block, ...said }] of Object.entries({ ...vectors.good, ...vectors.bad })) {
  const expected = said.is ?? cj(said.signed), found = outcome(block);
  if (found !== expected) { wrong++; console.log(`${what}: ${found}, not ${expected}`); }
}
console.log(`${Object.keys(vectors.good).length} good and ${Object.keys(vectors.bad).length} bad: ${wrong} read otherwise`);
process.exitCode = wrong ? 1 : 0;
