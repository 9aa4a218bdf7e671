"""Small families with `[policy]`, for tests."""

from __future__ import annotations

import random

CLINIC = """
title = "Two patients, three outputs, and every field of [policy] for one size"
size   = 2
values = ["ill", "well"]

[parameters]
p = { from = "0", to = "1/2" }

[[distribution]]
name = "winter"
iid  = { ill = "1/2", well = "1/2" }

[[distribution]]
name = "summer"
iid  = { ill = "1 - p", well = "p" }

[knowledge]
records = [1]

[mechanism]
table = [
  { database = ["ill", "ill"], outputs = { low = "3/4 - p/4", mid = "1/8", high = "1/8 + p/4" } },
  { database = ["ill", "well"], outputs = { low = "1/2", mid = "1/4 + p/4", high = "1/4 - p/4" } },
  { database = ["well", "ill"], outputs = { low = "3/8", mid = "3/8", high = "1/4" } },
  { database = ["well", "well"], outputs = { low = "p/2", mid = "1/2", high = "1/2 - p/2" } },
]

[policy]
neighbours = "change"
sensitive = ["ill"]
graph = [["ill", "well"]]
attributes = { ill = ["patient", "ill"], well = ["patient", "well"] }
bits = { ill = "10", well = "11" }
databases = [["ill", "ill"], ["ill", "well"], ["well", "well"]]
fixed = ["ill", "well"]
record = 1
pairs = [[["ill", "ill"], ["ill", "well"]], [["ill", "ill"], ["well", "well"]]]
secrets = [[[["ill", "ill"], ["ill", "well"]], [["well", "well"]]]]
dependence = [[0, 1]]
group = 2
levels = ["2", "1"]
scale = [[["ill", "well"], "2"]]
blocks = [[0], [1]]
distance = "hamming"
at-most = "2"
statistic = [[["ill", "ill"], "0"], [["ill", "well"], "1"], [["well", "ill"], "1"], [["well", "well"], "3"]]
adversaries = [[0, [1]], [1, [0]], [0, []]]
theta-pairs = [["winter", "summer"]]
theta-distances = [["winter", "summer", "1/2"]]
prior = { ill = "1/4", well = "3/4" }
gamma = "1/4"
order = 3
divergence = "renyi-2"
leak = { low = "low", mid = "not low", high = "not low" }
image = { low = "not high", mid = "not high", high = "high" }
"""
WARD = """
title = "A patient and a bed that may be empty"
size   = 2
values = ["none", "ill"]

[parameters]
p = { above = "0", below = "1" }

[[distribution]]
iid = { none = "1 - p", ill = "p" }

[mechanism]
table = [
  { database = ["none", "none"], outputs = { low = "1/2", high = "1/2" } },
  { database = ["none", "ill"], outputs = { low = "1/2 - p/4", high = "1/2 + p/4" } },
  { database = ["ill", "none"], outputs = { low = "1/3", high = "2/3" } },
  { database = ["ill", "ill"], outputs = { low = "p/8", high = "1 - p/8" } },
]

[policy]
absent = "none"
sensitive = ["ill"]
levels = ["2", "1"]
tailored = [["ill", ["ill", "none"], "2"], ["ill", ["ill", "ill"], "3"]]
group = 2
"""


def law_text(dice: random.Random, number: int) -> list[str]:
    """Probabilities between two random laws; some of them are 0 at p = 0, or for all p."""
    ends = [[dice.choice([0, 1, 1, 2, 3]) for _ in range(number - 1)] + [1] for _ in range(2)]
    (first, second), (x, y) = ends, map(sum, ends)
    return [f"(1 - p)*{a}/{x} + p*{b}/{y}" for a, b in zip(first, second, strict=True)]


def random_clinic(seed: str) -> str:
    """The clinic with a random law of both records, and a random mechanism."""
    dice = random.Random(seed)  # noqa: S311 - values to try, nothing secret
    databases = [f'["{x}", "{y}"]' for x in ("ill", "well") for y in ("ill", "well")]
    worlds = ", ".join(
        f'{{ database = {database}, probability = "{text}" }}'
        for database, text in zip(databases, law_text(dice, 4), strict=True)
    )
    rows = ", ".join(
        "{{ database = {}, outputs = {{ low = {}, mid = {}, high = {} }} }}".format(
            database, *(f'"{text}"' for text in law_text(dice, 3))
        )
        for database in databases
    )
    head, after = CLINIC.split("[mechanism]")
    policy = after.split("[policy]")[1]
    law = head.replace('iid  = { ill = "1 - p", well = "p" }', f"table = [ {worlds} ]")
    return f"{law}[mechanism]\ntable = [ {rows} ]\n[policy]{policy}"
