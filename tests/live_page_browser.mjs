// The live page in a real browser, against a crawl that does not exist (live_mock.mjs): every view and every command.
// usage: node live_page_browser.mjs PLAYWRIGHT CHROMIUM [BOWERBIRD FOLDER [NAME OF A CHECK ...]]
//   PLAYWRIGHT: the folder of npm's playwright-core. BOWERBIRD_SCREENSHOTS=DIR keeps pictures.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { answerSchema, bodySchema, faults } from "./openapi_check.mjs";
import { Mock, hostile } from "./live_mock.mjs";

const [, , playwright, program, , , ...chosen] = process.argv;
const { chromium } = createRequire(import.meta.url)(playwright);
const views = ["now", "problems", "curves", "next", "hosts", "control", "fleet", "host/host3.example", `why/${encodeURIComponent(hostile.url)}`];
const pictures = process.env.BOWERBIRD_SCREENSHOTS;

// Runs `check` with a page on a crawl of its own; afterwards nothing may have gone wrong in the browser.
async function withPage(browser, check, { token = true, ...options } = {}) {
  const mock = await new Mock().start();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const problems = [];
  context.on("page", (page) => {
    page.on("console", (message) => problems.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (failure) => problems.push(`error: ${failure.message}`));
    page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on("request", (request) => { if (!request.url().startsWith(mock.address)) problems.push(`request: ${request.url()}`); });
  });
  const open = async () => {
    const page = await context.newPage();
    await page.goto(token ? `${mock.address}#token=${mock.token}` : mock.address);
    await page.waitForSelector(".phase[data-phase]");
    return page;
  };
  const page = await open();
  try {
    await check({ page, mock, context, open, problems });
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    if (mock.server.listening) await mock.stop();
  }
}

async function go(page, view) {
  await page.evaluate((to) => { location.hash = `#/${to}`; }, view);
  await page.waitForSelector("main .view[data-loaded], main .curves[data-loaded], main .why .facts");
}
const last = (mock) => mock.commands.at(-1);
// What the browser says about answers that the check wants.
const forgive = (problems, pattern) => problems.splice(0, problems.length, ...problems.filter((text) => !pattern.test(text)));
const told = (page, text) => page.waitForFunction((wanted) => document.getElementById("toasts").textContent.includes(wanted), text);

