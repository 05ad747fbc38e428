// Serves npm's replaywebpage, unpacked in `folder`, and a WACZ on loopback: a page of the replayonly embed for each URL.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

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

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
const page = (url) => `<!doctype html><title>replay</title><style>body{margin:0}replay-web-page{position:fixed;inset:0}</style><script src="/ui.js"></script>
<replay-web-page source="/capture.wacz" url="${escaped(url)}" embed="replayonly" replayBase="/replay/"></replay-web-page>`;

// { base, address(url), close() }
export async function serve(folder, wacz) {
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
  return { base, address: (url) => `${base}/?url=${encodeURIComponent(url)}`, close: () => server.close() };
}

// The text of the captured page, once it is shown; null: it never was. Before the first page ReplayWeb.page starts a service
// worker and copies the list of pages into a database, which takes long on a busy machine: 20 s for 5,000 pages.
export async function shown_text(browser, seconds = 120) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const text = await browser.run(`(() => { const inner = ${innermost}; return inner && inner.contentDocument.body?.innerText; })()`);
    if (text) return text;
    await new Promise((done) => setTimeout(done, 200));
  }
  return null;
}

// An expression for the page: the innermost frame, which shows the captured page; null: not yet.
export const innermost = `(() => {
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
  return inner && inner.contentDocument.readyState === "complete" ? inner : null;
})()`;
