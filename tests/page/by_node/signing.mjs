// Answers calls of the page's signing, a line of JSON each: `node signing.mjs ADDRESS-OF-THE-BUILT-signing.mjs`.

import { webcrypto } from "node:crypto";
import { createInterface } from "node:readline";

globalThis.crypto ??= webcrypto; // Node 18 hides it
const signing = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  try {
    console.log(JSON.stringify({ is: signing[name](...given) }));
  } catch (error) {
    console.log(JSON.stringify({ failed: String(error) }));
  }
}
