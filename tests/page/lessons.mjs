// Lessons and rules at the page, in a headless Chromium: `node tests/page/lessons.mjs MODULES ADDRESS FILE [PICTURES]`, as puzzles.mjs has it.
// A JSON from the standard input says how many steps there are, by game. Every step is done by what is lit twice, and by nothing else.
// tests/page/puzzles_by_page.py speaks to this.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, address, file, pictures] = process.argv.slice(2);
const counts = JSON.parse(readFileSync(0, "utf-8"));
const required = createRequire(pathToFileURL(`${resolve(modules)}/`)), { chromium } = required("playwright-core");
const axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf-8");
const FLAGS = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];
const SCREEN = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const PATIENCE = 30_000, ARCHIVE = "later/lessons.zip", MOST = 12; // so many touches are needed for a step at most

const faults = [];
const must = (holds, what) => { if (!holds) faults.push(what); };
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
let kept = 0, shots = 0;

async function comes(name, { given = SCREEN, language = "en-GB", at = `${address}index.html` } = {}) {
  const context = await browser.newContext({ ...given, reducedMotion: "reduce", locale: language }), asked = [];
  context.setDefaultTimeout(PATIENCE);
  context.on("request", (one) => { if (!one.serviceWorker()) asked.push(one.url()); if (!/^(data|blob|file):/.test(one.url()) && !one.url().startsWith(address)) faults.push(`${name} asks for ${one.url()}`); });
  const page = await context.newPage(), phone = Boolean(given.isMobile);
  page.on("console", (said) => { if (!["log", "info", "debug"].includes(said.type())) faults.push(`${name}: the console says ${said.text()}`); });
  page.on("pageerror", (error) => faults.push(`${name}: the script fails: ${error}`));
  await page.goto(at);
  await page.waitForSelector("body[data-ready=yes]");
  return { name, context, page, asked, press: (one) => phone ? one.tap() : one.click() };
}

async function looks(him, what) { // nothing is too wide, and axe-core's rules hold, light and dark
  if (pictures) await him.page.screenshot({ path: `${pictures}/lessons-${String((shots += 1)).padStart(2, "0")}-${him.name}-${what}.png` });
  const [wide, room] = await him.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  must(wide <= room, `${him.name}, ${what}: ${wide} pixels in ${room}`);
  for (const colorScheme of ["light", "dark"]) {
    await him.page.emulateMedia({ colorScheme });
    if (!(await him.page.evaluate(() => globalThis.axe))) await him.page.evaluate(axe);
    const { violations } = await him.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    faults.push(...violations.map((one) => `${him.name}, ${what}, ${colorScheme}: ${one.id}: ${one.help} ${one.nodes.map((node) => node.target).slice(0, 3)}`));
    kept += 1;
  }
  await him.page.emulateMedia({ colorScheme: null });
}

async function step({ page, press, name }, number) { // does what is lit twice until the order stands, and gives it
  await page.waitForFunction((n) => document.querySelector(".head .under")?.textContent.includes(n), ` ${number} `);
  if (name === "a telephone" && !(await page.locator("main.up").count())) await press(page.locator(".drawer"));
  for (let n = 0; n < MOST; n += 1) {
    await page.waitForSelector(".turn .lead");
    const sign = page.locator("#sign.lead");
    if (await sign.count()) {
      await press(sign);
      break;
    }
    const draft = await page.locator(".draft").innerText();
    await press(page.locator(".turn [data-touch].lead").first());
    await page.waitForFunction((before) => document.querySelector(".draft").innerText !== before && document.querySelector(".turn .lead"), draft);
  }
  await page.waitForFunction(() => document.querySelector(".asked h2")?.textContent.startsWith("✓"));
  must(await page.locator(".verdict .line").count(), `step ${number}: nothing came of it`);
}

