// Where the worker has its files from, and how it keeps the desk's folder: here from the server of the page, and in IndexedDB as it
// is. A page that is one file has a module in this one's place (file/given.mjs).

export { Files as Kept } from "./files.mjs";

export const here = new URL("./", import.meta.url).href;

export const network = globalThis.fetch;

export const more = {}; // what else Pyodide is told
