// Ed25519, and what locks key files and letters, for pbem/ledger/makers: functions that take and give hexadecimal text, at once.
//
// A signature R ‖ S counts where S < L and the canonical encoding of S·B − k·A is R, byte by byte. noble's own `verify` multiplies
// by the cofactor and takes signatures that OpenSSL refuses, so it is not used: only its points are.

import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { mulAddUnsafe } from "@noble/curves/abstract/curve.js";
import { bytesToHex, bytesToNumberLE, concatBytes, equalBytes, hexToBytes } from "@noble/curves/utils.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { cbc, ctr, gcm } from "@noble/ciphers/aes.js";
import bcrypt from "bcrypt-pbkdf";

const { Point } = ed25519, { BASE, Fn } = Point;
const KEPT = 64; // points of so many keys are kept: a log has few
const minus = new Map(); // −A by the hexadecimal text of A

function negated(key) {
  let point = minus.get(key);
  if (point === undefined) {
    point = Point.fromBytes(hexToBytes(key)).negate();
    if (minus.size >= KEPT) minus.delete(minus.keys().next().value);
    minus.set(key, point);
  }
  return point;
}

export const publicKey = (seed) => bytesToHex(ed25519.getPublicKey(hexToBytes(seed)));

export const sign = (seed, message) => bytesToHex(ed25519.sign(hexToBytes(message), hexToBytes(seed)));

export function verifies(key, signature, message) { // the key has been looked at: pbem/ledger/keys.py
  const both = hexToBytes(signature), r = both.subarray(0, 32), s = bytesToNumberLE(both.subarray(32));
  if (both.length !== 64 || s >= Fn.ORDER) return false;
  const k = bytesToNumberLE(sha512(concatBytes(r, hexToBytes(key), hexToBytes(message)))) % Fn.ORDER;
  return equalBytes(mulAddUnsafe(Point, [BASE, negated(key)], [s, k]).toBytes(), r);
}

export const chance = (length) => bytesToHex(crypto.getRandomValues(new Uint8Array(length)));

export function stretch(passphrase, salt, rounds, length) {
  const said = hexToBytes(passphrase), grain = hexToBytes(salt), made = new Uint8Array(length);
  if (bcrypt.pbkdf(said, said.length, grain, grain.length, made, length, rounds) !== 0) throw new Error("bcrypt-pbkdf refuses");
  return bytesToHex(made);
}

const CIPHERS = {
  "aes256-ctr": (key, start) => ctr(key, start),
  "aes256-cbc": (key, start) => cbc(key, start, { disablePadding: true }),
  "aes256-gcm@openssh.com": (key, start) => gcm(key, start),
};
const cipher = (name, key, start) => CIPHERS[name](hexToBytes(key), hexToBytes(start));

export const lock = (name, key, start, data) => bytesToHex(cipher(name, key, start).encrypt(hexToBytes(data)));

export function unlock(name, key, start, data) {
  try {
    return bytesToHex(cipher(name, key, start).decrypt(hexToBytes(data)));
  } catch {
    return ""; // the tag does not fit
  }
}

export const agreedPublic = (secret) => bytesToHex(x25519.getPublicKey(hexToBytes(secret)));

export function agreed(secret, key) {
  try {
    return bytesToHex(x25519.getSharedSecret(hexToBytes(secret), hexToBytes(key)));
  } catch {
    return ""; // all zeros
  }
}

export const derived = (ikm, salt, info) => bytesToHex(hkdf(sha256, hexToBytes(ikm), hexToBytes(salt), hexToBytes(info), 32));

const box = (key, nonce, beside) => chacha20poly1305(hexToBytes(key), hexToBytes(nonce), hexToBytes(beside));

export const seal = (key, nonce, data, beside) => bytesToHex(box(key, nonce, beside).encrypt(hexToBytes(data)));

export function unseal(key, nonce, data, beside) {
  try {
    return bytesToHex(box(key, nonce, beside).decrypt(hexToBytes(data)));
  } catch {
    return ""; // the tag does not fit
  }
}
