// The views Next and Why: the best queued pages and what blocks each; everything about one URL.
import { live } from "./data.js";
import { LiveTable, accepts, button, clock, command, count, el, empty, hostLink, isNumber, many, printable, refreshed, section, seconds, shortNumber, until, urlLink, whyHref } from "./widgets.js";

const kGood = new Set(["ready", "in-flight"]);
const kState = { ready: "ready", "in-flight": "being fetched", delay: "host delay", "address-delay": "address delay", "domain-delay": "domain delay", connections: "connections in use", "robots-unknown": "robots.txt", "robots-unreadable": "robots.txt unreadable",
  "dns-unknown": "DNS", "backing-off": "host fails", paused: "paused", "crawl-paused": "crawl paused", blocked: "blocked", "host-budget": "host budget", "domain-budget": "domain budget", "near-duplicates": "near-duplicates", "given-up": "host given up", "not-due": "not due", "retry-wait": "retry later", ended: "crawl has ended" };

export const stateBadge = (state, words) => el("span", { class: `badge ${kGood.has(state) || state === "active" ? "good" : /fail|back|given|unread|block/.test(state) ? "bad" : /paus|budget|repeat|dupl/.test(state) ? "held" : "calm"}` }, words ?? kState[state] ?? printable(state));

export function nextTable(short) {
  const columns = [
    { key: "url", label: "Page", words: true, cell: (row) => urlLink(row.url) },
    { key: "score", label: "Score", help: "Score given by the ordering; best first", cell: (row) => (row.score === null ? "seed" : `${Math.abs(row.score) >= 1e-3 && Math.abs(row.score) < 1e6 || row.score === 0 ? shortNumber(row.score) : row.score.toExponential(2)}${row.queue ? ` (${printable(row.queue)})` : ""}`) },
    { key: "state", label: "State", words: true, cell: (row) => stateBadge(row.state) },
    { key: "opens_in", label: "May be fetched", value: (row) => until(row.opens_in), cell: (row) => (row.state === "ready" ? "now" : until(row.opens_in)) }];
  if (!short) {
    columns.splice(3, 0, { key: "reason", label: "Why", words: true, cell: (row) => el("span", { class: "wrap" }, printable(row.reason)) });
    columns.push({ key: "depth", label: "Links from a seed", cell: (row) => count(row.depth) }, { key: "tries", label: "Tries", cell: (row) => count(row.tries) });
  }
  const table = new LiveTable({ caption: "Best queued pages", id: (row) => row.url, columns });
  const none = empty("The queue is empty.");
  const node = el("div", { class: "next" }, table.node, none);
  return { node, update: (answer, instead = "The queue is empty.") => {
    table.update(answer.pages);
    if (none.textContent !== instead) none.textContent = instead;
    table.node.hidden = !answer.pages.length;
    none.hidden = answer.pages.length > 0;
  } };
}

export function searchForm(value = "") {
  const input = el("input", { type: "search", id: "why-url", value, placeholder: "https://…", spellcheck: "false", autocapitalize: "off", autocomplete: "off", required: true });
  return el("form", { class: "search", role: "search", onsubmit: (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text) location.hash = whyHref(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
  } }, el("label", { for: "why-url" }, "Ask about a URL: was it fetched, and why or why not?"), el("div", { class: "field" }, input, el("button", { type: "submit", class: "act" }, "Ask")));
}

export function nextView() {
  const table = nextTable(false);
  const all = el("p", { class: "about" });
  const view = el("div", { class: "view" }, el("h1", {}, "Next"), searchForm(), section("queue", "The best queued pages", all, table.node));
  const loop = refreshed(view, 3000, async () => {
    const { answer } = await live.get("next", { limit: 50 });
    all.textContent = `${many(answer.queued, "page is", "pages are")} queued. The table shows those with the highest scores. The first one that nothing blocks is fetched next.`;
    table.update(answer);
  });
  return { title: "Next", node: view, stop: loop.stop };
}

