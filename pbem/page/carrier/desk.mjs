// The page's end of the worker: `const desk = await open()`, then `await desk.ask("games", {…})`.

export class Broken extends Error {} // the worker has died, or never came to life; what it was asked may or may not have been done

const policy = globalThis.trustedTypes?.createPolicy("pbem", { createScriptURL: (address) => address }); // of ours alone: see `open`

export function open(wanted = {}, address = "./worker.mjs") {
  const own = new URL(address, import.meta.url);
  if (own.origin !== location.origin) throw new Broken("The worker is to come from where the page comes from.");
  const worker = new Worker(policy ? policy.createScriptURL(own.href) : own.href, { type: "module" }), waiting = new Map();
  let count = 0, ready, failed;
  const begun = new Promise((well, badly) => { ready = well; failed = badly; });
  const broken = (why) => {
    const error = new Broken(why);
    failed(error);
    for (const { badly } of waiting.values()) badly(error);
    waiting.clear();
    worker.terminate();
  };
  worker.onerror = (event) => broken(event.message || "The worker cannot be loaded.");
  worker.onmessage = ({ data }) => {
    if ("ready" in data) ready(data.ready);
    else if (!("id" in data)) broken(data.failed);
    else {
      const { well, badly } = waiting.get(data.id);
      waiting.delete(data.id);
      if ("failed" in data) badly(new Broken(data.failed));
      else well(data.answer);
    }
  };
  const ask = (call, args = {}, more = {}) => new Promise((well, badly) => {
    waiting.set(count, { well, badly });
    worker.postMessage({ id: count++, call, args, ...more });
  });
  worker.postMessage({ start: wanted });
  return begun.then((milliseconds) => ({ ask, milliseconds, close: () => broken("The desk is closed.") }));
}
