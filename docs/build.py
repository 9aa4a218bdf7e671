"""Build the site: `python docs/build.py [--output build/site] [--again]`.

The source is put together from the pages of the repository, Sphinx makes the pages with warnings as errors, and every
link inside is followed. `--again` builds a second time in another folder, and compares byte by byte.
With `--explorer` the site has the explorer, and every model a link that opens it there.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "_ext"))

from check_site import problems  # noqa: E402
from stage import stage  # noqa: E402

from verifier.wings.report.matrix_page import write_matrix  # noqa: E402


def build(output: Path, work: Path, explorer: Path | None) -> None:
    """Stage and build, and put the explorer beside the pages; a warning is an error."""
    from sphinx.cmd.build import main as sphinx

    stage(work / "source", explorer=explorer is not None)
    shutil.rmtree(output, ignore_errors=True)
    status = sphinx([
        "-c", str(HERE), "-b", "html", "-W", "--keep-going", "-q", "-E", "-j", "auto",
        "-d", str(work / "doctrees"), str(work / "source"), str(output),
    ])  # fmt: skip
    if status:
        sys.exit(status)
    for name in (".buildinfo", ".buildinfo.bak"):  # for building again, not for readers
        (output / name).unlink(missing_ok=True)
    write_matrix(output / "matrix")
    if explorer is not None:
        shutil.copytree(explorer, output / "explore")


def digests(folder: Path) -> dict[str, str]:
    """The hash of every file."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def main() -> int:
    """Build, check, and where asked build again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--again", action="store_true", help="build twice, in two folders, and compare byte by byte")
    parser.add_argument("--explorer", type=Path, help="the explorer as a page, which the site then has")
    asked = parser.parse_args()
    output = asked.output.resolve()
    build(output, output.with_name(output.name + "-work"), asked.explorer)
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
            build(Path(other) / "elsewhere" / "pages", Path(other) / "work", asked.explorer)
            again = digests(Path(other) / "elsewhere" / "pages")
        differ = sorted(name for name in files.keys() | again.keys() if files.get(name) != again.get(name))
        if differ:
            sys.stderr.write(f"built twice, these differ: {', '.join(differ[:20])}\n")
            return 1
        sys.stdout.write("built twice in two folders: byte for byte the same\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
