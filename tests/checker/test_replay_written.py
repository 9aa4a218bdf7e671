"""Numbers of certificates have one text each; answers about what does not apply, and near forgeries, are refused."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from attack.files import FOLDER, NAMES, honest
from filing import Json, Place, certified, leaves, put, rejection, written
from forging import near, respelled
from test_replay_files import TRUE

from verifier.checker import Beyond, Rejected
from verifier.checker import numbers as written_numbers
from verifier.checker.files import replay_file
from verifier.checker.numbers import _is_power, decimal, delta, ends, epsilon, number, rational, signed, wide_ends
from verifier.checker.roots import chain, roots_in
from verifier.model.library import models_folder

READ: list[tuple[Callable[[Any], object], list[str], list[str]]] = [
    (
        number,
        ["0", "1", "10", "1/2", "3/64", "10/3", "9" * 5000, f"1/{'7' * 5000}"],
        ["3/6", "2/1", "0/5", "0/1", "1/0", "+1", "-1", "-0", "01", "1/02", "00", "0.5", "1.0", "1e2", "1/2/3", "",
        " 1",
         "1 ", "1\n", "1_0", "٣", "½", "1/", "/2", "1 / 2", "inf", f"{'3' * 4500}/{'6' * 4500}"],
    ),
    (signed, ["0", "-1", "-3/64", "7"], ["-0", "+1", "--1", "- 1", "-3/6", "-01", "−1", "-"]),
    (
        epsilon,
        ["0", "1/10", "3", "inf", "ln(2)", "ln(5/2)", "1/2*ln(2)", "2/5*ln(3)", "1/2*ln(9/2)", "7/3*ln(12)",
         "ln(root of x^2 - x - 1 in [1, 2])", "ln(root of x^2 - x - 1 in [8/5, 17/10])",
         "ln(root of 4*x^2 + x - 9 in [13/10, 7/5])", "ln(root of x^3 - 3*x - 1 in [1, 2])",
         "ln(root of x^2 - 3*x + 1 in [2, 3])"],
        ["-1", "3/6", "0.1", "+1", "01", "ln(1)", "ln(1/2)", "ln(0)", "ln(4/2)", "ln(2/1)", "ln(02)", "1*ln(2)",
         "2*ln(3)", "0*ln(2)", "2/4*ln(3)", "4/2*ln(3)", "1/2*ln(4)", "1/5*ln(9)", "1/3*ln(8/27)", "1/2*ln(9/4)",
         "1/7*ln(64)", "*ln(2)", "ln(2) ", "log(2)", "Inf", "∞", "infinity", "1e1", "ln()", "ln", "", "ln(2)*1/2",
         "999999999*ln(2)", "9" * 99, f"1/2*ln({'7' * 6000})",
         "ln(root of x - 2 in [1, 3])", "ln(root of 2*x - 3 in [1, 2])", "ln(root of x^2 - 2 in [1, 2])",
         "ln(root of x^4 - 4 in [1, 2])", "ln(root of 2*x^2 - 2*x - 2 in [1, 2])",
         "ln(root of -x^2 + x + 1 in [1, 2])",
         "ln(root of x^2 - 3*x + 2 in [3/2, 3])", "ln(root of x^4 - 2*x^3 - x^2 + 2*x + 1 in [1, 2])",
         "ln(root of -x - 1 + x^2 in [1, 2])", "ln(root of x^2 - 1*x - 1 in [1, 2])", "ln(root of x^2-x-1 in [1, 2])",
         "ln(root of x^2 - x^1 - 1 in [1, 2])", "ln(root of 1*x^2 - x - 1 in [1, 2])",
         "ln(root of x^2 - x - 1 in [2, 3])",
         "ln(root of x^2 - x - 1 in [2, 1])", "ln(root of x^2 - x - 1 in [2/2, 2])",
         "ln(root of x^2 - x - 1 in [1,2])",
         "ln(root of x^2 - x - 1 - 0 in [1, 2])", "ln(root of x^2 - x - x - 1 in [1, 3])", "ln(root of  in [1, 2])",
         "ln(root of x^2 - x^2 - 1 in [1, 2])", "ln(root of y^2 - y - 1 in [1, 2])",
         "ln(root of x^99 - x - 1 in [1, 2])",
         "ln(root of x^3 - 6*x^2 + 9*x - 1 in [1, 4])", "ln(root of x^2 - 3*x + 1 in [0, 1])",
         "ln(root of x^2 - 3*x + 1 in [0, 3])", "ln(root of x^2 + x + 1 in [1, 2])",
         "1/2*ln(root of x^2 - x - 1 in [1, 2])"],
    ),
    (
        delta,
        ["0", "3/64", "1", "3/8 - 1/5*exp(1/10)", "1/2 - 1/3*exp(1/2*ln(2))"],
        ["3/6", "-1/2", "0.5", "3/8 - 0*exp(1/10)", "3/8 - 1*exp(1/10)", "3/8 - 1/5*exp(ln(2))", "3/8 - 1/5*exp(0)",
         "3/8 - 2/10*exp(1/10)", "3/8 - 1/5*exp(0.1)", "3/8-1/5*exp(1/10)", "3/8 + 1/5*exp(1/10)",
         "3/8 - -1/5*exp(1/10)",
         "3/8 - 1/5*exp(1/2*ln(4))", "3/8 - 1/5*exp(inf)", "6/16 - 1/5*exp(1/10)", "[0.25, 0.5]", ""],
    ),
    (
        ends,
        ["1/4", "0", "[0.223707270481, 0.223707270482]", "[0.249999997499, 0.2499999975]",
        "[1.5e-7, 1.50000000001e-7]",
         "[0.0999999999999, 0.1]",
         "[0.0499999999999, 0.0500000000001]", "[0.0999999999999, 0.100000000001]", "[9.99999999999e-6, 0.00001]"],
        ["0.25", "[0.25, 0.25]", "[0.2, 0.3]", "[0.25, 0.2]", "[0, 0.00001]", "[0.2237, 0.22370000001]x", "[0.25]",
         "[0.223707270481,0.223707270482]", "[0.2237072704810, 0.223707270482]", "[00.223707270481, 0.223707270482]",
         "[.223707270481, .223707270482]", "[2.23707270481e-1, 0.223707270482]", "[0.223707270481, 0.223707270484]",
         "[0.25, 0.250000000001, 0.250000000002]", "[0.0000015, 0.00000150000000001]", "[15e-8, 1.50000000001e-7]",
         "3/6"],
    ),
    (wide_ends, ["0"], ["[0, 0]", "[2, 1]", "[1, 1]", "[1,2]", "1/2", "[1, 2", "[01, 2]", "[1, 2, 3]"]),
    (decimal, ["0", "0.5", "0.00001", "9.9e-6", "1e-561", "12.5"], ["0.50", "5.", ".5", "1e-5", "0e-9", "1E-7",
    "1e-07", "10e-7", "57e-562", "0.57e-5", "0.000001", "1.50", "1e5", "01", "-1", "1.", ""]),
]  # fmt: skip


def shown(part: object) -> str:
    """The name of a test's part: the same in every process."""
    return getattr(part, "__name__", str(part))[:40]


