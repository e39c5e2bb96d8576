// Findings of an accessibility checker in pages, in both themes and at two widths.
// Usage: accessible.cjs CHROMIUM URL…; playwright-core and axe-core are in NODE_PATH.

const { chromium } = require("playwright-core");
const axe = require("axe-core");

const [executablePath, ...addresses] = process.argv.slice(2);

/** What the checker finds in one page, a line each. */
async function findings(browser, address, colorScheme, width) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "networkidle" });
  await page.locator("h1, h2").first().waitFor();
  await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => axe.run());
  await context.close();
  return violations.map((one) => `${address}, ${colorScheme}, ${width} px: ${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3)}`);
}

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const found = [];
  for (const address of addresses) {
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1400, 420]) found.push(...(await findings(browser, address, colorScheme, width)));
    }
  }
  await browser.close();
  if (found.length > 0) throw new Error(found.join("\n"));
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
