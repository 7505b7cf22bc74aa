// The desk's folder: in the memory of Python, and in IndexedDB. What a call has changed is written in one transaction that is on the
// disk when it is done ("strict"), before anything of the answer is shown. Of two tabs the one that holds the lock writes; the other
// reads, and takes the lock over when it is let go. Where the browser keeps nothing, what is played alone stays in memory as long as
// the tab does, and nothing else is done at all.

const STORE = "files", LOCK = "pbem-desk";
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

function opened(name, waits) { // `waits` is called while another tab holds a desk of an older form
  const request = indexedDB.open(name, FORM);
  request.onupgradeneeded = () => request.result.objectStoreNames.contains(STORE) || request.result.createObjectStore(STORE);
  request.onblocked = waits;
  return done(request);
}

export function same(a, b) {
  if (a === b || a === undefined || b === undefined || a.length !== b.length) return a === b;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false; // a function for each byte would take ten times as long
  return true;
}

export class Files {
  constructor(fs, folder) {
    Object.assign(this, { fs, folder, base: null, kept: new Map(), writes: false, stale: false, lost: null, freed: () => {}, changed: () => {} });
  }

  // throws Unkept ("newer") where a newer page has written the desk; where nothing can be kept, `lost` says why
  static async open(fs, folder, waits = () => {}, name = "pbem") {
    const files = new this(fs, folder);
    try {
      files.base = await opened(name, waits);
      files.base.onclose = () => files.lose(new Unkept("gone")); // its reader has thrown away what the browser keeps
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
    const store = this.base.transaction(STORE).objectStore(STORE);
    const [paths, datas] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
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

  written(gone, changed) {
    return new Promise((well, badly) => {
      if (!this.writes) throw new Unkept("tab");
      const transaction = this.base.transaction(STORE, "readwrite", { durability: "strict" }), store = transaction.objectStore(STORE);
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
}
