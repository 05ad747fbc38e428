// Curves since the start, which grow with every status and can be zoomed: drag over one, choose a range, or focus one
// and press + and -, and Shift with the arrow keys.
import { live } from "./data.js";
import { bytes, count, el, isNumber, percent, refreshed, seconds, section, shortNumber } from "./widgets.js";

const kParts = 6;  // of memory, the largest
const kRanges = [["all", "All"], ["3600", "Last hour"], ["600", "10 min"], ["60", "1 min"]];

// What a status adds to the curves.
const fromStatus = {
  pages: (status) => status.pages, failed: (status) => status.failed, pages_per_second: (status) => status.pages_per_second, bytes: (status) => status.bytes,
  bytes_per_second: (status) => status.bytes_per_second, frontier: (status) => status.queued, known: (status) => status.known, memory: (status) => status.memory.resident,
  covered: (status) => status.importance?.covered ?? null, freshness: (status) => status.refresh?.freshness ?? null,
};

const largestParts = (curves) => Object.entries(curves.memory_parts ?? {}).map(([name, list]) => [name, list, Math.max(0, ...list)])
  .filter(([, , most]) => most > 0).sort((a, b) => b[2] - a[2]).slice(0, kParts);

// name: [title, help, y axis, lines of the curves]
const kCharts = {
  pages: ["Pages", "Fetched, and failed.", { label: "pages", value: count }, (curves) => [["fetched", curves.pages, 0], ["failed", curves.failed, 1]]],
  rate: ["Rate", "Pages per second.", { label: "pages per second", value: shortNumber }, (curves) => [["pages/s", curves.pages_per_second, 0]]],
  frontier: ["Frontier", "Queued pages.", { label: "pages", value: count }, (curves) => [["queued", curves.frontier, 0]]],
  known: ["Known URLs", "All URLs seen so far, and the pages done.", { label: "URLs", value: count }, (curves) => [["known", curves.known, 3], ["fetched", curves.pages, 0]]],
  data: ["Data", "Bytes of bodies per second, as received.", { label: "bytes per second", value: bytes, format: bytes, ticks: byteTicks }, (curves) => [["bytes/s", curves.bytes_per_second, 4]]],
  memory: ["Memory by part", "Memory of the process, and its largest parts.", { label: "bytes", value: bytes, format: bytes, ticks: byteTicks },
    (curves) => [["all", curves.memory, -3], ...largestParts(curves).map(([name, list], i) => [name, list, i])]],
  covered: ["Importance covered", "Share of the PageRank personalised to the seeds that the fetched pages hold: a lower bound.", { label: "share, at least", percent: true, value: percent(1) }, (curves) => [["covered", curves.covered, 2]]],
  freshness: ["Freshness", "Estimated share of the importance of the held pages whose copy is fresh.", { label: "fresh share", percent: true, value: percent(1) }, (curves) => [["freshness", curves.freshness, 0]]],
};

// Round times, about one every 90 pixels.
const kSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];
function timeTicks(from, to, width) {
  const wanted = (to - from) / Math.max(2, width / 90);
  let step = kSteps.find((value) => value >= wanted) ?? 86_400;
  while (step < wanted) step *= 2;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step);
}
// Powers of two, so that labels are round.
function byteTicks(least, most) {
  let step = 1;
  while (most / step > 8) step *= 2;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}
function timeLabel(value) {
  if (value === 0) return "0";
  const [h, m, s] = [Math.floor(value / 3600), Math.floor(value / 60) % 60, Math.round(value % 60)];
  if (h) return m || s ? `${h}:${String(m).padStart(2, "0")}\u00a0h` : `${h}\u00a0h`;
  return m ? (s ? `${m}:${String(s).padStart(2, "0")}\u00a0min` : `${m}\u00a0min`) : `${s}\u00a0s`;
}

const evenStops = (length) => [...new Set(Array.from({ length: 11 }, (_, i) => Math.round((i * (length - 1)) / 10)))].filter((i) => i >= 0);

