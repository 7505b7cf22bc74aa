// Drives the page's worker in a headless browser: `node tests/page/worker.mjs MODULES ADDRESS TASKS.json chromium|firefox`, where MODULES
// is a folder with puppeteer-core. It does what the tasks say and prints what was answered as JSON; tests/page/in_browser.py judges it.

import { readFileSync } from "node:fs";
import { launched, PATIENCE, watched } from "./browsers.mjs";

const [modules, address, tasks, which] = process.argv.slice(2);
const { logs, cases, key, games, alone, judge } = JSON.parse(readFileSync(tasks, "utf-8"));
const { browser, elsewhere: trapped, close } = await launched(modules, which);
const said = [], elsewhere = [];

async function tab(context) { // an empty page of the page's origin, with a desk at hand as `desk`
  const page = watched(await context.newPage(), address, said, elsewhere);
  await page.goto(`${address}empty`);
  return page;
}

const begin = (page, wanted = { service: "page_stub" }) => page.evaluate(async (wanted) => {
  const { open } = await import("/desk.mjs"), began = performance.now();
  window.desk = await open(wanted, undefined, ({ keeps }) => { window.keeps = keeps ?? window.keeps; });
  return Math.round(performance.now() - began);
}, wanted);
const say = (page, request) => page.evaluate((request) => window.desk.ask(request), request);
const ask = (page, call, args) => say(page, { call, args });

async function plays(context) { // the desk's own service: a game alone is begun, and is there when the tab has been closed; so is the face
  const page = await tab(context);
  await begin(page, {});
  const begun = await say(page, alone);
  const position = await say(page, { call: "position", game: begun.ok?.game ?? "" });
  await page.close();
  const later = await tab(context);
  await begin(later, {});
  const games = await say(later, { call: "games" });
  const judged = [];
  for (const log of judge) judged.push(await Promise.all(log.map((call) => say(later, call))));
  await later.close();
  const face = watched(await context.newPage(), address, said, elsewhere);
  await face.goto(`${address}index.html`);
  await face.waitForSelector("body[data-ready]", { timeout: PATIENCE });
  const ready = await face.evaluate(() => [document.body.dataset.ready, document.body.innerText]);
  await face.close();
  return { begun, position, games, judged, ready };
}

try {
  const context = await browser.createBrowserContext(), first = await tab(context);
  const found = { version: await browser.version(), ready: [] };
  for (const time of [0, 1]) { // the second time from the cache
    const page = await tab(context);
    found.ready.push(await begin(page));
    await page.close();
  }
  await begin(first);
  found.verdicts = [];
  for (const log of logs) found.verdicts.push(await ask(first, "verify", { log }));
  found.edges = await ask(first, "edges", { cases });
  found.manifests = await ask(first, "manifests", { games });
  found.opened = await ask(first, "opens", key);
  found.made = await ask(first, "make", { seed: "24".repeat(32), passphrase: "Bannockburn" });
  found.signed = await ask(first, "sign", { namespace: "pbem-say-v1", message: "CARD Herald", passphrase: "Bannockburn" });
  const second = await tab(context); // beside the first: it reads, and does not write
  await begin(second);
  found.beside = await ask(second, "sign", { namespace: "pbem-say-v1", message: "CARD Herald", passphrase: "Bannockburn" });
  found.refused = await ask(second, "make", { seed: "25".repeat(32), passphrase: "" });
  found.still = await ask(second, "sign", { namespace: "pbem-say-v1", message: "CARD Herald", passphrase: "Bannockburn" });
  await first.close();
  await second.waitForFunction(() => window.keeps === "all", { timeout: PATIENCE }); // the first one's worker is gone
  found.after = await ask(second, "make", { seed: "25".repeat(32), passphrase: "" });
  const third = await tab(context); // what was made by the second is there for one that begins later
  await begin(third);
  found.later = await ask(third, "sign", { namespace: "pbem-say-v1", message: "CARD Herald", passphrase: "" });
  found.alone = alone && await plays(await browser.createBrowserContext());
  await third.evaluate(async () => { // once all is kept here, the worker comes up though its server is gone
    const { offline } = await import("/desk.mjs"), held = new Promise((well) => navigator.serviceWorker.addEventListener("controllerchange", well));
    await offline();
    await held;
    window.desk.close();
    await fetch("/off", { method: "POST", body: "" });
  });
  await begin(third);
  found.offline = await ask(third, "sign", { namespace: "pbem-say-v1", message: "CARD Herald", passphrase: "" });
  console.log(JSON.stringify({ ...found, said, elsewhere: [...elsewhere, ...trapped()] }));
} finally {
  await close();
}
