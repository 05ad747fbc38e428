// kill -9 right after each kind of change: the resumed crawl has it, lists it and tells it in its report. Changes come over
// HTTP and from `bowerbird ctl`, in turn.
// usage: node live_kill.mjs BOWERBIRD FOLDER
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { ctl, run, startCrawl, startWeb, until } from "./live_crawl.mjs";

const [, , bowerbird, folder] = process.argv;
const log = `${folder}.access`;
const web = await startWeb(bowerbird, "synthetic:pages=50000", ["--fault", "not-found=0.2", "--seed", "3", "--access-log", log]);
const options = ["--delay", "0.2s", "--connections", "20", "--commit", "0.2s"];
const begin = (more = []) => startCrawl(bowerbird, folder, web, [...options, ...more]);
let crawl = await begin();
let turn = 0;

const requests = (part) => readFileSync(log, "utf8").split("\n").filter((line) => line.includes(part)).length;

// The command, the kill as soon as it is answered, and the next run.
async function changed(name, body, more = []) {
  const before = (await crawl.get("changes")).changes.length;
  let text;
  if (++turn % 2) {
    text = (await crawl.command(name, body)).text;
  } else {
    const done = ctl(bowerbird, folder, name, body);
    assert.equal(done.code, 0, `${name}: ${done.text}`);
    text = done.text;
  }
  await crawl.kill();
  crawl = await begin(more);
  const { changes } = await crawl.get("changes");
  assert.equal(changes.length, before + 1, `${name}: ${JSON.stringify(changes.map((one) => one.text))}`);
  assert.equal(changes[0].command, name);
  assert.match(changes[0].origin, turn % 2 ? /^api/ : /^ctl pid \d+ \(local socket\)$/);
  return text;
}

const phase = async () => (await crawl.get("status")).phase;
const rules = async (kind) => (await crawl.get("status"))[kind].map((one) => `${one.what} ${one.value}`.trim());
const some = async () => (await crawl.get("hosts?sort=queued&limit=1")).hosts[0].host;
const option = async (name) => (await crawl.get("options")).options.find((one) => one.name === name);

// A value for each option that may change, other than that of the start.
const values = { scope: ["domain"], host: ["a.example"], include: ["."], exclude: ["/never/"], pages: ["1900"], bytes: ["1GiB"], time: ["3h"], depth: ["50"], "pages-per-host": ["900"], "pages-per-domain": ["950"], delay: ["0.25s"], "delay-ip": ["0.1s"], "delay-domain": ["0.1s"],
  "requisite-delay": ["0.1s"], "max-delay": ["20s"], adapt: ["1"], connections: ["10"], patience: ["0.5"], bandwidth: ["10MiB"], "refresh-rate": ["100/day"], "refresh-rate-per-host": ["10/day"] };

