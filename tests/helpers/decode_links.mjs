// Decodes links as the page does, without a browser: node decode_links.mjs LINK_JS < links (a JSON list) > what they hold.
import { readFileSync } from "node:fs";

let unpacked = 0;
const Unpacking = globalThis.DecompressionStream;
globalThis.DecompressionStream = class {
  constructor(kind) {
    const inner = new Unpacking(kind);
    const count = (bytes, control) => { unpacked += bytes.length; control.enqueue(bytes); };
    this.writable = inner.writable;
    this.readable = inner.readable.pipeThrough(new TransformStream({ transform: count }));
  }
};
const source = readFileSync(process.argv[2], "base64");
const { fromFragment, toFragment } = await import(`data:text/javascript;base64,${source}`);
const known = new Set(Reflect.ownKeys(globalThis));
const found = [];
for (const link of JSON.parse(readFileSync(0, "utf8"))) {
  unpacked = 0;
  const began = process.cpuUsage(); // what it works, whatever else this machine does
  let said;
  try {
    said = { held: await fromFragment(`#${link}`), unpacked };
    if (said.held) said.again = JSON.stringify((await fromFragment(await toFragment(said.held))).document) === JSON.stringify(said.held.document);
  } catch (error) {
    said = { refused: `${error.name}: ${error.message}`, unpacked };
  }
  const { user, system } = process.cpuUsage(began);
  found.push({ ...said, milliseconds: Math.round((user + system) / 1000) });
}
const changed = [Object.prototype, Array.prototype, Function.prototype].flatMap((prototype) => Object.keys(prototype));
process.stdout.write(JSON.stringify({ found, changed, globals: Reflect.ownKeys(globalThis).filter((name) => !known.has(name)).map(String) }));
