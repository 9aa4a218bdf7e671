// Compiles Python files for the interpreter of the page: node compile.mjs RUNTIME IN.zip OUT QUESTIONS
// OUT/program.zip has them; OUT/order.json the libraries that the program loads, which are empty files there. Python's own
// library in RUNTIME is compiled in place.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, from, to, questions] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${runtime}/`, env: { HOME: "/home/pyodide" } });
python.FS.writeFile("/in.zip", new Uint8Array(readFileSync(from)));
python.runPython(`
import importlib.util, marshal, sys, zipfile
from types import CodeType

# Docstrings that are shown: what a property says (having.py), for people; and those that Pyodide gives to its methods.
WITH_DOCSTRINGS = ("verifier/questions/having.py", "verifier/questions/conditions.py", "_pyodide/", "pyodide/")
NOWHERE = 0xF8
"""An entry of a table of places: so many instructions, of eight at most, stand at no place of the source."""

def placeless(code):
    """Code without its places in the source, an eighth of what memory holds: no traceback is shown."""
    long, rest = divmod(len(code.co_code) // 2, 8)
    places = bytes([NOWHERE + 7] * long + [NOWHERE + rest - 1] * (rest > 0))
    inner = (placeless(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_linetable=places, co_consts=tuple(inner))

def compiled(name, source):
    """A file of Python as a compiled one, which is taken whatever its source is."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=0 if name.startswith(WITH_DOCSTRINGS) else 2)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + importlib.util.source_hash(source)
    return head + marshal.dumps(placeless(code))

def written(archive, name, content, kind=zipfile.ZIP_STORED):
    archive.writestr(zipfile.ZipInfo(name), content, kind)

def compile_all(start, end, kind):
    with zipfile.ZipFile(start) as source, zipfile.ZipFile(end, "w") as made:
        for name in sorted(source.namelist()):
            content = source.read(name)
            if name.endswith(".py") and "/data/" not in name:  # notebooks are read as texts
                name, content = name + "c", compiled(name, content)
            written(made, name, content, kind)

compile_all("/in.zip", "/all.zip", zipfile.ZIP_STORED)  # memory.mjs packs all of them together
compile_all("/lib/python314.zip", "/library.zip", zipfile.ZIP_DEFLATED)
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
with zipfile.ZipFile("/all.zip") as source, zipfile.ZipFile("/out.zip", "w") as made:
    for name in source.namelist():
        written(made, name, b"" if name in libraries else source.read(name))
`);
writeFileSync(`${runtime}/python_stdlib.zip`, python.FS.readFile("/library.zip"));
writeFileSync(`${to}/program.zip`, python.FS.readFile("/out.zip"));
writeFileSync(`${to}/order.json`, JSON.stringify(order));
