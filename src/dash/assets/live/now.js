// The view Now: what the crawl is doing, what is left of its budgets, what holds it back, what comes next.
import { Charts } from "./curves.js";
import { live } from "./data.js";
import { findings } from "./findings.js";
import { nextTable } from "./next.js";
import { showFindings, waitingBar } from "./problems.js";
import { bytes, count, el, isNumber, many, meter, percent, printable, refreshed, seconds, section, shortNumber, svg, whyHref } from "./widgets.js";

const kSpark = 120;  // statuses in a small line

const rate = (value) => (!isNumber(value) ? "–" : value >= 100 ? count(value) : value >= 10 ? value.toFixed(0) : value.toFixed(1));

function spark(values) {
  const [width, height] = [160, 34];
  const most = Math.max(...values, 1e-9);
  const x = (i) => (values.length < 2 ? width : (i * width) / (values.length - 1));
  const y = (value) => height - 2 - (value / most) * (height - 6);
  const line = values.map((value, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return svg("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    values.length > 1 ? svg("path", { class: "under", d: `${line}L${width} ${height}L0 ${height}Z` }) : null,
    values.length > 1 ? svg("path", { class: "line", d: line, "vector-effect": "non-scaling-stroke" }) : null);
}

class Tile {
  constructor(title, key) {
    this.key = key;
    this.big = el("p", { class: "big" });
    this.unit = el("span", { class: "unit" });
    this.text = el("p", { class: "under" });
    this.holder = el("div", { class: "spark-holder" });
    this.node = el("div", { class: "card tile", "data-tile": key }, el("h3", {}, title), el("p", { class: "figure" }, this.big, this.unit), this.holder, this.text);
    this.big = this.node.querySelector(".big");
  }

  show(big, unit, text, colour) {
    this.big.textContent = big;
    this.unit.textContent = unit;
    this.text.textContent = text;
    this.node.dataset.colour = colour ?? "c0";
    this.holder.replaceChildren(spark(live.recent.slice(-kSpark).map((status) => status[this.key] ?? 0)));
  }
}

const kBudgetWords = { pages: ["Pages", count], bytes: ["Data", bytes], time: ["Time", seconds], "stop-at-importance": ["Importance target", percent(1)] };

function budget(one) {
  const [label, format] = kBudgetWords[one.name] ?? [one.name, shortNumber];
  const left = isNumber(one.seconds_left) ? `about ${seconds(one.seconds_left)} left` : "remaining time unknown";
  return el("div", { class: "budget", "data-budget": one.name },
    el("p", {}, el("b", {}, label), ` ${format(one.used)} of ${format(one.limit)}`, el("span", { class: "left" }, `${percent(one.share < 0.1 ? 1 : 0)(one.share)} · ${left}`)),
    meter(one.share, { label: `${label}: ${percent(0)(one.share)} used`, kind: "c0" }));
}

function budgets(status) {
  const list = status.budgets.map(budget);
  if (status.importance) {
    list.push(el("div", { class: "budget", "data-budget": "importance" },
      el("p", {}, el("b", {}, "Importance covered"), ` ${printable(status.importance.text)}`),
      meter(status.importance.covered, { label: `Importance covered: ${printable(status.importance.text)}`, kind: "c2" })));
  }
  if (status.refresh) {
    const { visits, changed, freshness } = status.refresh;
    list.push(el("div", { class: "budget", "data-budget": "freshness" },
      el("p", {}, el("b", {}, "Freshness"), ` ${isNumber(freshness) ? `${percent(1)(freshness)} of the importance of the held pages is fresh; ` : ""}${many(visits, "visit")}, ${count(changed)} changed`),
      isNumber(freshness) ? meter(freshness, { label: `Freshness: ${percent(0)(freshness)}`, kind: "c2" }) : null));
  }
  if (!list.length) list.push(el("p", { class: "empty" }, "No budget is set: the crawl runs until no pages are left, or until you stop it."));
  return list;
}

export function nowView() {
  const tiles = { pages: new Tile("Pages", "pages_per_second"), bytes: new Tile("Data", "bytes_per_second"), flight: new Tile("Requests in progress", "in_flight"), errors: new Tile("Errors", "errors_per_second") };
  const sentence = el("p", { class: "sentence", id: "sentence" });
  const last = el("p", { class: "last" });
  const budgetHolder = el("div", { class: "budgets" });
  const problems = el("div", { class: "findings" });
  const waiting = el("div");
  const next = nextTable(true);
  const charts = new Charts(["pages", "rate"]);
  const view = el("div", { class: "view now" }, el("h1", { class: "unseen" }, "Now"),
    sentence, el("div", { class: "cards tiles" }, Object.values(tiles).map((tile) => tile.node)), last,
    el("div", { class: "columns" },
      section("budgets", "Budgets", budgetHolder),
      section("holds", "What hosts wait for", waiting)),
    section("first", "Problems first", problems, el("p", { class: "after" }, el("a", { class: "more-link", href: "#/problems" }, "All problems"))),
    section("over-time", "Since the start", charts.node, el("p", { class: "after" }, el("a", { class: "more-link", href: "#/curves" }, "All curves"))),
    section("coming", "Next", next.node, el("p", { class: "after" }, el("a", { class: "more-link", href: "#/next" }, "All of them, and search"))));

  function show() {
    const { status } = live;
    if (!status) return;
    if (sentence.textContent !== printable(status.sentence)) sentence.textContent = printable(status.sentence);
    tiles.pages.show(rate(status.pages_per_second), "per second", `${count(status.pages)} in ${seconds(status.seconds_all)}`);
    const speed = bytes(status.bytes_per_second).split("\u00a0");
    tiles.bytes.show(speed[0], `${speed[1]} per second`, `${bytes(status.bytes)} in all`);
    tiles.flight.show(count(status.in_flight), `of ${count(status.connections)}`, `${many(status.hosts.active, "host")} with a request, ${count(status.hosts.waiting)} waiting`);
    const part = status.completed ? status.failed / status.completed : 0;
    tiles.errors.show(rate(status.errors_per_second), "per second", `${count(status.failed)} of ${many(status.completed, "page")} (${percent(1)(part)})`, part > 0.1 ? "c1" : "c0");
    last.replaceChildren(...(status.last_url ? [el("span", {}, "Last page: ", el("a", { href: whyHref(status.last_url), class: "plain" }, el("bdi", {}, printable(status.last_url))))] : []),
      ...(status.last_error ? [el("span", {}, "Last error: ", el("bdi", {}, printable(status.last_error)))] : []));
    budgetHolder.replaceChildren(...budgets(status));
  }

  const slow = refreshed(view, 5000, async () => {
    const { answer } = await live.get("problems");
    await live.ready;
    showFindings(problems, findings(live.status, answer).slice(0, 3), { short: true });
    waiting.replaceChildren(waitingBar(answer));
  });
  const fast = refreshed(view, 4000, async () => next.update((await live.get("next", { limit: 8 })).answer));
  live.addEventListener("status", show);
  charts.start();
  show();
  return { title: "Now", node: view, stop: () => {
    slow.stop();
    fast.stop();
    charts.stop();
    live.removeEventListener("status", show);
  } };
}
