// Opens the list of a running `bowerbird replay` and a hostile page in it: node hostile_capture.mjs CHROMIUM LIST PAGE
// One line of JSON: whether the list ran a script of the capture, its rows, and every request that would have left the replay.
import { Browser } from "./browser.mjs";

const [chromium, list, page] = process.argv.slice(2);
const browser = await Browser.start(chromium);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const seen = [];

// Without browser.open(): captured pages run no script.
async function open(url) {
  browser.problems.length = 0;
  browser.url = url;
  const loaded = new Promise((done) => { browser.loaded = done; });
  await browser.call("Page.navigate", { url });
  await Promise.race([loaded, pause(10000)]);
  await pause(1500);
  seen.push(...browser.problems);
}

try {
  await open(list);
  const title = await browser.run("document.title");
  const rows = await browser.run("[...document.querySelectorAll('a')].filter((link) => link.href.includes('/h/')).length");
  await open(page);
  const ports = [list, page].map((url) => new URL(url).origin);
  const outside = seen.filter((line) => line.startsWith("dialog: ") || (line.startsWith("request: ") &&
    !ports.some((origin) => line.startsWith("request: " + origin + "/"))));
  console.log(JSON.stringify({ list_owned: title === "owned", rows, outside }));
} finally {
  await browser.close();
}
