// Where the worker of the single file has its files from: its page has sent them. Nothing is fetched, and the policy would allow none of
// it. The desk's folder is kept in the vault.

import createPyodideModule from "../pyodide/pyodide.asm.mjs";
import { sent } from "./sent.mjs";

export { Vault as Kept } from "./vault.mjs";

export const here = "https://file.invalid/"; // a name that leads nowhere, for what asks by an address

let parts = {};
const came = sent.then((given) => { ({ parts } = given); });

export const atOnce = (path) => parts[path]; // it came with all the rest

export async function network(asked) {
  await came;
  const path = String(asked).slice(here.length), data = parts[path];
  if (data === undefined) return new Response(null, { status: 404 });
  delete parts[path]; // each is asked for once
  if (/\.(gz|zst)$/.test(path)) return new Response(data);
  const unpacked = new Response(new Response(data).body.pipeThrough(new DecompressionStream("gzip"))); // WebKit reads no Blob in a worker of a file's
  return new Response(await unpacked.arrayBuffer(), { headers: { "Content-Type": path.endsWith(".wasm") ? "application/wasm" : "application/json" } });
}

// All of it is there: nothing need be compiled while it comes.
WebAssembly.instantiateStreaming = async (answer, imports) => WebAssembly.instantiate(await (await answer).arrayBuffer(), imports);

export const more = { createPyodideModule };
