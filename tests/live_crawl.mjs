// A test Web and a crawl of it with --listen, for tests of the live page.
import { spawn } from "node:child_process";

const kLongest = 60_000;

// Starts the program and waits for a line that matches; resolves to the process and the match.
function start(program, args, pattern) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
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

// options: further ones of `crawl`. The address is that of the page, the token what follows #token=.
export async function startCrawl(program, folder, web, options = [], seeds = [web.page]) {
  const { child, match, said } = await start(program, ["crawl", ...seeds, "--out", folder, "--contact", "test@example.org", "--connect-to", `127.0.0.1:${web.port}`, "--allow-net", "127.0.0.0/8",
    "--scope", "any", "--listen", "127.0.0.1:0", ...options], /(http:\/\/127\.0\.0\.1:\d+\/)#token=(\S+)/);
  return { child, address: match[1], token: match[2], said, stop: () => { child.kill("SIGINT"); return child.ended; } };
}
