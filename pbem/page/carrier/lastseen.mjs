// What a player saw last: the list of games, and the position of one. It lies among the desk's files, so it is protected as they are: it
// goes when a game is forgotten, it is encrypted where they are, and the worker alone writes it. The page reads it before there is a worker,
// and takes nothing that another version of the page has written.

import { PAGE } from "./made.mjs";

export const PLACE = "alone/.seen"; // no saved desk holds it (pbem/page/keeping.py)
const [STORE, LOCK] = ["files", "lock"];
const KEY = { begins: 15, cipher: 4, open: "none" }; // of OpenSSH's: "openssh-key-v1" and a zero, a length, the name of a cipher
const done = (request) => new Promise((well, badly) => { request.onsuccess = () => well(request.result); request.onerror = () => badly(request.error); });

export async function read() { // null where nothing is kept, or another page has written it; {locked: true} where all is encrypted
  try {
    const request = indexedDB.open("pbem");
    request.onupgradeneeded = () => request.transaction.abort(); // nothing was kept yet, and nothing is made here
    const base = await done(request), store = base.transaction(STORE).objectStore(STORE);
    const [lock, data] = await Promise.all([LOCK, PLACE].map((path) => done(store.get(path)))).finally(() => base.close());
    if (lock !== undefined) return { locked: true };
    const seen = data instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(data)) : null;
    return seen?.page === PAGE ? seen : null;
  } catch { // it is an ornament: whatever is wrong is said where something is done
    return null;
  }
}

function guarded(fs, folder) { // is the key under a passphrase?
  const { exists } = fs.analyzePath(`${folder}/key`);
  if (!exists) return false;
  try {
    const key = atob(fs.readFile(`${folder}/key`, { encoding: "utf8" }).split("\n").filter((line) => !line.startsWith("-")).join("")), at = KEY.begins + KEY.cipher;
    return key.slice(at, at + KEY.open.length) !== KEY.open;
  } catch {
    return true;
  }
}

export async function write({ fs, folder, files }, seen) { // nothing of it is worth a word where it cannot be kept
  if (files.keeps !== "all") return;
  const { position, ...rest } = seen, shows = position && (position.alone || !guarded(fs, folder)); // a passphrase guards what is seen by a key
  fs.mkdirTree(`${folder}/alone`);
  fs.writeFile(`${folder}/${PLACE}`, new TextEncoder().encode(JSON.stringify({ ...rest, position: shows ? position : null, page: PAGE })));
  await files.keep().catch(() => {});
}

export function forget({ fs, folder }) {
  if (fs.analyzePath(`${folder}/${PLACE}`).exists) fs.unlink(`${folder}/${PLACE}`);
}
