// A real browser on what Norma serves to browsers.
// Usage: browser.cjs CHROMIUM PROFILE_FOLDER SIGNED_SVG_URL BASE_URL; playwright-core is in NODE_PATH.

const { chromium } = require("playwright-core");

const [executablePath, profile, picture, baseUrl] = process.argv.slice(2);
const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  // There is no other host.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];

function check(holds, message) {
  if (!holds) throw new Error(message);
}

/** Opens a page and notes what it asks for and complains of. */
async function open(context, url) {
  const page = await context.newPage();
  const seen = { requests: [], complaints: [], failed: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("console", (message) => message.type() === "error" && seen.complaints.push(message.text()));
  page.on("pageerror", (error) => seen.complaints.push(String(error)));
  page.on("requestfailed", (request) => seen.failed.push(request.url()));
  const response = await page.goto(url, { waitUntil: "load" });
  check(response.ok(), `${url.split("?")[0]} answered ${response.status()}`);
  return { page, seen };
}

/** The same picture without Norma's headers: there its script does run, so the test can tell the difference. */
async function scriptRunsElsewhere(context) {
  const bytes = await (await context.request.get(picture)).body();
  const page = await context.newPage();
  await page.route("http://unguarded.invalid/**", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: bytes }));
  await page.goto("http://unguarded.invalid/picture.svg");
  return (await page.evaluate("document.documentElement.id")) === "ran";
}

async function pictureRunsNothing(context) {
  check(await scriptRunsElsewhere(context), "the picture has no script that could run");
  const { page, seen } = await open(context, picture);
  check((await page.evaluate("document.documentElement.localName")) === "svg", "the picture is not shown");
  check((await page.evaluate("document.documentElement.id")) === "", "script of the picture ran");
  check(seen.requests.every((url) => url.startsWith(baseUrl) || seen.failed.includes(url)),
    `the picture loaded from elsewhere: ${seen.requests}`);
}

async function documentationWorksOffline(context) {
  const document = await (await context.request.get(`${baseUrl}/openapi.json`)).json();
  const summaries = Object.values(document.paths).flatMap((item) => Object.values(item).map((o) => o.summary));
  const { page, seen } = await open(context, `${baseUrl}/docs`);
  for (const summary of summaries) {
    await page.getByText(summary, { exact: true }).first().waitFor({ state: "attached", timeout: 20000 });
  }
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  const elsewhere = seen.requests.filter((url) => !url.startsWith(baseUrl) && !/^(data|blob):/.test(url));
  check(elsewhere.length === 0, `the documentation asks other hosts: ${elsewhere}`);
  check(seen.complaints.length === 0, `the browser complains: ${seen.complaints}`);
  const policy = (await page.context().request.get(`${baseUrl}/docs`)).headers()["content-security-policy"];
  check(policy.includes("default-src 'none'") && policy.includes("connect-src 'self'"), `its policy is ${policy}`);
  // The test request opens a further window, which is the maker's as well.
  await page.getByRole("button", { name: /Test Request/ }).first().click();
  await page.getByRole("dialog").first().waitFor();
  const text = await page.evaluate(() => document.body.innerText);
  for (const word of ["Deploy", "SDK", "Share", "Configure", "Powered by", "Scalar", "Ask AI", "Agent", "MCP"]) {
    check(!text.includes(word), `the documentation shows "${word}"`);
  }
  const shown = await page.evaluate(() => [...document.querySelectorAll("a[href]")]
    .filter((link) => link.checkVisibility()).map((link) => link.href));
  const away = shown.filter((url) => !url.startsWith(baseUrl) && !url.startsWith("https://www.apache.org/"));
  check(away.length === 0, `the documentation leads to ${away}`);
  check(seen.complaints.length === 0, `the browser complains: ${seen.complaints}`);
  console.log(`${summaries.length} operations`);
}

async function theRootLeadsToTheDocumentation(context) {
  const { page, seen } = await open(context, `${baseUrl}/`);
  await page.getByRole("link", { name: "Documentation", exact: true }).click();
  await page.waitForURL(`${baseUrl}/docs`);
  check(seen.complaints.length === 0, `the browser complains: ${seen.complaints}`);
}

(async () => {
  const context = await chromium.launchPersistentContext(profile, { executablePath, args });
  try {
    await pictureRunsNothing(context);
    await documentationWorksOffline(context);
    await theRootLeadsToTheDocumentation(context);
  } finally {
    await context.close();
  }
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
