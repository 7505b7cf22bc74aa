// The desk's folder: in the memory of Python, and in IndexedDB. What a call has changed is written in one transaction that is on the
// disk when it is done ("strict"), before anything of the answer is shown. Of two tabs the one that holds the lock writes.

const STORE = "files", LOCK = "pbem-desk";
const done = (request) => new Promise((well, badly) => { request.onsuccess = () => well(request.result); request.onerror = () => badly(request.error); });

function opened(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  request.onblocked = () => {};
  return done(request);
}

export const same = (a, b) => a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i]));

export class Files {
  constructor(fs, folder, base) {
    Object.assign(this, { fs, folder, base, kept: new Map(), writes: false });
  }

  static async open(fs, folder, name = "pbem") {
    const files = new this(fs, folder, await opened(name));
    await files.take();
    await files.read();
    return files;
  }

  async take() { // the right to write, where no other tab has it; it is held as long as the worker lives
    if (this.writes) return;
    await new Promise((well) => {
      navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
        this.writes = lock !== null;
        well();
        return lock && new Promise(() => {});
      }).catch(well);
    });
  }

  async read() { // lets the folder be as it was kept; true where that was another than before
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

  async keep() { // returns whether anything had changed; throws where it cannot be kept, and then memory is as it was kept before
    const now = this.now();
    const gone = [...this.kept.keys()].filter((path) => !now.has(path));
    const changed = [...now].filter(([path, data]) => !same(data, this.kept.get(path)));
    if (gone.length + changed.length === 0) return false;
    try {
      if (!this.writes) throw new DOMException("Another tab has this desk open, and only one may write. Go on there, or close it.", "NoModificationAllowedError");
      await this.written(gone, changed);
    } catch (error) {
      this.restore();
      throw error;
    }
    this.kept = now;
    return true;
  }

  written(gone, changed) {
    return new Promise((well, badly) => {
      const transaction = this.base.transaction(STORE, "readwrite", { durability: "strict" }), store = transaction.objectStore(STORE);
      transaction.oncomplete = well;
      transaction.onabort = () => badly(transaction.error ?? new DOMException("The browser has given up writing.", "AbortError"));
      for (const path of gone) store.delete(path);
      for (const [path, data] of changed) store.put(data, path);
    });
  }
}
