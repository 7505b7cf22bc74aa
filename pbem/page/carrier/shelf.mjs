// What lies beside the page, and is fetched when it is asked for: rules of other versions, for pbem/page/lent.py, and what games of two
// or puzzles need, for pbem/page/later.py. Python waits, so it is fetched at once, which a worker may. What comes counts only with the hash of this
// version.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { atOnce } from "./given.mjs";
import { LATER, SHELF } from "./made.mjs";

const FOLDER = "shelf/";

export const names = Object.keys(SHELF).map((path) => path.slice(FOLDER.length));

const had = new Map(); // one log after the other may need the same

function beside(path, hash) { // its bytes; nothing where they cannot be had
  const data = had.get(path) ?? atOnce(path);
  if (!data || !had.has(path) && bytesToHex(sha256(data)) !== hash) return undefined;
  had.set(path, data);
  return data;
}

export const fetched = (name) => beside(FOLDER + name, SHELF[FOLDER + name]);

export function later(path) { // an archive; that it is wanted here is told, so that it is kept for when there is no network
  const data = beside(path, LATER[path]);
  if (data) postMessage({ later: path });
  return data;
}
