// Measures the page in a headless Chromium: `node bench/page.mjs MODULES TASKS.json`; bench/page.py asks for it and prints. Times are
// milliseconds of the browser's own clock, from the click, or from the file's being chosen, until what it brings is painted.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { sizes } from "../tests/page/looked_over.mjs";

const [modules, tasks] = process.argv.slice(2);
const { chromium } = createRequire(pathToFileURL(`${resolve(modules)}/`))("playwright-core");
const { served, web, saved, reports, log, times, orders, looks, games, built, turn } = JSON.parse(readFileSync(tasks, "utf-8"));
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const PATIENCE = { timeout: 120_000 };
const server = await chromium.launchServer({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
const browser = await chromium.connect(server.wsEndpoint());
const fresh = () => browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", locale: "en-GB" });
const began = performance.now(), goesOn = (what) => console.error(`${what}: ${Math.round((performance.now() - began) / 1000)} s`); // for who waits
const ready = (page) => page.waitForSelector("body[data-ready=yes]", PATIENCE);

async function comes(context, address) { // until the face stands
  const page = await context.newPage(), began = performance.now();
  await page.addInitScript(() => { try { localStorage.setItem("pbem.oneclick", localStorage.getItem("pbem.oneclick") ?? "no"); } catch { /* nothing is kept there */ } });
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

const LAST = ".drawn-last", TOUCHED = "main.game:not(.busy) .turn [data-touch]";
const spent = () => pages().reduce((sum, one) => { // milliseconds, also of threads that have ended
  const parts = read(`/proc/${one}/stat`).split(") ").at(-1).split(" ");
  return sum + 10 * (Number(parts[11]) + Number(parts[12]) || 0);
}, 0);

async function empty(context) { // until a page is seen that has no script
  const page = await context.newPage();
  await page.goto(`${served}empty`, { waitUntil: "commit" });
  await page.waitForSelector("body", { ...PATIENCE, state: "attached" });
  await page.close();
}

async function spending(work) { // returns what it returns, and what the pages took of the processor
  const before = spent();
  return [await work(), spent() - before];
}

async function again(context, address, used) { // a visit to a game: until its last position is seen, and until it can be touched
  const page = await context.newPage(), before = spent();
  await page.goto(address, { waitUntil: "commit" });
  for (const [what, shown] of [["last", LAST], ["touched", TOUCHED]]) {
    await page.waitForSelector(shown, PATIENCE);
    used[what].push(spent() - before);
  }
  await page.close();
}

async function starts() { // first visits and later ones, ours and the floor by turns
  const found = { first: [], cached: [], bareFirst: [], bareCached: [] }, used = (found.used = { first: [], bareFirst: [], cached: [], bareCached: [], empty: [], last: [], touched: [] });
  for (let n = 0; n < times; n++) {
    const [ours, floor] = [await fresh(), await fresh()];
    const timed = async (what, work) => {
      const [made, cost] = await spending(work);
      used[what].push(cost);
      return made;
    };
    found.bareFirst.push(await timed("bareFirst", () => bare(floor)));
    const [page, took] = await timed("first", () => comes(ours, served));
    found.first.push(took);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await page.locator("form:has(#hammer-seat) button[type=submit]").click();
    await page.waitForSelector(TOUCHED, PATIENCE);
    const place = page.url();
    await page.close();
    found.bareCached.push(await timed("bareCached", () => bare(floor)));
    found.cached.push((await timed("cached", () => comes(ours, served)))[1]);
    await timed("empty", () => empty(floor));
    await again(ours, place, used);
    await Promise.all([ours.close(), floor.close()]);
  }
  return found;
}

const drawn = (page, act, chance, places) => page.evaluate(([act, chance, places]) => new Promise((well) => { // a click, until what it brings is painted
  const began = performance.now(), all = [...document.querySelectorAll(act)].filter((one) => !["choice:PLAN", "choice:AHEAD"].includes(one.dataset.at));
  const observer = new MutationObserver(() => {
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel(); // is heard after the frame
      port1.onmessage = () => well(performance.now() - began);
      port2.postMessage(0);
    });
  });
  for (const place of places) observer.observe(document.querySelector(place), { childList: true });
  all[Math.floor(chance * all.length)].click();
}), [act, chance, places]);

const read = (file) => { try { return readFileSync(file, "utf-8"); } catch { return ""; } };

function pages() { // the programs of the browser that show pages; Linux tells what they have used of the processor
  const parent = (one) => read(`/proc/${one}/stat`).split(") ").at(-1).split(" ")[1];
  const isOurs = (one) => one === `${server.process().pid}` || (one > 1 && isOurs(parent(one)));
  return readdirSync("/proc").filter((one) => /^\d+$/.test(one) && read(`/proc/${one}/cmdline`).includes("--type=renderer") && isOurs(one));
}

const used = (found) => found.flatMap((one) => { try { return readdirSync(`/proc/${one}/task`).map((thread) => `/proc/${one}/task/${thread}/schedstat`); } catch { return []; } })
  .reduce((sum, file) => sum + Number(read(file).split(" ")[0]) / 1e6, 0); // milliseconds, of all their threads

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

function place(at) { // where the drawing lights up for it and nothing that may be touched lies over it; null where it does not
  for (const element of document.querySelectorAll(`.drawing .pb-can[data-at="${CSS.escape(at)}"], .drawn-scene .pb-can[data-at="${CSS.escape(at)}"]`)) {
    const { x, y, width, height } = element.getBoundingClientRect();
    for (let n = 0; n < 441; n++) { // from the middle to the edges
      const around = (i) => 0.5 + (i % 2 ? i + 1 : -i) / 44, [left, top] = [x + width * around(n % 21), y + height * around(Math.floor(n / 21))];
      const found = document.elementsFromPoint(left, top).find((one) => one.closest("[data-at],.zoom"))?.closest("[data-at],.zoom");
      if (found?.dataset.at === at) return [left, top];
    }
  }
  return null;
}

async function presses(page, { at, label, to, alone }) { // as a stranger does it: by what lights up, on the drawing or in the list
  const spot = alone && await page.evaluate(place, at);
  if (spot && to) {
    const { mouse } = page, goal = () => page.waitForFunction(place, to, PATIENCE).then((found) => found.jsonValue());
    await mouse.move(...spot);
    await mouse.down();
    await mouse.move(spot[0] + 12, spot[1] + 12, { steps: 3 });
    await page.waitForSelector(".lines .open", PATIENCE);
    await mouse.move(...await goal(), { steps: 5 });
    await mouse.up();
  } else if (spot) await page.mouse.click(...spot);
  else await (await page.waitForFunction(([at, label]) => [...document.querySelectorAll(".turn [data-touch]")].find((one) => one.checkVisibility() && one.dataset.at === at && (at.startsWith("card:") || one.textContent.includes(label))), [at, label], PATIENCE).catch(async () => {
    throw new Error(`nothing to press for ${JSON.stringify([at, label])} among ${JSON.stringify(await page.locator(".turn [data-touch]").allInnerTexts())}`);
  })).click();
}

async function clicks() { // of a whole game turn of Hammer; and how large it is drawn, on a wide screen and on a telephone
  const seen = {};
  for (const [name, viewport] of [["1440x900", { width: 1440, height: 900 }], ["390x844", { width: 390, height: 844 }]]) {
    const context = await browser.newContext({ viewport, reducedMotion: "reduce", locale: "en-GB", hasTouch: viewport.width < 600 }), page = await context.newPage();
    await page.goto(turn.address);
    await page.locator(".kept a").first().click();
    await settled(page);
    await page.waitForSelector(".drawing .face", PATIENCE);
    seen[name] = { listed: await page.evaluate(sizes) };
    if (viewport.width > 600) {
      await page.evaluate(() => { globalThis.pressed = 0; addEventListener("pointerdown", ({ isTrusted, target }) => { globalThis.pressed += isTrusted && !target.closest(".zoom"); }, true); });
      await page.locator(".zoom button").last().click(); // all of the map
      seen.each = [];
      for (const { asked, way, signed } of turn.questions) {
        const [before, moments] = [await page.evaluate(() => globalThis.pressed), await page.locator(".moments > li").count()];
        for (const [n, click] of way.entries()) {
          const draft = await page.locator(".draft").textContent();
          await presses(page, click);
          if (n < way.length - 1) await page.waitForFunction(([old, laid]) => document.querySelector(".draft").textContent !== old && !(laid && document.querySelector(".lines .open")), [draft, click.to], PATIENCE);
        }
        if (!signed) await page.locator("#sign").click(PATIENCE); // else it is by itself
        await page.waitForFunction((old) => document.querySelectorAll(".moments > li").length > old && !document.querySelector("main.busy, #sign, .lines"), moments, PATIENCE);
        await settled(page);
        seen.each.push([asked, await page.evaluate(() => globalThis.pressed) - before]);
      }
    } else {
      await drawn(page, ".turn [data-touch]", 0, ["section.touches"]);
      seen[name].drafted = await page.evaluate(sizes);
    }
    await context.close();
  }
  return seen;
}

const settled = (page) => page.waitForFunction(() => document.querySelector("main.game:not(.busy)") && document.querySelector(".result, .turn [data-touch], #sign"), null, PATIENCE);

function chances(seed) { // the same ones at each run
  let at = seed;
  return () => (at = (Math.imul(at, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

async function plays(page, game) { // a game alone: its touches, then its positions, each with what the page took of the processor
  const found = { touches: [], positions: [], touchesUsed: [], positionsUsed: [] }, chance = chances(7), programs = pages();
  const timed = async (what, ...how) => {
    const before = used(programs);
    found[what].push(await drawn(page, ...how));
    found[`${what}Used`].push(used(programs) - before);
  };
  await page.locator(`form:has(#${game}-seat) button[type=submit]`).click();
  for (let n = 0; n < orders; n++) {
    await settled(page);
    if (await page.locator(".result").count()) break;
    for (;;) {
      const [closed, more] = await page.evaluate(() => [Boolean(document.querySelector("#sign")), document.querySelectorAll(".turn [data-touch]:not([data-at='choice:PLAN'],[data-at='choice:AHEAD'])").length]);
      if (closed && (!more || chance() < 0.3)) break;
      await timed("touches", ".turn [data-touch]", chance(), ["section.touches", "section.typing"]);
    }
    await page.locator("#sign").click();
  }
  await settled(page);
  const moments = await page.locator(".moment .then").count(), step = Math.max(1, moments / looks);
  for (let n = 0; n < moments; n += step) await timed("positions", ".moment .then", (Math.floor(n) + 0.5) / moments, ["section.asked"]);
  return found;
}

async function carrier(address, restores, games) {
  const context = await fresh(), [page] = await comes(context, address), found = { games: {} };
  for (const game of games) {
    found.games[game] = await plays(page, game);
    goesOn(game);
    await page.locator("section.head .home").first().click();
    await page.waitForSelector("main.page .playable", PATIENCE);
  }
  if (restores) {
    await page.locator("summary", { hasText: "Make a key" }).click();
    await page.locator("#saved").setInputFiles(saved);
  }
  await page.waitForSelector(".mail .drop", PATIENCE);
  found.reports = [];
  for (const one of reports) found.reports.push(await brought(page, ".mail .drop input[type=file]", one, ".mail .came .box"));
  goesOn("reports");
  if (!await page.locator("#audit").count()) await page.locator(".tools").first().click(); // a page of its own
  await page.locator("#audit").first().evaluate((node) => { for (let one = node.closest("details"); one; one = one.parentElement.closest("details")) one.open = true; });
  await page.locator("#audit").first().uncheck();
  found.log = await brought(page, "details:has(#audit) .drop input[type=file]", log, "details:has(#audit) .came .verdict");
  found.said = await page.locator("details:has(#audit) .came h3").first().innerText();
  await context.close();
  return found;
}

try {
  const found = { version: browser.version(), ...(await starts()) };
  goesOn("starts");
  found.clicks = await clicks();
  goesOn("clicks");
  found.worker = await carrier(served, true, built);
  found.web = await carrier(web, false, games);
  console.log(JSON.stringify(found));
} finally {
  await browser.close();
  await server.close();
}
