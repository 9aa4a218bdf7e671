"""The claims about a simulator: that there is one (`sat`), or that there is none (`unsat`).

A file defines when the unknowns are a simulator, `simulator`, and when its answers are alike, `(alike E d)`, or at ε =
inf `(alike-inf d)`. All claims are linear: an irrational e^ε is replaced by a rational number on the side that proves
more.
"""

from __future__ import annotations

from fractions import Fraction

from verifier.wings.judges.numbers import BELOW, amount
from verifier.wings.judges.smt_claims import ask
from verifier.wings.judges.smt_text import condition, heading, real
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import ClaimedAnswer


def unknowns(contexts: int, outputs: int) -> list[str]:
    """The lines that declare an unknown for each context and output."""
    return [
        *heading(
            "The simulator: s_c_o is the probability of its answer o in context c; the last o is any other answer"
        ),
        *(f"(declare-const s_{c}_{o} Real)" for c in range(contexts) for o in range(outputs)),
    ]


def unknowns_are_laws(contexts: int, outputs: int) -> str:
    """The definition of `simulator`: the unknowns of each context are a law."""
    laws = [f"(= 1.0 {add(f's_{c}_{o}' for o in range(outputs))})" for c in range(contexts)]
    laws += [f"(>= s_{c}_{o} 0.0)" for c in range(contexts) for o in range(outputs)]
    return condition("simulator", laws)


def simulator_claims(answer: ClaimedAnswer) -> list[str]:
    """The lines of a claim for each part of the answer."""
    epsilon, upper, delta = answer.epsilon, answer.tight_epsilon, answer.delta
    claim = f"{answer.key} {answer.verdict}"
    lines = ["", "(declare-const x Real)"]
    if epsilon is None or epsilon.kind == "inf":
        lines.append(
            "; a simulator that is alike at epsilon = inf is alike at some finite epsilon: the tables are finite"
        )
        e = None if epsilon is not None or upper.kind == "inf" else upper.high
        lines += _exists(claim, e, delta) if answer.verdict == "holds" else _none(claim, e, real(delta))
    elif answer.verdict == "fails":
        lines += _none(claim, epsilon.high, real(delta))
    elif upper.high <= epsilon.low or epsilon.kind == "rational":
        lines += _exists(claim, epsilon.low, delta)
    else:
        lines += _exists(
            f"{claim}, at a rational just above the asked e^epsilon, which is the smallest", epsilon.high, delta
        )
    return lines + _smallest_delta(answer) + _smallest_epsilon(answer)


def _exists(claim: str, e: Fraction | None, d: Fraction) -> list[str]:
    return ask(claim, "simulator", _alike(e, real(d)), status="sat")


def _none(claim: str, e: Fraction | None, d: str, *more: str) -> list[str]:
    return ask(claim, "simulator", *more, _alike(e, d))


def _alike(e: Fraction | None, d: str) -> str:
    return f"(alike-inf {d})" if e is None else f"(alike {real(e)} {d})"


def _smallest_epsilon(answer: ClaimedAnswer) -> list[str]:
    """The claims that a simulator exists at the smallest ε, or its upper end; and none below, or at its lower end."""
    lower, upper, delta = answer.lower, answer.tight_epsilon, answer.delta
    if answer.exact and upper.kind == "inf":
        return _none("no finite epsilon is enough", None, real(delta))
    lines = []
    if upper.kind == "inf":
        lines.append("; nothing is claimed of a smallest epsilon: the answer has none")
    elif answer.exact:
        above = "" if upper.kind == "rational" else ", at a rational just above it"
        lines += _exists(f"the smallest epsilon is enough{above}", upper.high, delta)
    else:
        lines += _exists("the upper end of the smallest epsilon is enough", upper.low, delta)
    if lower.low > 1 and answer.exact:
        below = max(Fraction(1), lower.low * BELOW)
        lines += _none("no epsilon is enough whose e^epsilon is smaller by one part in 2^20", below, real(delta))
    elif lower.low > 1:
        lines += _none("the lower end of the smallest epsilon is not enough", lower.high, real(delta))
    return lines


def _smallest_delta(answer: ClaimedAnswer) -> list[str]:
    """The claims on the smallest δ at a rational e^ε; at inf the lower one, as no simulator need attain the limit."""
    epsilon = answer.epsilon
    least = None if epsilon is None or answer.tight_delta is None else amount(answer.tight_delta, epsilon.text)
    if epsilon is None or least is None or least.b or epsilon.kind not in {"rational", "inf"}:
        return ["; nothing is claimed of a smallest delta"]
    e = None if epsilon.kind == "inf" else epsilon.low
    lines = [] if e is None else _exists("the smallest delta is enough", e, least.a)
    if least.a:
        lines += _none("no smaller delta is enough", e, "x", f"(< x {real(least.a)})")
    return lines
