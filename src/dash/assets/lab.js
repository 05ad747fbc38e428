// The page of a lab report: the answer, the curves behind it, what it costs, and how it was run.
"use strict";
(() => {
  const { el, count, fixed, percent, seconds, bytes, shortNumber, isNumber, swatch } = Kit;
  const report = Kit.data();
  const series = report.series;
  const graphs = report.graphs;

  // ---- reading the data --------------------------------------------------------------------------------
  const runsOf = (graph) => graph.runs.map((run) => ({ ...run, ...series[run.series], index: run.series }));
  const figure = (run, name) => run.figures[name]?.mean ?? NaN;
  const contestants = (graph) => runsOf(graph).filter((run) => !run.baseline);
  const runCalled = (graph, label) => runsOf(graph).find((run) => run.label === label);
  const judged = (graph) => graph.importance !== "none" && graph.reachable > 0;
  const valueAt = (run, curve, graph, stop) => run.curves[curve]?.mean[graph.checkpoints[stop].point] ?? NaN;
  const bestBy = (runs, value) => runs.filter((run) => isNumber(value(run))).reduce((a, b) => (!a || value(b) > value(a) ? b : a), null);
  const code = (text) => el("code", {}, text);
  const signed = (digits) => (value) => (isNumber(value) && value > 0 ? "+" : "") + fixed(digits)(value);
  const METRICS = {
    pagerank: "PageRank", backlink: "links from other pages", forward: "links to other pages",
    location: "how prominent the URL looks", home: "being a home page",
    similarity: "similarity to the topic", "on-topic": "being about the topic", combined: "a weighted sum",
  };
  const metric = (graph) => METRICS[graph.importance] ?? graph.importance;
  const many = (number, unit) => `${count(number)} ${unit}${number === 1 ? "" : "s"}`;

  // The share of the pages after which the curve has reached `level`.
  function shareNeeded(run, graph, level) {
    const curve = run.curves.cumulative?.mean ?? [];
    for (let i = 1; i < curve.length; ++i) {
      if (!(curve[i] >= level)) continue;
      const part = curve[i] > curve[i - 1] ? (level - curve[i - 1]) / (curve[i] - curve[i - 1]) : 1;
      return (graph.points[i - 1] + part * (graph.points[i] - graph.points[i - 1])) / graph.reachable;
    }
    return NaN;
  }

  // ---- what the reader has chosen ----------------------------------------------------------------------
  const state = { graph: 0, stop: 3, axis: "share", visible: new Set() };
  function preset(name) {
    const running = series.filter((one) => !one.baseline);
    state.visible = new Set(series.filter((one) => one.baseline).map((one) => one.label));
    const chosen = name === "all" ? running : name === "none" ? [] : running.slice(0, 6);
    for (const one of chosen) state.visible.add(one.label);
    if (name === "best" && running.some((one) => one.label === "bfs")) state.visible.add("bfs");
  }
  preset("best");
  const graph = () => graphs[state.graph];

  // ---- curves of the chosen graph ----------------------------------------------------------------------
  function lines(graph, curve) {
    const xs = graph.points.map((pages) => (state.axis === "pages" ? pages : pages / Math.max(1, graph.reachable ?? graph.pages)));
    return runsOf(graph).filter((run) => state.visible.has(run.label) && run.curves[curve]).map((run) => {
      const { mean, min, max } = run.curves[curve];
      const values = (list) => list?.map((value) => value ?? NaN);
      return { label: run.label, style: run.style, x: xs.slice(0, mean.length), y: values(mean), low: values(min), high: values(max),
        marked: run.baseline ? [] : graph.checkpoints.slice(2).map((checkpoint) => checkpoint.point) };
    });
  }
  function axisX(graph) {
    if (state.axis === "pages") return { label: "pages crawled", least: 0, most: graph.reachable };
    const log = state.axis === "log";
    const first = graph.points.find((pages) => pages > 0) ?? 1;
    return { label: "pages crawled, share of all reachable", percent: true, log,
      least: log ? Math.max(0.001, first / Math.max(1, graph.reachable)) : 0, most: 1 };
  }

  const share01 = { percent: true, least: 0, most: 1, value: percent(1) };
  const CHARTS = [
    { curve: "cumulative", title: "Importance collected", help: "Importance of the crawled pages, as a share of the importance of all pages. Higher and further left is better.",
      y: { ...share01, label: "share of all importance" } },
    { curve: "hot", title: "Hot pages", help: "Share of the K best pages that are among the first K crawled pages.",
      y: { ...share01, label: "share of the K best pages" } },
    { curve: "queue", title: "Queue length", help: "Pages known but not yet crawled. This determines the memory of a crawl. Lower is better.",
      y: { percent: true, least: 0, label: "queued, share of all reachable", value: percent(1) } },
    { curve: "seconds", title: "Scheduling time", help: "Time spent on deciding what comes next, without fetching. Lower is better.",
      y: { log: true, label: "seconds so far (logarithmic)", value: seconds, format: seconds } },
    { curve: "threshold", more: true, title: "Pages above a threshold", help: "Share of the pages of at least the threshold importance that are crawled by then.",
      y: { ...share01, label: "share of the pages above it" } },
    { curve: "guaranteed", more: true, title: "Guaranteed importance", help: "Share of the PageRank personalised to the seeds over the whole Web that the crawled pages hold: a lower bound, whatever pages are still unknown (RankMass). It cannot be compared with the first chart, which is PageRank over the whole graph.",
      y: { ...share01, label: "share of the PageRank personalised to the seeds, at least" } },
    { curve: "indegree", more: true, title: "In-degree collected", help: "The first chart with in-degree as the importance.",
      y: { ...share01, label: "share of all in-degree" } },
    { curve: "pagerank", more: true, title: "PageRank collected", help: "The first chart with PageRank as the importance.",
      y: { ...share01, label: "share of all PageRank" } },
    { curve: "home", more: true, title: "Home pages found", help: "Share of all home pages (path /) that are crawled by then.",
      y: { ...share01, label: "share of all home pages" } },
  ];
  const charts = [];
  function chartOptions(chart) {
    const now = graph();
    return { title: chart.title, help: chart.help, x: axisX(now), y: chart.y,
      series: lines(now, chart.curve),
      stops: now.checkpoints.map((checkpoint) => checkpoint.point),
      stopLabel: (point) => `${now.checkpoints.find((checkpoint) => checkpoint.point === point).percent} %`,
      where: (i) => `${percent(1)(now.points[i] / Math.max(1, now.reachable))} crawled (${count(now.points[i])} pages)` };
  }
  let pointing = false;
  function together(i, from) {
    if (pointing) return;
    pointing = true;
    for (const { made } of charts) if (made !== from) made.point(i, false);
    pointing = false;
  }

  // A smaller difference in auc is none.
  const CLEAR = 0.005;

  // ---- the answer --------------------------------------------------------------------------------------
  const times = (a, b) => (isNumber(a) && isNumber(b) && b > 0 ? `${(a / b).toFixed(a / b < 10 ? 2 : 0)} times` : null);

  function answer(graph) {
    if (!graph.pages || !graph.runs.length) {
      return { head: ["There is nothing to crawl"], lead: [`The graph `, el("b", {}, graph.name), ` has no pages that could be crawled.`] };
    }
    const runs = contestants(graph);
    if (!judged(graph)) {
      const fastest = bestBy(runs, (run) => figure(run, "links_per_s"));
      const smallest = bestBy(runs, (run) => -figure(run, "peak_queue"));
      if (!fastest) return { head: ["Nothing was measured"], lead: ["No ordering completed its run."] };
      return { head: [code(fastest.label), " decides fastest"], lead: [
        `Importance was not measured (--importance none); this report is about speed and memory. `, code(fastest.label),
        ` handles ${shortNumber(figure(fastest, "links_per_s"))} links per second; the shortest queue is that of `, code(smallest.label),
        `, at most ${percent(1)(figure(smallest, "peak_queue"))} of the pages.`] };
    }
    const best = bestBy(runs, (run) => figure(run, "auc"));
    if (!best) return baselinesOnly(graph);
    const stop = 3;
    const at = (run) => (run ? valueAt(run, "cumulative", graph, stop) : NaN);
    const bfs = runCalled(graph, "bfs");
    const random = runCalled(graph, "random");
    const ideal = runCalled(graph, "ideal");
    const lead = [`Crawl just ${graph.checkpoints[stop].percent} % of `, el("b", {}, graph.name), ` in this order and you have `,
      el("b", {}, percent(1)(at(best))), ` of all importance (${metric(graph)})`];
    const beside = [];
    if (bfs && bfs.label !== best.label && times(at(best), at(bfs))) beside.push(`${times(at(best), at(bfs))} as much as breadth-first order (${percent(1)(at(bfs))})`);
    if (random && times(at(best), at(random))) beside.push(`${times(at(best), at(random))} a random order (${percent(1)(at(random))})`);
    if (beside.length) lead.push(`: `, beside.join(" and "));
    lead.push(".");
    const there = bestBy(runs, at);
    if (at(there) > at(best) + 0.0005) lead.push(` (At this point `, code(there.label), ` is ahead with ${percent(1)(at(there))}; over the whole crawl it is not.)`);
    if (ideal) lead.push(` Best possible: ${percent(1)(at(ideal))}.`);
    const worst = Math.min(...runs.map((run) => figure(run, "auc")).filter(isNumber));
    const alike = figure(best, "auc") - worst < CLEAR;
    if (alike && runs.length > 1) lead.push(` The AUC of all ${runs.length} orderings  differs by at most ${CLEAR}: on this graph the choice hardly matters.`);
    const head = runs.length === 1 ? [`How good is `, code(best.label), ` order?`] : alike ? ["All these orderings are about equally good"] : ["Crawl in ", code(best.label), " order"];
    return { head, lead, best };
  }
  function baselinesOnly(graph) {
    return { head: ["No ordering completed its run"], lead: [`Only the baselines are shown for `, el("b", {}, graph.name), "."] };
  }

  // For somebody who has never seen such a report: what was done, and what the winner is.
  function what(graph, best) {
    if (!judged(graph)) return null;
    return el("p", { class: "what" }, best?.summary ? [code(best.label), `: ${best.summary}. `] : null,
      `Nobody can crawl the whole Web, so the order matters. This report shows how soon each ordering reached the important pages of a known web graph: ${many(contestants(graph).length, "ordering")}, ${many(graph.repeat, "repeat")}, ${many(graph.seeds, "seed page")}.`);
  }

  function card(title, big, ...text) {
    return el("div", { class: "card" }, el("h3", {}, title), el("p", { class: "big" }, big), el("p", {}, text));
  }

  function cards(graph, best) {
    const runs = contestants(graph);
    const list = [];
    const half = shareNeeded(best, graph, 0.5);
    if (isNumber(half)) {
      const others = ["bfs", "random"].filter((label) => label !== best.label).map((label) => runCalled(graph, label)).filter(Boolean)
        .map((run) => `${run.label} ${percent(1)(shareNeeded(run, graph, 0.5))}`);
      list.push(card("Half of all importance", percent(1)(half), `of the pages are enough in `, code(best.label), " order", others.length ? `; ${others.join(", ")}.` : "."));
    }
    const second = bestBy(runs.filter((run) => run.label !== best.label), (run) => figure(run, "auc"));
    if (second) {
      const gap = figure(best, "auc") - figure(second, "auc");
      list.push(card("Over the whole crawl", fixed(4)(figure(best, "auc")), `mean height of its curve (AUC). Next is `, code(second.label),
        ` with ${fixed(4)(figure(second, "auc"))}`, gap < 0.005 ? ": both are about equally good." : "."));
    }
    const near = runs.filter((run) => figure(run, "auc") >= figure(best, "auc") - 0.02);
    const quick = bestBy(near, (run) => -figure(run, "seconds"));
    if (quick && quick.label !== best.label && figure(best, "seconds") > 3 * figure(quick, "seconds")) {
      list.push(card("Nearly as good, much cheaper", el("code", {}, quick.label), `is within ${fixed(4)(figure(best, "auc") - figure(quick, "auc"))} of it and decides in ${seconds(figure(quick, "seconds"))} instead of ${seconds(figure(best, "seconds"))}.`));
    } else {
      list.push(card("What it costs", seconds(figure(best, "seconds")), `to order ${count(figure(best, "crawled"))} pages, ${fixed(0)(figure(best, "bytes_per_page"))} bytes of memory for each.`));
    }
    list.push(card("Longest queue", percent(1)(figure(best, "peak_queue")), `of the pages were queued at once, at most`,
      second ? [`; shortest of all: `, (() => {
        const least = bestBy(runs, (run) => -figure(run, "peak_queue"));
        return [code(least.label), ` with ${percent(1)(figure(least, "peak_queue"))}.`];
      })()] : "."));
    return el("div", { class: "cards" }, list);
  }

  // Bars of all orderings after the share that the reader can afford.
  function budget() {
    const bars = el("ol", { class: "bars" });
    const said = el("p", { class: "said" });
    const input = el("input", { type: "range", id: "budget", min: 0, max: graph().checkpoints.length - 1, value: state.stop,
      list: "budget-marks", oninput: () => { state.stop = Number(input.value); show(); } });
    const output = el("output", { for: "budget" });
    let curve = "cumulative";
    function show() {
      const now = graph();
      const checkpoint = now.checkpoints[state.stop];
      output.textContent = `${checkpoint.percent} %`;
      input.setAttribute("aria-valuetext", `${checkpoint.percent} % of the pages`);
      const rows = runsOf(now).map((run) => ({ run, value: valueAt(run, curve, now, state.stop) }))
        .filter((row) => isNumber(row.value)).sort((a, b) => b.value - a.value);
      const best = rows.find((row) => !row.run.baseline);
      bars.replaceChildren(...rows.map(({ run, value }) => el("li", { class: run.baseline ? "muted" : run === best?.run ? "winner" : null, "data-label": run.label },
        el("span", { class: "who" }, swatch(run.style), el("span", {}, run.label)),
        el("span", { class: "track" }, el("span", { class: "bar", style: `width:${(100 * value).toFixed(2)}%;--bar:${run.baseline ? "var(--grey)" : Kit.look(run.style).colour}` })),
        el("span", { class: "value" }, percent(1)(value)))));
      said.replaceChildren();
      if (best) {
        said.append(`After ${checkpoint.percent} % of the pages (${count(now.points[checkpoint.point])}), `, code(best.run.label),
          curve === "cumulative" ? ` holds the most: ${percent(1)(best.value)} of all importance.` : ` has the most of the ${count(now.points[checkpoint.point])} best pages: ${percent(1)(best.value)}.`);
      }
    }
    show();
    return el("section", { "aria-labelledby": "budget-title" }, el("h2", { id: "budget-title" }, "How much can you crawl?"),
      el("div", { class: "controls" },
        el("div", { class: "slider" }, el("label", { for: "budget" }, "Share of the pages that you can crawl"), input, output,
          el("datalist", { id: "budget-marks" }, graph().checkpoints.map((checkpoint, i) => el("option", { value: i, label: `${checkpoint.percent} %` })))),
        Kit.choice("Show", [["cumulative", "Importance"], ["hot", "Hot pages"]], curve, (key) => { curve = key; show(); })),
      said, bars);
  }

  // ---- curves ------------------------------------------------------------------------------------------
  function legend(changed) {
    const chips = series.map((one) => el("button", { type: "button", class: "chip", "data-label": one.label, title: one.summary, onclick: () => {
      if (!state.visible.delete(one.label)) state.visible.add(one.label);
      changed();
    } }, swatch(one.style), el("span", {}, one.label)));
    const node = el("div", { class: "legend", role: "group", "aria-label": "Orderings shown in the charts" }, chips,
      el("span", { class: "presets" }, [["best", "Best six"], ["all", "All"], ["none", "None"]].map(([key, text]) =>
        el("button", { type: "button", class: "quiet", onclick: () => { preset(key); changed(); } }, text))));
    return { node, show: () => chips.forEach((chip, i) => {
      chip.setAttribute("aria-pressed", state.visible.has(series[i].label));
      chip.hidden = !graph().runs.some((run) => run.series === i);
    }) };
  }

  function curves() {
    charts.length = 0;
    const now = graph();
    const measured = new Set(now.runs.flatMap((run) => Object.keys(run.curves)));
    function redraw() {
      chips.show();
      for (const { chart, made } of charts) made.set(chartOptions(chart));
    }
    const chips = legend(redraw);
    const grid = el("div", { class: "grid" });
    const more = el("div", { class: "grid" });
    for (const chart of CHARTS) {
      if (!measured.has(chart.curve)) continue;
      const made = new Kit.Curves({ ...chartOptions(chart), hover: together });
      made.node.dataset.curve = chart.curve;
      charts.push({ chart, made });
      (chart.more ? more : grid).append(made.node);
    }
    chips.show();
    const repeats = now.repeat > 1 ? ` Bands show the lowest and highest of ${now.repeat} crawls.` : "";
    return el("section", { "aria-labelledby": "curves-title" }, el("h2", { id: "curves-title" }, "During the crawl"),
      el("p", {}, `To read values, point at a chart, or focus it and use the arrow keys. Press a name to show or hide its curve.${repeats}`),
      el("div", { class: "sticky" }, el("div", { class: "controls" }, chips.node,
        Kit.choice("Horizontal axis", [["share", "Share"], ["log", "Share, log"], ["pages", "Pages"]], state.axis, (key) => { state.axis = key; redraw(); }))),
      grid, more.children.length ? el("details", { class: "further" }, el("summary", {}, "More metrics"), more) : null);
  }

  // ---- quality against cost ----------------------------------------------------------------------------
  function costChart() {
    const now = graph();
    const rows = contestants(now).map((run) => ({ run, x: figure(run, "seconds"), y: figure(run, "auc") })).filter((row) => row.x > 0 && isNumber(row.y));
    if (rows.length < 3) return null;
    const holder = el("div", { class: "plot" });
    let width = 0;
    const [lowest, highest] = [Math.min(...rows.map((row) => row.y)), Math.max(...rows.map((row) => row.y))];
    const room = Math.max(0, CLEAR - (highest - lowest));
    function draw() {
      const plot = Plot.plot({ width: Math.max(200, width), height: Math.max(260, Math.min(420, width * 0.5)), marginLeft: 52, marginRight: 110, marginBottom: 42, marginTop: 28,
        x: { type: "log", label: null, grid: true, tickFormat: seconds, ticks: width < 500 ? 3 : 6 }, y: { label: null, grid: true, nice: true, inset: 8, domain: [lowest - room, highest + room] },
        style: { fontSize: "12px", overflow: "visible" },
        marks: rows.map(({ run, x, y }) => Plot.dot([[x, y]], { r: 5, fill: Kit.look(run.style).colour })) });
      plot.setAttribute("role", "img");
      plot.setAttribute("aria-label", "Quality against scheduling time; the same figures are in the table below");
      label(plot);
      plot.append(Kit.svg("text", { x: 2, y: 12, "text-anchor": "start", class: "axis" }, "↑ AUC: mean height of the importance curve"),
        Kit.svg("text", { x: width / 2 - 20, y: plot.getAttribute("height") - 6, "text-anchor": "middle", class: "axis" }, "scheduling time →"));
      holder.replaceChildren(plot);
    }
    // Names next to the dots, the best first; one that would cover another is left to the table.
    function label(plot) {
      const taken = [];
      const [sx, sy] = [plot.scale("x"), plot.scale("y")];
      for (const { run, x, y } of [...rows].sort((a, b) => b.y - a.y)) {
        const box = { left: sx.apply(x) + 8, top: sy.apply(y) - 8, width: run.label.length * 7 + 4, height: 15 };
        const hits = (other) => box.left < other.left + other.width && other.left < box.left + box.width && box.top < other.top + other.height && other.top < box.top + box.height;
        if (taken.some(hits)) continue;
        taken.push(box);
        plot.append(Kit.svg("text", { x: box.left, y: box.top + 12, "text-anchor": "start", class: "dot-name" }, run.label));
      }
    }
    new ResizeObserver(() => {
      const now = Math.floor(holder.clientWidth);
      if (now > 0 && now !== width) {
        width = now;
        draw();
      }
    }).observe(holder);
    return el("section", { "aria-labelledby": "cost-title" }, el("h2", { id: "cost-title" }, "Quality and cost"),
      el("p", {}, "Each dot is an ordering. Up is better, left is cheaper."),
      el("figure", { class: "chart wide" }, holder));
  }

  // ---- the table ---------------------------------------------------------------------------------------
  function fullTable() {
    const now = graph();
    if (!now.runs.length) return null;
    const shown = [2, 3, 5, 6, 7];
    const columns = [{ key: "label", label: "Ordering", text: true, help: "Ordering and, where it is not 'all', frontier strategy" }];
    const add = (column) => columns.push(column);
    if (judged(now)) {
      add({ key: "auc", label: "AUC", format: fixed(4), better: "high", help: "Mean height of the importance curve" });
      if (now.repeat > 1) add({ key: "margin", label: "± 95 %", format: fixed(4), help: "Half the width of the 95 % confidence interval of the AUC" });
      if (now.runs.some((run) => run.difference)) {
        add({ key: "difference", label: "to best", format: signed(4), help: "AUC minus that of the best ordering: mean over the repeats, each pair with the same seeds" });
        add({ key: "differenceMargin", label: "± 95 %", format: fixed(4), help: "Half the width of the 95 % confidence interval of that difference" });
      }
      for (const i of shown) add({ key: `cumulative-${i}`, label: `imp. ${now.checkpoints[i].percent} %`, format: fixed(3), better: "high", help: `Share of all importance after ${now.checkpoints[i].percent} % of the pages` });
      for (const i of shown) add({ key: `hot-${i}`, label: `hot ${now.checkpoints[i].percent} %`, format: fixed(3), better: "high", help: `Share of the K best pages among the first K = ${now.checkpoints[i].percent} %` });
    }
    add({ key: "coverage", label: "coverage", format: fixed(4), help: "Crawled pages, share of the reachable ones" });
    add({ key: "peak_queue", label: "peak queue", format: fixed(4), better: "low", help: "Maximum length of the queue, share of the reachable pages" });
    add({ key: "revisits", label: "re-visits", format: fixed(4), help: "Second and later visits to pages whose links were held back" });
    add({ key: "dropped", label: "dropped", format: count, help: "Links that :budget or truncated dropped" });
    add({ key: "seconds", label: "time", format: seconds, better: "low", help: "Scheduling time" });
    add({ key: "links_per_s", label: "links/s", format: shortNumber, better: "high", help: "Links per second of scheduling time" });
    add({ key: "bytes_per_page", label: "bytes/page", format: fixed(1), better: "low", help: "Peak memory of frontier and ordering, per discovered page" });
    const budget = now.runs.some((run) => isNumber(run.figures.spilled?.mean));
    if (budget) {
      add({ key: "peak_bytes", label: "peak memory", format: bytes, better: "low", help: "Peak memory of frontier and ordering" });
      add({ key: "spilled", label: "spilled", format: fixed(4), help: "Maximum number of queued pages on disk, as a share of the reachable pages" });
      add({ key: "distance", label: "distance", format: (value) => value === 0 ? "0" : value.toExponential(1), help: "Largest rounding error of a score, as a share of the score: how much worse than the best page a chosen page may be" });
      add({ key: "dropped_worth", label: "worth dropped", format: shortNumber, help: "Value of the dropped links according to the ordering" });
    }
    const team = now.runs.some((run) => isNumber(run.figures.overlap?.mean));
    if (team) {
      add({ key: "overlap", label: "overlap", format: fixed(4), better: "low", help: "Repeated fetches by all processes, per page" });
      add({ key: "exchanged", label: "exchanged", format: fixed(3), better: "low", help: "URLs sent between processes, per page fetched" });
    }
    const rows = runsOf(now).map((run) => {
      const row = { label: run.label + (run.partial ? " (stopped)" : ""), muted: run.baseline, margin: run.figures.auc?.margin, difference: run.difference?.mean, differenceMargin: run.difference?.margin,
        node: () => [swatch(run.style), el("span", {}, run.label), run.partial ? " (stopped)" : ""] };
      for (const name of ["auc", "coverage", "peak_queue", "revisits", "dropped", "seconds", "links_per_s", "bytes_per_page", "peak_bytes", "spilled", "distance", "dropped_worth", "overlap", "exchanged"]) {
        row[name] = run.policy === "ideal" && name !== "auc" ? NaN : figure(run, name);
      }
      for (const i of shown) {
        row[`cumulative-${i}`] = valueAt(run, "cumulative", now, i);
        row[`hot-${i}`] = valueAt(run, "hot", now, i);
      }
      return row;
    });
    return el("section", { "aria-labelledby": "table-title" }, el("h2", { id: "table-title" }, "All figures"),
      el("p", {}, "Press a heading to sort. The best value of a column is bold; baselines are below, in grey, and never bold. All curves are in ", code("curves.csv"), " and ", code("results.json"), " next to this page."),
      Kit.sortableTable({ caption: "All orderings and figures", columns, rows, sort: judged(now) ? "auc" : "links_per_s" }));
  }

  // ---- the best pages ----------------------------------------------------------------------------------
  function bestPages() {
    const now = graph();
    if (!now.best.length) return null;
    const runs = runsOf(now).filter((run) => run.policy !== "ideal").filter((run) => !run.baseline || run.policy === "random").filter((run, i, all) => i < 6 || run.label === "bfs" || i === all.length - 1);
    const when = (run, i) => {
      const place = run.found[i];
      if (!place) return el("td", {}, "never");
      const share = place / now.reachable;
      return el("td", { style: `--heat:${Math.min(1, Math.max(0, 1 + Math.log10(Math.max(share, 1e-4)) / 4)).toFixed(3)}`, class: "heat" }, percent(share < 0.01 ? 2 : 1)(share));
    };
    return el("section", { "aria-labelledby": "best-title" }, el("h2", { id: "best-title" }, "When the very best pages were crawled"),
      el("p", {}, `The ${now.best.length} most important pages that are not among the seeds, and the share of the crawl after which each ordering reached them. Earlier is better.`),
      Kit.scrollable("When the best pages were crawled",
        el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Page"), runs.map((run) => el("th", { scope: "col" }, run.label)))),
          el("tbody", {}, now.best.map((page, i) => el("tr", {}, el("th", { scope: "row" }, page.url ? Kit.address(page.url) : `page ${count(page.page)}`), runs.map((run) => when(run, i))))))));
  }

  // ---- the graph and the run ---------------------------------------------------------------------------
  const facts = (rows) => el("dl", { class: "facts" }, rows.filter(Boolean).map(([name, value, help]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, value, help ? el("small", {}, help) : null))));

  function degreeChart(stats) {
    const total = (bins) => bins.reduce((sum, [, , many]) => sum + many, 0);
    const tail = (bins) => {
      let left = total(bins);
      const all = left;
      const points = [];
      for (const [first, , many] of bins) {
        if (first > 0) points.push([first, left / all]);
        left -= many;
      }
      return points;
    };
    const list = [["links from other pages (in-degree)", stats.in, 0], ["links to other pages (out-degree)", stats.out, 1]].filter(([, bins]) => bins?.length);
    const xs = [...new Set(list.flatMap(([, bins]) => tail(bins).map(([x]) => x)))].sort((a, b) => a - b);
    if (xs.length < 3) return null;
    const made = new Kit.Curves({ title: "Degrees", help: "Share of the pages that have at least this many links. A straight line is a power law.",
      x: { label: "links (logarithmic)", log: true }, y: { label: "share of the pages", log: true, value: percent(3), format: (value) => `${Number((100 * value).toPrecision(1))} %` },
      series: list.map(([label, bins, style]) => {
        const points = new Map(tail(bins));
        return { label, style, x: xs, y: xs.map((x) => points.get(x) ?? NaN), marked: [] };
      }).map((one) => {  // where only the other has a bin, the curve goes on straight
        for (let i = one.y.length - 2; i >= 0; --i) if (!isNumber(one.y[i]) && one.y.slice(i + 1).some(isNumber)) one.y[i] = one.y[i + 1];
        return one;
      }),
      stops: xs.map((_, i) => i).filter((i) => i % 4 === 0), stopLabel: (i) => `≥ ${count(xs[i])}`, where: (i) => `at least ${count(xs[i])} links` });
    return made.node;
  }

  function graphSection() {
    const now = graph();
    const stats = now.stats;
    const part = (many) => (now.pages ? percent(1)(many / now.pages) : "–");
    return el("section", { "aria-labelledby": "graph-title" }, el("h2", { id: "graph-title" }, "The web graph"),
      el("div", { class: "split" }, facts([
        ["Name", now.name],
        ["Pages", count(now.pages)],
        ["Links", count(now.links)],
        ["Reachable", `${count(now.reachable)} (${part(now.reachable)})`, now.reachable_by_run ? "counted by the crawl itself" : "from the seeds; only these are measured"],
        now.hosts !== null && ["Hosts", count(now.hosts)],
        now.interhost !== null && ["Links to another host", percent(1)(now.interhost)],
        stats && ["Links per page", `${fixed(1)(stats.mean_out)} on average`, `median ${count(stats.median_out)}, at most ${count(stats.max_out)}`],
        stats && ["Pages without links", part(stats.dangling)],
        stats && isNumber(stats.max_in) && ["Most linked page", `${count(stats.max_in)} links`],
        stats && isNumber(stats.no_in) && ["Pages without in-links", part(stats.no_in)],
      ]), stats ? degreeChart(stats) : null));
  }

  function runSection() {
    const now = graph();
    return el("section", { "aria-labelledby": "run-title" }, el("h2", { id: "run-title" }, "How it was run"),
      el("div", { class: "command" }, el("pre", { tabindex: 0, "aria-label": "The command" }, report.command), Kit.copyButton(report.command)),
      facts([
        ["Seeds", `${count(now.seeds)} (${now.seed_spec})`, "where each crawl starts"],
        ["Importance", now.importance, "the reference"],
        now.threshold && ["Threshold", `${Number(now.threshold.importance.toPrecision(3))}`, `${many(now.threshold.pages, "page")} of at least that importance`],
        ["Repeats", count(now.repeat), `random seeds from ${now.random_seed}${now.redrawn ? ", each with its own seed pages" : ""}`],
        ["Page budget", now.page_budget ? `${count(now.page_budget)} pages` : "none", now.page_budget ? null : "every run crawled all reachable pages"],
        ["Damping", "0.85"],
        ["Took", seconds(now.wall_seconds), `${bytes(now.peak_memory)} of memory at most`],
        ["Written", report.written, `bowerbird ${report.version}`],
      ]),
      now.notes.length ? el("ul", { class: "notes" }, now.notes.map((note) => el("li", {}, note))) : null);
  }

  const WORDS = [
    ["Importance collected", "The importance of the crawled pages, as a share of the importance of all reachable pages. Importance is computed over the whole graph, which a crawler cannot know beforehand."],
    ["Hot pages", "The share of the K most important pages that are among the first K crawled pages. (Crawl & stop in the papers.)"],
    ["AUC", "The mean height of the importance curve: one number for the whole crawl. Small differences may be due to chance: --repeat shows confidence intervals."],
    ["PageRank", "A page is important if important pages link to it. PageRank is the probability that a reader who follows random links is on the page."],
    ["Peak queue", "The maximum length of the list of known, uncrawled pages. A crawl must keep this list in memory or on disk."],
    ["Scheduling time", "Time in frontier and ordering, without fetching."],
    ["Coverage", "Crawled pages as a share of the reachable ones: below 1 if --pages ended the run, or :budget or truncated dropped links."],
    ["random, omniscient, ideal", "Baselines. random chooses a random discovered page. omniscient knows the importance of every page, but can only choose discovered pages. ideal is the list of the best pages, discovered or not: it is the upper bound."],
  ];
  function words() {
    return el("section", { "aria-labelledby": "words-title" }, el("h2", { id: "words-title" }, "Terms"),
      el("dl", { class: "words" }, WORDS.map(([word, text]) => el("div", {}, el("dt", {}, word), el("dd", {}, text)))),
      el("h3", {}, "The orderings"),
      el("dl", { class: "words" }, series.filter((one, i) => series.findIndex((other) => other.policy === one.policy) === i)
        .map((one) => el("div", {}, el("dt", {}, code(one.policy)), el("dd", {}, one.summary, one.paper ? ` ${one.paper}` : "")))));
  }

  // ---- several graphs ----------------------------------------------------------------------------------
  function acrossGraphs() {
    const judgedGraphs = graphs.filter(judged);
    if (graphs.length < 2 || !judgedGraphs.length) return null;
    const everywhere = series.filter((one) => judgedGraphs.every((graph) => runCalled(graph, one.label)));
    const aucs = (one) => judgedGraphs.map((graph) => figure(runCalled(graph, one.label), "auc"));
    const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
    const best = bestBy(everywhere.filter((one) => !one.baseline), (one) => mean(aucs(one)));
    const columns = [{ key: "label", label: "Ordering", text: true }, { key: "mean", label: "mean", format: fixed(4), better: "high", help: "Mean AUC over the graphs" },
      ...judgedGraphs.map((graph, i) => ({ key: `g${i}`, label: graph.name, format: fixed(4), better: "high", help: `AUC on ${graph.name}` }))];
    const rows = series.map((one) => {
      const row = { label: one.label, muted: one.baseline, node: () => [swatch(one.style), el("span", {}, one.label)] };
      const values = judgedGraphs.map((graph) => (runCalled(graph, one.label) ? figure(runCalled(graph, one.label), "auc") : NaN));
      values.forEach((value, i) => { row[`g${i}`] = value; });
      row.mean = values.every(isNumber) ? mean(values) : NaN;
      return row;
    });
    const multiples = judgedGraphs.map((graph) => new Kit.Curves({ small: true, title: graph.name, x: { percent: true, least: 0, most: 1 }, y: share01,
      series: lines(graph, "cumulative").map((one) => ({ ...one, marked: [] })), stops: graph.checkpoints.map((checkpoint) => checkpoint.point),
      where: (i) => percent(1)(graph.points[i] / graph.reachable) }).node);
    return { best, node: el("section", { "aria-labelledby": "across-title" }, el("h2", { id: "across-title" }, `On all ${judgedGraphs.length} graphs`),
      el("p", {}, "Importance collected (upwards) against pages crawled (to the right), the same scale everywhere."),
      el("p", { class: "key" }, series.filter((one) => state.visible.has(one.label)).map((one) => el("span", {}, swatch(one.style), " ", one.label))),
      el("div", { class: "multiples" }, multiples),
      Kit.sortableTable({ caption: "AUC of each ordering on each graph", columns, rows, sort: "mean" })) };
  }

  function acrossLead(best) {
    const judgedGraphs = graphs.filter(judged);
    const tenth = (label) => judgedGraphs.map((graph) => runCalled(graph, label)).every(Boolean)
      ? judgedGraphs.map((graph) => valueAt(runCalled(graph, label), "cumulative", graph, 3)) : [];
    const range = (list) => `${percent(0)(Math.min(...list))} to ${percent(0)(Math.max(...list))}`;
    const lead = (graph) => figure(runCalled(graph, best.label), "auc") - Math.max(...contestants(graph).filter((run) => run.label !== best.label).map((run) => figure(run, "auc")).filter(isNumber));
    const wins = judgedGraphs.filter((graph) => lead(graph) >= CLEAR).length;
    const ties = judgedGraphs.filter((graph) => Math.abs(lead(graph)) < CLEAR).length;
    const text = [`It is the best on ${wins} of ${judgedGraphs.length} web graphs${ties ? `, as good as the best on ${ties} more,` : ""} and the best on average. A tenth of the pages in this order holds `,
      el("b", {}, range(tenth(best.label))), " of all importance"];
    if (best.label !== "bfs" && tenth("bfs").length) text.push(`; in breadth-first order, ${range(tenth("bfs"))}`);
    return [...text, "."];
  }

  function notices(now) {
    return now.complete ? null : el("p", { class: "notice", role: "note" }, "This experiment was stopped before its end: later values are missing, and incomplete runs are marked.");
  }

  // ---- the page ----------------------------------------------------------------------------------------
  const main = el("main", { id: "main" });
  const details = el("div", { class: "details" });
  function showDetails() {
    const now = graph();
    const { head, lead, best } = answer(now);
    const several = graphs.length > 1;
    details.replaceChildren(...[
      el(several ? "h2" : "h1", { class: "answer" }, head), el("p", { class: "lead" }, lead), what(now, best), notices(now), best ? cards(now, best) : null,
      judged(now) && now.runs.length ? budget() : null, now.runs.length && now.reachable ? curves() : null, judged(now) ? costChart() : null, fullTable(),
      bestPages(), graphSection(), runSection(),
    ].filter(Boolean));
  }
  const across = acrossGraphs();
  if (graphs.length > 1) {
    const best = across?.best;
    main.append(el("h1", { class: "answer" }, best ? ["Crawl in ", code(best.label), " order"] : `${graphs.length} graphs`),
      el("p", { class: "lead" }, best ? acrossLead(best) : "No graph has a measured importance."));
    if (across) main.append(across.node);
    main.append(el("div", { class: "picker" }, el("label", { for: "graph" }, "Look closer at"),
      el("select", { id: "graph", onchange: (event) => { state.graph = Number(event.target.value); showDetails(); } },
        graphs.map((one, i) => el("option", { value: i }, one.name)))));
  }
  if (graphs.length) showDetails();
  main.append(details, words());
  document.getElementById("page").append(
    el("header", {}, el("p", { class: "brand" }, el("b", {}, "Bowerbird lab"), el("span", {}, graphs.length === 1 ? graphs[0].name : `${graphs.length} graphs`)), Kit.themeButton()),
    main,
    el("footer", {}, `Written by bowerbird ${report.version}, ${report.written}. Charts by Observable Plot. This page loads nothing from the network.`));
})();
