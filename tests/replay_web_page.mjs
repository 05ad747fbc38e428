// Opens URLs of a WACZ in ReplayWeb.page: node replay_web_page.mjs PACKAGE_FOLDER CHROMIUM WACZ URL...
// PACKAGE_FOLDER: npm's replaywebpage, unpacked. URL: one, or @FILE with one per line, which are opened in frames of the
// page that shows the first. One line of JSON for each URL: the text that the page shows, and every request that would have
// left this machine.
import fs from "node:fs";
import { Browser } from "./browser.mjs";
import { innermost, serve, shown_text } from "./replay_web_page_server.mjs";

const [folder, chromium, wacz, ...urls] = process.argv.slice(2);
const size = fs.statSync(wacz).size;
const server = await serve(folder, wacz);
const browser = await Browser.start(chromium);

function report(url, text) {
  const outside = browser.problems.filter((line) => line.startsWith("request: ") && !line.includes(server.base) && !/^request: (data|blob|about):/.test(line));
  console.log(JSON.stringify({ url, text, outside, size }));
}

async function open(url) {
  browser.problems.length = 0;
  await browser.open(server.address(url));
  return shown_text(browser);
}

// In a frame next to the one that shows the first URL, under the same service worker.
function open_in_frame(url) {
  return browser.run(`(async () => {
    const inner = ${innermost};
    const prefix = /^.*?mp_\\//.exec(inner.contentWindow.location.href)[0];
    const home = inner.ownerDocument ?? document;
    const frame = home.createElement("iframe");
    const loaded = new Promise((done) => { frame.onload = done; setTimeout(done, 20000); });
    frame.src = prefix + ${JSON.stringify(url)};
    home.body.append(frame);
    await loaded;
    const text = frame.contentDocument?.body?.innerText ?? null;
    frame.remove();
    return text;
  })()`);
}

try {
  for (const url of urls) {
    if (!url.startsWith("@")) {
      report(url, await open(url));
      continue;
    }
    const listed = fs.readFileSync(url.slice(1), "utf8").split("\n").filter(Boolean);
    const first = await open(listed[0]);
    report(listed[0], first);
    for (const one of first === null ? [] : listed.slice(1)) {
      browser.problems.length = 0;
      report(one, await open_in_frame(one));
    }
  }
} finally {
  await browser.close();
  server.close();
}
