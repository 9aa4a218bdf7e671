"""Answers files: each false statement is rejected for its reason, and a slip of the user never looks like one."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.checker.__main__ import main
from verifier.checker.answers import Word, checked
from verifier.checker.definitions import DEFINITIONS
from verifier.checker.models import Model
from verifier.model.library import models_folder

MODEL = """
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = "1/2" }, { database = [0, 1], probability = "1/8" },
          { database = [1, 0], probability = "1/8" }, { database = [1, 1], probability = "1/4" } ]
[knowledge]
records = [1]
[mechanism]
kind = "count"
value = 1
then = [ { kind = "geometric-noise", p = "1/2" } ]
[policy]
distance = "hamming"
"""


def answer(key: str, epsilon: str | None = None, delta: str = "0") -> dict[str, Any]:
    text = pk.check(pk.loads(MODEL), key, epsilon=epsilon, delta=delta, replay=False).to_json()
    out: dict[str, Any] = json.loads(text) if isinstance(text, str) else dict(text)
    return out


def word(claim: dict[str, Any]) -> str:
    return checked(claim, Model(MODEL)).word


TRUE = [("dp", None), ("dp", "ln(3/2)"), ("np", "1/10"), ("ppkdp", "1/10"), ("cdp", "ln(3/2)"), ("ibcdp", "1/10"),
        ("ddpr", "1/10"),
        ("klpr", "1/100"), ("rbpr", "1/10"), ("advpr", "1/10"), ("prodp", "1/10"), ("baydp-ysn", "1/10")]  # fmt: skip


@pytest.mark.parametrize(("key", "epsilon"), TRUE)
def test_true_answers(key: str, epsilon: str | None) -> None:
    assert word({**answer(key, epsilon), "definition": key}) == "confirmed"


def change(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def act(claim: dict[str, Any]) -> None:
        place: Any = claim
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to

    return act


FALSE = [
    ("np", "1/10", change("verdict", to="holds"), "verdict"),
    ("np", "1/10", change("verdict", to="vacuous"), "verdict"),
    ("np", "1/10", change("verdict", to="unsupported"), ""),
    ("np", "1/10", change("tight_epsilon", to="ln(3)"), "tight_epsilon"),
    ("np", "1/10", change("tight_epsilon_decimal", to="0.5"), "tight_epsilon_decimal"),
    ("np", "1/10", change("tight_delta", to="1/2"), "tight_delta"),
    ("np", "1/10", change("epsilon", to="ln(3/2)"), ""),
    ("np", "1/10", change("witness", to=None), "without a witness"),
    ("np", "1/10", change("witness", "event", to=["> 5"]), "probability_a"),
    ("np", "1/10", change("witness", "event", to=["yes"]), "probability_a"),
    ("np", "1/10", lambda a: a["witness"]["event"].append("yes"), "none of its laws has"),
    ("np", "1/10", lambda a: a["witness"]["event"].extend(a["witness"]["event"]), "twice"),
    ("ppkdp", "1/10", lambda a: a["witness"]["terms"][0]["event"].append("yes"), "none of its laws has"),
    ("ppkdp", "1/10", change("witness", "event", to=["> 0"]), "besides those of its terms"),
    ("ppkdp", "1/10", change("witness", "probability_a", to="1"), "besides those of its terms"),
    ("np", "1/10", change("witness", "probability_b", to="1/1000"), "probability_b"),
    ("np", "1/10", change("witness", "at_epsilon", to="0"), "ε"),
    ("np", "1/10", change("witness", "laws", 0, "knowledge", to="nothing"), "does not compare"),
    ("np", "1/10", change("witness", "laws", 1, "set_to", to=0), ""),
    ("np", "1/10", change("witness", "laws", 0, "distribution", to="other"), "distribution"),
    ("np", "1/10", change("witness", "laws", 0, "record", to=7), "record"),
    ("dp", "1/10", change("witness", "laws", 0, "databases", 0, "database", to=[1, 1]), ""),
    ("ppkdp", "1/10", change("witness", "terms", 0, "weight", to="1"), "weight"),
    ("ppkdp", "1/10", change("witness", "terms", to=[]), ""),
    ("ppkdp", "1/10", change("witness", "terms", 0, "laws", 1, "knowledge", to=[7]), "does not compare"),
    ("ppkdp", "1/10", lambda a: a["witness"].update(a["witness"]["terms"][0], terms=[]), "part of an average"),
    ("ddpr", "1/10", change("witness", "scale", to="7"), "laws"),
    ("klpr", "1/100", change("witness", "terms", 0, "probability_a", to="1/1000"), "probability_a"),
    ("ibcdp", "1/10", change("witness", "laws", 0, "output", to=9), ""),
]


@pytest.mark.parametrize(("key", "epsilon", "forge", "reason"), FALSE, ids=range(len(FALSE)))
def test_false_answers(key: str, epsilon: str, forge: Callable[[dict[str, Any]], None], reason: str) -> None:
    claim = {**answer(key, epsilon), "definition": key}
    forge(claim)
    found = checked(claim, Model(MODEL))
    assert found.word == ("not checked" if claim["verdict"] == "unsupported" else "rejected")
    assert reason in found.why


TREE = """
size = 3
values = [0, 1]
[mechanism]
kind = "all"
of = [ {} ]
""".format(", ".join(['{ kind = "count", value = 1, then = [ { kind = "geometric-noise", p = "1/2" } ] }'] * 4))


BOOLEANS = """
size = 1
values = [false, true, "o"]
[[distribution]]
name = "fair"
mixture = [ { name = "up", weight = "1/2", iid = { false = "1/3", true = "2/3" } },
            { name = "down", weight = "1/2", iid = { false = "1/3", true = "2/3" } } ]
