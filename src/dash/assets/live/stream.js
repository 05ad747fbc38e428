// A shared worker: one event stream for all tabs of a browser, since HTTP/1.1 allows six connections to a host. If the
// server has no stream left, it polls. Tabs send {hello, token}, {here} now and then, and {bye}; they receive
// {event, data} and {connection}.
import { follow } from "./follow.js";

const kSilent = 180_000;  // background tabs may send once a minute
const ports = new Map();  // port: when it was last heard of
let token = null;
let following = null;
let last = null;       // status event, for tabs that come later
let connection = null;

function broadcast(message) {
  if (message.event === "status" || message.event === "end") last = message;
  if (message.connection) connection = message;
  for (const port of ports.keys()) port.postMessage(message);
}

function restart() {
  following?.abort();
  following = ports.size ? follow(token, broadcast) : null;
}

function drop(port) {
  ports.delete(port);
  if (!ports.size) restart();
}

self.addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.bye) return drop(port);
    ports.set(port, Date.now());
    if (!data.hello) return;
    const changed = data.token && data.token !== token;
    if (changed) token = data.token;
    if (changed || !following) return restart();
    if (connection) port.postMessage(connection);
    if (last) port.postMessage(last);
  };
  port.start();
});

setInterval(() => {
  for (const [port, heard] of ports) if (Date.now() - heard > kSilent) drop(port);
}, 30_000);
