// The views Hosts and Host.
import { live } from "./data.js";
import { nextTable, stateBadge } from "./next.js";
import { LiveTable, button, bytes, clock, count, el, empty, hostLink, isNumber, many, printable, refreshed, seconds, section, until, urlLink } from "./widgets.js";

const kStates = [["", "all"], ["active", "request in progress"], ["ready", "ready"], ["waiting", "waiting for its delay"], ["preparing", "DNS, robots.txt"], ["backing-off", "failing"], ["paused", "paused"], ["blocked", "blocked"], ["at-budget", "at its budget"], ["repeating", "near-duplicates"],
  ["given-up", "given up"], ["idle", "nothing queued"]];
const stateWords = Object.fromEntries(kStates);
const kPage = 50;

const milliseconds = (value) => (isNumber(value) ? seconds(value / 1000) : "–");

function hostTable(state, changed) {
  return new LiveTable({ caption: "Hosts", id: (row) => row.host, sort: state.sort, descending: state.order === "down", onsort: (sort, descending) => changed({ sort, order: descending ? "down" : "up", offset: 0 }), columns: [
    { key: "host", label: "Host", words: true, sort: true, cell: (row) => hostLink(row.host) },
    { key: "state", label: "State", words: true, sort: true, value: (row) => [row.state, row.reason], cell: (row) => el("span", { title: printable(row.reason) }, stateBadge(row.state, stateWords[row.state])) },
    { key: "queued", label: "Queued", sort: true, cell: (row) => count(row.queued) },
    { key: "fetched", label: "Fetched", sort: true, cell: (row) => count(row.fetched) },
    { key: "failed", label: "Failed", sort: true, cell: (row) => count(row.failed) },
    { key: "delay", label: "Delay", help: "Between two requests", sort: true, cell: (row) => seconds(row.delay) },
    { key: "next_in", label: "Next request", sort: true, value: (row) => until(row.next_in), cell: (row) => until(row.next_in) },
    { key: "response_ms", label: "Response time", sort: true, cell: (row) => milliseconds(row.response_ms) },
    { key: "robots", label: "robots.txt", words: true, cell: (row) => printable(row.robots) },
    { key: "bytes", label: "Data", sort: true, cell: (row) => bytes(row.bytes) },
    { key: "last_error", label: "Last error", words: true, cell: (row) => (row.last_error ? el("span", { class: "wrap", title: printable(row.last_error) }, printable(row.last_error)) : "–") }] });
}

export function hostsView(parameters) {
  const state = { sort: parameters.get("sort") ?? "queued", order: "down", filter: "", state: parameters.get("state") ?? "", offset: 0 };
  const changed = (changes) => { Object.assign(state, changes); loop.now(); };
  const table = hostTable(state, changed);
  const summary = el("p", { class: "about", role: "status" });
  let typing = null;
  const filter = el("input", { type: "search", id: "host-filter", placeholder: "part of a name", spellcheck: "false", oninput: () => {
    clearTimeout(typing);
    typing = setTimeout(() => changed({ filter: filter.value.trim(), offset: 0 }), 250);
  } });
  const choose = el("select", { id: "host-state", onchange: () => changed({ state: choose.value, offset: 0 }) }, kStates.map(([value, label]) => el("option", { value, selected: value === state.state }, label)));
  const back = el("button", { type: "button", class: "quiet", onclick: () => changed({ offset: Math.max(0, state.offset - kPage) }) }, "← Previous");
  const on = el("button", { type: "button", class: "quiet", onclick: () => changed({ offset: state.offset + kPage }) }, "Next →");
  const view = el("div", { class: "view" }, el("h1", {}, "Hosts"),
    el("div", { class: "controls" }, el("p", {}, el("label", { for: "host-filter" }, "Filter"), filter), el("p", {}, el("label", { for: "host-state" }, "State"), choose)),
    summary, el("div", { class: "hosts" }, table.node), el("p", { class: "buttons" }, back, on));
  const loop = refreshed(view, 4000, async () => {
    const { answer } = await live.get("hosts", { ...state, limit: kPage });
    table.update(answer.hosts);
    const text = answer.total ? `${count(answer.offset + 1)}–${count(answer.offset + answer.hosts.length)} of ${many(answer.total, "host")}${answer.total < answer.known ? ` (${count(answer.known)} known)` : ""}` : `None of ${many(answer.known, "host")} matches.`;
    if (summary.textContent !== text) summary.textContent = text;
    back.disabled = state.offset === 0;
    on.disabled = answer.offset + answer.hosts.length >= answer.total;
  });
  return { title: "Hosts", node: view, stop: loop.stop };
}

