// What all views use: hostile text made visible, links to hosts and pages, tables that change in place, buttons that
// send commands, dialogs and messages.
import { live } from "./data.js";

export const { el, svg, count, percent, seconds, bytes, shortNumber, isNumber } = Kit;

export const many = (number, one, more = `${one}s`) => `${count(number)} ${number === 1 ? one : more}`;

// Control and direction characters could make a text look like another: they are shown as their numbers.
export const printable = (text) => String(text).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
  (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const hostLink = (host) => el("a", { href: `#/host/${encodeURIComponent(host)}`, class: "plain" }, el("bdi", {}, printable(host)));
export const whyHref = (url) => `#/why/${encodeURIComponent(url)}`;

// A URL, with its host apart; it leads to the answer of `why`.
export function urlLink(url) {
  const text = printable(url);
  const end = text.indexOf("/", text.indexOf("//") + 2);
  const cut = end < 0 ? text.length : end;
  return el("a", { href: whyHref(url), class: "plain address", title: text },
    el("bdi", { class: "site" }, text.slice(0, cut)), el("bdi", {}, text.slice(cut)));
}

export function clock(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? printable(time) : date.toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

// How long until: "now", "in 12 s".
export const until = (value) => (!isNumber(value) ? "–" : value < 0.05 ? "now" : `in ${seconds(value)}`);

export function section(id, title, ...children) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), children);
}

export const empty = (text) => el("p", { class: "empty" }, text);

// A bar from 0 to 1; drawn without inline styles in the markup, which the security policy forbids.
export function meter(share, { label, kind = "" }) {
  const bar = el("span", { class: `bar ${kind}` });
  bar.style.width = `${(100 * Math.max(0, Math.min(1, share))).toFixed(2)}%`;
  return el("span", { class: "track", role: "img", "aria-label": label }, bar);
}

// ---- messages and dialogs ------------------------------------------------------------------------------------
export function toast(text, kind = "good") {
  const node = el("div", { class: `toast ${kind}` }, printable(text));
  const holder = document.getElementById("toasts");
  holder.append(node);
  while (holder.children.length > 3) holder.firstChild.remove();
  setTimeout(() => node.remove(), kind === "bad" ? 12_000 : 6000);
}

// Resolves to what `read` returns when the user agrees, otherwise to null.
export function ask({ title, text, body, agree, danger, read = () => true }) {
  return new Promise((resolve) => {
    const back = document.activeElement;
    let answer = null;
    const form = el("form", { onsubmit: (event) => { event.preventDefault(); answer = read(); dialog.close(); } },
      el("h2", { id: "dialog-title" }, title), text && el("p", {}, text), body,
      el("div", { class: "buttons" },
        el("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"),
        el("button", { type: "submit", class: danger ? "act danger" : "act" }, agree)));
    const dialog = el("dialog", { "aria-labelledby": "dialog-title", onclose: () => { dialog.remove(); back?.focus?.(); resolve(answer); } }, form);
    document.body.append(dialog);
    dialog.showModal();
  });
}

