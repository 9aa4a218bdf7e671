// Runs functions of the page's scripts without a browser: node page_script.mjs STATIC FILE < calls (a JSON list of [function, arguments]) > what they give.
// A Map becomes a list of pairs; an argument that a function changes stands beside what it gives.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [statics, file] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "page-"));
try {
  cpSync(statics, folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const script = await import(pathToFileURL(join(folder, file)));
  const plain = (given) => (given instanceof Map ? [...given] : given);
  const found = JSON.parse(readFileSync(0, "utf8")).map(([name, ...given]) => {
    const passed = given.map((one) => (Array.isArray(one?.map) ? new Map(one.map) : one));
    return { gives: plain(script[name](...passed)), given: passed.map(plain) };
  });
  process.stdout.write(JSON.stringify(found));
} finally {
  rmSync(folder, { recursive: true });
}
