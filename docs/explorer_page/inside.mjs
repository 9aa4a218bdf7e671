// Runs tests inside the interpreter of the page: node docs/explorer_page/inside.mjs SITE_PACKAGES ARGUMENT_OF_PYTEST…
// The package and the tests are those of the checkout; what is compiled for this machine cannot be imported there.
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { begin } from "./interpreter.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const built = `${root}/build/explore`;
const folder = (name) => `${built}/${readdirSync(built).find((entry) => entry.startsWith(`${name}-`))}`;
const [packages, ...given] = process.argv.slice(2);
const of = (name) => import(pathToFileURL(name));
const { loadPyodide } = await of(`${folder("python")}/pyodide.mjs`);
const { default: create } = await of(`${folder("python")}/pyodide.asm.mjs`);
const { decompress } = await of(`${folder("page")}/fzstd.mjs`);
const { LIBRARIES, SITE } = await import(`data:text/javascript;base64,${readFileSync(`${folder("page")}/addresses.js`, "base64")}`);
const packed = decompress(readFileSync(`${folder("program")}/libraries.zst`));
let end = 0;
const libraries = LIBRARIES.map(([path, size]) => ({ path, compiled: WebAssembly.compile(packed.subarray(end, (end += size))) }));
const runtime = mkdtempSync(`${tmpdir()}/python-`); // with what the page unpacks
for (const name of readdirSync(folder("python"))) copyFileSync(`${folder("python")}/${name}`, `${runtime}/${name}`);
writeFileSync(`${runtime}/pyodide.asm.wasm`, decompress(readFileSync(`${folder("program")}/interpreter.zst`)));
const python = await begin({ loadPyodide, create, runtime: `${runtime}/`, site: SITE, libraries });
python.unpackArchive(decompress(readFileSync(`${folder("program")}/program.zst`)), "zip", { extractDir: SITE });
const wheels = readdirSync(`${root}/build/fetched`).filter((name) => name.startsWith("hypothesis-"));
for (const wheel of wheels) python.unpackArchive(new Uint8Array(readFileSync(`${root}/build/fetched/${wheel}`)), "zip", { extractDir: SITE });
for (const [place, from] of [["/checkout", root], ["/packages", resolve(packages)]]) {
  python.FS.mkdirTree(place);
  python.mountNodeFS(place, from);
}
python.globals.set("site", SITE);
python.globals.set("given", python.toPy(given));
process.exitCode = python.runPython(`
import os, shutil, sys

shutil.rmtree(f"{site}/verifier")  # the checkout's own instead
sys.dont_write_bytecode = True
sys.path.insert(0, "/checkout")
sys.path.append("/packages")
os.chdir("/checkout")
import pytest

pytest.main(["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler", *given])
`);
rmSync(runtime, { recursive: true });
