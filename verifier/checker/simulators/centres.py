"""The independent re-check of definitions with a simulator beside differential privacy (DP22, section 8).

`IMITATED` lists, from the survey's definitions, what must be imitated from what. A *choice* is one problem: laws of the
output, each with the law of what the simulator is told there. A *group* has several choices, of which one must be
solved: an aggregate (Definition 41), databases that are left out (Definition 44). All groups must.

Beside the keys of `schemes`, a certificate has `evidence`. Each entry names its group and its choice, and an ε of its
own; numbers, contexts and tests are those of `simulator`:

* `enough`: for each group `[group, choice, ε, simulator]`, where the simulator is enough at an ε that is at most the
  claimed one;
* `needed`: for every choice of one group `[group, choice, ε, tests]`: no smaller ε is enough, and it is at least the
  claimed one (`inf`: none is, which at δ = 0 the laws alone show);
* `delta_enough`, `delta_needed`: the same for the smallest δ at the asked ε.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations
from typing import Any, NamedTuple, TypeAlias

from verifier.checker import Beyond, Rejected, require, require_equal, require_fields
from verifier.checker.laws import Tables, summed
from verifier.checker.model.labels import NOTHING, outcome, text
from verifier.checker.model.policy import Database
from verifier.checker.numbers import ONE, amount, ends, epsilon, logarithm_of, number, rational
from verifier.checker.shapes import ANSWER, DATABASE, ENDS, EPSILON, OR_NONE, SCHEMES, Either, Number, Table, maybe
from verifier.checker.simulators.simulator import (
    LISTED_TESTS,
    POLYNOMIAL,
    ContextRow,
    Evidence,
    Problem,
    Root,
    RowKey,
    above,
    check_never,
    check_witness,
    limit_sign,
    rows_of_records,
)

CHOICE = Either((int, [DATABASE]))
"""The number of an aggregate, or the databases that are left out."""
IMITATIONS = maybe([(OR_NONE, CHOICE, EPSILON, [(str, Table(POLYNOMIAL))])])
REFUSALS = maybe([(OR_NONE, CHOICE, EPSILON, LISTED_TESTS)])
IMITATED_SHAPE = {
    **SCHEMES,
    "answer": {
        **ANSWER,
        "tight_epsilon": Number(amount),
        "tight_delta": Either((ENDS, None)),
        "witness": None,
        "tightest": None,
    },
    "evidence": {
        "enough": IMITATIONS,
        "needed": REFUSALS,
        "delta_enough": IMITATIONS,
        "delta_needed": REFUSALS,
    },
}

IN_PLACE = "in-place"
"""The reading of Definition 41 in which D without i keeps the places of the others: a dataset is an indexed family
(section 2). In the default one it is their multiset."""
MOST_LEFT_OUT = 12
"""Most databases of a θ whose sets are all tried as those that Definition 44 leaves out."""
ContextRows: TypeAlias = dict[RowKey, ContextRow]
NamedChoice: TypeAlias = tuple[Any, ContextRows]


class Group(NamedTuple):
    """The problems by their choices, of which one must be solved; `name` is θ where each θ has a group, else None."""

    name: str | None
    choices: dict[Any, Problem]


# --- what is imitated -------------------------------------------------------------------------------------------------


def aggregate_of(function: Any, database: Database) -> dict[str, Fraction]:
    """The law of what a function of [policy] tells of a database: the values at its positions, or its table's row."""
    if not isinstance(function, dict):
        return _at_places(function, database)
    if database not in function:
        raise Rejected(f"a function of [policy] has no row for {list(database)}")
    law: dict[str, Fraction] = function[database]
    if sum(law.values()) != 1 or any(p < 0 for p in law.values()):
        raise Rejected("a function of [policy] has a law that is no law")
    return law


def _at_places(places: Iterable[int], database: Database) -> dict[str, Fraction]:
    return {text(tuple((k, outcome(database[k])) for k in places)): ONE}


def of_others(tables: Tables, function: Any, database: Database, i: int, reading: str) -> dict[str, Fraction]:
    """The law of what an agg tells of D without record i.

    D without i is the multiset of the other records; in the reading `in-place` it is the family of the others, each
    known by its place. A table is about multisets in both.
    """
    others = tuple(sorted((*database[:i], *database[i + 1 :]), key=tables.values.index))
    if isinstance(function, dict):
        return aggregate_of(function, others)
    if reading == IN_PLACE:
        return _at_places([k for k in function if k != i], database)
    require(len(function) in {0, tables.size}, "a multiset of records has no places, which an agg of [policy] tells")
    return {text(tuple(map(outcome, others if function else ()))): ONE}


