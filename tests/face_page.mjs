// Drives the face of `pbem web` in a headless Chromium: `node tests/face_page.mjs MODULES PYTHON [PICTURES]`, where MODULES is a
// folder with playwright-core and axe-core, and PICTURES one for screenshots. It is no test of pytest's: the modules come from
// outside, and .ci/run says so where they are missing.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { faults, sideways, sizes } from "./page/looked_over.mjs";

const [modules, python, pictures] = process.argv.slice(2), pbem = join(dirname(python), "pbem");
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const required = createRequire(pathToFileURL(`${resolve(modules)}/`));
const { chromium } = required("playwright-core");
const axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf-8");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-quic"];
const WIDE = { width: 1280, height: 800 }, DESK = { width: 1440, height: 900 }, NARROW = { width: 390, height: 844 }, LEAST = { width: 360, height: 640 };
const ACROSS = { width: 844, height: 390 }, LARGE = { width: 3840, height: 2160 };

let browser, address, wrong = 0, asked = 0;
const must = (holds, what) => { if (!holds) { wrong += 1; console.log(`   WRONG: ${what}`); } };
const same = (a, b, what) => must(a === b, `${what}: ${JSON.stringify(a)?.slice(0, 300)} is not ${JSON.stringify(b)?.slice(0, 300)}`);

const env = { ...process.env, PBEM_GAMES: join(root, "examples"), PBEM_LANGUAGE: "en", PYTHONUNBUFFERED: "1" };
const scratch = mkdtempSync(join(tmpdir(), "face-"));

function serve(home) { // the real command, on a desk of its own; resolves with its address
  const running = spawn(pbem, ["web", "--no-open", "--home", home], { env, cwd: root });
  running.stderr.on("data", (said) => must(false, `the server says: ${said}`));
  return new Promise((done, fail) => {
    let said = "";
    running.stdout.on("data", (more) => {
      said += more;
      const found = /http:\/\/\S+/.exec(said);
      if (found) done([running, found[0]]);
    });
    running.on("exit", () => fail(new Error(`the server ended: ${said}`)));
  });
}

async function open(where = address, { atOnce = false, ...more } = {}) {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce", locale: "en-GB", ...more });
  context.setDefaultTimeout(120_000); // on a busy machine
  if (!atOnce) await context.addInitScript(() => { try { localStorage.setItem("pbem.oneclick", localStorage.getItem("pbem.oneclick") ?? "no"); } catch { /* nothing is kept there */ } }); // as somebody sets it who wants to sign himself
  const page = await context.newPage(), origin = new URL(address).origin;
  page.on("console", (said) => must(said.type() === "log" || where !== address, `the console says: ${said.text()}`));
  page.on("pageerror", (error) => must(false, `the script fails: ${error}`));
  page.on("request", (request) => {
    asked += 1;
    must(request.url().startsWith(`${origin}/`) || /^(data|blob):/.test(request.url()), `it asks for ${request.url().slice(0, 80)}`);
  });
  await page.goto(where);
  await ready(page);
  return page;
}

const ready = (page) => page.waitForSelector("body[data-ready]");
const settled = (page) => page.waitForFunction(() => document.querySelector("main.game:not(.busy)") && document.body.dataset.ready
  && document.querySelector(".result, .turn [data-touch], #sign, .lines, .typing input"));
const knobs = (page) => page.locator(".turn [data-touch]");
const draft = (page) => page.locator(".lines code").allTextContents();
const photograph = async (page, name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });

async function begin(page, game, seat = "") {
  if (seat) await page.locator(`form:has(#${game}-seat) summary`).click();
  if (seat) await page.selectOption(`#${game}-seat`, seat);
  await page.locator(`form:has(#${game}-seat) button[type=submit]`).click();
  await settled(page);
}

async function touch(page, locator) { // and wait until the service has said what comes next
  const before = JSON.stringify(await draft(page));
  await locator.click();
  await page.waitForFunction((old) => JSON.stringify([...document.querySelectorAll(".lines code")].map((one) => one.textContent)) !== old, before);
  await settled(page);
}

async function sign(page) {
  const before = await page.locator(".moments > li").count();
  await page.locator("#sign").click();
  await page.waitForFunction((old) => document.querySelectorAll(".moments > li").length > old || !document.querySelector("main.busy, #sign, .lines"), before); // not every answer is told
  await settled(page);
}

async function playsAWholeGame() { // of Tiny by clicks; it is kept, and gone on with where it was left
  let page = await open();
  await photograph(page, "home");
  await begin(page, "tiny");
  let orders = 0, left = false;
  while (!(await page.locator(".result").count()) && orders < 60) {
    while (!(await page.locator("#sign").count())) await touch(page, knobs(page).first());
    await sign(page);
    orders += 1;
    if (orders === 2 && !left) {
      const before = await page.locator(".moments").textContent();
      left = true;
      await page.context().close();
      page = await open();
      await page.locator(".kept a").first().click();
      await settled(page);
      same(await page.locator(".moments").textContent(), before, "a game that was left");
    }
  }
  must(orders >= 6, `only ${orders} orders`);
  must(/wins|level/.test(await page.locator(".result").textContent()), "nobody wins");
  await page.waitForSelector(".rematches button");
  const outcome = await page.locator(".asked h2").first().textContent();
  must(/^(You (won|lost)|Nobody won), \d+ to \d+$/.test(outcome), `the end is told as ${outcome}`);
  await photograph(page, "tiny-over");
  await page.getByRole("button", { name: /^Play as / }).click(); // and on at once, from the other side
  await page.waitForFunction(() => !document.querySelector(".result"));
  await settled(page);
  must(!(await page.locator(".result").count()) && /You play Bob/.test(await page.locator(".under").textContent()), "the other side is not played");
  await page.context().close();
  return orders;
}

async function startsInOneClick() { // from the first screen to the first question of a new game
  for (const [title, first] of [["Hammer of the Scots", /card/i], ["Lords of Scotland", /./], ["Swords Over Scotland", /./]]) {
    const page = await open();
    await page.evaluate(() => { globalThis.clicks = 0; addEventListener("click", ({ isTrusted }) => { globalThis.clicks += isTrusted; }, true); });
    await page.getByRole("button", { name: `Play ${title}` }).click();
    await settled(page);
    await page.locator(".turn [data-touch]").first().waitFor();
    same(await page.evaluate(() => globalThis.clicks), 1, `clicks up to the first question of ${title}`);
    const asked = await page.locator("section.asked").textContent();
    must(first.test(asked), `${title} asks ${asked}`);
    await page.context().close();
  }
}

