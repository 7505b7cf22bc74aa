// People at the page, as somebody else tells them: `node tests/page/by_page.mjs MODULES SEED`, where MODULES is a folder with
// playwright-core. A line of JSON comes in, {who, does, …}, and one goes out, {ok} or {failed}; what they may do is `DOES`. Each has a
// browser of his own, of desktop size or a telephone's with touch, and does everything by what the page offers: clicks, taps, files.
// What runs in a page here only reads. tests/page/by_page.py speaks to this.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [modules, seed] = process.argv.slice(2);
const required = createRequire(pathToFileURL(`${resolve(modules)}/`)), { chromium } = required("playwright-core");
const ELSEWHERE = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"; // nobody else is to be had, whoever asks
const FLAGS = [`--host-resolver-rules=${ELSEWHERE}`, "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-quic"];
const SCREEN = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const PATIENCE = 60_000, MOST = 60; // milliseconds, in which a busy machine answers; and touches of one order
const people = new Map(), faults = [];
let browser, requests = 0, drawn = Number(seed) || 1;

const chance = () => { // mulberry32
  drawn = (drawn + 0x6d2b79f5) | 0;
  let t = Math.imul(drawn ^ (drawn >>> 15), 1 | drawn);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const one = (of) => of[Math.floor(chance() * of.length)];

const ready = (page) => page.waitForSelector("body[data-ready=yes]", { timeout: PATIENCE });
const settled = (page) => page.waitForFunction(() => document.querySelector("main.game:not(.busy)") && document.body.dataset.ready
  && document.querySelector(".result, .touches button, #sign, .asked h2"), null, { timeout: PATIENCE });
const press = (him, locator) => him.phone ? locator.tap({ timeout: PATIENCE }) : locator.click({ timeout: PATIENCE });
const pressed = (him, name) => press(him, him.page.getByRole("button", { name, exact: true }).first());
const stands = (page) => page.evaluate(() => JSON.stringify([...document.querySelectorAll(".draft .lines li, .turn [data-touch]")].map((one) => one.textContent)));

// A page asks its own server whether it is a relay, too; the browser writes down that it is none.
const isNoRelay = (said) => /\b404\b/.test(said.text()) && new URL(said.location().url || "about:blank").pathname === "/relay/";

async function watched(who, page) { // what must never be
  page.on("console", (said) => { if (isNoRelay(said)) return; if (!["log", "info", "debug"].includes(said.type())) faults.push(`${who}: the console says ${said.text()}`); });
  page.on("pageerror", (error) => faults.push(`${who}: the script fails: ${error}`));
  page.on("dialog", (dialog) => { faults.push(`${who}: a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("popup", (other) => faults.push(`${who}: a window is opened: ${other.url()}`));
}

function counted(who, context, origin) { // every request, a worker's, too
  context.on("request", (asked) => { requests += 1; if (!/^(data|blob|mailto):/.test(asked.url()) && !asked.url().startsWith(`${origin}/`)) faults.push(`${who} asks for ${asked.url()}`); });
  return context;
}

async function comes(who, { address, phone = false, named = "", door = false, drags = false }) { // somebody opens the page; `door`: what he signs goes there by itself
  const context = people.get(who)?.context
    ?? counted(who, await browser.newContext({ ...(phone ? PHONE : SCREEN), reducedMotion: "reduce", locale: "en-GB" }), new URL(address).origin);
  const page = await context.newPage(), him = { who, context, page, phone, address, door, drags, dragged: 0 };
  await watched(who, page);
  await page.addInitScript((name) => { if (name) window.name = name; }, named);
  await page.addInitScript(() => { try { localStorage.setItem("pbem.oneclick", localStorage.getItem("pbem.oneclick") ?? "no"); } catch { /* nothing is kept there */ } });
  if (phone) await page.addInitScript(sheet);
  him.named = named;
  await page.goto(address);
  await ready(page);
  people.set(who, him);
}

function sheet() { // a telephone's, which the browsers here have not got: it takes files of the kinds that Chromium takes
  navigator.canShare = ({ files = [] }) => files.every(({ name }) => /\.(txt|csv|pdf|png)$/.test(name));
  navigator.share = async ({ files: [one] }) => {
    const bytes = new Uint8Array(await one.arrayBuffer());
    globalThis.pbemShared = btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
  };
}

async function home(him) { // the first screen
  if (!await him.page.locator(".mail").count()) await press(him, him.page.locator(".home").first()); // from a game, or the tools
  await him.page.waitForSelector("main.page .mail", { timeout: PATIENCE });
  await ready(him.page);
}

async function game(him) {
  for (let n = 0; n < 5 && !await him.page.locator("main.game").count(); n++) { // a list that is made anew meanwhile takes its link away
    await press(him, him.page.locator(".mail .rows a").first());
    await him.page.waitForSelector("main.game", { timeout: PATIENCE / 4 }).catch(() => {});
  }
  await settled(him.page);
}

async function key(him, { mail }) {
  const form = him.page.locator("details", { hasText: "Make a key" }).last();
  if (!await form.evaluate((one) => one.open)) await press(him, him.page.locator("summary", { hasText: "Make a key" })); // a link opens it
  await him.page.locator("#address").fill(mail);
  await pressed(him, "Make a key");
  await him.page.waitForSelector(".mail .drop", { timeout: PATIENCE });
}

async function takesKey(him, { mail, file, passphrase }) { // one that he has
  await press(him, him.page.locator("summary", { hasText: "Make a key" }));
  await him.page.locator("#address").fill(mail);
  await him.page.locator("#passphrase").fill(passphrase);
  await him.page.getByLabel("Or take a key of OpenSSH that you have").setInputFiles(file);
  await pressed(him, "Make a key");
  await him.page.waitForSelector(".mail .drop", { timeout: PATIENCE });
}

async function drops(him, { files }) { // returns what the page says of each
  await home(him);
  await heeds(him);
  const { page } = him;
  await page.locator(".mail .drop input[type=file]").setInputFiles(files);
  await page.waitForFunction((n) => document.querySelectorAll(".mail .came > .box, .mail .came > .wrong").length >= n, files.length, { timeout: PATIENCE });
  return page.locator(".mail .came > *").allInnerTexts();
}

const BROUGHT = "Brought to the host's door.", RELAYED = "Sent by the relay.";
const notSeen = (page) => page.evaluate(() => { for (const one of document.querySelectorAll(".by-door")) one.dataset.seen = "yes"; });

async function leaves(him) { // hands the first letter that is shown to a mail program; at a door waits until it is brought there
  if (him.door) {
    const says = him.door === "relay" ? RELAYED : BROUGHT;
    await him.page.waitForFunction((text) => [...document.querySelectorAll(".by-door:not([data-seen])")].some((one) => one.textContent.includes(text)), says, { timeout: PATIENCE });
    return { door: says };
  }
  const letter = him.page.locator(".letter").first(), out = {};
  await letter.waitFor({ timeout: PATIENCE });
  const link = letter.locator("a[href^='mailto:']");
  const apart = letter.locator(".steps"), shares = apart.getByRole("button", { name: "Share", exact: true }); // a link does not take along what is attached
  if (him.phone && await shares.count()) {
    await press(him, shares);
    await letter.locator("button.main", { hasText: "Mark as sent" }).waitFor({ timeout: PATIENCE });
    out.file = await him.page.evaluate(() => globalThis.pbemShared);
  } else if (him.phone && await link.count() && !await apart.count()) {
    out.mailto = await link.getAttribute("href");
    await press(him, link);
  } else {
    const file = him.page.waitForEvent("download", { timeout: PATIENCE }), other = letter.locator("summary", { hasText: "Another way" });
    if (await other.count()) await press(him, other);
    await press(him, letter.getByRole("button", { name: "Save as a file" }));
    out.file = readFileSync(await (await file).path()).toString("base64");
  }
  const said = await him.page.locator(".letter").count();
  await press(him, letter.getByRole("button", { name: "Mark as sent" }));
  await him.page.waitForFunction((n) => document.querySelectorAll(".letter").length < n, said, { timeout: PATIENCE });
  return out;
}

async function joins(him) { // takes the seat, or says that he is ready; returns the letter
  await home(him);
  await heeds(him);
  const asked = him.page.locator(".asks:has(button.main)").first();
  await asked.waitFor({ timeout: PATIENCE });
  for (const tick of await asked.locator("input[type=checkbox]").all()) await press(him, tick); // compared by telephone
  await notSeen(him.page);
  await press(him, asked.locator("button.main").first());
  return leaves(him);
}

const lit = (page, at) => page.evaluate((at) => { // where a finger would touch it on the drawing, if it is not under something else
  for (const element of document.querySelectorAll(`.drawing [data-at="${CSS.escape(at)}"].pb-can, .drawn-scene [data-at="${CSS.escape(at)}"].pb-can`)) {
    const box = element.getBoundingClientRect();
    for (const [right, down] of [[0.5, 0.5], [0.3, 0.3], [0.7, 0.3], [0.3, 0.7], [0.7, 0.7]]) {
      const x = box.x + box.width * right, y = box.y + box.height * down;
      if (document.elementFromPoint(x, y)?.closest(".zoom, .turn")) continue; // a button, or the drawer of a telephone, is over it
      const found = document.elementsFromPoint(x, y).map((each) => each.closest(".pb-can[data-at]")).find(Boolean);
      if (found?.dataset.at === at) return { x, y };
    }
  }
  return null;
}, at);

async function drags(him, { x, y }, alone) { // a block to an area that lights up; false where nobody can drag it there. `alone`: one touch of it is all there is
  const { page } = him, { mouse } = page, lines = () => page.locator(".draft .lines code").allInnerTexts().then(String), before = await lines();
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x + 12, y + 12, { steps: 3 });
  const carried = await page.locator(".pb-carried").count() > 0;
  for (let n = 0; carried && alone && n < 200 && await lines() === before; n++) await page.evaluate(() => new Promise(requestAnimationFrame));
  for (const area of carried ? await page.locator(".drawing [data-at^='area:'].pb-can").all() : []) {
    const at = await area.getAttribute("data-at"), goal = await lit(page, at);
    if (!goal) continue;
    await mouse.move(goal.x, goal.y, { steps: 4 });
    await mouse.up();
    await page.waitForFunction((name) => document.querySelector(".draft .lines li:last-child code")?.textContent.replace(/ MAIN$/, "").endsWith(` ${name}`), at.slice("area:".length), { timeout: PATIENCE });
    him.dragged += 1;
    return true;
  }
  await page.keyboard.press("Escape");
  await mouse.up();
  await page.waitForFunction((old) => !document.querySelector(".pb-carried") && [...document.querySelectorAll(".draft .lines code")].map((one) => one.innerText).join() === old && document.querySelector(".turn [data-touch]"), before, { timeout: PATIENCE });
  return false;
}

async function touches(him, index) { // one of what is offered, on the drawing where it lies there, else in the list; true for the drawing
  const { page } = him, before = await stands(page), knob = page.locator(".turn [data-touch]").nth(index);
  const at = await knob.getAttribute("data-at"), label = await knob.locator("span").first().innerText();
  if (chance() < 0.5) await page.locator(".stage").evaluate(() => scrollTo(0, 0));
  const place = await lit(page, at);
  if (place && him.drags && at.startsWith("block:") && await drags(him, place, await page.locator(`.turn [data-touch][data-at="${at}"]`).count() === 1)) return true;
  if (place) await (him.phone ? page.touchscreen.tap(place.x, place.y) : page.mouse.click(place.x, place.y));
  else await press(him, knob);
  await page.waitForFunction((old) => document.querySelector(".menu")
    || JSON.stringify([...document.querySelectorAll(".draft .lines li, .turn [data-touch]")].map((one) => one.textContent)) !== old, before, { timeout: PATIENCE })
    .catch(async (error) => { throw new Error(`${at} (${label}) at ${JSON.stringify(place)}, where now lies ${JSON.stringify(await lit(page, at))} ${await page.evaluate((p) => p && document.elementsFromPoint(p.x, p.y).map((e) => `${e.localName}.${e.getAttribute("class")}[${e.getAttribute("data-at")}]`).join(" "), place)}: ${error.message}`); });
  const menu = page.locator(".menu .knob");
  if (await menu.count()) {
    const named = menu.filter({ hasText: label });
    await press(him, (await named.count() ? named : menu).first()); // a card of the hand says all that it could be
    await page.waitForFunction((old) => JSON.stringify([...document.querySelectorAll(".draft .lines li, .turn [data-touch]")].map((one) => one.textContent)) !== old, before, { timeout: PATIENCE });
  }
  return Boolean(place);
}

const offered = (page) => page.evaluate(() => [...document.querySelectorAll(".turn [data-touch]")].map((one, index) =>
  ({ index, at: one.dataset.at, label: one.querySelector("span").textContent, fights: one.classList.contains("fight") })));
const plans = ({ at }) => at === "choice:PLAN" || at === "choice:AHEAD";

async function draws(him, { event = false, plan = false }) { // an order by touches; what he would like comes first
  const { page } = him, done = { touches: 0, drawn: 0, undone: 0 };
  let planned = !plan;
  for (let n = 0; n < MOST; n++) {
    const all = await offered(page), closed = await page.locator("#sign").count() > 0, own = all.filter((touch) => !plans(touch));
    if (closed && !planned && all.some(({ at }) => at === "choice:PLAN")) {
      planned = true;
      done.drawn += await touches(him, all.find(({ at }) => at === "choice:PLAN").index);
      done.touches += 1;
      continue;
    }
    if (closed && (!own.length || n > MOST / 3 || chance() < 0.4)) return done;
    if (!all.length) throw new Error(`${him.who}: nothing more is offered, and the order is none: ${await stands(page)}`);
    if (n > 0 && chance() < 0.1 && !done.undone) {
      const before = await stands(page);
      await pressed(him, "Undo");
      await page.waitForFunction((old) => JSON.stringify([...document.querySelectorAll(".draft .lines li, .turn [data-touch]")].map((one) => one.textContent)) !== old, before, { timeout: PATIENCE });
      done.undone += 1;
      continue;
    }
    const events = own.filter(({ at, label }) => at.startsWith("card:") && !/\bMove\b/.test(label)), fights = own.filter((touch) => touch.fights);
    const acts = own.filter(({ at }) => at !== "choice:PASS");
    const liked = event && events.length ? events : fights.length && chance() < 0.7 ? fights : acts.length && chance() < 0.9 ? acts : own.length ? own : all;
    done.drawn += await touches(him, one(liked).index);
    done.touches += 1;
  }
  throw new Error(`${him.who}: ${MOST} touches are no order: ${await stands(page)}`);
}

async function tries(him) { // to sign; returns what is said instead
  await game(him);
  await draws(him, {});
  await press(him, him.page.locator("#sign"));
  const said = him.page.locator(".letters > .box");
  await said.first().waitFor({ timeout: PATIENCE });
  await accessible(him, "what is to be compared");
  return said.first().innerText();
}

async function accessible(him, what) { // axe-core's rules, light and dark, wide and narrow; it may lie beside playwright-core
  let axe;
  try { axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf-8"); } catch { return; }
  const size = him.page.viewportSize();
  for (const viewport of [SCREEN.viewport, PHONE.viewport]) {
    for (const colorScheme of ["light", "dark"]) {
      await him.page.setViewportSize(viewport);
      await him.page.emulateMedia({ colorScheme });
      await him.page.evaluate(axe);
      const { violations } = await him.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      faults.push(...violations.map((one) => `${what}, ${colorScheme}, ${viewport.width}: ${one.id}: ${one.help} ${one.nodes.map((node) => node.target).slice(0, 3)}`));
    }
  }
  await him.page.emulateMedia({ colorScheme: null });
  await him.page.setViewportSize(size);
}

async function unlocks(him, { passphrase }) { // and signs: a key that the page asks the passphrase of; first with a wrong one
  await game(him);
  await draws(him, {});
  await press(him, him.page.locator("#sign"));
  const dialog = him.page.locator("dialog.lock"), gives = async (words) => {
    await dialog.locator("#unlock").fill(words);
    await press(him, dialog.locator("button[type=submit]"));
  };
  await dialog.waitFor({ timeout: PATIENCE });
  await gives(`not ${passphrase}`);
  await dialog.locator("[role=alert]:not(:empty)").waitFor({ timeout: PATIENCE });
  await accessible(him, "the passphrase");
  await gives(passphrase);
  await him.page.waitForSelector(".letters .letter", { timeout: PATIENCE });
  return { letter: await leaves(him) };
}

async function compares(him, { head }) { // with what another reads out
  await him.page.locator("#compare-head").fill(head);
  await press(him, him.page.locator("#compare button[type=submit]"));
  const said = him.page.locator(".letters .wrong:not(:empty), .letters > .note");
  await said.first().waitFor({ timeout: PATIENCE });
  return said.first().innerText();
}

const ASKED = () => document.querySelector("main.game:not(.busy)") && document.querySelector(".touches button, #sign")
  && ![...document.querySelectorAll(".asked .due")].some((one) => one.textContent.includes("You have answered"));

async function answers(him, wishes) { // the question that is open; returns what was signed, with its letter
  await game(him);
  if (him.door) await him.page.waitForFunction(ASKED, null, { timeout: PATIENCE }); // it comes by itself
  const { page } = him, scene = await page.locator(".drawn-scene svg").count() > 0;
  const done = await draws(him, wishes);
  const order = await page.locator(".draft .lines code").allInnerTexts();
  await notSeen(page);
  await press(him, page.locator("#sign"));
  if (!him.door) await page.waitForSelector(".letters .letter, .letters .wrong", { timeout: PATIENCE });
  if (!him.door && await page.locator(".letters .wrong").count()) throw new Error(`${him.who}: ${order}: ${await page.locator(".letters .wrong").innerText()}`);
  return { ...done, scene, order, letter: await leaves(him) };
}

async function invites(him, { friend, game: title, side, numbers, relay = null }) { // to a game of two, without a host; returns the letter, or with a relay the link
  await home(him);
  await heeds(him);
  const { page } = him, sheet = page.locator("details.friend");
  await press(him, sheet.locator("summary").first());
  await sheet.locator("#friend-game").waitFor({ timeout: PATIENCE });
  await accessible(him, "an invitation to a friend");
  await sheet.locator("#friend-game").selectOption({ label: title });
  await sheet.locator("#friend-address").fill(friend);
  if (side) await sheet.locator("#friend-seat").selectOption({ label: side });
  await press(him, sheet.locator("form details summary"));
  for (const [name, value] of Object.entries(numbers)) await sheet.locator(`#friend-${name}`).fill(String(value));
  const place = sheet.locator("#friend-relay"), here = await place.count() && await place.getAttribute("type") === "checkbox";
  if (here && Boolean(relay) !== await place.isChecked()) await press(him, place);
  if (relay && !here) await place.fill(relay);
  await press(him, sheet.locator("button[type=submit]"));
  if (!relay) return leaves(him);
  const link = him.page.locator(".link input");
  await link.waitFor({ timeout: PATIENCE });
  await accessible(him, "the link for a friend");
  return { link: await link.inputValue() };
}

async function opensLink(him, { link }) { // pastes it where letters are read
  await home(him);
  await heeds(him);
  await him.page.locator(".mail .drop textarea").evaluate((place, text) => { // as somebody pastes it
    const data = new DataTransfer();
    data.setData("text/plain", text);
    place.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, link);
}

async function history(him) { // what the browser knows of the places where this tab was, and what the page keeps of a link
  const session = await him.context.newCDPSession(him.page), { entries } = await session.send("Page.getNavigationHistory");
  return { entries: entries.map(({ url }) => url), bar: him.page.url(), kept: await him.page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage })) };
}

async function awaits(him, { states }) { // that his game stands so, by itself; returns how, and when in seconds
  await home(him);
  await him.page.waitForFunction((wanted) => wanted.includes(document.querySelector(".mail .rows li")?.className), states, { timeout: PATIENCE });
  return him.page.evaluate(() => [document.querySelector(".mail .rows li").className, Date.now() / 1000]);
}

async function watches(him) { // his first screen: when its list is made anew, something has come
  await home(him);
  await him.page.evaluate(() => { globalThis.pbemNoticed = new Promise((done) => {
    new MutationObserver((_all, observer) => { observer.disconnect(); done(Date.now() / 1000); }).observe(document.querySelector(".mail"), { childList: true });
  }); });
}

async function notices(him) { // returns when, in seconds
  return him.page.evaluate((patience) => Promise.race([globalThis.pbemNoticed,
    new Promise((_well, badly) => { setTimeout(() => badly(new Error("nothing has come")), patience); })]), PATIENCE);
}

async function answersNow(him) { // all that a turn asks, at a relay; what became of the letter is not waited for
  await game(him);
  await notSeen(him.page);
  const { page } = him, orders = [], fresh = ".by-door:not([data-seen])";
  while (!await page.locator(fresh).count()) {
    await page.waitForFunction(() => document.querySelector(".turn [data-touch], #sign"), null, { timeout: PATIENCE });
    await draws(him, {});
    orders.push(await page.locator(".draft .lines code").allInnerTexts());
    const before = await page.locator(".asked").innerText();
    await press(him, page.locator("#sign"));
    await page.waitForFunction(([was, there]) => document.querySelector("main.game:not(.busy)")
      && (document.querySelector(`${there}, .letters .wrong`) || document.querySelector(".asked").innerText !== was), [before, fresh], { timeout: PATIENCE });
    if (await page.locator(".letters > .wrong").count()) throw new Error(`${him.who}: ${orders.at(-1)}: ${await page.locator(".letters > .wrong").innerText()}`);
  }
  return orders;
}

async function isTold(him, { text }) { // waits until it stands in the page
  await him.page.waitForFunction((wanted) => document.body.innerText.includes(wanted), text, { timeout: PATIENCE });
  return null;
}

async function byHand(him) { // what the relay did not take leaves as a file; returns it
  await accessible(him, "a letter that the relay did not take");
  return leaves({ ...him, door: false });
}

async function triesRelay(him) { // unless the page was quicker, which tries again by itself
  await Promise.race([press(him, him.page.getByRole("button", { name: "Try the relay again" }).first()).catch(() => {}), leaves(him)]);
  return leaves(him);
}

async function stand(him) { // how his first game by mail stands
  await home(him);
  await him.page.locator(".mail .rows li").first().waitFor({ timeout: PATIENCE });
  return him.page.locator(".mail .rows li").first().getAttribute("class");
}

async function signs(him, wishes) { // all that a turn of a game of two asks; returns the orders, with the letter of the turn
  await game(him);
  const { page } = him, orders = [], unlike = (old) => page.waitForFunction((was) => document.querySelector("main.game:not(.busy)")
    && (document.querySelector(".letters .letter, .letters .wrong") || document.querySelector(".asked").innerText !== was), old, { timeout: PATIENCE });
  while (!await page.locator(".letters .letter").count()) {
    await page.waitForFunction(() => document.querySelector(".turn [data-touch], #sign"), null, { timeout: PATIENCE });
    await draws(him, wishes);
    orders.push(await page.locator(".draft .lines code").allInnerTexts());
    const before = await page.locator(".asked").innerText();
    await press(him, page.locator("#sign"));
    await unlike(before);
    if (await page.locator(".letters .wrong").count()) throw new Error(`${him.who}: ${orders.at(-1)}: ${await page.locator(".letters .wrong").innerText()}`);
  }
  return { orders, dragged: him.dragged, letter: await leaves(him) };
}

async function looks(him) { // at his game of two, with all that stands beside it; nothing breaks axe-core's rules
  await game(him);
  for (const sheet of await him.page.locator(".more > details").all()) await press(him, sheet.locator("summary").first());
  await him.page.waitForFunction(() => !document.querySelector(".more .wrong:not(:empty)"), null, { timeout: PATIENCE });
  await accessible(him, "a game of two");
  return him.page.locator(".more").innerText();
}

async function cutOff(him) { // has no network any more, and opens the page anew
  const { page } = him;
  await page.waitForFunction(() => caches.match("later/two.zip").then(Boolean), null, { timeout: PATIENCE });
  await him.context.setOffline(true);
  await page.reload();
  await ready(page);
}

async function says(him, { what }) { // with the question before it
  await game(him);
  await press(him, him.page.locator("summary", { hasText: "Say something" }));
  await pressed(him, what);
  await notSeen(him.page);
  await pressed(him, "Yes, sign it");
  return leaves(him);
}

async function asksBack(him) { // what he answered last, where his turn ends with it; returns the letter
  await game(him);
  await press(him, him.page.locator("summary", { hasText: "Say something" }));
  const back = him.page.getByRole("button", { name: "Ask back what you answered last" });
  await back.waitFor({ timeout: PATIENCE });
  if (await back.isDisabled()) return null;
  await press(him, back);
  await pressed(him, "Yes, sign it");
  return leaves(him);
}

async function showsPlans(him, { plans }) { // keeps them, and lets his friend see what they say of battles; is the box checked when he comes back?
  const sheet = () => him.page.locator(".more > details").filter({ hasText: "Standing plans" }).first(), box = () => sheet().locator("input[type=checkbox]");
  const opens = async () => await sheet().evaluate((one) => one.open) || press(him, sheet().locator("summary").first());
  await game(him);
  await opens();
  await sheet().locator("textarea").fill(plans);
  await press(him, box());
  await press(him, sheet().getByRole("button", { name: "Keep" }));
  await sheet().locator("[role=status]:not(:empty)").waitFor({ timeout: PATIENCE });
  await home(him);
  await game(him);
  await opens();
  return await box().isChecked() && (await sheet().locator("textarea").inputValue()).startsWith(plans);
}

async function judges(him, { file }) { // returns the page's verdict on a log, replayed by the rules
  await home(him);
  await press(him, him.page.locator(".tools"));
  const place = him.page.locator(".look details").filter({ has: him.page.locator("#audit") }).first();
  if (!await place.evaluate((sheet) => sheet.open)) await press(him, place.locator("summary").first());
  await place.locator(".drop input[type=file]").setInputFiles(file);
  const told = place.locator(".came .verdict h3, .came > .wrong");
  await told.first().waitFor({ timeout: PATIENCE });
  return told.first().innerText();
}

async function looksOn(him, { as }) { // a game that the door of this page shows to everybody; returns what stands there
  const { page } = him, place = page.locator("details.shown");
  await press(him, place.locator("summary").first());
  await press(him, place.getByRole("button", { name: "Fetch it" }).first());
  await press(him, place.getByRole("button", { name: "Look at this game" }));
  await press(him, place.getByRole("button", { name: as, exact: true }));
  await page.waitForSelector("main.game .asked h2", { timeout: PATIENCE });
  return page.locator("main.game").innerText();
}

async function saves(him, { path }) { // his copy of the game, as a file
  await game(him);
  const { page } = him, button = page.getByRole("button", { name: "Save the log" });
  if (!await button.isVisible()) await press(him, page.locator("summary", { hasText: "The log" }));
  const file = page.waitForEvent("download", { timeout: PATIENCE });
  await press(him, button);
  await (await file).saveAs(path);
}

const story = async (him) => { await game(him); return him.page.locator(".moments").innerText(); };
const ends = async (him) => { await game(him); await him.page.waitForSelector(".result", { timeout: PATIENCE }); await him.page.waitForSelector(".asked .outcome", { timeout: PATIENCE }); return him.page.locator(".asked").innerText(); };
const shows = async (him) => { await game(him); return him.page.locator(".asked").innerText(); };
const photographs = async (him, { path }) => him.page.screenshot({ path }).then(() => null);

const downloaded = async (him, button) => {
  const file = him.page.waitForEvent("download", { timeout: PATIENCE });
  await press(him, button);
  return file;
};

async function heeds(him) { // saves the desk where the page says that it may be lost
  const button = him.page.locator("#unsaved button");
  if (await button.count()) await downloaded(him, button.first());
}

async function savesDesk(him, { path }) { // the whole of it, as a file
  await home(him);
  const { page } = him, button = page.getByRole("button", { name: "Save the desk" }).last();
  if (!await button.isVisible()) await press(him, page.locator("summary", { hasText: "Me and my hosts" }));
  await (await downloaded(him, button)).saveAs(path);
}

async function restores(him, { file }) { // a desk that was saved
  await home(him);
  await press(him, him.page.locator("summary", { hasText: "Make a key" }));
  await him.page.locator("#saved").setInputFiles(file);
  await him.page.waitForSelector(".mail .drop", { timeout: PATIENCE });
}

async function goes(him, { to }) { // to a place of the page
  await him.page.goto(`${him.address.split("#")[0]}${to}`).catch(() => {});
  await him.page.waitForSelector("body[data-ready]", { timeout: PATIENCE });
}

const holds = ({ page, named }) => page.evaluate((named) => { // what no page of ours has in it
  const found = [], own = (address) => /^(#|mailto:|blob:|\.\/|[\w-]+\.\w+$)/.test(address) || new URL(address, location.href).origin === location.origin;
  for (const one of document.querySelectorAll("*")) {
    const name = one.localName;
    if (["iframe", "object", "embed", "base", "foreignobject", "frame", "applet", "style"].includes(name)) found.push(`an element ${name}`);
    if (name === "img" && !(one.className === "thumb" && one.src.startsWith("data:image/svg+xml;"))) found.push(`an image ${one.src.slice(0, 60)}`); // one of our own drawings, small
    if (name === "script" && one.src !== new URL("main.js", location.href).href) found.push(`a script ${one.src}`);
    for (const { name: attribute, value } of one.attributes) {
      if (attribute.startsWith("on")) found.push(`${name} has ${attribute}`);
      if (/^(href|src|xlink:href|action|formaction|srcset|poster)$/.test(attribute) && !own(value) && !/^data:/.test(value)) found.push(`${name} has ${attribute}=${value}`);
    }
  }
  if (window.name !== named) found.push(`the window is called ${window.name}`);
  if ("evil" in window || Object.keys(Object.prototype).length) found.push("something was put where all see it");
  const turned = /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.exec(document.body.innerText);
  if (turned) found.push(`the text is turned or controlled by U+${turned[0].charCodeAt(0).toString(16)}: ${document.body.innerText.slice(turned.index - 40, turned.index + 20)}`);
  return found;
}, named);

async function leavesAndComes(him) { // the tab is closed; another of the same browser finds everything
  const { context, page, phone, address, door, drags } = him;
  await page.close();
  people.set(him.who, { context });
  await comes(him.who, { address, phone, door, drags });
}

const DOES = { home, watches, notices, opensLink, history, awaits, answersNow, isTold, byHand, triesRelay, leaves, key, takesKey, tries, compares, unlocks, looksOn, savesDesk, drops, joins, answers, invites, stand, signs, looks, cutOff, says, asksBack, showsPlans, judges, saves, story, shows, ends, photographs, restores, goes, holds, leavesAndComes };

const seen = async (who) => people.get(who)?.page?.evaluate(() => `${location.hash} ${(document.querySelector(".turn, section.mail") ?? document.body).innerText}`).catch(String); // where somebody was, for who mends it

async function told({ who, does, ...more }) {
  if (does === "comes") return comes(who, more);
  if (does === "faults") return faults;
  if (does === "asked") return requests;
  return DOES[does](people.get(who), more);
}

browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  try {
    console.log(JSON.stringify({ ok: await told(asked) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ failed: `${String(error.stack ?? error).slice(0, 2000)}\nThere stood: ${(await seen(asked.who))?.slice(0, 1500)}` }));
  }
}
await browser.close();