const checks = {
  async pausesAndResumes() {
    await until("some pages are done", async () => (await crawl.get("status")).failed > 3);
    await changed("pause", {});
    assert.match(crawl.said(), /is still paused.*ctl .* resume/);
    assert.equal(await phase(), "paused");
    const { pages } = await crawl.get("status");
    await changed("pause", { host: "other.example" });
    assert.equal(await phase(), "paused");
    assert.equal((await crawl.get("status")).pages, pages, "a crawl that resumes paused fetches nothing");
    await changed("resume", {});
    assert.equal(await phase(), "running");
    assert.deepEqual(await rules("pauses"), ["host other.example"]);
    await changed("resume", { host: "other.example" });
    assert.deepEqual(await rules("pauses"), []);
    const host = await some();
    await changed("pause", { host });
    assert.ok((await crawl.get(`host?name=${encodeURIComponent(host)}`)).paused);
    await changed("resume", { host });
    assert.ok(!(await crawl.get(`host?name=${encodeURIComponent(host)}`)).paused);
    await changed("pause", { pattern: "/held/" });
    assert.deepEqual(await rules("pauses"), ["pattern /held/"]);
    await crawl.command("fetch", { url: "http://www.held.com/held/x" }, 409);
    await changed("resume", { pattern: "/held/" });
    assert.deepEqual(await rules("pauses"), []);
  },

  // Counts and history of hosts, examples, and the links to pages that are gone.
  async earlierRunsAreShown() {
    await crawl.command("pause", {});
    await until("nothing is in flight", async () => (await crawl.get("status")).in_flight === 0);
    const row = async () => (await crawl.get("hosts?sort=failed&limit=1")).hosts[0];
    const { host, failed, bytes } = await row();
    const of = () => crawl.get(`host?name=${encodeURIComponent(host)}`);
    const example = async () => (await crawl.get("problems")).outcomes.find((one) => one.kind === "not-found").examples.map((one) => one.url).sort();
    const [history, examples] = [(await of()).history.map((one) => one.url).sort(), await example()];
    assert.ok(failed > 0 && bytes > 0 && history.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1000));  // until it is committed
    await crawl.kill();
    crawl = await begin();
    await until("the counts are back", async () => { const now = await row(); return now.host === host && now.failed === failed && now.bytes === bytes; });
    const now = await of();
    assert.deepEqual(now.history.map((one) => one.url).sort(), history);
    assert.ok(now.errors.length > 0 && now.errors.every((one) => one.time), JSON.stringify(now.errors));
    assert.equal(now.best.length, Math.min(20, now.host.queued));
    await until("the examples are back", async () => (await example()).join() === examples.join());
    await until("broken links are back", async () => { const { broken_links: all } = await crawl.get("problems"); return all.length > 0 && all.every((one) => one.linked_from > 0 && one.from.length > 0); });
    await crawl.command("resume", {});
  },

  async blocksAndUnblocks() {
    const host = await some();
    await changed("block", { host });
    assert.ok((await crawl.get(`host?name=${encodeURIComponent(host)}`)).blocked);
    await changed("unblock", { host });
    assert.ok(!(await crawl.get(`host?name=${encodeURIComponent(host)}`)).blocked);
    await changed("block", { pattern: "/no/" });
    assert.deepEqual(await rules("blocks"), ["pattern /no/"]);
    await crawl.command("fetch", { url: "http://www.held.com/no/x" }, 409);
    await changed("unblock", { pattern: "/no/" });
    assert.deepEqual(await rules("blocks"), []);
  },

  // While it is paused, so that nothing of it is done before the kill.
  async pagesAskedFor() {
    await crawl.command("pause", {});
    const host = new URL(web.page).host;
    const asked = { seed: "/added-seed", fetch: "/asked-for", sitemap: "/added-sitemap.xml" };
    await changed("seed", { urls: [`http://${host}${asked.seed}`] });
    await changed("seed", { sitemaps: [`http://${host}${asked.sitemap}`] });
    await changed("fetch", { url: `http://${host}${asked.fetch}` });
    const gone = (await crawl.get("changes")) && readFileSync(`${folder}/crawl.jsonl`, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line)).find((one) => one.outcome === "not-found");
    const path = new URL(gone.url).pathname;
    const of = () => readFileSync(log, "utf8").split("\n").map((line) => line.split("\t")).filter((row) => row[10] === new URL(gone.url).host && row[11] === path).length;
    const before = of();
    await changed("retry", { outcome: "not-found" });
    for (const part of Object.values(asked)) assert.equal(requests(part), 0, `${part} before the pause ends`);
    await crawl.command("resume", {});
    for (const [name, part] of Object.entries(asked)) await until(`${name}: ${part} is fetched`, () => requests(part) > 0);
    await until("a page that had failed is tried again", () => of() > before);
  },

  async everyOptionThatMayChange() {
    const rows = (await crawl.get("options")).options.filter((one) => one.may_change);
    assert.deepEqual(rows.map((one) => one.name).sort(), Object.keys(values).sort());
    for (const [name, wanted] of Object.entries(values)) {
      await changed("set", { option: name, values: wanted });
      const row = await option(name);
      assert.equal(row.from, "command", name);
      assert.match(crawl.said(), new RegExp(`--${name} is .*set by a command`), name);
      if (name === "scope") await crawl.command("set", { option: name, values: ["any"] });  // so that it does not end
    }
    assert.deepEqual((await option("exclude")).values, ["/never/"], "the others are still as they were set");
  },

  // The command line that resumes it has the last word, and says so.
  async aNewCommandLineReplacesAChange() {
    await crawl.kill();
    crawl = await begin(["--pages", "1800"]);
    assert.match(crawl.said(), /--pages: 1800 replaces 1900/);
    assert.deepEqual((await option("pages")).values, ["1800"]);
    assert.deepEqual((await option("exclude")).values, ["/never/"]);
  },

  async reportAndStop() {
    await changed("report", {}, ["--pages", "1800"]);
    assert.ok(existsSync(`${folder}/report.html`));
    await changed("stop", {}, ["--pages", "1800"]);
    assert.equal(await phase(), "running", "a crawl that was stopped goes on");
    const { changes } = await crawl.get("changes?limit=1000");
    assert.equal(await crawl.stop(), 130);
    const report = readFileSync(`${folder}/report.json`, "utf8");
    for (const one of changes) assert.ok(report.includes(JSON.stringify(one.text).slice(1, -1)), `the report does not have: ${one.text}`);
    assert.match(ctl(bowerbird, folder, "pause").text, /has ended; resume it with/);
  },
};

await run(checks, async () => {
  await crawl.stop();
  await web.stop();
}, () => crawl.said());
