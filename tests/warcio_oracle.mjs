// Reads WARC files by npm's warcio and checks every digest in them: node warcio_oracle.mjs WARCIO_FOLDER FILE...
// One line of JSON a file: how many records of each type, digests checked, URLs, and what is wrong.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const { WARCParser } = await import(pathToFileURL(path.join(folder, "node_modules/warcio/dist/index.js")).href);

function base32(bytes) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return bits.match(/.{1,5}/g).map((five) => letters[parseInt(five.padEnd(5, "0"), 2)]).join("");
}
const sha1 = (bytes) => "sha1:" + base32(crypto.createHash("sha1").update(bytes).digest());

for (const file of files) {
  const report = { types: {}, digests: 0, urls: [], bodies: [], truncated: [], refers: [], wrong: [] };
  try {
    for await (const record of new WARCParser(fs.createReadStream(file))) {
      const type = record.warcType;
      report.types[type] = (report.types[type] ?? 0) + 1;
      const payload = await record.readFully(false);
      const truncated = record.warcHeaders.headers.get("WARC-Truncated");
      if (truncated) report.truncated.push(truncated);
      if (type === "revisit") report.refers.push(record.warcRefersToTargetURI);
      const digest = record.warcPayloadDigest;
      if (digest && type === "response") {
        ++report.digests;
        if (sha1(payload) !== digest) report.wrong.push(`${record.warcTargetURI}: payload digest`);
        report.bodies.push(payload.length);
        report.urls.push(record.warcTargetURI);
        if (record.httpHeaders.statusCode !== 200) report.wrong.push(`${record.warcTargetURI}: status`);
      }
      const block = record.warcHeaders.headers.get("WARC-Block-Digest");
      if (block && (type === "metadata" || type === "warcinfo")) {
        ++report.digests;
        if (sha1(payload) !== block) report.wrong.push(`${type}: block digest`);
      }
    }
  } catch (e) {
    report.wrong.push(String(e));
  }
  console.log(JSON.stringify(report));
}
