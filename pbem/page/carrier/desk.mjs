// The page's end of the worker: `const desk = await open()`, then `await desk.ask({ call: "games" })`.

export class Broken extends Error {} // the worker has died, or never came to life

const policy = globalThis.trustedTypes?.createPolicy("pbem-worker", { createScriptURL: (address) => address }); // only for what `ours` has looked at

const ours = (address) => { // the address of a file beside this one, and of no other
  const own = new URL(address, import.meta.url);
  if (own.origin !== location.origin) throw new Broken("A worker is to come from where the page comes from.");
  return policy ? policy.createScriptURL(own.href) : own.href;
};

export const offline = () => navigator.serviceWorker?.register(ours("./offline.js")); // from then on the page comes up without a network

export function open(wanted = {}, address = "./worker.mjs") {
  const worker = typeof address === "function" ? address() : new Worker(ours(address), { type: "module" }), waiting = new Map();
  let count = 0, ready, failed;
  const begun = new Promise((well, badly) => { ready = well; failed = badly; });
  const broken = (why) => {
    failed(new Broken(why));
    for (const { badly } of waiting.values()) badly(new Broken(why));
    waiting.clear();
    worker.terminate();
  };
  worker.onerror = (event) => broken(event.message || "The worker cannot be loaded.");
  worker.onmessage = ({ data }) => {
    if ("ready" in data) ready(data.ready);
    else if (!("id" in data)) broken(data.failed);
    else if ("failed" in data) broken(data.failed); // Python has died: nothing more is to be had from it
    else {
      waiting.get(data.id)?.well(data);
      waiting.delete(data.id);
    }
  };
  const asked = (request) => new Promise((well, badly) => {
    waiting.set(count, { well, badly });
    worker.postMessage({ id: count++, request });
  });
  async function ask(request) {
    const { answer, kept } = await asked(request);
    if (kept) navigator.storage?.persist?.(); // that the browser does not throw it away when room is short
    return answer;
  }
  worker.postMessage({ start: wanted });
  return begun.then((milliseconds) => ({ ask, milliseconds, close: () => broken("The desk is closed.") }));
}
