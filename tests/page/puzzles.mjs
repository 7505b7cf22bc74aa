// Puzzles at the page, as posed.mjs tells it: one of each game is solved, one fails first; in French, by keys, from a disk.

import { archive, atADesk, counts, done, fetches, fromTheFile, looksAs, must, onATelephone, ready } from "./posed.mjs";

const SCREEN = [1280, 800], TABS = 200;
const looks = looksAs("puzzles");

async function opens(him, game, number) { // from the first screen, or the list: by what stands there
  const { page, press } = him;
  if (!(await page.locator("#puzzles").count())) await press(page.locator("a[href='#/puzzles']"));
  const row = page.locator(`#puzzles a[href="#/puzzle/puzzle-${game}-${number}"]`);
  await press(row);
  await page.waitForSelector("main.game .touches button, main.game .hand button");
  await page.waitForFunction(() => scrollY === 0);
}

const listed = ({ page }) => page.locator("#puzzles h2").first().waitFor().then(() => page.$$eval("#puzzles ul", (lists) => lists.map((one) => [one.childElementCount, one.querySelectorAll(".solved").length])));
const back = async (him) => { await him.press(him.page.locator("section.head .home").first()); await him.page.waitForSelector("#puzzles li a"); };
const chooses = async (him, ...labels) => { // in the list of what may come next, or on a card of the hand
  for (const label of labels) await him.press(him.page.locator(".turn [data-touch]", { hasText: label }).first());
};
const verdict = async (him) => { // judges what was chosen; returns what is said
  const before = him.page.locator(".verdict .box");
  if (await before.count()) await before.evaluate((node) => node.remove());
  await him.press(him.page.locator("#sign"));
  await before.waitFor();
  return before.innerText();
};

async function byClicks() { // one puzzle of each game, one that fails first, and one answer that is shown
  const him = await atADesk("a desktop", SCREEN), { page } = him;
  must(fetches(him, "puzzles") === 0, "what puzzles need is fetched before anybody wants it");
  await him.press(page.locator("a[href='#/puzzles']"));
  must(JSON.stringify(await listed(him)) === JSON.stringify(Object.values(counts).map((n) => [n, 0])), `the list: ${JSON.stringify(await listed(him))}`);
  await looks(him, "list");
  await opens(him, "hammer", 1);
  await looks(him, "hammer");
  await page.locator(".drawing [data-at='block:Edward']").first().click(); // on the map
  await page.locator(".menu button", { hasText: "Edward: fire" }).click();
  const failed = await verdict(him);
  must(failed.includes("Not right") && failed.includes("with a chance of 5/48 (10 %), another order for certain"), `an order that fails: ${failed}`);
  must(failed.includes("the Scots: BATTLE Carrick: Bruce FIRE") && failed.includes("Edward is eliminated for good"), `the line in which it fails: ${failed}`);
  await looks(him, "failed");
  must(!(await page.locator("section.head b").count()), "it is not solved");
  await him.press(page.locator(".answer summary"));
  await page.waitForSelector(".answer .line");
  must((await page.locator(".answer").innerText()).includes("BATTLE Carrick: Edward RETREAT Lanark"), "the answer is shown");
  await him.press(page.getByRole("button", { name: "Undo" }));
  await page.locator(".drawn-scene [data-at='block:Edward']").first().click(); // and where the battle is drawn
  await page.locator(".menu button", { hasText: "Edward: retreat to Lanark" }).click();
  const won = await verdict(him);
  must(won.includes("Right") && won.includes("does it for certain"), `the answer: ${won}`);
  must((await page.locator("section.head").innerText()).includes("✓ solved"), "it is said that it is solved");
  await looks(him, "solved");
  await him.press(page.getByRole("button", { name: "The next puzzle" }));
  await page.waitForSelector("h1:has-text('Puzzle 2 of Hammer of the Scots')");
  await back(him);
  await opens(him, "lords", 1);
  await looks(him, "lords");
  await chooses(him, "Cockburn 6", "Use the power", "Ferguson 3");
  must((await verdict(him)).includes("wins, whatever you cannot see"), "Lords");
  await back(him);
  await opens(him, "swords", 1);
  await looks(him, "swords");
  await chooses(him, "Long Sword: now");
  must((await verdict(him)).includes("Right"), "Swords");
  await back(him);
  const done = JSON.stringify(Object.values(counts).map((n) => [n, 1]));
  must(JSON.stringify(await listed(him)) === done, `what is solved: ${JSON.stringify(await listed(him))}`);
  must(fetches(him, "puzzles") === 1, `it is fetched once, not ${fetches(him, "puzzles")} times`);
  await page.waitForFunction((path) => caches.match(path).then(Boolean), archive("puzzles"));
  await him.context.setOffline(true); // and from here on without a network
  await page.reload();
  await ready(him);
  must(JSON.stringify(await listed(him)) === done, "what is solved is remembered");
  await opens(him, "swords", 3);
  await chooses(him, "Commit 0");
  must((await verdict(him)).includes("Right"), "without a network");
  await him.context.close();
}

