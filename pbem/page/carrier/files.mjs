// The desk's folder: in the memory of Python, and in IndexedDB. What a call has changed is written in one transaction that is on the
// disk when it is done ("strict"), before anything of the answer is shown. Of two tabs the one that holds the lock writes; the other
// reads, and takes the lock over when it is let go. Where the browser keeps nothing, what is played alone stays in memory as long as
// the tab does, and nothing else is done at all. A browser may close the base of a page that it has put aside (Safari does): then it is
// opened again when it is wanted, and what was being written is written once more.

const STORE = "files", LOCK = "pbem-desk";
const SILENT = 5000; // after so many milliseconds a reader is told that the browser does not open what it keeps
const CLOSED = new Set(["InvalidStateError", "UnknownError", "AbortError"]); // what a browser says of a base that it has closed
const BEARABLE = /^(alone\/|notes\/|saved$)/; // may be lost with the tab: nothing in it was signed
export const FORM = 1; // of what lies in IndexedDB: raised where an older page could not read what a newer one writes, or would harm it

export class Unkept extends Error { // why: "tab", "full", "refused", "gone", "failed"; "newer" where the desk cannot be opened at all
  constructor(why, said = "") {
    super(said);
    this.why = why;
  }
}

const NAMED = { QuotaExceededError: "full", VersionError: "newer" };
const unkept = (error, otherwise) => (error instanceof Unkept ? error : new Unkept(NAMED[error?.name] ?? otherwise, error?.message ?? ""));
const done = (request) => new Promise((well, badly) => { request.onsuccess = () => well(request.result); request.onerror = () => badly(request.error); });

// `waits` is called with "blocked" while another tab holds a desk of an older form, with "silent" where nothing answers, and with "" when
// it does at last; `again`: it has held something before, and is not made anew. Throws Unkept ("gone") where that was thrown away
async function opened(name, waits, again) {
  const request = indexedDB.open(name, FORM);
  let told = false, gone = false;
  const tell = (what) => { told = true; waits(what); }, silent = setTimeout(tell, SILENT, "silent");
  request.onupgradeneeded = ({ oldVersion }) => {
    gone = again && oldVersion === 0;
    if (gone) request.transaction.abort();
    else if (!request.result.objectStoreNames.contains(STORE)) request.result.createObjectStore(STORE);
  };
  request.onblocked = () => tell("blocked");
  try {
    return await done(request);
  } catch (error) {
    throw gone ? new Unkept("gone") : error;
  } finally {
    clearTimeout(silent);
    if (told) waits("");
  }
}

const both = (one, other) => one.size === other.size && [...one].every((each) => other.has(each));

function transacted(base, gone, changed) { // all of it, or nothing
  return new Promise((well, badly) => {
    const transaction = base.transaction(STORE, "readwrite", { durability: "strict" }), store = transaction.objectStore(STORE);
    transaction.oncomplete = well;
    transaction.onabort = () => badly(transaction.error ?? new Unkept("failed"));
    try {
      for (const path of gone) store.delete(path);
      for (const [path, data] of changed) store.put(data, path);
    } catch (error) {
      badly(error);
      try {
        transaction.abort(); // else the half of it would be written
      } catch { /* it has ended already */ }
    }
  });
}

export function same(a, b) {
  if (a === b || a === undefined || b === undefined || a.length !== b.length) return a === b;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false; // a function for each byte would take ten times as long
  return true;
}

export class Files {
  constructor(fs, folder) {
    Object.assign(this, { fs, folder, base: null, opening: null, paths: new Set(), coming: new Set(), kept: new Map(), writes: false, stale: false, lost: null, freed: () => {}, changed: () => {} });
  }

  // throws Unkept ("newer") where a newer page has written the desk; where nothing can be kept, `lost` says why
  static async open(fs, folder, waits = () => {}, name = "pbem") {
    const files = Object.assign(new this(fs, folder), { name, waits });
    try {
      await files.through(() => {});
      await files.take();
      await files.read();
    } catch (error) {
      if (unkept(error).why === "newer") throw unkept(error);
      files.lose(unkept(error, "refused"));
    }
    return files;
  }

  get keeps() { return this.lost ? "nowhere" : this.writes ? "all" : "reads"; }

  lose(error) {
    Object.assign(this, { base: null, writes: false, lost: error });
    this.changed();
  }

