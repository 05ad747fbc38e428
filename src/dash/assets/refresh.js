// The page of a refresh report: which policy keeps pages freshest, the curves behind it, and how it was run.
"use strict";
(() => {
  const { el, count, fixed, percent, isNumber, swatch } = Kit;
  const report = Kit.data();
  const code = (text) => el("code", {}, text);
  const days = (value) => (!isNumber(value) ? "–" : value >= 100 ? `${count(Math.round(value))} days` : `${Number(value.toPrecision(3))} days`);
  const budgets = [...new Set(report.runs.map((run) => run.budget))];
  const runsAt = (budget) => report.runs.filter((run) => run.budget === budget);
  const best = (runs, key, sign) => runs.filter((run) => isNumber(run[key])).reduce((a, b) => (!a || sign * (b[key] - a[key]) > 0 ? b : a), null);
  const state = { budget: budgets[0], weights: "importance" };
  const weighted = (key) => (state.weights === "equal" ? `${key}_equal` : key);
  const optimum = () => report.optimum.find((one) => one.budget === state.budget);

  // ---- the answer --------------------------------------------------------------------------------------
  function card(title, big, ...text) {
    return el("div", { class: "card" }, el("h3", {}, title), el("p", { class: "big" }, big), el("p", {}, text));
  }
  function cards() {
    const runs = runsAt(state.budget);
    const fresh = best(runs, weighted("freshness"), 1);
    const young = best(runs, weighted("age"), -1);
    const list = [];
    if (fresh) list.push(card("Freshest", percent(1)(fresh[weighted("freshness")]), code(fresh.label), `: ${fresh.summary}.`));
    if (young) list.push(card("Youngest", days(young[weighted("age")]), code(young.label), `: ${young.summary}.`));
    const uniform = runs.find((run) => run.policy === "uniform");
    if (uniform) list.push(card("All pages alike", percent(1)(uniform[weighted("freshness")]), `fresh, ${days(uniform[weighted("age")])} old: what `, code("uniform"), " achieves."));
    if (optimum() && state.weights === "importance") list.push(card("Best possible", percent(1)(optimum().freshness), `fresh, or ${days(optimum().age)} old: the exact optima of freshness and of age if all rates are known.`));
    return el("div", { class: "cards" }, list);
  }

  // ---- curves ------------------------------------------------------------------------------------------
  const charts = [];
  let pointing = false;
  function together(i, from) {
    if (pointing) return;
    pointing = true;
    for (const chart of charts) if (chart !== from) chart.point(i, false);
    pointing = false;
  }
  const stops = [...new Set(Array.from({ length: 11 }, (_, i) => Math.round((i * (report.points.length - 1)) / 10)))];
  const lines = (curve) => {
    const list = runsAt(state.budget).map((run) => ({ label: run.label, style: run.style, x: report.points,
      y: run.curves[weighted(curve)].mean.map((value) => value ?? NaN),
      low: run.repeats > 1 ? run.curves[weighted(curve)].min : undefined, high: run.repeats > 1 ? run.curves[weighted(curve)].max : undefined }));
    const best = state.weights === "importance" ? optimum()?.[curve] : undefined;
    if (isNumber(best)) list.push({ label: "optimum", style: -2, baseline: true, x: report.points, y: report.points.map(() => best) });
    return list;
  };
  const CHARTS = [
    { curve: "freshness", title: "Freshness", help: "Share of the pages, weighted as chosen, whose copy is up to date. Higher is better.", y: { label: "fresh", percent: true, least: 0, most: 1, value: percent(1) } },
    { curve: "age", title: "Age", help: "Days since the first change of a page that its copy does not have, 0 for fresh pages; a mean, weighted as chosen. Lower is better.", y: { label: "days", least: 0, value: days } },
    { curve: "held", title: "Held pages", help: "Share of the pages, weighted as chosen, that have been fetched at least once.", y: { label: "held", percent: true, least: 0, most: 1, value: percent(1) }, discovery: true },
  ];
  function curves() {
    charts.length = 0;
    const shown = CHARTS.filter((one) => !one.discovery || report.discovery);
    for (const one of shown) {
      charts.push(new Kit.Curves({ title: one.title, help: one.help, rows: "Policy", x: { label: "day", least: 0, most: report.days }, y: one.y,
        series: lines(one.curve), stops, hover: together, stopLabel: (i) => `day ${Math.round(report.points[i])}`, where: (i) => `day ${Math.round(report.points[i])}` }));
      charts[charts.length - 1].node.dataset.curve = one.curve;
    }
    return el("div", { class: "grid" }, charts.map((chart) => chart.node));
  }
  const key = () => el("p", { class: "key" }, lines("freshness").map((one) => el("span", { class: "who" }, swatch(one.style), el("span", {}, one.label))));

  // ---- table -------------------------------------------------------------------------------------------
  function table() {
    const rows = runsAt(state.budget).map((run) => ({ ...run, margin: run.spread?.freshness.margin ?? NaN, node: () => el("span", { class: "who" }, swatch(run.style), el("span", {}, run.label)) }));
    const columns = [
      { key: "label", label: "Policy", text: true },
      { key: "freshness", label: "freshness", format: fixed(4), better: "high", help: "By importance" },
      { key: "age", label: "age, days", format: fixed(3), better: "low", help: "By importance" },
      { key: "freshness_equal", label: "freshness, unweighted", format: fixed(4), better: "high" },
      { key: "age_equal", label: "age, unweighted", format: fixed(3), better: "low" },
      { key: "changed", label: "found a change", format: percent(1), help: "Share of all fetches" }];
    if (report.repeat > 1) columns.splice(2, 0, { key: "margin", label: "±", format: fixed(4), help: "Half of the 95 % confidence interval of freshness" });
    if (report.discovery) columns.push({ key: "held", label: "held", format: percent(1), help: "Share of the importance that was fetched at least once" }, { key: "new", label: "new", format: percent(1), help: "Share of fetches of new pages" });
    else columns.push({ key: "exact", label: "exact freshness", format: fixed(4), help: "The limit for this policy with known rates" }, { key: "exact_age", label: "exact age", format: fixed(3) });
    return el("div", { class: "pages" }, Kit.sortableTable({ caption: "Policies compared", sort: "freshness", rows, columns }));
  }

  function howItWasRun() {
    const facts = [["Graph", report.graph, `${count(report.pages)} reachable pages`], ["Importance", report.importance],
      ["Change rates", report.rates, `${report.mean_rate.toPrecision(3)} changes per day on average`], ["Time", days(report.days), `measured after ${days(report.warm_up)}`],
      ["Discovery", report.discovery ? "from the seeds" : "off", report.discovery ? "new pages count towards the same budget" : "all pages are held at day 0"],
      ["Repeats", count(report.repeat), `random seed ${report.seed}`]];
    return el("section", { "aria-labelledby": "run-title" }, el("h2", { id: "run-title" }, "How it was run"),
      el("div", { class: "command" }, el("pre", {}, code(report.command)), Kit.copyButton(report.command)),
      el("dl", { class: "facts" }, facts.map(([name, value, note]) => el("div", {}, el("dt", {}, name), el("dd", {}, value, note ? el("small", {}, note) : null)))));
  }

  const changing = el("div");
  function show() {
    changing.replaceChildren(cards(), el("section", { "aria-labelledby": "curves-title" }, el("h2", { id: "curves-title" }, "Over time"), key(), curves()),
      el("section", { "aria-labelledby": "table-title" }, el("h2", { id: "table-title" }, "After the warm-up"), table()));
  }
  show();
  const winner = best(report.runs.filter((run) => run.budget === budgets[0]), "freshness", 1);
  const main = el("main", { id: "main" },
    el("h1", { class: "answer" }, winner ? `${winner.label} keeps most pages fresh` : "Nothing was simulated"),
    el("p", { class: "lead" }, `How fresh each refresh policy keeps the ${count(report.pages)} pages of `, el("b", {}, report.graph), " at the chosen number of fetches per day."),
    budgets.length > 1 ? Kit.choice("Fetches per day", budgets.map((budget) => [String(budget), String(Number(budget.toPrecision(4)))]), String(state.budget), (value) => { state.budget = Number(value); show(); }) : null,
    Kit.choice("Weights", [["importance", "importance"], ["equal", "equal"]], state.weights, (value) => { state.weights = value; show(); }),
    changing, howItWasRun());
  document.getElementById("page").append(
    el("header", {}, el("p", { class: "brand" }, el("b", {}, "Bowerbird lab"), el("span", {}, report.graph)), Kit.themeButton()),
    main,
    el("footer", {}, `Written by bowerbird ${report.version}, ${report.written}. Charts by Observable Plot. This page loads nothing from the network.`));
})();
