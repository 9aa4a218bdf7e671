"""What goes wrong around a command: outputs that cannot be written, files that are none, marks that hide others."""

import errno
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import verifier as pk
from verifier.cli.exits import TRACEBACK, stop
from verifier.cli.main import run
from verifier.definitions import Definition
from verifier.definitions.registry import register
from verifier.errors import InputError, LimitError, MachineError
from verifier.machine.files import write_whole
from verifier.model.library import models_folder
from verifier.show.sheet import Sheet

MODEL = str(models_folder() / "DMKB20" / "example-4-repaired.toml")
SEARCH = ("search", "--satisfies", "np(0)", "--violates", "cdp(0)")
CHECK = ("check", MODEL, "--definition", "np")
WORST = ("worst", MODEL, "--maximise", "cdp delta at ln(2)")
FILES = (
    (*CHECK, "--certificate"),
    ("acceptable", MODEL, "--certificate"),
    (*SEARCH, "--output"),
    (*SEARCH, "--certificate"),
    (*SEARCH, "--checkpoint"),
    (*WORST, "--output"),
    (*WORST, "--certificate"),
)
FOLDERS = (
    ("report", MODEL, "--output"),
    ("relations", "--separate", "--output"),
)
LONGEST = 300
"""Seconds after which a test counts as waiting for ever; disks that others write to, too, take long."""
READERS = (
    ("check", "{}.toml"),
    ("loss", "{}.toml", "--record", "0"),
    ("definitions", "--with", "{}.toml"),
    ("definitions", "--with", "{}.py"),
    ("grade", "{}.json"),
    ("relations", "--axioms", "post-processing", MODEL, "--with", "{}.toml", "--definition", "np"),
    (*SEARCH, "--checkpoint", "{}.json"),
    ("explore", "{}.toml", "--no-open"),
)


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    """What waits for a FIFO would wait for ever: it fails its own test, and ends no other one."""

    def waited(*_: object) -> None:
        pytest.fail(f"it still waits after {LONGEST} seconds")

    before = signal.signal(signal.SIGALRM, waited)
    signal.alarm(LONGEST)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def refused(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> str:
    """The message of a command that is refused for what was given."""
    with pytest.raises(SystemExit) as stopped:
        run(arguments)
    said = capsys.readouterr()
    assert (stopped.value.code, said.out) == (2, ""), said.err
    assert said.err.count("\n") == 1
    return said.err


@pytest.mark.parametrize("command", FILES, ids=lambda one: f"{one[0]} {one[-1]}")
def test_a_file_is_written_in_its_place_or_the_work_is_not_begun(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "fifo")
    absent, long = tmp_path / "absent" / "x", tmp_path / ("x" * 300)
    for place in (tmp_path, tmp_path / "fifo", "/dev/full", absent, "/proc/x", long):
        assert f"{command[-1]}: " in refused((*command, str(place)), capsys)
    assert [one.name for one in tmp_path.iterdir()] == ["fifo"]


@pytest.mark.parametrize("command", FILES, ids=lambda one: f"{one[0]} {one[-1]}")
def test_a_file_with_other_content_is_kept(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model in the place of a certificate or of a found model; a link to itself, and a folder that is a file."""
    mine, loop = tmp_path / "mine.toml", tmp_path / "loop"
    shutil.copy(MODEL, mine)
    loop.symlink_to(loop)
    for place in (loop, mine / "x"):
        assert refused((*command, str(place)), capsys).startswith(f"pkdp: {command[-1]}: {tmp_path}")
    own = (str(mine) if one == MODEL else one for one in command)
    if "--certificate" in command or command[0] != "search":
        said = refused((*own, str(mine)), capsys)
        assert said.startswith(f"pkdp: {command[-1]}: {mine} is ")
    assert mine.read_text() == Path(MODEL).read_text()


@pytest.mark.parametrize("command", FILES, ids=lambda one: f"{one[0]} {one[-1]}")
def test_a_file_that_is_read_is_not_written(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also under another name, and where what stands there is a certificate as far as one can see."""
    read, link = tmp_path / "read.json", tmp_path / "link.json"
    read.write_text('{"format": 1, "kind": "verdict"}')
    link.symlink_to(read)
    given = [str(read) if one == MODEL else one for one in command]
    if command[0] == "search":
        given[1:1] = ["--with", str(read)]
    said = refused((*given, str(link)), capsys)
    assert "a file that this command reads" in said or "is there already" in said
    assert read.read_text() == '{"format": 1, "kind": "verdict"}'


def test_two_options_do_not_write_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "x")
    assert "is given to --certificate, too" in refused((*SEARCH, "--certificate", place, "--output", place), capsys)


def test_a_certificate_replaces_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "x.json"
    place.touch()
    for _ in range(2):
        with pytest.raises(SystemExit) as stopped:
            run((*CHECK, "--certificate", str(place)))
        assert stopped.value.code == 0
        assert "the certificate is in" in capsys.readouterr().err


@pytest.mark.parametrize("command", FOLDERS, ids=lambda one: one[0])
def test_a_folder_is_one_or_the_work_is_not_begun(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("kept")
    for place in (tmp_path / "file", tmp_path / "file" / "x", "/dev/full", "/proc/x"):
        assert f"{command[-1]}: " in refused((*command, str(place)), capsys)
    assert [one.read_text() for one in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_only_regular_files_of_some_size_are_read(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = next(one for one in command if "{}" in one)
    path = tmp_path / name.format("bad")
    given = tuple(one.format(tmp_path / "bad") for one in command)
    os.mkfifo(path)
    assert "is a FIFO" in refused(given, capsys)
    path.unlink()
    path.symlink_to("/dev/zero")
    assert "is a device" in refused(given, capsys)
    path.unlink()
    with path.open("wb") as stream:
        stream.truncate(200 << 20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "the file has more than" in refused(given, capsys)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 160_000  # kilobytes


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_an_answer_that_cannot_be_printed_is_none(options: tuple[str, ...]) -> None:
    quiet = "--quiet"  # a slow machine says that it is still working
    command = [sys.executable, "-m", "verifier.cli.supervisor", "definitions", quiet, *options]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 4
    if options:
        reason = json.loads(done.stderr)
        assert (reason["place"], reason["error"]) == (
            "standard output",
            "it cannot be written (No space left on device)",
        )
    else:
        assert done.stderr == "pkdp: standard output: it cannot be written (No space left on device).\n"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (4, "")
    closed = ["/bin/sh", "-c", '"$@" >&-', "sh", *command]
    done = subprocess.run(closed, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (4, 1)
    assert "standard output" in done.stderr
    assert "it is closed" in done.stderr


@pytest.mark.parametrize(
    ("number", "hint"), [(errno.ENOSPC, True), (errno.EDQUOT, True), (errno.EIO, False), (errno.EACCES, False)]
)
def test_the_disk_is_said_to_be_full_where_it_is(
    number: int, hint: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    (tmp_path / "kept").write_text("kept")
    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(MachineError, match=re.escape(f"cannot be written ({os.strerror(number)})")) as caught:
        write_whole(tmp_path / "kept", "new")
    assert ("disk full" in str(caught.value)) == hint
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("kept", "kept")]


def test_a_file_that_is_too_large_is_the_machine_failing(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        with pytest.raises(MachineError, match=r"cannot be written \(File too large\)\.$"):
            write_whole(tmp_path / "kept", "x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("kept", "kept")]


def test_a_file_is_written_without_touching_another(tmp_path: Path) -> None:
    """Neither a file of the user's that is called `NAME.part`, nor what a link of that name leads to."""
    (tmp_path / "a.json.part").write_text("the user's")
    (tmp_path / "elsewhere").write_text("kept")
    (tmp_path / "b.json.part").symlink_to(tmp_path / "elsewhere")
    for name in ("a.json", "b.json"):
        write_whole(tmp_path / name, name)
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {
        "a.json": "a.json", "a.json.part": "the user's", "b.json": "b.json", "b.json.part": "kept", "elsewhere": "kept",
    }  # fmt: skip


def test_a_file_keeps_its_permissions_and_a_new_one_has_the_usual_ones(tmp_path: Path) -> None:
    (tmp_path / "kept").touch(0o600)
    before = os.umask(0o027)
    try:
        for name in ("kept", "new"):
            write_whole(tmp_path / name, b"\xff")
    finally:
        os.umask(before)
    assert {one.name: oct(one.stat().st_mode & 0o777) for one in tmp_path.iterdir()} == {
        "kept": "0o600",
        "new": "0o640",
    }


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    for name in ("file", "later"):
        (tmp_path / name).symlink_to(Path("home") / name)
    (tmp_path / "home" / "file").write_text("old")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("file", "later"):
        write_whole(tmp_path / name, "new")
        assert (tmp_path / name).is_symlink()
    assert {one.name: one.read_text() for one in (tmp_path / "home").iterdir()} == {"file": "new", "later": "new"}
    with pytest.raises((InputError, MachineError)):
        write_whole(tmp_path / "loop", "new")
    assert (tmp_path / "loop").is_symlink()


def test_an_interruption_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kept").write_text("kept")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "kept", "new")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("kept", "kept")]


def test_whoever_reads_sees_one_writer_and_no_mixture(tmp_path: Path) -> None:
    path, size = tmp_path / "certificate.json", 1 << 22
    write_whole(path, "0" * size)
    writers: list[int] = []
    for digit in "12":
        child = os.fork()
        if child == 0:  # else it would go on, and start a writer that nobody waits for
            try:
                for _ in range(20):
                    write_whole(path, digit * size)
            except BaseException:  # noqa: BLE001  # a writer that fails is no test
                os._exit(1)
            os._exit(0)
        writers.append(child)
    seen = set()
    while os.waitpid(writers[0], os.WNOHANG) == (0, 0):
        text = path.read_text()
        seen.add((len(text), *sorted(set(text))))
    assert os.waitpid(writers[1], 0)[1] == 0
    assert seen <= {(size, "0"), (size, "1"), (size, "2")}
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_an_error_of_the_program_is_told_and_is_no_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, status, said in (
        (ZeroDivisionError("of\x1b[31m 0"), 4, "ZeroDivisionError: of\\x1b[31m 0. Hint: please report it"),
        (MachineError("lost"), 4, "lost"),
        (MemoryError(), 4, "out of memory"),
        (LimitError("too large"), 3, "too large"),
        (InputError("wrong"), 2, "wrong"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ):
        with pytest.raises(SystemExit) as stopped:
            stop(error)
        told = capsys.readouterr().err
        assert (stopped.value.code, told.count("\n")) == (status, 1)
        assert said in told
    monkeypatch.setenv(TRACEBACK, "1")
    with pytest.raises(SystemExit):
        stop(ZeroDivisionError())
    assert "ZeroDivisionError\n" in capsys.readouterr().err


HIDING = ("a\nb", "a\rb", "a\x1b[31mb", "a\x9bb", "a\u2028b", "a\u202eb", "a\x00b", "a\ud800b")


@pytest.mark.parametrize("text", HIDING, ids=ascii)
def test_no_name_hides_another(text: str) -> None:
    coin = {"iid": {0: "1/2", 1: "1/2"}}
    good = {"size": 1, "values": [0, 1], "distribution": coin, "mechanism": {"kind": "sum"}}
    for bad in (
        {"title": text},
        {"source": text},
        {"distribution": {**coin, "name": text}},
        {"mechanism": {"kind": "constant", "output": text}},
        {"values": [0, text]},
        {"expect": [{"definition": text, "verdict": "holds"}]},
        {"distribution": {"mixture": [{"name": text, "weight": "1", **coin}]}},
    ):
        with pytest.raises(InputError, match="printable"):
            pk.build(**{**good, **bad})
    if text != "a\nb":
        with pytest.raises(InputError, match="notes of printable"):
            pk.build(**good, notes=text)
    assert pk.build(**good, notes="a\nb\tc", title="Référendum\xa0: oui").notes == "a\nb\tc"
    for part in ("title", "source", "formula"):
        good_definition = Definition("hiding-one", "t", "s", "f", "conditional")
        with pytest.raises(InputError, match=f"the {part} of printable"):
            register(replace(good_definition, **{part: text}))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", HIDING[1:], ids=ascii)
def test_no_medium_is_sent_what_hides_another(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    from verifier.cli.common import as_text, print_sheets

    sheet = Sheet(text, (text,), ((text,),), notes=(text,))
    for kind in ("table", "markdown", "latex", "csv"):
        print_sheets([sheet], kind)
    shown = capsys.readouterr().out + sheet.html() + as_text([text])
    assert not set(text) - set("ab[31m") & set(shown)
    assert json.loads(as_text([text])) == [text]


def test_a_title_stays_in_its_comment_and_a_cell_in_its_row() -> None:
    latex = Sheet("a\n\\input{b}", ("c",), (("d\n\ne",),)).tex()
    assert latex.splitlines()[0].endswith("a\\n\\input{b}")
    assert latex.splitlines()[5] == r"d  e \\"


def test_a_spreadsheet_computes_nothing() -> None:
    cells = ("=1+1", "+cmd|x", "@SUM(A1)", "-A1", "-1/2", "-1/2*ln(3)", "-5.7e-12", "plain")
    assert Sheet("", ("=c",), tuple((one,) for one in cells)).csv().splitlines() == [
        "'=c", "'=1+1", "'+cmd|x", "'@SUM(A1)", "'-A1", *cells[4:],
    ]  # fmt: skip


def test_the_name_of_a_file_reaches_no_terminal_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a\x1b[31m\nb.toml"
    path.write_text(Path(MODEL).read_text(encoding="utf-8"), encoding="utf-8")
    for arguments in (("check", str(path)), ("check", str(path), "--json"), ("verify", str(path))):
        with pytest.raises(SystemExit):
            run(arguments)
        said = capsys.readouterr()
        assert "\x1b" not in said.out + said.err
