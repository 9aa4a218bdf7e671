"""Properties without ε, from the model file: acceptability, Θ-reducibility, k-anonymity, strongly safe recodings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .comparisons import Asked
from .mechanisms import Database, samples
from .models import Model, Row, Theta, conditioned
from .numbers import (
    BeyondLimits,
    Label,
    Law,
    Rejected,
    Unchecked,
    Unsupported,
    afford,
    entries,
    is_list,
    label,
    law_of,
    mixed,
    rational,
)
from .of_worlds import cells


class Found(NamedTuple):
    """A verdict, and for k-anonymity k and the largest k that holds."""

    verdict: str
    k: int | None = None
    largest: int | None = None


# --- acceptability (DMKB20, Definitions 7 and 8) ----------------------------------------------------------------------


def acceptable(theta: Theta, record: int | None) -> bool:
    """Whether there is an acceptable normalization.

    All parameters that B determines are one parameter, B; all others are one parameter R. So there is one if and only
    if the worlds are pairs (b, r) with P = P(b)·P(r) and S a function of r: given each b, the worlds have the same
    multiset of (S, probability).
    """
    kinds: dict[Label | None, Counter[tuple[Label | None, Fraction]]] = defaultdict(Counter)
    mass: dict[Label | None, Fraction] = defaultdict(Fraction)
    for row in theta.rows:
        mass[row.known] += row.probability
    for row in theta.rows:
        secret = row.secret if record is None else row.database[record]
        kinds[row.known][secret, row.probability / mass[row.known]] += 1
    return len({frozenset(kind.items()) for kind in kinds.values()}) <= 1


Triple = tuple[Database, Label | None, Label | None]


def is_normalization(given: Mapping[str, Any], theta: Theta, record: int | None, model: Model) -> bool:
    """Whether parameters and a table are an acceptable normalization; `knowledge` names the φ that make up B."""
    parameters = [{label(v): rational(p) for v, p in each["table"].items()} for each in given["parameters"]]
    names = [each["name"] for each in given["parameters"]]
    for each in parameters:
        law_of(each)
    if any(p <= 0 for each in parameters for p in each.values()) or not parameters:
        return False
    told = [names.index(name) for name in given["knowledge"]]
    if 0 in told or len(set(names)) != len(names):
        return False
    rows: dict[tuple[Label, ...], Triple] = {}
    own = {(r.database, r.known, r.secret): r.probability for r in theta.rows}
    for row in given["table"]:
        when = tuple(label(v) for v in row["when"])
        database = model.database(row["database"])
        fitting = [
            w for w in own
            if w[0] == database
            and ("knowledge" not in row or row["knowledge"] is None or w[1] == label(row["knowledge"]))
            and (record is not None or row.get("sensitive") is None or w[2] == label(row["sensitive"]))
        ]  # fmt: skip
        if len(fitting) != 1 or when in rows:
            return False
        rows[when] = fitting[0]
    chances: dict[Triple, Fraction] = {}
    for when, world in rows.items():
        if len(when) != len(parameters) or any(v not in each for v, each in zip(when, parameters, strict=True)):
            return False
        p = Fraction(1)
        for v, each in zip(when, parameters, strict=True):
            p *= each[v]
        if world in chances:
            return False  # not injective
        chances[world] = p
    size = 1
    for each in parameters:
        size *= len(each)
    if size != len(rows) or chances != own:
        return False
    secret: Callable[[Triple], Label | None] = lambda w: w[2] if record is None else w[0][record]  # noqa: E731
    return _function((when[0], secret(w)) for when, w in rows.items()) and all(
        _function(pairs) for pairs in (
            [(tuple(when[j] for j in told), w[1]) for when, w in rows.items()],
            [(w[1], tuple(when[j] for j in told)) for when, w in rows.items()],
        )
    )  # fmt: skip


def _function(pairs: Iterable[tuple[object, object]]) -> bool:
    """Whether the second is a function of the first."""
    seen: dict[object, object] = {}
    return all(seen.setdefault(x, y) == y for x, y in pairs)


# --- Θ-reducibility (DMKB20, Definition 14) ---------------------------------------------------------------------------


def reducible(asked: Asked) -> Found:
    """For each θ, i, B₁ and B₂ the columns (P[M(D) = O | D(i) = a, B])ₐ are the same multiset.

    A B̂ that excludes a has no bijection to one that does not; `ignore-impossible` looks at the a that both allow.
    """
    compared, fails, open_ = False, False, False
    for theta in asked.model.thetas():
        for i in asked.secrets:
            laws = {at: _output(asked, rows) for at, rows in cells(theta, i).items()}
            known = list(dict.fromkeys(k for k, _ in laws))
            afford(len(known) ** 2, "the pairs of knowledge")
            possible = {k: [a for x, a in laws if x == k] for k in known}
            for n, one in enumerate(known):
                for other in known[:n]:
                    compared = True
                    values = [a for a in possible[one] if a in possible[other]]
                    if asked.reading == "default" and set(possible[one]) != set(possible[other]):
                        fails = True
                        continue
                    columns = []
                    for k in (one, other):
                        outputs = dict.fromkeys(o for a in values for o in laws[k, a].counts)
                        columns.append(Counter((_in_a_tail(o), *(laws[k, a].of(o) for a in values)) for o in outputs))
                    tails = any(at[0] for both in columns for at in both)
                    fails |= columns[0] != columns[1] and not tails
                    open_ |= columns[0] != columns[1] and tails
    if open_ and not fails:
        raise BeyondLimits("the infinitely many outputs in a tail of noise")
    return Found("vacuous" if not compared else "fails" if fails else "holds")


def _in_a_tail(output: Label) -> bool:
    """Whether this is a tail of noise, or a list with one: many outputs, whose columns are another's at times."""
    return output[:2] in ("< ", "> ") or (is_list(output) and any(map(_in_a_tail, entries(output))))


