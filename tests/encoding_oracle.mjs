// Chromium as an oracle of the Encoding and URL standards. Reads lines "decode ENCODING HEX" and "query ENCODING HEX",
// and answers one line each: the text of the bytes, as UTF-8 in hexadecimal; the query of a link with this UTF-8
// text as its query, on a page in this encoding.
// usage: node encoding_oracle.mjs CHROMIUM < CASES > ANSWERS
import { createInterface } from "node:readline";
import { Browser } from "./browser.mjs";

const browser = await Browser.start(process.argv[2]);
let page = "";
try {
  for await (const line of createInterface({ input: process.stdin })) {
    const [what, encoding, hex] = line.split(" ");
    const bytes = Buffer.from(hex, "hex");
    if (what === "decode") {
      const text = await browser.run(`new TextDecoder("${encoding}", { ignoreBOM: true }).decode(
        Uint8Array.from(atob("${bytes.toString("base64")}"), (c) => c.charCodeAt(0)))`);
      console.log(Buffer.from(text).toString("hex"));
      continue;
    }
    if (page !== encoding) await browser.open(`data:text/html;charset=${encoding},x`);
    page = encoding;
    console.log(await browser.run(`Object.assign(document.createElement("a"), { href: "http://x/?" + ${JSON.stringify(bytes.toString())} }).search`));
  }
} finally {
  await browser.close();
}
