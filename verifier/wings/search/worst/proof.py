"""The document of a worst mechanism: question, optimum, the mechanism that attains it, and multipliers as proof.

`verifier/checker` verifies it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.checker.losses import verify_best
from verifier.checker.multipliers import verify_worst
from verifier.checker.numbers import BeyondLimits
from verifier.errors import LimitError, UnsupportedError
from verifier.recheck import rechecking
from verifier.recheck.documents import comparison_entry, head
from verifier.recheck.texts import number_text
from verifier.wings.search.program import Multiplier

if TYPE_CHECKING:
    from verifier.wings.search.linear_bounds import Form
    from verifier.wings.search.worst.best import Best
    from verifier.wings.search.worst.decide import Worst


@rechecking()
def replayed(answer: Worst) -> Worst:
    """The same answer, after the checker has added it up again from its document; where nothing is compared, at once.

    Raises:
        RejectedError: for an answer that does not add up.
        LimitError: for one that is beyond the limits of the checker.

    """
    if answer.form is None:
        return answer
    try:
        verify_worst(json.loads(json.dumps(worst_document(answer))), Path())
    except BeyondLimits as error:
        raise LimitError(f"the independent checker would take too long, since {error}") from None
    return answer


def worst_document(
    answer: Worst, beside: Path | None = None, parameters: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The document of an optimum.

    Raises:
        UnsupportedError: where nothing is compared, so that there is nothing to prove.

    """
    if answer.form is None:
        raise UnsupportedError("no document: nothing is compared, so that every mechanism is the worst")
    used, assumed = _assumed(answer, [one for proof in answer.proofs for one in proof.multipliers])
    return {
        **head("worst", answer.model, beside, parameters),
        "definition": answer.definition,
        "epsilon": answer.epsilon.text(10**9),
        "assuming": _assuming(answer),
        "outputs": answer.outputs,
        "optimum": number_text(answer.optimum),
        "mechanism": _mechanism(answer),
        "proof": {"assumed": assumed, "bounds": _bounds(answer, used)},
    }


@rechecking()
def replayed_best(answer: Best) -> None:
    """Have the checker add up the least loss of a mechanism again, from its document.

    Raises:
        RejectedError: for an answer that does not add up.
        LimitError: for one that is beyond the limits of the checker.

    """
    try:
        verify_best(json.loads(json.dumps(best_document(answer))), Path())
    except BeyondLimits as error:
        raise LimitError(f"the independent checker would take too long, since {error}") from None


def best_document(
    answer: Best, beside: Path | None = None, parameters: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The document of a least loss: the question, the mechanism, and the weights and multipliers that prove it."""
    used, listed = _assumed(answer, answer.multipliers)
    table: Any = answer.loss
    if not isinstance(table, str):
        rows = ((s, [[number_text(o), number_text(x)] for o, x in row.items()]) for s, row in table.items())
        table = [[number_text(s), row] for s, row in rows]
    return {
        **head("best", answer.model, beside, parameters),
        "assuming": _assuming(answer),
        "of": answer.of,
        "loss": table,
        "worst": answer.worst,
        "outputs": list(answer.labels),
        "optimum": number_text(answer.optimum),
        "mechanism": _mechanism(answer),
        "proof": {
            "assumed": listed,
            "weights": [[answer.model.shown(d), number_text(weight)] for d, weight in answer.weights.items()],
            "multipliers": _listed(answer.multipliers, used),
        },
    }


def _assuming(answer: Worst | Best) -> list[dict[str, Any]]:
    """The definitions that are assumed, with ε and δ."""
    return [
        {"definition": one.definition, "epsilon": one.epsilon.text(10**9), "delta": number_text(one.delta)}
        for one in answer.assuming
    ]


def _assumed(answer: Worst | Best, multipliers: Iterable[Multiplier]) -> tuple[list[int], list[dict[str, Any]]]:
    """The numbers of the assumed comparisons that have multipliers, and these comparisons."""
    used = sorted({multiplier.bound for multiplier in multipliers})
    ends = list(accumulate(answer.compared))
    origins = [next(number for number, end in enumerate(ends) if n < end) for n in used]
    compared = (_comparison(answer, answer.bounds[n].form) for n in used)
    return used, [{"assumption": origin, **one} for origin, one in zip(origins, compared, strict=True)]


def _listed(multipliers: Iterable[Multiplier], used: list[int]) -> list[list[Any]]:
    """Multipliers as a document lists them: comparison, term, output, and the multiplier."""
    return [[used.index(one.bound), one.part, one.output, number_text(one.times)] for one in multipliers]


def _comparison(answer: Worst | Best, form: Form) -> dict[str, Any]:
    terms = [(part.share, part.p, part.q) for part in form.parts]
    return comparison_entry(answer.model, terms, Fraction(form.scale))


def _bounds(answer: Worst, used: list[int]) -> list[dict[str, Any]]:
    """The multipliers of each comparison; one that two distributions, or records, have in common is written once.

    Its terms are in the same order then, in which the patterns name their events.
    """
    bounds: dict[str, dict[str, Any]] = {}
    first: dict[str, dict[str, Any]] = {}
    for proof in answer.proofs:
        compared = _comparison(answer, proof.form)
        unordered = repr((sorted(map(repr, compared["terms"])), compared["scale"]))
        if first.setdefault(unordered, compared) != compared:
            continue
        patterns = ["".join(str(int(yes)) for yes in pattern) for pattern in proof.patterns]
        multipliers = _listed(proof.multipliers, used)
        bounds.setdefault(repr((compared, patterns)), {**compared, "patterns": patterns, "multipliers": multipliers})
    return list(bounds.values())


def _mechanism(answer: Worst | Best) -> dict[str, Any]:
    """The rows of the mechanism; on other databases it puts out what it puts out on some of these."""
    rows = [
        {
            "database": answer.model.shown(database),
            "outputs": {o: number_text(chance) for o, chance in zip(answer.labels, law, strict=True) if chance},
        }
        for database, law in answer.mechanism.items()
    ]
    return {"rows": rows, "otherwise": next(iter(rows[-1]["outputs"]))}
