// A real Prometheus scrapes two crawls for a minute; then every expression of the Grafana dashboard and of the alert rules
// is asked. promtool judges the metrics themselves.
// usage: node prometheus_scrape.mjs BOWERBIRD FOLDER
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { startCrawl, startWeb } from "./live_crawl.mjs";

const [, , bowerbird, folder] = process.argv;
const kScrapes = 60_000;  // ms
const root = new URL("..", import.meta.url);
const dashboard = JSON.parse(readFileSync(new URL("packaging/grafana/bowerbird.json", root), "utf8"));
const rules = new URL("packaging/prometheus/alerts.yml", root).pathname;
const described = [...readFileSync(new URL("docs/formats/metrics.md", root), "utf8").matchAll(/^\| `(bowerbird_\w+)` \| (\w+) \| (.*?) \|/gm)].map(([, name, type, labels]) => ({ name, type, labels: [...labels.matchAll(/`(\w+)`(?=:|, `|$|,|\s*$)/g)].map((one) => one[1]) }));

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() => resolve(port)); });
});

async function metricsOf(crawl, accept = "text/plain") {
  const response = await fetch(`${crawl.address}metrics`, { headers: { Accept: accept } });
  assert.equal(response.status, 200);
  return { type: response.headers.get("content-type"), text: await response.text() };
}

// Which metrics there are, and that they are as the documentation says.
async function checkMetrics(crawl, further) {
  const { type, text } = await metricsOf(crawl);
  assert.match(type, /^text\/plain; version=0\.0\.4/);
  execFileSync("promtool", ["check", "metrics"], { input: text });
  const open = await metricsOf(crawl, "application/openmetrics-text; version=1.0.0");
  assert.match(open.type, /^application\/openmetrics-text; version=1\.0\.0/);
  assert.ok(open.text.endsWith("# EOF\n"));
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind]));
  for (const [name, kind] of types) {
    const row = described.find((one) => one.name === name);
    assert.ok(row, `docs/formats/metrics.md does not have ${name}`);
    assert.equal(kind, row.type, name);
  }
  for (const row of described) if (!row.name.includes("_fleet_") && !further.includes(row.name)) assert.ok(types.has(row.name), `${row.name} is missing`);
  assert.ok(!/\bhost="|\burl="/.test(text), "no label has a host or a URL");
}

mkdirSync(folder);
const web = await startWeb(bowerbird, "synthetic:pages=20000", ["--hostile"]);
const common = ["--delay", "0.3s", "--connections", "30", "--commit", "1s"];
const once = await startCrawl(bowerbird, `${folder}/once`, web, [...common, "--bound", "--pages", "15000", "--memory", "512M"]);
const again = await startCrawl(bowerbird, `${folder}/again`, web, [...common, "--refresh", "uniform", "--forever", "--time-scale", "100000", "--refresh-rate", "1000000/day", "--shortest-interval", "1s"]);
const port = await freePort();
writeFileSync(`${folder}/prometheus.yml`, `global: {scrape_interval: 2s, evaluation_interval: 2s}
rule_files: ["${rules}"]
scrape_configs:
  - job_name: bowerbird
    static_configs: [{targets: ["${new URL(once.address).host}", "${new URL(again.address).host}"]}]
`);
execFileSync("promtool", ["check", "config", `${folder}/prometheus.yml`]);
const prometheus = spawn("prometheus", [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"], { stdio: ["ignore", "inherit", "inherit"] });

async function query(expression) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/query`, { method: "POST", body: new URLSearchParams({ query: expression }) });
  const answer = await response.json();
  assert.equal(answer.status, "success", `${expression}: ${answer.error}`);
  return answer.data.result;
}

// So that there is something to count.
async function command(crawl) {
  const response = await fetch(`${crawl.address}api/v1/commands/set`, { method: "POST", headers: { Authorization: `Bearer ${crawl.token}`, "Content-Type": "application/json" }, body: JSON.stringify({ option: "connections", values: ["29"] }) });
  assert.equal(response.status, 200, await response.text());
}

const filled = (expression) => expression.replaceAll("$__rate_interval", "30s").replaceAll("$job", ".*").replaceAll("$instance", ".*");

try {
  await Promise.all([command(once), command(again)]);
  await new Promise((resolve) => setTimeout(resolve, kScrapes));
  assert.deepEqual((await query("up")).map((one) => one.value[1]), ["1", "1"]);
  await checkMetrics(once, ["bowerbird_freshness_ratio", "bowerbird_visits_total"]);
  await checkMetrics(again, ["bowerbird_budget_limit", "bowerbird_budget_used", "bowerbird_importance_covered_ratio"]);
  let count = 0;
  for (const panel of dashboard.panels) {
    for (const target of panel.targets ?? []) {
      const result = await query(filled(target.expr));
      assert.ok(result.some((one) => Number.isFinite(Number(one.value[1]))), `${panel.title}: nothing for ${target.expr}`);
      ++count;
    }
  }
  for (const one of dashboard.annotations.list) await query(filled(one.expr));
  const loaded = await (await fetch(`http://127.0.0.1:${port}/api/v1/rules`)).json();
  const list = loaded.data.groups.flatMap((group) => group.rules);
  assert.ok(list.length >= 5);
  for (const rule of list) assert.equal(rule.health, "ok", `${rule.name}: ${rule.lastError}`);
  console.log(`ok: ${count} expressions, ${list.length} rules`);
} finally {
  prometheus.kill();
  await Promise.all([once.stop(), again.stop()]);
  await web.stop();
}
