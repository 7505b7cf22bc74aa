// The worker in which pbem runs: Python for browsers, the packages of python.zip.zst, and the desk's service.
//
// In: {start: {folder, service, page}} once, then {id, request}, and {seen} of what the next visit begins with. Out: {loads: {done, all}} in bytes, {loads: "blocked"} while a tab of
// an older page has the desk, {loads: "silent"} while the browser does not open what it keeps, and {loads: ""} when it does; {ready: milliseconds, keeps} or {failed: why, said}; {keeps, why, anew} when that has changed; {id,
// done, all} while a long call runs, {later: path} where something was fetched that is to be kept; then {id, answer, kept} or {id, failed}, where answer is what `Service.answer` says. Calls are
// answered in their order, one at a time, and none before what it changed is on the disk; where that cannot be, it is as if there had
// been no call, and the answer is an error of the kind "unkept" without words, for the face to put into its reader's language.
// It only carries calls: `pbem/page/service.py` signs an order (`_sign`).

import "./modules-only.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { Unkept } from "./files.mjs";
import { here, Kept, more, network } from "./given.mjs";
import * as lastseen from "./lastseen.mjs";
import { PAGE, SIZES } from "./made.mjs";
import { fetched as lent, later, names as lends } from "./shelf.mjs";
import * as signing from "./signing.mjs";
import { lay } from "./unzip.mjs";

const BEGIN = `
from pbem.page.later import look_there
look_there()
def begin(service, folder, told):
    from importlib import import_module
    from pbem.page.lent import fetched
    made = import_module(service).Service(folder)
    made.told, made.lends = told, fetched
    return made
begin
`;
const UNPACK = `
from sys import modules
from _zstd import ZstdDecompressor
def unpack(packed, here):
    for name, module in [*modules.items()]: # of a package that is there by half, the other half lies here
        if ".zip/" in ([*getattr(module, "__path__", ())] or [""])[0]:
            module.__path__.append(f"{here}/{name.replace('.', '/')}")
    return ZstdDecompressor().decompress(packed.to_bytes())
unpack
`;
const LOOKS = new Set(["about", "words", "games", "position", "story", "closing", "opinion", "touches", "template", "odds", "letters", "choices", "check", "rules", "place", "log", "save", "doors", "link", "puzzles", "puzzle", "solve", "solution", "rulebook", "step", "leads", "learn"]);
// What they set right on their way may be left for another time.
const GLANCES = new Set(["words", "position", "story", "closing", "opinion", "touches", "template", "odds", "puzzles", "puzzle", "solution", "rulebook", "step", "leads", "learn"]); // these write nothing: the folder need not be gone through
const FORGETS = new Set(["forget", "restore", "key"]); // with them goes what was seen last: it is another desk, or a game less
const HALF = new Set(["world", "program"]);
let first = false; // a first visit. Later ones do not count the bytes of WebAssembly: a browser keeps what it compiled of an answer of its own
const ALL = Object.values(SIZES).reduce((sum, size) => sum + size, 0), DONE = {}; // bytes that are to be loaded, and that were

class Unloaded extends Error { why = "unloaded"; }

function counted(answer, path) { // the answer to a request, whose bytes are counted as they come
  let count = 0;
  const tells = new TransformStream({ transform(piece, through) {
    count += piece.length;
    DONE[path] = Math.min(count, SIZES[path]);
    postMessage({ loads: { done: Object.values(DONE).reduce((sum, size) => sum + size, 0), all: ALL } });
    through.enqueue(piece);
  } });
  return new Response(answer.body.pipeThrough(tells), { status: answer.status, headers: answer.headers });
}

async function fetched(asked, ...how) {
  const path = String(asked?.url ?? asked).slice(here.length);
  let got;
  try {
    got = await network(asked, ...how);
  } catch (error) {
    throw new Unloaded(`${path}: ${error.message}`);
  }
  if (!got.ok) throw new Unloaded(`${path}: ${got.status}`);
  return path in SIZES && got.body && (first || /\.(gz|zst)$/.test(path)) ? counted(got, path) : got;
}

