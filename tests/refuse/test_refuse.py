"""Everything in the registry is refused: one message, the right exit status, no output, in time and memory."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.errors import PkdpError

from .registry import ENTRIES, Bad, good

SECONDS = 10  # of the processor, on a slow machine; what is not refused before the work takes minutes
MEGABYTES = 1024
JSON = ("check", "loss", "acceptable", "property", "search", "worst", "convert", "compose", "examples", "relations",
        "definitions", "pair", "rule")  # fmt: skip

IN_PROCESS = [entry for entry in ENTRIES if not entry.process]
PROCESSES = [entry for entry in ENTRIES if entry.process]


def _arguments(entry: Bad, folder: Path) -> list[str]:
    """The command line of an entry, with its file written."""
    file = folder / entry.file
    if (content := entry.content) is not None:
        file.write_bytes(content)
    return entry.command(file)


def _check_message(entry: Bad, folder: Path, errors: str) -> None:
    errors = re.sub(r"(?m)^pkdp [a-z]+: .*, [0-9]+ s\n", "", errors)  # what a slow machine says while it works
    errors = re.sub(r"(?m)^pkdp: running the Python code of .*\n", "", errors)
    assert errors.endswith("\n")
    assert errors.count("\n") == 1, "one message on one line"
    message = errors.removeprefix("pkdp: ").rstrip("\n")
    if errors.startswith("{"):
        parts = json.loads(errors)
        assert list(parts) == ["error", "place", "wanted", "tip"]
        place, wanted, tip = (parts[name] or "" for name in ("place", "wanted", "tip"))
        message = str(PkdpError(parts["error"], where=place, wanted=wanted, tip=tip))
    message = message.replace(str(folder / entry.file), "FILE")
    assert re.fullmatch(entry.message, message), message


def test_names_are_distinct() -> None:
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES) >= 80


@pytest.mark.sweep(2)
@pytest.mark.parametrize("entry", IN_PROCESS, ids=lambda entry: entry.name)
@pytest.mark.parametrize("form", ["text", "json"])
def test_refused(entry: Bad, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = _arguments(entry, tmp_path)
    if form == "json":
        if arguments[0] not in JSON:
            pytest.skip("the command is unknown")
        arguments.insert(1, "--json")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    said = capsys.readouterr()
    assert stop.value.code == entry.status, said.err
    assert not said.out
    _check_message(entry, tmp_path, said.err)
    assert seconds < SECONDS


LIMITED = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds} + 1))
resource.setrlimit(resource.RLIMIT_AS, ({bytes}, {bytes}))
from verifier.cli.main import run
from verifier.errors import PkdpError
try:
    run(json.loads(sys.stdin.read()))
finally:
    # The peak of this program: ru_maxrss would be that of the process of tests, from before this one was started.
    peaks = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
    open("most", "w").write(str(int(peaks[0]) >> 10))
"""


@pytest.mark.parametrize("entry", PROCESSES, ids=lambda entry: entry.name)
def test_refused_within_the_limits(entry: Bad, tmp_path: Path) -> None:
    program = LIMITED.format(seconds=SECONDS, bytes=MEGABYTES << 20)
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(_arguments(entry, tmp_path)),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert done.returncode == entry.status, done.stderr[-2000:]
    assert not done.stdout
    _check_message(entry, tmp_path, done.stderr)
    assert int((tmp_path / "most").read_text()) < MEGABYTES


def test_the_command_itself_refuses(tmp_path: Path) -> None:
    command = Path(sys.executable).parent / "pkdp"
    file = tmp_path / "model.toml"
    file.write_text(good().replace("1/2", "1/3"))
    done = subprocess.run([command, "check", file, "--json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    said = json.loads(done.stderr)
    assert said["place"] == f'{file}: [[distribution]] "x", iid'
    assert said["error"] == "the probabilities sum to 2/3"


# --- the same in Python -------------------------------------------------------------------------------------

COIN = {0: "1/2", 1: "1/2"}


def _vote(**keys: object) -> pk.Model:
    return pk.build(
        **{"size": 1, "values": [0, 1], "distribution": {"iid": COIN}, "mechanism": {"kind": "sum"}, **keys}
    )


@pytest.mark.parametrize(
    "keys",
    [
        {"distribution": {"iid": {0: 0.5, 1: 0.5}}},
        {"distribution": {"table": [{"database": [0], "probability": 1.0}]}},
        {"mechanism": {"kind": "linear", "weights": [0.5]}},
        {"mechanism": {"kind": "sum", "sample": 0.5}},
        {"mechanism": {"kind": "sum", "then": [{"kind": "geometric-noise", "p": 0.5}]}},
        {"mechanism": {"rows": [{"database": [0], "outputs": {"a": 0.5, "b": 0.5}}], "otherwise": "a"}},
        {"mechanism": {"rows": [{"database": [0], "output": 0.5}], "otherwise": "a"}},
        {"values": [0, 0.5]},
    ],
    ids=str,
)
def test_a_float_is_refused_with_a_tip(keys: dict[str, object]) -> None:
    with pytest.raises(pk.InexactError, match=r"the float .* Hint: write ") as caught:
        _vote(**keys)
    assert isinstance(caught.value, TypeError)
    assert caught.value.where


def test_a_float_of_a_function_is_refused_when_it_is_asked() -> None:
    with pytest.raises(pk.InexactError, match=r"\[mechanism\].*the float 0\.25.*Hint: write \"0\.25\""):
        pk.check(_vote(mechanism=lambda _: {"a": 0.25, "b": 0.75}), "np", epsilon=1)


@pytest.mark.parametrize("question", [{"epsilon": 0.5}, {"epsilon": 1, "delta": 0.5}])
def test_a_float_in_a_question_is_refused_with_a_tip(question: dict[str, Any]) -> None:
    with pytest.raises(pk.InexactError, match=r'the float 0\.5 .*Hint: write "0\.5" in quotes'):
        pk.check(_vote(), "np", **question)


def test_a_verdict_is_no_truth_value() -> None:
    with pytest.raises(TypeError):
        bool(pk.check(_vote(), "np", epsilon=Fraction(1)))


def test_a_key_given_twice_is_refused() -> None:
    with pytest.raises(pk.InputError, match=r"iid: a key is given twice"):
        _vote(distribution={"iid": {0: 0, "0": "1/2", 1: "1/2"}})


def test_a_nested_part_has_no_end() -> None:
    part: dict[str, object] = {"kind": "sum"}
    for _ in range(5000):
        part = {"kind": "all", "of": [part]}
    with pytest.raises(pk.InputError, match="nested too deeply"):
        _vote(mechanism=part)
