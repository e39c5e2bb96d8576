// The pages of the explorer in a real browser.
// Usage: explorer.cjs CHROMIUM EXPLORER_URL; playwright-core and axe-core are in NODE_PATH.

const { gzipSync } = require("node:zlib");
const { chromium } = require("playwright-core");
const axe = require("axe-core");

const [executablePath, base] = process.argv.slice(2);
const ANCHORS = "en/s/urn:nsb:std:nsb:4210:ed-2:en", BATHS = "en/s/urn:nsb:std:nsb:4230:-1:ed-1:en";
const COMPARISON = "en/c/urn:nsb:std:nsb:4210:ed-1:en/urn:nsb:std:nsb:4210:ed-2:en";
const PAGES = ["en/", "fr/", ANCHORS, BATHS, "de/s/urn:nsb:std:nsb:4220:ed-1:en", "fr/r/urn:nsb:std:nsb:4210:ed-2:en", COMPARISON,
  "en/search?q=proof+load&edition=all", "de/search?q=Anker&group=standard&type=requirement", "fr/search?q=zzz&in=table",
  "de/c/urn:nsb:std:nsb:4210:ed-2:en/urn:nsb:std:nsb:4210:ed-2:de", "en/s/urn:nsb:std:nsb:4210:amd:1:ed-2:en",
  "en/search?q=NSB+4210:2019,+4.99", "fr/check", "de/nothing", "en/s/urn:nsb:std:nsb:ts:4250:ed-1:en"];
const ABSENT = PAGES.slice(-2);
/** Most milliseconds from a click in the list until the standard can be read; other programs run at the same time. */
const READABLE = 5000;

function check(holds, message) {
  if (!holds) throw new Error(message);
}

async function open(browser, path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => { throw error; });
  page.on("request", (request) => check(request.url().startsWith(base), `the page asks for ${request.url()}`));
  page.on("console", (message) => check(message.type() !== "error" || ABSENT.includes(path), `the browser complains: ${message.text()}`));
  await page.goto(base + path);
  return page;
}

