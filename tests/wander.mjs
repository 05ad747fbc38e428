// Lets a browser wander: opens a page, then clicks link after link, and tells what it sees on each page.
//
//   node wander.mjs BROWSER PROFILE-FOLDER URL CLICKS
//
// A line of JSON a page: {url, title, links}, links in the order of the page as the browser resolves them. Which link is
// clicked depends on the number of the click alone. Talks to the browser by the DevTools protocol through pipes.
import { spawn } from "node:child_process";

const [browser, profile, start, clicks] = process.argv.slice(2);
const child = spawn(
  browser,
  ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
    `--user-data-dir=${profile}`],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
);
const deadline = setTimeout(() => fail("the browser took too long"), 120_000);
child.on("exit", () => fail("the browser ended"));

function fail(why) {
  console.error(why);
  child.kill("SIGKILL");
  process.exit(1);
}

let sent = 0;
const answers = new Map();
const events = new Map();
let session;

function ask(method, params = {}) {
  const id = ++sent;
  child.stdio[3].write(JSON.stringify({ id, method, params, sessionId: session }) + "\0");
  return new Promise((resolve) => answers.set(id, resolve));
}

const next = (event) => new Promise((resolve) => events.set(event, resolve));

let unread = "";
child.stdio[4].setEncoding("utf8").on("data", (piece) => {
  const messages = (unread + piece).split("\0");
  unread = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) {
    if (message.error) fail(`${message.error.message}`);
    if (message.id) answers.get(message.id)(message.result);
    else events.get(message.method)?.(message.params);
  }
});

async function evaluate(expression) {
  const { result, exceptionDetails } = await ask("Runtime.evaluate", { expression, returnByValue: true });
  if (exceptionDetails) fail(exceptionDetails.text);
  return result.value;
}

const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
session = (await ask("Target.attachToTarget", { targetId, flatten: true })).sessionId;
await ask("Page.enable");
let loaded = next("Page.loadEventFired");
await ask("Page.navigate", { url: start });
for (let click = 0; ; ++click) {
  await loaded;
  const page = await evaluate("({url: location.href, title: document.title, links: [...document.links].map(a => a.href)})");
  console.log(JSON.stringify(page));
  if (click == clicks || page.links.length == 0) break;
  loaded = next("Page.loadEventFired");
  await evaluate(`document.links[${(7 * click + 3) % page.links.length}].click()`);
}
clearTimeout(deadline);
child.removeAllListeners("exit");
child.kill("SIGKILL");