  async connected() { // the base, opened where it is not. Throws Unkept ("gone") where its reader has thrown away what was kept
    if (this.lost) throw this.lost;
    while (!this.base) await (this.opening ??= this.connect().finally(() => { this.opening = null; }));
    return this.base;
  }

  async connect() {
    try {
      const again = this.paths.size > 0, base = await opened(this.name, this.waits, again);
      base.onclose = () => {
        if (this.base !== base) return;
        this.base = null;
        this.connected().catch(() => {}); // so that a reader hears of it at once where it is gone
      };
      const paths = again && this.writes ? new Set(await done(base.transaction(STORE).objectStore(STORE).getAllKeys())) : null;
      if (paths && !both(paths, this.paths) && !both(paths, this.coming)) throw new Unkept("gone");
      this.base = base;
    } catch (error) {
      if (error.why === "gone") this.lose(error);
      throw error;
    }
  }

  async through(work) { // works with the base; once more where the browser has closed it meanwhile: what was written is the same then
    try {
      return await work(await this.connected());
    } catch (error) {
      if (this.lost || !CLOSED.has(error?.name)) throw error;
      this.base?.close();
      this.base = null;
      return work(await this.connected());
    }
  }

  async take() { // the right to write, at once where no other tab has it; else `freed` is called when it has come
    const held = () => new Promise(() => {}); // as long as the worker lives
    this.writes = await new Promise((well, badly) => {
      navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => { well(lock !== null); return lock && held(); }).catch(badly);
    });
    this.channel = new BroadcastChannel(LOCK);
    this.channel.onmessage = () => { this.stale = true; };
    if (!this.writes) navigator.locks.request(LOCK, () => { this.freed(); return held(); }).catch(() => {});
  }

  async read() { // lets the folder be as it was kept; true where that was another than before
    this.stale = false;
    const before = this.kept;
    this.kept = await this.stored();
    this.restore();
    return before.size !== this.kept.size || [...this.kept].some(([path, data]) => !same(data, before.get(path)));
  }

  async stored() { // what the browser keeps, by path
    const [paths, datas] = await this.through((base) => {
      const store = base.transaction(STORE).objectStore(STORE);
      return Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    });
    this.paths = this.coming = new Set(paths);
    return new Map(paths.map((path, i) => [path, datas[i]]));
  }

  restore() { // lets the memory hold what is kept, and nothing else
    const now = this.now();
    for (const path of now.keys()) if (!this.kept.has(path)) this.fs.unlink(`${this.folder}/${path}`);
    for (const [path, data] of this.kept) {
      if (same(now.get(path), data)) continue;
      this.fs.mkdirTree(`${this.folder}/${path}`.split("/").slice(0, -1).join("/"));
      this.fs.writeFile(`${this.folder}/${path}`, data);
    }
  }

  now() { // what lies in memory, by path
    const found = new Map(), todo = [""];
    while (todo.length > 0) {
      const below = todo.pop();
      for (const name of this.fs.readdir(`${this.folder}/${below}`)) {
        if (name === "." || name === "..") continue;
        const path = below + name, whole = `${this.folder}/${path}`;
        if (this.fs.isDir(this.fs.stat(whole).mode)) todo.push(`${path}/`);
        else found.set(path, this.fs.readFile(whole));
      }
    }
    return found;
  }

  async keep() { // returns whether anything was kept; throws Unkept where it cannot be, and then memory is as it was kept before
    const now = this.now();
    const gone = [...this.kept.keys()].filter((path) => !now.has(path));
    const changed = [...now].filter(([path, data]) => !same(data, this.kept.get(path)));
    if (gone.length + changed.length === 0) return false;
    try {
      if (this.lost && [...gone, ...changed.map(([path]) => path)].some((path) => !BEARABLE.test(path))) throw this.lost;
      if (!this.lost) await this.written(gone, changed);
    } catch (error) {
      this.restore();
      throw unkept(error, this.lost ? "gone" : "failed");
    }
    this.kept = now;
    if (!this.lost) this.channel.postMessage("kept");
    return !this.lost;
  }

  async written(gone, changed) {
    if (!this.writes) throw new Unkept("tab");
    this.coming = new Set(this.paths);
    for (const path of gone) this.coming.delete(path);
    for (const [path] of changed) this.coming.add(path);
    await this.through((base) => transacted(base, gone, changed));
    this.paths = this.coming;
  }
}
