// Drives pbem.html from a disk in a headless browser: `node tests/page/single_file.mjs MODULES PBEM.HTML chromium|firefox [PICTURES [LOG…]]`,
// where MODULES is a folder with puppeteer-core. A game alone is played and kept; a key is made, which wants a passphrase; a hostile
// file in another folder takes what it can get, and gets nothing that it can read; the whole desk is saved, thrown away, taken up.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { launched, PATIENCE, watched } from "./browsers.mjs";

const [modules, html, which, pictures, ...logs] = process.argv.slice(2);
const SECRET = "Bannockburn by the burn", ADDRESS = "ann@example.org", NAME = "Lords of Scotland";
const PLAIN = ["OPENSSH", "PRIVATE", ADDRESS, "games/", "settings", "lords"]; // what would stand in a desk that could be read
const scratch = mkdtempSync(join(tmpdir(), "single-"));
const [ours, theirs] = ["one", "two"].map((name) => join(scratch, name));
const own = pathToFileURL(join(ours, "pbem.html")).href, hostile = pathToFileURL(join(theirs, "letter.html")).href;
const said = [], elsewhere = [];
let wrong = 0;
const must = (holds, what) => { if (!holds) { wrong += 1; console.log(`   WRONG: ${which}, pbem.html: ${what}`); } };

const HOSTILE = `<!doctype html><meta charset="utf-8"><title>A letter</title><body><iframe src="${own}"></iframe><script>
const done = (request) => new Promise((well, badly) => { request.onsuccess = () => well(request.result); request.onerror = () => badly(request.error); });
const text = (value) => value instanceof Uint8Array ? new TextDecoder("latin1").decode(value) : value && typeof value === "object" ? Object.values(value).map(text).join() : String(value);
async function store(mode) {
  const base = await done(indexedDB.open("pbem", 1));
  return base.objectStoreNames.contains("files") ? base.transaction("files", mode).objectStore("files") : null;
}
async function taken() { // all that lies in the browser for anybody whose files it takes for one
  const from = await store("readonly");
  if (!from) return [];
  const [keys, values] = await Promise.all([done(from.getAllKeys()), done(from.getAll())]);
  return keys.map((key, i) => key + " " + text(values[i]));
}
async function harmed(before) { // puts back what was taken of one file, under another one's name
  const into = await store("readwrite"), keys = (await done(into.getAllKeys())).filter((key) => key.length === 32);
  const values = await Promise.all(keys.map((key) => done(into.get(key))));
  await done(into.put(values[1], keys[0]));
}
const framed = () => { try { return frames[0].document.body.innerText } catch (error) { return String(error.name) } };
const stolen = () => new Promise((well) => { const x = new XMLHttpRequest(); x.onload = () => well(x.responseText.length); x.onerror = () => well(0); x.open("GET", "${own}"); x.send(); });
</script>`;

async function opened(context, ready = "body[data-ready=yes]") {
  const page = watched(await context.newPage(), own, said, elsewhere);
  page.on("dialog", (dialog) => dialog.accept());
  await page.setViewport({ width: 1100, height: 800 });
  await page.evaluateOnNewDocument(() => {
    globalThis.broken = [];
    addEventListener("securitypolicyviolation", (event) => globalThis.broken.push(`${event.violatedDirective} ${event.blockedURI}`));
    const made = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => { globalThis.last = blob; return made(blob); };
  });
  await page.goto(own);
  await page.waitForSelector(ready, { timeout: PATIENCE });
  return page;
}

const shot = (page, name) => pictures && page.screenshot({ path: join(pictures, `file-${which}-${name}.png`) });
const text = (page, selector = "body") => page.$eval(selector, (node) => node.textContent);
const settled = (page) => page.waitForSelector("main.game:not(.busy) .touches .knob, #sign, .result", { timeout: PATIENCE });
const moments = (page) => page.$$eval(".moments > li", (all) => all.length);

