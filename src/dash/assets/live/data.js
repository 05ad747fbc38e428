// What the page knows: the last status, answers of the API, the token. Views subscribe to it; nothing here draws.
import { authorised, follow } from "./follow.js";

const kApi = new URL("../../api/v1/", import.meta.url);
const kKey = "bowerbird-token";
const kRecent = 600;  // statuses kept, for lines that move

// ---- the token -------------------------------------------------------------------------------------------
// From the fragment of the URL, which no server sees; kept for this tab, and removed from the address bar.
export function takeToken() {
  const found = location.hash.match(/^#token=([A-Za-z0-9_.~+/=-]{1,512})$/);
  if (found) history.replaceState(null, "", `${location.pathname}#/now`);
  return found?.[1] ?? null;
}

class Live extends EventTarget {
  constructor() {
    super();
    this.token = takeToken() ?? sessionStorage.getItem(kKey);
    if (this.token) sessionStorage.setItem(kKey, this.token);
    this.status = null;
    this.connection = "connecting";
    this.recent = [];
    this.ended = false;
    this.answers = new Map();
    this.ready = new Promise((resolve) => { this.addEventListener("status", resolve, { once: true }); });
  }

  start() {
    if (typeof SharedWorker === "function") {
      try {
        this.worker = new SharedWorker(new URL("./stream.js", import.meta.url), { type: "module", name: "bowerbird" });
        this.worker.port.onmessage = ({ data }) => this.hear(data);
        this.worker.onerror = () => this.followAlone();
        this.worker.port.postMessage({ hello: true, token: this.token });
        setInterval(() => this.worker?.port.postMessage({ here: true }), 20_000);
        setTimeout(() => { if (this.connection === "connecting") this.followAlone(); }, 8000);  // it may fail without a word
        addEventListener("pagehide", () => this.worker?.port.postMessage({ bye: true }));
        addEventListener("pageshow", (event) => { if (event.persisted) this.worker?.port.postMessage({ hello: true, token: this.token }); });
        return;
      } catch { /* not allowed here */ }
    }
    this.followAlone();
  }

  // Without a shared worker every tab polls: a stream in each would use up the browser's connections.
  followAlone() {
    this.worker = null;
    this.following?.abort();
    this.following = follow(this.token, (message) => this.hear(message), false);
  }

  hear({ event, data, connection }) {
    if (connection) {
      if (connection === "lost" && this.ended) connection = "ended";
      if (connection === this.connection) return;
      this.connection = connection;
      this.tell("connection");
      return;
    }
    if (event === "change") return this.tell("change", data);
    if (event !== "status" && event !== "end") return;
    const before = this.ended;
    this.status = data;
    this.ended = event === "end" || data.phase === "finished";
    const last = this.recent.at(-1);
    if (!last || data.seconds_all > last.seconds_all || data.now !== last.now) this.recent.push(data);
    if (this.recent.length > kRecent) this.recent.shift();
    this.tell("status");
    if (this.ended !== before) this.tell("end");
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  setToken(token) {
    this.token = token;
    sessionStorage.setItem(kKey, token);
    if (this.worker) this.worker.port.postMessage({ hello: true, token });
    else this.followAlone();
    this.tell("token");
  }

  forgetToken() {
    this.token = null;
    sessionStorage.removeItem(kKey);
    this.tell("token");
  }

  // An answer of the API. If the server does not answer (any more), the last one it gave, with stale: true.
  async get(call, parameters = {}) {
    const url = new URL(call, kApi);
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, value);
    }
    try {
      const response = await fetch(url, { headers: authorised(this.token), cache: "no-store" });
      const answer = await response.json().catch(() => ({ error: `HTTP ${response.status}` }));
      if (!response.ok) throw Object.assign(new Error(answer.error ?? `HTTP ${response.status}`), { code: response.status });
      this.answers.set(url.href, answer);
      if (this.answers.size > 200) this.answers.delete(this.answers.keys().next().value);
      return { answer, stale: false };
    } catch (failure) {
      if (failure.code && failure.code !== 503) throw failure;
      const answer = this.answers.get(url.href);
      if (answer) return { answer, stale: true };
      throw failure.code ? failure : new Error(this.ended ? "The crawl has ended, and this view had not been loaded." : "The crawler does not respond.");
    }
  }

  // Carries out a command. Fails with a text for people; code 401 means that a token is needed.
  async command(name, body = {}) {
    if (!this.token) throw Object.assign(new Error("A token is needed to change anything."), { code: 401 });
    let response;
    try {
      response = await fetch(new URL(`commands/${name}`, kApi), { method: "POST", cache: "no-store",
        headers: { ...authorised(this.token), "Content-Type": "application/json" }, body: JSON.stringify(body) });
    } catch {
      throw new Error("The crawler does not respond. Is it still running?");
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw Object.assign(new Error(answer.error ?? `HTTP ${response.status}`), { code: response.status });
    this.tell("done", answer);
    return answer;
  }
}

export const live = new Live();
