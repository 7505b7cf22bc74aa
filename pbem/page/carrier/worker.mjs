// The worker in which pbem runs: Python for browsers, the packages of python.zip, and the desk's service.
//
// In: {start: {folder, service}} once, then {id, call, args, …}. Out: {ready: milliseconds} or {failed: text}, then {id, answer},
// where answer is what `Service.answer` says. Calls are answered in their order, one at a time.

import { loadPyodide } from "./pyodide/pyodide.mjs";
import * as signing from "./signing.mjs";

const BEGIN = `
def begin(service, folder):
    from importlib import import_module
    from os import makedirs
    makedirs(folder, exist_ok=True)
    return import_module(service).Service(folder).answer
begin
`;
const here = new URL("./", import.meta.url).href;

async function fetched(path) {
  const got = await fetch(here + path);
  if (!got.ok) throw new Error(`${path} cannot be fetched: ${got.status}`);
  return got.arrayBuffer();
}

async function start({ folder = "/desk", service = "pbem.page.service" } = {}) {
  const packed = fetched("python.zip");
  const python = await loadPyodide({ indexURL: `${here}pyodide/` });
  python.registerJsModule("pbem_noble", { ...signing });
  python.unpackArchive(await packed, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
  const begin = python.runPython(BEGIN), answer = begin(service, folder);
  begin.destroy();
  return answer;
}

let starting, queue = Promise.resolve();

function begun({ start: wanted }) {
  const began = performance.now();
  starting = start(wanted);
  starting.then(() => postMessage({ ready: Math.round(performance.now() - began) }), (error) => postMessage({ failed: String(error) }));
}

async function answered({ id, ...asked }) {
  const answer = await starting;
  try {
    postMessage({ id, answer: JSON.parse(answer(JSON.stringify(asked))) });
  } catch (error) { // Python has died, or what it said is no JSON: nothing more is to be had from it
    postMessage({ id, failed: String(error) });
  }
}

addEventListener("message", ({ data }) => {
  if ("start" in data) begun(data);
  else queue = queue.then(() => answered(data)).catch((error) => postMessage({ id: data.id, failed: String(error) }));
});