async function byTapsInFrench() { // on a telephone
  const him = await onATelephone("a telephone"), { page } = him;
  await him.press(page.locator("a[href='#/puzzles']"));
  await listed(him);
  must((await page.locator("#puzzles").innerText()).includes("Gagnez cette escarmouche"), "the tasks are in French");
  await looks(him, "list");
  await opens(him, "lords", 2);
  await looks(him, "puzzle");
  await chooses(him, "Wemyss 3", "Utiliser le pouvoir", "Wemyss 4");
  const won = await verdict(him);
  must(won.includes("Juste") && won.includes("gagne, quoi qu’il y ait que vous ne voyez pas"), `French: ${won}`);
  const seen = await page.locator(".verdict h3").evaluate((node) => { const { top, bottom } = node.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; });
  must(seen, "the verdict stands where it is seen");
  await looks(him, "solved");
  await back(him);
  must((await page.locator("#puzzles").innerText()).includes("✓ résolu"), "it is said in French that it is solved");
  await opens(him, "hammer", 5);
  await chooses(him, "Douglas");
  const failed = await verdict(him);
  must(failed.includes("Pas juste") && /les Écossais\s: HITS/.test(failed), `French: ${failed}`);
  await looks(him, "failed");
  await him.context.close();
}

async function byKeys() { // no pointer is touched
  const him = await atADesk("a keyboard", SCREEN), { page } = him;
  const tab = async (wanted) => { // goes on until it is there
    for (let n = 0; n < TABS; n += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), wanted)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`${wanted} is not reached by Tab`);
  };
  await tab("a[href='#/puzzles']");
  await page.keyboard.press("Enter");
  await listed(him);
  await tab("a[href='#/puzzle/puzzle-hammer-2']");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".touches [data-key='2']");
  await page.keyboard.press("2");
  await page.waitForSelector("#sign");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".verdict .box");
  must(await page.evaluate(() => document.activeElement?.matches(".verdict h3")), "the verdict is where one goes on from");
  must((await page.locator(".verdict h3").innerText()).includes("Right"), await page.locator(".verdict").innerText());
  await page.waitForFunction(() => document.getElementById("live").textContent.startsWith("Right."));
  await tab(".verdict .main");
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1:has-text('Puzzle 3 of')");
  await page.waitForSelector(".touches [data-key='1']");
  await page.keyboard.press("1");
  await page.waitForSelector("#sign");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".verdict .line");
  await tab(".answer summary");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".answer .line");
  await tab(".head .home");
  await page.keyboard.press("Enter");
  await listed(him);
  await page.waitForFunction(() => document.activeElement?.matches("#puzzles a")); // where it goes on
  await him.context.close();
}

async function fromADisk() { // the page as one file: nothing is fetched, and it is remembered without a passphrase
  const him = await fromTheFile("a file", SCREEN), { page } = him;
  await opens(him, "swords", 1);
  await chooses(him, "Long Sword: now");
  must((await verdict(him)).includes("Right"), "in the single file");
  await page.reload();
  await ready(him);
  await back(him);
  must(JSON.stringify(await listed(him)).endsWith(`[${counts.swords},1]]`), "the single file remembers what is solved");
  await him.context.close();
}

await done(byClicks, byTapsInFrench, byKeys, fromADisk);