async function unpacked(path) {
  const got = await fetched(here + path);
  const data = await got.arrayBuffer(), [first, second] = new Uint8Array(data, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return data; // a server may have unpacked it on its way, by its name
  return new Response(new Response(data).body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

let lose;
const lost = new Promise((well, badly) => { lose = badly; }); // Pyodide waits for ever where its WebAssembly did not come, or could not be compiled
lost.catch(() => {});
addEventListener("unhandledrejection", ({ reason }) => lose(reason));
const needed = (call) => async (...given) => { // what fails here fails the start, whoever has caught it
  try {
    return await call(...given);
  } catch (error) {
    lose(error);
    throw error;
  }
};

async function runtime(folder) { // Pyodide fetches its standard library by a name; it is handed what has been unpacked
  const library = unpacked("pyodide/python_stdlib.zip.gz"), fetching = globalThis.fetch, compiling = WebAssembly.instantiateStreaming;
  library.catch(() => {}); // it is thrown where it is waited for
  globalThis.fetch = needed(async (asked, ...how) =>
    String(asked).endsWith("/python_stdlib.zip") ? new Response(await library) : fetched(asked, ...how));
  WebAssembly.instantiateStreaming = needed((...given) => compiling.apply(WebAssembly, given));
  try {
    return await Promise.race([loadPyodide({ indexURL: `${here}pyodide/`, env: { HOME: folder }, ...more }), lost]);
  } catch (error) {
    await library; // why it could not be
    throw error;
  } finally {
    globalThis.fetch = fetching;
    WebAssembly.instantiateStreaming = compiling;
  }
}

function extracted(python, packed) { // its files, laid where Python finds modules: Python itself would take ten times as long
  const here = python.runPython("from site import getsitepackages; getsitepackages()[0]"), unpack = python.runPython(UNPACK), all = unpack(packed, here);
  lay(python.FS, here, all.getBuffer("u8").data.slice());
  all.destroy();
  unpack.destroy();
  python.runPython("from importlib import invalidate_caches; invalidate_caches()");
}

async function start({ folder = "/desk", service = "pbem.page.service", page = PAGE, visit = "first" } = {}) {
  first = visit === "first";
  if (page !== PAGE) throw Object.assign(new Error(`${page}, ${PAGE}`), { why: "mixed" });
  const packed = fetched(`${here}python.zip.zst`).then((got) => got.arrayBuffer());
  packed.catch(() => {});
  const python = await runtime(folder);
  python.registerJsModule("pbem_noble", { ...signing });
  python.registerJsModule("pbem_shelf", { names: lends, fetched: lent, later });
  extracted(python, new Uint8Array(await packed));
  python.FS.mkdirTree(folder);
  const files = await Kept.open(python.FS, folder, (why) => postMessage({ loads: why })), begin = python.runPython(BEGIN);
  const desk = { fs: python.FS, folder, files, running: null, anew: () => { desk.service?.destroy(); desk.service = begin(service, folder, told); } };
  const told = (done, all) => { postMessage({ id: desk.running, done, all }); };
  desk.anew();
  files.changed = () => postMessage(keeping(desk));
  files.freed = () => { queue = queue.then(() => taken(desk)); };
  return desk;
}

const fleeting = async () => !(await navigator.storage?.persisted?.().catch(() => false)); // may the browser throw away what is kept?

const keeping = ({ files }) => ({ keeps: files.keeps, why: files.lost?.why ?? "", said: files.lost?.message ?? "" });

async function taken(desk) { // the tab that wrote has gone: this one goes on, from what is kept
  desk.files.writes = true;
  const anew = await desk.files.read();
  if (anew) desk.anew();
  postMessage({ ...keeping(desk), anew });
}

let starting, queue = Promise.resolve();

function begun({ start: wanted }) {
  const began = performance.now();
  starting = start(wanted);
  starting.then((desk) => postMessage({ ready: Math.round(performance.now() - began), ...keeping(desk) }),
    (error) => postMessage({ failed: error.why ?? "stopped", said: String(error?.message ?? error) }));
}

async function answered({ id, request }) {
  const desk = await starting, { files } = desk;
  if (files.keeps === "reads" && files.stale && await files.read()) desk.anew(); // what the other tab has written meanwhile
  desk.running = id;
  desk.service.fleeting = await fleeting();
  const said = JSON.parse(desk.service.answer(JSON.stringify(request)));
  if (HALF.has(said.error?.kind)) { // it broke off where nobody had foreseen it: no half of it stays
    files.restore();
    desk.anew();
  }
  if (FORGETS.has(request.call)) lastseen.forget(desk);
  try {
    postMessage({ id, answer: said, kept: !GLANCES.has(request.call) && await files.keep() });
  } catch (error) {
    if (!(error instanceof Unkept)) throw error;
    desk.anew();
    const answer = LOOKS.has(request.call) ? said : { error: { kind: "unkept", why: error.why, text: "", said: error.message } };
    postMessage({ id, answer, kept: false });
  }
}

addEventListener("message", ({ data }) => {
  if ("start" in data) begun(data);
  else if ("seen" in data) queue = queue.then(async () => lastseen.write(await starting, data.seen)).catch(() => {});
  else if ("id" in data) queue = queue.then(() => answered(data)).catch((error) => postMessage({ id: data.id, failed: "stopped", said: String(error) }));
});
