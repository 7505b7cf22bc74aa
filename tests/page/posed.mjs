// What the scripts for puzzles and lessons share: `node tests/page/WHAT.mjs MODULES ADDRESS FILE [PICTURES]`, where MODULES is a folder with
// playwright-core and axe-core, ADDRESS serves a built page, FILE is the page as one file, and PICTURES a folder for screenshots. A JSON
// from the standard input says how many there are, by game. Everything is done by clicks, taps and keys; what runs in the page only reads.
// tests/page/puzzles_by_page.py speaks to them.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, address, file, pictures] = process.argv.slice(2);
const required = createRequire(pathToFileURL(`${resolve(modules)}/`)), { chromium } = required("playwright-core");
const axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf-8");
const FLAGS = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-quic"];
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const PATIENCE = 30_000;

export const counts = JSON.parse(readFileSync(0, "utf-8")), start = `${address}index.html`;
export const archive = (what) => `later/${what}.zip`;
export const ready = ({ page }) => page.waitForSelector("body[data-ready=yes]");
export const fetches = ({ asked }, what) => asked.filter((one) => one.endsWith(archive(what))).length;

const faults = [], browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
let kept = 0, shots = 0;
export const must = (holds, what) => { if (!holds) faults.push(what); };

async function comes(name, at, given, language) {
  const context = await browser.newContext({ ...given, reducedMotion: "reduce", locale: language }), asked = [];
  context.setDefaultTimeout(PATIENCE);
  context.on("request", (one) => { if (!one.serviceWorker()) asked.push(one.url()); if (!/^(data|blob|file):/.test(one.url()) && !one.url().startsWith(address)) faults.push(`${name} asks for ${one.url()}`); });
  const page = await context.newPage(), phone = Boolean(given.isMobile);
  page.on("console", (said) => { if (!["log", "info", "debug"].includes(said.type())) faults.push(`${name}: the console says ${said.text()}`); });
  page.on("pageerror", (error) => faults.push(`${name}: the script fails: ${error}`));
  await page.goto(at);
  const him = { name, context, page, asked, phone, press: (one) => phone ? one.tap() : one.click() };
  await ready(him);
  return him;
}

export const atADesk = (name, [width, height]) => comes(name, start, { viewport: { width, height } }, "en-GB");
export const onATelephone = (name) => comes(name, start, PHONE, "fr-FR");
export const fromTheFile = (name, [width, height]) => comes(name, pathToFileURL(resolve(file)).href, { viewport: { width, height } }, "en-GB");

export const looksAs = (what) => async function looks(him, shown) { // nothing is too wide, and axe-core's rules hold, light and dark
  if (pictures) await him.page.screenshot({ path: `${pictures}/${what}-${String((shots += 1)).padStart(2, "0")}-${him.name}-${shown}.png` });
  const [wide, room] = await him.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  must(wide <= room, `${him.name}, ${shown}: ${wide} pixels in ${room}`);
  for (const colorScheme of ["light", "dark"]) {
    await him.page.emulateMedia({ colorScheme });
    if (!(await him.page.evaluate(() => globalThis.axe))) await him.page.evaluate(axe);
    const { violations } = await him.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    faults.push(...violations.map((one) => `${him.name}, ${shown}, ${colorScheme}: ${one.id}: ${one.help} ${one.nodes.map((node) => node.target).slice(0, 3)}`));
    kept += 1;
  }
  await him.page.emulateMedia({ colorScheme: null });
};

export async function done(...scenarios) { // one after the other, each whatever became of the others
  for (const scenario of scenarios) {
    try {
      await scenario();
    } catch (error) {
      faults.push(`${scenario.name}: ${error.stack}`);
    }
  }
  await browser.close();
  console.log(JSON.stringify({ faults, kept }));
}
