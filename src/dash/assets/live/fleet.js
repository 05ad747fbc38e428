// The view Fleet: the processes that share a crawl.
import { live } from "./data.js";
import { stateBadge } from "./next.js";
import { LiveTable, bytes, count, el, many, printable, refreshed, seconds, section, shortNumber } from "./widgets.js";

const kColours = 7;
const kSilent = 10;  // seconds without a heartbeat

// One cell per partition, coloured by owner.
function partitionMap(answer, order) {
  const cells = answer.owners.map((owner, i) => el("span", { class: `cell ${order.has(owner) ? `c${order.get(owner) % kColours}` : "none"}`, title: `partition ${i}: ${printable(owner || "nobody")}` }));
  const words = answer.processes.map((one) => `${printable(one.name)}: ${many(one.partitions, "partition")}`).join("; ");
  return el("div", { class: "partitions", role: "img", "aria-label": words }, cells);
}

export function fleetView() {
  const summary = el("p", { class: "about" });
  const notice = el("p", { class: "notice", hidden: true });
  const map = el("div");
  const order = new Map();  // name: number, for its colour
  const table = new LiveTable({ caption: "Processes", id: (row) => row.name, columns: [
    { key: "name", label: "Process", words: true, cell: (row) => el("span", { title: printable(row.folder) }, el("span", { class: `dot c${order.get(row.name) % kColours}`, "aria-hidden": "true" }), ` ${printable(row.name)}`) },
    { key: "state", label: "State", words: true, value: (row) => [row.state, row.lease], cell: (row) => [stateBadge(row.state === "crawling" && row.lease ? "active" : row.lease ? "waiting" : "backing-off", printable(row.state)), row.lease ? null : el("small", {}, "no lease: it does nothing until it has one")] },
    { key: "pages", label: "Pages", cell: (row) => count(row.pages) }, { key: "pages_per_second", label: "Pages/s", cell: (row) => shortNumber(row.pages_per_second) }, { key: "queued", label: "Queued", cell: (row) => count(row.queued) },
    { key: "partitions", label: "Partitions", cell: (row) => count(row.partitions) }, { key: "urls_sent", label: "URLs sent", cell: (row) => count(row.urls_sent) }, { key: "urls_received", label: "URLs received", cell: (row) => count(row.urls_received) },
    { key: "bytes_sent", label: "Data sent", cell: (row) => bytes(row.bytes_sent) }, { key: "to_send", label: "URLs to send", help: "URLs that wait to be sent to the process that owns them", cell: (row) => count(row.to_send) }, { key: "lag", label: "Last heartbeat", cell: (row) => (row.lag === null ? "never" : `${seconds(row.lag)} ago`) },
    { key: "problem", label: "Problem", words: true, cell: (row) => (row.problem ? el("span", { class: "wrap" }, printable(row.problem)) : "–") }] });
  const view = el("div", { class: "view" }, el("h1", {}, "Fleet"), notice, summary, section("processes", "Processes", table.node), section("partitions", "Partitions", map));
  const loop = refreshed(view, 3000, async () => {
    const { answer } = await live.get("fleet");
    if (!answer.on) {
      summary.textContent = "This crawl has one process. Use `bowerbird fleet start` for a crawl by several processes.";
      return;
    }
    const silent = answer.processes.filter((one) => one.lag === null || one.lag > kSilent);
    summary.textContent = `${many(answer.processes.length, "process", "processes")}, ${many(answer.partitions, "partition")}${answer.unassigned ? `, ${count(answer.unassigned)} of them without a working owner` : ""}${silent.length ? `; no recent heartbeat from ${silent.map((one) => printable(one.name)).join(", ")}` : ""}.`;
    notice.hidden = !answer.problem;
    notice.textContent = answer.problem ? printable(answer.problem) : "";
    for (const one of answer.processes) if (!order.has(one.name)) order.set(one.name, order.size);
    table.update(answer.processes);
    map.replaceChildren(partitionMap(answer, order));
  });
  return { title: "Fleet", node: view, stop: loop.stop };
}
