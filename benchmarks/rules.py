"""How long questions about published counts take from the command line, beside a plain script, in one run.

    python benchmarks/rules.py [--quick]

Seconds are of the processor; those of `pkdp rule` include the start of the program. The plain script adds fractions:
for each number of known people who are counted, the law of the published numbers if she is counted and if she is not.
Both give the same δ, or the run stops. Without a script stand the questions that would take it too long.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

PKDP = Path(sys.executable).with_name("pkdp")
P = Fraction(1, 20)
Law = dict[Any, Fraction]
Rule = Callable[[int], Law]


def hidden_and_rounded(count: int) -> Law:
    """Hide 0 to 9, then round to base 5."""
    return {"*" if count < 10 else (count + 2) // 5 * 5: Fraction(1)}


def randomly_rounded(count: int) -> Law:
    """Random rounding to base 3."""
    rest = count % 3
    law = {count - rest: 1 - Fraction(rest, 3), count - rest + 3: Fraction(rest, 3)}
    return {output: chance for output, chance in law.items() if chance}


def binomial(number: int) -> list[Fraction]:
    """The law of a number of people who are counted."""
    return [comb(number, k) * P**k * (1 - P) ** (number - k) for k in range(number + 1)]


def plainly(rule: Rule, people: int, known: int, *, two: bool) -> list[Fraction]:
    """δ at e^ε = 2 for both attackers."""
    laws = [rule(count) for count in range(people + 1)]

    def published(large: int, small: int) -> Law:
        if not two:
            return laws[large]
        return {(x, y): v * w for x, v in laws[large].items() for y, w in laws[small].items()}

    unknown, deltas = binomial(people - 1 - known), []
    for k in range(known + 1):
        sides: list[Law] = [{}, {}]
        for j, weight in enumerate(unknown):
            for she, law in enumerate(sides):
                for output, chance in published(k + j + she, k + j).items():
                    law[output] = law.get(output, Fraction(0)) + weight * chance
        zero = Fraction(0)
        pairs = [(sides[1], sides[0]), (sides[0], sides[1])]
        deltas.append([sum((max(zero, v - 2 * q.get(o, zero)) for o, v in p.items()), zero) for p, q in pairs])
    chances = binomial(known)
    averages = [sum((a * one[side] for a, one in zip(chances, deltas, strict=True)), Fraction(0)) for side in (0, 1)]
    return [max(averages), max(max(one) for one in deltas)]


def asked(words: str, people: int, known: int, *options: str) -> tuple[dict[str, Any], float]:
    """The answer of the command line, and its seconds."""
    question = ["--people", str(people), "--known", str(known), "--probability", str(P), "--epsilon", "ln(2)"]
    command = [str(PKDP), "rule", words, *question, *options, "--json", "--max-digits", str(10**6), "--quiet"]
    before = os.times()
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(printed), spent


def main() -> None:
    """Print a row for each question."""
    quick = "--quick" in sys.argv
    rules: dict[str, Rule] = {
        "hide 0 to 9, then round to base 5": hidden_and_rounded,
        "random rounding to base 3": randomly_rounded,
    }
    print("| rule | people, known | tables | pkdp rule, s | plain script, s |")
    print("|---|---|---|---|---|")
    sizes = [(100, 10), (300, 30)] if quick else [(100, 10), (300, 30), (1000, 100), (10_000, 1000)]
    for words, rule in rules.items():
        for people, known in sizes:
            for two in (False, True):
                answer, seconds = asked(words, people, known, *([] if two else ["--overlap", "0"]))
                release = answer["two_tables" if two else "one_table"]
                shown = "–"
                if people <= 300 or (people == 1000 and not two):
                    start = time.process_time()
                    expected = plainly(rule, people, known, two=two)
                    shown = f"{time.process_time() - start:.2f}"
                    found = [Fraction(release[who]["tight_delta"]) for who in ("passive", "active")]
                    if found != expected:
                        raise SystemExit(f"{words}, {people} people: {found} and {expected}")
                tables = "one and two" if two else "one"
                print(f"| {words} | {people:,}, {known:,} | {tables} | {seconds:.2f} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
