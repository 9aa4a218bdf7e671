// Writes the memory of an interpreter that has the program and has answered with it:
// node memory.mjs RUNTIME PROGRAM.zip LIBRARIES OUT SITE QUESTIONS; LIBRARIES is a folder with the libraries and their list, order.json.
import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { begin, checksum, combine, common, forget, headLength, unpack } from "./interpreter.mjs";

const MARGIN = 64;
/** Where two memories differ, with a margin: places in bytes, from and to. */
function differing(first, second) {
  const [left, right] = [first, second].map(({ buffer }) => new Uint32Array(buffer));
  const places = [];
  for (let k = 0; k < left.length; k += 1) {
    if (left[k] === right[k]) continue;
    if (places.length && places.at(-1)[1] >= 4 * k) places.at(-1)[1] = 4 * k + MARGIN;
    else places.push([4 * k - MARGIN, 4 * k + MARGIN]);
  }
  return places;
}

const [runtime, program, folder, to, site, questions] = process.argv.slice(2);

// Two builds write the same bytes: no clock, no chance.
let chance = 1;
Date.now = () => Date.UTC(2026, 0, 1) + 987_654_321 * chance;
performance.now = () => 1234.567 * chance;
crypto.randomFillSync = (bytes) => bytes.fill(85 * chance);

const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const { default: create } = await import(pathToFileURL(`${runtime}/pyodide.asm.mjs`));
const libraries = JSON.parse(readFileSync(`${folder}/order.json`, "utf8")).map((path) => ({ path, compiled: WebAssembly.compile(readFileSync(`${folder}/${path}`)) }));
const starts = [];
const settings = { loadPyodide, create, runtime: `${runtime}/`, site, libraries, begun: (memory) => starts.push(memory.slice()) };
await begin(settings);
chance = 2;
const python = await begin({ ...settings, _makeSnapshot: true });
const varying = differing(...starts);
unpack(python, new Uint8Array(readFileSync(program)), site);
python.globals.set("questions", readFileSync(questions, "utf8"));
python.runPython(readFileSync(new URL("./warm_up.py", import.meta.url), "utf8"));
const snapshot = python.makeMemorySnapshot();
const memory = snapshot.subarray(headLength(snapshot));
for (const bytes of [memory, starts[1]]) common(python._module, bytes);
const sum = checksum(memory);
combine(forget(starts[1], varying), memory);
python.FS.writeFile("/memory", snapshot);
python.FS.writeFile("/program", readFileSync(program));
python.FS.writeFile("/interpreter", readFileSync(`${runtime}/pyodide.asm.wasm`));
python.FS.writeFile("/script", readFileSync(`${runtime}/pyodide.asm.mjs`));
python.FS.writeFile("/libraries", Buffer.concat(libraries.map(({ path }) => readFileSync(`${folder}/${path}`))));
python.runPython(`
from compression import zstd

for name in ("interpreter", "libraries", "memory", "program", "script"):
    with open(f"/{name}", "rb") as file:
        packed = zstd.compress(file.read(), level=19)
    with open(f"/{name}.zst", "wb") as file:
        file.write(packed)
`);
for (const name of ["interpreter.zst", "libraries.zst", "memory.zst", "program.zst", "script.zst"]) writeFileSync(`${to}/${name}`, python.FS.readFile(`/${name}`));
writeFileSync(`${to}/memory.json`, JSON.stringify({ sum, varying }));