async function isAccessible(browser) {
  const provision = await (await open(browser, ANCHORS)).locator(".provisions a").first().getAttribute("href");
  for (const path of [...PAGES, provision.split("/").slice(2).join("/")]) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(browser, path, { colorScheme });
      await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
      await page.evaluate(axe.source);
      for (const width of [1400, 700, 420]) {
        await page.setViewportSize({ width, height: 900 });
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(excess <= 0, `${path}: at ${width} px the page is ${excess} px too wide`);
        if (width === 700 || (width === 420 && colorScheme === "dark")) continue;
        const { violations } = await page.evaluate(() => axe.run({ rules: { "target-size": { enabled: true } } }));
        const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3)}`);
        check(found.length === 0, `${path}, ${colorScheme}, ${width} px: ${found.join("\n")}`);
      }
      await page.context().close();
    }
  }
}

const focused = (page) => page.evaluate(() => document.activeElement.outerHTML.slice(0, 120));

async function tabReachesEverything(browser, path) {
  const page = await open(browser, path);
  const unreached = new Set(await page.evaluate(() => {
    const all = [...document.querySelectorAll("a[href], button, input, summary, select")].filter((part) => part.checkVisibility());
    return all.map((part, index) => part.dataset.visit = String(index));
  }));
  for (let steps = 0; unreached.size > 0 && steps < 1000; steps++) {
    await page.keyboard.press("Tab");
    unreached.delete(await page.evaluate(() => document.activeElement.dataset.visit));
  }
  check(unreached.size === 0, `${path}: Tab does not reach ${unreached.size} elements`);
}

async function keysReachEverything(browser) {
  for (const path of [ANCHORS, "en/search?q=anchor&type=requirement"]) await tabReachesEverything(browser, path);
  const page = await open(browser, ANCHORS);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  check(/data-provision/.test(await focused(page)), `j leads to ${await focused(page)}`);
  const preview = page.locator("[data-preview]");
  await page.keyboard.press("Enter");
  await preview.getByRole("heading", { name: /requirement/ }).waitFor();
  await page.keyboard.press("Escape");
  check(!(await preview.isVisible()) && /data-provision/.test(await focused(page)), "Escape does not close the details");
  await page.keyboard.press("n");
  check(/^<h[2-6]/.test(await focused(page)), `n leads to ${await focused(page)}`);
  await page.keyboard.press("t");
  check(await page.evaluate(() => document.activeElement.closest(".tree") !== null), "t does not lead to the contents");
  await page.locator(".text a[data-term]").first().click();
  await preview.getByText("fixed", { exact: false }).or(preview.locator("[data-type=definition]")).first().waitFor();
  await page.keyboard.press("/");
  check(/name="q"/.test(await focused(page)), "/ does not lead to the search");
  await page.keyboard.type("proof load");
  await page.keyboard.press("Enter");
  await page.getByText(/^\d+ hits$/).waitFor();
  for (const key of ["j", "j", "k", "j"]) await page.keyboard.press(key);
  const second = page.locator("[data-hit]").nth(1), id = new URL(await second.evaluate((link) => link.href)).hash;
  check(await second.evaluate((link) => link === document.activeElement), `j leads to ${await focused(page)}`);
  await page.keyboard.press("Enter");
  await page.locator(`[id="${id.slice(1)}"]`).waitFor();
  await page.goto(base + ANCHORS);
  await page.keyboard.press("c");
  await page.getByRole("heading", { name: "Provisions side by side" }).waitFor();
  await page.locator(".filters label", { hasText: "changed requirements" }).click();
  const types = await page.locator(".row:not([hidden]) .type").allTextContents();
  check(types.length > 5 && types.every((type) => type === "requirement"), `only changed requirements: ${types}`);
  const exported = await page.locator("[data-export]").first().getAttribute("href");
  check(exported.endsWith("?only=changed-requirement"), `the spreadsheet is not filtered: ${exported}`);
}

async function firstClicks(browser) {
  const page = await open(browser, "");
  const begin = Date.now();
  await page.getByRole("link", { name: "Read a standard with everything in it" }).click();
  await page.locator("article [data-provision]").first().waitFor();
  const time = Date.now() - begin;
  console.log(`readable ${time} ms after the click`);
  check(time <= READABLE, `a standard is readable ${time} ms after the click`);
  await page.locator(".text figure img").first().evaluate((image) => image.decode());
  await page.getByRole("link", { name: "Compare with NSB 4210:2019" }).click();
  await page.locator("ins").first().waitFor();
}

/** Searches from the first page, which is one click. */
async function searchFromStart(page, words) {
  await page.goto(base + "en/");
  await page.locator("[name=q]").first().fill(words);
  await page.getByRole("button", { name: "Search" }).first().click();
}

/** Clicks from the first page: a requirement by its topic (2), what changed in it since 2019 (2), a table (2), a spreadsheet (3). */
async function fewClicksLeadThere(browser) {
  const page = await open(browser, "en/");
  await searchFromStart(page, "year of manufacture marked");
  await page.locator("[data-hit]").first().click();
  await page.locator("[data-provision=requirement]:target").waitFor();
  await searchFromStart(page, "NSB 4210:2025, 9(3)");
  await page.locator("[data-provision=requirement]:target").click();
  await page.locator("[data-preview]").getByText("NSB 4210:2019").first().waitFor();
  await searchFromStart(page, "dimension in:table");
  await page.locator("[data-hit]").first().click();
  await page.locator(".text table").first().waitFor();
  await page.goto(base + "en/");
  await page.locator(".list a").first().click();
  await page.locator("summary", { hasText: "Downloads" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("a[href$=xlsx]").first().click()]);
  check(file.suggestedFilename().endsWith(".xlsx"), `the download is ${file.suggestedFilename()}`);
}

async function tablesAreSortedAndCopied(browser) {
  const page = await open(browser, "en/", { permissions: ["clipboard-read", "clipboard-write"] });
  const titles = () => page.locator(".list tbody td:nth-child(2)").allTextContents();
  await page.locator(".list .sort").nth(1).click();
  const sorted = await titles();
  check(sorted.length > 5 && sorted.join() === sorted.toSorted(new Intl.Collator("en").compare).join(), `sorted: ${sorted}`);
  await page.goto(base + ANCHORS);
  await page.locator("article .csv").first().click();
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
  const csv = await page.evaluate(() => navigator.clipboard.readText());
  check(/^Dimension,.*mm/.test(csv) && csv.endsWith("\r\n"), `as CSV: ${csv}`);
}

async function readsWithoutScript(browser) {
  const page = await open(browser, ANCHORS, { javaScriptEnabled: false });
  check(await page.locator(".scripted:visible").count() === 0, "buttons that do nothing are shown");
  const mark = page.locator("[data-provision=requirement]").first();
  const color = () => mark.evaluate((part) => getComputedStyle(part).backgroundColor);
  const before = await color();
  await page.locator("[data-marks=requirement]").uncheck();
  check(before !== await color(), "the filter of marks does nothing");
  await page.locator(".provisions summary").click();
  await page.locator(".provisions a").first().click();
  await page.locator("blockquote.provision").waitFor();
}

async function contentsFollowOnAPhone(browser) {
  const page = await open(browser, ANCHORS, { viewport: { width: 420, height: 900 } });
  const contents = page.locator(".tree-box");
  check(await contents.evaluate((box) => !box.open), "the contents hide the text");
  await page.locator("[id='sec_5.2']").evaluate((section) => section.scrollIntoView());
  await contents.locator("[data-now]").filter({ hasText: "5.2" }).waitFor();
  check(await contents.evaluate((box) => box.getBoundingClientRect().top < 20), "the contents do not stay in view");
}

async function changesOpenAtTheirClause(browser) {
  const page = await open(browser, ANCHORS);
  const change = page.locator("[id='sec_4.1'] > .amended details");
  check(!(await change.locator("blockquote").isVisible()), "the change is open");
  await change.locator("summary").click();
  check(await change.locator("blockquote").isVisible(), "the change does not open");
}

async function contentsMarkTheSectionOfAnAnchor(browser) {
  const page = await open(browser, `${ANCHORS}?at=sec_4.1#sec_4.1`);
  await page.locator(".tree [aria-current][data-section='sec_4.1']").waitFor();
}

async function aTextIsChecked(browser) {
  const page = await open(browser, "en/");
  await page.getByRole("link", { name: "Check a text" }).click();
  await page.locator("textarea").fill("The bolts are those of NSB 4210:2019, 4.2(1).");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("A newer edition has replaced the cited one.").waitFor();
}

async function filesAreSmall(browser) {
  const { request } = (await open(browser, "en/")).context();
  const body = async (name) => (await request.get(base + name)).body();
  const [style, script, comparison] = await Promise.all(["explorer.css", "explorer.js", "comparison.js"].map(body));
  const compressed = [style, script, comparison].reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
  check(script.length <= 12 << 10 && compressed <= 20 << 10, `the script has ${script.length} bytes, all ${compressed} compressed`);
}

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (const part of [firstClicks, keysReachEverything, tablesAreSortedAndCopied, readsWithoutScript, contentsFollowOnAPhone, changesOpenAtTheirClause, contentsMarkTheSectionOfAnAnchor, fewClicksLeadThere, aTextIsChecked, filesAreSmall, isAccessible]) {
      await part(browser);
    }
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
