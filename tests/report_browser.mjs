// Opens a lab report in a real browser, reads values off the page and compares them with the JSON next to it, uses
// its controls, and finds no error.
// usage: node report_browser.mjs CHROMIUM FOLDER [text that must stand on the page ...]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";
import { allOf, isWhole, plain } from "./page_checks.mjs";

const [, , chromium, folder, ...texts] = process.argv;
const results = JSON.parse(readFileSync(`${folder}/results.json`, "utf8"));
const experiments = results.experiments ?? [results];
const CLEAR = 0.005; // as in the page: less is no difference
const labelOf = (run) => (run.strategy === "all" ? run.policy : `${run.policy} ${run.strategy}`);
const percent = (value) => `${(100 * value).toFixed(1)} %`;

const browser = await Browser.start(chromium);
const all = allOf(browser);
const one = (selector, what) => all(selector, what).then((list) => list[0]);

async function tableAgrees(experiment) {
  const rows = await browser.run(`[...document.querySelectorAll(".details .sortable tbody tr")].map((row) => ({ label: row.querySelector("th").textContent,
    cells: Object.fromEntries([...row.querySelectorAll("td")].map((cell) => [cell.dataset.key, cell.firstChild.textContent])) }))`);
  assert.equal(rows.length, experiment.runs.length);
  for (const run of experiment.runs) {
    const row = rows.find(({ label }) => label === labelOf(run));
    assert.ok(row, `${labelOf(run)} is in the table`);
    assert.equal(row.cells.auc, run.auc.toFixed(4));
    assert.equal(row.cells["cumulative-3"], run.cumulative["0.1"].toFixed(3));
    assert.equal(row.cells["hot-7"], run.hot["0.45"].toFixed(3));
    if (run.policy !== "ideal") assert.equal(row.cells.peak_queue, run.peak_queue.toFixed(4));
    if (run.spread?.auc.ci95) assert.ok(Math.abs(row.cells.margin - (run.spread.auc.ci95[1] - run.spread.auc.ci95[0]) / 2) < 6e-5);
  }
  const judged = experiment.runs.filter((run) => !run.baseline);
  const best = judged.reduce((a, b) => (b.auc > a.auc ? b : a));
  if (judged.length > 1 && judged.every((run) => best.auc - run.auc < CLEAR)) {
    assert.match(await one(".details .answer"), /All these orderings are about equally good/);
  } else {
    assert.equal(await one(".details .answer code"), labelOf(best));
  }
}

async function tableSorts(experiment) {
  const order = () => all(".details .sortable tbody tr:not(.muted) th");
  const byTime = experiment.runs.filter((run) => !run.baseline).sort((a, b) => a.seconds - b.seconds).map((run) => run.seconds);
  const secondsOf = new Map(experiment.runs.map((run) => [labelOf(run), run.seconds]));
  await browser.click('.details .sortable button[data-key="seconds"]');
  assert.equal(await one('.details .sortable th[aria-sort]', "node.getAttribute('aria-sort')"), "ascending");
  assert.deepEqual((await order()).map((label) => secondsOf.get(label)), byTime);
  await browser.click('.details .sortable button[data-key="seconds"]');
  assert.deepEqual((await order()).map((label) => secondsOf.get(label)), [...byTime].reverse());
  await browser.click('.details .sortable button[data-key="label"]');
  const names = await order();
  assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)));
}

async function seriesToggle() {
  const curves = () => browser.run(`document.querySelectorAll('figure[data-curve="cumulative"] .plot g[aria-label="line"] path').length`);
  const before = await curves();
  assert.ok(before > 0);
  assert.equal(await one(".chip", "node.getAttribute('aria-pressed')"), "true");
  await browser.click(".chip");
  assert.equal(await one(".chip", "node.getAttribute('aria-pressed')"), "false");
  assert.equal(await curves(), before - 1);
  await browser.click(".chip");
  assert.equal(await curves(), before);
  for (const axis of ["log", "pages", "share"]) {
    await browser.run(`document.querySelector('.choice input[value="${axis}"]').click()`);
    await browser.wait_for_layout();
    assert.equal(await curves(), before);
  }
}

