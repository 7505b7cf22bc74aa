// One page in a headless browser that does what it is told: `node driver.mjs MODULES chromium|firefox`, a line of JSON for each step, and
// one for what came of it. MODULES is a folder with puppeteer-core. The steps are those of `webdriver.Driven`.

import { createInterface } from "node:readline";
import { launched, PATIENCE, watched } from "./browsers.mjs";

const [modules, kind] = process.argv.slice(2);
const started = await launched(modules, kind), said = [], elsewhere = [], page = await started.browser.newPage();

const told = (source, given) => page.evaluate(`(() => { const given = ${JSON.stringify(given)}; ${source} })()`);

async function until(source, given) {
  for (const began = Date.now(); Date.now() - began < PATIENCE;) {
    const found = await told(source, given).catch(() => null); // another page comes
    if (found) return found;
    await new Promise((done) => { setTimeout(done, 50); });
  }
  throw new Error(`it does not come: ${source}; there stands ${await told("return document.body.innerText.slice(0, 800)", [])}`);
}

const DOES = {
  version: () => started.browser.version(),
  opens: async ({ address }) => { watched(page, new URL(address).origin, said, elsewhere); await page.goto(address); },
  beside: async ({ address, tabs }) => { // further tabs of the same browser, until they are ready
    for (let n = 0; n < tabs; n++) {
      const tab = await started.browser.newPage();
      await tab.goto(address);
      await tab.waitForSelector("body[data-ready=yes]", { timeout: PATIENCE });
    }
  },
  said: ({ source, given }) => told(source, given),
  until: ({ source, given }) => until(source, given),
  clicks: async ({ selector }) => { await (await page.waitForSelector(selector, { visible: true, timeout: PATIENCE })).click(); },
  faults: () => [...elsewhere, ...started.elsewhere()].map((one) => `it asks for ${one}`).concat(said.filter((line) => line.startsWith("error"))),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { does, ...more } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ ok: await DOES[does](more) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ failed: String(error.stack ?? error).slice(0, 2000) }));
  }
}
await started.close();