// ---- one host ------------------------------------------------------------------------------------------------
function facts(answer) {
  const { host } = answer;
  const list = [["State", [stateBadge(host.state, stateWords[host.state]), el("small", {}, printable(host.reason))]], ["Queued", count(host.queued)], ["Known URLs", count(host.known)], ["Fetched", count(host.fetched)], ["Failed", count(host.failed)], ["Data", bytes(host.bytes)],
    ["Requests in progress", count(host.active)], ["Delay", seconds(host.delay)], ["Next request", until(host.next_in)], ["Response time", milliseconds(host.response_ms)], ["Failures in a row", count(host.failures)], ["robots.txt", printable(host.robots)],
    ["Addresses", answer.addresses.length ? answer.addresses.map(printable).join(", ") : "not known"], ["Last error", host.last_error ? printable(host.last_error) : "none"]];
  return list.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value)));
}

function rules(list) {
  if (!list.length) return [empty("No robots.txt has been read yet.")];
  return list.map((one) => el("div", { class: "rules" }, el("h3", {}, printable(one.origin)),
    one.reached ? null : el("p", { class: "notice" }, "It could not be read, so nothing is fetched from this host."),
    el("p", {}, [one.crawl_delay !== null ? `Asks for ${seconds(one.crawl_delay)} between two requests. ` : "", one.expires_in !== null ? `Read again ${until(one.expires_in)}.` : ""].join("")),
    one.text.trim() ? el("pre", { tabindex: 0, "aria-label": `Rules of ${printable(one.origin)}` }, one.text.split("\n").map(printable).join("\n")) : empty("It has no rules for this crawler: everything is allowed.")));
}

export function hostView(name) {
  const dl = el("dl", { class: "facts" });
  const actions = el("p", { class: "buttons" });
  const best = nextTable(false);
  const history = new LiveTable({ caption: "History", id: (row) => `${row.time} ${row.url}`, columns: [
    { key: "url", label: "Page", words: true, cell: (row) => urlLink(row.url) }, { key: "time", label: "Done", cell: (row) => clock(row.time) }, { key: "outcome", label: "Outcome", words: true, value: (row) => [row.outcome, row.status], cell: (row) => `${printable(row.outcome)}${row.status ? ` (${row.status})` : ""}` },
    { key: "bytes", label: "Size", cell: (row) => bytes(row.bytes) }, { key: "ms", label: "Response time", cell: (row) => milliseconds(row.ms) }] });
  const errors = new LiveTable({ caption: "Last errors", id: (row) => `${row.time} ${row.url}`, columns: [
    { key: "url", label: "Page", words: true, cell: (row) => urlLink(row.url) }, { key: "time", label: "When", cell: (row) => clock(row.time) }, { key: "reason", label: "Error", words: true, cell: (row) => el("span", { class: "wrap" }, `${printable(row.outcome)}: ${printable(row.reason)}`) }] });
  const settings = new LiveTable({ caption: "Settings", id: (row) => `${row.option} ${row.from}`, columns: [
    { key: "option", label: "Option", words: true, cell: (row) => el("code", {}, printable(row.option)) }, { key: "value", label: "Value", words: true, cell: (row) => printable(row.value) }, { key: "from", label: "Set by", words: true, cell: (row) => printable(row.from) }] });
  const rulesHolder = el("div");
  const [historyNone, errorsNone] = [empty("No page is done yet."), empty("None.")];
  const settingsSection = section("host-settings", "Settings", settings.node);
  const view = el("div", { class: "view" }, el("p", { class: "crumb" }, el("a", { href: "#/hosts" }, "Hosts")), el("h1", {}, el("bdi", {}, printable(name))), dl, actions,
    section("host-best", "Its best queued pages", best.node), section("host-errors", "Last errors", errors.node, errorsNone), section("host-rules", "robots.txt", rulesHolder), settingsSection,
    section("host-history", "History", el("p", {}, "Latest first."), history.node, historyNone));
  let shown = "";
  const loop = refreshed(view, 4000, async () => {
    const { answer } = await live.get("host", { name });
    dl.replaceChildren(...facts(answer));
    const key = `${answer.paused} ${answer.blocked} ${live.ended}`;
    if (key !== shown) {
      shown = key;
      actions.replaceChildren(answer.paused ? button("Resume this host", "resume", { host: name }, { kind: "act" }) : button("Pause this host", "pause", { host: name }),
        answer.blocked ? button("Unblock it", "unblock", { host: name }, { kind: "act" }) : button("Block it", "block", { host: name }, { title: "Nothing more is fetched from it; its pages are kept until you unblock it" }), button("Retry failed pages", "retry", { host: name }));
    }
    best.update({ pages: answer.best }, answer.host.queued ? "None can be shown at the moment." : "It has no queued pages.");
    errors.update(answer.errors);
    errors.node.hidden = !answer.errors.length;
    errorsNone.hidden = answer.errors.length > 0;
    history.update(answer.history);
    history.node.hidden = !answer.history.length;
    historyNone.hidden = answer.history.length > 0;
    settings.update(answer.settings);
    settingsSection.hidden = !answer.settings.length;
    rulesHolder.replaceChildren(...rules(answer.rules));
  });
  return { title: name, node: view, stop: loop.stop };
}
