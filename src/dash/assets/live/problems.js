// The view Problems, and the cards that other views show of it.
import { live } from "./data.js";
import { findings } from "./findings.js";
import { LiveTable, button, bytes, count, el, empty, hostLink, many, meter, percent, printable, refreshed, section, urlLink } from "./widgets.js";

const kWords = { bad: "Problem", slow: "Slows it down", note: "Note" };

export function findingCard(one, { short = false } = {}) {
  const examples = (one.examples ?? []).slice(0, short ? 1 : 5);
  return el("article", { class: `finding ${one.kind}`, "data-id": one.id },
    el("p", { class: "tag" }, one.tag ?? kWords[one.kind]),
    el("h3", {}, one.title),
    one.text ? el("p", {}, one.text) : null,
    examples.length ? el("ul", { class: "examples" }, examples.map((example) => el("li", {},
      example.url ? urlLink(example.url) : hostLink(example.host), example.reason ? el("small", {}, printable(example.reason)) : null))) : null,
    one.hosts?.length && !short ? el("p", { class: "chips" }, one.hosts.slice(0, 8).map((host) => el("span", { class: "chip" }, hostLink(host)))) : null,
    one.actions?.length || one.link ? el("p", { class: "buttons" },
      (one.actions ?? []).map((action) => button(action.label, action.command, action.body)),
      one.link ? el("a", { class: "more-link", href: one.link.href }, one.link.label) : null) : null);
}

// What queued pages wait for, as one bar: why the crawl is not faster.
const kWaiting = [["active", "request in progress", "c2"], ["ready", "ready", "c5"], ["waiting", "waiting for their delay", "c0"], ["preparing", "waiting for DNS or robots.txt", "c4"],
  ["backing-off", "failing, retried later", "c1"], ["paused", "paused", "grey"], ["blocked", "blocked", "grey"], ["at-budget", "at their page budget", "c3"], ["repeating", "closed: near-duplicates", "c3"], ["given-up", "given up", "c6"], ["idle", "nothing due", "grey"]];

export function waitingBar(problems) {
  const list = kWaiting.map(([state, words, colour]) => ({ state, words, colour, ...problems.waiting.find((one) => one.state === state) })).filter((one) => one.hosts > 0);
  const all = list.reduce((sum, one) => sum + one.hosts, 0);
  if (!all) return empty("No host has queued pages.");
  const bar = el("div", { class: "stack", role: "img", "aria-label": list.map((one) => `${many(one.hosts, "host")} ${one.words}`).join("; ") }, list.map((one) => {
    const part = el("span", { class: `part ${one.colour}` });
    part.style.flexGrow = one.hosts;
    return part;
  }));
  return el("div", {}, bar, el("ul", { class: "stack-key" }, list.map((one) => el("li", {},
    el("span", { class: `dot ${one.colour}`, "aria-hidden": "true" }),
    el("a", { href: `#/hosts?state=${one.state}` }, `${many(one.hosts, "host")} ${one.words}`),
    one.queued ? el("small", {}, many(one.queued, "page", "pages")) : null))));
}

function outcomeBars(problems) {
  const most = Math.max(1, ...problems.outcomes.map((one) => one.count));
  if (!problems.outcomes.length) return empty("No page is done yet.");
  return el("ol", { class: "bars outcomes" }, problems.outcomes.map((one) => el("li", { "data-kind": one.kind, class: one.failure ? "muted" : null },
    el("span", { class: "who" }, el("span", {}, printable(one.kind), el("small", {}, printable(one.what)))),
    meter(one.count / most, { label: `${one.kind}: ${count(one.count)}`, kind: one.failure ? "c1" : "c0" }),
    el("span", { class: "value" }, count(one.count)))));
}

function brokenTable() {
  return new LiveTable({ caption: "Broken links", id: (row) => row.url, columns: [
    { key: "url", label: "Missing page", words: true, cell: (row) => urlLink(row.url) },
    { key: "reason", label: "Reason", words: true, cell: (row) => printable(row.reason) },
    { key: "linked_from", label: "Linked from", cell: (row) => many(row.linked_from, "page") },
    { key: "from", label: "For example", words: true, cell: (row) => row.from.slice(0, 2).map((url) => urlLink(url)) }] });
}

