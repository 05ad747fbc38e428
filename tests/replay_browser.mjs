// Compares captured pages with the live ones: node replay_browser.mjs CHROMIUM PAGES SITE_FOLDER PACKAGE WACZ URL...
// PAGES: where a running `bowerbird replay` serves captured pages; SITE_FOLDER: of `export --as site`; PACKAGE: npm's
// replaywebpage, unpacked, or -. One line of JSON for each URL and way to show it: the share of pixels of 1280x800 that
// differ, and every request that would have left this machine or the archive. Scripts are off on both sides, and on on both
// for ReplayWeb.page, which needs them.
import fs from "node:fs";
import path from "node:path";
import { Browser } from "./browser.mjs";
import { serve, shown_text } from "./replay_web_page_server.mjs";

const [chromium, pages, folder, package_folder, wacz, ...urls] = process.argv.slice(2);
const browser = await Browser.start(chromium);
const judge = await Browser.start(chromium);
await browser.size(1280, 800);

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Without browser.open(), which waits by a script: captured pages run none. The page is done when it stays the same.
async function shot(url, shown = () => pause(400)) {
  browser.problems.length = 0;
  browser.url = url;
  const loaded = new Promise((done) => { browser.loaded = done; });
  await browser.call("Page.navigate", { url });
  await loaded;
  await shown();
  let last = "";
  for (let same = 0, i = 0; same < 2 && i < 30; ++i) {
    const next = (await browser.screenshot(false)).toString("base64");
    same = next === last ? same + 1 : 0;
    last = next;
    await pause(300);
  }
  return last;
}

// In a page of its own: PNGs are decoded by the browser.
function compare(a, b) {
  return judge.run(`(async () => {
    const pixels = async (data) => {
      const image = new Image();
      image.src = "data:image/png;base64," + data;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [x, y] = [await pixels("${a}"), await pixels("${b}")];
    let different = 0;
    const colours = new Set();
    for (let i = 0; i < x.length; i += 4) {
      if (Math.abs(x[i] - y[i]) + Math.abs(x[i + 1] - y[i + 1]) + Math.abs(x[i + 2] - y[i + 2]) > 24) ++different;
      if (colours.size < 8) colours.add(x[i] << 16 | x[i + 1] << 8 | x[i + 2]);
    }
    return { different: x.length === y.length ? different / (x.length / 4) : 1, blank: colours.size < 4 };
  })()`);
}

const outside = (...allowed) => browser.problems.filter((line) => line.startsWith("request: ") &&
  !/^request: (data|blob|about):/.test(line) && !allowed.some((base) => line.startsWith("request: " + base)));

// The file of a page, found through the index of the folder.
function file_of(url) {
  const index = fs.readFileSync(path.join(folder, "index.html"), "utf8");
  const text = url.replace(/&/g, "&amp;");
  const row = index.split("<li>").find((part) => part.includes(`class="url">${text}<`));
  return "file://" + folder + "/" + /href="([^"]*)"/.exec(row)[1];
}

const server = package_folder === "-" ? null : await serve(package_folder, wacz);
const scripts = (on) => browser.call("Emulation.setScriptExecutionDisabled", { value: !on });
try {
  for (const url of urls) {
    await scripts(false);
    const live = await shot(url);
    const replayed = await shot(`${pages}web/${url}`);
    console.log(JSON.stringify({ url, through: "bowerbird replay", ...await compare(live, replayed), outside: outside(pages) }));
    const saved = await shot(file_of(url));
    console.log(JSON.stringify({ url, through: "export --as site", ...await compare(live, saved), outside: outside("file:") }));
    if (!server) continue;
    await scripts(true);
    const alive = await shot(url);
    const shown = await shot(server.address(url), () => shown_text(browser));
    console.log(JSON.stringify({ url, through: "ReplayWeb.page", ...await compare(alive, shown), outside: outside(server.base) }));
  }
} finally {
  await browser.close();
  await judge.close();
  server?.close();
}
