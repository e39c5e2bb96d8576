// Pictures of the explorer's pages: pictures.cjs CHROMIUM READY_FILE FOLDER; playwright-core is in NODE_PATH.

const { readFileSync } = require("node:fs");
const { chromium } = require("playwright-core");

const [executablePath, ready, folder] = process.argv.slice(2);
const base = JSON.parse(readFileSync(ready)).explorerUrl;
const NEWER = "urn:nsb:std:nsb:4210:ed-2:en", OLDER = "urn:nsb:std:nsb:4210:ed-1:en";

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 780 }, colorScheme: "light" });
  const picture = (name) => page.screenshot({ path: `${folder}/${name}.png` });
  await page.goto(`${base}en/s/${NEWER}#sec_4.2`);
  const provision = page.locator("[data-label='4.2(1)']").first();
  await provision.click();
  await page.locator("[data-preview] blockquote.provision").waitFor();
  await picture("standard");
  await page.goto(await page.locator("[data-preview] a.button").last().evaluate((link) => link.href));
  await picture("provision");
  await page.goto(`${base}en/search?q=pull-out+test`);
  await picture("search");
  await page.goto(`${base}en/c/${OLDER}/${NEWER}`);
  await picture("comparison");
  await browser.close();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
