// A test Web and a crawl of it with --listen, and what asks such a crawl, for tests of the live page.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { answerSchema, bodySchema, faults } from "./openapi_check.mjs";

const kLongest = 60_000;
const running = new Set();
process.once("exit", () => { for (const child of running) child.kill("SIGKILL"); });

// Starts the program and waits for a line that matches; resolves to the process and the match.
export function start(program, args, pattern, options = {}) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  running.add(child);
  child.once("exit", () => running.delete(child));
  let said = "";
  child.ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => { child.kill(); reject(new Error(`${args[0]}: nothing like ${pattern} in: ${said}`)); }, kLongest);
    const hear = (text) => {
      said += text;
      const match = said.match(pattern);
      if (!match) return;
      clearTimeout(late);
      resolve({ child, match, said: () => said });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", hear);
    child.ended.then((code) => { clearTimeout(late); reject(new Error(`${args[0]} ended with ${code}: ${said}`)); });
  });
}

export async function startWeb(program, graph, options = []) {
  const { child, match } = await start(program, ["web", "serve", graph, "--port", "0", ...options], /ready port=(\d+).* page=(\S+)/);
  return { child, port: Number(match[1]), page: match[2], stop: () => { child.kill(); return child.ended; } };
}

// The options of a crawl of the test Web.
export const crawlOptions = (web) => ["--contact", "test@example.org", "--connect-to", `127.0.0.1:${web.port}`, "--allow-net", "127.0.0.0/8", "--scope", "any"];

// A page that a command serves: its address, what follows #token=, and calls of its API that must keep the contract.
export async function startLive(program, words) {
  const { child, match, said } = await start(program, words, /(https?:\/\/[^\s"]+?:\d+\/)#token=([^\s"]+)/);
  const live = { child, address: match[1], token: match[2], said, stop: () => { child.kill("SIGINT"); return child.ended; }, kill: () => { child.kill("SIGKILL"); return child.ended; } };
  live.get = async (call, code = 200, headers = {}) => {
    const response = await fetch(`${live.address}api/v1/${call}`, { headers });
    const answer = await response.json();
    const schema = answerSchema("GET", `/api/v1/${call.split("?")[0]}`, String(response.status));
    assert.deepEqual(faults(answer, schema).slice(0, 10), [], `${call}: ${JSON.stringify(answer).slice(0, 400)}`);
    assert.equal(response.status, code, `${call}: ${JSON.stringify(answer).slice(0, 400)}`);
    return answer;
  };
  live.command = async (name, body, code = 200) => {
    if (code === 200) assert.deepEqual(faults(body, bodySchema(`/api/v1/commands/${name}`)), []);
    const response = await fetch(`${live.address}api/v1/commands/${name}`, { method: "POST", headers: { Authorization: `Bearer ${live.token}`, "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await response.json();
    assert.deepEqual(faults(answer, answerSchema("POST", `/api/v1/commands/${name}`, String(response.status))), [], JSON.stringify(answer));
    assert.equal(response.status, code, `${name} ${JSON.stringify(body)}: ${answer.error}`);
    return answer;
  };
  return live;
}

// options: further ones of `crawl`.
export const startCrawl = (program, folder, web, options = [], seeds = [web.page]) => startLive(program, ["crawl", ...seeds, "--out", folder, ...crawlOptions(web), "--listen", "127.0.0.1:0", ...options]);

// Every call of the API that reads; url and host: known to the crawl.
export async function readEverything(live, url, host) {
  const calls = ["status", "curves", "curves?since=1&points=10", "next", "next?limit=5", "hosts", "hosts?sort=delay&order=up&limit=7&offset=2", "hosts?state=waiting", `hosts?filter=${encodeURIComponent(host)}`, `host?name=${encodeURIComponent(host)}`, "problems", "fleet", "options", "changes", "changes?limit=3",
    `why?url=${encodeURIComponent(url)}`, "openapi.json"];
  const answers = {};
  for (const call of calls) answers[call.split("?")[0]] ??= await live.get(call);
  for (const [call, code] of [["hosts?sort=colour", 400], ["next?limit=0", 400], ["why", 400], ["host?name=nobody.example", 404]]) await live.get(call, code);
  return answers;
}

// The same change by `bowerbird ctl`.
export function ctl(program, folder, name, body = {}) {
  const words = body.urls ?? (body.option ? [body.option, ...body.values] : body.url ? [body.url] : body.host && name !== "retry" ? [body.host] : []);
  const flags = [...(body.sitemaps ?? []).flatMap((url) => ["--sitemap", url]), ...(body.pattern ? ["--pattern", body.pattern] : []), ...(body.outcome ? ["--outcome", body.outcome] : [])];
  const done = spawnSync(program, ["ctl", folder, name, ...flags, "--", ...words], { encoding: "utf8", timeout: kLongest });
  return { code: done.status, text: done.stdout + done.stderr };
}

export async function until(what, good, seconds = 60) {
  for (let i = 0; i < seconds * 20; ++i) {
    const found = await good();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail(`it never happened: ${what}`);
}

// Runs the checks in order; each has a name and may fail alone. close: in any case.
export async function run(checks, close, context = () => "") {
  try {
    for (const [name, check] of Object.entries(checks)) {
      const began = Date.now();
      try {
        await check();
        console.log(`ok ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
      } catch (failure) {
        console.log(`FAILED ${name}: ${failure.stack}\n${context().slice(-2000)}`);
        process.exitCode = 1;
      }
    }
  } finally {
    await close();
  }
  process.exit();  // whatever a check that failed has left running
}
