// Opens the report of `bowerbird lab refresh` in a real browser, compares its table and charts with results.json,
// uses its controls, and finds no error.
// usage: node refresh_report_browser.mjs CHROMIUM FOLDER [text that must stand on the page ...]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";
import { allOf, isWhole, plain } from "./page_checks.mjs";

const [, , chromium, folder, ...texts] = process.argv;
const report = JSON.parse(readFileSync(`${folder}/results.json`, "utf8"));
const budgets = [...new Set(report.runs.map((run) => run.budget))];
const labelOf = (run) => (run.rates ? `${run.policy} (${run.rates})` : run.policy);

const browser = await Browser.start(chromium);
const all = allOf(browser);
const choose = async (value) => {
  await browser.run(`document.querySelector('.choice input[value="${value}"]').click()`);
  await browser.wait_for_layout();
};

async function tableAgrees(budget) {
  const rows = await browser.run(`[...document.querySelectorAll(".sortable tbody tr")].map((row) => ({ label: row.querySelector("th").textContent,
    cells: Object.fromEntries([...row.querySelectorAll("td")].map((cell) => [cell.dataset.key, cell.firstChild.textContent])) }))`);
  const runs = report.runs.filter((run) => run.budget === budget);
  assert.equal(rows.length, runs.length);
  for (const run of runs) {
    const row = rows.find(({ label }) => label === labelOf(run));
    assert.ok(row, `${labelOf(run)} is in the table`);
    assert.equal(row.cells.freshness, run.freshness.toFixed(4));
    assert.equal(row.cells.age, run.age.toFixed(3));
    assert.equal(row.cells.freshness_equal, run.freshness_equal.toFixed(4));
    if (report.discovery) assert.equal(plain(row.cells.held), `${(100 * run.held).toFixed(1)} %`);
    else assert.equal(row.cells.exact, run.exact === null ? "–" : run.exact.toFixed(4));
  }
}

// One line for each policy, and one for the optimum.
async function chartsAgree(budget, weights) {
  const runs = report.runs.filter((run) => run.budget === budget);
  const lines = await browser.run(`document.querySelectorAll('figure[data-curve="freshness"] .plot g[aria-label="line"] path').length`);
  assert.equal(lines, runs.length + (report.optimum.length > 0 && weights === "importance" ? 1 : 0));
  await browser.run(`document.querySelector('figure[data-curve="freshness"] .frame').focus()`);
  await browser.press("End");
  const spoken = plain((await all("[role=status]"))[0]);
  for (const run of runs) assert.ok(spoken.includes(labelOf(run)), `${labelOf(run)} in: ${spoken}`);
  await browser.press("Escape");
}

try {
  await browser.size(1200);
  await browser.open(pathToFileURL(`${folder}/report.html`).href);
  await isWhole(browser, "refresh", [report.graph, ...texts]);
  for (const budget of budgets) {
    if (budgets.length > 1) await choose(budget);
    for (const weights of ["equal", "importance"]) {
      await choose(weights);
      await tableAgrees(budget);
      await chartsAgree(budget, weights);
    }
  }
  assert.deepEqual(browser.problems, []);
  console.log("ok");
} catch (failure) {
  console.log(failure.stack, browser.problems);
  process.exitCode = 1;
} finally {
  await browser.close();
}