async function looksLikeAShelf() { // a picture on each card, options in words, puzzles with their positions, the small map of a game
  const page = await open();
  await page.waitForFunction(() => document.querySelectorAll(".playable .cover .thumb").length === 3); // Tiny draws nothing
  for (const said of [/2 players · 90–180 minutes/, /2–5 players/, /2–4 players/]) must(said.test(await page.locator(".games").textContent()), `no card says ${said}`);
  await page.locator(".playable:has(#hammer-seat) summary").click();
  same(await page.locator("#hammer-years option:checked").textContent(), "No limit", "the years");
  await page.locator("#hammer-years").selectOption("2");
  must(!/at the most|printed|–$/i.test(await page.locator(".games").innerText()), "an option means nothing to a stranger");
  await page.locator(".kept .map-of .thumb").first().waitFor();
  await page.waitForFunction(() => /It is your turn|wins|level|win:/.test(document.querySelector(".kept .rows li").textContent));
  await page.locator(".posed").scrollIntoViewIfNeeded();
  await page.locator(".posers li:nth-child(6) .thumb").waitFor();
  await photograph(page, "shelf");
  await keepsToAxe(page, "shelf");
  await page.getByRole("button", { name: "Play Hammer of the Scots" }).click(); // as its options say
  await page.waitForSelector("main.game");
  await settled(page);
  await page.context().close();
}

async function layOpen() { // at the end all blocks are turned over, and it is said who stood better
  const page = await visit(screens.over);
  await page.waitForSelector(".rematches button");
  must(/^You (won|lost)/.test(await page.locator(".asked h2").first().textContent()), "it is not said who has won");
  must((await page.locator(".drawing svg").textContent()).includes("the whole position"), "blocks stay hidden at the end");
  same(await page.locator(".rematches button").count(), 3, "ways to play on");
  await page.locator(".better svg, .better .note").first().waitFor();
  await photograph(page, "laid-open");
  await page.context().close();
}

async function touchesTheTable() { // a turn of Lords on the drawing itself: a card of the hand, taken back, done again, played
  const page = await open();
  await begin(page, "lords");
  const lit = page.locator("svg [data-at].pb-can");
  if (!(await knobs(page).count())) { // a game that says nothing of touches is played by typed lines
    console.log("   passed over: nothing can be touched in this game yet");
    await page.context().close();
    return;
  }
  must((await lit.count()) > 3, "nothing lights up on the table");
  await photograph(page, "lords");
  await touch(page, lit.last());
  const written = await draft(page);
  must(written.length === 1 && /^(MUSTER|RECRUIT)/.test(written[0]), `the card writes ${written}`);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.querySelector(".lines"));
  await page.keyboard.press("Control+y");
  await page.waitForFunction(() => document.querySelector(".lines"));
  same(JSON.stringify(await draft(page)), JSON.stringify(written), "done again");
  await settled(page);
  if (!(await page.locator("#sign").count())) await touch(page, knobs(page).first());
  await sign(page);
  await page.locator(".moment .then").first().click();
  await page.waitForSelector("main.past");
  await photograph(page, "lords-then");
  await page.locator(".asked .main").click();
  await page.waitForSelector("main.game:not(.past)");
  await page.context().close();
}

async function movesOnTheMap() { // a turn of Hammer on the map, as far as it says what may be touched there
  const page = await open();
  await begin(page, "hammer");
  await touch(page, knobs(page).first());
  await sign(page);
  await page.locator(".zoom button").last().click(); // the whole map
  const areas = page.locator("svg [data-at].pb-can");
  const blocks = page.locator('svg .face[data-at^="block:"].pb-can');
  if (await blocks.count()) {
    await touch(page, blocks.first());
    await photograph(page, "hammer");
    for (let n = 0; n < 4 && !(await page.locator("#sign").count()); n++) await touch(page, page.locator(".touches .knob[data-at^='area:']").first());
    must(/^MOVE /.test((await draft(page))[0] ?? "") || (await draft(page)).length > 0, `the map writes ${await draft(page)}`);
    await seesTheDraft(page);
  }
  await page.locator(".zoom button:not([aria-pressed])").first().click();
  must(await page.locator(".map.near").count() === 1, "the map does not come nearer");
  await page.context().close();
  return areas ? 1 : 0;
}

async function seesTheDraft(page) { // the blocks stand where they go, as ghosts where they were; to touch one, or the arrow, takes its line out
  await page.waitForSelector(".drawing .pb-ghost");
  must((await page.locator(".drawing .move[data-at]").count()) > 0, "no arrow shows where they go");
  must(/Group Moves used/.test(await page.locator(".draft").textContent()), "it is not said how many Group Moves that takes");
  const lines = (await draft(page)).length;
  await photograph(page, "draft");
  await page.reload();
  await settled(page);
  await page.waitForSelector(".drawing .pb-ghost"); // it is kept
  await page.locator(".zoom button").last().click();
  const [, name] = /: ([^,>]+?) ?[,>]/.exec((await draft(page)).at(-1));
  await page.locator(`.drawing .face[data-at="block:${name}"]`).click();
  await page.waitForFunction((old) => document.querySelectorAll(".lines code").length < old, lines);
  must(!(await page.locator(".drawing .pb-ghost").count()), "ghosts stay though nothing is drafted");
}

async function stops(page) { // its clock, which goes on only where it is told: what lasts a second is not over because a machine is busy
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
}

async function answersAtOneTouch() { // an answer that is one touch is signed by itself, in a second, unless it is undone
  const page = await open(address, { atOnce: true });
  await begin(page, "hammer");
  const card = page.locator(".laid .card.can").first();
  await stops(page);
  await card.click();
  await page.waitForSelector("#sign.going");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.querySelector(".lines"));
  await page.clock.runFor(1500); // a second and a half, in which nothing may be signed
  must(await card.count() > 0 && !(await page.locator("main.busy").count()), "what was undone was signed");
  await page.evaluate(() => { globalThis.heard = []; new MutationObserver(() => { const { textContent } = document.getElementById("live"); if (textContent) globalThis.heard.push(textContent); }).observe(document.getElementById("live"), { childList: true }); });
  await card.click();
  await page.waitForSelector("#sign.going");
  await page.clock.runFor(500);
  const heard = await page.evaluate(() => globalThis.heard);
  must(heard.length === 1 && /^Play .*You have 1 s to undo it/.test(heard[0]), `who hears the screen is told ${JSON.stringify(heard)}`);
  await page.clock.runFor(1000);
  await page.waitForFunction(() => !document.querySelector("#sign, .lines")); // nobody has pressed the button
  await settled(page);
  must((await page.locator(".moments").textContent()).includes("Game Turn 1"), "the card was not played");
  await page.context().close();
}

async function staysWhereSomebodyLooksAway() { // who looks back, touches elsewhere or leaves the game meanwhile has not signed
  const page = await atATurn(), waits = () => page.clock.runFor(1500);
  await stops(page);
  const goes = async () => { await pass(page).click(); await page.waitForSelector("#sign.going"); };
  const stood = async () => {
    await waits();
    must(await page.locator(".lines").count() > 0 && !(await page.locator("main.busy").count()), "what somebody looked away from was signed");
  };
  await goes();
  await page.locator(".zoom button").last().click();
  must(!(await page.locator("#sign.going").count()), "a touch elsewhere does not stop it");
  await stood();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.querySelector(".lines"));
  await goes();
  await page.locator(".moment .then").first().evaluate((node) => node.click()); // as a key does: nothing is touched
  await page.waitForSelector("main.past");
  await waits();
  await page.locator(".asked .main").click();
  await page.waitForSelector("main.game:not(.past) #sign");
  await stood();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.querySelector(".lines"));
  await goes();
  await page.evaluate(() => { location.hash = "#/"; });
  await page.waitForSelector("main.page");
  await waits();
  await page.goBack();
  await settled(page);
  await stood();
  await page.context().close();
}