// Several charts with one range of time.
export class Charts {
  constructor(names, { zoomable = false } = {}) {
    this.names = names;
    this.zoomable = zoomable;
    this.charts = new Map();
    this.grid = el("div", { class: "grid" });
    this.controls = zoomable ? this.makeControls() : null;
    this.wait = el("p", { class: "empty" }, "The curves begin with the first commit, in a few seconds.");
    this.node = el("div", { class: "curves" }, this.controls, this.wait, this.grid);
    this.range = null;  // null: all; {last} or {from, to}
    this.onstatus = () => this.draw();
  }

  makeControls() {
    this.reset = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.zoom(null) }, "Show all");
    this.choice = Kit.choice("Range", kRanges, "all", (key) => this.zoom(key === "all" ? null : { last: Number(key) }));
    return el("div", { class: "controls" }, this.choice, this.reset, el("p", { class: "hint" }, "Drag over a chart to zoom in. With the keyboard: focus it, then + and −, Shift with ← and →."));
  }

  start() {
    this.loop = refreshed(this.node, 20_000, async () => {
      this.curves = (await live.get("curves", this.range?.from !== undefined ? { since: Math.max(0, this.range.from), points: 600 } : { points: 400 })).answer;
      this.draw();
    });
    live.addEventListener("status", this.onstatus);
  }

  stop() {
    this.loop.stop();
    live.removeEventListener("status", this.onstatus);
  }

  zoom(range) {
    this.range = range;
    if (this.reset) this.reset.hidden = range?.from === undefined;
    if (this.choice) {
      const key = range === null ? "all" : range.last !== undefined ? String(range.last) : null;
      for (const input of this.choice.querySelectorAll("input")) input.checked = input.value === key;
    }
    this.loop.now();
    this.draw();
  }

  // What was loaded, and what the statuses since then say.
  whole() {
    const last = this.curves.seconds.at(-1) ?? -1;
    const since = live.recent.filter((status) => status.seconds_all > last + 0.5);
    const out = { seconds: [...this.curves.seconds, ...since.map((status) => status.seconds_all)], memory_parts: {} };
    for (const [name, read] of Object.entries(fromStatus)) out[name] = [...(this.curves[name] ?? []), ...since.map(read)];
    for (const [name, list] of Object.entries(this.curves.memory_parts ?? {})) out.memory_parts[name] = [...list, ...since.map((status) => status.memory.parts?.[name] ?? NaN)];
    return out;
  }

  window(all) {
    const end = all.seconds.at(-1) ?? 0;
    if (!this.range) return [0, Math.max(end, 1)];
    if (this.range.last !== undefined) return [Math.max(0, end - this.range.last), Math.max(end, 1)];
    return [this.range.from, this.range.to];
  }

  draw() {
    if (!this.curves || document.visibilityState !== "visible") return;
    const all = this.whole();
    this.wait.hidden = all.seconds.length > 1;
    const [from, to] = this.window(all);
    // A point on either side, so that lines reach the edges.
    const first = Math.max(0, all.seconds.findIndex((value) => value >= from) - 1);
    const after = all.seconds.findIndex((value) => value > to);
    const end = after < 0 ? all.seconds.length : after + 1;
    const x = all.seconds.slice(first, end);
    this.shown = { x, from, to };
    for (const name of this.names) this.drawOne(name, all, first, end, x, from, to);
  }

  drawOne(name, all, first, end, x, from, to) {
    const [title, help, y, lines] = kCharts[name];
    const series = lines(all).filter(([, list]) => list?.some((value) => isNumber(value))).map(([label, list, style]) => ({ label, style, x, y: list.slice(first, end).map((value) => value ?? NaN) }));
    let entry = this.charts.get(name);
    if (!series.length || x.length < 2) {
      if (entry) entry.chart.node.hidden = true;
      return;
    }
    const options = { series, stops: evenStops(x.length), stopLabel: (i) => seconds(x[i]), where: (i) => `after ${seconds(x[i])}`,
      x: { label: "time of crawling", least: from, most: to, format: timeLabel, ticks: timeTicks }, y: { least: 0, ...y } };
    if (!entry) {
      const chart = new Kit.Curves({ title, help, rows: "Curve", hover: (i, from) => this.together(i, from), ...options });
      entry = { chart, key: el("p", { class: "key" }), keyText: "" };
      chart.node.dataset.curve = name;
      chart.node.querySelector("figcaption").append(entry.key);
      if (this.zoomable) this.makeZoomable(chart);
      this.charts.set(name, entry);
      this.grid.append(chart.node);
    } else {
      entry.chart.set(options);
    }
    entry.chart.node.hidden = false;
    const keyText = series.map((one) => one.label).join("\n");
    if (series.length > 1 && keyText !== entry.keyText) entry.key.replaceChildren(...series.map((one) => el("span", { class: "who" }, Kit.swatch(one.style), el("span", {}, one.label))));
    entry.keyText = keyText;
  }

  together(i, from) {
    if (this.pointing) return;
    this.pointing = true;
    for (const { chart } of this.charts.values()) if (chart !== from && chart.width) chart.point(i, false);
    this.pointing = false;
  }

  makeZoomable(chart) {
    const band = el("div", { class: "band", hidden: true });
    chart.frame.append(band);
    let began = null;
    const at = (event) => event.clientX - chart.frame.getBoundingClientRect().left;
    const finish = (event) => {
      if (began === null) return;
      const [a, b] = [began, at(event)].sort((one, other) => one - other);
      began = null;
      band.hidden = true;
      if (b - a < 8) return;
      const { from, to } = this.shown;
      const time = (px) => Math.max(from, Math.min(to, chart.scaleX.invert(px)));
      this.zoom({ from: time(a), to: time(b) });
    };
    chart.frame.addEventListener("pointerdown", (event) => { if (event.pointerType !== "touch" && event.button === 0) began = at(event); });
    chart.frame.addEventListener("pointermove", (event) => {
      if (began === null) return;
      const now = at(event);
      band.hidden = Math.abs(now - began) < 8;
      band.style.left = `${Math.min(began, now)}px`;
      band.style.width = `${Math.abs(now - began)}px`;
    });
    chart.frame.addEventListener("pointerup", finish);
    chart.frame.addEventListener("pointerleave", () => { began = null; band.hidden = true; });
    chart.frame.addEventListener("keydown", (event) => this.zoomKey(event, chart));
  }

  zoomKey(event, chart) {
    const { from, to, x } = this.shown;
    const middle = chart.at === null || chart.at === undefined ? (from + to) / 2 : x[Math.min(chart.at, x.length - 1)];
    const size = to - from;
    const end = Math.max(x.at(-1), to);
    const moved = (by) => { const left = Math.max(0, Math.min(from + by, end - size)); return { from: left, to: left + size }; };
    const next = { "+": { from: middle - (middle - from) / 2, to: middle + (to - middle) / 2 }, "-": { from: Math.max(0, from - size / 2), to: to + size / 2 },
      ArrowLeft: event.shiftKey ? moved(-size / 4) : null, ArrowRight: event.shiftKey ? moved(size / 4) : null }[event.key === "=" ? "+" : event.key];
    if (!next || next.to - next.from < 0.5) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.zoom(event.key === "-" && next.from === 0 && next.to >= (this.curves.seconds.at(-1) ?? 0) ? null : next);
    Kit.announce(`From ${seconds(next.from)} to ${seconds(next.to)}`);
  }
}

export function curvesView() {
  const charts = new Charts(Object.keys(kCharts), { zoomable: true });
  const view = el("div", { class: "view" }, el("h1", {}, "Curves"), el("p", { class: "about" }, "Runs that were stopped and resumed are joined."), section("charts", "Since the start", charts.node));
  charts.start();
  return { title: "Curves", node: view, stop: () => charts.stop() };
}
