// Lessons and rules at the page, as posed.mjs tells it: every step is done by what is lit twice, and by nothing else.

import { archive, atADesk, counts, done, fetches, fromTheFile, looksAs, must, onATelephone, start } from "./posed.mjs";

const SCREEN = [1440, 900], MOST = 12; // so many touches are needed for a step at most
const looks = looksAs("lessons");

async function step({ page, press, phone }, number) { // does what is lit twice until the order stands, and gives it
  await page.waitForFunction((n) => document.querySelector(".head .under")?.textContent.includes(n), ` ${number} `);
  if (phone && !(await page.locator("main.up").count())) await press(page.locator(".drawer"));
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
  const him = await atADesk("a desktop", SCREEN), { page } = him;
  must(fetches(him, "lessons") === 0, "what lessons need is fetched before anybody wants it");
  for (const [game, steps] of Object.entries(counts)) await lesson(him, game, steps);
  must(fetches(him, "lessons") === 1, `it is fetched once, not ${fetches(him, "lessons")} times`);
  await page.goto(`${start}#/lesson/lesson-hammer-2`);
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
  await page.waitForFunction((path) => caches.match(path).then(Boolean), archive("lessons"));
  await him.context.setOffline(true); // and from here on without a network
  for (const game of Object.keys(counts)) {
    await page.goto(`${start}#/rules/${game}`);
    await page.reload();
    await page.waitForSelector(".rulebook .data");
    must(await page.locator(".rulebook figure .thumb").count(), `${game}: the rules have pictures`);
    const broken = await page.$$eval(".rulebook .thumb", (all) => all.filter((one) => !one.shadowRoot.firstChild.getBoundingClientRect().width).length);
    must(!broken, `${game}: ${broken} pictures are broken`);
    await looks(him, `rules-${game}`);
  }
  await him.context.close();
}

async function byTapsInFrench() { // on a telephone
  const him = await onATelephone("a telephone"), { page } = him;
  for (const [game, steps] of Object.entries(counts)) await lesson(him, game, steps);
  await page.goto(`${start}#/lesson/lesson-lords-1`);
  await page.waitForSelector(".pb-lead");
  await him.press(page.locator(".drawing [data-at='card:Cochrane 8']").first());
  await page.waitForSelector(".letters .box");
  await page.waitForFunction(() => document.querySelector(".letters .box").getBoundingClientRect().bottom <= innerHeight).catch(() => must(false, "why a touch is wrong lies out of sight"));
  await page.goto(`${start}#/`);
  await page.waitForSelector(".games .playable");
  await him.press(page.locator("a[href='#/rules/hammer']"));
  await page.waitForSelector(".rulebook .data");
  must((await page.locator(".rulebook").innerText()).includes("L’Angleterre est une seule région"), "the rules are in French");
  await him.context.close();
}

async function fromADisk() { // the page as one file: nothing is fetched
  const him = await fromTheFile("a file", SCREEN);
  for (const [game, steps] of Object.entries(counts)) await lesson(him, game, steps);
  await him.context.close();
}

await done(byClicks, byTapsInFrench, fromADisk);