async function playsAlone(context) { // one order of Lords, without a passphrase
  const page = await opened(context);
  await shot(page, "home");
  await page.$eval("form:has(#lords-seat) button[type=submit]", (knob) => knob.click());
  await settled(page);
  for (let n = 0; n < 9 && !(await page.$("#sign")); n++) {
    const lines = await page.$$eval(".lines li", (all) => all.length);
    await page.$eval(".touches .knob", (knob) => knob.click());
    await page.waitForFunction((old) => document.querySelector("#sign") || document.querySelectorAll(".lines li").length > old, { timeout: PATIENCE }, lines);
    await settled(page);
  }
  const before = await moments(page);
  await page.$eval("#sign", (knob) => knob.click());
  await page.waitForFunction((old) => document.querySelectorAll(".moments > li").length > old, { timeout: PATIENCE }, before);
  const told = await text(page, ".moments");
  await page.close();
  const later = await opened(context);
  await later.$eval("section.kept a", (link) => link.click());
  await settled(later);
  const found = await text(later, ".moments");
  must(found.startsWith(told), `a game alone is not as it was left: ${found.slice(-200)} / ${told.slice(-200)}`);
  await later.close();
}

async function choose(page, secret = SECRET) { // the form that asks for a passphrase
  await page.waitForSelector(".passphrase input", { timeout: PATIENCE });
  for (const field of await page.$$(".passphrase input")) await field.type(secret);
  await page.$eval(".passphrase button[type=submit]", (knob) => knob.click());
}

async function makesAKey(context) { // what a passphrase is asked for
  const page = await opened(context);
  await page.$eval("details:has(#address)", (node) => { node.open = true; });
  await page.type("#address", ADDRESS);
  await page.type("#passphrase", "short");
  await page.$eval("form:has(#address) button[type=submit]", (knob) => knob.click());
  await page.waitForSelector(".passphrase input", { timeout: PATIENCE });
  await shot(page, "passphrase");
  must(!(await text(page, ".mail")).includes("SHA256"), "a key is there before a passphrase");
  await choose(page);
  await page.waitForFunction(() => /SHA256/.test(document.querySelector(".mail").textContent), { timeout: PATIENCE });
  const found = /SHA256:\S+/.exec(await text(page, ".mail"))[0];
  await page.close();
  return found;
}

async function opensAgain(context, fingerprint) { // by its passphrase, and by no other
  const page = await opened(context, ".passphrase input");
  must(!(await page.$eval("body", (node) => node.innerText)).includes(NAME), "something is shown before the passphrase");
  await choose(page, "Falkirk in the rain");
  await page.waitForFunction(() => document.querySelector(".passphrase [role=alert]"), { timeout: PATIENCE });
  await shot(page, "locked");
  await choose(page);
  await page.waitForSelector("body[data-ready=yes]", { timeout: PATIENCE });
  must((await text(page, ".mail")).includes(fingerprint), "the key is not there by its passphrase");
  must((await text(page, "section.kept")).includes(NAME), `the game alone is not there by the passphrase: ${await text(page, "section.kept")}`);
  return page;
}

async function judges(context) { // logs that only rules of other versions can judge, which lie in the file
  const page = await opened(context);
  await page.$eval(".tools", (link) => link.click());
  await page.waitForSelector(".look .drop", { timeout: PATIENCE });
  for (const log of logs) {
    await page.$$eval(".look > details", (all) => { all[0].open = true; });
    await (await page.$(".look .drop input[type=file]")).uploadFile(log);
    await page.waitForFunction((name) => document.querySelector(".verdict h3")?.textContent.startsWith(name), { timeout: PATIENCE }, basename(log));
    const found = await text(page, ".verdict");
    must(/taken from the shelf/.test(found) && !/cannot be judged|RULES/.test(found), `it does not judge ${log}: ${found.slice(0, 300)}`);
  }
  await page.close();
}