async function calling(page) { // what the page asks of its service: how often something was, letting it wait until it is let go, and when all is answered
  const count = {}, waits = new Map();
  let open = 0;
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => { if (request.url().endsWith("/call")) open -= 1; });
  page.on("request", (request) => { if (request.url().endsWith("/call")) open += 1; });
  await page.route("**/call", async (route) => {
    const { call } = route.request().postDataJSON();
    count[call] = (count[call] ?? 0) + 1;
    await waits.get(call);
    await route.continue().catch(() => {}); // the page may have been left
  });
  return {
    of: (call) => count[call] ?? 0,
    hold: (call) => { let go; waits.set(call, new Promise((done) => { go = done; })); return () => { waits.delete(call); go(); }; },
    answered: async () => { for (let n = 0; n < 3; n++) do await page.evaluate(() => document.body.clientWidth); while (open); }, // an answer may lead to another call
  };
}

const pass = (page) => page.locator("[data-at='choice:PASS']").first();
const undrafted = (page) => page.waitForFunction(() => !document.querySelector(".lines, #sign, main.busy"));
const knows = (page) => page.waitForFunction(() => document.querySelector(".turn [data-touch]"));
async function undoes(page) {
  await page.keyboard.press("Control+z");
  await undrafted(page);
  await knows(page);
}

async function atATurn({ atOnce = true, ...more } = {}) { // of Hammer, whose first card was played: something has happened that can be looked back at
  const page = await open(address, { atOnce, ...more });
  await begin(page, "hammer", "scottish");
  await page.locator(".laid .card.can", { hasText: /Move [123]/ }).first().click(); // not a Sea Move
  if (!atOnce) await page.locator("#sign").click();
  await page.waitForFunction(() => !document.querySelector("#sign, .lines, main.busy") && document.querySelector(".drawing .face.pb-can"));
  await settled(page);
  await page.locator(".zoom button").last().click(); // the whole map
  return page;
}

async function signsOnlyWhatIsSeen() { // neither by itself nor by a key, whatever comes between
  const page = await atATurn(), calls = await calling(page);
  await stops(page);
  const before = calls.of("sign"), later = async () => { await calls.answered(); await page.clock.runFor(5000); await calls.answered(); };
  const goes = async () => { await pass(page).click(); await page.waitForSelector("#sign.going"); };
  const unsigned = async (what) => {
    await later();
    must(!(await page.locator("#sign.going, main.busy").count()) && calls.of("sign") === before, `signed: ${what}`);
  };

  let go = calls.hold("touches"); // a touch, and before its answer is there a look back
  await pass(page).click();
  await page.locator(".moment .then").first().evaluate((node) => node.click());
  await page.waitForSelector("main.past");
  go();
  await unsigned("what somebody looked away from before it was there");
  must(!(await page.locator("#sign").count()), "a draft of now is laid over what was");
  await page.keyboard.press("Control+Enter");
  await unsigned("by a key, while something else is looked at");
  await page.locator(".asked .main").click();
  await page.waitForSelector("main.game:not(.past) #sign");
  await undoes(page);

  go = calls.hold("touches"); // twice the same touch, and taken back
  const { x, y, width, height } = await pass(page).boundingBox();
  await page.mouse.dblclick(x + width / 2, y + height / 2);
  go();
  await page.waitForSelector("#sign");
  await undoes(page);
  await unsigned("what was touched twice and undone");

  await goes(); // another is touched, and the button of the first is pressed before the other is seen
  go = calls.hold("touches");
  await page.locator(".drawing .face.pb-can, .turn [data-touch]:not([data-at='choice:PASS'])").first().evaluate((node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  await page.locator("#sign").evaluate((node) => node.click());
  await page.keyboard.press("Control+Enter");
  go();
  await unsigned("a draft that was not seen yet");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#sign"));
  await undoes(page);

  for (const [what, away] of [["another window", () => page.evaluate(() => dispatchEvent(new Event("blur")))],
    ["the telephone is laid aside", () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))],
    ["a key", () => page.keyboard.press("Tab")], ["a wheel", () => page.mouse.wheel(0, 40)],
    ["a button beside the game", () => page.locator("#state").evaluate((node) => node.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })))]]) {
    await goes();
    await away();
    await page.waitForSelector("#sign:not(.going)", { timeout: 10_000 }).catch(() => {}); // a wheel is heard a moment later
    await unsigned(what);
    await undoes(page);
  }

  await goes(); // a letter comes meanwhile, as another tab tells it
  await page.evaluate(() => new BroadcastChannel("pbem-door").postMessage([location.hash.split("/")[2]]));
  await page.waitForFunction(() => !document.querySelector("#sign.going"));
  await unsigned("before somebody could read what came");
  must((await draft(page)).join() === "PASS", "a letter takes the draft away");
  await undoes(page);

  await goes();
  same(await page.locator("#sign").evaluate((node) => getComputedStyle(node).animationDuration), "1s", "so long what is drawn on the button takes, for who wants little motion, too");
  await page.keyboard.press("Shift");
  await page.locator("#sign").evaluate((node) => node.classList.add("going")); // it stays
  await page.clock.resume();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await keepsToAxe(page, `while an answer can be undone, ${colorScheme}`);
  }
  await page.context().close();
}

const middle = async (locator) => { const { x, y, width, height } = await locator.boundingBox(); return [x + width / 2, y + height / 2]; };
const spot = (goal) => goal.evaluate((node) => { // a point of an area that nothing lies over
  const { x, y, width, height } = node.getBoundingClientRect(), at = node.getAttribute("data-at");
  for (let n = 0; n < 400; n++) {
    const point = [x + width * ((n % 20) + 0.5) / 20, y + height * (Math.floor(n / 20) + 0.5) / 20];
    if (document.elementsFromPoint(...point).map((one) => one.closest("[data-at]")).find(Boolean)?.getAttribute("data-at") === at) return point;
  }
  return null;
});

async function dragsABlock() { // to an area that lights up: as if both had been touched; beside all of them, it was never taken up
  const page = await atATurn();
  const block = page.locator(".drawing .face[data-at^='block:'].pb-can").first(), from = await middle(block), name = await block.getAttribute("data-at");
  const take = async () => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + 20, from[1] + 20, { steps: 4 });
    await page.waitForSelector(".pb-carried");
    await page.waitForFunction(() => document.querySelector(".lines .open") && document.querySelector(".drawing [data-at^='area:'].pb-can"));
  };
  await take();
  await photograph(page, "dragged");
  await page.mouse.move(2, 300, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => !document.querySelector(".lines, .pb-carried"));
  await take();
  await page.mouse.move(...await spot(page.locator(".drawing [data-at^='area:'].pb-can").first()), { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector(".lines li:not(.open)");
  const line = (await draft(page))[0], area = await page.evaluate(() => document.querySelector(".drawing .move[data-at]") !== null);
  must(line.includes(name.slice("block:".length)) && / > /.test(line) && area, `a block that was dragged writes ${line}`);
  must(!(await page.locator(".pb-carried").count()), "what was dragged still hangs there");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.querySelector(".lines")); // both at once
  await page.context().close();
}

