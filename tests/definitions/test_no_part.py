"""What plays no part in a definition changes no answer: what the attacker of the file knows, other records, how people
are written down; and a field that is missing is named before anything is compared.

None of these needs an oracle: the same question is asked in two forms.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from random import Random
from typing import Any

import pytest
from filing import file_of
from rechecked import document_of, refused
from strategies_policy import OUTPUTS, PolicyModel

import verifier as pk
from verifier.checker.definitions import NOT_LISTED
from verifier.definitions import DEFINITIONS, ON_REQUEST
from verifier.definitions.atlas import atlas
from verifier.definitions.builders.rows import Row, Setting
from verifier.definitions.scheme import Scheme
from verifier.engine import Engine
from verifier.model import Model
from verifier.show.axis_words import fields_read

EVERY = {**{key: atlas[key] for key in atlas}, **DEFINITIONS, **ON_REQUEST}
DECIDED = [key for key in EVERY if not EVERY[key].undecided]
OWN_ADVERSARIES = ("baydp-ysn", "baydp-ll", "cordp", "pridp")
OF_THETA_ALONE = ("dnpr", "pbdp", "pdnpr", "ddnpr", "ednpr", "eddnpr", "typst")
ASKED: dict[str, dict[str, Any]] = {
    "reldp": {"delta": "1/20"},
    "azcodp": {"delta": "1/20"},
    **{
        key: {"epsilon": "ln(3/2)"} for key in ("adp", "dp", "psdp", "subdp", "bldp", "dnpr", "pdnpr", "dps", "tail-dp")
    },
}
"""Questions that have a δ in their answers."""
SEEDS = range(4)


def numbers(model: Model, key: str) -> tuple[Any, ...]:
    """What an answer says, but for the words of its example; the checker derives it again, where it can."""
    answer = pk.check(model, key, **ASKED.get(key, {}))
    assert answer.replayed is not False
    reason = answer.reason if answer.verdict in {"unsupported", "vacuous"} else None
    return answer.verdict, str(answer.tight_epsilon), str(answer.tight_delta), answer.comparisons, reason


def is_confirmed(model: Model, key: str) -> bool:
    """Whether the checker finds the same in the text of the model."""
    answer = pk.check(model, key, replay=False, **ASKED.get(key, {}))
    return refused(answer, model.text) is None


# --- what the attacker of the file knows ------------------------------------------------------------------------------

KNOWLEDGE = {
    "a record": "[knowledge]\nrecords = [0]\n",
    "everything": '[knowledge]\nkind = "identity"\n',
    "by chance": '[knowledge]\nkind = "count"\nvalue = "0"\nsample = "1/2"\n',
    "two attackers": '[[knowledge]]\nname = "none"\nrecords = []\n[[knowledge]]\nrecords = [0]\n',
    "twice the same": "[[knowledge]]\nrecords = [0]\n[[knowledge]]\nrecords = [0]\n",
}


def without_knowledge(seed: int) -> str:
    """A random model with two distributions, of an attacker who knows nothing."""
    text = PolicyModel(Random(seed), "lists").text  # noqa: S311
    return re.sub(r"(?ms)^\[knowledge\]\n.*?(?=^\[)", "", text)


def knowing(text: str, knowledge: str) -> Model:
    """The same model with another attacker, or others."""
    return pk.loads(text.replace("[mechanism]", f"{knowledge}[mechanism]", 1), "")


@pytest.mark.parametrize("knowledge", list(KNOWLEDGE))
def test_knowledge_plays_no_part_where_adversaries_are_named_or_none_is(knowledge: str) -> None:
    """A definition that names its own adversaries, or speaks of θ alone, or of no θ, has one answer for all of them."""
    without_theta = {key for key in DECIDED if not EVERY[key].needs_theta}
    assert without_theta.isdisjoint((*OWN_ADVERSARIES, *OF_THETA_ALONE))
    told_apart = 0
    for seed in SEEDS:
        text = without_knowledge(seed)
        plain, other = knowing(text, ""), knowing(text, KNOWLEDGE[knowledge])
        keys = sorted(without_theta) if seed == 0 else []
        for key in (*OWN_ADVERSARIES, *OF_THETA_ALONE, *keys):
            assert numbers(other, key) == numbers(plain, key), (seed, key)
        told_apart += numbers(other, "np") != numbers(plain, "np")
        assert is_confirmed(other, "dnpr")
        assert is_confirmed(other, "pridp")
    assert told_apart > 1


# --- the records that are protected -----------------------------------------------------------------------------------


def restricted(seed: int) -> tuple[Model, Model]:
    """A random model of two records or three, with record 1 alone protected, and with all of them."""
    drawn, k = PolicyModel(Random(seed), ("lists", "gaps")[seed % 2]), 0  # noqa: S311
    while drawn.size < 2 or drawn.protected:
        k += 100
        drawn = PolicyModel(Random(seed + k), ("lists", "gaps")[seed % 2])  # noqa: S311
    text = re.sub(r"(?m)^adversaries.*\n", "", drawn.text)
    return pk.loads(text.replace("[mechanism]", "[sensitive]\nrecords = [1]\n[mechanism]", 1), ""), pk.loads(text, "")


def rows_of(model: Model, key: str) -> Counter[tuple[str, str, Fraction]]:
    """The rows of a definition's builder, by the names of their laws."""
    compare = EVERY[key].compare
    assert isinstance(compare, Scheme)
    setting = Setting(key, model, Engine(model))
    rows = [row for group in compare.builder(setting) for case in group.cases for row in case.rows]
    return Counter((*row.names, row.scale) for row in rows if _of_two_databases(row))


