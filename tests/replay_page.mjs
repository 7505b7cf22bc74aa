// Drives replay pages in a headless Chromium: `node tests/replay_page.mjs MODULES PAGE.html…`, where MODULES is a folder with
// playwright-core and axe-core. It is no test of pytest's: both come from outside, and .ci/run says so where they are missing.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, ...pages] = process.argv.slice(2);
const required = createRequire(pathToFileURL(`${resolve(modules)}/`));
const { chromium } = required("playwright-core");
const axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf-8");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-quic"];
const WIDE = { width: 1280, height: 860 }, NARROW = { width: 390, height: 844 };
const KEPT = 6; // at so many steps a page that walked there is compared with one that began there

let browser, wrong = 0;
const must = (holds, what) => { if (!holds) { wrong += 1; console.log(`   WRONG: ${what}`); } };
const same = (a, b, what) => must(a === b, `${what}: ${JSON.stringify(a).slice(0, 300)} is not ${JSON.stringify(b).slice(0, 300)}`);

async function open(file, address = "", more = {}) {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce", ...more });
  const page = await context.newPage();
  page.on("console", (said) => must(said.type() === "log", `the console says: ${said.text()}`));
  page.on("pageerror", (error) => must(false, `the script fails: ${error}`));
  page.on("request", (asked) => must(asked.isNavigationRequest() || asked.url().startsWith("data:"), `it asks for ${asked.url().slice(0, 80)}`));
  await page.goto(pathToFileURL(resolve(file)).href + address);
  await page.waitForSelector("body[data-ready]");
  return page;
}

const shown = (page) => page.evaluate(() => ({
  drawing: document.getElementById("moving")?.innerHTML ?? "", story: document.getElementById("story").innerHTML,
  where: document.getElementById("where").textContent, seat: document.getElementById("seat").value,
  at: Number(document.getElementById("slider").value), last: Number(document.getElementById("slider").max),
  turn: document.querySelector("[aria-current]")?.textContent ?? "",
}));

async function walks(file) { // through the whole game, key by key; what stands there is what a link to the step shows
  const page = await open(file), { last } = await shown(page), stride = Math.ceil((last + 1) / KEPT);
  for (let i = 0; i <= last; i++) {
    const [at, story] = await page.evaluate(() => [
      Number(document.getElementById("slider").value), document.getElementById("story").textContent.length]);
    same(at, i, "the step");
    must(story > 0, `nothing happened at step ${i}`);
    if (i % stride === 0 || i === last) {
      const now = await shown(page), link = await page.locator("#where a").getAttribute("href");
      const fresh = await open(file, link);
      same(JSON.stringify(await shown(fresh)), JSON.stringify(now), `a link to ${link}`);
      await fresh.context().close();
    }
    await page.keyboard.press("ArrowRight");
  }
  must(await page.locator("#on").isDisabled(), "at the end it would go on");
  must((await shown(page)).story.includes("The end"), "the end is not told");
  await page.keyboard.press("Home");
  same((await shown(page)).at, 0, "Home");
  await page.context().close();
  return last + 1;
}

async function sees(file) { // each seat has its own view of the same moment
  const page = await open(file);
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
  const seats = await page.locator("#seat option").evaluateAll((options) => options.map((option) => option.value));
  const views = new Set(), { where } = await shown(page);
  for (const [i, seat] of seats.entries()) {
    if (i % 2) await page.keyboard.press(String(i + 1));
    else await page.selectOption("#seat", seat);
    const now = await shown(page);
    same(now.seat, seat, "the seat");
    same(now.where, where, "the moment");
    await page.evaluate(() => { document.getElementById("board").open = true; });
    await page.waitForFunction(() => document.getElementById("words").textContent.length > 40);
    views.add(now.drawing + (await page.locator("#words").innerHTML()));
  }
  same(views.size, seats.length, "different views");
  await page.context().close();
}

async function plays(file) { // by itself, and stops; pieces glide where motion is welcome
  const page = await open(file, "", { reducedMotion: "no-preference" });
  await page.selectOption("#speed", "400");
  await page.click("#play");
  const moved = () => document.getAnimations().some((one) => one.effect.getKeyframes().some((frame) => "transform" in frame));
  if ((await shown(page)).drawing) await page.waitForFunction(moved);
  await page.waitForFunction(() => { // in one breath, as a short game may be over before a key of ours arrives
    if (Number(document.getElementById("slider").value) <= 3) return false;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
    return true;
  });
  same(await page.locator("#play").getAttribute("aria-label"), "Play the steps", "after a pause");
  const { at } = await shown(page);
  await page.locator("#slider").fill(String(at - 2));
  same((await shown(page)).at, at - 2, "the slider");
  const turn = page.locator("#turns a").nth(2), called = await turn.textContent();
  await turn.click();
  await page.waitForFunction((name) => document.querySelector("[aria-current]")?.textContent === name, called);
  await page.keyboard.press("PageDown");
  must((await shown(page)).at > at - 99, "a turn on");
  await page.context().close();
}