const checks = {
  async updatesLive({ browser }) {
    await withPage(browser, async ({ page, mock }) => {
      assert.equal(await page.evaluate(() => location.hash), "#/now");
      const tile = page.locator('[data-tile="pages_per_second"]');
      const before = await tile.textContent();
      await page.waitForFunction((old) => document.querySelector('[data-tile="pages_per_second"]').textContent !== old, before);
      assert.equal(await page.locator("#sentence").textContent(), mock.status().sentence);
      assert.match(await page.title(), /\/s · mycrawl · Bowerbird/);
      assert.match(await page.locator('[data-budget="pages"]').textContent(), /of 50,000.*left/);
      assert.match(await page.locator('[data-budget="importance"]').textContent(), /personalised to the seeds/);
      await page.waitForSelector(".stack .part");
      await page.waitForSelector('.finding[data-id="backing-off"]');
    });
  },

  async everyActionSendsItsCommand({ browser }) {
    await withPage(browser, async ({ page, mock }) => {
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await told(page, "Done: pause");
      await page.waitForSelector('.phase[data-phase="paused"]');
      assert.match(await page.locator("#sentence").textContent(), /Paused/);
      await page.locator("header").getByRole("button", { name: "Resume" }).click();
      await page.waitForSelector('.phase[data-phase="running"]');
      await go(page, "control");
      const form = (name) => page.locator(`[data-form="${name}"]`);
      const send = async (name) => {
        const count = mock.commands.length;
        await form(name).locator("button[type=submit]").click();
        await page.waitForFunction((least) => document.querySelectorAll("#changes tbody tr").length >= least, count + 1);
      };
      await form("seed").locator("textarea").nth(0).fill("https://a.example/\nhttps://b.example/");
      await form("seed").locator("textarea").nth(1).fill("https://a.example/sitemap.xml");
      await send("seed");
      assert.deepEqual(last(mock), ["seed", { urls: ["https://a.example/", "https://b.example/"], sitemaps: ["https://a.example/sitemap.xml"] }]);
      assert.equal(await form("seed").locator("textarea").nth(0).inputValue(), "", "the form is empty again");
      await form("fetch").locator("input").fill("https://a.example/now");
      await send("fetch");
      assert.deepEqual(last(mock), ["fetch", { url: "https://a.example/now" }]);
      await form("retry").locator("select").selectOption("timed-out");
      await send("retry");
      assert.deepEqual(last(mock), ["retry", { outcome: "timed-out" }]);
      for (const name of ["pause", "resume", "block", "unblock"]) {
        await form(name).locator("input[type=text]").fill("host3.example");
        await send(name);
        assert.deepEqual(last(mock), [name, { host: "host3.example" }]);
        await form(name).getByText("URLs that match").click();
        await form(name).locator("input[type=text]").fill("/calendar/");
        await send(name);
        assert.deepEqual(last(mock), [name, { pattern: "/calendar/" }]);
      }
      await page.locator('[data-option="delay"]').click();
      await page.locator("dialog input").fill("3s");
      await page.getByRole("button", { name: "Change it" }).click();
      await told(page, "Done: set");
      assert.deepEqual(last(mock), ["set", { option: "delay", values: ["3s"] }]);
      await page.waitForFunction(() => document.querySelector("#options").textContent.includes("3s"));
      await page.locator('[data-option="exclude"]').click();
      await page.locator("dialog textarea").fill("/a/\n/b/");
      await page.getByRole("button", { name: "Change it" }).click();
      await page.waitForFunction(() => document.querySelector("#options").textContent.includes("/a/, /b/"));
      assert.deepEqual(last(mock), ["set", { option: "exclude", values: ["/a/", "/b/"] }]);
      assert.equal(await page.locator('[data-option="policy"]').count(), 0, "it may not change");
      assert.equal(await page.locator("#changes tbody tr").count(), mock.changes.length);
      await page.getByRole("button", { name: "Write the report" }).click();
      await told(page, "Done: report");
      await go(page, "host/host7.example");
      await page.getByRole("button", { name: "Block it" }).click();
      await page.getByRole("button", { name: "Unblock it" }).waitFor();
      assert.deepEqual(last(mock), ["block", { host: "host7.example" }]);
      await go(page, `why/${encodeURIComponent("https://host1.example/x")}`);
      await page.getByRole("button", { name: "Fetch it now" }).click();
      await told(page, "Done: fetch");
      await page.locator("header").getByRole("button", { name: "Stop" }).click();
      await page.getByRole("button", { name: "Cancel" }).click();
      assert.notEqual(last(mock)[0], "stop");
      await page.locator("header").getByRole("button", { name: "Stop" }).click();
      await page.getByRole("button", { name: "Stop the crawl" }).click();
      await page.waitForSelector(".banner:not([hidden])");
      assert.deepEqual(last(mock), ["stop", {}]);
    });
  },

  async asksForTheTokenAndKeepsItOutOfTheAddress({ browser }) {
    await withPage(browser, async ({ page, mock, problems }) => {
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await page.locator("#token-input").fill("wrong");
      await page.getByRole("button", { name: "Use it" }).click();
      await told(page, "not valid");
      assert.equal(mock.commands.length, 0);
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await page.locator("#token-input").fill(`${mock.address}#token=${mock.token}`);
      await page.getByRole("button", { name: "Use it" }).click();
      await page.waitForSelector('.phase[data-phase="paused"]');
      assert.ok(!page.url().includes(mock.token));
      assert.equal(await page.evaluate(() => sessionStorage.getItem("bowerbird-token")), mock.token);
      forgive(problems, /status of 401/);
    }, { token: false });
  },

  async asksForTheTokenWhereReadingNeedsIt({ browser }) {
    const mock = await new Mock().start();
    mock.closed = true;
    const page = await browser.newPage();
    await page.goto(mock.address);
    await page.waitForSelector('.link[data-connection="denied"]');
    await page.getByRole("button", { name: "Enter the token" }).click();
    await page.locator("#token-input").fill(mock.token);
    await page.getByRole("button", { name: "Use it" }).click();
    await page.waitForSelector('.link[data-connection="live"]');
    await page.waitForSelector(".next tbody tr");
    assert.equal(await page.locator(".banner:not([hidden])").count(), 0);
    await page.close();
    await mock.stop();
  },

  async aSearchExplainsAUrl({ browser }) {
    await withPage(browser, async ({ page, problems }) => {
      await go(page, "next");
      await page.getByRole("searchbox").fill("host1.example/x");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".why .parents li");
      assert.equal(await page.locator(".why .subject").textContent(), "https://host1.example/x");
      assert.equal(await page.locator(".why .parents li").count(), 3);
      assert.match(await page.locator(".why .parents").textContent(), /\+0\.01/);
      await page.getByRole("searchbox").fill("mailto:somebody");
      await page.getByRole("button", { name: "Ask" }).click();
      await page.waitForSelector(".why .notice:not([hidden])");
      forgive(problems, /status of 400/);
    });
  },

  async hostsAreSortedFilteredAndPaged({ browser }) {
    await withPage(browser, async ({ page }) => {
      await go(page, "hosts");
      const first = () => page.locator(".hosts tbody tr th").first().textContent();
      assert.equal(await first(), "host0.example");
      await page.locator('.hosts button[data-key="delay"]').click();
      await page.waitForFunction(() => document.querySelector(".hosts tbody th").textContent === "host3.example");
      assert.equal(await page.locator('.hosts th[aria-sort="descending"]').textContent(), "Delay");
      await page.getByLabel("Filter").fill("host41");
      await page.waitForFunction(() => document.querySelectorAll(".hosts tbody tr").length === 3);
      await page.getByLabel("Filter").fill("");
      await page.getByLabel("State").selectOption("backing-off");
      await page.waitForFunction(() => [...document.querySelectorAll(".hosts tbody td[data-key=state]")].every((cell) => cell.textContent === "failing"));
      await page.getByLabel("State").selectOption("");
      await page.waitForFunction(() => document.querySelector(".about[role=status]").textContent.includes("of 412"));
      await page.getByRole("button", { name: "Next →" }).click();
      await page.waitForFunction(() => document.querySelector(".about[role=status]").textContent.startsWith("51–100"));
      await page.locator(".hosts tbody a").first().click();
      await page.waitForSelector("#host-rules pre");
      assert.match(await page.locator("#host-rules pre").textContent(), /disallow: \/private\//);
    });
  },

  async curvesZoomWithMouseAndKeys({ browser }) {
    await withPage(browser, async ({ page }) => {
      await go(page, "curves");
      await page.waitForSelector('figure[data-curve="pages"] .plot svg');
      const labels = () => page.locator('figure[data-curve="pages"] .plot svg').textContent();
      const all = await labels();
      const box = await page.locator('figure[data-curve="pages"] .frame').boundingBox();
      await page.mouse.move(box.x + 150, box.y + 100);
      await page.mouse.down();
      await page.mouse.move(box.x + 250, box.y + 120, { steps: 4 });
      await page.mouse.up();
      await page.getByRole("button", { name: "Show all" }).waitFor();
      assert.notEqual(await labels(), all);
      await page.getByRole("button", { name: "Show all" }).click();
      await page.locator('figure[data-curve="pages"] .frame').focus();
      await page.keyboard.press("+");
      await page.waitForFunction((old) => document.querySelector('figure[data-curve="pages"] .plot svg').textContent !== old, all);
      await page.keyboard.press("End");
      await page.waitForFunction(() => [...document.querySelectorAll("[role=status]")].some((node) => /fetched [\d,]+/.test(node.textContent)));
      await page.getByText("10 min", { exact: true }).first().click();
      assert.equal(await page.locator('figure[data-curve="memory"] .key .who').count(), 7);
    });
  },

  async fitsEveryWindowInLightAndDark({ browser }) {
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [360, 768, 1280, 2560]) {
        await withPage(browser, async ({ page, mock }) => {
          mock.fleetOn = true;
          assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor) === "rgb(255, 255, 255)", colorScheme === "light");
          for (const view of views) {
            await go(page, view);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `${view} at ${width} pixels is ${wide} wide`);
            const small = await page.evaluate(() => [...document.querySelectorAll("button, .tabs a, select, input:not([type=radio], [type=checkbox])")].filter((node) => node.checkVisibility() && !node.closest("thead"))
              .filter((node) => node.getBoundingClientRect().height < 24).map((node) => node.textContent));
            assert.deepEqual(small, [], `too small to touch in ${view}`);
            const out = await page.evaluate(() => [...document.querySelectorAll("td .address, th .address")].filter((node) => node.getBoundingClientRect().right > node.closest("td, th").getBoundingClientRect().right + 1).map((node) => node.textContent));
            assert.deepEqual(out, [], `over the next column in ${view} at ${width} pixels`);
            if (pictures) await page.screenshot({ path: `${pictures}/live-${view.split("/")[0]}-${colorScheme}-${width}.png`, fullPage: true });
          }
        }, { viewport: { width, height: 800 }, colorScheme });
      }
    }
  },

  // Text against what is behind it, as WCAG 2.2 computes it: 4.5 is asked for, 3 for large text.
  async textHasContrast({ browser }) {
    for (const colorScheme of ["light", "dark"]) {
      await withPage(browser, async ({ page }) => {
        for (const view of views.filter((name) => name !== "fleet")) {
          await go(page, view);
          await page.waitForTimeout(500);
          const faint = await page.evaluate(() => {
            const channels = (text) => text.match(/[\d.]+/g).map(Number);
            const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const behind = (node) => { for (; node; node = node.parentElement) { const c = channels(getComputedStyle(node).backgroundColor); if (c.length === 3 || c[3] > 0.99) return c; } return [255, 255, 255]; };
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const list = [];
            for (let text; (text = walker.nextNode());) {
              const node = text.parentElement;
              if (!text.textContent.trim() || !node.checkVisibility() || node.closest("svg, .unseen, noscript, option, :disabled")) continue;
              const style = getComputedStyle(node);
              const [a, b] = [light(channels(style.color)), light(behind(node))].sort((x, y) => y - x);
              const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
              if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) list.push(`${((a + 0.05) / (b + 0.05)).toFixed(2)}: ${text.textContent.slice(0, 40)}`);
            }
            return [...new Set(list)];
          });
          assert.deepEqual(faint, [], `${view}, ${colorScheme}`);
        }
      }, { colorScheme });
    }
  },

  async worksWithTheKeyboardAlone({ browser }) {
    await withPage(browser, async ({ page, mock }) => {
      const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
      const tabTo = async (text, most = 80) => {
        for (let i = 0; i < most; ++i) {
          await page.keyboard.press("Tab");
          if ((await focused()) === text) return;
        }
        assert.fail(`no way to ${text}`);
      };
      await page.keyboard.press("Tab");
      assert.equal(await focused(), "Skip to the content");
      await tabTo("Pause");
      await page.keyboard.press("Enter");
      await page.waitForSelector('.phase[data-phase="paused"]');
      assert.equal(await focused(), "Resume", "the focus stays where the button was");
      await page.keyboard.press("Enter");
      await page.waitForSelector('.phase[data-phase="running"]');
      await tabTo("Stop");
      await page.keyboard.press("Enter");
      assert.equal(await page.locator("dialog").count(), 1);
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => !document.querySelector("dialog"));
      assert.equal(await focused(), "Stop", "the focus returns");
      await tabTo("Hosts");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".hosts tbody tr");
      assert.equal(await page.evaluate(() => document.activeElement.id), "main", "the new view has the focus");
      await tabTo("Delay");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector(".hosts tbody th").textContent === "host3.example");
      await tabTo("host3.example");
      await page.waitForTimeout(5000);
      assert.equal(await focused(), "host3.example", "an update of the table does not take the focus away");
      await page.keyboard.press("Enter");
      await tabTo("Block it");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector("main").textContent.includes("Unblock it"));
      assert.deepEqual(last(mock), ["block", { host: "host3.example" }]);
      const visible = await page.evaluate(() => { document.querySelector(".tabs a").focus(); return getComputedStyle(document.querySelector(".tabs a:focus-visible") ?? document.body).outlineStyle; });
      assert.equal(visible, "solid");
    });
  },

  async speaksToScreenReaders({ browser }) {
    await withPage(browser, async ({ page, mock }) => {
      mock.fleetOn = true;
      for (const view of views) {
        await go(page, view);
        const wrong = await page.evaluate(() => {
          const without = (selector, good) => [...document.querySelectorAll(selector)].filter((node) => !good(node)).map((node) => `${selector}: ${node.outerHTML.slice(0, 80)}`);
          return [...without("button, input, select, textarea", (node) => node.textContent.trim() || node.labels?.length || node.ariaLabel), ...without("main svg", (node) => node.closest("[aria-hidden=true]") || (node.getAttribute("role") === "img" && node.getAttribute("aria-label"))),
            ...without("table", (node) => node.caption?.textContent && node.querySelector("th[scope=col]")), ...without("section", (node) => document.getElementById(node.getAttribute("aria-labelledby"))?.textContent), ...without("a", (node) => node.textContent.trim()),
            ...["main", "header", "nav[aria-label]", "h1"].filter((name) => document.querySelectorAll(name).length !== 1 && name !== "main" || (name === "main" && document.querySelectorAll("body > main").length !== 1))];
        });
        assert.deepEqual(wrong, [], view);
        const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((node) => node.id));
        assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], `ids of ${view}`);
        assert.equal(await page.locator(`[aria-current="page"]`).count(), 1);
      }
    });
  },

  async hostileTextStaysText({ browser }) {
    await withPage(browser, async ({ page, mock, problems }) => {
      mock.fleetOn = true;
      for (const view of [...views, `host/${encodeURIComponent(hostile.host)}`]) {
        await go(page, view);
        assert.equal(await page.locator("main img, main script, main iframe, main b:text('evil')").count(), 0, view);
        assert.ok(!(await page.locator("main").innerText()).includes("\u202e"), `${view} shows no direction characters`);
        const links = await page.evaluate(() => [...document.querySelectorAll("main a")].map((a) => a.getAttribute("href")).filter((href) => !/^(#\/|https?:\/\/)/.test(href)));
        assert.deepEqual(links, []);
      }
      await go(page, `why/${encodeURIComponent(hostile.url)}`);
      assert.match(await page.locator(".subject").textContent(), /<script>alert\(2\)<\/script>\\u202egpj/);
      for (const route of ["host/%ff%", "why/javascript:alert(1)", "<img src=x onerror=alert(1)>"]) await page.evaluate((to) => { location.hash = `#/${to}`; }, route);
      await page.waitForTimeout(300);
      forgive(problems, /status of 40[04]/);
    });
  },

  async sevenTabsShareOneStream({ browser }) {
    await withPage(browser, async ({ page, mock, open }) => {
      const pages = [page];
      while (pages.length < 7) pages.push(await open());
      for (const one of pages) {
        await one.bringToFront();
        const old = mock.status().pages;
        await one.waitForFunction((least) => Number(document.querySelector('[data-tile="pages_per_second"]').textContent.match(/([\d,]+) in/)[1].replaceAll(",", "")) > least, old);
      }
      assert.equal(mock.streamsOpened, 1);
      for (const one of pages.slice(1)) await one.close();
      await page.bringToFront();
      const old = mock.status().pages;
      await page.waitForFunction((least) => Number(document.querySelector('[data-tile="pages_per_second"]').textContent.match(/([\d,]+) in/)[1].replaceAll(",", "")) > least, old);
    });
  },

  async pollsIfThereIsNoStreamLeft({ browser }) {
    const mock = await new Mock().start();
    mock.noStreams = true;
    const page = await browser.newPage();
    await page.goto(mock.address);
    await page.waitForSelector('.link[data-connection="polling"]');
    const old = mock.status().pages;
    await page.waitForFunction((least) => Number(document.querySelector('[data-tile="pages_per_second"]').textContent.match(/([\d,]+) in/)[1].replaceAll(",", "")) > least, old);
    await page.close();
    await mock.stop();
  },

  async saysThatTheCrawlEndedAndKeepsItsData({ browser }) {
    await withPage(browser, async ({ page, mock, problems }) => {
      await page.waitForSelector(".next tbody tr");
      await page.waitForTimeout(3000);  // until everything has been asked for once
      mock.finish("page budget reached");
      await page.waitForSelector(".banner:not([hidden])");
      assert.match(await page.locator(".banner").textContent(), /page budget reached/);
      await mock.stop();
      for (const [view, row] of [["hosts", ".hosts tbody tr"], ["next", ".next tbody tr"], ["problems", ".finding"], ["control", "#options tbody tr"], ["curves", "figure svg"], ["now", ".tile"]]) {
        await page.evaluate((to) => { location.hash = `#/${to}`; }, view);
        await page.waitForSelector(row);
      }
      assert.equal(await page.locator(".phase").textContent(), "Ended");
      assert.equal(await page.locator('[data-command="stop"]').count(), 0);
      forgive(problems, /ERR_CONNECTION_REFUSED/);
    });
  },

  async losesAndFindsTheCrawler({ browser }) {
    await withPage(browser, async ({ page, mock, problems }) => {
      const port = mock.server.address().port;
      await mock.stop();
      await page.waitForSelector('.link[data-connection="lost"]');
      await new Promise((resolve) => { mock.server.listen(port, "127.0.0.1", resolve); });
      await page.waitForSelector('.link[data-connection="live"]');
      forgive(problems, /ERR_/);
    });
  },

  // What is said about a crawl that is slow, for each reason that it may have.
  async findingsNameTheReasonAndARemedy({ browser }) {
    await withPage(browser, async ({ page, mock }) => {
      const ids = async (change) => {
        const input = { status: mock.status(), problems: { ...mock.problems(), outcomes: [], traps: [], dead_seeds: [], dead_seeds_total: 0, waiting: [], slow_hosts: [] } };
        change(input);
        const found = await page.evaluate(async ({ status, problems }) => (await import(new URL("assets/live/findings.js", document.baseURI))).findings(status, problems), input);
        ids.found = found;
        for (const one of found) for (const { command, body } of one.actions ?? []) assert.deepEqual(faults(body, bodySchema(`/api/v1/commands/${command}`)), [], one.id);
        return found.map((one) => one.id);
      };
      const slow = { ...mock.hostRow(3), state: "waiting", delay: 24, response_ms: 12_000, reason: "24s between requests" };
      assert.deepEqual(await ids(() => {}), []);
      assert.deepEqual(await ids(({ problems }) => problems.slow_hosts.push(slow)), ["slow-hosts"]);
      assert.deepEqual(ids.found[0].actions[0].body.values, ["5s"]);
      await ids(({ problems }) => problems.slow_hosts.push({ ...slow, delay: 5, response_ms: 2_500 }));
      assert.deepEqual(ids.found[0].actions[0].body.values, ["2s"], "another wait than the present one");
      assert.deepEqual(await ids(({ problems }) => problems.slow_hosts.push({ ...slow, reason: "its robots.txt asks for 24s between requests" })), ["crawl-delay"]);
      assert.deepEqual(await ids(({ problems }) => problems.slow_hosts.push({ ...slow, response_ms: 80 })), ["delays"]);
      assert.deepEqual(await ids(({ problems }) => problems.slow_hosts.push({ ...slow, state: "active", response_ms: 80, reason: "1 request in progress" })), [], "whose delay it is, is not known");
      assert.deepEqual(await ids(({ problems, status }) => { problems.slow_hosts.push(slow); status.in_flight = status.connections; }), ["connections"]);
      assert.deepEqual(await ids(({ problems }) => problems.waiting.push({ state: "backing-off", hosts: 9, queued: 100, examples: ["a.example"] })), ["backing-off"]);
      assert.match(ids.found[0].text, /No other host has queued pages/);
      assert.deepEqual(ids.found[0].actions, [], "to block the only hosts would end the crawl");
      assert.deepEqual(await ids(({ problems }) => {
        problems.slow_hosts.push({ ...slow, host: "a.example", delay: 1, state: "backing-off", last_error: "a.example: robots.txt: server error, HTTP 5xx" });
        problems.waiting.push({ state: "backing-off", hosts: 1, queued: 100, examples: ["a.example"] }, { state: "active", hosts: 4, queued: 9, examples: ["b.example"] });
      }), ["backing-off"]);
      assert.match(ids.found[0].text, /^a\.example: robots\.txt: server error, HTTP 5xx\. 100 pages wait for it\. Block/);
      assert.deepEqual(await ids(({ problems }) => problems.waiting.push({ state: "waiting", hosts: 30, queued: 900, examples: ["a.example"] }, { state: "active", hosts: 9, queued: 9, examples: ["b.example"] })), ["delayed"]);
      assert.match(ids.found[0].title, /^30 of 39 hosts wait for their delay$/);
      assert.deepEqual(await ids(({ problems }) => { problems.slow_hosts.push(slow); problems.waiting.push({ state: "waiting", hosts: 30, queued: 900, examples: ["a.example"] }); }), ["delayed", "slow-hosts"], "most hosts count more than a slow one");
      assert.deepEqual(await ids(({ problems }) => problems.outcomes.push({ kind: "robots", what: "robots.txt forbids it", count: 9, failure: true, examples: [] })), ["outcome-robots"]);
      assert.deepEqual([ids.found[0].title, ids.found[0].actions], ["9 pages were not fetched: robots.txt forbids it", []]);
      assert.deepEqual(await ids(({ problems }) => problems.waiting.push({ state: "waiting", hosts: 2, queued: 900, examples: ["a.example"] })), ["few-hosts"]);
      assert.deepEqual(await ids(({ status }) => { status.phase = "paused"; status.pauses = [{ what: "everything", value: "", since: status.now }]; }), ["paused"]);
      assert.deepEqual(await ids(({ status }) => { status.stall = "waiting for DNS or robots.txt of 3 hosts"; }), ["stall"]);
      assert.deepEqual(await ids(({ problems }) => { problems.disk.free = 1000; }), ["disk"]);
      assert.deepEqual(await ids(({ problems }) => { problems.memory = { ...problems.memory, stage: "full" }; }), ["memory"]);
      assert.deepEqual(await ids(({ problems }) => { problems.warnings = 1; }), ["warnings"]);
      assert.deepEqual(await ids(({ problems }) => problems.outcomes.push({ kind: "timed-out", what: "timed out", count: 9, failure: true, examples: [] })), ["outcome-timed-out"]);
    });
  },

  async theImaginaryCrawlKeepsTheContract() {
    const mock = new Mock();
    mock.fleetOn = true;
    mock.act("pause", { host: "a.example" });
    const query = new URLSearchParams({ url: "http://a.example/", name: "host1.example" });
    for (const call of ["status", "curves", "next", "why", "hosts", "host", "problems", "fleet", "options", "changes"]) {
      const answer = JSON.parse(JSON.stringify(mock.answer(call, query)));
      assert.deepEqual(faults(answer, answerSchema("GET", `/api/v1/${call}`, "200")), [], call);
    }
  },
};

const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
for (const [name, check] of Object.entries(checks)) {
  if (chosen.length && !chosen.includes(name)) continue;
  try {
    await check({ browser });
    console.log(`ok ${name}`);
  } catch (failure) {
    console.log(`FAILED ${name}: ${failure.stack}`);
    process.exitCode = 1;
  }
}
await browser.close();
