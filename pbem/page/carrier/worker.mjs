// The worker in which pbem runs: Python for browsers, the packages of python.zip.gz, and the desk's service.
//
// In: {start: {folder, service}} once, then {id, request}. Out: {ready: milliseconds} or {failed: text}, then {id, answer, kept} or
// {id, failed}, where answer is what `Service.answer` says. Calls are answered in their order, one at a time, and none before what it
// changed is on the disk; where that cannot be, it is as if there had been no call, and the answer is an error of the kind "unkept".

import "./modules-only.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { here, Kept, more, network } from "./given.mjs";
import * as signing from "./signing.mjs";

const BEGIN = `
def begin(service, folder):
    from importlib import import_module
    return import_module(service).Service(folder).answer
begin
`;

async function unpacked(path) {
  const got = await network(here + path);
  if (!got.ok) throw new Error(`${path} cannot be fetched: ${got.status}`);
  const data = await got.arrayBuffer(), [first, second] = new Uint8Array(data, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return data; // a server may have unpacked it on its way, by its name
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function runtime(folder) { // Pyodide fetches its standard library by a name; it is handed what has been unpacked
  const library = unpacked("pyodide/python_stdlib.zip.gz"), fetching = globalThis.fetch;
  globalThis.fetch = async (asked, ...how) =>
    String(asked).endsWith("/python_stdlib.zip") ? new Response(await library) : network(asked, ...how);
  try {
    return await loadPyodide({ indexURL: `${here}pyodide/`, env: { HOME: folder }, ...more });
  } finally {
    globalThis.fetch = fetching;
  }
}

async function start({ folder = "/desk", service = "pbem.page.service" } = {}) {
  const packed = unpacked("python.zip.gz");
  const python = await runtime(folder);
  python.registerJsModule("pbem_noble", { ...signing });
  python.unpackArchive(await packed, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
  python.FS.mkdirTree(folder);
  const files = await Kept.open(python.FS, folder), begin = python.runPython(BEGIN);
  const desk = { files, anew: () => { desk.answer?.destroy(); desk.answer = begin(service, folder); } };
  desk.anew();
  return desk;
}

let starting, queue = Promise.resolve();

function begun({ start: wanted }) {
  const began = performance.now();
  starting = start(wanted);
  starting.then(() => postMessage({ ready: Math.round(performance.now() - began) }), (error) => postMessage({ failed: String(error) }));
}

async function answered({ id, request }) {
  const desk = await starting;
  if (!desk.files.writes) { // what the other tab has written meanwhile is read; if it has gone, this one may write
    await desk.files.take();
    if (await desk.files.read()) desk.anew();
  }
  const said = JSON.parse(desk.answer(JSON.stringify(request)));
  try {
    postMessage({ id, answer: said, kept: await desk.files.keep() });
  } catch (error) {
    desk.anew();
    postMessage({ id, answer: { error: { kind: "unkept", text: `Nothing was done, as it could not be kept: ${error.message}` } }, kept: false });
  }
}

addEventListener("message", ({ data }) => {
  if ("start" in data) begun(data);
  else if ("id" in data) queue = queue.then(() => answered(data)).catch((error) => postMessage({ id: data.id, failed: String(error) }));
});