async function lesson(him, game, steps) { // from the first screen to the last step
  await him.press(him.page.locator(`a[href="#/lesson/lesson-${game}-1"]`));
  for (let n = 1; n <= steps; n += 1) {
    await step(him, n);
    if (n === 1 || n === 3) await looks(him, `${game}-${n}`);
    if (n < steps) await him.press(him.page.locator(".asked button.main"));
  }
  must(await him.page.locator(".asked button.main").count(), `${game}: the lesson ends with a game to begin`);
  await him.press(him.page.locator('.asked a[href="#/"]'));
  await him.page.waitForSelector(".games .playable");
}

async function byClicks() { // every lesson; a wrong touch, a number of a rule, the sheet, and without a network
  const him = await comes("a desktop"), { page } = him, fetches = () => him.asked.filter((one) => one.endsWith(ARCHIVE)).length;
  must(fetches() === 0, "what lessons need is fetched before anybody wants it");
  for (const [game, steps] of Object.entries(counts)) await lesson(him, game, steps);
  must(fetches() === 1, `it is fetched once, not ${fetches()} times`);
  await page.goto(`${address}index.html#/lesson/lesson-hammer-2`);
  await page.waitForSelector(".turn .lead");
  await page.locator(".drawing [data-at='block:Grant']").first().click(); // on the map
  await page.waitForSelector(".letters .box");
  must((await page.locator(".letters .box").innerText()).includes("only two blocks may cross"), "a wrong touch is explained");
  must(!(await page.locator(".draft .lines li").count()), "and taken back");
  await page.locator(".letters a.rule", { hasText: "4.3" }).click();
  await page.waitForSelector(".sheet .found");
  must((await page.locator(".sheet .found").innerText()).startsWith("4.3"), "a number opens its paragraph");
  must(page.url().endsWith("#/lesson/lesson-hammer-2"), "and the game stays");
  await looks(him, "sheet");
  await page.keyboard.press("Escape");
  must(!(await page.locator(".sheet").isVisible()), "Escape closes it");
  await page.waitForFunction((path) => caches.match(path).then(Boolean), ARCHIVE);
  await him.context.setOffline(true); // and from here on without a network
  for (const game of Object.keys(counts)) {
    await page.goto(`${address}index.html#/rules/${game}`);
    await page.reload();
    await page.waitForSelector(".rulebook .data");
    must(await page.locator(".rulebook figure img").count(), `${game}: the rules have pictures`);
    const broken = await page.$$eval(".rulebook img", (all) => all.filter((one) => one.complete && !one.naturalWidth).length);
    must(!broken, `${game}: ${broken} pictures are broken`);
    await looks(him, `rules-${game}`);
  }
  await him.context.close();
}

async function byTapsInFrench() { // on a telephone
  const him = await comes("a telephone", { given: PHONE, language: "fr-FR" }), { page } = him;
  for (const [game, steps] of Object.entries(counts)) await lesson(him, game, steps);
  await page.goto(`${address}index.html#/lesson/lesson-lords-1`);
  await page.waitForSelector(".pb-lead");
  await him.press(page.locator(".drawing [data-at='card:Cochrane 8']").first());
  await page.waitForSelector(".letters .box");
  await page.waitForFunction(() => document.querySelector(".letters .box").getBoundingClientRect().bottom <= innerHeight).catch(() => faults.push("why a touch is wrong lies out of sight"));
  await page.goto(`${address}index.html#/`);
  await page.waitForSelector(".games .playable");
  await him.press(page.locator("a[href='#/rules/hammer']"));
  await page.waitForSelector(".rulebook .data");
  must((await page.locator(".rulebook").innerText()).includes("L’Angleterre est une seule région"), "the rules are in French");
  await him.context.close();
}

async function fromADisk() { // the page as one file: nothing is fetched
  const him = await comes("a file", { at: pathToFileURL(resolve(file)).href });
  for (const [game, steps] of Object.entries(counts)) await lesson(him, game, steps);
  await him.context.close();
}

for (const scenario of [byClicks, byTapsInFrench, fromADisk]) {
  try {
    await scenario();
  } catch (error) {
    faults.push(`${scenario.name}: ${error.stack}`);
  }
}
await browser.close();
console.log(JSON.stringify({ faults, kept }));