OF_TWO = ("distribution", "record", "B1", "B2")
OF_A_COLUMN = (*OF_TWO, "values", "column", "times")
"""What evidence names of two B̂, and of a column that comes more often given one of them."""


def tells_apart(asked: Asked, evidence: Mapping[str, Any]) -> bool:
    """Whether two B̂ allow other values, or have a column of probabilities so often, and not equally often."""
    both, values = _given_two(asked, evidence), [label(a) for a in evidence["values"]]
    possible = [set(laws) for laws in both]
    if not both or len(set(values)) != len(values) or not possible[0] | possible[1] <= set(values):
        return False
    if evidence["record"] is not None and not set(values) <= set(asked.model.values):
        return False
    if evidence.get("column") is None:
        told = asked.reading == "default" and label(evidence["value"]) in possible[0] ^ possible[1]
        return told and evidence.get("times") is None and evidence.keys() <= {*OF_A_COLUMN, "value"}
    if asked.reading == "ignore-impossible":
        values = [a for a in values if a in possible[0] & possible[1]]
    column = tuple(None if x == "undefined" else rational(x) for x in evidence["column"])
    times = [Counter(_columns(laws, values).values())[column] for laws in both]
    return times == evidence["times"] and times[0] != times[1] and evidence.keys() <= {*OF_A_COLUMN}


def maps_alike(asked: Asked, evidence: Mapping[str, Any]) -> bool:
    """Whether each map takes the outputs given B₁ to all of those given B₂, and none to one with another column."""
    for one in evidence["bijections"] or ():
        both = _given_two(asked, one)
        if not both or one.keys() != {*OF_TWO, "map"}:
            return False
        values = list(dict.fromkeys(a for laws in both for a in laws))
        first, second = (_columns(laws, values) for laws in both)
        pairs = [(label(x), label(y)) for x, y in one["map"]]
        if sorted(x for x, _ in pairs) != sorted(first) or sorted(y for _, y in pairs) != sorted(second):
            return False
        if any(first[x] != second[y] for x, y in pairs):
            return False
    return evidence.keys() <= {"bijections", "outputs"}


def _output(asked: Asked, rows: Iterable[Row]) -> Law:
    """The law of the output, given that the world is one of these."""
    return mixed((w, asked.model.mechanism.law(d)) for d, w in conditioned(rows).items())