async function dragsWhereItGoes() { // whatever asks for an area: a retreat at its end or in a battle, a regroup, a noble's home; of several each by itself
  for (const [screen, verb] of [["retreats", "RETREAT"], ["regroup", "REGROUP"], ["home", "HOME"], ["battle", "BATTLE"]]) {
    const page = await visit(screens[screen]), goals = page.locator(".drawing [data-at^='area:'].pb-can"), written = () => draft(page).then((lines) => lines.join("; "));
    await page.locator(".zoom button").last().click();
    const blocks = page.locator(".drawing .face[data-at^='block:'].pb-can"), all = verb === "RETREAT" || verb === "HOME"; // each of them, or one
    for (let n = 1; n === 1 || (all && await blocks.count()); n++) {
      const block = blocks.first(), from = await middle(block), name = (await block.getAttribute("data-at")).slice("block:".length), before = await written();
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(from[0] + 20, from[1] + 20, { steps: 4 });
      await page.waitForFunction(() => document.querySelector(".pb-carried") && document.querySelector(".drawing [data-at^='area:'].pb-can"));
      if (verb !== "HOME" && verb !== "BATTLE") await page.waitForSelector(".lines .open");
      const area = (await goals.last().getAttribute("data-at")).slice("area:".length);
      await photograph(page, `drag-${screen}`);
      await page.mouse.move(...await spot(goals.last()), { steps: 4 });
      await page.mouse.up();
      await page.waitForFunction(([name, area]) => new RegExp(`\\b${name} .*\\b${area}$`, "m").test([...document.querySelectorAll(".lines li code")].map((one) => one.textContent).join("\n")), [name, area]);
      await settled(page);
      const now = await written(); // retreats go in the order named (5.5)
      must(now.startsWith(`${verb} `) && (verb === "RETREAT" ? now.startsWith(before) : now.includes(before)) && !(await page.locator(".pb-carried").count()), `${screen}: ${name}, dragged to ${area} after “${before}”, writes ${now}`);
      same(await page.locator("#sign").count(), Number(!all || !await blocks.count()), `${screen}: ways to sign after ${n}`);
    }
    await page.keyboard.press("Control+z");
    if (!all) await undrafted(page); // both at once
    await page.context().close();
  }
}

async function letsGoOfABlock() { // however a drag ends but on an area, nothing is drafted; and what is dragged stays under the pointer
  const page = await atATurn(), calls = await calling(page), before = calls.of("sign");
  const blocks = page.locator(".drawing .face[data-at^='block:'].pb-can"), block = blocks.first(), from = await middle(block), name = (await block.getAttribute("data-at")).slice("block:".length);
  const other = blocks.filter({ hasNot: page.locator(`[data-at="block:${name}"]`) }).last();
  const lifts = async (at = from) => {
    await page.mouse.move(...at);
    await page.mouse.down();
    await page.mouse.move(at[0] + 20, at[1] + 20, { steps: 4 });
  };
  const takes = async () => {
    await lifts();
    await page.waitForFunction(() => document.querySelector(".pb-carried") && document.querySelector(".lines .open") && document.querySelector(".drawing [data-at^='area:'].pb-can"));
  };
  const gone = async (what) => {
    await page.waitForFunction(() => !document.querySelector(".pb-carried, .lines"), null, { timeout: 10_000 }).catch(() => must(false, `a block hangs, or is drafted: ${what}`));
    await page.mouse.up();
    await undrafted(page);
    await knows(page);
  };

  await takes();
  await keepsToAxe(page, "while a block is dragged");
  const goal = page.locator(".drawing [data-at^='area:'].pb-can").first(), aim = await spot(goal);
  await page.keyboard.press("Escape");
  await gone("Escape");

  await takes();
  await page.evaluate(() => document.querySelector(".drawing").dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true, buttons: 0, clientX: 300, clientY: 300 })));
  await gone("the button was let go of elsewhere");

  await takes(); // the map is made larger below it
  await page.mouse.wheel(0, -100);
  const to = [from[0] + 40, from[1] + 60];
  await page.mouse.move(...to, { steps: 3 });
  const [x, y] = await middle(page.locator(".pb-carried"));
  must(Math.hypot(x - to[0], y - to[1]) < 12, `what is dragged is ${Math.hypot(x - to[0], y - to[1])} pixels beside the pointer`);
  await page.mouse.move(2, 300);
  await page.mouse.up();
  await gone("beside everything");
  await page.locator(".zoom button").last().click();

  await takes(); // keys choose another block meanwhile: it is not the one that is dragged
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.querySelector(".lines"));
  await page.locator(`.turn [data-at^='block:']:not([data-at="block:${name}"])`).first().evaluate((node) => node.click());
  await page.waitForFunction(() => document.querySelector(".lines .open") && document.querySelector(".drawing [data-at^='area:'].pb-can"));
  const drafted = (await draft(page)).join();
  await page.mouse.move(...await spot(page.locator(".drawing [data-at^='area:'].pb-can").first()), { steps: 4 });
  await page.mouse.up();
  await calls.answered();
  same((await draft(page)).join(), drafted, "keys chose a block while another was dragged");
  await undoes(page); // once, as nothing was added

  const go = calls.hold("touches"); // one is laid down before it is known where it can go, and at once another taken up
  await lifts();
  await page.mouse.move(...aim, { steps: 4 });
  await page.mouse.up();
  await lifts(await middle(other));
  await page.mouse.up();
  go();
  await page.waitForSelector(".lines li:not(.open)");
  const line = (await draft(page)).join("; ");
  must(line.includes(`: ${name} > `), `two blocks dragged fast write ${line}`);
  same(calls.of("sign"), before, "a drag signed something");
  await page.context().close();
}

async function pansNoMore() { // who lets go of the map outside of it does not move it any more
  const page = await atATurn(), view = () => page.locator(".drawing > svg").getAttribute("viewBox"), sea = await page.locator(".drawing").boundingBox();
  await page.locator(".zoom button").nth(1).click();
  await page.locator(".zoom button").nth(1).click();
  const empty = await page.evaluate(({ x, y, width, height }) => { // nothing that can be dragged lies there
    for (let n = 0; n < 100; n++) {
      const point = [x + width * ((n % 10) + 0.5) / 10, y + height * (Math.floor(n / 10) + 0.5) / 10];
      if (document.elementFromPoint(...point)?.closest(".drawing") && !document.elementsFromPoint(...point).some((one) => one.closest(".pb-can, .zoom"))) return point;
    }
    return null;
  }, sea);
  await page.mouse.move(...empty);
  await page.mouse.down();
  await page.mouse.move(sea.x + sea.width + 60, empty[1] + 5, { steps: 5 });
  await page.mouse.up();
  const before = await view();
  await page.mouse.move(empty[0] + 30, empty[1] + 30, { steps: 5 });
  same(await view(), before, "the map follows a pointer that nobody presses");
  await page.context().close();
}

