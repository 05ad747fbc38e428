// What is wrong, or keeps the crawl from being faster: sentences and remedies, made from a status and the answer of
// /api/v1/problems. Pure: no elements, so that tests can read it.
import { bytes, count, many, percent, printable, seconds } from "./widgets.js";

const kLongDelay = 3;  // seconds between two requests
const kRank = { bad: 0, slow: 1, note: 2 };
const share = (part, whole) => (whole > 0 ? part / whole : 0);
const names = (list, most = 3) => list.slice(0, most).map(printable).join(", ") + (list.length > most ? " and others" : "");
const sentence = (text) => (text ? `${printable(text)[0].toUpperCase()}${printable(text).slice(1)}.` : "");

function aboutRun(status) {
  const list = [];
  if (status.phase === "paused") {
    list.push({ kind: "bad", id: "paused", title: "The crawl is paused", text: "No request starts until it is resumed.", actions: [{ label: "Resume", command: "resume", body: {} }] });
  }
  for (const pause of status.pauses ?? []) {
    if (pause.what === "everything") continue;
    list.push({ kind: "note", id: `paused-${pause.value}`, title: `Paused: ${printable(pause.value)}`, text: pause.what === "host" ? "Nothing is fetched from this host until it is resumed." : "URLs that match this pattern are not fetched until it is resumed.",
      actions: [{ label: "Resume", command: "resume", body: { [pause.what]: pause.value } }] });
  }
  for (const block of status.blocks ?? []) {
    list.push({ kind: "note", id: `blocked-${block.value}`, title: `Blocked: ${printable(block.value)}`, text: block.what === "host" ? "Nothing is fetched from this host until it is unblocked." : "URLs that match this pattern are not fetched until it is unblocked.",
      actions: [{ label: "Unblock", command: "unblock", body: { [block.what]: block.value } }] });
  }
  if (status.stall && status.phase === "running") {
    list.push({ kind: "slow", id: "stall", title: "Nothing is being fetched right now", text: sentence(status.stall) });
  }
  return list;
}

function aboutMachine(status, problems) {
  const list = [];
  const { disk, memory } = problems;
  if (disk.total > 0 && (disk.free < 1 << 30 || disk.free / disk.total < 0.03)) {
    list.push({ kind: "bad", id: "disk", title: `The disk is almost full: ${bytes(disk.free)} free`, text: "When it is full, the crawl ends; committed work is kept. Free some space, or stop the crawl and move its folder." });
  }
  if (memory.stage === "full") {
    list.push({ kind: "bad", id: "memory", title: `Memory is full: ${bytes(memory.resident)} of ${bytes(memory.budget)}`, text: `New URLs are rejected (${count(problems.turned_away)} so far), and only one page is fetched at a time. Narrow the scope, or resume with a larger --memory.` });
  } else if (memory.stage === "spilling") {
    list.push({ kind: "slow", id: "memory", title: `Memory is short: ${bytes(memory.resident)} of ${bytes(memory.budget)}`, text: "Queue, graph and known URLs go to disk, which is slower. Resume the crawl with a larger --memory." });
  }
  if (problems.warnings > 0) {
    list.push({ kind: "bad", id: "warnings", title: many(problems.warnings, "warning about files on disk", "warnings about files on disk"), text: "Each warning is a line of crawl.jsonl in the crawl folder." });
  }
  return list;
}

// Why the delay of a host that waits for it is long: its robots.txt, its slowness, or an option.
function causeOf(host) {
  if (/robots/.test(host.reason)) return "robots";
  return host.response_ms !== null && host.delay > 1.4 * host.response_ms / 1000 && host.delay < 10 * host.response_ms / 1000 ? "slow" : "option";
}

function aboutDelays(hosts) {
  const list = [];
  const blocks = (some) => some.slice(0, 2).map((host) => ({ label: `Block ${printable(host.host)}`, command: "block", body: { host: host.host } }));
  const by = (cause) => hosts.filter((host) => causeOf(host) === cause);
  const common = (some) => ({ kind: "slow", hosts: some.map((host) => host.host), link: { href: "#/hosts?sort=delay", label: "Show hosts by delay" } });
  const most = (some, read) => Math.max(...some.map(read));
  const [asked, slow, own] = [by("robots"), by("slow"), by("option")];
  if (slow.length) {
    const shorter = most(slow, (host) => host.delay) > 5 ? 5 : 2;  // s
    list.push({ ...common(slow), id: "slow-hosts", title: `${many(slow.length, "host answers", "hosts answer")} slowly: up to ${seconds(most(slow, (host) => host.response_ms / 1000))}`,
      text: `${names(slow.map((host) => host.host))}. Before the next request, the crawl waits a multiple of the response time (--adapt): currently up to ${seconds(most(slow, (host) => host.delay))}. Lower --max-delay, or block unimportant hosts.`,
      actions: [{ label: `Wait at most ${shorter} s`, command: "set", body: { option: "max-delay", values: [`${shorter}s`] } }, ...blocks(slow)] });
  }
  if (asked.length) {
    list.push({ ...common(asked), id: "crawl-delay", title: `${many(asked.length, "host asks", "hosts ask")} for ${seconds(most(asked, (host) => host.delay))} between requests`,
      text: `${names(asked.map((host) => host.host))}: Crawl-delay in ${asked.length === 1 ? "its" : "their"} robots.txt, which is obeyed. The crawl cannot end before all ${asked.length === 1 ? "its" : "their"} pages are fetched; block ${asked.length === 1 ? "it if it is" : "hosts that are"} unimportant.`, actions: blocks(asked) });
  }
  if (own.length) {
    list.push({ ...common(own), id: "delays", title: `${many(own.length, "host gets", "hosts get")} a request only every ${seconds(most(own, (host) => host.delay))}`,
      text: `${names(own.map((host) => host.host))}: this is the crawl's own delay (--delay, or that of a site). You can change it while the crawl runs.`, link: { href: "#/control", label: "Change the delay" }, actions: [] });
  }
  return list;
}

