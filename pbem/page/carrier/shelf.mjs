// Rules of other versions for pbem/page/lent.py: which lie beside the page, and each when it is asked for. Python waits, so it is fetched
// at once, which a worker may. What comes counts only with the hash of this version.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { atOnce } from "./given.mjs";
import { SHELF } from "./made.mjs";

const FOLDER = "shelf/";

export const names = Object.keys(SHELF).map((path) => path.slice(FOLDER.length));

const had = new Map(); // one log after the other may need the same

export function fetched(name) { // its bytes; nothing where they cannot be had
  const path = FOLDER + name, data = had.get(path) ?? atOnce(path);
  if (!data || !had.has(path) && bytesToHex(sha256(data)) !== SHELF[path]) return undefined;
  had.set(path, data);
  return data;
}
