// The live page of a real crawl: it shows what the API says, the API keeps its contract, and every command works.
// usage: node live_crawl_browser.mjs PLAYWRIGHT CHROMIUM BOWERBIRD FOLDER
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { answerSchema, bodySchema, contract, faults } from "./openapi_check.mjs";
import { startCrawl, startWeb } from "./live_crawl.mjs";

const [, , playwright, program, bowerbird, folder] = process.argv;
const { chromium } = createRequire(import.meta.url)(playwright);

const web = await startWeb(bowerbird, "synthetic:pages=100k", ["--hostile"]);
const crawl = await startCrawl(bowerbird, folder, web, ["--delay", "0.3s", "--connections", "40", "--pages", "60000", "--bound", "--commit", "0.5s"]);
const api = `${crawl.address}api/v1/`;
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

async function get(call) {
  const response = await fetch(api + call);
  const answer = await response.json();
  const wrong = faults(answer, answerSchema("GET", `/api/v1/${call.split("?")[0]}`, String(response.status)));
  assert.deepEqual(wrong.slice(0, 10), [], `${call}: ${JSON.stringify(answer).slice(0, 400)}`);
  assert.equal(response.status, 200, call);
  return answer;
}

async function command(name, body) {
  assert.deepEqual(faults(body, bodySchema(`/api/v1/commands/${name}`)), []);
  const response = await fetch(`${api}commands/${name}`, { method: "POST", headers: { Authorization: `Bearer ${crawl.token}`, "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const answer = await response.json();
  assert.deepEqual(faults(answer, answerSchema("POST", `/api/v1/commands/${name}`, String(response.status))), [], JSON.stringify(answer));
  assert.equal(response.status, 200, `${name}: ${answer.error}`);
  return answer;
}

async function until(what, good) {
  for (let i = 0; i < 300; ++i) {
    if (await good()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`it never happened: ${what}`);
}

const checks = {
  async everyCallKeepsTheContract() {
    await until("pages are fetched", async () => (await get("status")).pages > 100);
    for (const call of ["status", "curves", "curves?since=1&points=10", "next", "next?limit=5", "hosts", "hosts?sort=delay&order=up&limit=7&offset=2", "hosts?state=waiting", "problems", "fleet", "options", "changes"]) await get(call);
    const { hosts } = await get("hosts?sort=fetched&limit=3");
    assert.ok(hosts[0].fetched > 0, JSON.stringify(hosts[0]));
    await get(`host?name=${encodeURIComponent(hosts[0].host)}`);
    const why = await get(`why?url=${encodeURIComponent(web.page)}`);
    assert.equal(why.url, web.page);
    assert.ok((await get("next")).pages.length > 0);
    assert.deepEqual(await get("openapi.json"), contract);
    for (const [call, code] of [["hosts?sort=colour", 400], ["next?limit=0", 400], ["why", 400], ["why?url=mailto:x", 400], ["host?name=nobody.example", 404], ["nothing", 404]]) {
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
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal((await get("status")).pages, pages, "a paused crawl fetches nothing");
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
    const { hosts } = await get("hosts?state=waiting&limit=3");
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
    await page.goto(`${crawl.address}#token=${crawl.token}`);
    await page.waitForSelector(".next tbody tr");
    await page.waitForTimeout(3000);
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

try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      console.log(`ok ${name}`);
    } catch (failure) {
      console.log(`FAILED ${name}: ${failure.stack}\n${crawl.said().slice(-2000)}`);
      process.exitCode = 1;
    }
  }
} finally {
  await browser.close();
  await crawl.stop();
  await web.stop();
}
