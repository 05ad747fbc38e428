// Who may do what with a crawl that runs, and that nobody slows it: addresses, tokens, TLS, foreign sites, Unix sockets, slow
// and too many clients; `watch` of a crawl that runs and of one that has ended; `recrawl --listen`.
// usage: node live_access.mjs BOWERBIRD FOLDER. As root it runs once more in a network of its own, with an address that is
// not loopback.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { connect } from "node:net";
import { crawlOptions, ctl, readEverything, run, start, startCrawl, startLive, startWeb, until } from "./live_crawl.mjs";

const [, , bowerbird, folder, inside] = process.argv;
const kOther = "10.9.8.7";  // only in a network of our own
mkdirSync(folder, { recursive: true });
const web = await startWeb(bowerbird, "synthetic:pages=20000", ["--latency", "30", "--fault", "not-found=0.05"]);
const slowly = ["--delay", "0.3s", "--connections", "20", "--commit", "0.3s"];
const json = { "Content-Type": "application/json" };
const bearer = (token) => ({ Authorization: `Bearer ${token}` });

// The status code of a request whose headers are as given; fetch() sets Host and Origin itself.
function codeOf(address, path, { method = "GET", headers = {}, body = "", ...more } = {}) {
  const url = new URL(path, address);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).request(url, { method, headers: { ...headers, "Content-Length": Buffer.byteLength(body) }, agent: false, ...more }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    request.on("error", reject);
    request.end(body);
  });
}

const mode = (path) => (lstatSync(path).mode & 0o777).toString(8);