async function dragsByAFinger() { // on a telephone, where all of the map is seen: the page stays where it is; a second finger lets go
  const page = await atATurn({ viewport: NARROW, hasTouch: true, isMobile: true }), cdp = await page.context().newCDPSession(page);
  const touches = (type, ...points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const [x, y] = await page.evaluate(() => {
    for (const one of document.querySelectorAll(".drawing .face.pb-can[data-at^='block:']")) {
      const box = one.getBoundingClientRect(), point = [box.x + box.width / 2, box.y + box.height / 2];
      if (document.elementFromPoint(...point)?.closest("[data-at]") === one) return point;
    }
    return null;
  });
  await touches("touchStart", [x, y]);
  for (let n = 1; n < 8; n++) await touches("touchMove", [x - 2 * n, y - 5 * n]);
  await page.waitForFunction(() => document.querySelector(".pb-carried") && document.querySelector(".lines .open"), null, { timeout: 20_000 }).catch(() => must(false, "a finger cannot drag a block"));
  await touches("touchStart", [x - 14, y - 35], [x + 60, y + 60]);
  await page.waitForFunction(() => !document.querySelector(".pb-carried, .lines"));
  await touches("touchEnd");
  await page.context().close();
}

async function knowsAnotherQuestion() { // one that comes while a block is dragged, or a finger is down: neither answers it
  const page = await atATurn();
  let later = 0;
  await page.route("**/call", async (route) => { // the question has another number: to the page it is another
    const asked = route.request().postDataJSON();
    if (asked.ask >= 1e6 && asked.call !== "draft") asked.ask -= later;
    const response = await route.fetch({ postData: JSON.stringify(asked) }), found = await response.json();
    if (asked.call === "position" && found.ok) found.ok.ask += later;
    await route.fulfill({ response, json: found });
  });
  const comes = async () => {
    later += 1e6;
    const told = page.waitForResponse((one) => one.request().postDataJSON()?.call === "touches");
    await page.evaluate(() => new BroadcastChannel("pbem-door").postMessage([location.hash.split("/")[2]]));
    await told;
    await settled(page);
  };
  const [x, y] = await middle(page.locator(".drawing .face[data-at^='block:'].pb-can").first());
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y + 20, { steps: 4 });
  await page.waitForFunction(() => document.querySelector(".pb-carried") && document.querySelector(".lines .open"));
  await comes();
  await page.mouse.move(x + 40, y + 40, { steps: 2 });
  must(!(await page.locator(".pb-carried, .lines").count()), "a block is dragged on, though something else is asked");
  await page.mouse.up();
  await page.locator(".head h1").click({ trial: true });
  await page.mouse.move(...await middle(page.locator(".head h1")));
  await page.mouse.down();
  await comes();
  await pass(page).evaluate((node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }))); // it lies now where something else lay
  await page.waitForSelector("#sign");
  await settled(page);
  must(!(await page.locator("#sign.going").count()), "what came under the finger is signed by itself");
  await page.mouse.up();
  await page.context().close();
}

async function hearsATouchWhileItAsks() { // news lets the page ask again what may be touched: a touch meanwhile counts once, if it is still offered
  const page = await atATurn({ atOnce: false }), calls = await calling(page), before = calls.of("sign");
  const comes = async () => {
    const asked = calls.of("touches");
    await page.evaluate(() => new BroadcastChannel("pbem-door").postMessage([location.hash.split("/")[2]]));
    while (calls.of("touches") === asked) await page.evaluate(() => document.body.clientWidth);
  };
  const during = async (touch) => {
    const go = calls.hold("touches");
    await comes();
    await touch();
    go();
    await calls.answered();
    await knows(page);
  };
  await during(() => pass(page).click());
  must((await draft(page)).join() === "PASS", "a touch while news comes is lost");
  await undoes(page);
  await during(async () => { await pass(page).click(); await pass(page).click(); });
  must((await draft(page)).join() === "PASS", "two touches while news comes are not the first of them");
  await undoes(page);
  await during(async () => {
    await pass(page).click();
    await page.route("**/call", async (route) => { // from now on the question has another number: to the page it is another
      const asked = route.request().postDataJSON();
      if (asked.ask >= 1e6) asked.ask -= 1e6;
      if (asked.call !== "position") { await route.fallback({ postData: JSON.stringify(asked) }); return; }
      const response = await route.fetch(), found = await response.json();
      if (found.ok) found.ok.ask += 1e6;
      await route.fulfill({ response, json: found });
    });
    await comes();
  });
  must(!(await draft(page)).length && calls.of("sign") === before, "a touch for the question before answers another");
  await page.context().close();
}

async function isPlayedByKeys() { // Tiny from the first screen on, without a mouse
  const page = await open();
  const tiny = () => page.evaluate(() => document.activeElement.textContent === "Play Tiny");
  for (let n = 0; n < 40 && !(await tiny()); n++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await settled(page);
  await page.keyboard.press("1");
  await page.waitForSelector("#sign");
  const before = await page.locator(".moments > li").count();
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction((old) => document.querySelectorAll(".moments > li").length > old, before);
  must((await page.locator("#live").getAttribute("aria-live")) === "polite", "nobody is told");
  await page.locator(".typing summary").focus().catch(() => {});
  await page.context().close();
}

async function playsByMail(mailed) { // a report is dropped, an order signed, its letter handed to a mail program
  const page = await open(mailed);
  await page.locator(".drop input[type=file]").first().setInputFiles(join(scratch, "club", "report.eml"));
  await page.waitForSelector(".came .report");
  must(/Tiny/.test(await page.locator(".came .report").first().textContent()), "the report is not shown");
  await page.locator(".mail .rows a").first().click();
  await settled(page);
  while (!(await page.locator("#sign").count())) await touch(page, knobs(page).first());
  await page.locator("#sign").click();
  await page.waitForSelector("dialog[open]"); // her key is locked
  await page.keyboard.type("open barley");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /does not open/.test(document.querySelector("dialog [role=alert]").textContent));
  await page.evaluate(axe);
  for (const one of (await page.evaluate(() => globalThis.axe.run("dialog"))).violations) must(false, `the passphrase: ${one.id}: ${one.help}`);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".letters [role=alert]");
  must(/nothing was signed/.test(await page.locator(".letters").textContent()), "a key that stays locked is not told");
  must(await page.locator(".letter").count() === 0, "a letter stands there though nothing was signed");
  await page.locator("#sign").click();
  await page.locator("#unlock").fill("open sesame");
  await page.locator("dialog button[type=submit]").click();
  await page.waitForSelector(".letter");
  await photograph(page, "letter");
  const link = await page.locator(".letter a[href^=mailto]").getAttribute("href").catch(() => "");
  must(link.startsWith("mailto:host@example.org?"), `the link is ${link.slice(0, 60)}`);
  must(/BEGIN PBEM ORDERS/.test(await page.locator(".letter pre").textContent()), "the block is not shown");
  await page.getByRole("button", { name: "Mark as sent" }).click();
  await page.waitForFunction(() => !document.querySelector(".letter"));
  await page.locator(".home").click();
  await page.waitForSelector(".mail .rows .answered");
  await photograph(page, "by-mail");
  await keepsToAxe(page, "by mail");
  await page.context().close();
}

