"""Build the site: `python docs/build.py [--output build/site] [--again]`.

The source is put together from the pages of the repository, Sphinx makes the pages with warnings as errors, and every
link inside is followed. `--again` puts the source together a second time, in a process whose sets have another order.
The pages that Sphinx makes of the code, and one in ten of the others, are rendered again into another folder. All of
this is compared byte by byte.
With `--explorer` the site has the explorer, and every model a link that opens it there. With `--report` it has the
report. All pages lead to both, and both lead back. `--address` is where the site is published, for the canonical link
of each page.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "_ext"))

from address import address  # noqa: E402
from check_site import problems  # noqa: E402
from doors import lead_back  # noqa: E402
from lecture_page import write as write_lecture  # noqa: E402
from stage import stage  # noqa: E402

from verifier.wings.report.site import write_matrix  # noqa: E402

ONE_IN = 10
"""Of how many pages that are not made of code one is rendered again."""
INDEX = "searchindex.js"
"""The index of the search, which is of all pages."""
WORK = "-work"
"""What the name of the folder of work has after that of the site."""
SEED = "1"
"""What gives the sets of the second process another order than the first one's, which is random or 0."""


def build(output: Path, work: Path, parts: Mapping[str, Path], address: str) -> None:
    """Stage and render, and copy each of the other `parts` into its folder of the site; a warning is an error."""
    stage(work / "source", parts)
    shutil.rmtree(output, ignore_errors=True)
    render(output, work, parts, address, "-E")
    for name, folder in parts.items():
        shutil.copytree(folder, output / name)
        lead_back(output / name, parts)


def build_again(output: Path, work: Path, parts: Mapping[str, Path], address: str) -> list[str]:
    """Stage again, and list the files of the source that differ; render pages of code and a sample of the others."""
    stage(work / "again", parts)
    before, after = digests(work / "source"), digests(work / "again")
    made_of_code = sorted((work / "source" / "api").glob("*.md"))
    for page in made_of_code:  # by Sphinx, which reads them again
        page.touch()
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    first = work.with_name(work.name.removesuffix(WORK))
    shutil.copyfile(first / INDEX, output / INDEX)  # Sphinx puts what it renders in its place there
    render(output, work, parts, address, pages=[*made_of_code, *sorted((work / "source").rglob("*.md"))[::ONE_IN]])
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def render(
    output: Path, work: Path, parts: Mapping[str, Path], address: str, *options: str, pages: Sequence[Path] = ()
) -> None:
    """Have Sphinx make the pages, all if none is named, and add the matrix and the lecture."""
    from sphinx.cmd.build import main as sphinx

    status = sphinx([
        "-c", str(HERE), "-b", "html", "-W", "--keep-going", "-q", *options, "-j", "auto",
        "-A", f"built={' '.join(parts)}", "-D", f"html_baseurl={address}", "-d", str(work / "doctrees"),
        str(work / "source"), str(output),
        *map(str, dict.fromkeys(pages)),
    ])  # fmt: skip
    if status:
        sys.exit(status)
    for name in (".buildinfo", ".buildinfo.bak"):  # for building again, not for readers
        (output / name).unlink(missing_ok=True)
    write_lecture(output, explorer="explore" in parts)
    (output / ".nojekyll").touch()  # folders that begin with _ are published too
    write_matrix(output / "matrix")
    lead_back(output / "matrix", parts)


def digests(folder: Path) -> dict[str, str]:
    """The hash of every file."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def refused(why: str, names: Sequence[str]) -> int:
    """Name the first of the files, and return the exit status: 1 where there is one."""
    if names:
        sys.stderr.write(f"{why}: {', '.join(names[:20])}\n")
    return int(bool(names))


def main() -> int:
    """Build, check, and where asked build again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--again", action="store_true", help="build a part again elsewhere, and compare byte by byte")
    parser.add_argument("--work", type=Path, help="what --again asks: the folder of work of the first build")
    parser.add_argument("--explorer", type=Path, help="the folder of the explorer as a page, which the site then has")
    parser.add_argument("--report", type=Path, help="the folder of the report, which the site then has")
    parser.add_argument("--address", default=address(), help="where the site is published")
    asked = parser.parse_args()
    output = asked.output.resolve()
    parts = {name: path for name, path in (("explore", asked.explorer), ("report", asked.report)) if path is not None}
    if asked.work:
        return refused("put together twice, these differ", build_again(output, asked.work, parts, asked.address))
    work = output.with_name(output.name + WORK)
    build(output, work, parts, asked.address)
    found = problems(output)
    for problem in found:
        sys.stderr.write(problem + "\n")
    if found:
        return 1
    files = digests(output)
    size = sum((output / name).stat().st_size for name in files)
    said = f"{len(files)} files, {size // 1024} KiB, every link inside was followed"
    sys.stdout.write(f"{said}: open {asked.output}/index.html\n")
    if asked.again:
        with tempfile.TemporaryDirectory() as other:
            elsewhere = Path(other) / "elsewhere" / "pages"
            given = [one for one in sys.argv[1:] if one != "--again"]
            command = [sys.executable, __file__, *given, f"--output={elsewhere}", f"--work={work}"]
            status = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": SEED}, check=False).returncode  # noqa: S603
            again = digests(elsewhere) if not status else {}
        if status or refused(
            "rendered twice, these differ", [name for name in again if files.get(name) != again[name]]
        ):
            return 1
        pages = sum(name.endswith(".html") for name in again)
        sys.stdout.write(f"put together twice, and {pages} pages rendered twice: byte for byte the same\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
