// The page's end of the worker: `const desk = await open()`, then `await desk.ask({ call: "games" })`.

import { PAGE } from "./made.mjs";

export class Broken extends Error { // the worker has died, or never came to life; `why` is a word for the face
  constructor(why, said = "") {
    super(said || why);
    this.why = why;
  }
}

const policy = globalThis.trustedTypes?.createPolicy("pbem-worker", { createScriptURL: (address) => address }); // only for what `ours` has looked at

const ours = (address) => { // the address of a file beside this one, and of no other
  const own = new URL(address, import.meta.url);
  if (own.origin !== location.origin) throw new Broken("stopped", "A worker is to come from where the page comes from.");
  return policy ? policy.createScriptURL(own.href) : own.href;
};

export const offline = () => navigator.serviceWorker?.register(ours("./offline.js")); // from then on the page comes up without a network

const keep = (path) => navigator.serviceWorker?.ready.then(({ active }) => active.postMessage({ keep: path }), () => {}); // for when there is no network

let asked = false;
function lasting() { // that the browser does not throw it away when room is short; it may ask its user, once is enough
  if (!asked) navigator.storage?.persist?.().catch(() => {});
  asked = true;
}

// `hear` is called with what the worker says besides answers: {loads}, {keeps, why, anew}, {done, all} of a long call
export function open(wanted = {}, address = "./worker.mjs", hear = () => {}) {
  const worker = typeof address === "function" ? address() : new Worker(ours(address), { type: "module" }), waiting = new Map();
  let count = 0, ready, failed;
  const begun = new Promise((well, badly) => { ready = well; failed = badly; });
  const broken = (why, said) => {
    const error = new Broken(why, said);
    failed(error);
    for (const { badly } of waiting.values()) badly(error);
    waiting.clear();
    worker.terminate();
    gone = error;
  };
  let gone = null;
  worker.onerror = (event) => broken("unloaded", event.message);
  worker.onmessage = ({ data }) => {
    if ("ready" in data) { ready(data.ready); hear(data); }
    else if ("failed" in data) broken(data.failed, data.said); // Python has died: nothing more is to be had from it
    else if ("answer" in data) {
      waiting.get(data.id)?.well(data);
      waiting.delete(data.id);
    } else if ("later" in data) keep(data.later);
    else hear(data);
  };
  const sent = (request) => new Promise((well, badly) => {
    if (gone) throw gone;
    waiting.set(count, { well, badly });
    worker.postMessage({ id: count++, request });
  });
  async function ask(request) {
    const { answer, kept } = await sent(request);
    if (kept) lasting();
    return answer;
  }
  const seen = (what) => { if (!gone) worker.postMessage({ seen: what }); };
  worker.postMessage({ start: { page: PAGE, visit: navigator.serviceWorker?.controller ? "later" : "first", ...wanted } });
  return begun.then((milliseconds) => ({ ask, seen, milliseconds, close: (why = "closed") => broken(why) }));
}
