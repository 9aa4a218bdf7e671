"""Bounded dependency of two mechanisms in SMT-LIB 2 (DMKB20, Definitions 17 and 18).

An output is a pair (o₁, o₂). Its probability P is compared with R = P·e^(-Dep), where Dep is the loss of o₂ given o₁
and B̂ without the loss of o₂ given B̂ alone; R is written as a quotient of probabilities.
"""

from __future__ import annotations

import json

from verifier.errors import InputError
from verifier.wings.judges.smt_text import define, integers, looked_up
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import Tables

WAYS = {"M2-on-M1": (0, 1), "M1-on-M2": (1, 0)}


def ways(tables: Tables) -> list[str]:
    """The names of the directions in which the dependency of one mechanism on the other is bounded."""
    return list(WAYS)[: 2 if tables.question.reading == "both-ways" else 1]


def pairs(tables: Tables) -> list[tuple[str, str]]:
    """The two outputs of which each output is a pair, as texts.

    Raises:
        InputError: for outputs that are no different JSON pairs.

    """
    texts = []
    for label in tables.labels.outputs:
        try:
            first, second = json.loads(label)
        except ValueError:
            raise InputError(f"given the output {label!r}", where="the certificate", wanted="a JSON pair") from None
        texts.append((_text(first), _text(second)))
    if len(set(texts)) != len(texts):
        raise InputError("two outputs are the same pair", where="the certificate")
    return texts


def _text(label: object) -> str:
    return label if isinstance(label, str) else json.dumps(label, ensure_ascii=False, separators=(",", ":"))


def against(tables: Tables, at: str) -> list[str]:
    """The lines that define R of every output, given B̂ = k, for a against b, in each direction."""
    texts, lines = pairs(tables), []
    for way in ways(tables):
        first, second = WAYS[way]
        weights = {}
        for o in tables.outputs:
            alike_first = [u for u in tables.outputs if texts[u][first] == texts[o][first]]
            alike_second = [u for u in tables.outputs if texts[u][second] == texts[o][second]]
            weights[o] = _weight(tables, at, o, alike_first, alike_second)
        lines += [
            f"; P(o) times e^(-Dep), {way}: Dep is the loss given the other's output, minus the loss without it",
            define(f"R-{way}{at}", integers("k", "a", "b", "o"), "Real", looked_up("o", weights)),
        ]
    return lines


def _weight(tables: Tables, at: str, o: int, alike_first: list[int], alike_second: list[int]) -> str:
    """The term of R for one output, by the reading; where the dependency counts nothing, R is P."""
    reading = tables.question.reading

    def sums(outputs: list[int], value: str) -> str:
        return add(f"(law{at} k {value} {u})" for u in outputs)

    p, q = f"(law{at} k a {o})", f"(law{at} k b {o})"
    p_heard, q_heard, p_said, q_said = (
        sums(alike_first, "a"),
        sums(alike_first, "b"),
        sums(alike_second, "a"),
        sums(alike_second, "b"),
    )
    alone = f"(/ {p_said} {q_said})"
    unheard = {
        "infinite-loss": "0.0",
        "no-loss": f"(ite (= {q_said} 0.0) {p} (* {p} {alone}))",
    }.get(reading, p)
    unsaid = p if reading == "equal-infinities" else "0.0"
    weight = f"(* {p} (/ (/ {q} {q_heard}) (/ {p} {p_heard})) {alone})"
    return f"(ite (= {p} 0.0) 0.0 (ite (= {q_heard} 0.0) {unheard} (ite (= {q_said} 0.0) {unsaid} {weight})))"