function excludedTable() {
  return new LiveTable({ caption: "Links that were not followed", id: (row) => row.rule, columns: [
    { key: "what", label: "Rule", words: true, cell: (row) => printable(row.what) },
    { key: "links", label: "Links", cell: (row) => count(row.links) },
    { key: "remedy", label: "To include them", words: true, cell: (row) => (row.remedy ? el("code", {}, printable(row.remedy)) : "–") }] });
}

function machine({ memory, disk, turned_away: away }) {
  const facts = [];
  if (memory.budget) {
    facts.push(el("div", { class: "budget" }, el("p", {}, el("b", {}, "Memory"), ` ${bytes(memory.resident)} of ${bytes(memory.budget)}; stage: ${printable(memory.stage)}${away ? `; ${many(away, "URL")} rejected` : ""}`),
      meter(memory.resident / memory.budget, { label: `memory ${percent(0)(memory.resident / memory.budget)}`, kind: memory.stage === "normal" ? "c0" : "c1" })));
  } else {
    facts.push(el("div", { class: "budget" }, el("p", {}, el("b", {}, "Memory"), ` ${bytes(memory.resident)}; no limit is set`)));
  }
  const used = disk.total ? 1 - disk.free / disk.total : 0;
  facts.push(el("div", { class: "budget" }, el("p", {}, el("b", {}, "Disk"), ` ${bytes(disk.free)} free of ${bytes(disk.total)}${disk.crawl === null ? "" : `; this crawl has ${bytes(disk.crawl)}`}`),
    meter(used, { label: `disk ${percent(0)(used)} used`, kind: used > 0.95 ? "c1" : "c0" })));
  return facts;
}

export function problemsView() {
  const list = el("div", { class: "findings" });
  const waiting = el("div");
  const outcomes = el("div");
  const rest = el("div");
  const [broken, excluded] = [brokenTable(), excludedTable()];
  const brokenSection = section("broken", "Broken links", el("p", {}, "Pages that are gone, with pages that link to them. Choose a missing page to see all links to it."), broken.node);
  const excludedSection = section("excluded", "Links that were not followed", excluded.node);
  const view = el("div", { class: "view" }, el("h1", {}, "Problems"), list,
    section("waiting", "What queued pages wait for", waiting), section("outcomes", "Outcomes", outcomes), brokenSection, excludedSection, section("machine", "Memory and disk", rest));
  const loop = refreshed(view, 5000, async () => {
    const { answer } = await live.get("problems");
    await live.ready;
    const found = findings(live.status, answer);
    showFindings(list, found);
    waiting.replaceChildren(waitingBar(answer));
    outcomes.replaceChildren(outcomeBars(answer));
    broken.update(answer.broken_links);
    brokenSection.hidden = !answer.broken_links.length;
    excluded.update(answer.excluded);
    excludedSection.hidden = !answer.excluded.length;
    rest.replaceChildren(...machine(answer));
  });
  return { title: "Problems", node: view, stop: loop.stop };
}

// Cards that say the same as before stay, so that their buttons keep the focus.
export function showFindings(holder, found, options) {
  const before = new Map([...holder.children].map((node) => [node.dataset.id, node]));
  const nodes = found.map((one) => {
    const text = JSON.stringify(one);
    const old = before.get(one.id);
    if (old && old.shown === text) return old;
    const node = findingCard(one, options);
    node.shown = text;
    return node;
  });
  if (!nodes.length) nodes.push(Object.assign(el("article", { class: "finding good", "data-id": "none" }, el("h3", {}, "No problems"), el("p", {}, "No page failed, no host slows the crawl down, and there is enough disk space and memory.")), { shown: "" }));
  if (nodes.length === holder.children.length && nodes.every((node, i) => node === holder.children[i])) return;
  const focus = document.activeElement;
  holder.replaceChildren(...nodes);
  if (focus?.isConnected) focus.focus({ preventScroll: true });
}
