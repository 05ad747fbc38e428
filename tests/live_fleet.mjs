// The live page of a fleet: its launcher shows every process and sends commands to all of them.
// usage: node live_fleet.mjs BOWERBIRD FOLDER
import assert from "node:assert/strict";
import { crawlOptions, ctl, readEverything, run, startLive, startWeb, until } from "./live_crawl.mjs";

const [, , bowerbird, folder] = process.argv;
const web = await startWeb(bowerbird, "synthetic:pages=20000", ["--latency", "30"]);
const fleet = await startLive(bowerbird, ["fleet", "start", "--out", folder, "--procs", "2", "--listen", "127.0.0.1:0", web.page, ...crawlOptions(web), "--delay", "0.3s", "--connections", "20", "--commit", "0.3s", "--pages", "300"]);
// 503 until a process has answered
await until("a process answers", async () => (await fetch(`${fleet.address}api/v1/status`)).status === 200);
const members = async () => (await fleet.get("fleet")).processes;

const checks = {
  async aBudgetThatACommandRaisesHolds() {
    const budgets = async () => (await fleet.get("status")).budgets.map((one) => [one.name, one.limit]);
    await until("the budget of the fleet is shown", async () => (await budgets()).join() === "pages,300");
    await fleet.command("set", { option: "pages", values: ["100000"] });
    await until("it goes on after the old budget", async () => (await fleet.get("status")).pages > 400);
    assert.deepEqual(await budgets(), [["pages", 100_000]]);
  },

  async showsEveryProcess() {
    await until("both processes crawl", async () => { const all = await members(); return all.length === 2 && all.every((one) => one.pages > 10 && one.lease); });
    const answer = await fleet.get("fleet");
    assert.ok(answer.on && answer.running && answer.partitions > 1);
    assert.deepEqual(answer.processes.map((one) => one.name).sort(), ["p0", "p1"]);
    assert.equal(answer.processes.reduce((sum, one) => sum + one.partitions, 0), answer.partitions);
    assert.ok(answer.processes.some((one) => one.urls_sent > 0), "they exchange URLs");
    for (const one of answer.processes) assert.ok(one.lag !== null && one.lag >= 0, JSON.stringify(one));
    const { host } = (await fleet.get("hosts?sort=fetched&limit=1")).hosts[0];
    const answers = await readEverything(fleet, web.page, host);
    assert.ok(answers.status.fleet && answers.status.pages > 20 && /2 processes/.test(answers.status.sentence), answers.status.sentence);
    assert.ok(answers.next.pages.length > 0);
    const metrics = await (await fetch(`${fleet.address}metrics`)).text();
    for (const name of ["p0", "p1"]) {
      assert.match(metrics, new RegExp(`bowerbird_crawl_pages\\{process="${name}"\\} \\d+`));
      assert.match(metrics, new RegExp(`bowerbird_fleet_lease_held\\{process="${name}"\\} 1`), "the alert for a lost lease has data");
    }
    assert.equal(metrics.match(/^# TYPE bowerbird_crawl_pages /gm).length, 1);
  },

  async commandsReachAllProcesses() {
    await fleet.command("set", { option: "delay", values: ["0.2s"] });
    for (const name of ["p0", "p1"]) assert.match(ctl(bowerbird, `${folder}/${name}`, "status").text, /pages per second|Nothing is being fetched/);
    await fleet.command("pause", {});
    await until("all are paused", async () => (await fleet.get("status")).phase === "paused");
    for (const name of ["p0", "p1"]) assert.match(ctl(bowerbird, `${folder}/${name}`, "status").text, /Paused/);
    assert.equal(ctl(bowerbird, folder, "resume").code, 0, "by the socket of the fleet");
    await until("all go on", async () => (await fleet.get("status")).phase === "running");
    await fleet.command("set", { option: "scope", values: ["host"] }, 409);
    const { hosts } = await fleet.get("hosts?sort=queued&limit=1");
    await fleet.command("block", { host: hosts[0].host });
    await until("it is blocked", async () => (await fleet.get(`host?name=${encodeURIComponent(hosts[0].host)}`)).blocked);
    const texts = (await fleet.get("changes")).changes.map((one) => one.text);
    for (const text of ["paused everything", "resumed everything", `blocked ${hosts[0].host}`]) assert.ok(texts.includes(text), texts.join("; "));
  },

  async stopEndsTheFleet() {
    await fleet.command("stop", {});
    assert.equal(await fleet.child.ended, 0);
  },
};

await run(checks, async () => {
  await fleet.stop();
  await web.stop();
}, fleet.said);