// TCP ports that the process listens on.
function ports(pid) {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => { try { return readlinkSync(`/proc/${pid}/fd/${fd}`).match(/^socket:\[(\d+)\]$/)?.[1]; } catch { return null; } }));
  return ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/net/${name}`, "utf8").split("\n").slice(1).map((line) => line.trim().split(/\s+/)).filter((row) => row[3] === "0A" && own.has(row[9])));
}

const loopback = {
  async withoutListenNoPortIsOpen() {
    const out = `${folder}/quiet`;
    const { child } = await start(bowerbird, ["crawl", web.page, "--out", out, ...crawlOptions(web), ...slowly], /new crawl/);
    await until("it can be asked", () => ctl(bowerbird, out, "status").code === 0);
    assert.deepEqual(ports(child.pid), []);
    assert.equal(mode(`${out}/control.sock`), "600");
    assert.equal(ctl(bowerbird, out, "stop").code, 0);
    assert.equal(await child.ended, 0);
    assert.match(ctl(bowerbird, out, "report").text, /has ended; use `bowerbird report/);
  },

  async readingIsOpenAndChangingNeedsTheToken() {
    const out = `${folder}/tokens`;
    const crawl = await startCrawl(bowerbird, out, web, slowly);
    assert.equal(ports(crawl.child.pid).length, 1);
    for (const name of ["control.sock", "control.token", "control.read-token"]) assert.equal(mode(`${out}/${name}`), "600", name);
    const token = readFileSync(`${out}/control.token`, "utf8").trim();
    const reader = readFileSync(`${out}/control.read-token`, "utf8").trim();
    assert.equal(token, crawl.token);
    assert.notEqual(token, reader);
    const call = "api/v1/commands/pause";
    const post = (headers, body = "{}") => codeOf(crawl.address, call, { method: "POST", headers, body });
    assert.equal(await codeOf(crawl.address, "api/v1/status"), 200);
    assert.equal(await codeOf(crawl.address, "metrics"), 200);
    assert.equal(await post(json), 401);
    assert.equal(await post({ ...json, ...bearer("wrong") }), 401);
    assert.equal(await post({ ...json, ...bearer(reader) }), 403);
    assert.equal(await post(bearer(token)), 415);
    assert.equal(await post({ ...bearer(token), "Content-Type": "text/plain" }), 415);
    assert.equal(await post({ ...bearer(token), ...json }, "{"), 400);
    assert.equal(await post({ ...bearer(token), ...json }, '{"what":1}'), 400);
    assert.equal(await codeOf(crawl.address, call), 405);
    assert.equal(await codeOf(crawl.address, call, { headers: bearer(token) }), 405);
    assert.equal(await codeOf(crawl.address, "api/v1/status", { method: "POST", headers: { ...json, ...bearer(token) } }), 405);
    // Other sites, and other names.
    for (const origin of ["https://evil.example", "null", `http://127.0.0.1:1`]) {
      assert.equal(await codeOf(crawl.address, "api/v1/status", { headers: { Origin: origin } }), 403, origin);
      assert.equal(await post({ ...json, ...bearer(token), Origin: origin }), 403, origin);
    }
    for (const host of ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:80"]) assert.equal(await codeOf(crawl.address, "api/v1/status", { headers: { Host: host } }), 421, host);
    assert.equal(await codeOf(crawl.address, "", { headers: { Host: "evil.example" } }), 421);
    assert.equal(await codeOf(crawl.address, "api/v1/status", { headers: { Host: `localhost:${new URL(crawl.address).port}` } }), 200);
    assert.equal((await crawl.get("changes")).changes.length, 0, "nothing of this changed anything");
    const page = await fetch(crawl.address);
    assert.match(page.headers.get("content-security-policy"), /default-src 'none'/);
    assert.ok(!/unsafe/.test(page.headers.get("content-security-policy")));
    // Addresses that the crawl may not ask.
    const { text } = await crawl.command("fetch", { url: "http://169.254.169.254/latest/meta-data/" });
    assert.match(text, /fetched next/);
    assert.equal(await post({ ...json, ...bearer(token) }), 200);
    await crawl.stop();
  },

  // Without --connect-to, which replaces all addresses.
  async whatIsAskedForObeysRobotsTxtAndTheAddressFilter() {
    const asked = [];
    const site = http.createServer(({ url }, response) => {
      asked.push(url);
      response.setHeader("Content-Type", url === "/robots.txt" ? "text/plain" : "text/html");
      response.end(url === "/robots.txt" ? "User-agent: *\nDisallow: /private\n" : `<a href="/${asked.length}">next</a>`);
    });
    await new Promise((resolve) => { site.listen(0, "127.0.0.1", resolve); });
    const own = `http://127.0.0.1:${site.address().port}/`;
    const crawl = await startLive(bowerbird, ["crawl", own, "--out", `${folder}/asked`, "--contact", "test@example.org", "--allow-net", "127.0.0.0/8", "--scope", "any", "--delay", "0.3s", "--listen", "127.0.0.1:0"]);
    for (const url of [`${own}private/a`, "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/"]) await crawl.command("fetch", { url });
    await crawl.command("seed", { urls: [`${own}private/b`, `${own}open`, "http://192.168.7.7/", `http://[::1]:${site.address().port}/`], sitemaps: [`${own}private/map.xml`] });
    const outcome = (url) => until(`${url} is done`, async () => (await crawl.get(`why?url=${encodeURIComponent(url)}`)).outcome);
    for (const path of ["private/a", "private/b", "private/map.xml"]) assert.equal(await outcome(own + path), "robots", path);
    for (const url of ["http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://192.168.7.7/", `http://[::1]:${site.address().port}/`]) assert.equal(await outcome(url), "refused-address", url);
    assert.equal(await outcome(`${own}open`), "fetched");
    assert.deepEqual(asked.filter((path) => path.startsWith("/private")), []);
    await crawl.stop();
    site.close();
  },

  // Whoever runs as somebody else: root may ask, others may not.
  async aSocketOfTheFolder() {
    let deep = `${folder}/deep`;
    for (let i = 0; i < 4; ++i) deep += `/${"x".repeat(50)}`;
    mkdirSync(deep, { recursive: true });
    const out = `${deep}/crawl`;
    let crawl = await startCrawl(bowerbird, out, web, slowly);
    assert.equal(ctl(bowerbird, out, "status").code, 0, "a path of more than 108 bytes");
    await crawl.kill();
    assert.ok(lstatSync(`${out}/control.sock`).isSocket(), "what a kill leaves");
    crawl = await startCrawl(bowerbird, out, web, slowly);
    assert.equal(ctl(bowerbird, out, "status").code, 0, "it was replaced");
    await crawl.kill();
    // A link to the socket of another crawl is neither followed nor replaced.
    const other = await startCrawl(bowerbird, `${folder}/other`, web, slowly);
    renameSync(`${out}/control.sock`, `${out}/old.sock`);
    symlinkSync(`${folder}/other/control.sock`, `${out}/control.sock`);
    assert.notEqual(ctl(bowerbird, out, "pause").code, 0);
    assert.equal((await other.get("status")).phase, "running");
    crawl = await startCrawl(bowerbird, out, web, slowly);
    assert.match(crawl.said(), /control\.sock/);
    assert.ok(lstatSync(`${out}/control.sock`).isSymbolicLink());
    await Promise.all([crawl.stop(), other.stop()]);
  },

  async slowAndTooManyClientsAreNoHindrance() {
    const crawl = await startCrawl(bowerbird, `${folder}/clients`, web, slowly);
    const { hostname, port } = new URL(crawl.address);
    const sockets = [];
    const open = (text) => new Promise((resolve) => {
      const socket = connect(port, hostname, () => { socket.write(text); resolve(); });
      socket.on("error", () => resolve());
      sockets.push(socket);
    });
    for (let i = 0; i < 300; ++i) await open(`GET /api/v1/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);  // 256 at most; none of them reads
    for (let i = 0; i < 2200; ++i) await open("GET /api/v1/sta");
    for (const text of ["\0\0\0\0", `POST /api/v1/commands/pause HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 99999999999\r\n\r\n`, `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(20_000)}\r\n`, `GET /${"a".repeat(100_000)} HTTP/1.1\r\n\r\n`]) await open(text);
    const { pages } = await crawl.get("status");
    await until("it goes on", async () => (await crawl.get("status")).pages > pages + 20);
    await crawl.command("pause", {});
    const metrics = await (await fetch(`${crawl.address}metrics`)).text();
    assert.ok(Number(metrics.match(/bowerbird_\w*streams\S* (\d+)/)?.[1] ?? 0) <= 256, "event streams");
    for (const socket of sockets) socket.destroy();
    await crawl.stop();
  },

  async watchShowsACrawlThatRunsAndOneThatHasEnded() {
    const out = `${folder}/watched`;
    const crawl = await startCrawl(bowerbird, out, web, [...slowly, "--exclude", "/never/"]);
    await until("pages are fetched", async () => (await crawl.get("status")).failed > 2);
    const { host } = (await crawl.get("hosts?sort=fetched&limit=1")).hosts[0];
    let watch = await startLive(bowerbird, ["watch", out, "--listen", "127.0.0.1:0"]);
    const live = await readEverything(watch, web.page, host);
    assert.equal(live.status.phase, "running");
    assert.ok(live.next.pages.length > 0);
    await watch.command("set", { option: "delay", values: ["0.2s"] });
    assert.equal((await crawl.get("changes")).changes[0].text, "set delay to 0.2s (was 0.3s)");
    await until("the page that watch serves has it", async () => (await watch.get("status")).changes === 1);
    assert.equal(await codeOf(watch.address, "api/v1/commands/pause", { method: "POST", headers: json, body: "{}" }), 401);
    await watch.command("stop", {});
    assert.equal(await crawl.child.ended, 0);
    await until("the end is shown", async () => (await watch.get("status")).phase === "finished");
    await watch.stop();
    watch = await startLive(bowerbird, ["watch", out, "--listen", "127.0.0.1:0"]);
    const ended = await readEverything(watch, web.page, host);
    assert.equal(ended.status.phase, "finished");
    assert.ok(ended.next.pages.length === 25 && ended.next.pages[0].state === "ended", JSON.stringify(ended.next).slice(0, 300));
    assert.ok(ended.host.history.length > 0 && ended.host.rules.length + ended.host.best.length > 0, JSON.stringify(ended.host).slice(0, 500));
    assert.ok(ended.problems.broken_links.length > 0 && ended.problems.broken_links[0].from.length > 0, JSON.stringify(ended.problems.broken_links).slice(0, 300));
    assert.equal(ended.changes.changes.length, 2);
    await watch.command("pause", {}, 409);
    await watch.stop();
    // Once more, as a round of visits.
    const again = await startLive(bowerbird, ["recrawl", out, "--listen", "127.0.0.1:0"]);
    const fetched = async () => { const { pages, refresh } = await again.get("status"); return pages + (refresh?.visits ?? 0); };
    const first = await fetched();
    await until("it fetches pages", async () => (await fetched()) > first + 3);
    await readEverything(again, web.page, host);
    await again.command("stop", {});
    assert.equal(await again.child.ended, 0);
  },
};

// In a network of its own, where kOther is an address of this machine.
const elsewhere = {
  async otherAddressesNeedATokenAndTls() {
    const at = `${kOther}:0`;
    const words = ["crawl", web.page, "--out", `${folder}/tls`, ...crawlOptions(web), ...slowly, "--listen", at];
    const refused = spawnSync(bowerbird, words, { encoding: "utf8" });
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /needs a token and TLS/);
    const [token, reader, cert, key] = ["token", "reader", "cert.pem", "key.pem"].map((name) => `${folder}/${name}`);
    writeFileSync(token, "the-token-that-changes\n", { mode: 0o600 });
    writeFileSync(reader, "the-token-that-reads\n", { mode: 0o600 });
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test", "-addext", `subjectAltName=IP:${kOther}`, "-keyout", key, "-out", cert], { stdio: "ignore" });
    const crawl = await startLive(bowerbird, [...words, "--listen-token", token, "--listen-read-token", reader, "--listen-certificate", cert, "--listen-key", key]);
    assert.ok(crawl.address.startsWith(`https://${kOther}:`), crawl.address);
    assert.equal(crawl.token, "the-token-that-changes");
    const ca = readFileSync(cert);
    const code = (path, more = {}) => codeOf(crawl.address, path, { ca, ...more });
    for (const path of ["", "assets/live/app.js", "healthz", "readyz"]) assert.equal(await code(path), 200, path);
    for (const path of ["api/v1/status", "api/v1/events", "api/v1/next", "metrics"]) {
      assert.equal(await code(path), 401, path);
      assert.equal(await code(path, { headers: bearer("wrong") }), 401, path);
    }
    for (const path of ["api/v1/status", "api/v1/next", "metrics"]) assert.equal(await code(path, { headers: bearer("the-token-that-reads") }), 200, path);
    const post = (given) => code("api/v1/commands/pause", { method: "POST", headers: { ...json, ...bearer(given) }, body: "{}" });
    assert.equal(await post("the-token-that-reads"), 403);
    assert.equal(await post("the-token-that-changes"), 200);
    assert.equal(await code("api/v1/status", { headers: { ...bearer("the-token-that-reads"), Host: "evil.example" }, servername: "", checkServerIdentity: () => undefined }), 421);
    await assert.rejects(codeOf(crawl.address.replace("https:", "http:"), "healthz"), "no plain HTTP");
    await crawl.stop();
  },
};

if (inside) {
  execFileSync("ip", ["addr", "add", `${kOther}/32`, "dev", "lo"]);
} else {
  loopback.anAddressThatOthersReach = async () => {
    const done = spawnSync("unshare", ["--net", "sh", "-c", 'ip link set lo up && exec "$0" "$@"', process.execPath, ...process.argv.slice(1, 4).map((word, i) => (i === 2 ? `${word}/net` : word)), "inside"], { encoding: "utf8", timeout: 120_000 });
    if (/Operation not permitted/.test(done.stderr)) return console.log("skipped: no right to make a network");
    return assert.equal(done.status, 0, done.stdout + done.stderr);
  };
}
await run(inside ? elsewhere : loopback, web.stop);
