// Node's URL class as an oracle of the WHATWG URL Standard. Reads lines "INPUT<tab>BASE", both in hexadecimal
// (BASE may be empty: none), and answers one line each: the href, or "!" where parsing fails.
import { createInterface } from 'node:readline';

const text = (hex) => Buffer.from(hex, 'hex').toString('utf8');
const out = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [input, base] = line.split('\t');
  let answer = '!';
  try {
    answer = base ? new URL(text(input), text(base)).href : new URL(text(input)).href;
  } catch {
    // A failure is an answer.
  }
  out.push(answer.replaceAll('\n', ' '));
}
process.stdout.write(out.join('\n') + '\n');
