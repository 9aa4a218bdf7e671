// Compiles Python files for the interpreter of the page: node compile.mjs RUNTIME IN.zip OUT QUESTIONS
// OUT/program.zip has them; OUT/order.json the libraries that the program loads, which are empty files there.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, from, to, questions] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${runtime}/` });
python.FS.writeFile("/in.zip", new Uint8Array(readFileSync(from)));
python.runPython(`
import importlib.util, py_compile, sys, zipfile

def written(name, content):
    made.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)

with zipfile.ZipFile("/in.zip") as source, zipfile.ZipFile("/all.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
    for name in sorted(source.namelist()):
        content = source.read(name)
        if name.endswith(".py"):
            with open("/module.py", "wb") as file:
                file.write(content)
            py_compile.compile(
                "/module.py", "/module.pyc", name, doraise=True, optimize=0,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
            with open("/module.pyc", "rb") as file:
                name, content = name + "c", file.read()
        written(name, content)
with zipfile.ZipFile("/all.zip") as source:
    source.extractall("/program")
sys.path.insert(0, "/program")
`);
python.globals.set("questions", readFileSync(questions, "utf8"));
python.runPython(readFileSync(new URL("./warm_up.py", import.meta.url), "utf8"));
const loaded = Object.keys(python._module.LDSO.loadedLibsByName).filter((name) => name.startsWith("/program/"));
const names = loaded.map((name) => name.slice("/program/".length));
const shared = names.filter((name) => name.startsWith("python_flint.libs/")).reverse(); // each after those that it needs
const order = [...shared, ...names.filter((name) => !shared.includes(name))];
python.globals.set("libraries", python.toPy(order));
python.runPython(`
with zipfile.ZipFile("/all.zip") as source, zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
    for name in source.namelist():
        written(name, b"" if name in libraries else source.read(name))
`);
writeFileSync(`${to}/program.zip`, python.FS.readFile("/out.zip"));
writeFileSync(`${to}/order.json`, JSON.stringify(order));