async function comesNear(file) { // by buttons, keys, wheel and hand, never off the map; nothing else moves
  const page = await open(file), box = () => page.evaluate(() => document.querySelector("#drawing > svg")?.getAttribute("viewBox"));
  const whole = await box();
  if (!whole) { await page.context().close(); return; }
  const [, , wide, high] = whole.split(" ").map(Number);
  const inside = async (what) => {
    const [x, y, w, h] = (await box()).split(" ").map(Number);
    must(x >= 0 && y >= 0 && x + w <= wide + 0.01 && y + h <= high + 0.01 && w < wide, `${what}: ${[x, y, w, h]}`);
  };
  must(await page.locator("#further").isDisabled(), "the whole map can be seen from further");
  await page.click("#nearer");
  await inside("a button");
  await page.click("#whole");
  same(await box(), whole, "the whole map");
  await page.keyboard.press("+");
  await inside("a key");
  const { x, y, width, height } = await page.locator("#drawing").boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction((w) => Number(document.querySelector("#drawing > svg").getAttribute("viewBox").split(" ")[2]) < w / 1.9, wide);
  const before = await box();
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 90, y + height / 2 - 60, { steps: 4 });
  await page.mouse.up();
  must(await box() !== before, "it is not drawn about");
  await inside("a hand");
  same((await shown(page)).at, 0, "the step, of a map that came near");
  await page.keyboard.press("0");
  same(await box(), whole, "the whole map, by its key");
  await page.context().close();
}

async function isGuarded(file) { // what got into the page all the same would not be run, nor fetched: its policy allows its own alone
  const evil = `<img src="x:y" onerror="window.owned = 1"><script>window.owned = 2</script><style>body{color:red}</style>
    <a id="evil" href="javascript:window.owned = 3">x</a><img src="https://example.org/x.png"><svg onload="window.owned = 4"></svg>`;
  const copy = join(mkdtempSync(join(tmpdir(), "page-")), "evil.html");
  writeFileSync(copy, readFileSync(file, "utf-8").replace("</header>", `</header>${evil}`));
  const context = await browser.newContext(), page = await context.newPage(), said = [], left = [];
  page.on("console", (line) => said.push(line.text()));
  page.on("requestfailed", (one) => one.failure().errorText !== "csp" && left.push(one.url()));
  page.on("response", (one) => one.url().startsWith("http") && left.push(one.url()));
  await page.goto(pathToFileURL(copy).href);
  await page.waitForSelector("body[data-ready]");
  await page.evaluate(() => document.getElementById("evil").click());
  await page.evaluate((line) => { document.getElementById("story").innerHTML = line; }, evil); // as the page's script does
  const refused = () => said.filter((line) => line.includes("Content Security Policy")).length;
  for (let i = 0; i < 200 && refused() < 5; i++) await page.waitForTimeout(50); // what the console says comes when it comes
  must(refused() >= 5, `not refused: ${said}`);
  same(await page.evaluate(() => window.owned ?? 0), 0, "what ran");
  same(left.length, 0, "what left the page");
  same(await page.evaluate(() => getComputedStyle(document.body).color === "rgb(255, 0, 0)"), false, "a strange style");
  await context.close();
}

async function isOpenToAll(file) { // axe-core's rules, light and dark, wide and narrow; and a telephone scrolls one way alone
  let kept = 0;
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [WIDE, NARROW]) {
      const page = await open(file, "", { colorScheme, viewport });
      await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      same(over, 0, `${viewport.width} wide, too wide by`);
      await page.evaluate(axe); // by the protocol: the page itself would let no other script in
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      for (const one of found.violations) {
        must(false, `${colorScheme}, ${viewport.width}: ${one.id}: ${one.help} ${one.nodes.map((node) => node.target).slice(0, 3)}`);
      }
      kept += found.passes.length;
      await page.context().close();
    }
  }
  return kept;
}

browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
for (const file of pages) {
  const page = await open(file), ready = await page.getAttribute("body", "data-ready");
  await page.context().close();
  const steps = await walks(file);
  await sees(file);
  await plays(file);
  await comesNear(file);
  await isGuarded(file);
  const kept = await isOpenToAll(file);
  console.log(`   ${file.split("/").slice(-2).join("/")}: ready after ${ready} ms, ${steps} steps, ${kept} times a rule of axe-core kept`);
}
await browser.close();
process.exit(wrong ? 1 : 0);
