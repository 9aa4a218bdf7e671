"""Two mechanisms on the same databases, decided again: their laws, a channel or a decision, the order of their curves.

A channel K from the outputs of A to those of B is added up on every database: Σ_o A(o)·K(o, b) is B(b). That there is
none, a decision proves (Blackwell): with gains g(D, b) on some databases, naming the output of B gains Σ_D Σ_b B(b)·g,
and whatever is named on an output o of A gains at most max_b Σ_D A(o)·g(D, b). If all of the latter add up to less, no
channel from A to B is there, since its rows would be such a way to name.

A curve δ(e^ε) is the largest of the lines P(S) - Q(S)·e^ε of all comparisons and sets S of outputs, and of 0. The lines
that are the largest somewhere are found anew, and two curves are compared where either bends, and beyond.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import comb
from typing import Any

from .comparisons import Asked
from .definitions import ALIASES, DEFINITIONS
from .judge import Decision
from .mechanisms import Database
from .models import Model
from .number_text import epsilon_of, require_number
from .numbers import BeyondLimits, Label, Law, Log, Rejected, Unsupported, Wrong, covers, rational, require, sign
from .profiles import Profile

MOST_DATABASES, MOST_PRODUCTS = 1 << 14, 1 << 22
"""Most databases, and most products of probabilities that a channel or a decision is added up of."""
Chances = Mapping[Label, Fraction]
Laws = Mapping[Database, Chances]
OF_COUNTS = frozenset({"count", "threshold-count", "sum", "parity", "histogram", "maximum", "minimum", "constant"})
"""Kinds of mechanisms that see only how often each value comes."""
WORDS = {(True, True): "equal", (True, False): "first", (False, True): "second", (False, False): "incomparable"}
NAMES = ("first", "second")


def verify(answer: Mapping[str, Any], models: Sequence[Model]) -> tuple[str, ...]:
    """Refuse another answer about two models than is decided here; what is not decided here is returned."""
    require(len(models) == len(NAMES), "two models are compared")
    require(models[0].home.values == models[1].home.values, "the models have different values")
    sizes = [model.raw["size"] for model in models]
    require(sizes[0] == sizes[1], "the models have different sizes")
    databases = _databases(models)
    first, second = (_chances(model.plain(databases)) for model in models)
    left = []
    same = first == second or (None if _has_tails(first, second) and not _apart(first, second) else False)
    if None in (same, answer["same_law"]):
        left.append("whether the laws are the same")
    else:
        require(answer["same_law"] is same, f"that the laws are the same is {same}")
    for name, ours, theirs in (("second_of_first", first, second), ("first_of_second", second, first)):
        claimed = answer["post_processing"][name]
        if claimed is None:
            left.append(name)
        elif claimed is True:
            _require_channel(answer["proofs"][name]["channel"], ours, theirs)
        else:
            require(claimed is False, f"{name} is no word")
            _require_decision(answer["proofs"][name]["decision"], ours, theirs, models[0])
    for key, entry in answer["definitions"].items():
        try:
            left += _definition(ALIASES.get(key, key), entry, models)
        except (BeyondLimits, Unsupported) as error:
            left.append(f"{key} ({error})")
    return tuple(left)


def _databases(models: Sequence[Model]) -> list[Database]:
    """All databases; where both mechanisms see only how often each value comes, one of each number of them."""
    values, size = models[0].home.values, models[0].size
    if all(model.raw["mechanism"].get("kind") in OF_COUNTS and isinstance(model.raw["size"], int) for model in models):
        if comb(len(values) + size - 1, size) <= MOST_DATABASES:
            return list(combinations_with_replacement(values, size))
    elif len(values) ** size <= MOST_DATABASES:
        return models[0].databases()
    raise BeyondLimits(f"there are more than {MOST_DATABASES:,} databases")


def _chances(laws: Mapping[Database, Law]) -> Laws:
    return {database: law.chances() for database, law in laws.items()}


def _has_tails(*laws: Laws) -> bool:
    """Whether some output may be a lumped tail of noise, such as `> 7`: others may lump from other numbers on."""
    return any("< " in o or "> " in o for of_one in laws for law in of_one.values() for o in law)


def _apart(first: Laws, second: Laws) -> bool:
    """Whether some output that is no part of a lumped one has two probabilities."""
    return any(
        p != law.get(o, 0) and not any(o != lumped and (covers(lumped, o) or covers(o, lumped)) for lumped in law)
        for ours, theirs in ((first, second), (second, first))
        for database, law in theirs.items()
        for o, p in ours[database].items()
    )


def _require_named(outputs: Iterable[Label], named: Container[Label], laws: Laws) -> None:
    """Refuse a proof that leaves an output out; one that lumps tails otherwise is not decided."""
    if all(o in named for o in outputs):
        return
    if _has_tails(laws):
        raise Unsupported("the tails of noise are lumped from other numbers on")
    raise Rejected("the proof leaves an output out")


# --- a channel, or none -----------------------------------------------------------------------------------------------


def _law_of(written: Mapping[str, Any]) -> Chances:
    return {Label(o): rational(p, "a channel") for o, p in written.items()}


def _afford(laws: Laws, width: int) -> None:
    if sum(len(law) for law in laws.values()) * width > MOST_PRODUCTS:
        raise BeyondLimits("the outputs of the two mechanisms are too many to be added up again")


def _require_channel(written: Mapping[str, Any], ours: Laws, theirs: Laws) -> None:
    """Refuse what is no channel, or does not take the one mechanism to the other on every database."""
    channel = {Label(o): _law_of(law) for o, law in written.items()}
    _afford(ours, max(map(len, channel.values()), default=1))
    for o, law in channel.items():
        require(min(law.values()) >= 0 and sum(law.values()) == 1, f"the row of {o[:40]} is no law")
    for database, law in ours.items():
        made: dict[Label, Fraction] = {}
        _require_named(law, channel, ours)
        for o, chance in law.items():
            for b, share in channel[o].items():
                made[b] = made.get(b, Fraction(0)) + chance * share
        _require_named(theirs[database], {b for row in channel.values() for b in row}, theirs)
        same = {b: p for b, p in made.items() if p} == {b: p for b, p in theirs[database].items() if p}
        require(same, f"on {list(database)} the channel makes another law")


def _require_decision(written: Mapping[str, Any], ours: Laws, theirs: Laws, model: Model) -> None:
    """Refuse a decision that the other mechanism does not serve better."""
    rows = [(model.database(row["database"]), _law_of(row["gain"])) for row in written["gains"]]
    require(len({database for database, _ in rows}) == len(rows) > 0, "the decision names a database twice, or none")
    _afford(ours, max(len(gain) for _, gain in rows))
    gained, sums = Fraction(0), dict[Label, dict[Label, Fraction]]()
    for database, gain in rows:
        require(gain.keys() == rows[0][1].keys(), "the decision is not between the same outputs everywhere")
        _require_named(theirs[database], gain, theirs)
        gained += sum(chance * gain[b] for b, chance in theirs[database].items())
        for o, chance in ours[database].items():
            of_output = sums.setdefault(o, dict.fromkeys(gain, Fraction(0)))
            for b, each in gain.items():
                of_output[b] += chance * each
    other = sum((max(of_output.values()) for of_output in sums.values()), Fraction(0))
    require(gained > other, "the decision is served as well by the other mechanism")
    for name, value in (("gained", gained), ("other", other)):
        require(rational(written[name]) == value / len(rows), f"{name} is {value / len(rows)}")


# --- the order by a definition ----------------------------------------------------------------------------------------


def _definition(key: str, entry: Mapping[str, Any], models: Sequence[Model]) -> list[str]:
    """Compare the order by a definition, the crossings, and both smallest ε; what is not decided is returned."""
    if entry["order"] in ("undecided", "unsupported"):
        return []
    if key not in DEFINITIONS or entry["by"] == "closure":
        return [key]
    decisions = [Decision(Asked(model), DEFINITIONS[key], None, Fraction(0)) for model in models]
    words = {decision.verdict == "vacuous" for decision in decisions}
    if entry["order"] == "vacuous":
        require(True in words, f"{key} is not vacuous")
        return []
    require(words == {False}, f"{key} is vacuous")
    for decision, text in zip(decisions, entry["tight_epsilon"], strict=True):
        require_number({"tight_epsilon": text}, "tight_epsilon", decision.tight_epsilon)
    curve = decisions[0].measure in ("hockey-stick", "tail")
    if entry["by"] == "number":
        require(not curve and not entry["crossings"], f"{key}: the order is that of two curves, and not by one number")
        first, second = (decision.tight_epsilon for decision in decisions)
        if first is None or second is None:
            raise Wrong(f"{key} has no ε")
        side = first.compared(second)
        require(entry["order"] == WORDS[side <= 0, side >= 0], f"{key}: the order is not {entry['order']}")
        return []
    if not curve:
        return [key]
    if any(c.scale not in (None, 1) for decision in decisions for c in decision.cases):
        raise BeyondLimits("the curve of a comparison with a multiple of ε")
    profiles = [Profile(list(map(d.laws.resolve, d.cases)), d.measure == "tail") for d in decisions]
    word, crossings = ordered(profiles)
    require(entry["order"] == word, f"{key}: the order is {word}")
    claimed = [epsilon_of(text) for text in entry["crossings"]]
    same = len(claimed) == len(crossings) and all(
        Log(0, {e: Fraction(1)}) == epsilon for e, epsilon in zip(crossings, claimed, strict=True)
    )
    require(same, f"{key}: the curves cross where e^ε is {', '.join(map(str, crossings)) or 'nowhere'}")
    return []


def ordered(curves: Sequence[Profile]) -> tuple[str, list[Fraction]]:
    """The order of two curves, and the e^ε > 1 at which they meet, having been apart, or part."""
    places = sorted({Fraction(1), *(e for curve in curves for e in curve.bends() if e > 1)})
    if not curves[0].tail:
        places.append(places[-1] + 1)  # beyond the last bend both are flat
    gaps = [curves[0].level(e) - curves[1].level(e) for e in places]
    crossings = set()
    for (e, x), (f, y) in pairwise(zip(places, gaps, strict=True)):
        if curves[0].tail:
            crossings |= {f} if sign(x) != sign(y) else set()
        elif x * y < 0:
            crossings.add(e + (f - e) * x / (x - y))
        elif x and not y:
            crossings.add(f)
        elif y and not x and e > 1:
            crossings.add(e)
    return WORDS[max(gaps) <= 0, min(gaps) >= 0], sorted(crossings)
