// The desk's folder of a page that is one file. Under `file:` every HTML file of a disk may be able to read what a browser keeps for
// any of them, and letters are HTML files that people open. So nothing but games alone is kept as it is: all else waits until a
// passphrase is chosen, and from then on everything is encrypted (AES-256-GCM) by a key that follows from the passphrase (scrypt).
//
// What lies there then: "lock", with the salt and a proof of the passphrase; "list", the encrypted list of all files, each with a
// number drawn for this one writing of it; and under these numbers the files, encrypted and bound to their number. Who cannot read
// it cannot change, swap or add a file of it unnoticed. He can delete all of it, or put back all of it as it once was.
//
// It asks the page over a port: out {asks: "locked" | "wrong" | "damaged" | "other"}, in {passphrase} or {discard: true}; in {choose: passphrase},
// out {chosen: true} or {failed: text}; in {state: true}, out {state: "open" | "waits" | "locked"}, where "waits" is: something could
// not be kept, as no passphrase has been chosen.

import { scrypt } from "@noble/hashes/scrypt.js";
import { Files, same, Unkept } from "../files.mjs";
import { sent } from "./sent.mjs";

const OPEN = "alone/"; // what is kept as it is while there is no passphrase: nobody's secrets are in it
const WORK = { N: 2 ** 17, r: 8, p: 1, dkLen: 32 }; // 128 MB and about a second for each guess
const SALT = 32, START = 12, NUMBER = 16, KIND = 1;
const bytes = (text) => new TextEncoder().encode(text.normalize("NFC"));
const chance = (length) => crypto.getRandomValues(new Uint8Array(length));
const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const isData = (value) => value instanceof Uint8Array;

class Damaged extends Error {}

async function keyFrom(passphrase, salt) { // it cannot be read out of the browser again
  return crypto.subtle.importKey("raw", scrypt(bytes(passphrase), salt, WORK), "AES-GCM", false, ["encrypt", "decrypt"]);
}

async function sealed(key, name, data) { // a start drawn at random, and behind it what was encrypted for this name
  const iv = chance(START), made = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: bytes(name) }, key, data));
  const both = new Uint8Array(START + made.length);
  both.set(iv);
  both.set(made, START);
  return both;
}

async function unsealed(key, name, both) {
  if (!isData(both)) throw new Damaged();
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: both.subarray(0, START), additionalData: bytes(name) }, key, both.subarray(START)));
  } catch {
    throw new Damaged();
  }
}

export class Vault extends Files {
  constructor(...given) {
    super(...given);
    Object.assign(this, { port: null, key: null, salt: null, numbers: new Map(), waits: false, heard: () => {}, turn: Promise.resolve() });
  }

  async hears() { // from the page
    if (this.port) return;
    this.port = (await sent).port;
    this.port.onmessage = ({ data }) => this.told(data);
  }

  told(data) {
    if ("state" in data) this.port.postMessage({ state: this.key ? "locked" : this.waits ? "waits" : "open" });
    else if ("choose" in data) this.choose(data.choose).then(() => this.port.postMessage({ chosen: true }), (error) => this.port.postMessage({ failed: error.message }));
    else this.heard(data);
  }

  asked(why) { // what the player says, when he is asked for the passphrase
    return new Promise((well) => {
      this.heard = well;
      this.port.postMessage({ asks: why });
    });
  }

  async stored() {
    await this.hears();
    let why = "locked";
    for (;;) {
      const all = await super.stored(), lock = all.get("lock");
      if (lock === undefined) return this.asItIs(all);
      try {
        if (this.key && same(this.salt, lock.salt)) return await this.decrypted(all);
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
        why = "damaged";
      }
      why = await this.opened(lock, await this.asked(why));
    }
  }

  asItIs(all) {
    this.key = null;
    return new Map([...all].filter(([path, data]) => path.startsWith(OPEN) && isData(data)));
  }

  async opened(lock, { passphrase, discard }) { // tries what the player has said; returns why he is asked again, if he is
    this.key = null;
    if (discard && !this.writes) return "other";
    if (discard) {
      await super.written([...(await super.stored()).keys()], []);
      return "locked";
    }
    if (lock.kind !== KIND || !isData(lock.salt) || lock.salt.length !== SALT) return "damaged";
    const key = await keyFrom(passphrase, lock.salt);
    try {
      await unsealed(key, "lock", lock.proof);
    } catch {
      return "wrong";
    }
    Object.assign(this, { key, salt: lock.salt });
    return "locked";
  }

  async decrypted(all) {
    const list = JSON.parse(new TextDecoder().decode(await unsealed(this.key, "list", all.get("list"))));
    const read = await Promise.all(Object.entries(list).map(async ([path, number]) =>
      [path, this.numbers.get(path) === number ? this.kept.get(path) : await unsealed(this.key, number, all.get(number))]));
    this.numbers = new Map(Object.entries(list));
    return new Map(read);
  }

  written(gone, changed) {
    return this.inTurn(() => this.key ? this.replaced(gone, changed) : this.inTheOpen(gone, changed));
  }

  choose(passphrase) {
    return this.inTurn(() => this.locked(passphrase));
  }

  inTurn(act) { // a passphrase may be chosen while something is being kept
    const done = this.turn.then(act);
    this.turn = done.catch(() => {});
    return done;
  }

  inTheOpen(gone, changed) {
    this.waits = changed.some(([path]) => !path.startsWith(OPEN));
    if (this.writes && this.waits) throw new Unkept("passphrase");
    return super.written(gone, changed);
  }

  async replaced(gone, changed) { // all that is written gets new numbers, and the list names those; in one transaction
    const away = [...gone, ...changed.map(([path]) => path)], numbers = new Map([...this.numbers].filter(([path]) => !away.includes(path)));
    const made = await this.encrypted(this.key, changed, numbers);
    await super.written(away.flatMap((path) => this.numbers.get(path) ?? []), made);
    this.numbers = numbers;
  }

  async locked(passphrase) { // from now on all is encrypted, and what lay there as it was is gone
    const all = await super.stored();
    if (!this.writes || all.has("lock")) throw new Unkept("tab");
    const salt = chance(SALT), key = await keyFrom(passphrase, salt), numbers = new Map();
    const lock = { kind: KIND, salt, proof: await sealed(key, "lock", bytes("pbem")) }, made = await this.encrypted(key, this.asItIs(all), numbers);
    await super.written([...all.keys()], [["lock", lock], ...made]);
    Object.assign(this, { key, salt, numbers, waits: false });
  }

  async encrypted(key, files, numbers) { // the files and the list of all, as they are to be kept; writes their numbers into `numbers`
    const made = await Promise.all([...files].map(async ([path, data]) => {
      const number = hex(chance(NUMBER));
      numbers.set(path, number);
      return [number, await sealed(key, number, data)];
    }));
    return [...made, ["list", await sealed(key, "list", bytes(JSON.stringify(Object.fromEntries(numbers))))]];
  }
}
