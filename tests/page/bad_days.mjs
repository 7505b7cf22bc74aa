// The page on bad days, in a headless Chromium: `node tests/page/bad_days.mjs MODULES ADDRESS TASKS.json NAME…`, where MODULES is a folder
// with puppeteer-core. Each name is a scenario of below; what was seen is printed as JSON, by name. tests/page/test_bad_days.py judges it.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, address, tasks, ...names] = process.argv.slice(2);
const required = createRequire(pathToFileURL(`${resolve(modules)}/`));
const { default: puppeteer } = await import(pathToFileURL(required.resolve("puppeteer-core")).href);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-quic"];
const PATIENCE = 60_000;
const { desk, log, invitation } = JSON.parse(readFileSync(tasks, "utf-8"));

const launched = (more = {}) => puppeteer.launch({ executablePath: process.env.CHROMIUM, headless: true, args: FLAGS, protocolTimeout: PATIENCE, ...more });
const browser = await launched();
const post = (what) => fetch(`${address}${what}`, { method: "POST", body: "" });

// -- a desk without a face, and the face

async function tab(context, path = "empty") {
  const page = await context.newPage();
  await page.goto(`${address}${path}`);
  return page;
}

const begin = (page) => page.evaluate(async () => {
  const { open } = await import("/desk.mjs");
  window.heard = [];
  const began = performance.now();
  window.desk = await open({}, undefined, (what) => window.heard.push(what));
  return Math.round(performance.now() - began);
});
const ask = (page, request) => page.evaluate((request) => window.desk.ask(request), request);
const keeps = (page, state) => page.waitForFunction((state) => window.heard.findLast((one) => one.keeps)?.keeps === state, { timeout: PATIENCE }, state);
const fresh = async (path) => tab(await browser.createBrowserContext(), path);

async function seated(context) { // a desk with a game by mail, in which it is its turn: the page, and what one signs first
  const page = await tab(context);
  await begin(page);
  await ask(page, { call: "restore", data: desk });
  return { page, ...(await turn(page)) };
}

async function turn(page) {
  const { ok: { games: [{ game }] } } = await ask(page, { call: "games" });
  const { ok: { touches } } = await ask(page, { call: "touches", game });
  return { game, texts: touches.filter(({ closes }) => closes).map(({ draft }) => draft.join("\n")) };
}

const sign = (page, game, text) => ask(page, { call: "sign", game, text, anyway: true });
const stored = (page) => page.evaluate(() => new Promise((well, badly) => { // what IndexedDB holds, whatever any program says of it
  const request = indexedDB.open("pbem");
  request.onerror = () => badly(request.error);
  request.onsuccess = () => {
    const keys = request.result.transaction("files").objectStore("files").getAllKeys();
    keys.onsuccess = () => { well({ version: request.result.version, paths: keys.result.sort() }); request.result.close(); };
  };
}));

async function faced(context, language = "en", offline = false, ready = "body[data-ready]") { // the face, as a reader sees it
  const page = await context.newPage();
  if (!offline) await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, "serviceWorker", { value: undefined })); // what is served is what comes
  await page.evaluateOnNewDocument((language) => {
    Object.defineProperty(navigator, "languages", { value: [language] });
    try { localStorage.removeItem("pbem.language"); } catch { /* nothing is remembered there */ }
    window.seen = new Set();
    const look = () => { const text = document.getElementById("state")?.innerText.trim(); if (text) window.seen.add(text); };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  }, language);
  await page.goto(`${address}index.html`);
  await page.waitForSelector(ready, { timeout: PATIENCE });
  return page;
}

const state = (page) => page.$eval("#state", (node) => node.innerText.trim());
const alert = (page) => page.$eval("#app [role=alert]", (node) => node.innerText.trim());
const stateSays = (page, part) => page.waitForFunction((part) => document.getElementById("state").innerText.includes(part), { timeout: PATIENCE }, part);
const quiet = (page) => page.waitForFunction(() => !document.getElementById("state").innerText.trim(), { timeout: PATIENCE });

