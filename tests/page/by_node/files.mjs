// What the page keeps, with a browser that closes it, throws it away or does not answer: `node files.mjs FILES.mjs`. What was seen is
// printed as JSON, by scenario; tests/page/test_kept.py judges it.

import { pathToFileURL } from "node:url";

const pause = () => new Promise((well) => setImmediate(well));
const error = (name) => new DOMException("the browser says so", name);

class Browser { // IndexedDB as far as the page uses it; `plans` says, for each transaction in turn, what becomes of it
  constructor() { Object.assign(this, { kept: null, plans: [], bases: [], opens: 0, silent: false, transactions: 0 }); }

  open(name, version) {
    const request = { result: null, transaction: { abort: () => { request.aborted = true; } } };
    this.opens += 1;
    this.answer = async () => {
      await pause();
      const made = this.kept === null;
      request.result = new Base(this);
      if (made) {
        this.kept = new Map();
        request.onupgradeneeded?.({ oldVersion: 0 });
        if (request.aborted) {
          this.kept = null;
          request.error = error("AbortError");
          return request.onerror?.();
        }
      }
      this.bases.push(request.result);
      return request.onsuccess?.();
    };
    if (!this.silent) this.answer();
    return request;
  }

  close() { // as it does to a page that was put aside
    for (const base of this.bases.splice(0)) base.ends();
  }
}

class Base {
  constructor(browser) { Object.assign(this, { browser, closed: false, objectStoreNames: { contains: () => true } }); }

  ends() { this.closed = true; this.onclose?.(); }

  close() { this.closed = true; }

  transaction(_store, mode = "readonly") {
    const { browser } = this, plan = (mode === "readwrite" && browser.plans.shift()) || "well", next = new Map(browser.kept);
    browser.transactions += mode === "readwrite";
    if (this.closed || plan === "closing") { this.closed = true; throw error("InvalidStateError"); }
    const made = { error: null, abort() { made.aborted = true; } };
    const asked = (result) => { const request = { result }; setImmediate(() => request.onsuccess?.()); return request; };
    made.objectStore = () => ({
      put: (data, path) => next.set(path, data), delete: (path) => next.delete(path),
      getAllKeys: () => asked([...browser.kept.keys()]), getAll: () => asked([...browser.kept.values()]),
    });
    if (mode === "readwrite") pause().then(() => {
      if (plan === "well" || plan === "lost after") browser.kept = next;
      if (plan === "well") return made.oncomplete();
      made.error = { lost: error("UnknownError"), "lost after": error("UnknownError"), aborted: null, full: error("QuotaExceededError") }[plan];
      made.onabort();
      return plan.startsWith("lost") && this.ends();
    });
    return made;
  }
}

function memory(folder) { // a file system in memory, as Python's in a browser
  const files = new Map();
  return {
    files, mkdirTree() {}, writeFile: (path, data) => files.set(path, data), unlink: (path) => files.delete(path), readFile: (path) => files.get(path),
    stat: (path) => ({ mode: files.has(path) ? 0 : 1 }), isDir: (mode) => mode === 1,
    readdir: (path) => [".", "..", ...new Set([...files.keys()].filter((one) => one.startsWith(path.replace(/\/?$/, "/")))
      .map((one) => one.slice(path.replace(/\/?$/, "/").length).split("/")[0]))],
    write: (path, text) => files.set(`${folder}/${path}`, new TextEncoder().encode(text)),
  };
}

const texts = (kept, folder = "") => kept && Object.fromEntries([...kept].map(([path, data]) => [path.slice(folder.length), new TextDecoder().decode(data)]));

const browser = new Browser();
globalThis.indexedDB = browser;
globalThis.BroadcastChannel = class { postMessage() {} };
Object.defineProperty(globalThis, "navigator", { value: { locks: { request: async (_name, how, held) => { (held ?? how)({}); } } } });
const { Files } = await import(pathToFileURL(process.argv[2]).href);

async function desk() { // one that has kept a file
  Object.assign(browser, new Browser());
  const fs = memory("/desk"), said = [], files = await Files.open(fs, "/desk", (what) => said.push(what));
  fs.write("key", "a key");
  await files.keep();
  fs.write("games/one", "first");
  browser.transactions = 0;
  const keeps = () => files.keep().catch(({ why }) => why);
  const seen = (more) => ({ ...more, kept: texts(browser.kept), memory: texts(fs.files, "/desk/"), keeps: files.keeps, transactions: browser.transactions, said });
  return { fs, files, keeps, seen };
}

const scenarios = {
  async closed() { const { keeps, seen } = await desk(); browser.close(); return seen({ told: await keeps(), opens: browser.opens }); },
  async closed_unsaid() { const { keeps, seen } = await desk(); browser.plans = ["closing"]; return seen({ told: await keeps() }); },
  async lost() { const { keeps, seen } = await desk(); browser.plans = ["lost"]; return seen({ told: await keeps() }); },
  async lost_behind_it() { const { keeps, seen } = await desk(); browser.plans = ["lost after"]; return seen({ told: await keeps() }); },
  async lost_twice() {
    const { fs, keeps, seen } = await desk();
    browser.plans = ["lost", "lost"];
    const first = seen({ told: await keeps() });
    fs.write("games/one", "again");
    return { first, then: seen({ told: await keeps() }) };
  },
  async aborted() { const { keeps, seen } = await desk(); browser.plans = ["aborted"]; return seen({ told: await keeps() }); },
  async full() { const { keeps, seen } = await desk(); browser.plans = ["full"]; return seen({ told: await keeps() }); },
  async thrown_away() {
    const { files, keeps, seen } = await desk();
    let told = 0;
    files.changed = () => { told += 1; };
    browser.kept = null;
    browser.close();
    for (let n = 0; n < 9; n += 1) await pause();
    const heard = told;
    return seen({ heard, told: await keeps() });
  },
  async another() { const { keeps, seen } = await desk(); browser.kept = new Map([["else", new Uint8Array()]]); browser.close(); return seen({ told: await keeps() }); },
  async read_again() { const { files, seen } = await desk(); files.fs.unlink("/desk/games/one"); browser.bases.forEach((base) => { base.closed = true; }); return seen({ other: await files.read() }); },
  async silent() {
    Object.assign(browser, new Browser(), { silent: true });
    const timers = [], { setTimeout: real, clearTimeout: clear } = globalThis, said = [];
    Object.assign(globalThis, { setTimeout: (call, ms, ...given) => timers.push(() => call(...given)), clearTimeout: (n) => { timers[n - 1] = () => {}; } });
    try {
      const opening = Files.open(memory("/desk"), "/desk", (what) => said.push(what));
      await pause();
      const quick = [...said];
      timers.forEach((call) => call());
      const late = [...said];
      browser.answer();
      return { quick, late, keeps: (await opening).keeps, said };
    } finally {
      Object.assign(globalThis, { setTimeout: real, clearTimeout: clear });
    }
  },
};

const found = {};
for (const [name, scenario] of Object.entries(scenarios)) found[name] = await scenario();
console.log(JSON.stringify(found));