def _of_two_databases(row: Row) -> bool:
    return row.names[0].startswith("M([") and row.names[0] != row.names[1]


def _agree(first: str, second: str) -> bool:
    """Whether two databases agree on all records but 1."""
    d, e = (name.removeprefix("M([").removesuffix("])").split(", ") for name in (first, second))
    return all(a == b for i, (a, b) in enumerate(zip(d, e, strict=True)) if i != 1)


def test_every_relation_is_restricted_to_the_protected_records() -> None:
    """Of a restricted model the rows are those of the unrestricted one that agree on all other records."""
    seen = Counter[str]()
    for seed in range(6):
        only, every = restricted(seed)
        for key in DECIDED:
            if not isinstance(EVERY[key].compare, Scheme):
                continue
            try:
                left = {row[:2] for row in rows_of(only, key)}
                whole = {row[:2] for row in rows_of(every, key)}
            except pk.UnsupportedError:
                continue
            assert left == {row for row in whole if _agree(*row)}, (seed, key)
            seen[key] += left < whole
    assert {"gcdp-km", "gcdp-kl", "absdp", "dlpr-rot", "flpr", "smdp", "randp", "wbdp", "dp-any"} <= {*+seen}


def test_an_answer_says_that_it_is_restricted_where_it_is() -> None:
    """Where what is protected plays no part, the answer is that of the file without [sensitive], and says nothing."""
    free = set()
    for seed in range(4):
        only, every = restricted(seed)
        for key in DECIDED:
            answer = pk.check(only, key, replay=False)
            if answer.verdict != "unsupported" and answer.restricted_to is None:
                free.add(key)
                assert numbers(only, key) == numbers(every, key), (seed, key)
            elif answer.verdict != "unsupported":
                assert answer.restricted_to == [1]
    assert free >= {"dnpr", "pfpr", "pmpr", "infpr"}
    assert free.isdisjoint({"gcdp-km", "dlpr-rot", "dp", "np", "anpr", "pridp"})


def test_shares_of_random_databases_are_those_given_the_other_records() -> None:
    """D₁ ~ πⁿ, D₂ is D₁ with record 1 drawn again: each pair once, as in the sum by hand; the checker alike."""
    prior = {"0": Fraction(1, 3), "1": Fraction(2, 3)}
    rows = [
        {"database": [a, b], "outputs": {"x": f"{1 + a + 2 * b}/6", "y": f"{5 - a - 2 * b}/6"}}
        for a, b in product((0, 1), repeat=2)
    ]
    for gamma, smallest in (("0", "ln(3)"), ("1/9", "ln(3)"), ("4/27", "ln(2)"), ("3/7", "ln(2)"), ("4/9", "0")):
        model = pk.build(
            size=2, values=[0, 1], sensitive={"records": [1]}, mechanism={"table": rows},
            policy={"prior": {v: str(p) for v, p in prior.items()}, "gamma": gamma},
        )  # fmt: skip
        answer = pk.check(model, "dlpr-rot")
        assert answer.replayed
        assert str(answer.tight_epsilon) == smallest


