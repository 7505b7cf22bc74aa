// Drives what the face says, settles and judges in a headless Chromium: `node tests/face_sheets.mjs MODULES PYTHON [PICTURES]`, as
// tests/face_page.mjs does for playing: joining, where whom one meets is told, a draw agreed to, words, another key, files judged and looked at.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { faults, sideways } from "./page/looked_over.mjs";

const [modules, python, pictures] = process.argv.slice(2), pbem = join(dirname(python), "pbem");
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const required = createRequire(pathToFileURL(`${resolve(modules)}/`));
const { chromium } = required("playwright-core");
const axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf-8");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];
const WIDE = { width: 1280, height: 800 }, NARROW = { width: 390, height: 844 };

let browser, wrong = 0, kept = 0;
const must = (holds, what) => { if (!holds) { wrong += 1; console.log(`   WRONG: ${what}`); } };
const env = { ...process.env, PBEM_GAMES: join(root, "examples"), PBEM_LANGUAGE: "en", PYTHONUNBUFFERED: "1" };
const scratch = mkdtempSync(join(tmpdir(), "sheets-"));
const servers = [];

function serve(home) { // the real command, on a desk of its own; resolves with its address
  const running = spawn(pbem, ["web", "--no-open", "--home", home], { env, cwd: root });
  servers.push(running);
  running.stderr.on("data", (said) => must(false, `the server says: ${said}`));
  return new Promise((done, fail) => {
    let said = "";
    running.stdout.on("data", (more) => {
      said += more;
      const found = /http:\/\/\S+/.exec(said);
      if (found) done(found[0]);
    });
    running.on("exit", () => fail(new Error(`the server ended: ${said}`)));
  });
}

async function open(address, more = {}) {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce", locale: "en-GB", acceptDownloads: true, ...more });
  context.setDefaultTimeout(120_000); // on a busy machine
  await context.addInitScript(() => { try { localStorage.setItem("pbem.oneclick", localStorage.getItem("pbem.oneclick") ?? "no"); } catch { /* nothing is kept there */ } });
  const page = await context.newPage(), { origin } = new URL(address);
  page.on("console", (said) => must(said.type() === "log", `the console says: ${said.text()}`));
  page.on("pageerror", (error) => must(false, `the script fails: ${error}`));
  page.on("request", (request) => must(request.url().startsWith(`${origin}/`) || /^(data|blob):/.test(request.url()), `it asks for ${request.url().slice(0, 80)}`));
  await page.goto(address);
  await page.waitForSelector("body[data-ready]");
  return page;
}

async function close(page) { // once it asks for nothing more: the server would say that it was left
  await page.waitForLoadState("networkidle");
  await page.context().close();
}

