"""Answers about a definition of one's own, from the laws that the certificate lists.

Which laws are compared comes from the user's own code and is not derived again, nor what its readings mean, nor that
`measure` is that of the definition; everything that follows is. A comparison is a table with `distribution`, `record`,
`a`, `b`, `output`, `databases`, `multiplicity` and `terms`: weight, knowledge, direction, and the laws `p` and `q`.

Such an answer must not look like one about a definition of the papers. So its name is none of theirs, and of the form
of a name: small letters, digits and single hyphens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from verifier.checker import Rejected, require, require_fields
from verifier.checker.judge import IMITATED, INFERRED, judge
from verifier.checker.laws import DEFINITIONS, Compared, Pair, law_of
from verifier.checker.numbers import number
from verifier.checker.shapes import DATABASE, LAW, OR_NONE, QUESTION_AND_ANSWER, RATIONAL, RECORD, maybe

SHAPE = {
    **QUESTION_AND_ANSWER,
    "measure": str,
    "compared": [
        {
            "distribution": OR_NONE,
            "record": RECORD,
            "a": OR_NONE,
            "b": OR_NONE,
            "output": OR_NONE,
            "databases": maybe((DATABASE, DATABASE)),
            "multiplicity": int,
            "terms": [
                {"weight": RATIONAL, "knowledge": OR_NONE, "direction": str, "p": LAW, "q": maybe(LAW)},
            ],
        }
    ],
    "empty": int,
}
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
NAMED = frozenset(
    (
        # DP22's definitions that it describes without a formula
        "ocdp", "rldp",
        # other names of definitions of DMKB20 and LQS12
        "bodp", "causdp", "causal", "npr", "noiseless", "pdp", "distdp", "apk", "apk-dp", "ppk", "ppk-dp", "ib-cdp",
        "bounded-dependency", "dp-under-sampling", "epsilon-safe",
    )
)  # fmt: skip
"""Names of definitions of the papers by which this checker derives none."""


def check(certificate: Mapping[str, Any]) -> None:
    """Judge the answer by the laws in the certificate."""
    question, answer, listed = (certificate[key] for key in ("question", "answer", "compared"))
    refuse_name(question["definition"])
    text = question["reading"]
    require(text.isprintable() and text == text.strip() != "", "reading: a name is printable, without blanks around it")
    compared = []
    for row in listed:
        databases = None if row["databases"] is None else tuple(tuple(d) for d in row["databases"])
        pairs = [_listed_pair(term, row["output"]) for term in row["terms"]]
        valid = pairs and sum(pair.weight for pair in pairs) <= 1
        require(valid, "a comparison has no terms, or terms that weigh more than 1")
        compared.append(Compared(row["distribution"], row["record"], row["a"], row["b"], databases, pairs))
    times = [row["multiplicity"] for row in listed]
    valid = all(type(count) is int and count >= 1 for count in [*times, certificate["empty"] + 1])
    require(valid, "multiplicities must be positive integers")
    require_fields(answer, comparisons=len(compared), multiplicity=sum(times), empty=certificate["empty"])
    judge(certificate, compared, measure=certificate["measure"])


def refuse_name(name: str) -> None:
    """Refuse the name of a definition of the papers, and what is no name."""
    from verifier.checker.survey.definitions import SURVEY

    if name in DEFINITIONS or name in SURVEY or name in IMITATED or name == INFERRED or name in NAMED:
        raise Rejected(f"{name} is derived from the model, never from laws that are given")
    form = "small letters, digits and single hyphens, 40 at most"
    require(len(name) <= 40 and NAME.fullmatch(name), f"definition: {name[:40]!r} cannot name one. Expected {form}")


def _listed_pair(term: Mapping[str, Any], output: str | None) -> Pair:
    first, second = (None if term[side] is None else law_of(term[side], "a law does not sum to 1") for side in "pq")
    if first is None:
        raise Rejected("the first law of a pair must exist")
    heard = term["knowledge"] if output is None else (term["knowledge"], output)
    return Pair(number(term["weight"]), heard, first, second, term["direction"])
