// A crawl that does not exist, behind the API of the live page: for tests of the page that need no crawler.
// usage: node live_mock.mjs        (prints its address with the token; Ctrl-C ends it)
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { bodySchema, contract, faults } from "./openapi_check.mjs";

const kAssets = new URL("../src/dash/assets/", import.meta.url);
const kTypes = { html: "text/html; charset=utf-8", css: "text/css", js: "text/javascript", svg: "image/svg+xml", json: "application/json", txt: "text/plain" };
export const hostile = { host: "evil.example", url: "http://evil.example/<img src=x onerror=alert(1)>&amp;\"'</script><script>alert(2)</script>\u202egpj.exe", error: "<b>evil.example</b>: \u202eno such host" };

const MiB = 1 << 20;
const parts = { "known URLs": 80 * MiB, "URL texts": 30 * MiB, frontier: 64 * MiB, ordering: 42 * MiB, hosts: 12 * MiB, "bodies in flight": 9 * MiB, "the program": 55 * MiB };
const hostStates = ["active", "waiting", "waiting", "backing-off", "ready", "idle", "preparing", "given-up"];

export class Mock {
  constructor() {
    this.token = "mock-token-1";
    this.tick = 0;
    this.pauses = [];
    this.blocked = new Set();
    this.changes = [];
    this.commands = [];
    this.options = [
      { name: "delay", group: "Politeness", unit: "TIME", help: "Minimum time between the starts of two requests to one host", default: "1s", values: ["1s"], list: false, words: [], may_change: true, from: "default" },
      { name: "pages", group: "Budgets", unit: "N", help: "Stop after this many pages. 0: no limit", default: "0", values: ["50000"], list: false, words: [], may_change: true, from: "start" },
      { name: "scope", group: "What to crawl", unit: "MODE", help: "Which URLs belong to the crawl", default: "host", values: ["domain"], list: false, words: ["any", "domain", "host", "prefix"], may_change: true, from: "start" },
      { name: "exclude", group: "What to crawl", unit: "REGEX", help: "Never crawl URLs that match one of these regular expressions (RE2)", default: "", values: ["/calendar/"], list: true, words: [], may_change: true, from: "start" },
      { name: "policy", group: "Order", unit: "SPEC", help: "The crawl ordering", default: "auto", values: ["lipr"], list: false, words: [], may_change: false, from: "default" }];
    this.streams = new Set();
    this.streamsOpened = 0;
    this.noStreams = false;
    this.closed = false;  // whether reading needs the token too
    this.end = null;
    this.began = Date.now();
  }

  time(secondsAgo = 0) { return new Date(Date.now() - 1000 * secondsAgo).toISOString(); }
  get paused() { return this.pauses.some((one) => one.what === "everything"); }
  get pages() { return 12_340 + 9 * this.tick; }

  status() {
    const t = this.tick;
    const still = this.paused || this.end !== null;
    const pages = this.pages;
    const seconds = 1800 + t;
    return { version: "0.0", folder: "mycrawl", now: this.time(), started: new Date(this.began).toISOString(), phase: this.end ? "finished" : this.paused ? "paused" : "running", end: this.end,
      sentence: this.end ? `The crawl has ended: ${this.end}.` : this.paused ? "Paused: no request starts until it is resumed." : "Fetching from 31 hosts; 214 more wait for their delays.", stall: null, commands: this.end === null,
      pages_per_second: still ? 0 : 9 + 3 * Math.sin(t / 5), bytes_per_second: still ? 0 : 420_000 + 90_000 * Math.sin(t / 7), errors_per_second: still ? 0 : 0.4, in_flight: still ? 0 : 31, connections: 100, pages, bytes: pages * 41_000, completed: pages + 2211, failed: 1460, retries: 311,
      queued: 88_000 - 2 * t, known: 240_113 + 31 * t, links: 3_100_222, requisites: 0, requisites_pending: 0, seconds: seconds - 300, seconds_all: seconds, hosts: { known: 412, active: 31, waiting: 214, given_up: 6, at_budget: 0, repeating: 1 },
      budgets: [{ name: "pages", unit: "pages", limit: 50_000, used: pages, share: pages / 50_000, seconds_left: still ? null : (50_000 - pages) / 9 }, { name: "time", unit: "seconds", limit: 14_400, used: seconds, share: seconds / 14_400, seconds_left: 14_400 - seconds }],
      importance: { covered: 0.412, of: "the PageRank personalised to the seeds", text: "at least 41.2 % of the PageRank personalised to the seeds" }, refresh: null,
      memory: { budget: 1024 * MiB, resident: 292 * MiB + t * 8000, most: 300 * MiB, stage: "normal", parts }, disk: { free: 81 * 1024 * MiB, total: 200 * 1024 * MiB, crawl: 611 * MiB }, policy: "lipr", pauses: this.pauses, blocks: [...this.blocked].map((value) => ({ what: /^[a-z0-9.-]+$/.test(value) ? "host" : "pattern", value, since: this.time() })),
      last_url: hostile.url, last_error: hostile.error, problems: 4, fleet: this.fleetOn ?? false, changes: this.changes.length };
  }

