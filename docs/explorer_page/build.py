"""Build the explorer and the course as pages that any static host serves, in `build/explore`.

The page is the explorer of `pkdp explore`, file for file, but for `transport.js`: its questions go to a worker that
holds the same package, compiled for the Python that runs in a browser. All names of files have hashes of what they
hold, but for `index.html`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fetch import fetched
from program import SITE, Program, compiled

from verifier.wings.course.pages import addresses
from verifier.wings.course.pages import page as course_page
from verifier.wings.explore.problems import MOST_SECONDS, ended, problem, too_long
from verifier.wings.explore.routes import Session, listed
from verifier.wings.explore.server import static_files

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "verifier"
FETCHED = ROOT / "build" / "fetched"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "python_stdlib.zip")
"""The files of the interpreter that the page needs; its code is packed too, as `interpreter.zst` and `script.zst`."""
FETCHED_FIRST = ("interpreter.zst", "script.zst", "libraries.zst", "memory.zst")
"""The large files that a first answer needs and that the worker fetches (scripts are imported)."""
EMPTY = b"PK\5\6" + bytes(18)
"""An archive without files: the standard library, until it is needed."""
OWN = ("interpreter.mjs", "worker.js", "transport.js")
"""The files of this folder that the page runs; `transport.js` stands in place of the explorer's."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What the page may load and run: its own files, and no script that stands in a page."""
HEAD = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
FIRST_ASKED = ("np", "ppkdp", "cdp")
"""The definitions of which one is shown first (main.js, `passports`): their answers are in the page."""
LISTED = ("dimensions",)
"""The lists that the page asks for at its start."""
EPSILON, DELTA = "ln(2)", "0"
"""What the page asks first (store.js)."""


