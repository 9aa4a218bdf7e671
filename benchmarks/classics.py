"""The classics with published verdicts: sparse vector and its broken forms, noisy max, and others, as programs.

`python benchmarks/classics.py` decides each for every ε at once, and prints verdict and seconds beside what was
published (DiPC: continuous Laplace, ε-DP for all ε > 0; here its twin with geometric noise). `… NAME SIZE` decides one.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from verifier.model.parameters import Family
from verifier.model.read import loads_any
from verifier.wings.families.decide import decide_family

MODEL = '''
title = "{name}"
size = {size}
values = [-1, 0, 1]

[parameters]
z = {{ above = "0", below = "1" }}

[policy]
neighbours = "{neighbours}"

[mechanism]
program = """
{program}"""
'''
ABOVE = """
def above(db, rng):
    threshold = rng.geometric_noise({bar})
    bits = []
    for q in db:
        if q + {query} >= threshold:
            bits.append(1)
            {found}
        else:
            bits.append(0)
    return bits
"""
LARGEST = """
def largest(db, rng):
    best = None
    for i, q in enumerate(db):
        noisy = q + rng.geometric_noise(z)
        if best is None or noisy > best:
            best, at = noisy, i
    return {shown}
"""
AGAIN = """
def above(db, rng):
    threshold = rng.geometric_noise(z**2)
    bits = []
    for q in db:
        if q + rng.geometric_noise(z) >= threshold:
            bits.append(1)
            threshold = rng.geometric_noise(z**2)
            if sum(bits) == 2:
                break
        else:
            bits.append(0)
    return bits
"""
VALUE = """
def above(db, rng):
    threshold = rng.geometric_noise(z)
    shown = []
    for q in db:
        noisy = q + rng.geometric_noise(z)
        if noisy >= threshold:
            return shown + [min(max(noisy, -1), 1)]
        shown.append("below")
    return shown
"""
CLAMPED = "min(max(best, -1), 1)"


@dataclass(frozen=True)
class Classic:
    """A program, the ε that is claimed as a multiple of ln(1/z), and what was published with its seconds."""

    program: str
    times: int
    published: str
    seconds: int
    neighbours: str = "every-entry-by-one"


def _above(bar: str, query: str, found: str) -> str:
    return ABOVE.format(bar=bar, query=query, found=found)


NOISE = "rng.geometric_noise({})"
CLASSICS = {
    "SVT1": Classic(_above("z**2", NOISE.format("z"), "break"), 4, "private", 703),
    "SVT2": Classic(AGAIN, 8, "private", 783),
    "SVT3": Classic(VALUE, 2, "private", 3686),
    "SVT4": Classic(_above("z", NOISE.format("z**3"), "break"), 4, "not private", 294),
    "SVT5": Classic(_above("z", "0", "break"), 2, "not private", 3),
    "SVT6": Classic(_above("z", NOISE.format("z"), "pass"), 2, "not private", 680),
    "NMax5": Classic(LARGEST.format(shown="at"), 2, "private", 211),
    "NMax7": Classic(LARGEST.format(shown=CLAMPED), 2, "not private", 282),
    "NMax9": Classic(LARGEST.format(shown="at"), 1, "private", 1443, "one-entry"),
}
"""DiPC's programs, by its names. z is e^(-ε/K) for the claim K·ln(1/z); SVT2 stops after c = 2, the others after 1."""


def family(name: str, size: int) -> Family:
    """The file of a classic with so many queries, as a family in z."""
    classic = CLASSICS[name]
    text = MODEL.format(name=name, size=size, program=classic.program.strip() + "\n", neighbours=classic.neighbours)
    read = loads_any(text)
    if not isinstance(read, Family):
        raise TypeError(name)
    return read


def decided(name: str, size: int) -> str:
    """One line: the verdict for every ε, the seconds, and what was published."""
    start = time.process_time()
    answer = decide_family(family(name, size), "dp", epsilon=f"{CLASSICS[name].times}*ln(1/z)")
    seconds = time.process_time() - start
    where = f"fails for {answer.text('fails')}" if answer.verdict == "fails" else f"holds for {answer.text('holds')}"
    classic = CLASSICS[name]
    published = f"{classic.published}, {classic.seconds:,} s" if size == 3 else ""
    return f"{name:6} n = {size}  {where:36} {seconds:6.2f} s   {published}"


def main() -> None:
    """Print a line for each classic of three queries, or for the one that is asked for."""
    if sys.argv[1:]:
        print(decided(sys.argv[1], int(sys.argv[2])))
        return
    for name in CLASSICS:
        print(decided(name, 3), flush=True)


if __name__ == "__main__":
    main()