async function look(page, name) { // a picture, wide and narrow, light and dark, and axe-core's rules on each
  for (const viewport of [WIDE, NARROW]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${viewport.width}.png`), fullPage: true });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      must(over === 0, `${name}, ${viewport.width} wide, is too wide by ${over}`);
      for (const fault of await page.evaluate(sideways)) must(false, `${name}, ${viewport.width} wide: ${fault}`);
      await page.evaluate(axe);
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      for (const one of found.violations) must(false, `${name}, ${colorScheme}, ${viewport.width}: ${one.id}: ${one.help} ${one.nodes.map((node) => `${node.target} ${node.html.slice(0, 80)}`).slice(0, 3)}`);
      kept += found.passes.length;
    }
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

async function unfold(page) { // every sheet there is, and those within
  for (let n = 0; n < 3; n++) {
    await page.$$eval("details:not([open]) > summary", (all) => all.filter((one) => one.checkVisibility()).forEach((one) => one.click()));
    await page.waitForLoadState("networkidle");
  }
}

async function reads(page, name) { // with letters of twice the size, on a small telephone and on a desk
  for (const viewport of [{ width: 360, height: 740 }, { width: 1280, height: 800 }]) {
    await page.setViewportSize(viewport);
    if (pictures) await page.screenshot({ path: join(pictures, `large-${name}-${viewport.width}.png`), fullPage: true });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    must(over === 0, `${name}, large letters, ${viewport.width} wide, is too wide by ${over}`);
    for (const fault of await page.evaluate(faults)) must(false, `${name}, large letters, ${viewport.width} wide: ${fault}`);
  }
}

const named = (page, name) => page.getByRole("button", { name, exact: true });
const sheet = (page, name) => page.locator("summary", { hasText: name });
const text = (page, selector) => page.locator(selector).first().textContent();

async function joins(address) { // whom one meets for the first time is told, with the key; nothing is signed before it is asked for
  const page = await open(address);
  await page.locator(".drop input[type=file]").first().setInputFiles(join(scratch, "invitation.eml"));
  await page.waitForSelector(".asks .met");
  must(/([a-z]{5}-){5}[a-z]{5}/.test(await text(page, ".asks .met")), "no six words are shown");
  must(/SHA256:/.test(await text(page, ".asks .met")), "no fingerprint is shown");
  must(/turns: 3/.test(await text(page, ".asks")), "what is agreed to is not shown");
  must(!(await page.locator(".asks .keys").count()), "keys are to be compared in a first game");
  await look(page, "join");
  await named(page, "Sign: I take the seat").click();
  await page.waitForSelector(".asks .letter");
  await named(page, "Do not send it: lay it aside").first().click();
  await page.waitForFunction(() => !document.querySelector(".asks .letter"));
  await page.reload();
  await page.waitForSelector(".asks .met");
  await named(page, "Do not ask me again").click();
  must(/nothing is signed/.test(await text(page, ".sure")), "declining does not say what it means");
  await page.locator(".sure button[type=submit]").click();
  await page.waitForFunction(() => !document.querySelector(".asks"));
  await close(page);
}

async function isReady(address) {
  const page = await open(address);
  await page.locator(".drop input[type=file]").first().setInputFiles(join(scratch, "roster.eml"));
  await page.waitForSelector(".asks .answers");
  await look(page, "ready");
  await named(page, "Sign: I am ready").click();
  await page.waitForSelector(".asks .letter");
  must(/ready/.test(await text(page, ".asks .letter pre")), "the letter does not say it");
  await close(page);
}

async function joinsByWhatWasAttached(address) { // seat, token and host stand in the mail, and are typed
  const page = await open(address);
  await page.locator(".drop input[type=file]").first().setInputFiles(join(scratch, "attached.pbem"));
  await page.waitForSelector(".asks .answers");
  await page.getByLabel("The host's address").fill("host@example.org");
  await page.getByLabel("The token").fill(/TOKEN ([0-9a-f]{32})/.exec(readFileSync(join(scratch, "invitation.eml"), "utf-8"))[1]);
  await look(page, "join-attached");
  await named(page, "Sign: I take the seat").click();
  await page.waitForSelector(".asks .letter");
  must(/host@example\.org/.test(await text(page, ".asks .letter")), "the letter goes to nobody");
  await close(page);
}

async function agreesToAnotherHost(address) { // what it means is read first; it is taken back with its letter
  const page = await open(address);
  await page.locator(".drop input[type=file]").first().setInputFiles(join(scratch, "proposal.eml"));
  await named(page, "Agree to the new host").click();
  must(/nothing more is signed for the present host/.test(await text(page, ".sure")), "it is not said what another host means");
  await look(page, "welcome");
  await page.locator(".sure button[type=submit]").click();
  await page.waitForSelector(".came .letter");
  must(/SHA256:/.test(await text(page, ".came .report:not(.box)")), "no key is to be compared");
  must(/other@example\.org/.test(await text(page, ".came .letter")), "the letter goes to the host of now");
  await named(page, "Do not send it: lay it aside").first().click();
  await page.waitForFunction(() => !document.querySelector(".came .letter"));
  await close(page);
}

async function takesBack(address) { // a lost key: the recovery key takes the seats back
  const page = await open(address);
  await page.getByLabel("The file of your recovery key").setInputFiles(join(scratch, "recovery"));
  await look(page, "lost");
  await page.getByLabel("Its passphrase").fill("wrong");
  await named(page, "Take my seats back").click();
  await page.waitForSelector(".mail [role=alert]:has-text('cannot be read')");
  await page.getByLabel("Its passphrase").fill("sesame");
  await named(page, "Take my seats back").click();
  await page.waitForSelector(".mail .letter");
  must(/another key/.test(await text(page, ".mail .letter pre")), "no letter tells of the new key");
  must((await page.locator(".mail .letter button:has-text('lay it aside')").count()) === 0, "a key that has changed is laid aside");
  await close(page);
}

async function says(address) { // by keys alone: an offer is agreed to, once it has been read what that means
  const page = await open(address);
  await page.locator(".mail .rows a").first().click();
  await page.waitForSelector("main.game .more");
  await sheet(page, "Say something").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".says");
  must(await named(page, "Offer a draw").isDisabled(), "a draw is offered while one stands");
  await named(page, "Agree to the draw that Bob offers").focus();
  await page.keyboard.press("Enter");
  must(/at once, and for good/.test(await text(page, ".sure")), "it is not said what agreeing means");
  must(await page.evaluate(() => document.querySelector(".sure").contains(document.activeElement)), "the question does not get the focus");
  await look(page, "say");
  await page.locator(".sure button[type=submit]").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".says .letter");
  must(/AGREE/.test(await text(page, ".says .letter pre")), "the letter does not agree");
  await named(page, "Do not send it: lay it aside").first().click();
  await page.waitForFunction(() => !document.querySelector(".says .letter"));
  await named(page, "Take leave").click();
  await page.locator(".sure input[type=number]").fill("99");
  await page.locator(".sure button[type=submit]").click();
  must((await page.locator(".says .letter").count()) === 0, "more leave is taken than there is");
  await page.locator(".sure input[type=number]").fill("5");
  await page.locator(".sure button[type=submit]").click();
  await page.waitForSelector(".says .letter");
  await named(page, "Mark as sent").first().click();
  await page.locator("textarea").filter({ hasNot: page.locator("[readonly]") }).nth(0).waitFor({ state: "attached" });
  await page.getByLabel("Words for the others").fill("Good luck!");
  await named(page, "Sign these words").click();
  await page.waitForSelector(".letter:has-text('Press to all')", { state: "attached" });
  await sheet(page, "Keys and their owners").click();
  await page.waitForSelector(".more .keys");
  await sheet(page, "Entry by entry").click();
  await page.waitForSelector(".entries .line");
  await look(page, "game-sheets");
  await close(page);
}

async function settles(address) {
  const page = await open(address);
  await sheet(page, "Me and my hosts").click();
  for (const name of ["My letters go to another address", "When my time counts", "Put something right with a host", "Change my key"]) await sheet(page, name).click();
  await look(page, "me");
  await page.getByLabel("The new address").fill("ann@example.net");
  await page.locator("details.act:has-text('My letters go') button[type=submit]").first().click();
  must(/ann@example\.net/.test(await text(page, ".sure")), "the new address is not named in the question");
  await page.locator(".sure button[type=submit]").click();
  await page.waitForSelector(".act .letter");
  await named(page, "Change my key").click();
  must(/pauses until everybody has compared/.test(await text(page, ".sure")), "it is not said what another key means");
  await look(page, "rekey");
  await page.locator(".sure button[type=submit]").click();
  await page.waitForSelector(".act .report:has-text('SHA256:')");
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  await sheet(page, "Me and my hosts").click();
  await sheet(page, "Change my key").click();
  await named(page, "Take the key before again").click();
  await page.locator(".sure button[type=submit]").click();
  await page.waitForSelector("#me .report, .act .report", { state: "attached" });
  await close(page);
}

async function judges(address) {
  const page = await open(address);
  await page.locator(".tools").click();
  const place = page.locator(".look .drop input[type=file]").first(), shown = page.locator(".verdict");
  const head = async (file) => {
    await place.setInputFiles(join(scratch, file));
    await page.waitForFunction((name) => document.querySelector(".verdict h3")?.textContent.startsWith(name), file);
    return shown.first().textContent();
  };
  must(/unfinished/.test(await head("log.pbem")), "a good log is not in order");
  must(/unfinished/.test(await head("mails.mbox")), "the log in the mails is not in order");
  must(/at fault/.test(await head("damaged.pbem")), "a damaged log is in order");
  const saved = page.waitForEvent("download");
  await named(page, "Save the evidence").click();
  must((await saved).suggestedFilename() === "evidence.zip", "there is no evidence");
  await sheet(page, "Judge a complaint").click();
  await sheet(page, "Unite two copies").click();
  await page.getByLabel("One copy").setInputFiles(join(scratch, "log.pbem"));
  await page.getByLabel("Another copy").setInputFiles(join(scratch, "log.pbem"));
  const united = page.waitForEvent("download");
  await named(page, "Unite two copies").click();
  must((await united).suggestedFilename() === "united.pbem", "no copies are united");
  await look(page, "judge");
  await head("log.pbem");
  await sheet(page, "Check a signature").click();
  const files = page.waitForEvent("download");
  await page.getByLabel("The entry").fill("1");
  await named(page, "Save them").click();
  must((await files).suggestedFilename() === "entry-1.zip", "there is no signature");
  must(/ssh-keygen -Y verify/.test(await text(page, ".look pre:not([hidden])")), "it is not said how a signature is checked");
  await named(page, "Look at this game").click();
  await named(page, "Ann").click();
  await page.waitForSelector("main.game .more");
  must(/You look at a log: Ann/.test(await text(page, ".under")), "it is not said that a log is looked at");
  must((await page.locator("#sign, .touches button").count()) === 0, "something can be signed in a log");
  must((await page.locator(".moments > li").count()) > 0, "nothing has happened in it");
  const replay = page.waitForEvent("download");
  await sheet(page, "Entry by entry").click();
  await named(page, "Save as a page that steps through the game").click();
  must(/\.html$/.test((await replay).suggestedFilename()), "there is no page to step through");
  await look(page, "watched");
  await close(page);
}

async function looksOn(address) { // a position that is pasted; the rules that are here; a game that is over shows how it went
  const page = await open(address), puzzle = /PUZZLE = """\\?\n([^]*?)"""/.exec(readFileSync(join(root, "tests/hammer/setting_up.py"), "utf-8"))[1];
  await page.locator(".tools").click();
  await sheet(page, "Which rules are here").click();
  await page.waitForSelector(".look .digest");
  await sheet(page, "Look at a position").click();
  await page.getByLabel("The position").fill(puzzle);
  await named(page, "Show it").click();
  await page.waitForSelector(".placed svg .pb-ground");
  must((await page.locator(".placed details").count()) === 2, "it is not seen by both sides");
  await look(page, "position");
  await page.locator(".look .drop input[type=file]").first().setInputFiles(join(root, "tests/golden/logs/hammer-taken-back.pbem"));
  await named(page, "Look at this game").click();
  await named(page, "the English").click();
  await page.waitForSelector(".ending table");
  must(/Luck/.test(await text(page, ".ending")), "the end does not tell of the dice");
  await look(page, "ending");
  await close(page);
}

async function begins(page) { // a game alone, with a draft that can be played
  await page.locator("form:has(#tiny-seat) button[type=submit]").click();
  await drafts(page);
}

async function drafts(page) {
  await page.waitForSelector(".touches button, .hand button, #sign"); // what was begun before is here still
  for (let n = 0; n < 6 && !(await page.locator("#sign").count()); n++) {
    const before = await page.locator(".lines code").allTextContents();
    await page.locator(".touches button, .hand button").first().click();
    await page.waitForFunction((old) => document.querySelector("#sign") || JSON.stringify([...document.querySelectorAll(".lines code")].map((one) => one.textContent)) !== old, JSON.stringify(before));
  }
}

async function isMoved(address) { // the same game in two windows: what was written for a question that is closed is not played, and not lost
  const page = await open(address), moments = () => page.locator(".moments > li").count();
  await begins(page);
  const other = await page.context().newPage(), before = await moments(), line = await text(page, ".lines code");
  await other.goto(page.url());
  await other.evaluate((token) => sessionStorage.setItem("pbem.token", token), await page.evaluate(() => sessionStorage.getItem("pbem.token")));
  await other.reload();
  await drafts(other);
  await other.locator("#sign").click();
  await other.waitForFunction((old) => document.querySelectorAll(".moments > li").length > old, before);
  await page.locator("#sign").click();
  await page.waitForSelector(".letters [role=alert]");
  const said = await text(page, ".letters [role=alert]");
  must(/has gone on meanwhile/.test(said), `it is not said that the game has gone on: ${said}`);
  must(said.includes(line), "what was written is lost");
  must((await moments()) > before, "what happened meanwhile is not shown");
  await look(page, "moved");
  await close(page);
}

async function plans(address) { // what is planned where an answer is not awaited is kept, not signed
  const page = await open(address);
  await page.locator(".mail .rows a").first().click();
  await drafts(page);
  await page.locator("#sign").click();
  await page.waitForSelector(".letters .letter");
  const long = async () => (await text(page, ".letters .letter pre")).length, short = await long();
  await sheet(page, "The letter").click();
  await named(page, "In full, as the host asks").click();
  await page.waitForFunction((least) => document.querySelector(".letters .letter pre").textContent.length > least, short);
  await page.waitForSelector(".touches [data-at='choice:PLAN']");
  await page.locator(".touches [data-at='choice:PLAN']").click();
  await page.waitForSelector(".lines");
  await drafts(page);
  must(/standing plans/.test(await text(page, "#sign")), "a plan is to be signed");
  await page.locator("#sign").click();
  await page.waitForFunction(() => !document.querySelector(".lines"));
  await sheet(page, "Standing plans").click();
  must(/^PLAN /.test(await page.locator(".more textarea").nth(1).inputValue()), "the plan is not kept");
  await close(page);
}

async function speaksFrench(address) {
  const page = await open(address, { locale: "fr-FR" });
  await page.locator("#language").selectOption("fr");
  await page.waitForFunction(() => document.documentElement.lang === "fr");
  await page.waitForSelector("body[data-ready]");
  await page.locator("#me > summary").click();
  await page.locator(".mail .rows a").first().click();
  await page.waitForSelector("main.game .more");
  for (const one of await page.locator(".more > details > summary").all()) await one.click();
  await page.waitForSelector(".says");
  must(!/Resign|Whose key|Entry by entry|Words for/.test(await text(page, "body")), "a word of the sheets is English");
  await close(page);
}

async function unfolds(address, show, name) { // the first screen and a game, with all their sheets
  const page = await open(address);
  if (name === "invited") await page.locator(".drop input[type=file]").first().setInputFiles(join(scratch, "invitation.eml"));
  if (name === "invited") await page.waitForSelector(".asks .met");
  await unfold(page);
  await show(page, `${name}-home`);
  if (name === "offered") {
    await page.locator(".mail .rows a").first().click();
    await page.waitForSelector("main.game .more");
    await unfold(page);
    await show(page, `${name}-game`);
  } else if (name === "fresh") {
    await page.locator("form:has(#hammer-seat) button[type=submit]").click();
    await page.waitForSelector("main.game .touches");
    await show(page, `${name}-hammer`);
    await page.locator(".head .home:not(.rules)").click();
    await page.locator(".tools").click();
    await page.waitForSelector(".look .drop");
    await unfold(page);
    await show(page, `${name}-tools`);
  }
  await close(page);
}

async function growsWithItsLetters(desks) { // what the browser's own setting makes of a page
  await browser.close();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: [...FLAGS, "--blink-settings=defaultFontSize=32"] });
  for (const [name, address] of Object.entries(desks)) await unfolds(address, reads, name);
}

execFileSync(python, ["-m", "tests.page.some_desks", scratch], { env, cwd: root });
try {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  const [invited, attached, ready, lost, vanished, offered] = await Promise.all(["invited", "attached", "ready", "lost", "vanished", "offered"].map((name) => serve(join(scratch, name, "ann"))));
  await joins(invited);
  await joinsByWhatWasAttached(attached);
  await isReady(ready);
  await agreesToAnotherHost(vanished);
  await takesBack(lost);
  await speaksFrench(offered);
  await says(offered);
  await judges(offered);
  await looksOn(offered);
  await isMoved(offered);
  await plans(offered);
  await settles(offered);
  const fresh = await serve(join(scratch, "fresh"));
  for (const [name, address] of Object.entries({ fresh, offered })) await unfolds(address, look, name);
  await growsWithItsLetters({ fresh, invited, offered });
  console.log(`   the sheets: joined, said, settled, judged, looked at; ${kept} times a rule of axe-core kept`);
} catch (error) {
  must(false, error.stack);
} finally {
  await browser?.close();
  for (const server of servers) {
    server.removeAllListeners("exit");
    server.kill("SIGINT");
  }
}
process.exit(wrong ? 1 : 0);