def build(output: Path) -> dict[str, int]:
    """Build the page in a folder, which is made anew; return the bytes of each of its parts."""
    packages = fetched(FETCHED)
    shutil.rmtree(output, ignore_errors=True)
    work = output.with_name(output.name + "-work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    with tarfile.open(packages["pyodide"]) as archive:
        archive.extractall(work, filter="data")
    with tarfile.open(packages["fzstd"]) as archive:
        archive.extractall(work / "fzstd", filter="data")
    lock = json.loads((work / "package" / "pyodide-lock.json").read_text(encoding="utf-8"))
    questions, first = _first()
    wheels = [packages["python-flint"], packages["latex2mathml"]]
    program = compiled(work / "package", work, wheels, questions)
    runtime = {name: (work / "package" / name).read_bytes() for name in RUNTIME}
    runtime["pyodide-lock.json"] = json.dumps({"info": lock["info"], "packages": {}}).encode()
    runtime["empty.zip"] = EMPTY
    licenses = _licenses(work, packages)
    parts = {"python": runtime, "program": program.files, "licenses": licenses}
    folders = {name: _put(output, name, files) for name, files in parts.items()}
    page = {name.removeprefix("/static/"): content for name, (_, content) in static_files().items() if name != "/"}
    index = page.pop("index.html").decode()
    page |= {name: (HERE / name).read_bytes() for name in OWN}
    page["fzstd.mjs"] = (work / "fzstd/package/esm/index.mjs").read_bytes()
    size = sum(len((runtime | program.files)[name]) for name in FETCHED_FIRST)
    page["addresses.js"] = _addresses(folders, program, size).encode()
    folder = _put(output, "page", page)
    (output / "index.html").write_text(_index(index, folder, folders["licenses"], first), encoding="utf-8")
    (output / "course").mkdir()
    for address in addresses():
        text = course_page(address, f"../{folder}", "../index.html")
        (output / "course" / address).write_text(text.replace("<head>\n", HEAD), encoding="utf-8")
    shutil.rmtree(work)
    return {path.relative_to(output).as_posix(): path.stat().st_size for path in sorted(output.rglob("*.*"))}


def _put(output: Path, name: str, files: Mapping[str, bytes]) -> str:
    """Write files into a folder whose name has their hash; return that name."""
    digest = hashlib.sha256()
    for file, content in sorted(files.items()):
        digest.update(f"{file} {len(content)}\n".encode() + content)
    folder = f"{name}-{digest.hexdigest()[:16]}"
    (output / folder).mkdir(parents=True)
    for file, content in files.items():
        (output / folder / file).write_bytes(content)
    return folder


def _addresses(folders: Mapping[str, str], program: Program, size: int) -> str:
    """The script with the other folders, the bytes of a first answer, and the words for where there is no answer."""
    values = {
        "RUNTIME": f"../{folders['python']}/",
        "PROGRAM": f"../{folders['program']}/",
        "SITE": SITE,
        "LIBRARIES": program.libraries,
        "CHECKSUM": program.checksum,
        "VARYING": program.varying,
        "BYTES": size,
        "PATIENCE": MOST_SECONDS * 1000,
        "TOO_LONG": problem(too_long()),
        "ENDED": problem(ended()),
    }
    lines = [f"export const {name} = {json.dumps(value, ensure_ascii=False)};" for name, value in values.items()]
    return "\n".join(["// Made when the page is built.", *lines, ""])


def _first() -> tuple[list[tuple[str, Any]], list[tuple[str, Any]]]:
    """The questions about the model that is open first, and their answers by what `transport.js` calls them."""
    first = b64encode((PACKAGE / "wings/explore/static/first.js").read_bytes()).decode()
    script = f"import('data:text/javascript;base64,{first}').then(file => console.log(JSON.stringify(file.FIRST)))"
    done = subprocess.run(["node", "--no-warnings", "-e", script], capture_output=True, text=True, check=True)
    document, session = json.loads(done.stdout), Session()
    questions: list[tuple[str, Any]] = []
    answers: dict[str, Any] = {f"{name} []": json.loads(listed(name, "")) for name in LISTED}

    def ask(name: str, **fields: Any) -> Any:
        key = f"{name} {json.dumps(sorted(fields.items()), ensure_ascii=False, separators=(',', ':'))}"
        questions.append((name, {"document": document, **fields}))
        answer = session.post(*questions[-1])
        answers[key] = {field: value for field, value in answer.items() if field != "milliseconds"}
        return answer

    rows = ask("passport", epsilon=EPSILON, delta=DELTA, dimension="")["rows"]
    for row in rows:
        ask("recheck", definition=row["key"], epsilon=EPSILON, delta=DELTA, reading=None)
    ask("loss", record=None, values=None)
    for definition in FIRST_ASKED:
        answer = ask("answer", definition=definition, epsilon=EPSILON, delta=DELTA, reading=None)
        ask("worlds", definition=definition, epsilon=EPSILON, delta=DELTA, reading=None)
        witness = answer["witness"] or {}
        if witness.get("record") is not None:
            ask("loss", record=witness["record"], values=[witness["a"], witness["b"]])
    return questions, list(answers.items())


def _licenses(work: Path, packages: Mapping[str, Path]) -> dict[str, bytes]:
    """The licences of all that the page runs, as files, and a list of them."""
    about = json.loads((work / "package" / "package.json").read_text(encoding="utf-8"))
    lines = [f"pkdp: LICENSE.txt; pyodide {about['version']} (with CPython): {about['license']}"]
    lines.append("fzstd: fzstd-LICENSE.txt")
    files = {"LICENSE.txt": (ROOT / "LICENSE").read_bytes()}
    files["fzstd-LICENSE.txt"] = (work / "fzstd/package/LICENSE").read_bytes()
    for name in ("python-flint", "latex2mathml"):
        with zipfile.ZipFile(packages[name]) as wheel:
            for path in wheel.namelist():
                if re.search(r"\.dist-info/(licenses/)?.*(LICENSE|COPYING|NOTICE|AUTHORS)", path):
                    file = f"{name}-{path.partition('.dist-info/')[2].removeprefix('licenses/').replace('/', '-')}.txt"
                    files[file] = wheel.read(path)
                    lines.append(f"{name}: {file}")
    return {**files, "index.txt": "\n".join([*lines, ""]).encode()}


def _index(text: str, folder: str, licenses: str, first: list[tuple[str, Any]]) -> str:
    """The page: the explorer's, with its rules of what it may load, and the first answers."""
    prepared = json.dumps(first, ensure_ascii=False).replace("<", "\\u003c")
    words = next(answer["words"] for name, answer in first if name.startswith("answer "))
    replaced = {
        "<head>\n": HEAD,
        '"static/': f'"{folder}/',
        "<h3>The verdicts</h3>": (
            f'<p><a href="{licenses}/index.txt">Licences</a> of what this page runs.</p>\n  <h3>The verdicts</h3>'
        ),
        "</body>": f'<script type="application/json" id="prepared">{prepared}</script>\n</body>',
        '<section id="answer" aria-label="The chosen definition">': (
            '<section id="answer" aria-label="The chosen definition">'
            f"<noscript><p>{words}</p><p>To change the model, allow this page to run scripts.</p></noscript>"
        ),
    }
    for old, new in replaced.items():
        if old not in text:
            sys.exit(f"the explorer's page has no {old!r} any more")
        text = text.replace(old, new)
    return text


def main() -> int:
    """Build the page and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "explore")
    sizes = build(parser.parse_args().output.resolve())
    for name, size in sorted(sizes.items(), key=lambda entry: -entry[1])[:6]:
        sys.stdout.write(f"{size:>12,}  {name}\n")
    sys.stdout.write(f"{sum(sizes.values()):>12,}  in all\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
