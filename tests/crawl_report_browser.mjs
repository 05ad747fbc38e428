// Opens the report of a crawl in a real browser, reads values off the page and compares them with report.json, uses
// its controls, and finds no error.
// usage: node crawl_report_browser.mjs CHROMIUM FOLDER [text that must stand on the page ...]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";
import { allOf, isWhole, plain } from "./page_checks.mjs";

const [, , chromium, folder, ...texts] = process.argv;
const report = JSON.parse(readFileSync(`${folder}/report.json`, "utf8"));
const count = (value) => value.toLocaleString("en");

const browser = await Browser.start(chromium);
const all = allOf(browser);

async function outcomesAgree() {
  const bars = await browser.run(`[...document.querySelectorAll(".outcomes li")].map((bar) => [bar.dataset.kind, bar.querySelector(".value").textContent])`);
  assert.deepEqual(bars, report.outcomes.map((one) => [one.kind, count(one.count)]));
}

async function tablesAgree() {
  const rows = (where) => browser.run(`[...document.querySelectorAll(${JSON.stringify(where + " tbody tr")})].map((row) => ({ name: row.querySelector("th").textContent,
    cells: Object.fromEntries([...row.querySelectorAll("td")].map((cell) => [cell.dataset.key, cell.firstChild.textContent])) }))`);
  const hosts = await rows(".hosts");
  assert.equal(hosts.length, report.hosts.length);
  for (const host of report.hosts) {
    const row = hosts.find(({ name }) => name === host.host);
    assert.ok(row, `${host.host} is in the table`);
    assert.equal(row.cells.fetched, count(host.fetched));
    assert.equal(row.cells.failed, count(host.failed));
  }
  const best = await rows(".best");
  assert.deepEqual(best.map(({ name }) => name).sort(), report.best.map((page) => page.url).sort());
  if (!report.order) return;
  const aucs = (await all(".orders td[data-key=auc]")).map(Number);
  const orders = [report.order.real, report.order.unconstrained, report.order.ideal].filter(Boolean);
  assert.deepEqual(aucs, orders.map((one) => Number(one.auc.toFixed(4))));
  const kept = (await all(".card", "node.textContent")).filter((text) => text.startsWith("AUC kept"));
  const { real, unconstrained } = report.order;
  // Above 100 % where delays happened to improve the order.
  if (unconstrained?.auc > 0) assert.equal(parseFloat(kept[0].slice("AUC kept".length)), Number((100 * real.auc / unconstrained.auc).toFixed(1)));
}

async function tablesSort() {
  const fetched = () => all(".hosts td[data-key=fetched]", "Number(node.firstChild.textContent.replaceAll(',', ''))");
  const down = (list) => [...list].sort((a, b) => b - a);
  assert.deepEqual(await fetched(), down(await fetched()));
  await browser.click('.hosts button[data-key="fetched"]');
  assert.deepEqual(await fetched(), down(await fetched()).reverse());
}

// Arrow keys read the values, and they are those of the JSON.
async function chartsSpeak() {
  const frames = await all("figure .frame", "node.getAttribute('aria-label')");
  const pages = frames.findIndex((label) => label.startsWith("Pages."));
  assert.ok(pages >= 0, frames.join());
  await browser.run(`[...document.querySelectorAll("figure .frame")][${pages}].focus()`);
  await browser.press("End");
  const spoken = plain((await all("[role=status]"))[0]);
  assert.ok(spoken.includes(`fetched ${count(report.curves.pages.at(-1))}`), spoken);
  assert.ok(spoken.includes(`failed ${count(report.curves.failed.at(-1))}`), spoken);
  await browser.press("Escape");
  for (const figure of await all("figure details", "node.open = true")) assert.ok(figure);
  await browser.wait_for_layout();
  assert.ok((await all("figure .values tbody tr")).length >= frames.length);
}

try {
  await browser.size(1200);
  await browser.open(pathToFileURL(`${folder}/report.html`).href);
  await isWhole(browser, "crawl", [report.folder, report.end, ...texts]);
  await outcomesAgree();
  await tablesAgree();
  if (report.hosts.length) await tablesSort();
  if (report.curves.seconds.length > 1) await chartsSpeak();
  assert.deepEqual(browser.problems, []);
  console.log("ok");
} catch (failure) {
  console.log(failure.stack, browser.problems);
  process.exitCode = 1;
} finally {
  await browser.close();
}
