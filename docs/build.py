"""Build the site: `python docs/build.py [--output build/site] [--again]`.

The source is put together from the pages of the repository, Sphinx makes the pages with warnings as errors, and every
link inside is followed. `--again` builds a second time in another folder, and compares byte by byte.
With `--explorer` the site has the explorer, and every model a link that opens it there. With `--report` it has the
report. All pages lead to both, and both lead back.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "_ext"))

from check_site import problems  # noqa: E402
from doors import lead_back  # noqa: E402
from stage import stage  # noqa: E402

from verifier.wings.report.site import write_matrix  # noqa: E402


def build(output: Path, work: Path, parts: Mapping[str, Path]) -> None:
    """Stage and build, and copy each of the other `parts` into its folder of the site; a warning is an error."""
    from sphinx.cmd.build import main as sphinx

    stage(work / "source", parts)
    shutil.rmtree(output, ignore_errors=True)
    status = sphinx([
        "-c", str(HERE), "-b", "html", "-W", "--keep-going", "-q", "-E", "-j", "auto", "-A", f"built={' '.join(parts)}",
        "-d", str(work / "doctrees"), str(work / "source"), str(output),
    ])  # fmt: skip
    if status:
        sys.exit(status)
    for name in (".buildinfo", ".buildinfo.bak"):  # for building again, not for readers
        (output / name).unlink(missing_ok=True)
    write_matrix(output / "matrix")
    lead_back(output / "matrix", parts)
    for name, folder in parts.items():
        shutil.copytree(folder, output / name)
        lead_back(output / name, parts)


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
    parser.add_argument("--explorer", type=Path, help="the folder of the explorer as a page, which the site then has")
    parser.add_argument("--report", type=Path, help="the folder of the report, which the site then has")
    asked = parser.parse_args()
    output = asked.output.resolve()
    parts = {name: path for name, path in (("explore", asked.explorer), ("report", asked.report)) if path is not None}
    build(output, output.with_name(output.name + "-work"), parts)
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
            build(Path(other) / "elsewhere" / "pages", Path(other) / "work", parts)
            again = digests(Path(other) / "elsewhere" / "pages")
        differ = sorted(name for name in files.keys() | again.keys() if files.get(name) != again.get(name))
        if differ:
            sys.stderr.write(f"built twice, these differ: {', '.join(differ[:20])}\n")
            return 1
        sys.stdout.write("built twice in two folders: byte for byte the same\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