def database_label(database: Database) -> str:
    """The text of a database as one label."""
    return text(tuple(map(outcome, database)))


def without_a_record(tables: Tables, reading: str) -> Iterator[tuple[str | None, list[NamedChoice]]]:
    """Definition 41: there are agg and Sim with M(D) ≈ Sim(agg(D₋ᵢ)) for all D and its records i; Sim is not told i."""
    require(tables.lists or reading != IN_PLACE, "the records of a multiset have no places")
    choices: list[NamedChoice] = []
    for k, aggregate in enumerate(tables.need("agg")):
        rows: ContextRows = {}
        for database in tables.databases:
            for i in _records_in(tables, database):
                told = of_others(tables, aggregate, database, i, reading)
                rows["", NOTHING, i, database_label(database)] = _row(tables.law(database), told)
        choices.append((k, rows))
    yield None, choices


def _records_in(tables: Tables, database: Database) -> list[int]:
    """The protected records that are there; of a multiset one of each value."""
    if not tables.lists:
        return [i for i in range(len(database)) if database[i] not in database[:i]]
    return [i for i in tables.records if database[i] != tables.policy.get("absent")]


def coupled_worlds(tables: Tables, _reading: str) -> Iterator[tuple[str | None, list[NamedChoice]]]:
    """Definition 42: one Sim with M(D) ≈ Sim(agg(D)), both given priv(D) = p, for all θ, (agg, priv), p and B̂."""
    yield None, [(0, coupled_rows(tables))]


def coupled_rows(tables: Tables) -> ContextRows:
    """For all θ, B̂, (agg, priv) and p: the laws of M(D) and agg(D) given priv(D) = p, times P[B̂, priv(D) = p]."""
    rows: ContextRows = {}
    pairs = tables.need("coupled")
    for theta, worlds in tables.thetas.items():
        for database, known, _, chance in worlds:
            for k, (agg, priv) in enumerate(pairs):
                secret = aggregate_of(priv, database)
                if len(secret) != 1:
                    raise Rejected("[policy] coupled has a random priv")
                row = rows.setdefault((theta, known, k, next(iter(secret))), ContextRow({}, {}))
                told = {(value,): p for value, p in aggregate_of(agg, database).items()}
                row.add(tables.law(database), told, chance)
    return rows


def typical(tables: Tables, _reading: str) -> Iterator[tuple[str | None, list[NamedChoice]]]:
    """Definition 44: for each θ a Sim(θ) with M(D) ≈ Sim(θ), but for databases D of probability at most γ."""
    gamma = tables.need("gamma")
    for theta in tables.distributions:
        chances = chances_of(tables, theta)
        yield (
            theta,
            [
                (left_out, typical_rows(tables, theta, [d for d in chances if d not in left_out]))
                for left_out in _largest(chances, gamma)
            ],
        )


def chances_of(tables: Tables, theta: str) -> dict[Database, Fraction]:
    """The probability of each database under θ."""
    return summed((database, chance) for database, _, _, chance in tables.distributions[theta])


def typical_rows(tables: Tables, theta: str, databases: Iterable[Database]) -> ContextRows:
    """The law of M(D) for each of these databases; Sim(θ) is told nothing of D."""
    return {
        (theta, NOTHING, 0, database_label(database)): _row(tables.law(database), {NOTHING: ONE})
        for database in databases
    }


def _largest(chances: dict[Database, Fraction], gamma: Fraction) -> list[frozenset[Database]]:
    """The sets of databases of probability at most γ to which no other database can be added."""
    if gamma and len(chances) > MOST_LEFT_OUT:
        raise Beyond(f"all sets of {len(chances)} databases are left out in turn")
    sizes = range(len(chances) + 1) if gamma else (0,)
    every = chain.from_iterable(combinations(chances, size) for size in sizes)
    light = [(set(chosen), total) for chosen in every if (total := sum(chances[d] for d in chosen)) <= gamma]
    return [
        frozenset(chosen)
        for chosen, total in light
        if not any(total + p <= gamma for d, p in chances.items() if d not in chosen)
    ]