[[distribution]]
name = "the same"
mixture = [ { name = "up", weight = "1/2", iid = { false = "1/3", true = "2/3" } },
            { name = "down", weight = "1/2", iid = { false = "1/3", true = "2/3" } } ]
[knowledge]
kind = "component"
[mechanism]
kind = "all"
of = [ { kind = "identity" }, { kind = "identity", then = [ { kind = "randomized-response", keep = "1/2" } ] } ]
[policy]
absent = "o"
neighbours = "change"
secrets = [ [ [[false]], [[true]] ] ]
theta-pairs = [ ["fair", "the same"] ]
"""


@pytest.mark.parametrize("key", DEFINITIONS)
def test_names_of_laws_that_are_equal_or_false(key: str) -> None:
    """A label may be `false`; several θ, and several B̂, may have one law, and each of their names is right."""
    model = pk.loads(BOOLEANS)
    readings = ("default", *DEFINITIONS[key].readings)
    for reading, epsilon in at_least_one(product(readings, (None, "0", "ln(2)", "inf"))):
        try:
            claim = pk.check(model, key, epsilon=epsilon, reading=reading, replay=False).to_json()
        except pk.PkdpError:
            continue  # no such reading, or no ε
        found = checked({**json.loads(json.dumps(claim)), "definition": key}, Model(BOOLEANS))
        assert found.word == "confirmed", (reading, epsilon, found)


def bundled(name: str) -> str:
    return (models_folder() / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("epsilon", ["0", "ln(2)", "inf"])
def test_a_law_given_what_is_impossible_has_no_probability(epsilon: str) -> None:
    """The reading infinite-loss compares with it: DMKB20, where x/0 is infinite."""
    text = bundled("DKM19/definition-5-excluded-value")
    claim = pk.check(pk.loads(text), "ppkdp", epsilon=epsilon, reading="infinite-loss", replay=False).to_json()
    assert checked(claim, Model(text)).word == "confirmed"
    excluded = next(term for term in claim["witness"]["terms"] if term["knowledge"] == "y")
    excluded["probability_b"] = "0"
    assert "probability_b" in checked(claim, Model(text)).why
    claim["reading"] = "default"
    assert checked(claim, Model(text)).word == "rejected"


def test_an_answer_about_one_distribution() -> None:
    text = bundled("DKM19/section-4-product")
    model = pk.loads(text)
    name, other = "first uncertain / knows the last", "first uncertain / knows the first"
    alone = replace(model, thetas=tuple(theta for theta in model.thetas if theta.name == name))
    claim = {"distribution": name, **pk.check(alone, "apkdp", epsilon=0, replay=False).to_json()}
    assert checked(claim, Model(text)).why == f"apkdp holds, smallest ε 0; of {name} alone"
    assert "verdict is fails" in checked({**claim, "distribution": other}, Model(text)).why
    assert "no distribution other" in checked({**claim, "distribution": "other"}, Model(text)).why


REDUCIBLE = [
    ("column", ["1", "0"]), ("column", None), ("times", [0, 1]), ("times", [1, 1]), ("B1", [1]), ("B2", [0]),
    ("distribution", "other"), ("record", 1), ("values", ["0"]), ("values", ["0", "0"]),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), REDUCIBLE, ids=range(len(REDUCIBLE)))
def test_what_is_not_reducible_is_shown(field: str, value: Any) -> None:
    text = bundled("DMKB20/reducible/not-necessary")
    claim = json.loads(json.dumps(pk.reducible(pk.loads(text)).to_json()))
    assert checked(claim, Model(text)).word == "confirmed"
    claim["evidence"] = {**claim["evidence"], **({"value": "0"} if value is None else {}), field: value}
    assert checked(claim, Model(text)) == Word("rejected", "the evidence does not show that reducible fails")


@pytest.mark.parametrize("knowledge", ["records = [1]", 'kind = "count"\nvalue = 1'])
@pytest.mark.parametrize("reading", ["default", "ignore-impossible"])
def test_an_honest_word_on_reducibility(knowledge: str, reading: str) -> None:
    text = MODEL.replace("records = [1]", knowledge)
    claim = json.loads(json.dumps(pk.reducible(pk.loads(text), reading=reading).to_json()))
    found = checked(claim, Model(text))
    in_tails = Word("not checked", "the infinitely many outputs in a tail of noise", beyond=True)
    assert found == in_tails if claim["verdict"] == "holds" else found.word == "confirmed"


MOST_BYTES = 2 << 20


def test_of_ten_million_records_nothing_is_listed() -> None:
    """A list of the records alone would take eighty million bytes."""
    text = bundled("referendum/ten-million-exact")
    claim = {"verdict": "holds", "epsilon": "0", "delta": "0", "tight_epsilon": "0", "tight_delta": "0"}
    words: Counter[str] = Counter()
    for key in DEFINITIONS:
        tracemalloc.start()
        found = checked({**claim, "definition": key}, Model(text))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert used < MOST_BYTES, (key, used)
        assert found.beyond or "is unsupported" in found.why, (key, found)
        words[found.word] += 1
    assert words["not checked"] > 10


def test_an_event_of_many_half_lines_is_added_up() -> None:
    """Four noisy counts have 1,296 outputs, and most of an event are tails; it was once searched for hours."""
    claim = json.loads(json.dumps(pk.check(pk.loads(TREE), "dp", epsilon="ln(2)", replay=False).to_json()))
    claim = json.loads(claim) if isinstance(claim, str) else claim
    assert checked(claim, Model(TREE)).word == "confirmed"


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "model.toml").write_text(MODEL, encoding="utf-8")
    return tmp_path


def run(folder: Path, text: str, *more: str) -> int:
    (folder / "answers.json").write_text(text, encoding="utf-8")
    return main([str(folder / "answers.json"), *more])


def named(folder: Path, key: str = "np", **changed: Any) -> dict[str, Any]:
    model = pk.loads((folder / "model.toml").read_text(encoding="utf-8"))
    text = pk.check(model, key, epsilon="1/10", replay=False).to_json()
    out = json.loads(text) if isinstance(text, str) else dict(text)
    return {**out, "model": "model.toml", **changed}


def test_statuses(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = named(files), named(files, tight_epsilon="ln(7)")
    assert run(files, json.dumps(good)) == 0
    assert run(files, json.dumps([good, bad])) == 1
    assert run(files, "\n".join(map(json.dumps, (good, {**good, "definition": "ocdp"})))) == 3
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" ")[0].strip(":") for line in lines] == [
        "confirmed",
        "confirmed",
        "rejected",
        "confirmed",
        "not",
    ]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda a: json.dumps({**a, "sha256": "0" * 64}), "sha256"),
        (lambda a: json.dumps({**a, "model": "missing.toml"}), "not there"),
        (lambda a: json.dumps({**a, "model": "x" * 300}), "not there"),
        (lambda a: json.dumps({**a, "model": "a\0b"}), "not there"),
        (lambda a: json.dumps(a)[:-1] + ', "verdict": "fails"}', "twice"),
        (lambda a: json.dumps({**a, "comparisons": 1.5}), "1.5"),
        (lambda a: json.dumps({**a, "empty": [[1.5]]}), "1.5"),
        (lambda a: json.dumps({**a, "comparisons": float("nan")}), "NaN"),
        (lambda a: json.dumps(a)[:-1] + ', "x": ' + "9" * 30_000 + "}", "number"),
        (lambda a: json.dumps(a)[:-1] + ', "x": ' + "[" * 500 + "]" * 500 + "}", "levels"),
        (lambda _: json.dumps({"format": 1, "kind": "verdict"}), "old format"),
        (lambda a: json.dumps({**a, "delta": "2"}), "probability"),
        (lambda a: json.dumps({**a, "epsilon": "log(2)"}), "epsilon"),
        (lambda a: json.dumps({**a, "verdict": "true"}), "verdict"),
        (lambda _: "{", "JSON"),
        (lambda _: "", "empty"),
        (lambda _: "[3]", "no answer"),
        (lambda _: '{"kind": []}', "no answer"),
    ],
    ids=range(18),
)
def test_a_slip_is_no_refutation(
    files: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[dict[str, Any]], str], why: str
) -> None:
    assert run(files, spoil(named(files))) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("records", ["[-1]", '["0"]', "[true]", "[2]", "{ from = -1, to = 0 }"])
def test_records_are_indices(files: Path, capsys: pytest.CaptureFixture[str], records: str) -> None:
    claim = json.dumps({**named(files), "sha256": None})
    (files / "model.toml").write_text(f"{MODEL}[sensitive]\nrecords = {records}\n", encoding="utf-8")
    assert run(files, claim) == 2
    assert "Expected an integer from 0" in (said := capsys.readouterr().err) or "not all below 2" in said


def test_another_file_by_name(files: Path) -> None:
    (files / "model.toml").rename(files / "other.toml")
    (files / "model.toml").write_text(MODEL, encoding="utf-8")
    claim = json.dumps(named(files))
    (files / "model.toml").unlink()
    assert run(files, claim) == 2
    assert run(files, claim, "--model", str(files / "other.toml")) == 0


ALONE = """import sys, runpy
sys.path.insert(0, ".")
sys.argv = ["checker", "answers.json"]
runpy.run_module("checker", run_name="__main__")
"""


def test_nothing_but_python_is_needed(files: Path) -> None:
    """The folder alone, copied elsewhere, with Python's own library."""
    room = files / "checker"
    room.mkdir()
    for path in (Path(pk.__file__).parent / "checker").glob("*.py"):
        (room / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (files / "answers.json").write_text(json.dumps(named(files)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ALONE],
        cwd=files, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert (done.returncode, done.stdout[:9]) == (0, "confirmed"), done.stderr


def test_a_witness_that_is_left_out_is_said_to_be() -> None:
    claim = {**answer("np", "1/10"), "definition": "np", "witness": None, "left_out": "witness"}
    found = checked(claim, Model(MODEL))
    assert found.word == "confirmed"
    assert found.left == ("the witness, which is left out",)
    assert checked({**claim, "verdict": "holds"}, Model(MODEL)).word == "rejected"


def test_numbers_of_many_digits_need_nothing_of_the_caller() -> None:
    """Python reads and writes 4,300 digits by itself."""
    long = "1/1" + "0" * 4000 + "1"
    text = f'size = 1\nvalues = [0, 1]\n[mechanism]\nkind = "randomized-response"\nkeep = "{long}"\n'
    claim = {"definition": "dp", "verdict": "holds", "epsilon": "1", "delta": "0"}
    found = checked({**claim, "tight_epsilon": "ln(1" + "0" * 5000 + "1)", "tight_delta": "0"}, Model(text))
    assert (found.word, found.why[:13]) == ("rejected", "tight_epsilon")