# --- a field that is missing ------------------------------------------------------------------------------------------

OF_ONE_VALUE: dict[str, Any] = {
    "absent": "a", "sensitive": ["a"], "graph": [], "attributes": {"a": ["x"]}, "bits": {"a": "0"},
    "databases": [["a"]], "fixed": ["a"], "record": 0, "pairs": [], "secrets": [], "dependence": [], "levels": ["1"],
    "scale": [], "tailored": [], "blocks": [[0]], "group": 1, "distance": "hamming", "at-most": "1",
    "statistic": [[["a"], "0"]], "theta-distances": [], "prior": {"a": "1"}, "gamma": "0", "rate": "1", "order": 2,
    "divergence": "kl", "tests": [{"ok": "1"}], "tradeoff": [["0", "1"], ["1", "0"]], "error": "0",
    "predicate": [["1", "0", "1"]], "leak": {"ok": "ok"}, "image": {"ok": "ok"}, "agg": ["constant"],
    "coupled": [{"agg": "constant", "priv": "constant"}], "views": [{"ok": "ok"}], "omega": "2", "mu": "1", "xi": "1",
}  # fmt: skip
"""Every field for a model in which nothing can be compared."""
NEEDS = [(key, name) for key in DECIDED for name, needed in fields_read(EVERY[key]).items() if needed]


def one_value(fields: dict[str, Any]) -> Model:
    """A model of one record with one value."""
    certain, constant = {"iid": {"a": "1"}}, {"kind": "constant", "output": "ok"}
    keys = {"size": 1, "values": ["a"], "distribution": [certain], "mechanism": constant, "policy": fields}
    return pk.loads(file_of(keys), "")


@pytest.mark.parametrize(("key", "name"), NEEDS)
def test_a_missing_field_is_named_where_nothing_can_be_compared(key: str, name: str) -> None:
    """`vacuous` comes last: what a definition reads is asked for before anything is listed, by the checker too."""
    redrawn = {"randp", "avgklpr", "wbdp", "baydp-tf"}
    complete = {field: value for field, value in OF_ONE_VALUE.items() if not (field == "absent" and key in redrawn)}
    missing = {field: value for field, value in complete.items() if field != name}
    answer = pk.check(one_value(missing), key, replay=False)
    assert answer.verdict == "unsupported"
    assert refused(answer, one_value(missing).text) is None or key in NOT_LISTED
    assert f"`{name}`" in str(answer.reason) or name == "absent"
    answer = pk.check(one_value(complete), key, replay=False)
    assert answer.verdict != "unsupported"
    claimed = {**document_of(answer), "definition": key}
    assert refused(claimed, one_value(complete).text) is None or key in NOT_LISTED
    assert refused(claimed, one_value(missing).text) is not None


# --- the same people as a list and as a multiset ----------------------------------------------------------------------

PRESENT = ("0", "1")