def _given_two(asked: Asked, shown: Mapping[str, Any]) -> list[dict[Label, Law]]:
    """The laws of the output by D(i), given each of two B̂; nothing where there is no such θ, record or B̂."""
    theta = next((t for t in asked.model.thetas() if t.name == shown["distribution"]), None)
    if theta is None or shown["record"] not in asked.secrets:
        return []
    given = cells(theta, shown["record"])
    found = [
        {a: _output(asked, rows) for (k, a), rows in given.items() if k == label(shown[name])} for name in ("B1", "B2")
    ]
    return found if all(found) else []


def _columns(laws: Mapping[Label, Law], values: Sequence[Label]) -> dict[Label, tuple[Fraction | None, ...]]:
    """The probabilities of each output by the values, None of a value that is impossible."""
    outputs = dict.fromkeys(o for a in values if a in laws for o in laws[a].counts)
    return {o: tuple(laws[a].of(o) if a in laws else None for a in values) for o in outputs}


# --- published tables (LQS12, Definitions 3.6 and 3.7) ----------------------------------------------------------------


def k_anonymity(model: Model, k: int | None) -> Found:
    """Every tuple of every possible output appears at least k times; k is the mechanism's own, else 2."""
    m = model.mechanism
    if m.name not in ("apply", "k-anonymization", "table", "program"):
        raise Unsupported("the mechanism puts out no published tables")
    least: int | None = None
    for d in model.databases():
        for o in m.law(d).counts:
            if not is_list(o):
                raise Unsupported(f"the output {o} is no published table")
            least = min([*_times(model, o).values(), *([least] if least is not None else [])], default=least)
    wanted = k if k is not None else int(m.spec.get("k", 2))
    verdict = "vacuous" if least is None else "holds" if least >= wanted else "fails"
    return Found(verdict, wanted, least)


def _times(model: Model, o: Label) -> Counter[Label]:
    """How often each tuple appears in a published table."""
    m, tuples = model.mechanism, entries(o)
    return Counter(
        entries(tuples[1]) if m.name == "k-anonymization" and m.spec.get("shows-mapping") and not m.steps else tuples
    )


def shows_few(model: Model, witness: Mapping[str, Any], k: int | None) -> bool:
    """Whether a tuple appears less than k times, and as often as is said, in a possible output."""
    output, times = label(witness["output"]), witness["times"]
    possible = model.mechanism.law(model.database(witness["database"])).of(output) > 0
    return possible and k is not None and _times(model, output)[label(witness["tuple"])] == times and 0 < times < k


def strongly_safe(model: Model) -> Found:
    """The recoding is chosen with one law on all databases that the choice meets, all samples among them."""
    m = model.mechanism
    if m.name not in ("apply", "k-anonymization") or m.steps:
        raise Unsupported("this is about the choice of a recoding")
    if m.name == "apply":
        return Found("holds")
    laws = {frozenset(m.parts["choose"].law(d).chances().items()) for d in _met(model)}
    return Found("holds" if len(laws) <= 1 else "fails")


def _met(model: Model) -> set[Database]:
    """The databases that the choice of a recoding meets, all samples among them."""
    return {kept for d in model.databases() for kept in (d, *(part for _, part in samples(d, model.mechanism.rate)))}


def shows_two_laws(model: Model, witness: Mapping[str, Any]) -> bool:
    """Whether a recoding is chosen with two probabilities, those that are said, on two databases that are met."""
    two = [model.database(d) for d in witness["databases"]]
    found = [model.mechanism.parts["choose"].law(d).of(label(witness["recoding"])) for d in two]
    return set(two) <= _met(model) and found == list(map(rational, witness["probabilities"])) and len({*found}) == 2


PROPERTIES: dict[str, Callable[[Asked, Mapping[str, Any]], Found]] = {
    "reducible": lambda asked, answer: reducible(asked),
    "k-anonymity": lambda asked, answer: k_anonymity(
        asked.model, answer["k"] if isinstance(answer.get("k"), int) else None
    ),
    "strongly-safe": lambda asked, answer: strongly_safe(asked.model),
}
READINGS = {"reducible": ("ignore-impossible",)}
"""The readings of properties beside the default one."""


