// The sample requests of the documentation page, as a reader copies them: one JSON array of commands.
// Usage: samples.cjs CHROMIUM BASE_URL COUNT; playwright-core is in NODE_PATH.

const { chromium } = require("playwright-core");

const [executablePath, baseUrl, count] = process.argv.slice(2);

/** The commands that are on the page, each of which is drawn when it is near the window. */
const commands = (page) => page.evaluate(() => [...document.querySelectorAll("pre")]
  .map((block) => block.innerText.trim()).filter((text) => text.startsWith("curl ")));

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
  try {
    // High enough for all operations.
    const page = await browser.newPage({ viewport: { width: 1500, height: 60000 } });
    await page.goto(`${baseUrl}/docs`, { waitUntil: "load" });
    await page.waitForFunction((count) => [...document.querySelectorAll("pre")]
      .filter((block) => block.innerText.trim().startsWith("curl ")).length >= count, Number(count));
    console.log(JSON.stringify(await commands(page)));
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