class People:
    """At most `size` people, each with a value of T, and a mechanism that does not see their order."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)  # noqa: S311
        self.size = random.choice((1, 2, 2))
        self.multisets = [d for n in range(self.size + 1) for d in combinations_with_replacement(PRESENT, n)]
        self.lists = list(product((*PRESENT, "-"), repeat=self.size))
        self.law = {d: self._law() for d in self.multisets}
        inside = random.sample(self.multisets, random.randint(2, len(self.multisets)))
        self.fields: dict[str, Any] = {
            "group": random.choice((1, 2, 2, 3)),
            "sensitive": random.choice((["0"], ["1"], ["0", "1"])),
            "graph": [["0", "1"]],
            "distance": "hamming",
            "at-most": random.choice(("1", "2")),
            "scale": [[["0", "1"], random.choice(("2", "1/2", "inf"))]],
            "rate": "1/2", "order": 2, "divergence": random.choice(("chi-squared", "total-variation")), "error": "1/10",
            "xi": "0", "omega": "3", "mu": "1", "tradeoff": [["0", "1/2"], ["1/2", "1/8"], ["1", "0"]],
            "predicate": [["1", "-2", "1/4"]], "tests": [{"y": "1", "n": "1/2", "z": "0"}],
            "leak": {"y": "p", "n": "q", "z": "q"}, "image": {"y": "p", "n": "q", "z": "q"},
        }  # fmt: skip
        if random.random() < 2 / 3:
            self.fields["neighbours"] = random.choice(("change", "add-remove", "any"))
        self.databases = {"databases": inside, "fixed": random.choice(self.multisets)}
        self.statistic = {d: str(random.randint(0, 3)) for d in self.multisets}
        self.levels = {
            (t, d): random.choice(("2", "1/2", "inf")) for d in self.multisets for t in d if random.random() < 1 / 2
        }

    def _law(self) -> dict[str, str]:
        weights = [self.random.randint(1, 9) for _ in OUTPUTS]
        return {output: str(Fraction(w, sum(weights))) for output, w in zip(OUTPUTS, weights, strict=True)}

    def as_multisets(self) -> Model:
        """The people who are there, in no order."""
        tables = {
            "bits": {"0": "00", "1": "01"},
            "attributes": {"0": ["x", "z"], "1": ["y", "z"]},
            "databases": [list(d) for d in self.databases["databases"]],
            "fixed": list(self.databases["fixed"]),
            "pairs": [[list(d), list(e)] for d, e in pairwise(self.multisets)],
            "statistic": [[list(d), value] for d, value in self.statistic.items()],
            "tailored": [[t, list(d), level] for (t, d), level in self.levels.items()],
        }
        rows = [{"database": list(d), "outputs": law} for d, law in self.law.items()]
        return self._model([0, self.size], list(PRESENT), rows, tables)

    def as_lists(self) -> Model:
        """One place for each person, who may be absent; what is said of a multiset is said of all its lists."""
        there = {d: tuple(sorted(v for v in d if v != "-")) for d in self.lists}
        some = [d for d in self.lists if there[d] in self.databases["databases"]]
        tables = {
            "absent": "-",
            "bits": {"0": "00", "1": "01", "-": "11"},
            "attributes": {"0": ["x", "z"], "1": ["y", "z"], "-": ["x", "w"]},
            "databases": [list(d) for d in some],
            "fixed": list(next(d for d in self.lists if there[d] == self.databases["fixed"])),
            "pairs": [[self._padded(d), self._padded(e)] for d, e in pairwise(self.multisets)],
            "statistic": [[list(d), self.statistic[there[d]]] for d in self.lists],
            "tailored": [
                [t, list(d), level] for d in self.lists for (t, e), level in self.levels.items() if e == there[d]
            ],
        }
        rows = [{"database": list(d), "outputs": self.law[there[d]]} for d in self.lists]
        return self._model(self.size, [*PRESENT, "-"], rows, tables)

    def _padded(self, database: tuple[str, ...]) -> list[str]:
        return [*database, *["-"] * (self.size - len(database))]

    def _model(self, size: Any, values: list[str], rows: list[Any], tables: dict[str, Any]) -> Model:
        return pk.build(size=size, values=values, mechanism={"table": rows}, policy=self.fields | tables)


IN_BOTH = ("dp", "tail-dp", "grdp", "osdp", "asdp", "ubodp", "bfpr", "iddp", "ddpr", "psdp", "taidp", "samdp", "dp-any")
PLACES = ("induced-neighbours-dp",)
"""Between two lists are lists that agree with one of them at each place, which no multiset says."""


def test_people_in_a_list_and_in_a_multiset_have_one_answer() -> None:
    decided = Counter[str]()
    for seed in range(12):
        people = People(seed)
        lists, multisets = people.as_lists(), people.as_multisets()
        for key in DECIDED:
            answers = [numbers(model, key) for model in (lists, multisets)]
            if "unsupported" in {answer[0] for answer in answers} or key in PLACES:
                continue
            decided[key] += 1
            # two lists of the same people are compared, where one multiset is not
            (verdict, *values), (other, *others) = (answer[:3] for answer in answers)
            assert values == others, (seed, key)
            assert verdict == other or {verdict, other, *values[:1]} == {"holds", "vacuous", "0"}, (seed, key)
    assert {*IN_BOTH} <= {*decided}
    assert len(decided) > 40
