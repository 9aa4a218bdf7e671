"""How long questions about mechanisms that are written as programs take, beside plain scripts, in one run.

    python benchmarks/programs.py [classics shuffles runs paths]

Each part has a function, which yields rows: what is asked, the answer, seconds of the processor from the command line,
with the start of the program (`pkdp check … --no-replay`, `pkdp compose …` with the re-check), and those of a plain
script that finds the same. The classics have the seconds that others published for the same verdict. A difference of
two answers ends the run.
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import time
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb, prod
from pathlib import Path
from typing import Any, NamedTuple

import verifier as pk
from verifier.definitions.answer import json_of
from verifier.programs import Interpreter, Source
from verifier.tables import label

Masses = list[tuple[Fraction, Fraction]]
Law = dict[str, Fraction]
PKDP = Path(sys.executable).with_name("pkdp")
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of a command, whose modules are compiled once, as those of an installed package are."""
CLASSICS = tomllib.loads((Path(__file__).parents[1] / "tests/programs/classics.toml").read_text(encoding="utf-8"))


class Row(NamedTuple):
    """What is asked, the answer, the seconds that it takes, those of a plain script, and what others published."""

    what: str
    answer: str
    seconds: float
    plain: float | None
    published: str = ""


def children_seconds() -> float:
    """Seconds of the processor of all commands so far."""
    spent = os.times()
    return spent.children_user + spent.children_system