def verify(answer: Mapping[str, Any], model: Model) -> str:
    """What is confirmed of an answer about a property; Rejected where it is another one."""
    why = _verified(answer, model)
    own = {field: answer[field] for field in ("k", "largest", "witness") if answer.get(field) is not None}
    if answer["property"] != "reducible" and answer.get("evidence") not in (None, own):
        raise Rejected("the evidence is not what stands beside it in the answer")
    return why


def _verified(answer: Mapping[str, Any], model: Model) -> str:
    """The same of all but the evidence, which repeats the other fields where it is not about reducibility."""
    name, claimed = str(answer["property"]), answer.get("verdict")
    if name not in PROPERTIES:
        raise Unchecked(f"the property {name}")
    asked = Asked(model, str(answer.get("reading", "default")))
    if asked.reading not in ("default", *READINGS.get(name, ())):
        raise Unchecked(f"the reading {asked.reading} of {name}")
    try:
        decided = PROPERTIES[name](asked, answer)
    except Unsupported as error:
        if claimed != "unsupported":
            raise Rejected(f"the answer says {claimed}, and {name} is unsupported: {error}") from None
        _require_none(answer, "largest", "witness", *(["k", "evidence"] if name != "k-anonymity" else []))
        return f"{name} is unsupported: {error}"
    if claimed == "unsupported":
        raise Unchecked(f"the answer decides nothing; the checker finds: {decided.verdict}")
    if claimed != decided.verdict:
        raise Rejected(f"the verdict is {decided.verdict}, and the answer says {claimed}")
    for field, words, found in (("largest", "the largest k", decided.largest), ("k", "k", decided.k)):
        if answer.get(field, found) != found:
            raise Rejected(f"{words} is {found}, and the answer says {str(answer[field])[:60]}")
    if name == "reducible":
        _require_none(answer, "witness")
        _shown(answer, asked)
    elif decided.verdict != "fails":
        _require_none(answer, "witness")
    else:
        witness = answer["witness"]
        if not (shows_two_laws(model, witness) if decided.k is None else shows_few(model, witness, decided.k)):
            raise Rejected(f"the witness does not show that {name} fails")
    return f"{name} {decided.verdict}"


def _shown(answer: Mapping[str, Any], asked: Asked) -> None:
    """Refuse evidence of an answer about reducibility that does not show its verdict; what holds may have none."""
    verdict = answer["verdict"]
    shows = tells_apart if verdict == "fails" else maps_alike
    if verdict == "vacuous":
        _require_none(answer, "evidence")
    elif (verdict == "fails" or answer.get("evidence") is not None) and not shows(asked, answer["evidence"]):
        raise Rejected(f"the evidence does not show that reducible {verdict}")


def _require_none(answer: Mapping[str, Any], *names: str) -> None:
    """Refuse fields that have no meaning beside such a verdict."""
    for name in names:
        if answer.get(name) is not None:
            raise Rejected(f"the answer has the {name} {str(answer[name])[:60]}, and there is none")


def verify_acceptable(answer: Mapping[str, Any], model: Model) -> str:
    """What is confirmed of an answer about normalizations; Rejected where another one is true."""
    record, name = answer.get("record"), answer.get("distribution")
    if record not in Asked(model).secrets:
        raise Rejected(f"record {record} is not protected")
    theta = next((t for t in model.thetas() if t.name == name), None)
    if theta is None:
        raise Rejected(f"there is no distribution {name}")
    holds = acceptable(theta, record)
    if answer["acceptable"] is not holds:
        raise Rejected(f"there is {'an' if holds else 'no'} acceptable normalization at record {record} of {name}")
    if holds and not is_normalization(answer["normalization"], theta, record, model):
        raise Rejected(f"the normalization at record {record} of {name} is not acceptable")
    of_file = [
        g
        for g in model.raw.get("normalization", [])
        if g.get("record", record) == record and g.get("distribution", name) == name
    ]
    for claim, given in zip(answer.get("given", []), of_file, strict=False):
        if claim["accepted"] is not is_normalization(given, theta, record, model):
            raise Rejected(f"the normalization of the file at record {record} of {name} has another word")
    return f"acceptable at record {record} of {name}: {'yes' if holds else 'no'}"
