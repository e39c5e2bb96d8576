// The page of a comparison in a real browser.
// Usage: comparison.cjs CHROMIUM LARGE_PAGE SMALL_PAGE; playwright-core and axe-core are in NODE_PATH.
// Times are printed, and limited generously: other programs run at the same time.

const { chromium } = require("playwright-core");
const axe = require("axe-core");

const [executablePath, large, small] = process.argv.slice(2);
const READY = 15000, FILTER = 2000;

function check(holds, message) {
  if (!holds) throw new Error(message);
}

async function open(browser, file, fragment = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => { throw error; });
  await page.goto(`file://${file}${fragment}`);
  return page;
}

/** Milliseconds from an action within the page until the next frame is painted. */
const painted = (page, action) => page.evaluate(async (action) => {
  const begin = performance.now();
  action && eval(action);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return Math.round(performance.now() - begin);
}, action);

const shown = (page) => page.evaluate(() => document.querySelectorAll(".row:not([hidden])").length);
const status = (page) => page.locator("[role=status]").textContent();

async function manyPairs(browser) {
  const begin = Date.now();
  const page = await open(browser, large);
  await painted(page);
  const ready = Date.now() - begin;
  const all = await shown(page);
  check(all > 10000, `the page has ${all} rows`);
  const times = [];
  for (const [key, count] of [["reworded", 300], ["new", 100], ["quantity", 300], ["dependsOn", 1]]) {
    times.push(await painted(page, `document.querySelector(".filters [value=${key}]").click()`));
    check(await shown(page) === count, `the filter ${key} leaves ${await shown(page)} rows`);
    times.push(await painted(page, `document.querySelector(".filters [value=${key}]").click()`));
  }
  for (const words of ["p", "pillar", "pillar 4711", ""]) {
    times.push(await painted(page, `search.value = ${JSON.stringify(words)}; search.dispatchEvent(new Event("input"))`));
  }
  check(await shown(page) === all, "after the search rows are absent");
  console.log(`${all} rows: ready after ${ready} ms, filters and search at most ${Math.max(...times)} ms: ${times}`);
  check(ready <= READY && Math.max(...times) <= FILTER, "the page is slow");
}

async function stepsAndState(browser) {
  const page = await open(browser, large);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.getByRole("button", { name: "Next" }).click();
  await page.keyboard.press("k");
  check(/^2 of 401 changes/.test(await status(page)), `after steps: ${await status(page)}`);
  await page.locator(".filters label", { hasText: "reworded" }).click();
  await page.getByRole("searchbox").fill("pillar 9902");
  await page.getByRole("searchbox").blur();
  await page.keyboard.press("j");
  const fragment = new URL(page.url()).hash;
  check(/^#relation=reworded&q=pillar%209902&at=n\d+$/.test(fragment), `the address is ${fragment}`);
  const again = await open(browser, large, fragment);
  check(await shown(again) === 1 && /^1 of 1 change,/.test(await status(again)), `with ${fragment}: ${await status(again)}`);
  // A link to a row within a fold opens it and comes to it.
  const label = again.locator(".fold .row").nth(5000).locator(".newer .label");
  const link = await open(browser, large, await label.getAttribute("href"));
  const row = link.locator(".current");
  await row.waitFor({ state: "visible" });
  await link.waitForFunction(() => {
    const { top, bottom } = document.querySelector(".current").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

async function isAccessible(browser) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1400, 420]) {
      const page = await open(browser, small, "", { colorScheme, viewport: { width, height: 900 } });
      await page.evaluate(() => document.querySelectorAll(".fold").forEach((fold) => (fold.open = true)));
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(excess <= 0, `at ${width} px the page is ${excess} px too wide`);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => axe.run());
      const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3)}`);
      check(found.length === 0, `${colorScheme}, ${width} px: ${found.join("\n")}`);
    }
  }
}

async function readsWithoutScript(browser) {
  const page = await open(browser, small, "", { javaScriptEnabled: false });
  check(!(await page.locator(".filters").isVisible()), "filters that do nothing are shown");
  const fold = page.locator(".fold").first();
  check(!(await fold.locator(".row").first().isVisible()), "what is unchanged is not folded");
  await fold.locator("summary").click();
  check(await fold.locator(".row").first().isVisible(), "what is folded cannot be opened");
  check(await page.locator(".row.reworded").first().isVisible(), "changes are not shown");
}

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (const part of [manyPairs, stepsAndState, isAccessible, readsWithoutScript]) await part(browser);
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
