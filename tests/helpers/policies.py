"""Fields of `[policy]` for small models of searches, as the lines of a file."""

from __future__ import annotations

import tomllib
from typing import Any

RECORDS: dict[str, Any] = tomllib.loads("""
at-most = "1"
attributes = { 0 = ["x", "z"], 1 = ["y", "z"] }
bits = { 0 = "0", 1 = "1" }
distance = "hamming"
divergence = "chi-squared"
error = "1/4"
gamma = "1/4"
graph = [[0, 1]]
group = 2
image = { u = "a", v = "a", w = "b" }
leak = { u = "a", v = "a", w = "b" }
order = 2
predicate = [["1", "-2", "1/4"], ["-1", "1/2", "1/3"]]
prior = { 0 = "1/3", 1 = "2/3" }
sensitive = [1]
scale = [[[0, 1], "2"]]
tests = [{ u = "1", v = "1/2", w = "0" }, { u = "0", v = "-1", w = "1/3" }]
tradeoff = [["0", "1/2"], ["1/2", "1/8"], ["1", "0"]]
""")
"""Fields for two values and up to three outputs, without those that name records."""
TWO: dict[str, Any] = RECORDS | tomllib.loads("""
adversaries = [[0, []], [0, [1]], [1, [0]]]
blocks = [[0], [1]]
databases = [[0, 0], [0, 1], [1, 1]]
dependence = [[0, 1]]
fixed = [0, 1]
levels = ["1/2", "2"]
pairs = [[[0, 0], [1, 1]], [[0, 1], [0, 0]]]
record = 1
secrets = [[[[0, 0], [0, 1]], [[1, 1]]], [[[1, 0]], [[0, 0], [1, 1]]]]
statistic = [[[0, 0], "0"], [[0, 1], "1"], [[1, 0], "1"], [[1, 1], "2"]]
tailored = [[0, [0, 0], "2"]]
""")
"""All fields that a model of one distribution can have, for two records."""
THREE_VALUES: dict[str, Any] = RECORDS | tomllib.loads("""
absent = 2
attributes = { 0 = ["x", "z"], 1 = ["y", "z"], 2 = ["x", "t"] }
bits = { 0 = "00", 1 = "01", 2 = "11" }
distance = [[[0], [1], "1"], [[1], [2], "1/2"], [[0], [2], "3"]]
divergence = "total-variation"
neighbours = "any"
order = 3
prior = { 0 = "1/2", 1 = "1/2" }
levels = ["3/2"]
scale = [[[0, 1], "3/2"], [[0, 2], "inf"]]
tailored = [[0, [0], "2"], [1, [1], "1/3"]]
""")
"""The same for one record and three values, of which one says that a record is absent."""
