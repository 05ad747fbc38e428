// The live page of a crawl: the frame around the views, and which of them is shown. The address of a view is the
// fragment: #/hosts, #/host/example.org, #/why/https%3A%2F%2F...
import { live, takeToken } from "./data.js";
import { controlView } from "./control.js";
import { curvesView } from "./curves.js";
import { fleetView } from "./fleet.js";
import { hostView, hostsView } from "./hosts.js";
import { nextView, whyView } from "./next.js";
import { nowView } from "./now.js";
import { problemsView } from "./problems.js";
import { accepts, askToken, button, el, printable, stopDialog, toast } from "./widgets.js";

const kTabs = [["now", "Now"], ["problems", "Problems"], ["curves", "Curves"], ["next", "Next"], ["hosts", "Hosts"], ["fleet", "Fleet"], ["control", "Control"]];
const kPhases = { running: "Running", paused: "Paused", stopping: "Stopping", finished: "Ended" };
const kConnections = { live: "live", polling: "live, every 3 s", lost: "no connection; trying again", denied: "token needed", ended: "ended", connecting: "connecting" };

// ---- the frame -------------------------------------------------------------------------------------------------
const phase = el("span", { class: "phase" });
const folder = el("span", { class: "folder" });
const link = el("span", { class: "link" });
const actions = el("div", { class: "buttons head" });
const banner = el("div", { class: "banner", role: "status", hidden: true });
const badge = el("span", { class: "count", hidden: true });
const tabs = new Map();

function frame() {
  document.getElementById("top").append(
    el("p", { class: "brand" }, el("img", { src: "assets/live/icon.svg", alt: "", width: 28, height: 28 }), el("b", {}, "Bowerbird"), folder),
    phase, link, actions, Kit.themeButton());
  document.getElementById("top").after(banner);
  document.getElementById("tabs").append(el("ul", {}, kTabs.map(([name, label]) => {
    const a = el("a", { href: `#/${name}` }, label, name === "problems" ? badge : null);
    tabs.set(name, a);
    return el("li", { "data-tab": name, hidden: name === "fleet" }, a);
  })));
}

let headShown = "";
function showHead() {
  const { status } = live;
  link.textContent = kConnections[live.connection] ?? live.connection;
  link.dataset.connection = live.connection;
  if (live.connection === "denied") {
    showBanner("This crawl can be viewed only with its token.", el("button", { type: "button", class: "act", onclick: askToken }, "Enter the token"));
  } else if (live.ended) {
    showBanner(`The crawl has ended: ${printable(status?.end ?? "it was stopped")}. This page shows its last state; see report.html in the crawl folder.`);
  } else {
    banner.hidden = true;
    banner.textContent = "";
  }
  if (!status) return;
  const words = kPhases[status.phase] ?? printable(status.phase);
  phase.textContent = words;
  phase.dataset.phase = status.phase;
  folder.textContent = printable(status.folder);
  document.title = `${status.phase === "running" ? `${status.pages_per_second.toFixed(status.pages_per_second < 10 ? 1 : 0)}/s` : words} · ${printable(status.folder)} · Bowerbird`;
  badge.textContent = String(status.problems);
  badge.hidden = !status.problems;
  badge.setAttribute("aria-label", `${status.problems} kinds of problems`);
  tabs.get("fleet").parentElement.hidden = !status.fleet;
  const key = `${status.phase} ${accepts()}`;
  if (key === headShown) return;
  headShown = key;
  const focused = actions.contains(document.activeElement);
  actions.replaceChildren(...(!accepts() ? [] : [status.phase === "paused" ? button("Resume", "resume", {}, { kind: "act" }) : button("Pause", "pause", {}), button("Stop", "stop", {}, { confirm: stopDialog() })]));
  if (focused) actions.querySelector("button")?.focus();
}

function showBanner(text, ...more) {
  if (!banner.hidden && banner.firstChild?.textContent === text) return;
  banner.hidden = false;
  banner.replaceChildren(el("p", {}, text), ...more);
}

// ---- views -----------------------------------------------------------------------------------------------------
function viewOf(route) {
  const [path, query] = route.split("?");
  const [name, ...rest] = path.split("/");
  const word = rest.length ? decodeURIComponent(rest.join("/")) : "";
  const parameters = new URLSearchParams(query ?? "");
  if (name === "problems") return [name, problemsView()];
  if (name === "curves") return [name, curvesView()];
  if (name === "next") return [name, nextView()];
  if (name === "why") return ["next", whyView(word)];
  if (name === "hosts") return [name, hostsView(parameters)];
  if (name === "host") return ["hosts", hostView(word)];
  if (name === "fleet") return [name, fleetView()];
  if (name === "control") return [name, controlView()];
  return ["now", nowView()];
}

let current = null;
function show(first) {
  if (location.hash && !location.hash.startsWith("#/")) return;  // a link within the page, such as to its content
  let made;
  try {
    made = viewOf(location.hash.slice(2));
  } catch {
    location.hash = "#/now";
    return;
  }
  const [tab, view] = made;
  current?.stop();
  current = view;
  const main = document.getElementById("main");
  main.replaceChildren(view.node);
  main.setAttribute("aria-label", view.title);
  for (const [name, a] of tabs) {
    if (name === tab) {
      a.setAttribute("aria-current", "page");
      a.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else {
      a.removeAttribute("aria-current");
    }
  }
  if (first) return;
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

// So that these views have something to show after the end, when nobody answers any more.
async function keepAll() {
  const calls = [["problems"], ["next", { limit: 50 }], ["next", { limit: 8 }], ["hosts", { sort: "queued", order: "down", offset: 0, limit: 50 }], ["curves", { points: 400 }], ["options"], ["changes"], ["fleet"]];
  for (const [call, parameters] of calls) await live.get(call, parameters).catch(() => {});
}

frame();
live.addEventListener("status", showHead);
live.addEventListener("connection", showHead);
live.addEventListener("end", () => { showHead(); keepAll(); });
live.addEventListener("change", ({ detail }) => { if (detail?.text && !String(detail.origin ?? "").startsWith("page")) toast(`${detail.text} (${detail.origin})`); });
addEventListener("hashchange", () => {
  const token = takeToken();
  if (token) live.setToken(token);
  show(false);
});
live.start();
live.addEventListener("status", () => setTimeout(keepAll, 1500), { once: true });
showHead();
show(true);
