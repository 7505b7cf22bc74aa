// Where the worker has its files from, and how it keeps the desk's folder: here from the server of the page, and in IndexedDB as it
// is. A page that is one file has a module in this one's place (file/given.mjs).

export { Files as Kept } from "./files.mjs";

export const here = new URL("./", import.meta.url).href;

export const network = globalThis.fetch;

export function atOnce(path) { // the bytes of a file, while all else waits; nothing where it cannot be had
  const asked = new XMLHttpRequest();
  asked.open("GET", here + path, false);
  asked.responseType = "arraybuffer";
  try {
    asked.send();
  } catch {
    return undefined;
  }
  return asked.status === 200 ? new Uint8Array(asked.response) : undefined;
}

export const more = {}; // what else Pyodide is told