async function marshalsByKeys() { // a game turn of Hammer without a mouse: a card, moves, and the next question, by digits, Tab and Enter alone
  const page = await open(), digit = (n) => page.keyboard.press(String(n)), acts = [];
  const name = async () => page.evaluate(() => document.activeElement.textContent.trim());
  for (let n = 0; n < 40 && !/^Options \(Hammer/.test(await name()); n++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("t"); // “the Scots”, as a list is chosen from by its letters
  await page.keyboard.press("t");
  for (let n = 0; n < 9 && !/^Play Hammer/.test(await name()); n++) await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector("main.game");
  await settled(page);
  for (let n = 0; n < 60 && acts.length < 4; n++) {
    if (await page.locator("#sign").count()) {
      const before = await page.locator(".moments > li").count();
      acts.push((await draft(page)).join("; "));
      await page.keyboard.press("Control+Enter");
      await page.waitForFunction((old) => document.querySelectorAll(".moments > li").length > old, before);
    } else {
      const before = JSON.stringify(await draft(page));
      const moves = page.locator("[data-key]").filter({ hasText: acts.length ? /All who|rating \d/ : /Play Move/ });
      await digit(before === "[]" && await moves.count() ? await moves.first().getAttribute("data-key") : 1);
      await page.waitForFunction((old) => JSON.stringify([...document.querySelectorAll(".lines code")].map((one) => one.textContent)) !== old, before);
    }
    await settled(page);
    must(await page.evaluate(() => document.activeElement !== document.body), "the keyboard has lost its place");
  }
  must(/^CARD /.test(acts[0] ?? "") && acts.length === 4, `by keys was played: ${acts.join(" | ")}`);
  await page.keyboard.press("Tab"); // what has the keyboard is seen to have it
  const ring = await page.evaluate(() => { const style = getComputedStyle(document.activeElement); return `${style.outlineStyle} ${style.outlineWidth}`; });
  must(/^(solid|auto) [23]/.test(ring), `the ring of focus is ${ring}`);
  await page.context().close();
}

async function looksBack() { // the list of turns, a battle of it, a step on, and back to now; what is seen then is what was
  const page = await visit(screens.battle);
  await page.locator("#turns").click();
  const turns = page.locator(".turns > li");
  must((await turns.count()) > 3, "the list of turns is short");
  must((await page.locator(".turns .came").allTextContents()).some((one) => /English|Scots/.test(one)), "no battle says who won");
  await photograph(page, "turns");
  const now = await page.locator(".drawing svg").innerHTML();
  await turns.first().locator("button").click();
  await page.waitForSelector("main.past");
  must(await page.locator(".turns [aria-current=true]").count() === 1, "the list does not say which turn is seen");
  must(await page.locator(".drawing svg").innerHTML() !== now, "the board is the same as now");
  must(!(await page.locator("[data-touch]").count()), "in the past something may be touched");
  for (const n of [0, 2, 1, 3]) { // what is kept of a drawing from moment to moment is never an older one
    await page.evaluate((n) => { const board = document.querySelector(".drawing svg"); board.dataset.seen = "yes"; document.querySelectorAll(".moment .then")[n].click(); }, n);
    await page.waitForFunction((n) => document.querySelectorAll(".moments > li")[n].getAttribute("aria-current") === "true", n);
    must(await page.evaluate(asAnew), `the board of moment ${n} is not as it is drawn anew`);
    must(await page.locator(".drawing svg").getAttribute("data-seen") === "yes", "the ground is drawn anew for each moment");
  }
  const then = await page.locator(".asked .note").textContent();
  await page.locator("#step_on").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((old) => document.querySelector(".asked .note")?.textContent !== old, then);
  must(await page.evaluate(() => document.activeElement.id) === "step_on", "the key of the next step is lost after a step");
  await page.locator(".asked .main").click();
  await page.waitForSelector("main.game:not(.past) [data-touch]");
  must(await page.evaluate(asAnew), "the board of now is not as it is drawn anew");
  await page.context().close();
}

async function asAnew() { // is the drawing that is seen the one that the service makes of that moment? In the page
  const [{ ask }, { Layers }] = await Promise.all([import("./texts.js"), import("./layers.js")]);
  const n = document.querySelector(".moments > [aria-current]")?.dataset.n, game = location.hash.split("/").at(-1);
  const { drawing } = await ask("position", { game, n: n ? Number(n) : null });
  const seen = document.querySelector(".drawing svg").cloneNode(true);
  for (const mark of seen.querySelectorAll(".pb-light")) mark.remove();
  const plain = (svg) => svg.innerHTML.replaceAll(" pb-can", "").replaceAll(' class="pb-can"', "").replaceAll(' class=""', "");
  return plain(seen) === plain(new Layers().show(drawing));
}

async function saysWhoStoodBetter() { // of a game that is over, turn by turn, when somebody opens it
  const page = await open();
  await page.locator(".tools").click();
  await page.locator(".look .drop input[type=file]").first().setInputFiles(join(root, "tests", "golden", "logs", "lords-3.pbem"));
  await page.getByRole("button", { name: "Look at this game", exact: true }).click();
  await page.locator(".look .row", { hasText: "As it was seen by:" }).getByRole("button").first().click();
  await page.waitForSelector(".result");
  const better = page.locator("details.better");
  must(!(await better.locator("svg").count()), "what nobody asked for is drawn");
  await better.locator("summary").click();
  await better.locator("svg").waitFor();
  must((await better.locator("table tr").count()) === 3, "the turns are not told in words");
  await photograph(page, "better");
  await page.context().close();
}

async function letsDiceFall() { // they fall where motion is welcome, and nowhere else; each roll is told in words
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const page = await visit(screens.battle, { reducedMotion });
    must(await page.locator(".rolls li").count() > 0, "a battle that is opened shows no dice");
    must(!(await page.locator(".falling").count()), "dice fall that have lain there long");
    for (let n = 0; n < 20 && !(await page.locator(".falling .d6").count()); n++) {
      while (!(await page.locator("#sign").count())) await touch(page, knobs(page).first());
      await sign(page);
    }
    const fall = await page.evaluate(() => getComputedStyle(document.querySelector(".falling .d6")).animationName);
    same(fall, reducedMotion === "reduce" ? "none" : "fall", "how dice fall");
    const said = await page.locator(".rolls li:has(.d6)").first().textContent();
    must(/: ([1-6](, which counts)?(, )?)+\. /.test(said), `a roll is told as ${said}`);
    if (reducedMotion === "reduce") await photograph(page, "dice");
    await page.context().close();
  }
}

async function playsACard() { // of the hand, which is where the card is; it can be told from the others by its words
  const page = await visit(screens.hand), cards = page.locator(".laid .card.can");
  same(await cards.count(), 5, "the cards of the hand");
  must(/^Play .*[.] /.test(await cards.first().textContent()), `a card is called ${await cards.first().textContent()}`);
  await photograph(page, "hand");
  await touch(page, cards.last());
  must(/^CARD /.test((await draft(page))[0]), "the card is not played");
  await page.context().close();
}

async function visit(game, more = {}) {
  const page = await open(address, more);
  await page.goto(`${new URL(address).origin}/#/game/${game}`);
  await page.waitForSelector("main.game");
  await ready(page);
  await settled(page);
  return page;
}

async function isOpenOnEveryScreen() { // each kind of screen, on each kind of device: axe-core's rules, and nothing is too wide
  let kept = 0;
  for (const [viewport, colorScheme, locale] of [[WIDE, "dark", "en-GB"], [DESK, "light", "fr-FR"], [NARROW, "light", "en-GB"], [NARROW, "dark", "fr-FR"], [LEAST, "dark", "en-GB"], [ACROSS, "light", "fr-FR"], [LARGE, "light", "en-GB"]]) {
    const page = await open(address, { colorScheme, viewport, locale, hasTouch: viewport.width < 900 });
    for (const [screen, game] of Object.entries(screens)) {
      await page.goto(`${new URL(address).origin}/#/game/${game}`);
      await page.waitForFunction((name) => document.body.dataset.ready && location.hash.endsWith(name), game);
      await settled(page);
      await photograph(page, `${screen}-${colorScheme}-${viewport.width}`);
      const where = `${screen}, ${colorScheme}, ${viewport.width}, ${locale}`;
      await looksWell(page, where, viewport);
      if ([WIDE, LEAST].includes(viewport)) kept += await keepsToAxe(page, where);
      else await isNotTooWide(page, where);
    }
    await page.context().close();
  }
  return kept;
}

async function looksWell(page, where, viewport) { // nothing is cut or covered; blocks and map are as large as they shall be
  const { block, share } = await page.evaluate(sizes);
  must(block === null || block > (viewport === WIDE || viewport === DESK ? 35.9 : 27.9), `${where}: blocks are ${block} pixels wide`);
  must(share >= (viewport === LARGE ? 0.55 : viewport.width < 600 ? 0.6 : 0.59), `${where}: the map has ${share} of the screen`);
  await page.waitForFunction(() => !document.querySelector("#state .runs .box")); // what says that something takes long lies over the end of a page
  for (const fault of await page.evaluate(faults)) must(false, `${where}: ${fault}`);
}

async function slidesUp() { // on a telephone held upright: what is to be chosen lies over the map and goes down again, and a draft lets the map be as large
  const page = await open(address, { viewport: NARROW, hasTouch: true }), handle = page.locator(".drawer"), up = (is) => page.waitForSelector(`main.game${is ? ".up" : ":not(.up)"}`);
  const inSight = (locator) => locator.first().evaluate((node) => { const { left, top, width, height } = node.getBoundingClientRect(); return node.contains(document.elementFromPoint(left + width / 2, top + height / 2)); });
  const holds = async (where) => { const { block, share } = await page.evaluate(sizes); must(share >= 0.6 && block >= 27.9, `${where}: the map has ${share} of the screen, blocks are ${block} wide`); };
  const seen = async () => [await handle.getAttribute("aria-expanded"), await inSight(page.locator(".laid .card.can").last())].join();
  await begin(page, "hammer");
  await holds("cards to choose");
  same(await handle.innerText(), `▴ Your options: ${await page.locator(".turn [data-touch]:not([data-at='choice:PLAN'], [data-at='choice:AHEAD'])").count()}`, "the handle");
  same(await seen(), "false,false", "what is seen at first");
  await handle.tap();
  await up(true);
  same(await seen(), "true,true", "what the handle slides up");
  await holds("cards that lie over the map");
  await page.locator(".zoom").evaluate((node) => node.querySelector("button").focus()); // whoever goes to the map by keys sees it
  await up(false);
  await handle.focus();
  await page.keyboard.press("Enter");
  await up(true);
  await page.keyboard.press("Escape");
  await up(false);
  await page.mouse.move(200, 700);
  await page.mouse.wheel(0, 400);
  await up(true);
  await page.touchscreen.tap(200, 60);
  await up(false);
  await touch(page, page.locator(".laid .card.can").last()); // wherever it lies
  await up(false);
  for (const what of ["#sign", ".draft .row button:nth-child(2)", ".lines code"]) must(await inSight(page.locator(what)), `${what} is out of sight`);
  await holds("a draft");
  await keepsToAxe(page, "a draft on a telephone");
  await page.context().close();
}

async function isNotTooWide(page, where) {
  await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
  same(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `${where}, too wide by`);
  for (const fault of await page.evaluate(sideways)) must(false, `${where}: ${fault}`);
}

async function keepsToAxe(page, where) {
  await isNotTooWide(page, where);
  if (!(await page.evaluate(() => globalThis.axe))) await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const one of found.violations) must(false, `${where}: ${one.id}: ${one.help} ${one.nodes.map((node) => node.target).slice(0, 3)}`);
  return found.passes.length;
}

