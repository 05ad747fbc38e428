// Writes src/encoding/indexes.inc: the indexes of the WHATWG Encoding Standard (section 5), read off a conforming
// decoder by decoding every byte sequence; nothing of the decoder is copied. The indexes are the standard's (CC0 1.0;
// what source code takes of the standard is under the BSD 3-Clause License).
// usage: npm ci && node build.mjs        (in this folder; only to renew the checked-in tables)
import { TextDecoder } from "@exodus/bytes/encoding.js";
import { writeFileSync } from "node:fs";

const singleByte = [
  "IBM866", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8",
  "ISO-8859-8-I", "ISO-8859-10", "ISO-8859-13", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16", "KOI8-R",
  "KOI8-U", "macintosh", "windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
  "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic",
];

// The code point that these bytes mean; 0 where they mean none, or (Big5 only) two.
function decoderOf(label) {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    let points;
    try {
      points = [...decoder.decode(new Uint8Array(bytes))];
    } catch {
      return 0;
    }
    return points.length === 1 ? points[0].codePointAt(0) : 0;
  };
}

const indexOf = (size, label, bytesOf) => {
  const decode = decoderOf(label);
  return Array.from({ length: size }, (_, pointer) => decode(bytesOf(pointer)));
};

// Pointers to bytes, as the encoders of the standard do.
const rows = (perRow, split, high) => (pointer) => {
  const trail = pointer % perRow;
  return [Math.floor(pointer / perRow) + 0x81, trail + (trail < split ? 0x40 : high)];
};
const shiftJis = (pointer) => {
  const [lead, trail] = rows(188, 0x3f, 0x41)(pointer);
  return [lead < 0xa0 ? lead : lead + 0x40, trail];
};
const fourBytes = (pointer) => [
  Math.floor(pointer / 12600) + 0x81, (Math.floor(pointer / 1260) % 10) + 0x30,
  (Math.floor(pointer / 10) % 126) + 0x81, (pointer % 10) + 0x30,
];

function jis0208() {
  const index = indexOf(11280, "shift_jis", shiftJis);
  return index.map((point, pointer) => (pointer >= 8836 && pointer <= 10715 ? 0 : point));  // computed: EUDC
}

// Runs of pointers that stand for consecutive code points. Pointer 7457 is an exception of the decoder's.
function gb18030Ranges() {
  const decode = decoderOf("gb18030");
  const ranges = [];
  let expected = 0;
  for (let pointer = 0; pointer <= 39419; ++pointer) {
    const point = pointer === 7457 ? expected : decode(fourBytes(pointer));
    if (point !== expected) ranges.push([pointer, point]);
    expected = point + 1;
  }
  return ranges;
}

// "Index ISO-2022-JP katakana": normalization form KC, but for the two sound marks.
function katakana() {
  const marks = { 0xff9e: 0x309b, 0xff9f: 0x309c };
  return Array.from({ length: 63 }, (_, i) => marks[0xff61 + i] ?? String.fromCodePoint(0xff61 + i).normalize("NFKC").codePointAt(0));
}

function literal(point) {
  if (point === 0) return "\\0";
  const text = String.fromCodePoint(point);
  if (point >= 0xa0 && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)) return text;
  return point > 0xffff ? `\\U${point.toString(16).toUpperCase().padStart(8, "0")}`
                        : `\\u${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

// The index as string literals, one per line.
function literals(prefix, index) {
  const lines = [""];
  for (const point of index) {
    const text = literal(point);
    if (lines.at(-1).length + text.length > 100) lines.push("");
    lines[lines.length - 1] += text;
  }
  return lines.map((line) => `${prefix}"${line}"`).join("\n");
}

const table = (name, prefix, index) =>
  `const char${prefix === "U" ? 32 : 16}_t ${name}[] =\n${literals(prefix, index)};\n`;

const parts = [
  "// Made by tools/encodings; do not edit. The indexes of the Encoding Standard: code points by pointer, 0 for none.\n",
  "const char16_t kSingleByteIndexes[][129] = {\n" +
    singleByte.map((label) => `// ${label}\n${literals("u", indexOf(128, label, (pointer) => [pointer + 0x80]))},`).join("\n") +
    "\n};\n",
  table("kGb18030Index", "u", indexOf(23940, "gb18030", rows(190, 0x3f, 0x41))),
  table("kBig5Index", "U", indexOf(19782, "big5", rows(157, 0x3f, 0x62))),
  table("kJis0208Index", "u", jis0208()),
  table("kJis0212Index", "u", indexOf(8836, "euc-jp", (p) => [0x8f, Math.floor(p / 94) + 0xa1, (p % 94) + 0xa1])),
  table("kEucKrIndex", "u", indexOf(23750, "euc-kr", (p) => [Math.floor(p / 190) + 0x81, (p % 190) + 0x41])),
  table("kKatakanaIndex", "u", katakana()),
  "const Gb18030Range kGb18030Ranges[] = {\n" +
    gb18030Ranges().map(([pointer, point]) => `{${pointer}, 0x${point.toString(16).toUpperCase()}},`).join("\n") + "\n};\n",
];
writeFileSync(new URL("../../src/encoding/indexes.inc", import.meta.url), parts.join("\n"));