const SEEN = "alone/.seen"; // what the next visit begins with
const lies = (page, path) => page.evaluate((path) => new Promise((well, badly) => { // what is kept there, as text; "" where nothing is
  const request = indexedDB.open("pbem");
  request.onerror = () => badly(request.error);
  request.onsuccess = () => {
    const found = request.result.transaction("files").objectStore("files").get(path);
    found.onsuccess = () => { well(found.result ? new TextDecoder().decode(found.result) : ""); request.result.close(); };
  };
}), path);
const lays = (page, path, text) => page.evaluate((path, text) => new Promise((well, badly) => { // what another program has written there
  const request = indexedDB.open("pbem");
  request.onerror = () => badly(request.error);
  request.onsuccess = () => {
    const made = request.result.transaction("files", "readwrite");
    made.objectStore("files").put(new TextEncoder().encode(text), path);
    made.oncomplete = () => { request.result.close(); well(); };
  };
}), path, text);

async function until(look, holds) { // what is looked at again and again until it holds
  for (;;) {
    const found = await look();
    if (holds(found)) return found;
  }
}

async function unprogrammed(context, place, more = "main.last, #nothing") { // the page whose program never comes: what is seen then
  const page = await context.newPage(), asked = [];
  await page.evaluateOnNewDocument(() => {
    globalThis.Worker = class { postMessage() {} terminate() {} };
    globalThis.broken = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => globalThis.broken.push(`${violatedDirective} ${blockedURI}`));
  });
  page.on("request", (one) => { if (!one.url().startsWith(address) && !one.url().startsWith("data:")) asked.push(one.url()); });
  await page.goto(`${address}index.html${place}`);
  await page.waitForSelector(more, { timeout: PATIENCE });
  const found = await page.evaluate(() => {
    const main = document.querySelector("main"), drawing = main.querySelector(".drawn-last")?.shadowRoot;
    const all = [...main.querySelectorAll("*"), ...drawing?.querySelectorAll("*") ?? []];
    return {
      last: main.classList.contains("last"), inert: main.inert, text: main.innerText, rows: [...main.querySelectorAll(".rows li")].map((row) => row.innerText),
      drawn: drawing?.querySelectorAll("[data-at]").length ?? 0, hands: all.filter((one) => ["A", "BUTTON", "FORM", "INPUT", "SELECT"].includes(one.tagName)).length,
      names: [...new Set([...drawing?.querySelectorAll("*") ?? []].flatMap((one) => [one.localName, ...[...one.attributes].filter(({ name }) => /^on|href$|^style$/.test(name)).map(({ name, value }) => `${name}=${value.slice(0, 40)}`)]))],
      broken: globalThis.broken,
    };
  });
  await page.close();
  return { ...found, asked };
}

async function plays(page, game = "lords") { // a game alone by the face: begun, and one order
  await page.bringToFront();
  await page.waitForSelector(`#${game}-seat`, { timeout: PATIENCE });
  await page.$eval(`form:has(#${game}-seat) button[type=submit]`, (button) => button.click());
  await page.waitForSelector("main.game:not(.busy) .touches button", { timeout: PATIENCE });
  return page.$$eval(".moments > li", (rows) => rows.length);
}

