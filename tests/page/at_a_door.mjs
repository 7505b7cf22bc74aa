// Plays a game at a host's door in headless Chromium, by clicks: `node tests/page/at_a_door.mjs MODULES TASKS.json`, where MODULES is a
// folder with puppeteer-core. tests/page/at_a_door.py makes the tasks and judges what is printed.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, tasks] = process.argv.slice(2);
const required = createRequire(pathToFileURL(`${resolve(modules)}/`));
const { default: puppeteer } = await import(pathToFileURL(required.resolve("puppeteer-core")).href);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-quic", "--lang=en-GB"];
const PATIENCE = 90_000;
const ENOUGH = 14; // orders
const WIDE = { width: 1280, height: 800 }, NARROW = { width: 390, height: 844, hasTouch: true, isMobile: true };

const { seats } = JSON.parse(readFileSync(tasks, "utf-8"));
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, headless: true, args: FLAGS, protocolTimeout: PATIENCE });
const said = [], elsewhere = [], wrong = [];
let asked = 0, orders = 0, off = false;

async function open(context, address, viewport) {
  const page = await context.newPage(), { origin } = new URL(address);
  page.setDefaultTimeout(PATIENCE);
  await page.evaluateOnNewDocument(() => { try { localStorage.setItem("pbem.oneclick", localStorage.getItem("pbem.oneclick") ?? "no"); } catch { /* nothing is kept there */ } });
  await page.setViewport(viewport);
  page.on("console", (line) => off || said.push(`${line.type()}: ${line.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error}`));
  page.on("request", (one) => {
    asked += 1;
    if (!/^(data|blob):/.test(one.url()) && !one.url().startsWith(`${origin}/`)) elsewhere.push(one.url());
  });
  await page.goto(address);
  await page.waitForSelector("body[data-ready]");
  return page;
}

const until = (page, holds, ...more) => page.waitForFunction(holds, { polling: 100 }, ...more); // a tab behind another draws nothing, and is asked all the same
const shows = (page, text) => until(page, (text) => document.body.innerText.includes(text), text);
const click = (page, selector, text = "") => page.evaluate((selector, text) => {
  const found = [...document.querySelectorAll(selector)].find((one) => one.textContent.includes(text));
  if (!found) throw new Error(`nothing to click: ${selector} ${text}\n${document.body.innerText.slice(0, 1500)}`);
  found.click();
}, selector, text);
const count = (page, selector) => page.evaluate((selector) => document.querySelectorAll(selector).length, selector);

async function sits(page, { seat, invitation }) { // makes a key, takes the seat: brought to the door, as its letter says where that is
  await click(page, "summary", "Make a key");
  await page.type("#address", `${seat}@example.org`);
  await click(page, "form button[type=submit]", "Make a key");
  await page.waitForSelector(".mail .drop input[type=file]");
  if (await count(page, "#unsaved")) { // a browser that may throw the key away: it is saved first
    await click(page, "#unsaved button");
    await until(page, () => !document.querySelector("#unsaved"));
  }
  const field = await page.waitForSelector(".mail .drop input[type=file]");
  await field.uploadFile(invitation);
  await agrees(page);
  await shows(page, "Brought to the host's door.");
}

async function agrees(page) { // says that the keys were compared, and signs; the next letter that asks may come at once
  await page.waitForSelector(".asks .answers");
  const box = await page.evaluateHandle(() => document.querySelector(".asks .answers").closest(".asks"));
  await box.evaluate((box) => { for (const tick of box.querySelectorAll(".answers input[type=checkbox]")) tick.click(); });
  await box.evaluate((box) => box.querySelector(".answers button.main").click());
  await until(page, (box) => !box.querySelector(".answers"), box);
}

async function isReady(page) { // the list of keys lies at the door, and comes by itself
  await agrees(page);
  await until(page, () => [...document.querySelectorAll(".by-door")].filter((one) => one.textContent.includes("Brought to")).length > 1);
}

async function enters(page) {
  await page.waitForSelector(".mail .rows li.mine a, .mail .rows li.others a");
  await click(page, ".mail .rows a");
  await page.waitForSelector("main.game h1");
}

const settled = (page) => until(page, () => document.querySelector("main.game:not(.busy)") && document.querySelector(".result, .touches button, #sign, .asked h2"));
const askedNow = () => !!document.querySelector(".touches button, #sign") && ![...document.querySelectorAll(".asked .due")].some((one) => one.textContent.includes("You have answered"));
const isAsked = (page) => page.evaluate(askedNow);
const written = (page) => page.evaluate(() => [...document.querySelectorAll(".lines code")].map((one) => one.textContent).join("\n"));