// Keys and pointer read the same values, and they are those of the JSON.
async function chartsSpeak(experiment) {
  const shown = await all('.chip[aria-pressed="true"]', "node.dataset.label");
  const runs = experiment.runs.filter((run) => shown.includes(labelOf(run)));
  for (const [curve, name] of [["cumulative", "cumulative"], ["hot", "hot"]]) {
    await browser.run(`document.querySelector('figure[data-curve="${curve}"] .frame').focus()`);
    for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowRight"]) await browser.press(key);
    const spoken = plain(await one("[role=status]"));
    for (const run of runs) assert.ok(spoken.includes(`${labelOf(run)} ${percent(run[name]["0.1"])}`), `${labelOf(run)} in: ${spoken}`);
    const tip = (await all(`figure[data-curve="${curve}"] .tip li`)).map(plain);
    for (const run of runs) assert.ok(tip.includes(`${labelOf(run)}${percent(run[name]["0.1"])}`), `${labelOf(run)} in: ${tip}`);
    await browser.press("Escape");
    assert.equal(await one(`figure[data-curve="${curve}"] .tip`, "getComputedStyle(node).visibility"), "hidden");
  }
  const box = await browser.run(`(() => { const plot = document.querySelector('figure[data-curve="cumulative"] .plot'); plot.scrollIntoView({ block: "center" });
    const box = plot.getBoundingClientRect(); return { x: box.x, y: box.y, width: box.width, height: box.height }; })()`);
  await browser.move(box.x + box.width - 20, box.y + box.height / 2);
  const end = (await all('figure[data-curve="cumulative"] .tip li')).map(plain);
  for (const run of runs) assert.ok(end.includes(`${labelOf(run)}${percent(run.cumulative["1"])}`), `${labelOf(run)} in: ${end}`);
  await browser.run(`document.querySelector('figure[data-curve="queue"] details').open = true`);
  await browser.wait_for_layout();
  assert.ok((await all('figure[data-curve="queue"] .values tbody tr')).length > 0);
}

async function budgetAnswers(experiment) {
  const keys = Object.keys(experiment.runs[0].cumulative).sort((a, b) => a - b);
  for (const stop of [2, 5]) {
    await browser.run(`(() => { const slider = document.getElementById("budget"); slider.value = ${stop}; slider.dispatchEvent(new Event("input")); })()`);
    const bars = await browser.run(`[...document.querySelectorAll(".bars li")].map((bar) => [bar.dataset.label, bar.querySelector(".value").textContent])`);
    assert.equal(bars.length, experiment.runs.length);
    for (const run of experiment.runs) {
      assert.equal(plain(bars.find(([label]) => label === labelOf(run))[1]), percent(run.cumulative[keys[stop]]));
    }
  }
}

try {
  await browser.size(1200);
  await browser.open(pathToFileURL(`${folder}/report.html`).href);
  await isWhole(browser, "lab", [...experiments.map((experiment) => experiment.graph.name), ...texts]);
  for (const [i, experiment] of experiments.entries()) {
    if (experiments.length > 1) {
      await browser.run(`(() => { const pick = document.getElementById("graph"); pick.value = "${i}"; pick.dispatchEvent(new Event("change")); })()`);
      await browser.wait_for_layout();
    }
    if (!experiment.graph.reachable || experiment.runs.every((run) => run.auc === null)) continue;
    await tableAgrees(experiment);
    await budgetAnswers(experiment);
    await chartsSpeak(experiment);
    await seriesToggle();
    await tableSorts(experiment);
  }
  assert.deepEqual(browser.problems, []);
  console.log("ok");
} catch (failure) {
  console.log(failure.stack, browser.problems);
  process.exitCode = 1;
} finally {
  await browser.close();
}
