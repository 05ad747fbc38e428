// A browser for tests: headless Chromium driven over its debugging pipe, so that nothing is needed but node and
// chromium. See https://chromedevtools.github.io/devtools-protocol/.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Browser {
  static async start(program) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "bowerbird-browser-"));
    browser.process = spawn(program, ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-extensions", "--remote-debugging-pipe", `--user-data-dir=${browser.profile}`, "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.calls = new Map();
    browser.next = 0;
    browser.problems = [];
    let rest = "";
    browser.process.stdio[4].setEncoding("utf8").on("data", (text) => {
      rest += text;
      for (let end; (end = rest.indexOf("\0")) >= 0; rest = rest.slice(end + 1)) browser.hear(JSON.parse(rest.slice(0, end)));
    });
    const { targetId } = await browser.call("Target.createTarget", { url: "about:blank" });
    browser.session = (await browser.call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.call(`${domain}.enable`);
    return browser;
  }

  call(method, params = {}) {
    const id = ++this.next;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + "\0");
    return new Promise((resolve, reject) => this.calls.set(id, { resolve, reject }));
  }

  hear(message) {
    if (message.id) {
      const { resolve, reject } = this.calls.get(message.id);
      this.calls.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
      return;
    }
    const { method, params } = message;
    if (method === "Page.loadEventFired") this.loaded?.();
    if (method === "Runtime.exceptionThrown") this.problems.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
    if (method === "Runtime.consoleAPICalled") this.problems.push(`console ${params.type}: ${params.args.map((arg) => arg.value ?? arg.description).join(" ")}`);
    if (method === "Log.entryAdded") this.problems.push(`log ${params.entry.level}: ${params.entry.text}`);
    if (method === "Page.javascriptDialogOpening") {
      this.problems.push(`dialog: ${params.message}`);
      this.call("Page.handleJavaScriptDialog", { accept: true });
    }
    if (method === "Network.requestWillBeSent" && params.request.url !== this.url) this.problems.push(`request: ${params.request.url}`);
  }

  async open(url) {
    this.url = url;
    const loaded = new Promise((resolve) => { this.loaded = resolve; });
    await this.call("Page.navigate", { url });
    await loaded;
    await this.wait_for_layout();
  }

  // Until layout and what observes it are done: two frames.
  wait_for_layout() {
    return this.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))");
  }

  async run(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async size(width, height = 900) {
    await this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.wait_for_layout();
  }

  async scheme(value) {
    await this.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
    await this.wait_for_layout();
  }

  async press(key) {
    for (const type of ["keyDown", "keyUp"]) await this.call("Input.dispatchKeyEvent", { type, key, code: key });
    await this.wait_for_layout();
  }

  async click(selector) {
    const spot = await this.run(`(() => { const node = document.querySelector(${JSON.stringify(selector)}); node.scrollIntoView({ block: "center" });
      const box = node.getBoundingClientRect(); return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })()`);
    for (const type of ["mousePressed", "mouseReleased"]) await this.call("Input.dispatchMouseEvent", { type, ...spot, button: "left", clickCount: 1 });
    await this.wait_for_layout();
  }

  async move(x, y) {
    await this.call("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
    await this.wait_for_layout();
  }

  async screenshot(whole = true) {
    return Buffer.from((await this.call("Page.captureScreenshot", { captureBeyondViewport: whole })).data, "base64");
  }

  // What keeps tables from being read, on a desk and on a phone: headings that do not stand over their columns,
  // columns beyond the edge without a cue, addresses that are cut.
  async tableFaults() {
    const faults = [];
    for (const width of [1280, 390]) {
      await this.size(width);
      faults.push(...await this.run(`(() => {
        const align = (node) => getComputedStyle(node).textAlign;
        const faults = [];
        for (const table of document.querySelectorAll("table")) {
          const heads = table.querySelectorAll("thead th");
          for (const cell of table.querySelectorAll("tbody tr:first-child > *")) {
            if (align(cell) !== align(heads[cell.cellIndex])) faults.push("${width}: misaligned " + heads[cell.cellIndex].textContent);
          }
        }
        for (const box of document.querySelectorAll(".scroll")) {
          const cue = getComputedStyle(box.parentElement.querySelector(".cue"));
          const cued = cue.display !== "none" && cue.visibility === "visible";
          if (box.checkVisibility() && cued !== box.scrollWidth > box.clientWidth + 1) faults.push("${width}: cue of " + box.ariaLabel);
        }
        for (const address of document.querySelectorAll(".address")) {
          if (address.scrollWidth > address.clientWidth + 1) faults.push("${width}: cut " + address.textContent);
        }
        return faults;
      })()`));
    }
    return faults;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.session = undefined;
    this.call("Browser.close").catch(() => {});
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