@pytest.mark.parametrize(("read", "text"), [(read, text) for read, good, _ in READ for text in good], ids=shown)
def test_what_is_written_well_is_read(read: Callable[[Any], object], text: str) -> None:
    read(text)


@pytest.mark.parametrize(("read", "text"), [(read, text) for read, _, bad in READ for text in bad], ids=shown)
def test_every_other_spelling_is_refused(read: Callable[[Any], object], text: str) -> None:
    with pytest.raises(Rejected):
        read(text)


def test_what_is_read() -> None:
    assert (number("3/64"), signed("-3/64"), number(Fraction(2, 4))) == (
        Fraction(3, 64),
        Fraction(-3, 64),
        Fraction(1, 2),
    )
    assert number("12345" * 2000) == int("12345" * 400) * sum(10 ** (2000 * k) for k in range(5))
    assert delta("3/8 - 1/5*exp(1/10)") == (Fraction(3, 8), Fraction(1, 5), "1/10")
    assert ends("[1.5e-7, 1.50000000001e-7]") == (Fraction(15, 10**8), Fraction(150000000001, 10**18))
    assert epsilon("ln(root of x^3 - 3*x - 1 in [1, 2])").polynomial == (-1, -3, 0, 1)
    assert epsilon("2/5*ln(3)")[:2] == (Fraction(2, 5), Fraction(3))
    assert [rational(epsilon(one)) for one in ("0", "inf", "ln(3)", "1", "1/2*ln(3)")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert rational(epsilon("ln(root of x^2 - x - 1 in [1, 2])")) is False


def test_as_many_bits_as_an_epsilon_may_have_and_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long ε is refused, and a large one, whose e^ε is long; with 20 bits, 2^18 has 19, and 1 = 1/1 has two."""
    monkeypatch.setattr(written_numbers, "MAX_BITS", 20)
    for longest in ("1/262144", "10", f"ln({2**19 - 1})", "1/2*ln(3)"):
        epsilon(longest)
    for longer in ("3/262144", "1/524288", "11", f"ln({2**19})", "15/2*ln(3)"):
        with pytest.raises(Beyond, match="e\\^ε is too large at ε = "):
            epsilon(longer)


def test_powers() -> None:
    powers = {x**k for x in range(2, 40) for k in range(2, 12)}
    assert all(_is_power(Fraction(n)) == (n in powers) for n in range(2, 1500))
    assert all(_is_power(Fraction(b, a) ** k) for a in range(1, 6) for b in range(a + 1, 9) for k in (2, 3, 5, 7))
    assert not any(_is_power(Fraction(*one)) for one in ((9, 2), (4, 3), (27, 4), (8, 9), (3, 2)) if one[0] > one[1])
    assert _is_power(Fraction(123456789**5, 10**5))
    assert not _is_power(Fraction(123456789**5 + 1))


@pytest.mark.parametrize(
    "roots", [(1, 2, 3), (2, 3, 5, 7), (-4, 1, 2, 9, 11), (3, 3, 5), (2, 2, 2, 6, 8), (4,)], ids=str
)
@pytest.mark.parametrize("factor", [1, -3])
def test_roots_between_two_numbers_are_counted_once_each(roots: tuple[int, ...], factor: int) -> None:
    """Of Π (x - root), between halves: those of x² + 1 are not real, and no matter."""
    polynomial = [factor, 0, factor]
    for root in roots:
        polynomial = [lower - root * c for c, lower in zip([*polynomial, 0], [0, *polynomial], strict=True)]
    ends = [Fraction(k, 2) for k in range(-9, 27, 4)]
    for low, high in combinations(ends, 2):
        assert roots_in(chain(tuple(polynomial)), low, high) == len({root for root in roots if low < root < high})


# --- whole certificates -------------------------------------------------------------------------------------------


def numbers(name: str) -> Iterator[tuple[Place, str]]:
    """Every text of an honest certificate that looks like a number, with its place; labels too, which are texts."""
    for place, value in leaves(honest(name)):
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(/[0-9]+)?|(.*\*)?ln\([0-9/]*\)", value):
            yield place, value


@pytest.mark.parametrize("name", NAMES)
def test_a_number_in_another_spelling_is_refused(name: str) -> None:
    """Numbers of each kind of certificate, in spellings with the same value; drawn by a seed where there are many."""
    one = honest(name)
    every = [(place, value, other) for place, value in numbers(name) for other in respelled(value)]
    drawn = random.Random(name).sample(every, min(len(every), 50))  # noqa: S311
    for place, value, other in drawn:
        reason = rejection(put(one, place, other), FOLDER)
        assert reason is not None, (place, value, other)
        assert "malformed" not in reason
    assert len(every) > 10 or name == "none"  # its numbers are counts


@pytest.mark.parametrize("name", NAMES)
def test_a_nearby_wrong_value_is_refused(name: str) -> None:
    """A number a little larger or smaller, a label that stands elsewhere, an entry moved: each is found out."""
    draw, one = random.Random(f"near {name}"), honest(name)  # noqa: S311
    every = [(place, value) for place, value in leaves(one) if place not in TRUE.get(name, set())]
    pool = sorted({str(value) for _, value in every if isinstance(value, str)})
    for place, value in draw.sample(every, min(len(every), 30)):
        if place[:1] in {("renamed",), ("satisfies",)} or place[-2:-1] == ("parameters",) or place[-1] == "name":
            continue
        other = near(value, pool, draw)
        if other != value and not equivalent(name, place):
            assert rejection(put(one, place, other), FOLDER) is not None, (place, value, other)


def equivalent(name: str, place: Place) -> bool:
    """What may be another value: one comparison of several that are the worst; a larger ε than is enough."""
    if (name, place) == ("simulator holds", ("question", "epsilon")):
        return True
    return place[-1] in {"distribution", "record", "a", "b", "knowledge"} and name in {"average", "sums", "posterior"}


S_TABLE = """
size = 2
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[sensitive]
rows = [
  { database = [0, 0], value = "x" }, { database = [0, 1], value = "x" },
  { database = [1, 0], value = "x" }, { database = [1, 1], value = "x" },
]
[mechanism]
kind = "count"
value = 1
"""
PAIR = """
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = 1 } ]
[mechanism]
kind = "all"
of = [ { kind = "count", value = 1 }, { kind = "parity", value = 1 } ]
"""
IDENTITY = PAIR[: PAIR.index("[mechanism]")] + '[mechanism]\nkind = "identity"\n'
MULTISETS = """
size = [2, 2]
values = ["t", "u"]
[mechanism]
kind = "apply"
k = 1
generalization = { t = "x", u = "x" }
"""


def of_definition(definition: str, one: Json, **answer: Any) -> Json:
    """The same certificate, which claims to be about another definition."""
    changed = json.loads(json.dumps(one))
    changed["question"] |= {"definition": definition, "reading": "default"}
    changed["answer"] |= answer
    return changed


VERDICTS = ["holds", "fails", "vacuous", "unsupported", "undecided"]


@pytest.mark.parametrize("definition", ["dp", "tail-dp", "cdp", "tail-cdp", "ibcdp", "ddp"])
@pytest.mark.parametrize("verdict", VERDICTS)
def test_no_verdict_on_records_where_a_function_is_protected(tmp_path: Path, definition: str, verdict: str) -> None:
    one = certified(written(tmp_path, S_TABLE), tmp_path, "np", epsilon="ln(2)", delta="1/10")
    assert one["answer"]["verdict"] == "vacuous"
    assert rejection(one, tmp_path) is None
    assert rejection(of_definition("tail-apkdp", one), tmp_path) is None
    forged = of_definition(definition, one, verdict=verdict)
    for forgery in (forged, {**forged, "model": None, "sha256": None}):
        if definition == "ddp":
            forgery["evidence"] = honest("simulator")["evidence"]
            forgery["answer"] |= {"witness": None, "tightest": None}
        assert "is about records, and the model protects a function" in (rejection(forgery, tmp_path) or "")


@pytest.mark.parametrize("verdict", VERDICTS)
def test_no_verdict_on_the_dependency_of_one_mechanism(tmp_path: Path, verdict: str) -> None:
    """A list of two values is no pair of mechanisms."""
    honest_one = certified(written(tmp_path, PAIR), tmp_path, "dependency", epsilon="ln(2)")
    assert (honest_one["answer"]["verdict"], rejection(honest_one, tmp_path)) == ("vacuous", None)
    one = certified(written(tmp_path, IDENTITY), tmp_path, "np", epsilon="ln(2)")
    forged = of_definition("dependency", one, verdict=verdict)
    assert "dependency is of two mechanisms" in (rejection(forged, tmp_path) or "")


@pytest.mark.parametrize("verdict", VERDICTS)
def test_no_verdict_on_the_choice_of_a_recoding_where_there_is_none(tmp_path: Path, verdict: str) -> None:
    honest_one = certified(written(tmp_path, MULTISETS), tmp_path, "safe", epsilon="ln(2)")
    assert (honest_one["answer"]["verdict"], rejection(honest_one, tmp_path)) == ("vacuous", None)
    plain = MULTISETS[: MULTISETS.index("kind")] + 'kind = "constant"\noutput = "the only recoding"\n'
    one = certified(written(tmp_path, plain), tmp_path, "dps", epsilon="ln(2)")
    forged = of_definition("safe", one, verdict=verdict)
    assert "safe is about the choice of a recoding" in (rejection(forged, tmp_path) or "")


@pytest.mark.parametrize("verdict", ["unsupported", "undecided", "unknown", "", "Holds", "holds "])
@pytest.mark.parametrize("name", ["fails", "holds", "simulator", "sizes", "sums"])
def test_only_three_words_are_verdicts(name: str, verdict: str) -> None:
    one = honest(name)
    for words in ({}, {"witness": None, "tightest": None}):
        forged = {**one, "answer": {**one["answer"], **words, "verdict": verdict}}
        assert "verdict: " in (rejection(forged, FOLDER) or "")


def test_what_is_protected_says_where_the_sensitive_value_stands() -> None:
    one = honest("holds") | {"model": None, "sha256": None}
    assert "domain" in (rejection({**one, "domain": ["0", "1", "2"]}, FOLDER) or "")
    assert "sensitive value of its own" in (rejection(put(one, ("worlds", "θ", 0, 2), "0"), FOLDER) or "")


def test_the_smallest_delta_of_a_simulator_is_enclosed_only_where_it_must_be() -> None:
    """At a rational e^ε, and at ε = inf, the smallest δ is exact."""
    one = honest("simulator")
    assert one["answer"]["tight_delta"] == "1/8"
    forged = put(one, ("answer", "tight_delta"), "[0.125, 0.125000000001]")
    assert "an enclosure where e^ε is rational" in (rejection(forged, FOLDER) or "")


def test_a_certificate_that_comes_with_the_package_is_canonical() -> None:
    folder = models_folder().parent
    found = sorted(
        (folder / "proofs" / "certificates" / "DMKB20").rglob("*.json"), key=lambda path: path.stat().st_size
    )
    for path in found[:12]:
        replay_file(path, [folder])