export async function askToken() {
  const input = el("input", { type: "password", id: "token-input", autocomplete: "off", required: true, spellcheck: "false" });
  const token = await ask({ title: "This needs the control token",
    text: "The terminal printed an address that ends in #token=…, and so does `bowerbird watch DIR`. Paste that address, or the token itself. It stays in this tab.",
    body: el("p", {}, el("label", { for: "token-input" }, "Token or address"), input), agree: "Use it",
    read: () => input.value.trim().replace(/^.*#token=/, "") });
  if (!token) return false;
  live.setToken(token);
  return true;
}

// Carries out a command and says what came of it; null if it was not carried out.
export async function command(name, body = {}, { confirm } = {}) {
  if (confirm && !(await ask(confirm))) return null;
  if (!live.token && !(await askToken())) return null;
  try {
    const done = await live.command(name, body);
    toast([done.text, ...(done.warnings ?? [])].join(" "));
    return done;
  } catch (failure) {
    if (failure.code === 401) live.forgetToken();
    toast(failure.message, "bad");
    return null;
  }
}

// Buttons and forms that send commands are off once the crawl has ended. While a command is under way they only ignore
// clicks: a disabled button would lose the focus.
export function button(label, name, body, { kind = "quiet", confirm, title } = {}) {
  let busy = false;
  const node = el("button", { type: "button", class: kind, title, "data-command": name, onclick: async () => {
    if (busy) return;
    busy = true;
    await command(name, body, { confirm });
    busy = false;
    node.disabled = !accepts();
  } }, label);
  node.disabled = !accepts();
  return node;
}
export const accepts = () => !live.ended && live.status?.commands !== false;

export const stopDialog = () => ({ title: "Stop the crawl?", agree: "Stop the crawl", danger: true,
  text: "Requests in progress finish, and everything is committed. You can resume the crawl later with the same command. To interrupt it for a while, use Pause." });

// ---- tables that change in place -------------------------------------------------------------------------------
// columns: [{key, label, help, words (left-aligned), sort (whether it can be sorted by), cell(row)}]; the first is the
// row's heading. Rows with the same id keep their elements, so that focus and selection survive an update.
export class LiveTable {
  constructor({ caption, columns, id, sort, descending = true, onsort }) {
    Object.assign(this, { columns, id, sort, descending, onsort });
    this.rows = new Map();
    this.heads = new Map();
    this.body = el("tbody");
    const head = el("tr", {}, columns.map((column) => {
      const cell = el("th", { scope: "col", class: column.words ? "words" : null, title: column.help, "data-key": column.key },
        column.sort ? el("button", { type: "button", "data-key": column.key, onclick: () => this.sortBy(column) }, column.label) : column.label);
      this.heads.set(column.key, cell);
      return cell;
    }));
    this.table = el("table", { class: onsort ? "sortable" : null }, el("caption", { class: "unseen" }, caption), el("thead", {}, head), this.body);
    this.node = Kit.scrollable(caption, this.table);
    this.showSort();
  }

  sortBy(column) {
    this.descending = this.sort === column.key ? !this.descending : !column.words;
    this.sort = column.key;
    this.showSort();
    Kit.announce(`Sorted by ${column.label}, ${this.descending ? "largest" : "smallest"} first`);
    this.onsort(this.sort, this.descending);
  }

  showSort() {
    for (const [key, head] of this.heads) {
      if (key === this.sort) head.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  update(list) {
    const focus = document.activeElement;
    const kept = new Map();
    let before = this.body.firstChild;
    for (const row of list) {
      const id = this.id(row);
      if (kept.has(id)) continue;
      let entry = this.rows.get(id);
      if (!entry) {
        entry = { cells: this.columns.map((column, i) => el(i ? "td" : "th", { scope: i ? null : "row", class: column.words ? "words" : null, "data-key": column.key })), shown: [] };
        entry.node = el("tr", {}, entry.cells);
      }
      this.columns.forEach((column, i) => {
        const value = JSON.stringify(column.value ? column.value(row) : row[column.key]) ?? "";
        if (entry.shown[i] === value) return;
        entry.shown[i] = value;
        entry.cells[i].replaceChildren(...[column.cell(row)].flat().filter((part) => part !== null && part !== undefined));
      });
      kept.set(id, entry);
      if (entry.node === before) before = before.nextSibling;
      else this.body.insertBefore(entry.node, before);
    }
    while (before) { const next = before.nextSibling; before.remove(); before = next; }
    this.rows = kept;
    if (focus && focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
  }
}

// A view asks again every `every` ms while it is shown and the tab is visible. show(answer) draws; a failure is shown
// once, above what was there before.
export function refreshed(view, every, load) {
  const note = el("p", { class: "notice", hidden: true });
  view.prepend(note);
  let timer = null;
  let stopped = false;
  let busy = false;
  const again = async () => {
    clearTimeout(timer);
    if (stopped || busy) return;
    busy = true;
    try {
      if (document.visibilityState === "visible" || !view.dataset.loaded) await load();
      view.dataset.loaded = "true";
      note.hidden = true;
    } catch (failure) {
      note.textContent = printable(failure.message);
      note.hidden = false;
    }
    busy = false;
    if (!stopped && !live.ended) timer = setTimeout(again, every);
  };
  const now = () => { if (document.visibilityState === "visible") again(); };
  document.addEventListener("visibilitychange", now);
  live.addEventListener("done", again);
  live.addEventListener("end", again);
  again();
  return { now: again, stop: () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", now);
    live.removeEventListener("done", again);
    live.removeEventListener("end", again);
  } };
}
