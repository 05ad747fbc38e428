// The view Control: every command as a form, the options that may change, and the list of changes.
import { live } from "./data.js";
import { LiveTable, accepts, ask, askToken, button, clock, command, el, empty, many, printable, refreshed, section, stopDialog, toast } from "./widgets.js";

let fields = 0;

// A form that sends one command; read() returns its body, or null after it has said what is missing.
function form(title, text, name, label, rows, read, { kind = "act", confirm } = {}) {
  const submit = el("button", { type: "submit", class: kind, "data-command": name }, label);
  submit.disabled = !accepts();
  let busy = false;
  const node = el("form", { class: "panel", "data-form": name, "aria-label": title, onsubmit: async (event) => {
    event.preventDefault();
    const body = busy ? null : read();
    if (body === null) return;
    busy = true;
    const done = await command(name, body, { confirm });
    busy = false;
    submit.disabled = !accepts();
    if (done) node.reset();
  } }, el("h3", {}, title), text ? el("p", {}, text) : null, rows, el("p", { class: "buttons" }, submit));
  return node;
}

function labelled(label, input, help) {
  input.id = `field-${++fields}`;
  return el("p", { class: "labelled" }, el("label", { for: input.id }, label), input, help ? el("small", {}, help) : null);
}
const text = (attributes = {}) => el("input", { type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", ...attributes });
const lines = (area) => area.value.split(/\s+/).filter(Boolean);

// Host or pattern, chosen by radio buttons.
function target() {
  const input = text({ required: true });
  let kind = "host";
  const help = el("small", {}, "");
  const set = (value) => {
    kind = value;
    input.placeholder = kind === "host" ? "example.org" : "/calendar/|sessionid=";
    help.textContent = kind === "host" ? "As in the table of hosts, with the port if there is one." : "A regular expression (RE2); it may match anywhere in the URL.";
  };
  const choice = Kit.choice("What", [["host", "a host"], ["pattern", "URLs that match"]], "host", set);
  set("host");
  const row = labelled("Host or pattern", input);
  row.append(help);
  return { node: [choice, row], read: () => ({ [kind]: input.value.trim() }) };
}

function forms() {
  const urls = el("textarea", { rows: 3, spellcheck: "false", placeholder: "https://example.org/" });
  const sitemaps = el("textarea", { rows: 2, spellcheck: "false", placeholder: "https://example.org/sitemap.xml" });
  const url = text({ type: "url", required: true, placeholder: "https://example.org/page" });
  const [pause, resume, block, unblock] = [target(), target(), target(), target()];
  const outcome = el("select", {}, [el("option", { value: "" }, "any failure")]);
  const host = text({ placeholder: "all hosts" });
  live.get("problems").then(({ answer }) => outcome.append(...answer.outcomes.filter((one) => one.failure).map((one) => el("option", { value: one.kind }, `${printable(one.kind)}: ${printable(one.what)} (${one.count})`)))).catch(() => {});
  return el("div", { class: "panels" },
    form("Add seeds", "robots.txt, delays and the address filter apply to them as to all pages.", "seed", "Add", [labelled("URLs, one per line", urls), labelled("Sitemaps, one per line", sitemaps)], () => {
      const body = {};
      if (lines(urls).length) body.urls = lines(urls);
      if (lines(sitemaps).length) body.sitemaps = lines(sitemaps);
      if (Object.keys(body).length) return body;
      toast("Give at least one URL or sitemap.", "bad");
      return null;
    }),
    form("Fetch a page now", "Fetched before all other pages; robots.txt and delays apply.", "fetch", "Fetch", labelled("URL", url), () => ({ url: url.value.trim() })),
    form("Retry failed pages", "They are queued again.", "retry", "Retry", [labelled("Outcome", outcome), labelled("Only of this host", host)], () => ({ ...(outcome.value && { outcome: outcome.value }), ...(host.value.trim() && { host: host.value.trim() }) })),
    form("Pause a part", "Its pages stay queued.", "pause", "Pause", pause.node, pause.read),
    form("Resume a part", null, "resume", "Resume", resume.node, resume.read),
    form("Block", "Nothing more is fetched. Its pages are kept, with their scores, until you unblock it.", "block", "Block", block.node, block.read),
    form("Unblock", "Its pages are queued again.", "unblock", "Unblock", unblock.node, unblock.read));
}

// ---- options -------------------------------------------------------------------------------------------------
async function change(option) {
  const now = option.values.join(option.list ? "\n" : ", ");
  const input = option.unit === "" ? el("select", {}, ["true", "false"].map((word) => el("option", { selected: word === now }, word)))
    : option.words.length && !option.list ? el("select", {}, option.words.map((word) => el("option", { selected: word === now }, word)))
    : option.list ? el("textarea", { rows: 4, spellcheck: "false" }) : text({ value: now });
  if (option.list) input.value = now;
  const values = await ask({ title: `Change ${option.name}`, text: printable(option.help), agree: "Change it",
    body: [labelled(option.list ? "Values, one per line; they replace the old ones" : `Value${option.unit ? ` (${option.unit})` : ""}`, input, `Default: ${printable(option.default || "none")}`)],
    read: () => (option.list ? input.value.split("\n").map((line) => line.trim()).filter(Boolean) : [input.value.trim()]) });
  if (values) await command("set", { option: option.name, values });
}

function optionTable() {
  return new LiveTable({ caption: "Options", id: (row) => row.name, columns: [
    { key: "name", label: "Option", words: true, cell: (row) => el("code", { title: printable(row.help) }, printable(row.name)) },
    { key: "values", label: "Value", words: true, cell: (row) => el("span", { class: "wrap" }, row.values.length ? row.values.map(printable).join(", ") : "–") },
    { key: "from", label: "Set by", words: true, cell: (row) => ({ default: "default", start: "you, at the start", command: "a change" })[row.from] ?? printable(row.from) },
    { key: "may_change", label: "Change", words: true, value: (row) => [row.may_change, row.values], cell: (row) => {
      if (!row.may_change) return "on a resume, or never";
      const node = el("button", { type: "button", class: "quiet", "data-option": row.name, onclick: () => change(row) }, "Change", el("span", { class: "unseen" }, ` ${printable(row.name)}`));
      node.disabled = !accepts();
      return node;
    } },
    { key: "help", label: "Meaning", words: true, cell: (row) => el("span", { class: "wrap wide-words" }, printable(row.help)) }] });
}

function changesTable() {
  return new LiveTable({ caption: "Changes", id: (row) => String(row.number), columns: [
    { key: "text", label: "Change", words: true, cell: (row) => el("span", { class: "wrap wide-words" }, printable(row.text)) },
    { key: "time", label: "When", cell: (row) => clock(row.time) }, { key: "origin", label: "From", words: true, cell: (row) => printable(row.origin) }] });
}

export function controlView() {
  const token = el("p", { class: "about" });
  const run = el("div", { class: "buttons run" });
  const [options, changes] = [optionTable(), changesTable()];
  const none = empty("Nothing has been changed.");
  const more = el("input", { type: "checkbox", id: "all-options", onchange: () => loop.now() });
  const view = el("div", { class: "view control" }, el("h1", {}, "Control"), token, run, section("commands", "Commands", forms()),
    section("options", "Options", el("p", {}, el("label", { for: "all-options", class: "check" }, more, " include options that cannot change while the crawl runs")), options.node),
    section("changes", "Changes", el("p", {}, "Every change is recorded in the crawl folder, survives a restart and appears in the report."), changes.node, none));

  function showToken() {
    token.replaceChildren(...(live.ended ? ["The crawl has ended. Resume it to make changes."]
      : live.token ? ["You have a control token: changes are allowed from this tab."]
      : ["Changes need the control token. ", el("button", { type: "button", class: "quiet", onclick: askToken }, "Enter it")]));
  }
  let shown = "";
  function showRun() {
    const key = `${live.status?.phase} ${accepts()}`;
    if (key === shown) return;
    shown = key;
    const paused = live.status?.phase === "paused";
    run.replaceChildren(paused ? button("Resume everything", "resume", {}, { kind: "act" }) : button("Pause everything", "pause", {}, { kind: "act" }),
      button("Stop the crawl", "stop", {}, { kind: "act danger", confirm: stopDialog() }), button("Write the report", "report", {}));
  }
  const loop = refreshed(view, 10_000, async () => {
    const [list, done] = await Promise.all([live.get("options"), live.get("changes")]);
    options.update(list.answer.options.filter((option) => option.may_change || more.checked));
    changes.update(done.answer.changes);
    changes.node.hidden = !done.answer.changes.length;
    none.hidden = done.answer.changes.length > 0;
  });
  const onchange = () => loop.now();
  live.addEventListener("change", onchange);
  live.addEventListener("status", showRun);
  live.addEventListener("token", showToken);
  live.addEventListener("end", showToken);
  showToken();
  showRun();
  return { title: "Control", node: view, stop: () => {
    loop.stop();
    live.removeEventListener("change", onchange);
    live.removeEventListener("status", showRun);
    live.removeEventListener("token", showToken);
    live.removeEventListener("end", showToken);
  } };
}
