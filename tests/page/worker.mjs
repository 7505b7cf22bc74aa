// Drives the page's worker in a headless Chromium: `node tests/page/worker.mjs MODULES ADDRESS TASKS.json`, where MODULES is a folder
// with puppeteer-core. It does what the tasks say and prints what was answered as JSON; tests/page/in_browser.py judges it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, address, tasks] = process.argv.slice(2);
const required = createRequire(pathToFileURL(`${resolve(modules)}/`));
const { default: puppeteer } = await import(pathToFileURL(required.resolve("puppeteer-core")).href);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-quic", "--disable-features=Translate"];

const { calls, bare } = JSON.parse(readFileSync(tasks, "utf-8"));
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, headless: true, args: FLAGS, protocolTimeout: 240000 });
const said = [], elsewhere = [];
try {
  const page = await (await browser.createBrowserContext()).newPage();
  page.on("console", (line) => said.push(`${line.type()}: ${line.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error}`));
  page.on("requestfailed", (asked) => said.push(`not fetched: ${asked.url()}`));
  page.on("request", (asked) => { if (!/^(data|blob):/.test(asked.url()) && !asked.url().startsWith(address)) elsewhere.push(asked.url()); });
  page.on("workercreated", (worker) => worker.client.on("Log.entryAdded", ({ entry }) => said.push(`worker: ${entry.text}`)));
  await page.goto(`${address}empty`);
  const found = await page.evaluate(async (calls, bare) => {
    const violations = [];
    addEventListener("securitypolicyviolation", (event) => violations.push(`${event.violatedDirective} ${event.blockedURI}`));
    const { open } = await import("/desk.mjs");
    const began = performance.now(), answers = [], took = [];
    const desk = await open({ service: "page_stub" });
    const ready = performance.now() - began;
    for (const [call, args] of calls) {
      const asked = performance.now();
      answers.push(await desk.ask(call, args));
      took.push(Math.round(performance.now() - asked));
    }
    desk.close();
    return { answers, took, violations, ready: Math.round(ready) };
  }, calls, bare);
  const version = await browser.version();
  console.log(JSON.stringify({ ...found, said, elsewhere, version }));
} finally {
  await browser.close();
}
