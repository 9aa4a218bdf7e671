"""The registry of attacks on certificate files: the honest files, and what must be rejected with which reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from filing import Place, certified, put, written
from forging import drop as dropped
from forging import put as changed

import verifier as pk
from verifier.engine import Engine
from verifier.evidence.files import verdict_file
from verifier.questions.normalization.certificate import acceptability_file
from verifier.wings.search.ask import search
from verifier.wings.search.certificates import search_file, worst_file
from verifier.wings.search.worst import worst

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
TWINS = """
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = "1/2" }, { database = [1, 1], probability = "1/2" } ]
[mechanism]
kind = "count"
value = 1
"""
TEXTS = {"table": TABLE, "other": OTHER, "sums": SUMS, "sizes": SIZES, "acceptable": ACCEPTABLE, "twins": TWINS}
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


@cache
def model(name: str) -> pk.Model:
    return written(FOLDER, TEXTS[name], f"{name}.toml")


@cache
def honest_text(name: str) -> str:
    """An honest certificate, by its name."""
    for every in TEXTS:
        model(every)
    if name in ASKED:
        of, definition, question = ASKED[name]
        return json.dumps(certified(model(of), FOLDER, definition, **question))
    if name == "sums":
        engine = Engine(model("sums"), 1 << 22, "sum")
        answer = pk.check(engine.model, "apkdp", epsilon="ln(2)", delta="1/50", engine=engine)
        return verdict_file(answer, engine, FOLDER)
    if name == "acceptable":
        return acceptability_file(model("acceptable"), beside=FOLDER)
    if name == "not acceptable":
        return acceptability_file(model("sums"), {"record": 0}, FOLDER)
    if name == "worst":
        return worst_file(worst(model("twins"), assuming="dp(epsilon=ln(2))", maximise="np delta at ln(2)"), FOLDER)
    if name == "none":
        return search_file(search(claim="independent => np(e) iff cdp(e)", weights=2, mechanism_weights=1))
    if name == "separated":
        return search_file(search(satisfies="np(e)", violates="cdp(2*e)", weights=2))
    raise KeyError(name)


NAMES = [*ASKED, "sums", "acceptable", "not acceptable", "worst", "none", "separated"]


def honest(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(honest_text(name))
    return found


@dataclass(frozen=True)
class Attack:
    """A change of an honest certificate, and a regex for the reason."""

    name: str
    base: str
    change: Callable[[dict[str, Any]], Any]
    reason: str


def at(*path: Any) -> Callable[[Any], Callable[[dict[str, Any]], None]]:
    return lambda value: changed(*path, value)


def hash_of(name: str) -> Callable[[dict[str, Any]], None]:
    """The right hash and name of another model, whose tables are others."""

    def change(one: dict[str, Any]) -> None:
        one["model"], one["sha256"] = f"{name}.toml", model(name).sha256

    return change


def turned(one: dict[str, Any]) -> None:
    """A verdict with the evidence of the other one."""
    answer = one["answer"]
    answer["verdict"] = {"holds": "fails", "fails": "holds"}[answer["verdict"]]
    answer["witness"], answer["tightest"] = answer["tightest"], answer["witness"]


def swapped_events(one: dict[str, Any]) -> None:
    terms = one["answer"]["witness"]["terms"]
    outputs = sorted({o for _, law in one["mechanism"] for o in law})
    for term in terms:
        term["event"] = [o for o in outputs if o not in term["event"]]


def swapped_sides(one: dict[str, Any]) -> None:
    witness = one["answer"]["witness"]
    witness["a"], witness["b"] = witness["b"], witness["a"]


def moved_mass(one: dict[str, Any]) -> None:
    rows = one["worlds"]["θ"]
    rows[0][3], rows[3][3] = rows[3][3], rows[0][3]


def without_file(then: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], None]:
    """The same without its model file, so that the replay alone must find out."""

    def change(one: dict[str, Any]) -> None:
        one["model"] = one["sha256"] = one["part"] = None
        then(one)

    return change


def more(*path: Any) -> Callable[[dict[str, Any]], None]:
    """One more in a number text."""

    def change(one: dict[str, Any]) -> None:
        target: Any = one
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] += 1

    return change


A, W = "answer", "witness"
E = "evidence"
ATTACKS = [
    Attack("a probability of the witness", "fails", changed(A, W, "probability_a", "1"), "probability_a: the ans"),
    Attack("the smallest δ", "fails", changed(A, "tight_delta", "1/1000"), "tight_delta: 1/1000 is too small"),
    Attack("the smallest ε", "fails", changed(A, "tight_epsilon", "0"), "tight_epsilon: 0 is too small"),
    Attack("more comparisons", "fails", more(A, "comparisons"), "comparisons: the answer says"),
    Attack("holds becomes fails", "holds", turned, "verdict: the answer says 'fails', the replay finds 'holds'"),
    Attack("fails becomes holds", "fails", turned, "verdict: the answer says 'holds', the replay finds 'fails'"),
    Attack("ddp fails becomes holds", "simulator", turned, "verdict: the answer says 'holds', the replay finds"),
    Attack("ddp holds becomes fails", "simulator holds", turned, "verdict: the answer says 'fails'"),
    Attack("vacuous", "fails", changed(A, "verdict", "vacuous"), "verdict: the answer says 'vacuous'"),
    Attack("events exchanged", "average", swapped_events, "the event does not exceed δ"),
    Attack("sides exchanged", "fails", swapped_sides, "probability_a: the answer says"),
    Attack("an event more", "fails", lambda one: one[A][W]["event"].append("x"), "one that no law has"),
    Attack("another distribution, file", "fails", moved_mass, "other tables than its model file: the worlds of θ"),
    Attack("another distribution", "average", without_file(moved_mass), "tight_|weights"),
    Attack("the wrong hash", "fails", changed("sha256", "0" * 64), "has the hash [0-9a-f]{12}…, the cert"),
    Attack("no hash", "fails", changed("sha256", None), "sha256: wanted 64 hexadecimal digits"),
    Attack("another file, its hash", "fails", hash_of("other"), "other tables than its model file: the worlds of θ"),
    Attack("another file of other size", "fails", hash_of("sums"), "other tables than its model file: the values"),
    Attack("a file that is not there", "fails", changed("model", "nothing.toml"), "nothing.toml is not there"),
    Attack("an absolute path", "fails", changed("model", "/etc/passwd"), "wanted a path without .. from"),
    Attack("a hash without a file", "fails", changed("model", None), "none is named"),
    Attack("part of nothing", "fails", changed("part", {"distribution": "φ"}), "part names no distribution"),
    Attack("part of an unprotected record", "fails", changed("part", {"record": 1}), "part names no record"),
    Attack("a part that is not asked", "fails", changed("part", {"record": 0, "value": 1}), "key 'value' is unknown"),
    Attack("a world less", "fails", dropped("worlds", "θ", 0), "other tables than its model file"),
    Attack("a world less, no file", "fails", without_file(dropped("worlds", "θ", 0)), "are no distribution"),
    Attack("a distribution less", "fails", without_file(dropped("worlds", "θ")), "there is no distribution"),
    Attack("a row less", "fails", dropped("mechanism", 0), "the mechanism has no law for"),
    Attack("a row twice", "fails", lambda one: one["mechanism"].append(one["mechanism"][0]), "has two laws on"),
    Attack("a knowledge less", "average", dropped(A, W, "terms", 0), "terms: the answer says"),
    Attack("an extra key", "fails", lambda one: one.update(note="trust me"), "the file: the key 'note' is unknown"),
    Attack("an extra key inside", "fails", lambda one: one[A][W].update(note="x"),
           "answer, witness: the key 'note' is unknown"),
    Attack("a key less", "fails", dropped(A, "empty"), "answer: the key 'empty' is missing"),
    Attack("version 2", "fails", changed("format", 2), "format: given 2, wanted 1"),
    Attack("version true", "fails", lambda one: one.update(format=True), "format: given True, wanted 1"),
    Attack("another kind", "fails", changed("kind", "proof"), "kind: given proof, wanted one of verdict, acc"),
    Attack("a kind that is a list", "fails", changed("kind", ["verdict"]), "kind: given"),
    Attack("another engine", "fails", changed("engine", "sums"), "the key .* is unknown"),
    Attack("no engine", "fails", changed("engine", "ball"), "engine: given ball, wanted one of table"),
    Attack("an integer for a text", "fails", changed(A, "tight_delta", 1), "tight_delta: given 1, wanted null"),
    Attack("true for an integer", "fails", changed(A, "empty", True), "answer, empty: given true, wanted an integer"),
    Attack("a negative probability", "fails", changed("worlds", "θ", 0, 3, "-1/4"), "is no number of the form"),
    Attack("an exponent in a text", "fails", changed("worlds", "θ", 0, 3, "1e999999"), "is no number of the form"),
    Attack("a long power", "no epsilon", changed("question", "epsilon", "999999999*ln(2)"), "is too large at"),
    Attack("a large ε", "no epsilon", changed("question", "epsilon", "9" * 99), "is too large at"),
    Attack("a long root", "simulator holds", changed(A, "tight_epsilon", "1/999999999*ln(2)"), "has a long power"),
    Attack("a polynomial of degree 10^9", "simulator holds",
           changed(A, "tight_epsilon", "ln(root of x^999999999 - 2 in [1, 2])"), "is no polynomial"),
    Attack("a long text", "fails", changed("question", "delta", "9" * 300_000), "a text has 300,000 characters"),
    Attack("a definition that is unknown", "fails", changed("question", "definition", "indcdp"),
           "does not know indcdp"),
    Attack("a size of 10^17", "neighbours", without_file(lambda one: one.update(size=10**17, mechanism=[])),
           "there is no mechanism"),
    Attack("Farkas multiplier", "simulator", changed(E, "needed", 0, 6, "7"), "may be enough"),
    Attack("Farkas multiplier of δ", "simulator", changed(E, "delta_needed", 0, 6, "7"), "tight_delta: less than"),
    Attack("Farkas event", "simulator", changed(E, "needed", 0, 4, []), "may be enough"),
    Attack("Farkas row", "simulator", changed(E, "needed", 0, 3, "7"), "a test is about a row that is impossible"),
    Attack("no multipliers", "simulator", changed(E, "needed", []), "there is no test"),
    Attack("an answer of the simulator", "simulator holds", lambda one: one[E]["enough"][0][1].update(x="1"), "no law"),
    Attack("a context less", "simulator holds", dropped(E, "enough", 0), "not given for each context once"),
    Attack("evidence of nothing", "simulator holds", changed(E, "delta_low", "1"), "delta_low: it shows noth"),
    Attack("an element of a sum", "sums", changed("mechanism", "elements", 0, 0, 0, 0, ["5", "0"]), "record 0 adds"),
    Attack("an output of a sum", "sums", changed("mechanism", "finish", 0, 1, {"x": "1"}), "the output of the sum"),
    Attack("a group", "sums", changed("thetas", "θ", 1, "groups", 0, "rows", 0, 1, "1/7"), "no law"),
    Attack("known records", "sums", changed("knowledge", "records", [0]), "what is known with θ"),
    Attack("a record less", "sums", dropped("secrets", 0), "what is protected"),
    Attack("the rate", "sizes", changed("rate", "1/3"), "the rate of the sample"),
    Attack("other sizes", "sizes", changed("sizes", [0, 10**17]), "the sizes"),
    Attack("other sizes, no file", "sizes", without_file(changed("sizes", [0, 10**17])), "a law on every multiset"),
    Attack("a multiset less", "safe", dropped("mechanism", 0), "a law on every multiset"),
    Attack("parameters do not multiply up", "acceptable",
           changed("answers", 0, "parameters", 1, "table", {"x": "1/3", "y": "2/3"}), "do not multiply up"),
    Attack("parameters that are no law", "acceptable",
           changed("answers", 0, "parameters", 0, "table", "0", "1/3"), "the parameter φ0 has no law"),
    Attack("φ₀ is known", "acceptable", changed("answers", 0, "knowledge", ["φ0"]), "φ0 is φ₀"),
    Attack("nothing is known", "acceptable", changed("answers", 0, "knowledge", []), "do not determine the knowledge"),
    Attack("a row of the table less", "acceptable", dropped("answers", 0, "table", 0), "needs one row for each"),
    Attack("a world twice", "acceptable",
           lambda one: one["answers"][0]["table"][0].__setitem__(1, one["answers"][0]["table"][1][1]),
           "not injective|impossible|does not determine"),
    Attack("yes becomes no", "acceptable", changed("answers", 0, "acceptable", False), "given false, wanted true"),
    Attack("a reason of nothing", "acceptable", changed("answers", 1, "reason", "chances", [["1"], ["1"]]), "others"),
    Attack("no for what is acceptable", "acceptable", lambda one: one["answers"].__setitem__(
        0, {**one["answers"][1], "record": 0, "reason": {"knowledge": ["x", "y"], "sensitive": "0",
                                                         "chances": [["1/4"], ["1/4"]]}}), "leave the same probab"),
    Attack("an answer less", "acceptable", dropped("answers", 0), "one answer for each distribution"),
    Attack("a chance", "not acceptable", changed("answers", 0, "reason", "chances", 0, 0, "1/9"), "are others"),
    Attack("models off by one", "none", more("models"), "models: the certificate says 160, the replay finds 159"),
    Attack("orbits off by one", "none", more("orbits"), "orbits: the certificate says 35, the replay finds 34"),
    Attack("a larger scope", "none", more("scope", "outputs"), "models: the certificate says"),
    Attack("an enormous scope", "none", changed("scope", "records", 10**9), "the scope has records = 1000000000"),
    Attack("a false statement", "none", changed("violates", "cdp(0)"), "has a model that was not found"),
    Attack("names are kept", "none", changed("renamed", []), "renamed: the certificate says"),
    Attack("found nothing", "separated", changed("found", None), "verdict: the certificate says 'separated'"),
    Attack("found something else", "separated", changed("found", "mechanism", 0, 1, {"v": "1"}), "does not answer"),
    Attack("the optimum", "worst", changed("optimum", "1/2"), "does not attain the optimum"),
    Attack("a multiplier", "worst", changed("bounds", 0, "multipliers", 0, 4, "1/9"), "no multipliers prove"),
    Attack("a bound less", "worst", changed("bounds", 0, "multipliers", []), "no multipliers prove"),
    Attack("an assumption that is none", "worst", changed("bounds", 0, "multipliers", 0, 0, -1), "that is none"),
    Attack("many outputs", "worst", changed("outputs", 1), "fewer than two outputs"),
    Attack("the worlds of another file", "worst", hash_of("acceptable"), "other tables than its model file"),
]  # fmt: skip

GOOD = '{"format": 1, '
RAW: list[tuple[str, bytes, str]] = [
    ("empty", b"", "this is no JSON"),
    ("not UTF-8", b'{"format": "\xff"}', "byte 12 is not UTF-8"),
    ("cut off", b'{"format": 1', "this is no JSON"),
    ("an integer that is -0", b'{"format": -0}', "given the number -0"),
    ("very many lists", b"[" + b"[]," * (1 << 20) + b"[]]", "more than 1,048,576 lists and tables"),
    ("deep lists behind a text", b'["\\\\\\"]]]", ' + b"[" * 40 + b"]" * 41, "nested too deeply"),
    ("deep lists in a text", b'["' + b"[" * 40 + b'"]', "no table of keys"),
    ("a list", b"[]", "no table of keys"),
    ("a number", b"1", "no table of keys"),
    ("NaN", b'{"format": NaN}', "given the number NaN"),
    ("infinity", b'{"format": -Infinity}', "given the number -Infinity"),
    ("a decimal", b'{"format": 1.0}', "given the number 1.0, wanted an integer"),
    ("a large exponent", b'{"format": 1e999999}', "given the number 1e999999"),
    ("10^7 digits", b'{"format": ' + b"9" * 10**7 + b"}", "an integer has 10,000,000 digits, more than 4,000"),
    ("deep lists", b'{"format": ' + b"[" * 10**6 + b"]" * 10**6 + b"}", "nested too deeply"),
    ("deep tables", b'{"a":' * 10**5 + b"1" + b"}" * 10**5, "nested too deeply"),
    ("a key twice", b'{"format": 1, "format": 1}', "the key 'format' is there twice"),
    ("a key twice inside", b'{"format": 1, "answer": {"empty": 0, "empty": 1}}', "the key 'empty' is there twice"),
    ("a byte order mark", b'\xef\xbb\xbf{"format": 1}', "this is no JSON"),
]
__all__ = ["ATTACKS", "NAMES", "RAW", "Attack", "Place", "honest", "put"]