async function isNotRobbed(context) { // what a hostile file in another folder gets
  const page = await context.newPage(); // not watched: it may say what it likes
  await page.goto(hostile);
  await new Promise((well) => setTimeout(well, 500));
  const taken = await page.evaluate(() => taken()), framed = await page.evaluate(() => framed()), read = await page.evaluate(() => stolen());
  for (const one of taken) for (const word of PLAIN) must(!one.includes(word), `a hostile file reads “${word}” in ${one.slice(0, 60)}`);
  must(framed === "SecurityError", `a hostile file reads the page in a frame: ${framed}`);
  must(read === 0, "a hostile file reads the file");
  const [frame] = page.frames().filter((one) => one.url().startsWith(own));
  const inside = frame ? await frame.evaluate(() => document.body.textContent.slice(0, 40)).catch(() => "") : "";
  must(!frame || inside.startsWith("This page is shown inside"), `in a frame the page says: ${inside}`);
  return [page, taken.length];
}

async function isNotDeceived(context, page) { // encrypted files that were swapped are no desk
  await page.evaluate(() => harmed());
  const own_ = await opened(context, ".passphrase input");
  await choose(own_);
  await own_.waitForFunction(() => document.querySelector(".passphrase [role=alert]"), { timeout: PATIENCE });
  const told = await text(own_, ".passphrase");
  must(/changed the desk's data/.test(told), `files that were swapped are taken: ${told}`);
  return own_;
}

async function isTakenUp(context, page, fingerprint) { // saved, thrown away, and had back
  await page.$$eval("details", (all) => all.forEach((one) => { one.open = true; }));
  const [save] = await page.$$("xpath/.//button[contains(., 'Save the desk')]");
  await save.evaluate((knob) => knob.click());
  await page.waitForFunction(() => globalThis.last?.type === "application/zip", { timeout: PATIENCE });
  const bytes = await page.evaluate(async () => [...new Uint8Array(await globalThis.last.arrayBuffer())]), saved = join(scratch, "desk.zip");
  writeFileSync(saved, Uint8Array.from(bytes));
  const broken = await page.evaluate(() => globalThis.broken);
  must(broken.length === 0, `the policy was broken: ${broken}`);
  await page.close();
  const [letter, count] = await isNotRobbed(context);
  const locked = count ? await isNotDeceived(context, letter) : await opened(context, ".passphrase input"); // only where files share
  await letter.close();
  await locked.$eval(".passphrase button.quiet", (knob) => knob.click());
  await locked.waitForSelector("body[data-ready=yes]", { timeout: PATIENCE });
  must(!(await text(locked)).includes(fingerprint), "a desk that was thrown away is there");
  await locked.$eval("details:has(#saved)", (node) => { node.open = true; });
  await (await locked.$("#saved")).uploadFile(saved);
  await choose(locked, "Stirling at the bridge");
  await locked.waitForFunction((print) => document.querySelector(".mail")?.textContent.includes(print), { timeout: PATIENCE }, fingerprint);
  await locked.close();
  return count;
}

mkdirSync(ours);
mkdirSync(theirs);
copyFileSync(html, join(ours, "pbem.html"));
writeFileSync(join(theirs, "letter.html"), HOSTILE);
const { browser, elsewhere: trapped, close } = await launched(modules, which);
try {
  const context = browser.defaultBrowserContext(), began = performance.now();
  await (await opened(context)).close();
  const ready = Math.round(performance.now() - began);
  await playsAlone(context);
  await judges(context);
  const fingerprint = await makesAKey(context);
  const page = await opensAgain(context, fingerprint);
  const count = await isTakenUp(context, page, fingerprint);
  must(which !== "chromium" || count > 0, "the hostile file sees nothing at all here, so it proves nothing");
  const asked = [...elsewhere, ...trapped()];
  must(asked.length === 0, `it asks for ${asked}`);
  for (const line of said) must(false, `the browser says ${line.slice(0, 300)}`);
  console.log(`${await browser.version()}: pbem.html is ready in ${ready} ms; played, kept, locked, saved, taken up; no request; a hostile file reads ${count} records, all encrypted`);
} catch (error) {
  must(false, error.stack);
} finally {
  await close();
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(wrong ? 1 : 0);
