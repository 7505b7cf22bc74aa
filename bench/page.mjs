// Measures the page in a headless Chromium: `node bench/page.mjs MODULES TASKS.json`; bench/page.py asks for it and prints. Times are
// milliseconds of the browser's own clock, from the click, or from the file's being chosen, until what it brings is on the screen.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, tasks] = process.argv.slice(2);
const { chromium } = createRequire(pathToFileURL(`${resolve(modules)}/`))("playwright-core");
const { served, web, saved, reports, log, times, orders } = JSON.parse(readFileSync(tasks, "utf-8"));
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const PATIENCE = { timeout: 120_000 };
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
const fresh = () => browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", locale: "en-GB" });
const ready = (page) => page.waitForSelector("body[data-ready=yes]", PATIENCE);

async function comes(context, address) { // until the face stands
  const page = await context.newPage(), began = performance.now();
  await page.goto(address);
  await ready(page);
  return [page, performance.now() - began];
}

async function bare(context) { // until Pyodide has made a model of pydantic
  const page = await context.newPage(), began = performance.now();
  await page.goto(`${served}empty`);
  await page.evaluate(() => new Promise((well, badly) => {
    const policy = trustedTypes.createPolicy("pbem", { createScriptURL: (name) => name });
    const worker = new Worker(policy.createScriptURL("/bare/worker.mjs"), { type: "module" });
    worker.onmessage = () => { worker.terminate(); well(); };
    worker.onerror = (event) => badly(new Error(event.message));
  }));
  const took = performance.now() - began;
  await page.close();
  return took;
}

async function starts() { // first visits and later ones, ours and the floor by turns
  const found = { first: [], cached: [], bareFirst: [], bareCached: [] };
  for (let n = 0; n < times; n++) {
    const [ours, floor] = [await fresh(), await fresh()];
    found.bareFirst.push(await bare(floor));
    const [page, took] = await comes(ours, served);
    found.first.push(took);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await page.close();
    found.bareCached.push(await bare(floor));
    found.cached.push((await comes(ours, served))[1]);
    await Promise.all([ours.close(), floor.close()]);
  }
  return found;
}

const changes = (page, act, index, where) => page.evaluate(([act, index, where]) => new Promise((well) => {
  const began = performance.now(), place = document.querySelector(where);
  new MutationObserver((_seen, observer) => { observer.disconnect(); requestAnimationFrame(() => well(performance.now() - began)); })
    .observe(place, { childList: true });
  document.querySelectorAll(act)[index].click();
}), [act, index, where]);

async function brought(page, input, file, shown) { // from a file's being chosen until what it brings is shown
  await page.evaluate(([input, shown]) => {
    const field = document.querySelector(input), before = document.querySelectorAll(shown).length && document.querySelector(shown);
    globalThis.took = new Promise((well) => field.addEventListener("change", () => {
      const began = performance.now();
      const observer = new MutationObserver(() => {
        const now = document.querySelector(shown);
        if (now && now !== before) { observer.disconnect(); requestAnimationFrame(() => well(performance.now() - began)); }
      });
      observer.observe(document.body, { childList: true, subtree: true });
    }, { once: true }));
  }, [input, shown]);
  await page.locator(input).setInputFiles(file);
  return page.evaluate(() => globalThis.took);
}

const settled = (page) => page.waitForFunction(() => document.querySelector("main.game:not(.busy)") && document.querySelector(".result, .touches button, #sign"), null, PATIENCE);

async function plays(page) { // a game alone, by the last of what is offered: its touches, then its positions
  const touches = [], positions = [];
  await page.locator("form:has(#hammer-seat) button[type=submit]").click();
  for (let n = 0; n < orders && !await page.locator(".result").count(); n++) {
    await settled(page);
    for (let more = 0; more < 3 || !await page.locator("#sign").count(); more++) {
      const offered = await page.evaluate(() => [...document.querySelectorAll(".touches .knob")].map((one) => one.dataset.at));
      const own = offered.map((at, index) => [at, index]).filter(([at]) => !["choice:PLAN", "choice:AHEAD", "choice:PASS"].includes(at));
      if (!own.length && await page.locator("#sign").count()) break;
      touches.push(await changes(page, ".touches .knob", (own[(n * 7 + more * 5) % own.length] ?? [0, 0])[1], ".touches"));
      await page.waitForFunction(() => document.querySelector(".draft"));
    }
    const before = await page.locator(".moments > li").count();
    await page.locator("#sign").click();
    await page.waitForFunction((old) => document.querySelectorAll(".moments > li").length > old, before, PATIENCE);
    await settled(page);
  }
  const moments = await page.locator(".moment .then").count();
  for (let n = 0; n < 3 * times; n++) positions.push(await changes(page, ".moment .then", n % moments, ".drawing"));
  return { touches, positions };
}

async function carrier(address, restores) {
  const context = await fresh(), [page] = await comes(context, address), found = await plays(page);
  await page.locator("a.home").click();
  await ready(page);
  await page.waitForSelector("main.page", PATIENCE);
  if (restores) {
    await page.locator("summary", { hasText: "Make a key" }).click();
    await page.locator("#saved").setInputFiles(saved);
  }
  await page.waitForSelector(".mail .drop", PATIENCE);
  found.reports = [];
  for (const one of reports) found.reports.push(await brought(page, ".mail .drop input[type=file]", one, ".mail .came .box"));
  await page.locator(".look summary").first().click();
  await page.locator("#audit").uncheck();
  found.log = await brought(page, ".look .drop input[type=file]", log, ".look .came .verdict");
  found.said = await page.locator(".look .came h3").first().innerText();
  await context.close();
  return found;
}

try {
  const found = { version: browser.version(), ...(await starts()) };
  found.worker = await carrier(served, true);
  found.web = await carrier(web, false);
  console.log(JSON.stringify(found));
} finally {
  await browser.close();
}