def printed(command: str, model: str, *options: str) -> tuple[str, float]:
    """What a command prints about a model, and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.toml"
        file.write_text(model, encoding="utf-8")
        start = children_seconds()
        arguments = [str(PKDP), command, str(file), *options]
        output = subprocess.run(arguments, capture_output=True, text=True, check=False, env=COMPILED).stdout
        return output, children_seconds() - start


def timed(ask: Callable[[], Any]) -> tuple[Any, float]:
    """What a function returns, and its seconds of the processor."""
    start = time.process_time()
    return ask(), time.process_time() - start


# --- classics, for every ε at once ------------------------------------------------------------------------------------

ABOVE = {"SVT1": (2, 1, True), "SVT4": (1, 3, True), "SVT6": (1, 1, False)}
"""The powers of z of the noise of the threshold and of a query, and whether the first 1 is the last output."""
WINDOW = 40


def classics() -> Iterator[Row]:
    """`dp` of mechanisms with published verdicts, for every ε at once; plainly at z = 1/2 alone."""
    for name, size in [*((name, 3) for name in CLASSICS if name != "model"), ("SVT1", 5)]:
        classic = CLASSICS[name]
        neighbours = classic.get("neighbours", "every-entry-by-one")
        model = CLASSICS["model"].format(size=size, neighbours=neighbours, program=classic["program"])
        options = ("--definition", "dp", "--epsilon", f"{classic['claim']}*ln(1/z)", "--no-replay", "--json")
        output, seconds = printed("check", model, *options)
        answer = json.loads(output)
        where = "; ".join(f"{verdict} for {', '.join(at)}" for verdict, at in answer["where"].items() if at)
        own: float | None = None
        if name in ABOVE and size == 3:
            verdict, own = timed(lambda: above_plainly(size, *ABOVE[name], CLASSICS[name]["claim"]))  # noqa: B023
            if verdict != answer["verdict"]:
                raise AssertionError(f"{name}: {answer['verdict']}, and plainly it {verdict}")
        published = f"{classic['published']}, {classic['seconds']:,} s" if size == 3 else ""
        yield Row(f"{name} of {size} queries", where, seconds, own, published)


def above_plainly(size: int, bar: int, query: int, stops: bool, claim: int) -> str:  # noqa: FBT001
    """Whether above threshold is claim·ln(2)-DP at z = 1/2: noise of the threshold up to ±`WINDOW`, as fractions."""
    z = Fraction(1, 2)

    def mass(ratio: Fraction, k: int) -> Fraction:
        return (1 - ratio) / (1 + ratio) * ratio ** abs(k)

    def at_least(ratio: Fraction, k: int) -> Fraction:
        return ratio**k / (1 + ratio) if k > 0 else 1 - ratio ** (1 - k) / (1 + ratio)

    thresholds = [(t, mass(z**bar, t)) for t in range(-WINDOW, WINDOW + 1)]
    beyond = 1 - sum(p for _, p in thresholds)
    databases = list(product((-1, 0, 1), repeat=size))
    outputs = [bits for bits in product((0, 1), repeat=size) if not stops or sum(bits) == 0]
    outputs += [(0,) * k + (1,) for k in range(size)] if stops else []
    passes = {(q, t): at_least(z**query, t - q) for q in (-1, 0, 1) for t, _ in thresholds}

    def chance(database: tuple[int, ...], bits: tuple[int, ...]) -> Fraction:
        return sum(
            (p * prod(passes[q, t] if bit else 1 - passes[q, t] for q, bit in zip(database, bits, strict=False))
            for t, p in thresholds), Fraction(0),
        )  # fmt: skip

    laws = {d: [chance(d, bits) for bits in outputs] for d in databases}
    near = [(d, e) for d, e in permutations(databases, 2) if all(abs(x - y) <= 1 for x, y in zip(d, e, strict=True))]
    growth = z**-claim
    pairs = [pair for d, e in near for pair in zip(laws[d], laws[e], strict=True)]
    if any(p > growth * (q + beyond) for p, q in pairs):
        return "fails"
    return "holds" if all(p + beyond <= growth * q for p, q in pairs) else "undecided"


# --- shuffles ---------------------------------------------------------------------------------------------------------


def shuffled_plainly(values: int, size: int) -> Fraction:
    """δ at e^ε = 2 of shuffled randomized response with e^ε₀ = 3: counts of reports, added one by one, as fractions."""
    law = [[Fraction(3 if x == y else 1, values + 2) for y in range(values)] for x in range(values)]
    added: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]] = {(): {(0,) * values: Fraction(1)}}

    def counts(database: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
        if database not in added:
            result: dict[tuple[int, ...], Fraction] = {}
            for so_far, p in counts(database[1:]).items():
                for y, q in enumerate(law[database[0]]):
                    key = (*so_far[:y], so_far[y] + 1, *so_far[y + 1 :])
                    result[key] = result.get(key, Fraction(0)) + p * q
            added[database] = result
        return added[database]

    worst = Fraction(0)
    for others in combinations_with_replacement(range(values), size - 1):
        for a, b in permutations(range(values), 2):
            first, second = (counts(tuple(sorted((*others, v)))) for v in (a, b))
            worst = max(worst, sum((max(Fraction(0), p - 2 * second[key]) for key, p in first.items()), Fraction(0)))
    return worst


def shuffles() -> Iterator[Row]:
    """`dp` of shuffled randomized response, each report ln(3)-DP, at ε = ln(2)."""
    for values, size, plain in (
        (2, 10, True),
        (2, 100, False),
        (2, 500, False),
        (3, 10, True),
        (3, 20, False),
        (3, 50, False),
    ):
        model = f'size = {size}\nvalues = {list(range(values))}\n[mechanism]\nkind = "shuffle"\nepsilon = "ln(3)"\n'
        options = ("--definition", "dp", "--epsilon", "ln(2)", "--no-replay")
        output, seconds = printed("check", model, *options)
        line = next((line for line in output.splitlines() if line.startswith("smallest δ")), "smallest δ -")
        answer = line.removeprefix("smallest δ").strip()
        own: float | None = None
        if plain:
            delta, own = timed(lambda: shuffled_plainly(values, size))  # noqa: B023 - called at once
            if not answer.startswith(f"{delta} "):
                raise AssertionError(f"{answer}, and {delta} plainly")
        yield Row(f"{size} reports of {values} values", answer, seconds, own)


# --- many runs --------------------------------------------------------------------------------------------------------


def lists(masses: Masses, times: int) -> Iterator[tuple[Fraction, Fraction]]:
    """The probabilities of the lists of k outputs under both laws, by how often each output comes."""
    if len(masses) == 1:
        yield masses[0][0] ** times, masses[0][1] ** times
        return
    (p, q), rest = masses[0], masses[1:]
    for count in range(times + 1):
        orders = comb(times, count)
        for x, y in lists(rest, times - count):
            yield orders * p**count * x, orders * q**count * y


def plain_epsilon(masses: Masses, times: int, delta: Fraction) -> Fraction:
    """The smallest e^ε of one direction at δ, by sorting all lists by their ratios, with fractions alone."""
    a = b = Fraction(0)
    for p, q in sorted(lists(masses, times), key=lambda row: row[0] / row[1], reverse=True):
        if b and a - b * (p / q) > delta:
            break
        a, b = a + p, b + q
    return (a - delta) / b


def runs() -> Iterator[Row]:
    """`dp` of many runs at δ = 1/1000000, re-checked: randomized response, and three unrelated likelihood ratios."""
    delta = Fraction(1, 10**6)
    first, second = ([Fraction(weight, 30) for weight in weights] for weights in ((2, 3, 25), (5, 11, 14)))
    unrelated = list(zip(first, second, strict=True))
    response = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))]
    for name, masses, times in (
        ("randomized response", response, 20),
        ("randomized response", response, 1000),
        ("three unrelated ratios", unrelated, 100),
    ):
        rows = ""
        for side in (0, 1):
            outputs = ", ".join(f'o{k} = "{row[side]}"' for k, row in enumerate(masses))
            rows += f"  {{ database = [{side}], outputs = {{ {outputs} }} }},\n"
        model = f"size = 1\nvalues = [0, 1]\n[mechanism]\ntable = [\n{rows}]\n"
        options = ("--times", str(times), "--definition", "dp", "--delta", str(delta))
        output, seconds = printed("compose", model, *options, "--json")
        composed = json.loads(output)
        if not composed["replayed"]:
            raise AssertionError(f"not re-checked: {composed['unchecked']}")
        ways = (masses, [(q, p) for p, q in masses])
        growth, own = timed(lambda: max(plain_epsilon(way, times, delta) for way in ways))  # noqa: B023
        if composed["tight_epsilon"] != json_of(pk.epsilon(f"ln({growth})")):  # both cut alike, where they are long
            raise AssertionError(f"{composed['tight_epsilon']}, and {growth} plainly")
        yield Row(f"{times} runs of {name}", composed["tight_epsilon"], seconds, own)


# --- the two readings of a program ------------------------------------------------------------------------------------


def count_of_flips(db: Any, rng: Any) -> Any:
    return sum(rng.flip(1 / 3) for x in db)


def list_of_flips(db: Any, rng: Any) -> Any:
    return [x if rng.flip(1 / 3) else 1 - x for x in db]


def flips_plainly(db: Any, *, listed: bool) -> Law:
    """The law of the same: all combinations of the draws, and their probabilities added up."""
    law: Law = {}
    for flips in product((True, False), repeat=len(db)):
        p = Fraction(1)
        for flip in flips:
            p *= Fraction(1, 3) if flip else Fraction(2, 3)
        output = [x if flip else 1 - x for x, flip in zip(db, flips, strict=True)] if listed else sum(flips)
        name = label(output).text
        law[name] = law.get(name, Fraction(0)) + p
    return law


def interpreted(function: Callable[..., object], db: Any) -> Law:
    """The law of a function that is read as a text, where paths merge."""
    law: Law = {}
    text = textwrap.dedent(inspect.getsource(function)).replace(": Any", "").replace(" -> Any", "")
    for output, p in Interpreter(Source(text, "program")).law(db):
        name = label(output).text
        law[name] = law.get(name, Fraction(0)) + p
    return law


def paths() -> Iterator[Row]:
    """The law on one database of a program as a text, where paths merge, and as a function, path by path."""
    for function, number in ((count_of_flips, 8), (count_of_flips, 14), (list_of_flips, 8), (list_of_flips, 12)):
        db = (0, 1) * (number // 2)
        other, by_text = timed(lambda: interpreted(function, db))  # noqa: B023 - called at once
        one, seconds = timed(lambda: pk.program(function).law(db))  # noqa: B023
        third, by_hand = timed(lambda: flips_plainly(db, listed=function is list_of_flips))  # noqa: B023
        if not one == other == third:
            raise AssertionError(f"{function.__name__}: the laws differ")
        what = f"{function.__name__}, {number} draws"
        yield Row(f"{what}, text", f"{len(other):,} outputs", by_text, by_hand)
        yield Row(f"{what}, function", f"{2**number:,} paths", seconds, by_hand)


PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "classics": classics,
    "shuffles": shuffles,
    "runs": runs,
    "paths": paths,
}


def main() -> None:
    """Print the rows of the parts that are named, or of all."""
    for name in sys.argv[1:] or PARTS:
        print(f"{name}: {(PARTS[name].__doc__ or '').splitlines()[0]}")
        print(f"  {'':<36} {'answer':>40} {'pkdp':>10} {'plainly':>10}   {'published' * (name == 'classics')}")
        for what, answer, seconds, plain, published in PARTS[name]():
            beside = "" if plain is None else f"{plain:.2f} s"
            print(f"  {what:<36} {answer[-40:]:>40} {seconds:8.2f} s {beside:>10}   {published}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