async function followsTheTutorial() { // its commands as they stand, and its steps on two pages, in its order
  const text = readFileSync(join(root, "docs", "tutorial", "on-the-page.md"), "utf-8"), folder = join(scratch, "tutorial");
  const commands = [...text.matchAll(/```sh\n([^`]+)```/g)].flatMap(([, block]) => block.trim().split("\n")).filter((line) => /^pbem (?!web)/.test(line));
  const named = (words) => { must(text.includes(`**${words}**`), `the tutorial does not say ${words}`); return words; };
  mkdirSync(folder);
  const typed = (line) => execFileSync(pbem, [...line.split(" ").slice(1)], { env, cwd: folder });
  let reads = text.match(/let\s+the\s+club\s+read\s+its\s+mail/gi).length;
  const clubReads = () => { reads--; typed(commands.at(-1)); };
  const alone = await serve(join(folder, "ann"));
  address = alone[1];
  let page = await open(address);
  await begin(page, "tiny");
  const before = await page.locator(".moments > li").count();
  await touch(page, page.locator(".laid .card.can").first());
  await page.getByRole("button", { name: named("Play it") }).click();
  await page.waitForFunction((n) => document.querySelectorAll(".moments > li").length > n, before); // who wins the turn is chance
  await page.context().close();
  commands.slice(0, -1).forEach(typed); // the club opens a game, and both have a key
  const servers = { ann: alone, bob: await serve(join(folder, "bob")) }, pages = {};
  const letters = (seat) => { const place = join(folder, "club", "mail", seat, "new"); return readdirSync(place).map((name) => join(place, name)); };
  const press = (name) => page.getByRole("button", { name: named(name) }).first().click();
  const take = async (seat) => {
    page = pages[seat];
    await page.goto(`${new URL(address).origin}/#/`);
    await page.reload();
    await page.waitForSelector(".mail .drop");
    const files = letters(seat);
    await page.locator(".mail .drop input[type=file]").setInputFiles(files);
    await page.waitForFunction((n) => document.querySelectorAll(".mail .came > .box").length >= n, files.length);
  };
  const send = async () => {
    await press("Send everything");
    await page.waitForFunction(() => ![...document.querySelectorAll("button")].some((one) => one.textContent === "Send everything"));
  };
  const both = async (work) => { for (const seat of ["ann", "bob"]) { address = servers[seat][1]; pages[seat] ??= await open(address); await work(seat); } };
  for (const sign of ["Sign: I take the seat", "Sign: I am ready"]) {
    await both(async (seat) => {
      await take(seat);
      await page.waitForSelector(".asks .met"); // a first game: whom one meets is told, and nothing is to be compared
      must(/for the first time/.test(await page.locator(".asks .met").first().textContent()), `${seat} is not told whom a first game meets`);
      same(await page.locator(".asks .keys, .asks input[type=checkbox]").count(), 0, "what is to be compared in a first game");
      await press(sign);
      await page.waitForSelector(".asks .letter");
      await page.reload();
      await page.waitForSelector(".mail .drop");
      await send();
    });
    clubReads();
  }
  const answer = async (seat) => {
    await take(seat);
    await page.locator(".mail .rows a").first().click();
    await page.waitForSelector("main.game");
    await settled(page).catch(() => {});
    if (!(await page.locator("[data-touch]").count()) || /You have answered/.test(await page.locator(".asked").textContent())) return false;
    while (!(await page.locator("#sign").count())) await touch(page, knobs(page).first());
    await press("Sign it");
    await page.waitForSelector(".letter");
    for (const way of ["Open in my mail program", "Copy the text", "Save as a file"]) must(await page.locator(".letter").getByText(named(way)).count(), `a letter has no ${way}`);
    await page.locator(".home").click();
    await page.waitForSelector(".mail .drop");
    await send();
    return true;
  };
  await both(async (seat) => must(await answer(seat), `${seat} is not asked for a card`));
  clubReads();
  let asked = 0;
  await both(async (seat) => { asked += await answer(seat); });
  same(asked, 1, "who is asked for the points");
  clubReads();
  same(reads, 0, "times that the club reads its mail in the tutorial and did not here");
  await both(async (seat) => {
    await take(seat);
    await page.locator(".mail .rows a").first().click();
    await page.waitForSelector(".result");
    await page.getByRole("button", { name: named("Turns") }).click();
  });
  await page.getByText("The log", { exact: true }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: named("Save the log") }).click();
  const log = join(folder, "saved.pbem");
  await (await saved).saveAs(log);
  await page.locator(".home").click();
  await page.getByRole("link", { name: named("The referee's tools") }).click();
  await page.locator(".look .drop input[type=file]").first().setInputFiles(log);
  await page.waitForSelector(".look .came h3");
  must(/clean/.test(await page.locator(".look .came h3").textContent()), "the log of the tutorial is not clean");
  await photograph(page, "judged");
  for (const seat of ["ann", "bob"]) {
    await pages[seat].context().close();
    servers[seat][0].removeAllListeners("exit");
    servers[seat][0].kill("SIGINT");
  }
}

