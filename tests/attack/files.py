"""The registry of attacks on certificate files: the honest files, and what must be rejected with which reason."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from filing import certified, written

import verifier as pk
from verifier.engine import Engine
from verifier.evidence.files import verdict_file
from verifier.questions.normalization.certificate import acceptability_file
from verifier.wings.search.api import search
from verifier.wings.search.certificates import search_file

FOLDER = Path(mkdtemp(prefix="certificates"))
TABLE = """
size = 2
values = [0, 1]
[[distribution]]
name = "θ"
table = [
  { database = [0, 0], probability = "1/4" },
  { database = [1, 0], probability = "1/8" },
  { database = [0, 1], probability = "1/8" },
  { database = [1, 1], probability = "1/2" },
]
[knowledge]
records = [1]
[sensitive]
records = [0]
[mechanism]
kind = "randomized-response"
keep = "1/2"
"""
OTHER = TABLE.replace('"1/8"', '"1/10"').replace('"1/4"', '"3/10"')
SUMS = """
size = 3
values = ["a", "b"]
[[distribution]]
name = "θ"
mixture = [
  { name = "up", weight = "1/3", iid = { a = "1/4", b = "3/4" } },
  { name = "down", weight = "2/3", network = [
    { record = 1, table = { a = "1/2", b = "1/2" } },
    { record = 0, given = [1], rows = [
      { when = ["a"], table = { a = 1 } }, { when = ["b"], table = { a = "1/3", b = "2/3" } },
    ] },
    { record = 2, table = { a = "1/5", b = "4/5" } },
  ] },
]
[knowledge]
records = [1]
[mechanism]
kind = "all"
of = [
  { kind = "count", value = "a", then = [ { kind = "geometric-noise", p = "1/2" } ] },
  { kind = "parity", value = "b", sample = "1/2" },
]
"""
SIZES = """
size = [0, 2]
values = ["t", "u"]
[mechanism]
kind = "k-anonymization"
k = 1
generalizations = { one = { t = "x", u = "x" }, two = { t = "t", u = "u" } }
choose = { kind = "threshold-count", value = "t", above = 0, otherwise = "one", then = [
  { rows = [ { input = "one", outputs = { one = "1/2", two = "1/2" } } ], otherwise = "two" },
] }
sample = "1/2"
"""
ACCEPTABLE = """
size = 2
values = [0, 1]
[[distribution]]
name = "θ"
table = [
  { database = [0, 0], knowledge = "x", probability = "1/8" },
  { database = [0, 1], knowledge = "y", probability = "1/8" },
  { database = [1, 0], knowledge = "x", probability = "3/8" },
  { database = [1, 1], knowledge = "y", probability = "3/8" },
]
[mechanism]
kind = "count"
value = 1
"""
FUNCTION = """
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
BESIDE = """
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = 1 } ]
[mechanism]
kind = "all"
of = [ { kind = "count", value = 1 }, { kind = "parity", value = 1 } ]
"""
IDENTITY = BESIDE[: BESIDE.index("[mechanism]")] + '[mechanism]\nkind = "identity"\n'
RECODED = """
size = [2, 2]
values = ["t", "u"]
[mechanism]
kind = "apply"
k = 1
generalization = { t = "x", u = "x" }
"""
CONSTANT = RECODED[: RECODED.index("kind")] + 'kind = "constant"\noutput = "the only recoding"\n'
TEXTS = {"table": TABLE, "other": OTHER, "sums": SUMS, "sizes": SIZES, "acceptable": ACCEPTABLE,
         "function": FUNCTION, "beside": BESIDE, "one mechanism": IDENTITY, "recoded": RECODED,
         "constant": CONSTANT}  # fmt: skip