const scenarios = {
  // -- storage

  async refused() { // a browser in which nothing may be kept: a reader's own setting
    const folder = mkdtempSync(join(tmpdir(), "refused-"));
    mkdirSync(join(folder, "Default"));
    writeFileSync(join(folder, "Default", "Preferences"), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }));
    const other = await launched({ userDataDir: folder });
    try {
      const page = await faced(other, "fr"), found = { state: await state(page), moments: await plays(page) };
      const bare = await tab(other);
      found.broken = await bare.evaluate(() => { try { return String(localStorage); } catch (error) { return error.name; } });
      await begin(bare);
      found.keeps = await bare.evaluate(() => window.heard.findLast((one) => one.keeps));
      found.key = await ask(bare, { call: "key", address: "ann@example.org" });
      found.restored = await ask(bare, { call: "restore", data: desk });
      found.about = await ask(bare, { call: "about" });
      return found;
    } finally {
      await other.close();
    }
  },

  async full() { // no room is left in the middle of a game: nothing is signed; with room again it is
    const context = await browser.createBrowserContext(), devtools = await (await tab(context)).createCDPSession();
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: address.slice(0, -1), quotaSize: 500_000 });
    const { page, game, texts } = await seated(context), before = await stored(page);
    await page.evaluate(async () => { // what is left is filled by something else of this origin
      const request = indexedDB.open("else");
      request.onupgradeneeded = () => request.result.createObjectStore("all");
      await new Promise((well) => { request.onsuccess = well; });
      const put = (size) => new Promise((well) => {
        const made = request.result.transaction("all", "readwrite", { durability: "strict" });
        [made.oncomplete, made.onabort] = [() => well(true), () => well(false)];
        made.objectStore("all").put(crypto.getRandomValues(new Uint8Array(size)), crypto.randomUUID());
      });
      for (let size = 65536; size >= 256; size /= 2) while (await put(size));
      request.result.close();
    });
    const refused = await sign(page, game, texts[0]), after = await stored(page);
    const games = await ask(page, { call: "games" }), letters = await ask(page, { call: "letters" });
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: address.slice(0, -1) });
    return { before, refused, after, games, letters, signed: await sign(page, game, texts[0]) };
  },

  async aborted() { // a transaction fails at each of its writes; nothing of it stays
    const { page, game, texts } = await seated(await browser.createBrowserContext());
    const before = await stored(page), [worker] = page.workers(), found = { before, tries: [] };
    for (const how of ["abort", "throw"]) {
      for (const at of [1, 2]) {
        await worker.evaluate((how, at) => {
          const { put } = IDBObjectStore.prototype;
          let count = 0;
          self.mend = () => { IDBObjectStore.prototype.put = put; };
          IDBObjectStore.prototype.put = function (...given) {
            count += 1;
            if (count === at && how === "throw") throw new DOMException("no", "DataError");
            const made = put.apply(this, given);
            if (count === at) this.transaction.abort();
            return made;
          };
        }, how, at);
        const refused = await sign(page, game, texts[0]);
        await worker.evaluate(() => self.mend());
        found.tries.push({ refused, after: await stored(page) });
      }
    }
    return { ...found, signed: await sign(page, game, texts[0]) };
  },

  async thrown_away() { // the browser, or its reader, deletes what is kept while the page is open
    const { page, game, texts } = await seated(await browser.createBrowserContext());
    const devtools = await page.createCDPSession();
    await devtools.send("Storage.clearDataForOrigin", { origin: address.slice(0, -1), storageTypes: "indexeddb" });
    await page.waitForFunction(() => true);
    const refused = await sign(page, game, texts[0]);
    const saved = await ask(page, { call: "save" });
    return { refused, keeps: await page.evaluate(() => window.heard.findLast((one) => one.keeps)), saved: Object.keys(saved), size: saved.ok?.data.length };
  },

  async closed() { // the browser closes the base of a page that it has put aside: what is signed then is kept all the same
    const { page, game, texts } = await seated(await browser.createBrowserContext()), before = await stored(page), [worker] = page.workers();
    await worker.evaluate(() => {
      const { transaction } = IDBDatabase.prototype;
      let closes = true;
      IDBDatabase.prototype.transaction = function (...given) {
        if (closes) this.close();
        closes = false;
        return transaction.apply(this, given);
      };
    });
    const signed = await sign(page, game, texts[0]);
    return { before, signed, after: await stored(page), keeps: await page.evaluate(() => window.heard.findLast((one) => one.keeps).keeps) };
  },

  async silent() { // a browser that does not open what it keeps is spoken of, until it does
    const page = await faced(await browser.createBrowserContext()), tell = (loads) => page.evaluate(async (loads) => (await import("/state.js")).tell({ loads }), loads);
    await tell("silent");
    const said = await state(page);
    await tell("");
    return { said, then: await state(page) };
  },

  // -- what the last visit has left

  async last_seen() { // a game and the list, from what the page has kept: without its program
    const context = await browser.createBrowserContext(), first = await unprogrammed(context, ""), page = await faced(context), bare = await tab(context);
    await plays(page);
    const place = await page.evaluate(() => location.hash), game = place.split("/").at(-1), kept = await until(() => lies(bare, SEEN), (text) => text.includes(`"game":"${game}"`) && text.includes('"below"'));
    const asks = await page.$eval("section.asked", (node) => node.innerText);
    await page.close();
    const found = { first, asks, game: await unprogrammed(context, place), list: await unprogrammed(context, ""), elsewhere: await unprogrammed(context, "#/game/alone-00000000", "main") };
    await lays(bare, SEEN, kept.replace(/"page":"\w+"/, '"page":"another"'));
    found.another = await unprogrammed(context, "");
    for (const [name, text] of [["nothing", ""], ["nonsense", "{"], ["others", JSON.stringify({ page: /"page":"(\w+)"/.exec(kept)[1], language: "en", games: 7, position: [] })]]) {
      await lays(bare, SEEN, text);
      found[name] = await unprogrammed(context, "", "main");
    }
    const bad = JSON.parse(kept);
    bad.position.title = "<img src=x onerror=alert(1)>";
    bad.position.drawing.style += "@import url(https://example.org/s.css);svg{background:url(https://example.org/b.png)}";
    bad.position.drawing.svg = bad.position.drawing.svg.replace("</svg>", `<script>globalThis.broken.push("ran")</script><g onclick="alert(1)" style="fill:red"><a href="https://example.org/"><text>away</text></a>
      <image href="https://example.org/i.png"/><use href="https://example.org/u.svg#a"/><animate attributeName="href" to="https://example.org/"/><foreignObject><form></form></foreignObject><style>*{fill:red}</style></g></svg>`);
    await lays(bare, SEEN, JSON.stringify(bad));
    found.hostile = await unprogrammed(context, place);
    return found;
  },

  async forgotten() { // what is thrown away is not seen at the next visit, however soon that is
    const context = await browser.createBrowserContext(), page = await faced(context), bare = await tab(context);
    await plays(page);
    const game = await page.evaluate(() => location.hash.split("/").at(-1)), found = { before: await until(() => lies(bare, SEEN), (text) => text.includes(`"game":"${game}"`)) };
    await page.evaluate((game) => import("/carrier.js").then(({ carry }) => carry({ call: "forget", game })), game);
    found.at_once = await lies(bare, SEEN);
    await page.close();
    found.list = await unprogrammed(context, "");
    return { ...found, game };
  },

  async guarded() { // what a key under a passphrase lets its player see is not kept for who has none; a desk without room loses no more than this
    const page = await fresh(), found = {};
    await begin(page);
    const seen = async (what) => { await page.evaluate((what) => window.desk.seen(what), what); await ask(page, { call: "games" }); return lies(page, SEEN); };
    const games = [{ game: "0", title: "A game by mail" }], position = { game: "0", question: [{ text: "My hand" }] };
    await ask(page, { call: "key", address: "ann@example.org", passphrase: "Bannockburn" });
    found.by_mail = await seen({ games, position: { ...position, alone: false } });
    found.alone = await seen({ games, position: { ...position, alone: true } });
    await page.workers()[0].evaluate(() => { IDBObjectStore.prototype.put = () => { throw new DOMException("no", "QuotaExceededError"); }; });
    found.no_room = await seen({ games: [] });
    found.then = await ask(page, { call: "about" });
    return found;
  },

  // -- what was begun, and not signed

  async drafts() { // a draft outlives a reload and a way to another screen, and is seen in a second tab
    const context = await browser.createBrowserContext(), page = await faced(context), bare = await tab(context);
    await plays(page);
    const lines = async (page) => {
      await page.waitForSelector(".lines li", { timeout: PATIENCE });
      return page.$$eval(".lines code", (rows) => rows.map((row) => row.innerText));
    };
    await page.$eval(".touches button", (button) => button.click());
    const found = { written: await lines(page) };
    while (!(await stored(bare)).paths.some((path) => path.endsWith(".draft"))); // it is on the disk
    await page.reload();
    found.reloaded = await lines(page);
    const place = await page.evaluate(() => location.hash);
    await page.evaluate(() => { location.hash = "#/"; });
    await page.waitForSelector(".kept .rows li", { timeout: PATIENCE });
    await page.evaluate((place) => { location.hash = place; }, place);
    found.returned = await lines(page);
    const second = await faced(context);
    await second.evaluate((place) => { location.hash = place; }, place);
    found.second = await lines(second);
    return found;
  },

  async bare() { // an invitation that was attached, and nothing of its mail: no name is left out of a sentence
    const { page } = await seated(await browser.createBrowserContext()), ask = (request) => page.evaluate((request) => window.desk.ask(request), request);
    await ask({ call: "read", data: invitation, name: "" });
    await page.goto(`${address}index.html`);
    await page.waitForSelector("body[data-ready] .asks", { timeout: PATIENCE });
    const found = { asks: await page.$eval(".asks", (node) => node.innerText) };
    await page.evaluate((data) => {
      const put = new DataTransfer();
      put.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], "game.pbem"));
      document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: put, bubbles: true, cancelable: true }));
    }, invitation);
    await page.waitForSelector(".came .box", { timeout: PATIENCE });
    found.came = await page.$eval(".came .box", (node) => node.innerText);
    return found;
  },

  // -- ends in the middle of a signature

  async killed(moments = ["python", "first write", "last write", "kept", "tab"]) { // the worker is ended while a signature is made, at each step; the tab, when it has come and is not shown
    const found = [];
    for (const moment of moments) {
      const context = await browser.createBrowserContext(), { page, game, texts } = await seated(context), [worker] = page.workers();
      await page.evaluate(() => { new BroadcastChannel("now").onmessage = () => { window.desk.close("halted"); window.ended = true; }; });
      await worker.evaluate((moment) => {
        const now = () => { new BroadcastChannel("now").postMessage(""); for (;;); }; // it hangs here until it is ended
        const { put } = IDBObjectStore.prototype, said = self.postMessage.bind(self);
        const { transaction } = IDBDatabase.prototype;
        if (moment === "python") IDBDatabase.prototype.transaction = () => now();
        if (moment === "first write") IDBObjectStore.prototype.put = function (...given) { put.apply(this, given); now(); };
        if (moment === "last write") IDBDatabase.prototype.transaction = function (...given) { const made = transaction.apply(this, given); if (given[1] === "readwrite") setTimeout(() => {}, 0), queueMicrotask(now); return made; };
        if (moment === "kept") self.postMessage = (what) => ("answer" in what ? now() : said(what));
      }, moment);
      if (moment === "tab") await page.evaluate(() => { const { ask } = window.desk; window.desk.ask = async (...given) => { await ask(...given); window.ended = true; return new Promise(() => {}); }; });
      page.evaluate((request) => { window.desk.ask(request).catch((error) => { window.said = error.why; }); }, { call: "sign", game, text: texts[0], anyway: true }).catch(() => {});
      await page.waitForFunction(() => window.ended, { timeout: PATIENCE });
      const told = await page.evaluate(() => window.said ?? "");
      const later = await tab(context); // opened before the first is gone
      await page.close();
      await begin(later);
      await keeps(later, "all");
      const [row] = (await ask(later, { call: "games" })).ok.games, { ok: { letters } } = await ask(later, { call: "letters" });
      const position = await ask(later, { call: "position", game });
      const again = await sign(later, game, texts.at(-1));
      const { ok: { letters: all } } = await ask(later, { call: "letters" });
      found.push({ moment, told, state: row.state, answered: position.ok.answered, letters: letters.map(({ eml }) => eml), again: again.ok?.letters.map(({ eml }) => eml) ?? again, all: all.map(({ name }) => name) });
      await context.close();
    }
    return found;
  },

  // -- tabs and versions

  async second_tab() { // it is told at once that it only reads; it sees what the first does; it goes on when that is closed
    const context = await browser.createBrowserContext(), first = await faced(context);
    const second = await faced(context, "fr");
    await stateSays(second, "onglet");
    const found = { first: await state(first), reads: await state(second) };
    await plays(first);
    await second.bringToFront();
    await second.evaluate(() => { location.hash = "#/game/none"; location.hash = "#/"; });
    await second.waitForSelector(".kept .rows li", { timeout: PATIENCE }); // the game of the first tab
    await second.$eval("#lords-seat", (seat) => seat.form.requestSubmit());
    await second.waitForFunction(() => document.querySelector(".playable .wrong:not(:empty)"), { timeout: PATIENCE });
    found.refused = await second.$$eval(".playable .wrong", (nodes) => nodes.map((node) => node.innerText).join(""));
    await first.close();
    await quiet(second);
    found.moments = await plays(second);
    return found;
  },

  async newer_desk() { // an older page leaves alone what a newer one has written; while the older has it open, the newer waits
    const context = await browser.createBrowserContext(), old = await faced(context);
    await plays(old);
    await old.setCookie({ name: "form", value: "2", url: address });
    const page = await faced(context, "en", false, "#state");
    await stateSays(page, "older version");
    const found = { waits: await state(page), goes_on: await old.evaluate(() => document.body.dataset.ready) };
    await old.close();
    await page.waitForSelector("body[data-ready] .kept .rows li", { timeout: PATIENCE });
    await page.deleteCookie({ name: "form", url: address });
    await page.close();
    const bare = await tab(context);
    found.before = await stored(bare);
    found.refused = {};
    for (const language of ["en", "fr"]) {
      const other = await faced(context, language);
      found.refused[language] = await alert(other);
      await other.close();
    }
    found.after = await stored(bare);
    return found;
  },

  async update() { // a newer page comes while a game is on: the old one goes on, also when its worker is ended; the next start is the newer one
    const context = await browser.createBrowserContext(), page = await faced(context, "en", true);
    const version = (page) => page.evaluate(async () => (await import("/made.mjs")).PAGE);
    await page.waitForFunction(() => navigator.serviceWorker.controller, { timeout: PATIENCE });
    await plays(page);
    const found = { first: await version(page) };
    await post("newer");
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      const comes = registration.installing ?? registration.waiting;
      if (comes?.state === "installing") await new Promise((well) => comes.addEventListener("statechange", well));
      window.waits = registration.waiting?.state;
    });
    found.waits = await page.evaluate(() => window.waits);
    await page.evaluate(async () => (await import("/carrier.js")).stop());
    await page.reload();
    await page.waitForSelector("main.game .moments > li", { timeout: PATIENCE });
    found.reloaded = await version(page);
    await page.close();
    let next;
    for (let n = 0; n < 10 && found.next !== "newer"; n++) { // the browser exchanges them when the last tab is gone, and that may take it a moment
      await next?.close();
      next = await faced(context, "en", true);
      found.next = await version(next);
    }
    found.games = await next.$$eval(".kept .rows li", (rows) => rows.length);
    found.shows = await next.$eval("body", (body) => body.innerText.slice(0, 400));
    await post("older");
    return found;
  },

  async mixed() { // page and worker of two versions do not work together
    const page = await fresh();
    await page.setCookie({ name: "mixed", value: "1", url: address });
    return page.evaluate(async () => {
      const { open } = await import("/desk.mjs");
      return open({ page: "another" }).then(() => "", ({ why }) => why);
    });
  },

  async offline() { // the face comes up without a network once it was loaded; without any, it says so
    const context = await browser.createBrowserContext(), page = await faced(context, "en", true);
    await page.waitForFunction(() => navigator.serviceWorker.controller, { timeout: PATIENCE });
    await plays(page);
    await page.close();
    await post("off");
    const later = await faced(context, "en", true), found = { games: await later.$$eval(".kept .rows li", (rows) => rows.length) };
    found.moments = await plays(later);
    await post("on");
    return found;
  },

  async unloaded() { // whatever of the program does not come is named, and whatever comes by half is told
    const found = {};
    for (const how of ["missing", "half"]) {
      found[how] = {};
      for (const path of ["python.zip.zst", "pyodide/pyodide.asm.wasm", "pyodide/pyodide-lock.json", "pyodide/python_stdlib.zip.gz"]) {
        const page = await fresh();
        await page.setCookie({ name: how, value: path, url: address });
        await page.goto(`${address}index.html`);
        await page.waitForSelector("body[data-ready]", { timeout: PATIENCE });
        found[how][path] = await alert(page);
        await page.close();
      }
    }
    return found;
  },

  // -- what takes long

  async stopped() { // a long call says how far it is, can be stopped, and what is kept is there at once
    const context = await browser.createBrowserContext(), page = await faced(context);
    const found = { loading: await page.evaluate(() => [...window.seen]) };
    await plays(page);
    await page.evaluate(() => { location.hash = "#/tools"; });
    await page.waitForSelector("body[data-ready] .look .drop", { timeout: PATIENCE });
    const judge = async () => page.evaluate((log) => {
      const put = new DataTransfer();
      put.items.add(new File([log], "game.pbem"));
      document.querySelector(".look .drop").dispatchEvent(new DragEvent("drop", { dataTransfer: put, bubbles: true, cancelable: true }));
    }, log);
    await page.evaluate(() => window.seen.clear());
    await judge();
    await page.waitForFunction(() => /\b[1-9]\d? %/.test(document.getElementById("state").innerText), { timeout: PATIENCE });
    found.runs = await state(page);
    await page.evaluate(() => { window.began = performance.now(); document.querySelector("#state .runs button").click(); });
    await stateSays(page, "stopped");
    found.halted = await state(page);
    await page.$eval("#state .trouble button", (button) => button.click());
    await page.evaluate(() => { location.hash = "#/"; });
    await page.waitForSelector("body[data-ready] .kept .rows li", { timeout: PATIENCE });
    found.back = await page.evaluate(() => Math.round(performance.now() - window.began));
    await quiet(page);
    await page.evaluate(() => { location.hash = "#/tools"; });
    await page.waitForSelector("body[data-ready] .look .drop", { timeout: PATIENCE });
    await judge();
    await page.waitForSelector(".came .box", { timeout: PATIENCE });
    await page.waitForFunction(() => document.querySelector(".came .box").textContent, { timeout: PATIENCE });
    found.percents = await page.evaluate(() => [...window.seen].flatMap((text) => (/(\d+) %/.exec(text) ?? []).slice(1)).map(Number));
    found.verdict = await page.$eval(".came .box", (node) => node.textContent);
    return found;
  },

  // -- a key that is nowhere else

  async unsaved() { // where the browser may lose it, a key is saved before anything is signed with it
    const context = await browser.createBrowserContext(), page = await faced(context);
    await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
    await page.type("#address", "ann@example.org");
    await page.$eval("#address", (field) => field.form.requestSubmit());
    await page.waitForSelector("#unsaved", { timeout: PATIENCE });
    const found = { before: await page.$eval("#unsaved", (node) => node.innerText) };
    found.persisted = await page.evaluate(() => navigator.storage.persisted());
    await page.$eval("#unsaved button", (button) => button.click());
    await page.waitForFunction(() => !document.getElementById("unsaved"), { timeout: PATIENCE });
    await page.reload();
    await page.waitForSelector("body[data-ready] .digest", { timeout: PATIENCE });
    found.after = Boolean(await page.$("#unsaved"));
    return found;
  },
};

const found = {};
try {
  for (const name of names.length ? names : Object.keys(scenarios)) {
    const began = Date.now();
    try {
      found[name] = { ok: await scenarios[name]() };
    } catch (error) {
      found[name] = { error: error.stack };
    }
    found[name].took = Date.now() - began;
    await post("reset");
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(found));
