// Bundles what entry.js names into src/dash/assets/plot.js, with the licences of everything that is inside.
// usage: npm ci && node build.mjs        (in this folder; only to renew the checked-in bundle)
import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const outfile = new URL("../../src/dash/assets/plot.js", import.meta.url).pathname;
const result = await build({
  entryPoints: ["entry.js"],
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "Plot",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  write: false,
});

// Packages of which at least a byte is in the bundle.
const inputs = Object.values(result.metafile.outputs)[0].inputs;
const packages = new Set();
for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
  const match = path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (match && bytesInOutput > 0) packages.add(match[1]);
}

const byText = new Map();
for (const name of [...packages].sort()) {
  const folder = `node_modules/${name}`;
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  const text = readFileSync(`${folder}/${file}`, "utf8").trim().replaceAll("*/", "* /");
  byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
}
const notice = [...byText].map(([text, names]) => `${names.join(", ")}:\n\n${text}`).join("\n\n----\n\n");
const code = new TextDecoder().decode(result.outputFiles[0].contents);
writeFileSync(outfile, `/*! Bundled by tools/charts/build.mjs from these packages:\n\n${notice}\n*/\n${code}`);
console.log(`${outfile}: ${packages.size} packages, ${code.length} bytes of code`);
