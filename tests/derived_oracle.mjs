// Reads WET and WAT files by npm's warcio: node derived_oracle.mjs WARCIO_FOLDER FILE...
// Prints a list with an object per file: records by type, languages, titles, first links, and what is wrong.
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

const reports = [];
for (const file of files) {
  const report = { types: {}, languages: [], titles: [], links: [], wrong: [] };
  try {
    for await (const record of new WARCParser(fs.createReadStream(file))) {
      const type = record.warcType;
      report.types[type] = (report.types[type] ?? 0) + 1;
      const block = await record.readFully(false);
      const fields = record.warcHeaders.headers;
      if (type === "warcinfo") continue;
      const digest = "sha1:" + base32(crypto.createHash("sha1").update(block).digest());
      if (fields.get("WARC-Block-Digest") !== digest) report.wrong.push(`${record.warcTargetURI}: block digest`);
      if (!fields.get("WARC-Refers-To")?.startsWith("<urn:uuid:")) report.wrong.push("no WARC-Refers-To");
      const text = new TextDecoder("utf-8", { fatal: true }).decode(block);
      if (type === "conversion") {
        const language = fields.get("WARC-Identified-Content-Language");
        if (!report.languages.includes(language)) report.languages.push(language);
        if (text.trim() === "") report.wrong.push("no text");
      } else {
        const envelope = JSON.parse(text).Envelope;
        if (envelope["WARC-Header-Metadata"]["WARC-Record-ID"] !== fields.get("WARC-Refers-To"))
          report.wrong.push("the envelope is of another record");
        const response = envelope["Payload-Metadata"]["HTTP-Response-Metadata"];
        if (response["Entity-Digest"] !== envelope["WARC-Header-Metadata"]["WARC-Payload-Digest"])
          report.wrong.push("entity digest");
        report.titles.push(response["HTML-Metadata"].Head.Title);
        report.links.push(response["HTML-Metadata"].Links[0].url);
      }
    }
  } catch (e) {
    report.wrong.push(String(e));
  }
  reports.push(report);
}
console.log(JSON.stringify(reports));