def _row(law: dict[str, Fraction], told: dict[str, Fraction]) -> ContextRow:
    return ContextRow(dict(law), {(value,): p for value, p in told.items() if p})


ROWS: dict[str, Callable[[Tables, str], Iterator[tuple[str | None, list[NamedChoice]]]]] = {
    "zkpr": without_a_record,
    "czkpr": without_a_record,  # a limit of the simulators for each security parameter is one for all
    "cwpr": coupled_worlds,
    "typst": typical,
}
"""The definitions of DP22 that ask for a simulator of outputs, by the survey's keys."""


# --- the answer -------------------------------------------------------------------------------------------------------


def check_imitated(certificate: Mapping[str, Any]) -> None:
    """Re-check an answer about a simulator of outputs: its verdict, its smallest ε and its smallest δ.

    Raises:
        Rejected: where one of them does not follow.

    """
    question = certificate["question"]
    groups = {
        name: Group(name, {choice: Problem(rows) for choice, rows in choices})
        for name, choices in ROWS[question["definition"]](Tables(certificate), question["reading"])
    }
    require_fields(certificate["answer"], witness=None, tightest=None)
    evidence = Evidence(certificate["evidence"])
    never = [tests for *_, at, tests in certificate["evidence"]["needed"] or () if at == "inf"]
    proved = number(question["delta"]) or not any(never)
    require(proved, "at δ = 0 it needs no tests that no ε is enough")
    _check(certificate, groups, evidence)
    evidence.nothing_else()


def check_simulator(certificate: Mapping[str, Any], tables: Tables) -> None:
    """Re-check an answer about DDP (DMKB20, Definition 4): one group with one choice, and tests that are shown."""
    question, answer = certificate["question"], certificate["answer"]
    problem, evidence = Problem(rows_of_records(tables, question["reading"])), _OfOneProblem(certificate)
    _check(certificate, {None: Group(None, {0: problem})}, evidence)
    fails, vacuous = answer["verdict"] == "fails", not problem.rows
    require_equal("witness", answer["witness"] is not None, fails)
    require_equal("tightest", answer["tightest"] is not None, not fails and not vacuous)
    if fails:
        check_witness(problem, number(question["delta"]), question["epsilon"], evidence)
    evidence.nothing_else()


class _OfOneProblem(Evidence):
    """The evidence of DDP, each part as that of the one choice of one group, with the ε that it is about."""

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        super().__init__(certificate["evidence"])
        self.claimed, self.asked = certificate["answer"]["tight_epsilon"], certificate["question"]["epsilon"]
        if self.asked == "inf" and self.get("delta_needed") == []:  # at δ = 0 nothing is needed
            self.seen.add("delta_needed")

    def __getitem__(self, key: str) -> Any:
        shown = super().__getitem__(key)
        if key in {"enough", "needed"}:
            at = self.claimed
        elif not key.startswith("delta_"):
            return shown
        elif self.asked == "inf":
            at = "inf"
        elif shown is None:  # δ = 0, by the simulator of the smallest ε there
            at, shown = super().__getitem__("zero_epsilon"), super().__getitem__("zero_enough")
        else:
            at = logarithm_of(number(super().__getitem__("delta_low" if key == "delta_enough" else "delta_high")))
        return [(None, 0, at, shown)]


def _check(certificate: Mapping[str, Any], groups: dict[str | None, Group], evidence: Evidence) -> None:
    """The verdict, the smallest ε and the smallest δ follow."""
    question, answer = certificate["question"], certificate["answer"]
    bound, asked = number(question["delta"]), question["epsilon"]
    count = 2 * sum(len(problem.rows) for group in groups.values() for problem in group.choices.values())
    require_fields(answer, comparisons=count, multiplicity=count, empty=0)
    claimed = answer["tight_epsilon"]
    if not count:
        require_fields(answer, verdict="vacuous", tight_epsilon="0", tight_delta="0")
        return
    low, high = map(str, ends(claimed)) if claimed.startswith("[") else (claimed, claimed)
    _check_epsilon(groups, evidence, low, high, bound)
    require_fields(answer, verdict="holds" if _holds(low, high, asked) else "fails")
    _check_delta(groups, evidence, answer["tight_delta"], asked)