ASKED: dict[str, tuple[str, str, dict[str, str]]] = {
    "fails": ("table", "apkdp", {"epsilon": "ln(3/2)", "delta": "1/20"}),
    "holds": ("table", "apkdp", {"epsilon": "ln(3/2)", "delta": "1/2"}),
    "average": ("table", "ppkdp", {"epsilon": "1/10", "delta": "1/20"}),
    "causal": ("table", "cdp", {"epsilon": "ln(3/2)", "delta": "1/20"}),
    "neighbours": ("table", "dp", {"epsilon": "ln(3/2)", "delta": "1/20"}),
    "no epsilon": ("table", "np", {"delta": "1/20"}),
    "posterior": ("table", "ibcdp", {"epsilon": "0"}),
    "simulator": ("table", "ddp", {"epsilon": "ln(3/2)"}),
    "simulator holds": ("table", "ddp", {"epsilon": "ln(2)", "delta": "1/10"}),
    "sizes": ("sizes", "dps", {"epsilon": "ln(2)", "delta": "1/10"}),
    "safe": ("sizes", "safe", {"epsilon": "ln(2)", "delta": "1/10"}),
}
VACUOUS: dict[str, tuple[str, str, dict[str, str]]] = {
    "of a function": ("function", "np", {"epsilon": "ln(2)", "delta": "1/10"}),
    "of a function by its tail": ("function", "tail-apkdp", {"epsilon": "ln(2)", "delta": "1/10"}),
    "of two mechanisms": ("beside", "dependency", {"epsilon": "ln(2)"}),
    "of one mechanism": ("one mechanism", "np", {"epsilon": "ln(2)"}),
    "of a recoding": ("recoded", "safe", {"epsilon": "ln(2)"}),
    "of no recoding": ("constant", "dps", {"epsilon": "ln(2)"}),
}
"""What compares nothing, or is about something that other definitions say nothing of."""


@cache
def model(name: str) -> pk.Model:
    return written(FOLDER, TEXTS[name], f"{name}.toml")


@cache
def honest_text(name: str) -> str:
    """An honest certificate, by its name."""
    for every in TEXTS:
        model(every)
    if name in ASKED | VACUOUS:
        of, definition, question = (ASKED | VACUOUS)[name]
        return json.dumps(certified(model(of), FOLDER, definition, **question))
    if name == "sums":
        engine = Engine(model("sums"), 1 << 22, "sum")
        answer = pk.check(engine.model, "apkdp", epsilon="ln(2)", delta="1/50", engine=engine)
        return verdict_file(answer, engine, FOLDER)
    if name == "acceptable":
        return acceptability_file(model("acceptable"), beside=FOLDER)
    if name == "not acceptable":
        return acceptability_file(model("sums"), {"record": 0}, FOLDER)
    if name == "none":
        return search_file(search(claim="independent => np(e) iff cdp(e)", weights=2, mechanism_weights=1))
    if name == "separated":
        return search_file(search(satisfies="np(e)", violates="cdp(2*e)", weights=2))
    raise KeyError(name)


NAMES = [*ASKED, "sums", "acceptable", "not acceptable", "none", "separated"]


def honest(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(honest_text(name))
    return found


GOOD = '{"format": 1, '
RAW: list[tuple[str, bytes, str]] = [
    ("empty", b"", "this is no JSON"),
    ("not UTF-8", b'{"format": "\xff"}', "byte 12 is not UTF-8"),
    ("cut off", b'{"format": 1', "this is no JSON"),
    ("an integer that is -0", b'{"format": -0}', "the number -0"),
    ("very many lists", b"[" + b"[]," * (1 << 20) + b"[]]", "more than 1,048,576 lists and tables"),
    ("deep lists behind a text", b'["\\\\\\"]]]", ' + b"[" * 40 + b"]" * 41, "nested too deeply"),
    ("deep lists in a text", b'["' + b"[" * 40 + b'"]', "no table of keys"),
    ("a list", b"[]", "no table of keys"),
    ("a number", b"1", "no table of keys"),
    ("NaN", b'{"format": NaN}', "the number NaN"),
    ("infinity", b'{"format": -Infinity}', "the number -Infinity"),
    ("a decimal", b'{"format": 1.0}', "the number 1.0 is not exact. Expected an integer"),
    ("a large exponent", b'{"format": 1e999999}', "the number 1e999999"),
    ("10^7 digits", b'{"format": ' + b"9" * 10**7 + b"}", "an integer has 10,000,000 digits, more than 4,000"),
    ("deep lists", b'{"format": ' + b"[" * 10**6 + b"]" * 10**6 + b"}", "nested too deeply"),
    ("deep tables", b'{"a":' * 10**5 + b"1" + b"}" * 10**5, "nested too deeply"),
    ("a key twice", b'{"format": 1, "format": 1}', "the key 'format' is there twice"),
    ("a key twice inside", b'{"format": 1, "answer": {"empty": 0, "empty": 1}}', "the key 'empty' is there twice"),
    ("a byte order mark", b'\xef\xbb\xbf{"format": 1}', "this is no JSON"),
]