// Hosts with queued pages that are not asked now, by why.
function aboutWaiting(status, problems) {
  const list = [];
  const hosts = problems.waiting.reduce((sum, one) => sum + one.hosts, 0);
  const of = (state) => problems.waiting.find((one) => one.state === state) ?? { hosts: 0, queued: 0, examples: [] };
  const failing = of("backing-off");
  if (failing.hosts > 0 && (share(failing.hosts, hosts) > 0.1 || failing.hosts === hosts)) {
    const one = failing.hosts === 1 ? failing.examples[0] : null;
    const all = failing.hosts === hosts;
    const why = [...new Set(failing.examples.map((name) => problems.slow_hosts.find((host) => host.host === name)?.last_error).filter(Boolean))];
    list.push({ kind: share(failing.hosts, hosts) > 0.5 ? "bad" : "slow", id: "backing-off", title: `${many(failing.hosts, "host fails and is", "hosts fail and are")} retried at growing intervals`,
      text: `${why.length ? names(why, 2) : names(failing.examples)}. ${failing.queued ? `${many(failing.queued, "page waits", "pages wait")} for ${failing.hosts === 1 ? "it" : "them"}. ` : ""}${all
        ? "The crawl retries automatically. No other host has queued pages: add seeds on other hosts, or wait." : "Block unimportant hosts to stop the retries."}`,
      hosts: failing.examples, link: all ? { href: "#/control", label: "Add seeds" } : { href: "#/hosts?state=backing-off", label: "Show these hosts" },
      actions: one && !all ? [{ label: `Block ${printable(one)}`, command: "block", body: { host: one } }] : [] });
  }
  const free = status.in_flight < status.connections / 2;
  const eligible = hosts - of("given-up").hosts;
  const delayed = of("waiting");
  if (free && status.phase === "running" && eligible > 3 && share(delayed.hosts, eligible) > 0.5) {
    list.push({ kind: "slow", id: "delayed", title: `${count(delayed.hosts)} of ${count(eligible)} hosts wait for their delay`, text: "The time between two requests to a host limits the crawl: --delay, Crawl-delay in robots.txt, or a multiple of the response time (--adapt). There are unused connections: to crawl faster, add hosts (seeds, a wider scope). A shorter --delay increases the load on the hosts.",
      actions: [], link: { href: "#/control", label: "Add seeds or change the delay" } });
  }
  if (free && status.phase === "running") list.push(...aboutDelays(problems.slow_hosts.filter((host) => host.delay >= kLongDelay && host.state === "waiting")));
  if (status.connections > 0 && status.in_flight >= 0.95 * status.connections) {
    const more = Math.max(32, 2 * status.connections);
    list.push({ kind: "slow", id: "connections", title: `All ${count(status.connections)} connections are in use`, text: "With more connections, more hosts can be crawled at the same time. The delays of each host do not change.",
      actions: [{ label: `Allow ${count(more)}`, command: "set", body: { option: "connections", values: [String(more)] } }] });
  }
  if (free && status.phase === "running" && eligible > 0 && eligible <= 3 && status.queued > 100) {
    list.push({ kind: "slow", id: "few-hosts", title: `All queued pages are on ${many(eligible, "host")}`, text: "Each host gets one request at a time, with a delay. More hosts (seeds, a wider scope) make the crawl faster. Delays below 0.25 s are allowed only on your own networks.",
      actions: [], link: { href: "#/control", label: "Add seeds or change the delay" } });
  }
  return list;
}

function aboutOutcomes(status, problems) {
  const list = [];
  for (const one of problems.outcomes.filter((outcome) => outcome.failure)) {
    const part = share(one.count, status.completed);
    list.push({ kind: part > 0.2 ? "bad" : part > 0.03 ? "slow" : "note", tag: part > 0.03 && part <= 0.2 ? "Worth a look" : undefined, id: `outcome-${one.kind}`, title: one.kind === "robots" ? `${many(one.count, "page was", "pages were")} not fetched: ${printable(one.what)}` : `${many(one.count, "page")} failed: ${printable(one.what)}`,
      text: `${percent(part < 0.1 ? 1 : 0)(part)} of all pages that are done.`, examples: one.examples,
      actions: one.kind === "robots" ? [] : [{ label: "Retry these", command: "retry", body: { outcome: one.kind } }] });
  }
  if (problems.dead_seeds_total > 0) {
    list.push({ kind: "bad", id: "dead-seeds", title: `${many(problems.dead_seeds_total, "seed")} could not be fetched`, text: "Their pages are not crawled, unless other pages link to them.",
      examples: problems.dead_seeds });
  }
  for (const trap of problems.traps) {
    const url = trap.kind !== "near-duplicates";
    list.push({ kind: "note", id: `trap-${trap.kind}`, title: url ? `${many(trap.count, "link was", "links were")} not followed: ${printable(trap.what)}` : `${many(trap.count, "host was", "hosts were")} closed: most of the pages are nearly the same`,
      text: url ? "Such addresses are often endless: calendars, repeated paths, session ids." : "No more pages of such a host are fetched.", examples: trap.examples.map((text) => (url ? { url: text } : { host: text })) });
  }
  return list;
}

// Worst first.
export function findings(status, problems) {
  const list = [...aboutRun(status), ...aboutMachine(status, problems), ...aboutWaiting(status, problems), ...aboutOutcomes(status, problems)];
  return list.sort((a, b) => kRank[a.kind] - kRank[b.kind]);
}
