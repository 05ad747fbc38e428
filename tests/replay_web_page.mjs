// Opens URLs of a WACZ in ReplayWeb.page: node replay_web_page.mjs PACKAGE_FOLDER CHROMIUM WACZ URL...
// PACKAGE_FOLDER: npm's replaywebpage, unpacked. One line of JSON for each URL: the text that the page shows, and every
// request that would have left this machine.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { Browser } from "./browser.mjs";

const [folder, chromium, wacz, ...urls] = process.argv.slice(2);
const size = fs.statSync(wacz).size;

function send(response, file, type, range) {
  const total = fs.statSync(file).size;
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? "");
  let [begin, end] = [0, total - 1];
  if (match) {
    begin = match[1] ? Math.min(Number(match[1]), total - 1) : Math.max(0, total - Number(match[2]));
    end = match[1] && match[2] ? Math.min(Number(match[2]), total - 1) : total - 1;
  }
  response.writeHead(match ? 206 : 200, { "Content-Type": type, "Content-Length": end - begin + 1, "Accept-Ranges": "bytes",
    ...(match ? { "Content-Range": `bytes ${begin}-${end}/${total}` } : {}) });
  fs.createReadStream(file, { start: begin, end }).pipe(response);
}

const page = (url) => `<!doctype html><title>replay</title><script src="/ui.js"></script>
<replay-web-page source="/capture.wacz" url="${url.replace(/&/g, "&amp;").replace(/"/g, "&quot;")}" embed="replayonly" replayBase="/replay/"></replay-web-page>`;

const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://127.0.0.1");
  if (pathname === "/") {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(page(searchParams.get("url")));
  } else if (pathname === "/capture.wacz") {
    send(response, wacz, "application/wacz", request.headers.range);
  } else if (pathname === "/ui.js" || pathname === "/replay/ui.js") {
    send(response, path.join(folder, "ui.js"), "text/javascript");
  } else if (pathname === "/replay/sw.js") {
    send(response, path.join(folder, "sw.js"), "text/javascript");
  } else if (pathname === "/replay/" || pathname === "/replay/index.html") {
    send(response, path.join(folder, "index.html"), "text/html");
  } else {
    response.writeHead(404);
    response.end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const base = `http://127.0.0.1:${server.address().port}`;

// The text of the innermost frame, which shows the captured page.
const shown = `(() => {
  const frames = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      if (node.tagName !== "IFRAME") continue;
      try { if (node.contentDocument) { frames.push(node); walk(node.contentDocument); } } catch {}
    }
  };
  walk(document);
  const inner = frames.filter((frame) => / ?mp_\\//.test(frame.contentWindow.location.href)).at(-1);
  return inner && inner.contentDocument.readyState === "complete" ? inner.contentDocument.body.innerText : null;
})()`;

const browser = await Browser.start(chromium);
try {
  for (const url of urls) {
    browser.problems.length = 0;
    await browser.open(`${base}/?url=${encodeURIComponent(url)}`);
    let text = null;
    for (let i = 0; i < 150 && !text; ++i) {
      await new Promise((done) => setTimeout(done, 200));
      text = await browser.run(shown);
    }
    const outside = browser.problems.filter((line) => line.startsWith("request: ") && !line.includes(base) && !/^request: (data|blob|about):/.test(line));
    console.log(JSON.stringify({ url, text, outside, size }));
  }
} finally {
  await browser.close();
  server.close();
}