def _holds(low: str, high: str, asked: str | None) -> bool:
    """Whether ε, or without it some finite one, is enough, where the smallest one lies between two."""
    if high == "inf" or asked in {None, "inf"}:
        return high != "inf"
    holds = not above(high, str(asked))
    require(holds or above(low, str(asked)), "the smallest ε is not separated from the given ε")
    return holds


def _check_epsilon(
    groups: dict[str | None, Group], evidence: dict[str, Any], low: str, high: str, bound: Fraction
) -> None:
    """The smallest ε is at most `high`, and at least `low`."""
    if high != "inf":
        for problem, at, simulator in _of_each_group(groups, evidence["enough"]):
            require(not above(at, high), "tight_epsilon: a simulator is enough at a larger ε alone")
            problem.enough(simulator, Root(at), bound)
    if low == "0":
        return
    for problem, at, tests in _of_one_group(groups, evidence["needed"]):
        if at == "inf":
            check_never(problem, bound, tests)
            continue
        require(low != "inf" and not above(low, at), "tight_epsilon: the tests are about a smaller ε")
        require(problem.needs(tests, Root(at), bound), f"tight_epsilon: a smaller ε than {low} may be enough")


def _check_delta(
    groups: dict[str | None, Group], evidence: dict[str, Any], claimed: str | None, asked: str | None
) -> None:
    """The smallest δ at the asked ε; none is claimed without an ε, and where those of several problems are enclosed."""
    if asked is None:
        require_equal("tight_delta", claimed, None)
        return
    exact = rational(epsilon(asked))
    if claimed is None:
        several = sum(len(group.choices) for group in groups.values()) > 1
        require(several and not exact, "tight_delta: there is a smallest δ")
        return
    least, most = ends(claimed)
    require(least == most or not exact, "tight_delta: an enclosure where e^ε is rational")
    for problem, at, simulator in _of_each_group(groups, evidence["delta_enough"]):
        if at == "inf":
            require_equal("at", asked, "inf", "evidence")
            if simulator is not None or most or not all(problem.every.values()):
                problem.enough(simulator, Root("0"), most, limit=True)
        else:
            require(asked == "inf" or not above(at, asked), "tight_delta: a simulator is enough at a larger ε alone")
            problem.enough(simulator, Root(at), most)
    if not least:
        return
    for problem, at, tests in _of_one_group(groups, evidence["delta_needed"]):
        if at == "inf":
            require(limit_sign(problem, tests, least) >= 0, f"tight_delta: less than {least} may be enough")
            continue
        require(asked != "inf" and not above(asked, at), "tight_delta: the tests are about a smaller ε")
        root = Root(at)
        value = problem.gain(tests, root, least, pure=False)[0]
        require(root.sign(value) >= 0, f"tight_delta: less than {least} may be enough")


def _choice(groups: dict[str | None, Group], name: str | None, choice: Any) -> tuple[Any, Problem]:
    """The choice that evidence names: a number, or the databases that are left out."""
    key = frozenset(map(tuple, choice)) if isinstance(choice, list) else choice
    if name not in groups or key not in groups[name].choices or isinstance(choice, bool):
        raise Rejected("the evidence names a choice that there is not")
    return key, groups[name].choices[key]


def _of_each_group(groups: dict[str | None, Group], entries: Any) -> Iterator[tuple[Problem, str, Any]]:
    """One entry for each group."""
    names = [name for name, _, _, _ in entries]
    require(len(names) == len(groups) and set(names) == set(groups), "the evidence has not one choice for each group")
    for name, choice, at, shown in entries:
        yield _choice(groups, name, choice)[1], at, shown


def _of_one_group(groups: dict[str | None, Group], entries: Any) -> Iterator[tuple[Problem, str, Any]]:
    """An entry for each choice of one group."""
    names = {name for name, _, _, _ in entries}
    require(len(names) == 1, "the evidence is not about one group")
    chosen = [(*_choice(groups, name, choice), at, shown) for name, choice, at, shown in entries]
    keys = [key for key, _, _, _ in chosen]
    every = groups[next(iter(names))].choices
    require(len(keys) == len(every) and set(keys) == set(every), "the evidence is not about each choice of its group")
    for _, problem, at, shown in chosen:
        yield problem, at, shown
