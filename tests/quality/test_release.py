"""What `make release-check` looks at is seen: a wheel that lacks something, a source that lacks something, sizes."""

import io
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import release

from verifier.version import VERSION


def distributions(folder: Path, inside: list[str], beside: list[str]) -> tuple[Path, Path]:
    """A source distribution and a wheel that hold empty files."""
    source, wheel = folder / "pkdp.tar.gz", folder / "pkdp.whl"
    with zipfile.ZipFile(wheel, "w") as files:
        for name in inside:
            files.writestr(name, "")
    with tarfile.open(source, "w:gz") as archive:
        for name in beside:
            archive.addfile(tarfile.TarInfo(f"pkdp-{VERSION}/{name}"), io.BytesIO())
    return source, wheel


def test_a_wheel_or_a_source_that_lacks_something_is_refused(tmp_path: Path) -> None:
    inside = ["verifier/__init__.py", *release.INSIDE.values(), "pkdp-1.dist-info/METADATA"]
    release.look_into(*distributions(tmp_path, inside, list(release.BESIDE)))
    for given, beside, why in (
        ([*inside, "models/a.toml"], release.BESIDE, r"would install \['models'\] beside verifier"),
        (inside[:2], release.BESIDE, "the ledger .* not in the wheel"),
        (inside, release.BESIDE[1:], "the source distribution lacks pyproject.toml"),
    ):
        with pytest.raises(SystemExit, match=why):
            release.look_into(*distributions(tmp_path, given, list(beside)))


def test_this_python_is_found_and_others_that_do_not_start_are_not(tmp_path: Path) -> None:
    here = "{}.{}".format(*sys.version_info)
    assert release.version_of(sys.executable) == here
    assert release.version_of(tmp_path / "python") == ""
    found = [release.version_of(python) for python in release.pythons()]
    assert here in found
    assert len(set(found)) == len(found)


def test_the_size_leaves_the_installers_out(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.12" / "site-packages"
    for name, size in (("pip", 3 << 20), ("pip-23.dist-info", 1 << 20), ("sympy", 2 << 20)):
        (packages / name).mkdir(parents=True)
        (packages / name / "file").write_bytes(b"x" * size)
    (packages / "six.py").write_bytes(b"x" * (1 << 20))
    assert release.megabytes(tmp_path) in {3, 4}


def test_another_exit_status_ends_the_check(tmp_path: Path) -> None:
    release.run(sys.executable, "-c", "raise SystemExit(3)", folder=tmp_path, status=3)
    with pytest.raises(SystemExit, match="exit status 3, not 0"):
        release.run(sys.executable, "-c", "raise SystemExit(3)", folder=tmp_path)
