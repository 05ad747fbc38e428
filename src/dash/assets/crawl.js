// The page of a crawl's report: what it got, how it went, in which order, from whom.
"use strict";
(() => {
  const { el, count, fixed, percent, seconds, bytes, shortNumber, isNumber } = Kit;
  const report = Kit.data();
  const { curves, order, hosts, outcomes, best } = report;
  const code = (text) => el("code", {}, text);
  const last = (list) => (list?.length ? list[list.length - 1] : null);
  const failures = outcomes.filter((one) => one.failure).reduce((sum, one) => sum + one.count, 0);
  const kept = order && isNumber(order.cost) && order.unconstrained.auc > 0 ? order.real.auc / order.unconstrained.auc : NaN;
  const many = (number, one, more) => `${count(number)} ${number === 1 ? one : more}`;

  // ---- the answer --------------------------------------------------------------------------------------
  function lead() {
    const parts = [`The crawl in `, el("b", {}, report.folder), ` fetched ${many(report.pages, "page", "pages")} (${bytes(report.bytes)}) from ${many(hosts.filter((host) => host.fetched > 0).length, "host", "hosts")} in ${seconds(report.seconds)}, in `,
      code(report.policy), ` order. How it ended: ${report.end}.`];
    if (isNumber(kept)) parts.push(kept >= 1.0005 ? ` Politeness and parallel requests raised the AUC by ${percent(1)(kept - 1)}.` : kept >= 0.9995 ? " Politeness and parallel requests hardly changed the AUC." : ` Politeness and parallel requests cost ${percent(1)(1 - kept)} of the AUC.`);
    return parts;
  }
  function card(title, big, ...text) {
    return el("div", { class: "card" }, el("h3", {}, title), el("p", { class: "big" }, big), el("p", {}, text));
  }
  function cards() {
    const list = [card("Speed", `${shortNumber(report.pages_per_second)} pages/s`, `${bytes(report.bytes_per_second)} per second; mean over ${seconds(report.seconds)}.`)];
    if (isNumber(kept)) list.push(card("AUC kept", percent(1)(kept), `AUC ${fixed(3)(order.real.auc)}; ${fixed(3)(order.unconstrained.auc)} without politeness; best possible ${fixed(3)(order.ideal.auc)}.`));
    const guaranteed = last(curves.covered);
    if (isNumber(guaranteed)) list.push(card("Guaranteed importance", percent(1)(guaranteed), "of the PageRank personalised to the seeds: a lower bound, whatever pages are still unknown (RankMass)."));
    list.push(card("Queued", count(last(curves.frontier) ?? 0), `of ${many(report.known, "known URL", "known URLs")}.`));
    list.push(card("Failed", count(failures), `of ${many(report.done, "page", "pages")}; ${many(report.retries, "retry", "retries")}.`));
    const { requisites } = report;
    if (requisites) list.push(card("Complete pages", report.pages ? percent(1)(requisites.pages_complete / report.pages) : "0 %", `${many(requisites.fetched, "requisite", "requisites")} fetched (${bytes(requisites.bytes)}), ${count(requisites.failed)} failed, ${count(requisites.pending)} pending; ${many(requisites.pages_incomplete, "page is", "pages are")} incomplete.`));
    return el("div", { class: "cards" }, list);
  }

  function outcomeBars() {
    const most = Math.max(1, ...outcomes.map((one) => one.count));
    return el("section", { "aria-labelledby": "outcomes-title" }, el("h2", { id: "outcomes-title" }, "Outcomes"),
      outcomes.length ? el("ol", { class: "bars outcomes" }, outcomes.map((one) => el("li", { "data-kind": one.kind, class: one.failure ? "muted" : null },
        el("span", { class: "who" }, el("span", {}, one.kind, el("small", {}, one.what))),
        el("span", { class: "track" }, el("span", { class: "bar", style: `width:${(100 * one.count / most).toFixed(2)}%;--bar:${one.failure ? "var(--c1)" : "var(--c0)"}` })),
        el("span", { class: "value" }, count(one.count))))) : el("p", {}, "No pages fetched."));
  }

  // ---- curves over time --------------------------------------------------------------------------------
  const charts = [];
  let pointing = false;
  function together(i, from) {
    if (pointing) return;
    pointing = true;
    for (const chart of charts) if (chart !== from) chart.point(i, false);
    pointing = false;
  }
  const evenStops = (length) => [...new Set(Array.from({ length: 11 }, (_, i) => Math.round((i * (length - 1)) / 10)))].filter((i) => i >= 0);
  const inTime = { label: "time of crawling", least: 0, format: (value) => (value ? seconds(value) : "0") };
  // Which line is which, where there are several.
  function withKey(chart) {
    const { series } = chart.options;
    if (series.length > 1) chart.node.querySelector("figcaption").append(el("p", { class: "key" }, series.map((one) => el("span", { class: "who" }, Kit.swatch(one.style), el("span", {}, one.label)))));
    return chart;
  }
  function timeChart(title, help, y, lines) {
    const series = lines.filter(([, list]) => list?.some(isNumber)).map(([label, list, style]) => ({ label, style, x: curves.seconds, y: list.map((value) => value ?? NaN) }));
    if (!series.length) return null;
    const chart = withKey(new Kit.Curves({ title, help, x: inTime, y: { least: 0, ...y }, series, hover: together, rows: "Curve",
      stops: evenStops(curves.seconds.length), stopLabel: (i) => seconds(curves.seconds[i]), where: (i) => `after ${seconds(curves.seconds[i])}` }));
    charts.push(chart);
    return chart.node;
  }
  // Pages per second between one point and the next.
  function speed() {
    return curves.pages.map((pages, i) => (i && curves.seconds[i] > curves.seconds[i - 1] ? (pages - curves.pages[i - 1]) / (curves.seconds[i] - curves.seconds[i - 1]) : NaN));
  }
  function timeCurves() {
    const plain = { label: "pages", value: count };
    return el("section", { "aria-labelledby": "time-title" }, el("h2", { id: "time-title" }, "Over time"),
      el("p", {}, "To read values, point at a chart, or focus it and use the arrow keys. The curves cover all runs of the crawl."),
      el("div", { class: "grid" },
        timeChart("Pages", "Pages fetched, and pages that failed.", plain, [["fetched", curves.pages, 0], ["failed", curves.failed, 1]]),
        timeChart("Importance collected", "The share of the PageRank of all done pages that was collected by then. PageRank is computed on the crawl's own graph: these pages and the links between them.",
          { label: "share of the PageRank of all pages done", percent: true, most: 1, value: percent(1) }, [["collected", curves.importance, 0]]),
        timeChart("Guaranteed importance", "Share of the PageRank personalised to the seeds over the whole Web that the fetched pages hold: a lower bound, whatever pages are still unknown (RankMass).",
          { label: "share of the PageRank personalised to the seeds, at least", percent: true, most: 1, value: percent(1) }, [["guaranteed", curves.covered, 2]]),
        timeChart("Frontier", "Known and queued URLs.", { label: "URLs", value: count }, [["queued", curves.frontier, 0], ["known", curves.known, 3]]),
        timeChart("Bytes", "Bytes of bodies, as received.", { label: "bytes", value: bytes }, [["fetched", curves.bytes, 0]]),
        timeChart("Speed", "Pages per second.", { label: "pages per second", value: shortNumber }, [["pages/s", speed(), 0]]),
        report.refresh ? timeChart("Freshness", "Share of the importance of the held pages whose copy is fresh, estimated from the learned change rates.",
          { label: "fresh share of importance", percent: true, most: 1, value: percent(1) }, [["freshness", curves.freshness, 0]]) : null,
        report.refresh ? timeChart("Age", "Estimated days since the first change of a page that its copy does not have: the mean, weighted by importance.", { label: "days", value: shortNumber }, [["age", curves.age, 0]]) : null,
        timeChart("Memory", "Memory of the process.", { label: "bytes", value: bytes }, [["resident", curves.memory, 0]])));
  }

  // ---- the order ---------------------------------------------------------------------------------------
  function orderCurves() {
    const title = el("h2", { id: "order-title" }, "How well the crawl followed its ordering");
    if (!order) return el("section", { "aria-labelledby": "order-title" }, title, el("p", {}, `Not computed: ${report.no_order ?? "no pages fetched"}.`));
    const share = order.points.map((pages) => pages / Math.max(1, last(order.points)));
    const series = [["actual", order.real, 0], ["without politeness", order.unconstrained, 1], ["ideal", order.ideal, -3]]
      .filter(([, one]) => one).map(([label, one, style]) => ({ label: `${label}`, style, x: share, y: one.curve.map((value) => value ?? NaN) }));
    const chart = withKey(new Kit.Curves({ title: "Importance collected", help: "Share of the PageRank of all done pages, by the number of pages done. Higher and further left is better.", rows: "Order",
      x: { label: "pages done, share of all", percent: true, least: 0, most: 1 }, y: { label: "share of the PageRank of all pages done", percent: true, least: 0, most: 1, value: percent(1) },
      series, stops: evenStops(order.points.length), stopLabel: (i) => percent(0)(share[i]), where: (i) => `${count(order.points[i])} pages (${percent(1)(share[i])})` }));
    chart.node.dataset.curve = "order";
    return el("section", { "aria-labelledby": "order-title" }, title,
      el("p", {}, `On the crawl's own graph of ${many(order.pages, "done page", "done pages")} and ${many(order.links, "followed link", "followed links")} between them, with PageRank as importance. "Without politeness" is the order in which `,
          code(report.policy), " fetches these pages if there are no delays and every host responds at once. \"Ideal\" is the best possible order."),
      order.trouble ? el("p", { class: "notice" }, `The order without politeness is not known: ${order.trouble}`) : null,
      el("div", { class: "grid" }, chart.node, el("div", {}, orderTable())));
  }
  function orderTable() {
    const rows = [["actual", order.real], ["without politeness", order.unconstrained], ["ideal", order.ideal]].filter(([, one]) => one);
    const at = (one, share) => one.curve[order.points.findIndex((pages) => pages >= share * last(order.points))];
    return Kit.scrollable("Orders compared", el("table", { class: "orders" },
      el("thead", {}, el("tr", {}, ["Order", "AUC", "after 10 %", "after 50 %"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, rows.map(([label, one]) => el("tr", {}, el("th", { scope: "row" }, label), el("td", { "data-key": "auc" }, fixed(4)(one.auc)), el("td", {}, percent(1)(at(one, 0.1))), el("td", {}, percent(1)(at(one, 0.5))))))));
  }

  // ---- tables ------------------------------------------------------------------------------------------
  function bestTable() {
    if (!best.length) return null;
    return el("section", { "aria-labelledby": "best-title", class: "tall best" }, el("h2", { id: "best-title" }, "The most important pages"),
      el("p", {}, "By PageRank over the crawl's own graph."),
      Kit.sortableTable({ caption: "The most important pages", sort: "importance", rows: best.map((page) => ({ ...page, node: () => Kit.address(page.url) })), columns: [
        { key: "url", label: "Page", text: true },
        { key: "importance", label: "PageRank", format: percent(3), help: "Share of all PageRank" },
        { key: "in_links", label: "links to it", format: count, help: "From other pages that are done" },
        { key: "done_as", label: "fetched as", format: count, better: "low", help: "1 is the first page that was done" }] }));
  }
  function hostTable() {
    if (!hosts.length) return null;
    const left = report.hosts_known - hosts.length;
    return el("section", { "aria-labelledby": "hosts-title", class: "tall hosts" }, el("h2", { id: "hosts-title" }, "Hosts"),
      el("p", {}, `${many(report.hosts_known, "host is", "hosts are")} known${left > 0 ? `; shown are the ${count(hosts.length)} with most pages` : ""}.`),
      Kit.sortableTable({ caption: "Hosts", sort: "fetched", rows: hosts.map((host) => ({ ...host, node: () => el("span", { class: "address", title: host.host }, host.host) })), columns: [
        { key: "host", label: "Host", text: true },
        { key: "fetched", label: "fetched", format: count, help: "Pages" },
        { key: "failed", label: "failed", format: count, help: "Pages that were given up" },
        { key: "known", label: "known URLs", format: count },
        { key: "bytes", label: "bytes", format: bytes, help: "Of bodies" },
        { key: "answer_ms", label: "response time", format: (value) => seconds(isNumber(value) ? value / 1000 : NaN), help: "Mean of all responses" },
        { key: "trouble", label: "most frequent failure", text: true }] }));
  }

  function refreshed() {
    const again = report.refresh;
    if (!again) return null;
    return el("section", { "aria-labelledby": "refresh-title", class: "tall refresh" }, el("h2", { id: "refresh-title" }, "Pages fetched again"),
      el("p", {}, `${many(again.visits, "visit", "visits")}: ${count(again.changed)} found a change, ${count(again.not_modified)} got a 304 response (${bytes(again.bytes_saved)} saved), ${count(again.failed)} failed; ${many(again.gone, "page is", "pages are")} gone. Of the importance of the ${many(again.held, "page", "pages")} held, ${percent(1)(again.freshness)} is fresh; the mean age is ${shortNumber(again.age)} days. Both are estimated from the learned change rates.`),
      again.hosts.length ? Kit.sortableTable({ caption: "Freshness by host", sort: "held", rows: again.hosts.map((host) => ({ ...host, node: () => el("span", { class: "address", title: host.host }, host.host) })), columns: [
        { key: "host", label: "Host", text: true },
        { key: "held", label: "held pages", format: count },
        { key: "freshness", label: "freshness", format: percent(1) },
        { key: "age", label: "age in days", format: shortNumber, better: "low" }] }) : null,
      again.changeable.length ? Kit.sortableTable({ caption: "The most changeable pages", sort: "rate", rows: again.changeable.map((page) => ({ ...page, node: () => Kit.address(page.url) })), columns: [
        { key: "url", label: "Page", text: true },
        { key: "rate", label: "changes per day", format: shortNumber },
        { key: "importance", label: "importance", format: shortNumber, help: "As used by the refresh queue" }] }) : null);
  }

  function changesTable() {
    const changes = report.changes ?? [];
    if (!changes.length) return null;
    return el("section", { "aria-labelledby": "changes-title" }, el("h2", { id: "changes-title" }, "Changes during the crawl"),
      Kit.sortableTable({ caption: "Commands", sort: "time", rows: changes, columns: [
        { key: "time", label: "time", text: true },
        { key: "text", label: "change", text: true },
        { key: "origin", label: "from", text: true }] }));
  }

  function howItWasRun() {
    const facts = [["Ordering", report.policy, `random seed ${report.random_seed}`], ["Strategy", report.strategy, "decides which links enter the queue"],
      ["Seeds", count(report.seeds), "pages and sitemaps to start with"], ["Started", report.began.replace("T", " ").replace("Z", " UTC")],
      ["Last commit", report.seen.replace("T", " ").replace("Z", " UTC")], ["Stored responses", count(report.stored), "in the WARC archives"],
      ["Links", count(report.links)], ["robots.txt", many(report.robots_fetched, "request", "requests")]];
    const memory = report.memory;
    if (memory && memory.budget) {
      facts.push(["Memory", `${bytes(memory.most)} of ${bytes(memory.budget)}`, "at most, of the budget"],
        ["On disk", `${count(memory.urls_on_disk)} URLs, ${count(memory.queued_on_disk)} pages of the queue, ${count(memory.graph_links_on_disk || 0)} links of the ordering's graph`, "because of the memory budget"],
        ["Rejected", count(report.turned_away), `new URLs, worth ${report.turned_away_worth.toPrecision(3)} by the ordering; ${many(memory.dropped, "link", "links")} dropped by the strategy`]);
    }
    return el("section", { "aria-labelledby": "run-title" }, el("h2", { id: "run-title" }, "How it was run"),
      el("div", { class: "command" }, el("pre", {}, code(report.command)), Kit.copyButton(report.command)),
      el("dl", { class: "facts" }, facts.map(([name, value, note]) => el("div", {}, el("dt", {}, name), el("dd", {}, value, note ? el("small", {}, note) : null)))),
      el("p", { class: "notes" }, code(`bowerbird lab ${report.folder}`), " simulates this crawl with every ordering and shows which is best."));
  }

  const main = el("main", { id: "main" },
    el("h1", { class: "answer" }, report.pages ? `${many(report.pages, "page", "pages")} in ${seconds(report.seconds)}` : "No page was fetched"),
    el("p", { class: "lead" }, lead()), cards(), outcomeBars(), curves.seconds.length > 1 ? timeCurves() : null, orderCurves(), refreshed(), bestTable(), hostTable(), changesTable(), howItWasRun());
  document.getElementById("page").append(
    el("header", {}, el("p", { class: "brand" }, el("b", {}, "Bowerbird crawl"), el("span", {}, report.folder)), Kit.themeButton()),
    main,
    el("footer", {}, `Written by bowerbird ${report.version}, ${report.written}. Charts by Observable Plot. This page loads nothing from the network.`));
})();