async function writes(page) { // the first that may be touched, until the order is whole
  for (let n = 0; n < 40 && !(await count(page, "#sign")); n++) {
    const before = await written(page);
    await click(page, ".touches [data-touch]");
    await until(page, (before) => document.querySelector("#sign") || [...document.querySelectorAll(".lines code")].map((one) => one.textContent).join("\n") !== before, before);
  }
}

async function plays(page) {
  await writes(page);
  await page.evaluate(() => document.querySelector("section.letters").replaceChildren());
  await click(page, "#sign");
  await until(page, () => document.querySelector("section.letters")?.textContent.includes("Brought to the host's door."));
  orders += 1;
}

async function withoutANetwork(page) { // the letter waits, with the ways of the mail; when the network is back it goes by itself
  off = true;
  await writes(page);
  await page.setOfflineMode(true);
  await click(page, "#sign");
  await until(page, () => document.querySelector("section.letters .wrong") && document.querySelector("section.letters a[href^=mailto]"));
  await page.setOfflineMode(false);
  await until(page, () => document.querySelector("section.letters")?.textContent.includes("Brought to the host's door."));
  off = false;
  orders += 1;
}

async function keepsADraft(page, other) { // what comes while one writes takes nothing from the draft
  if (!(await isAsked(page)) || !(await isAsked(other))) return;
  await writes(page);
  const before = await written(page);
  await plays(other);
  if ((await written(page)) !== before) wrong.push(`a draft was lost: ${before}`);
}

async function wantsABell(page) { // from now on nobody looks at this page, and what would ring is written down
  await page.evaluate(() => {
    globalThis.rung = [];
    globalThis.Notification = class {
      static permission = "granted";
      constructor(title, { body }) { globalThis.rung.push(`${title}: ${body}`); }
    };
    Object.defineProperty(document, "hidden", { get: () => true });
    document.querySelector("#bell").click();
  });
}

async function stands(page) { // how the events of this host stand, as the page tells it
  await page.evaluate(() => { location.hash = "#/"; });
  await page.waitForSelector("details.events > summary");
  await click(page, "details.events > summary");
  await page.waitForSelector("details.events .event table");
  return page.evaluate(() => [...document.querySelectorAll("details.events .event :is(h3, tr)")].map((one) => one.innerText.replace(/\s+/g, " ").trim()).filter(Boolean));
}

const log = (page) => page.evaluate(async () => {
  const { ask } = await import("./texts.js"), game = /game\/([\w-]+)/.exec(location.hash)[1];
  return [...Uint8Array.from(atob((await ask("log", { game })).data), (letter) => letter.charCodeAt(0))];
});

try {
  const first = await browser.createBrowserContext(), second = await browser.createBrowserContext();
  const pages = [await open(first, seats[0].page, WIDE), await open(second, seats[1].page, NARROW)], [here, there] = pages;
  for (const [n, page] of pages.entries()) await sits(page, seats[n]);
  for (const page of pages) await isReady(page);
  for (const page of pages) await enters(page);
  await wantsABell(there);
  const beside = await open(first, await here.evaluate(() => location.href), WIDE); // a second tab: it looks on
  let lost = false, drafted = false;
  while (orders < ENOUGH) {
    await Promise.race(pages.map((page) => until(page, askedNow)));
    for (const page of pages) await settled(page);
    if (!drafted && await isAsked(here) && await isAsked(there)) {
      drafted = true;
      await keepsADraft(here, there);
    }
    for (const page of pages) {
      if (!(await isAsked(page))) continue;
      if (!lost && page === here && orders > 2) {
        lost = true;
        await withoutANetwork(page);
      } else await plays(page);
    }
  }
  const moments = await there.evaluate(() => document.querySelectorAll(".moment").length);
  for (const page of [here, beside]) await until(page, (n) => document.querySelectorAll(".moment").length >= n - 1, moments);
  if (!lost || !drafted) wrong.push(`not tried: ${lost ? "a draft" : "no network"}`);
  const rung = await there.evaluate(() => globalThis.rung);
  if (!rung.length || rung.some((one) => !/^[\w ]+: It is your turn\.$/.test(one))) wrong.push(`the bell: ${JSON.stringify(rung)}`);
  const logs = Object.fromEntries([[seats[0].seat, await log(here)], [seats[1].seat, await log(there)]]);
  const standing = await stands(here);
  console.log(JSON.stringify({ said, elsewhere, wrong, asked, orders, logs, standing }));
} catch (error) {
  console.error(error, said, wrong, orders);
  for (const page of await browser.pages()) console.error((await page.evaluate(() => `${location.href}\n${[...document.querySelectorAll("section.mail, .turn, .head")].map((one) => one.innerText).join("\n").slice(0, 2500)}`).catch(String)));
  process.exitCode = 1;
} finally {
  await browser.close();
}