  curves(since = 0) {
    const steps = Array.from({ length: 180 }, (_, i) => 10 * (i + 1)).filter((s) => s > since);
    const of = (f) => steps.map((s) => Math.max(0, Math.round(f(s))));
    return { from: steps[0] ?? 0, seconds: steps, pages: of((s) => 12_340 * (s / 1800) ** 0.9), pages_per_second: steps.map((s) => 7 + 3 * Math.sin(s / 60) + Math.cos(s / 13)), bytes: of((s) => 41_000 * 12_340 * (s / 1800)), bytes_per_second: steps.map((s) => 400_000 + 90_000 * Math.sin(s / 90)), failed: of((s) => 1460 * (s / 1800) ** 1.4),
      frontier: of((s) => 90_000 * (1 - Math.exp(-s / 400)) - s), known: of((s) => 240_000 * (s / 1800) ** 0.7), memory: of((s) => 290 * MiB * (1 - Math.exp(-s / 500))), memory_parts: Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, of((s) => bytes * (1 - Math.exp(-s / 500)))])),
      covered: steps.map((s) => 0.412 * (s / 1800) ** 0.5), freshness: steps.map(() => null) };
  }

  queued(i, host = `host${i % 7}.example`) {
    const states = [["ready", "nothing blocks it", 0], ["delay", "its host is asked every 1 s", 0.6], ["backing-off", "its host fails: timed out, 3 failures in a row", 55], ["robots-unknown", "robots.txt of its host is being read", null], ["in-flight", "it is being fetched", 0]];
    const [state, reason, opens_in] = states[i % states.length];
    return { url: i === 1 ? hostile.url : `https://${host}/articles/${i}?page=${this.tick % 10}`, host: i === 1 ? hostile.host : host, score: i ? 0.02 / (i + 1) : null, depth: i % 5, tries: i % 3, state, reason, opens_in };
  }

  hostRow(i) {
    const state = this.blocked.has(`host${i}.example`) ? "blocked" : this.pauses.some((one) => one.value === `host${i}.example`) ? "paused" : i === 3 ? "waiting" : hostStates[i % hostStates.length];
    return { host: i === 5 ? hostile.host : `host${i}.example`, state, reason: i === 3 ? "it answers slowly: 12 s on average" : state === "backing-off" ? "timed out, 3 failures in a row" : `state: ${state}`, queued: 4000 - 9 * i, known: 9000 - 9 * i, fetched: 800 - i, failed: i % 9, bytes: (800 - i) * 40_000, active: state === "active" ? 1 : 0,
      delay: i === 3 ? 24 : 1 + (i % 4), next_in: state === "waiting" ? 3.2 : state === "backing-off" ? 61 : 0, response_ms: i === 3 ? 12_000 : 80 + i, failures: state === "backing-off" ? 3 : 0, robots: ["allows all", "has rules", "unknown"][i % 3], last_error: state === "backing-off" ? hostile.error : null };
  }

  hosts(query) {
    let list = Array.from({ length: 412 }, (_, i) => this.hostRow(i));
    const all = list.length;
    if (query.get("filter")) list = list.filter((row) => row.host.includes(query.get("filter")));
    if (query.get("state")) list = list.filter((row) => row.state === query.get("state"));
    const sort = query.get("sort") ?? "queued";
    const sign = query.get("order") === "up" ? 1 : -1;
    list.sort((a, b) => sign * (typeof a[sort] === "string" ? a[sort].localeCompare(b[sort]) : (a[sort] ?? -1) - (b[sort] ?? -1)));
    const offset = Number(query.get("offset") ?? 0);
    return { total: list.length, known: all, offset, hosts: list.slice(offset, offset + Number(query.get("limit") ?? 50)) };
  }

  host(name) {
    const number = name === hostile.host ? 5 : Number(name.match(/^host(\d+)\.example$/)?.[1] ?? NaN);
    if (!(number < 412)) return null;
    const row = this.hostRow(number);
    return { host: row, addresses: ["192.0.2.7", "2001:db8::7"], settings: [{ option: "delay", value: "2s", from: `[[site]] ${name}` }], rules: [{ origin: `https://${name}`, text: "user-agent: *\ndisallow: /private/\n# <script>alert(3)</script>", crawl_delay: 2, reached: true, expires_in: 3600 }],
      history: Array.from({ length: 12 }, (_, i) => ({ time: this.time(30 * i), url: `https://${name}/articles/${i}`, outcome: i % 4 ? "fetched" : "not-found", status: i % 4 ? 200 : 404, bytes: 31_000 + i, ms: 120 + i })),
      errors: [{ time: this.time(40), url: hostile.url, outcome: "timed-out", reason: "timed out" }], best: Array.from({ length: 5 }, (_, i) => this.queued(i, name)), paused: row.state === "paused", blocked: row.state === "blocked" };
  }

  problems() {
    const example = (i, reason) => ({ url: `https://host${i}.example/gone/${i}`, reason, time: this.time(9 * i) });
    return { outcomes: [{ kind: "fetched", what: "HTTP 2xx", count: this.pages, failure: false, examples: [] }, { kind: "timed-out", what: "timed out", count: 900, failure: true, examples: [example(3, "timed out"), { url: hostile.url, reason: hostile.error, time: null }] }, { kind: "not-found", what: "HTTP 404 or 410", count: 560, failure: true, examples: [example(1, "HTTP 404"), example(2, "HTTP 410")] }, { kind: "redirect", what: "HTTP 3xx; its target is a link", count: 751, failure: false, examples: [] }],
      broken_links: [{ url: "https://host1.example/gone/1", outcome: "not-found", reason: "HTTP 404", linked_from: 41, from: ["https://host1.example/", hostile.url] }, { url: `https://host2.example/${"part0/".repeat(9)}item.html`, outcome: "not-found", reason: "HTTP 404", linked_from: 1, from: [`https://host2.example/${"part0/".repeat(200)}`] }], dead_seeds: [{ url: "https://nohost.example/", reason: "no such host" }], dead_seeds_total: 1,
      traps: [{ kind: "trap", what: "the URL looks endless", count: 3011, examples: ["https://host4.example/calendar/2031/04"] }, { kind: "near-duplicates", what: "most of its pages are near-duplicates", count: 1, examples: ["host9.example"] }], excluded: [{ rule: "other-host", what: "the host is not in scope", links: 71_000, remedy: "--scope domain, --scope any or --host NAME" }],
      waiting: [{ state: "active", hosts: 31, queued: 9000, examples: ["host0.example"] }, { state: "waiting", hosts: 170, queued: 60_000, examples: ["host1.example"] }, { state: "backing-off", hosts: 44, queued: 12_000, examples: ["host3.example", "host11.example", hostile.host, "host19.example"] }], slow_hosts: [this.hostRow(3)],
      memory: this.status().memory, turned_away: 0, disk: this.status().disk, warnings: 0 };
  }

  fleet() {
    if (!this.fleetOn) return { on: false, running: true, partitions: 0, unassigned: 0, owners: [], processes: [], problem: null };
    const names = ["p1", "p2", "p3"];
    return { on: true, running: true, partitions: 64, unassigned: 4, owners: Array.from({ length: 64 }, (_, i) => (i > 59 ? "" : names[i % 3])), problem: null,
      processes: names.map((name, i) => ({ name, state: i === 2 ? "silent" : "crawling", folder: `fleet/${name}`, pages: 4000 + i, pages_per_second: 3.3, queued: 29_000, partitions: 20, urls_sent: 91_000, urls_received: 88_000, bytes_sent: 7 * MiB, to_send: 120 * i, lag: i === 2 ? 21 : 0.7, problem: null, lease: i !== 2 })) };
  }

  why(url) {
    if (!/^https?:/.test(url)) return null;
    return { url, state: "queued", outcome: undefined, steps_from_seed: 3, tries: 0, scope: "in scope: host1.example", robots: "allowed", robots_rule: "allow: /", score: 0.0123, worth: 0.0123, links_to_it: 25, parents: [{ url: "https://host1.example/", gave: 0.01 }, { url: hostile.url, gave: 0.002, how: "redirect" }, { url: "https://host2.example/late", gave: 0, how: "after it was fetched" }], visits: [] };
  }

  // Carries out a command: the text of what was done.
  act(name, body) {
    this.commands.push([name, body]);
    const value = body.host ?? body.pattern ?? "";
    const what = body.host ? "host" : body.pattern ? "pattern" : "everything";
    if (name === "pause") this.pauses.push({ what, value, since: this.time() });
    if (name === "resume") this.pauses = this.pauses.filter((one) => one.value !== value);
    if (name === "stop") setTimeout(() => this.finish("stopped"));
    if (name === "block") this.blocked.add(value);
    if (name === "unblock") this.blocked.delete(value);
    if (name === "set") Object.assign(this.options.find((one) => one.name === body.option), { values: body.values, from: "command" });
    const change = { number: this.changes.length + 1, time: this.time(), origin: "page 127.0.0.1", command: name, text: `${name} ${JSON.stringify(body)}`, arguments: body };
    this.changes.unshift(change);
    this.send("change", change);
    this.send("status", this.status());
    return { text: `Done: ${name} ${value}`.trim() + ".", affected: null, change, warnings: [] };
  }

  send(event, data) {
    for (const stream of this.streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  step() {
    if (!this.paused && !this.end) ++this.tick;
    this.send("status", this.status());
  }

  finish(reason) {
    this.end = reason;
    this.send("end", this.status());
    for (const stream of this.streams) stream.end();
    this.streams.clear();
  }

  answer(path, query) {
    switch (path) {
      case "status": return this.status();
      case "curves": return this.curves(Number(query.get("since") ?? 0));
      case "next": return { queued: 88_000, pages: Array.from({ length: Number(query.get("limit") ?? 25) }, (_, i) => this.queued(i)) };
      case "why": return this.why(query.get("url"));
      case "hosts": return this.hosts(query);
      case "host": return this.host(query.get("name"));
      case "problems": return this.problems();
      case "fleet": return this.fleet();
      case "options": return { options: this.options };
      case "changes": return { changes: this.changes };
      case "openapi.json": return contract;
    }
    return undefined;
  }

  serveFile(name, response) {
    if (!/^(live\/)?[a-z_]+\.[a-z]+$/.test(name)) return this.json(response, 404, { error: "no such file" });
    const policy = readFileSync(new URL("live/policy.txt", kAssets), "utf8").trim();
    try {
      const text = readFileSync(new URL(name, kAssets));
      response.writeHead(200, { "Content-Type": kTypes[name.split(".").at(-1)], "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache" });
      response.end(text);
    } catch {
      this.json(response, 404, { error: "no such file" });
    }
  }

  json(response, code, value) {
    response.writeHead(code, { "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    response.end(JSON.stringify(value));
  }

  stream(request, response) {
    if (this.noStreams) return this.json(response, 503, { error: "too many streams" });
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    ++this.streamsOpened;
    this.streams.add(response);
    response.write(`event: ${this.end ? "end" : "status"}\ndata: ${JSON.stringify(this.status())}\n\n`);
    request.on("close", () => this.streams.delete(response));
  }

  async serve(request, response) {
    const url = new URL(request.url, "http://mock");
    if (url.pathname === "/") return this.serveFile("live/index.html", response);
    if (url.pathname.startsWith("/assets/")) return this.serveFile(url.pathname.slice(8), response);
    const trusted = request.headers.authorization === `Bearer ${this.token}`;
    if (this.closed && !trusted) return this.json(response, 401, { error: "a token is needed" });
    if (url.pathname === "/api/v1/events") return this.stream(request, response);
    if (request.method === "POST") {
      let text = "";
      for await (const piece of request) text += piece;
      if (!trusted) return this.json(response, 401, { error: "this token is not valid" });
      if (!contract.paths[url.pathname]?.post) return this.json(response, 404, { error: "no such command" });
      const body = JSON.parse(text);
      const wrong = faults(body, bodySchema(url.pathname));
      if (wrong.length) return this.json(response, 400, { error: wrong.join("; ") });
      return this.json(response, 200, this.act(url.pathname.split("/").at(-1), body));
    }
    const answer = url.pathname.startsWith("/api/v1/") ? this.answer(url.pathname.slice(8), url.searchParams) : undefined;
    if (answer === undefined) return this.json(response, 404, { error: "there is no such call" });
    if (answer === null) return this.json(response, url.pathname.endsWith("/why") ? 400 : 404, { error: "no such URL or host" });
    return this.json(response, 200, answer);
  }

  async start() {
    this.server = createServer((request, response) => this.serve(request, response).catch((failure) => this.json(response, 500, { error: String(failure) })));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.address = `http://127.0.0.1:${this.server.address().port}/`;
    this.timer = setInterval(() => this.step(), 500);
    return this;
  }

  stop() {
    clearInterval(this.timer);
    for (const stream of this.streams) stream.end();
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const mock = await new Mock().start();
  console.log(`${mock.address}#token=${mock.token}`);
}