async function speaksFrench() {
  const page = await open(address, { locale: "fr-FR" });
  same(await page.getAttribute("html", "lang"), "fr", "the language of a French browser");
  must((await page.locator("h2").first().textContent()) !== "Play now", "it is not in French");
  await begin(page, "tiny");
  must(!/Your move|Undo/.test(await page.locator("body").textContent()), "a word of it is English");
  await page.context().close();
}

async function hearsNobodyElse() { // no token, no answer: and it says so
  const page = await open(address.split("#")[0]).catch(() => null);
  must(page && /token/.test(await page.locator("main [role=alert]").textContent()), "without a token nothing is said");
  await page?.context().close();
}

async function isOpenToAll() { // axe-core's rules on each screen, light and dark, wide and narrow; nothing is too wide
  let kept = 0;
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [WIDE, LEAST]) {
      const page = await open(address, { colorScheme, viewport, hasTouch: viewport !== WIDE });
      for (const screen of ["home", "tools", "puzzles", "tiny", "lords", "hammer"]) {
        if (["tools", "puzzles"].includes(screen)) {
          await page.goto(`${new URL(address).origin}/#/${screen}`);
          await page.waitForSelector(`.page header .home`);
          await ready(page);
        } else if (screen !== "home") {
          await page.goto(`${new URL(address).origin}/#/`);
          await page.waitForSelector(`#${screen}-seat`, { state: "attached" });
          await begin(page, screen);
          if (await knobs(page).count()) await touch(page, knobs(page).first());
        }
        await photograph(page, `${screen}-${colorScheme}-${viewport.width}`);
        kept += await keepsToAxe(page, `${screen}, ${colorScheme}, ${viewport.width}`);
      }
      await page.context().close();
    }
  }
  return kept;
}

execFileSync(python, ["-m", "tests.page.a_desk", join(scratch, "club")], { env, cwd: root });
const screens = JSON.parse(execFileSync(python, ["-m", "docs.screens", join(scratch, "alone")], { env, cwd: root }));
const [alone, mail] = await Promise.all(["alone", join("club", "ann")].map((home) => serve(join(scratch, home))));
address = alone[1];
try {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  const orders = await playsAWholeGame();
  await startsInOneClick();
  await looksLikeAShelf();
  await layOpen();
  await touchesTheTable();
  await movesOnTheMap();
  await answersAtOneTouch();
  await staysWhereSomebodyLooksAway();
  await signsOnlyWhatIsSeen();
  await dragsABlock();
  await dragsWhereItGoes();
  await letsGoOfABlock();
  await dragsByAFinger();
  await knowsAnotherQuestion();
  await hearsATouchWhileItAsks();
  await pansNoMore();
  await slidesUp();
  await isPlayedByKeys();
  await marshalsByKeys();
  await playsACard();
  await looksBack();
  await saysWhoStoodBetter();
  await letsDiceFall();
  await speaksFrench();
  await hearsNobodyElse();
  const kept = await isOpenToAll() + await isOpenOnEveryScreen();
  address = mail[1];
  await playsByMail(address);
  await followsTheTutorial();
  console.log(`   the face: a game of ${orders} orders, ${asked} requests, none to anybody else; ${kept} times a rule of axe-core kept`);
} catch (error) {
  must(false, error.stack);
} finally {
  await browser?.close();
  for (const [server] of [alone, mail]) {
    server.removeAllListeners("exit");
    server.kill("SIGINT");
  }
}
process.exit(wrong ? 1 : 0);
