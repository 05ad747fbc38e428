// Follows the events of a crawl, in a shared worker or in a page. fetch() and not EventSource, which can send no
// Authorization header.

const kApi = new URL("../../api/v1/", import.meta.url);
const kSilence = 40_000;  // the server sends a comment at least every 15 s
const kPoll = 3000;
const kFirstWait = 1000;
const kLongestWait = 15_000;
const kLongestEvent = 4 << 20;

const pause = (ms, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
});

export const authorised = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

// Splits a stream of text into server-sent events; returns what is left over.
export function splitEvents(text, tell) {
  for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
    let event = "message";
    let data = "";
    for (const line of text.slice(0, end).split("\n")) {
      if (line.startsWith("event:")) event = line.slice(6).trim();
      if (line.startsWith("data:")) data += line.slice(5).trim();
    }
    if (data) tell({ event, data: JSON.parse(data) });
  }
  return text;
}

async function readStream(response, tell, signal) {
  const silence = new AbortController();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  signal.addEventListener("abort", () => reader.cancel().catch(() => {}), { once: true });
  silence.signal.addEventListener("abort", () => reader.cancel().catch(() => {}));
  let timer = null;
  let rest = "";
  let ended = false;
  try {
    while (true) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), kSilence);
      const { done, value } = await reader.read();
      if (done) return ended;
      rest = splitEvents((rest + value).replaceAll("\r", ""), (message) => {
        if (message.event === "end") ended = true;
        tell(message);
      });
      if (rest.length > kLongestEvent) throw new Error("an event is too long");
    }
  } finally {
    clearTimeout(timer);
  }
}

// One status; true if it came.
async function poll(token, tell, signal) {
  const response = await fetch(new URL("status", kApi), { headers: authorised(token), signal, cache: "no-store" });
  if (!response.ok) return response.status;
  const status = await response.json();
  tell({ event: status.phase === "finished" ? "end" : "status", data: status });
  return 200;
}

async function run(token, tell, signal, mayStream) {
  let wait = kFirstWait;
  while (!signal.aborted) {
    try {
      const response = mayStream ? await fetch(new URL("events", kApi), { headers: authorised(token), signal, cache: "no-store" }) : null;
      if (response?.ok) {
        tell({ connection: "live" });
        wait = kFirstWait;
        const ended = await readStream(response, tell, signal);
        if (signal.aborted) return;
        if (ended) { tell({ connection: "ended" }); wait = kLongestWait; }
        else tell({ connection: "lost" });
      } else {
        await response?.body?.cancel();
        const code = response && (response.status === 401 || response.status === 403) ? response.status : await poll(token, tell, signal);
        tell({ connection: code === 200 ? "polling" : code === 401 || code === 403 ? "denied" : "lost" });
        wait = code === 200 ? kPoll : kLongestWait;
      }
    } catch {
      if (signal.aborted) return;
      tell({ connection: "lost" });
      wait = Math.min(2 * wait, kLongestWait);
    }
    await pause(wait, signal);
  }
}

// tell({event, data}) and tell({connection: "live" | "polling" | "lost" | "denied" | "ended"}), until abort() of what
// is returned.
export function follow(token, tell, mayStream = true) {
  const stop = new AbortController();
  run(token, tell, stop.signal, mayStream);
  return stop;
}
