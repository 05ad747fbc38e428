// The live page of a real crawl: it shows what the API says, the API keeps its contract, and every command works.
// usage: node live_crawl_browser.mjs PLAYWRIGHT CHROMIUM BOWERBIRD FOLDER
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { contract, faults } from "./openapi_check.mjs";
import { readEverything, run, startCrawl, startWeb, until } from "./live_crawl.mjs";

const [, , playwright, program, bowerbird, folder] = process.argv;
const { chromium } = createRequire(import.meta.url)(playwright);

// Every response of this Web ends, so that a pause leaves nothing in progress. Some pages fail.
const log = `${folder}.access`;
const web = await startWeb(bowerbird, "synthetic:pages=20000", ["--latency", "40", "--fault", "not-found=0.05,reset=0.01", "--seed", "3", "--trap", "calendar=0.1", "--access-log", log]);
const crawl = await startCrawl(bowerbird, folder, web, ["--delay", "0.3s", "--connections", "40", "--pages", "60000", "--bound", "--commit", "0.5s"]);
const { get, command } = crawl;
const api = `${crawl.address}api/v1/`;
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const requests = () => readFileSync(log, "utf8").split("\n").length;

const checks = {
  async everyCallKeepsTheContract() {
    await until("pages are fetched", async () => (await get("status")).pages > 100);
    const { hosts } = await get("hosts?sort=fetched&limit=3");
    assert.ok(hosts[0].fetched > 0, JSON.stringify(hosts[0]));
    const answers = await readEverything(crawl, web.page, hosts[0].host);
    assert.equal(answers.why.url, web.page);
    assert.ok(answers.next.pages.length > 0);
    assert.ok(answers.host.history.length > 0 && answers.host.settings.length > 0, JSON.stringify(answers.host));
    assert.deepEqual(answers["openapi.json"], contract);
    for (const [call, code] of [["why?url=mailto:x", 400], ["nothing", 404]]) {
      const response = await fetch(api + call);
      assert.equal(response.status, code, call);
      assert.deepEqual(faults(await response.json(), contract.components.schemas.Error), [], call);
    }
  },

  async thePageShowsTheCrawl() {
    const page = await browser.newPage();
    const problems = [];
    page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (failure) => problems.push(failure.message));
    await page.goto(`${crawl.address}#token=${crawl.token}`);
    await page.waitForSelector('.link[data-connection="live"]');
    const shown = () => page.evaluate(() => Number(document.querySelector('[data-tile="pages_per_second"]').textContent.match(/([\d,]+) in/)?.[1].replaceAll(",", "") ?? 0));
    const first = await shown();
    await until("the page counts on", async () => (await shown()) > first);
    for (const [view, what] of [["now", ".stack .part"], ["problems", ".finding"], ["curves", "figure svg"], ["next", ".next tbody tr"], ["hosts", ".hosts tbody tr"], ["control", "#options tbody tr"], [`why/${encodeURIComponent(web.page)}`, ".why .facts"]]) {
      await page.evaluate((to) => { location.hash = `#/${to}`; }, view);
      await page.waitForSelector(what, { timeout: 120_000 });
      assert.equal(await page.locator("main .notice:not([hidden])").count(), 0, view);
    }
    assert.deepEqual(problems, []);
    await page.evaluate(() => { location.hash = "#/now"; });
    await page.locator("header").getByRole("button", { name: "Pause" }).click();
    await page.waitForSelector('.phase[data-phase="paused"]');
    await until("nothing is in flight", async () => (await get("status")).in_flight === 0);
    const { pages } = await get("status");
    const asked = requests();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal((await get("status")).pages, pages, "a paused crawl fetches nothing");
    assert.equal(requests(), asked, "by the log of the server");
    await page.locator("header").getByRole("button", { name: "Resume" }).click();
    await until("it goes on", async () => (await get("status")).pages > pages);
    await page.evaluate(() => { location.hash = "#/control"; });
    await page.locator('[data-option="delay"]').click();
    await page.locator("dialog input").fill("0.2s");
    await page.getByRole("button", { name: "Change it" }).click();
    await page.waitForFunction(() => document.querySelector("#changes").textContent.includes("delay"));
    await page.close();
  },

  async everyCommandIsDoneAndListed() {
    const { hosts } = await get("hosts?sort=queued&limit=3");
    const host = hosts[0].host;
    const before = (await get("changes")).changes.length;
    await command("pause", { host });
    await until("the host is paused", async () => (await get(`host?name=${encodeURIComponent(host)}`)).paused);
    await command("resume", { host });
    await command("pause", { pattern: "/nowhere/" });
    await command("resume", { pattern: "/nowhere/" });
    await command("block", { host });
    await until("the host is blocked", async () => (await get(`host?name=${encodeURIComponent(host)}`)).blocked);
    await command("unblock", { host });
    await command("seed", { urls: [web.page] });
    await command("set", { option: "pages", values: ["59000"] });
    assert.equal((await get("status")).budgets.find((one) => one.name === "pages").limit, 59_000);
    await command("retry", {});
    await command("fetch", { url: web.page });
    await command("report", {});
    const { changes } = await get("changes");
    assert.ok(changes.length >= before + 8, JSON.stringify(changes.map((one) => one.text)));
    for (const [body, code, headers] of [[{ option: "policy", values: ["bfs"] }, 409, {}], [{ option: "nothing", values: ["1"] }, 400, {}], [{ option: "pages", values: ["many"] }, 400, {}], [{ option: "pages", values: ["1"] }, 401, { Authorization: "Bearer wrong" }], [{ option: "pages", values: ["1"] }, 415, { "Content-Type": "text/plain" }]]) {
      const response = await fetch(`${api}commands/set`, { method: "POST", headers: { Authorization: `Bearer ${crawl.token}`, "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
      assert.equal(response.status, code, JSON.stringify(body));
    }
  },

  async thePageKeepsItsDataWhenTheCrawlEnds() {
    const page = await browser.newPage();
    const asked = page.waitForResponse(/api\/v1\/fleet$/);  // the last of what is kept for the time after the end
    await page.goto(`${crawl.address}#token=${crawl.token}`);
    await page.waitForSelector(".next tbody tr");
    await (await asked).finished();
    await page.locator("header").getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Stop the crawl" }).click();
    await page.waitForSelector(".banner:not([hidden])");
    assert.match(await page.locator(".banner").textContent(), /ended/);
    assert.equal(await crawl.child.ended, 0);
    await page.evaluate(() => { location.hash = "#/hosts"; });
    await page.waitForSelector(".hosts tbody tr");
    await page.close();
  },
};

await run(checks, async () => {
  await browser.close();
  await crawl.stop();
  await web.stop();
}, crawl.said);