// ---- why -----------------------------------------------------------------------------------------------------
const kFacts = [["outcome", "Outcome"], ["reason", "Reason"], ["trouble", "Detail"], ["hint", "Hint"], ["steps_from_seed", "Links from a seed"], ["tries", "Tries"], ["scope", "Scope"], ["trap", "Trap"], ["depth_allowed", "Depth limit"], ["robots", "robots.txt"],
  ["robots_rule", "robots.txt rule"], ["host_ended", "Host closed"], ["host_trouble", "Host problem"], ["due", "Due"], ["host_opens", "Next request to the host"], ["rate", "Changes per day"], ["requisite", "As a requisite"], ["requisite_of", "Fetched for"], ["queue", "Queue"],
  ["score", "Score"], ["worth", "Worth"], ["given_as_seed", "From the seed list"], ["given_elsewhere", "From other pages"], ["links_to_it", "Links to it"], ["warc", "Archive file"], ["offset", "Offset"]];

function fact(value) {
  if (isNumber(value)) return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));
  return el("bdi", {}, printable(typeof value === "object" ? JSON.stringify(value) : value));
}

function contributions(why) {
  const parents = why.parents ?? [];
  if (!parents.length) return empty("No fetched page links to it.");
  const most = Math.max(1e-300, ...parents.map((one) => Math.abs(one.gave)));
  return el("ol", { class: "bars parents" }, parents.map((one) => {
    const bar = el("span", { class: "bar c0" });
    bar.style.width = `${(100 * Math.abs(one.gave) / most).toFixed(2)}%`;
    return el("li", {}, el("span", { class: "who" }, el("span", {}, urlLink(one.url), one.how ? el("small", {}, printable(one.how)) : null)),
      el("span", { class: "track", "aria-hidden": "true" }, bar), el("span", { class: "value" }, one.gave === 0 ? "0" : `${one.gave > 0 ? "+" : ""}${Number(one.gave.toPrecision(3))}`));
  }));
}

function hostOf(url) {
  try { return new URL(url).host; } catch { return null; }
}

// A link out of the page, only to the Web.
const openLink = (url) => (/^https?:\/\//i.test(url) ? el("a", { href: url, target: "_blank", rel: "noopener noreferrer", class: "more-link" }, "Open this page") : null);

export function whyView(url) {
  const answer = el("div", { "aria-live": "polite" }, el("p", { class: "empty" }, "Reading the journal…"));
  const view = el("div", { class: "view why" }, el("h1", {}, "Why"), searchForm(url), answer);
  live.get("why", { url }).then(({ answer: why }) => {
    const facts = why.first ? { ...why, score: "first: a seed, before all other pages", worth: undefined, given_as_seed: undefined } : why;
    const host = hostOf(why.url);
    const retry = el("button", { type: "button", class: "quiet", "data-command": "fetch", onclick: () => command("fetch", { url: why.url }) }, "Fetch it now");
    retry.disabled = !accepts();
    answer.replaceChildren(
      el("h2", { class: "subject" }, el("bdi", {}, printable(why.url))),
      el("p", { class: "state" }, stateBadge(/queued|waiting/.test(why.state) ? "waiting" : /done/.test(why.state) ? "ready" : "calm", printable(why.state))),
      el("dl", { class: "facts" }, kFacts.filter(([key]) => facts[key] !== undefined && facts[key] !== null).map(([key, label]) => el("div", {}, el("dt", {}, label), el("dd", {}, fact(facts[key]))))),
      el("p", { class: "buttons" }, retry, host ? el("a", { class: "more-link", href: `#/host/${encodeURIComponent(host)}` }, "Its host") : null, openLink(why.url)),
      section("links", "What each link contributes", el("p", {}, why.links_to_it > (why.parents?.length ?? 0) ? `The largest ${count(why.parents.length)} of ${many(why.links_to_it, "link")}.` : "The contributions add up to its worth."), contributions(why)),
      why.visits?.length ? section("visits", "Visits", el("ul", { class: "plain-list" }, why.visits.slice(-20).reverse().map((visit) => el("li", {}, `${clock(visit.time)}  ${printable(visit.outcome)}`)))) : "");
  }).catch((failure) => answer.replaceChildren(el("p", { class: "notice" }, printable(failure.message))));
  return { title: "Why", node: view, stop: () => {} };
}
