"""The exact verifier for privacy definitions with partial knowledge.

Begin with these eleven; `help(pk.check)` says how each is called:

    build, read        a model from Python, or from a file
    program            a mechanism from a function of a database and a generator, or from its text
    check, overview    decide one definition, or the common ones
    pair               two output distributions, as a model of one record
    rule               what counts that are published under a rule tell about one person
    compose_runs       a mechanism that is run several times
    search             the smallest model that separates two statements
    relations          how two definitions relate; `implication_graph()` has all that is proved
    convert            the guarantee in one definition that follows from one in another

An answer has `.verdict`, `.tight_epsilon`, `.tight_delta`, `.witness`, `.profile`, `.gain`, `.rows()`. Its numbers are
exact: compare them with `==` and `<`, or take `Fraction(answer.tight_delta)` where it is rational, a float,
`.sympy()`, `.mpmath(50)`. Every error is a `PkdpError`.

>>> import verifier as pk
>>> vote = pk.build(
...     size=3,
...     values=[0, 1],
...     distribution={"iid": {0: "3/4", 1: "1/4"}},
...     knowledge={"records": [0]},
...     sensitive={"records": [2]},
...     mechanism=lambda votes: sum(votes),
... )
>>> print(pk.check(vote, pk.apkdp, epsilon="ln(2)"))
apkdp fails at ε = ln(2), δ = 0, restricted to record 2; smallest δ 3/4 (0.75); smallest ε inf

Names are loaded when they are used, so that `import verifier` is fast.
"""

from __future__ import annotations

from os import listdir

from verifier.version import VERSION

__version__ = VERSION
TYPE_CHECKING = False  # not imported from `typing`, which loads slowly; so does `importlib`, imported below when needed

if TYPE_CHECKING:
    from typing import Any

    from verifier.definitions import CONVENTIONS, DEFINITIONS, Definition, Verdict
    from verifier.errors import InexactError, InputError, LimitError, PkdpError, UnsupportedError
    from verifier.model import Model, build, loads, read
    from verifier.model.compose import adaptive, choose, compose, on_records, post_process, with_mechanism
    from verifier.model.library import examples
    from verifier.numbers import Delta, Epsilon, Loss, epsilon
    from verifier.profile import Profile, profile_of
    from verifier.programs.runner import program
    from verifier.programs.sampler import sampler
    from verifier.programs.stand_ins import exact
    from verifier.questions.atlas import check_all
    from verifier.questions.check import check, overview
    from verifier.questions.design import design_table
    from verifier.questions.language import statement
    from verifier.questions.laws import (
        LawTest,
        keeps_convexity,
        keeps_parallel,
        keeps_post_processing,
        keeps_sequential,
    )
    from verifier.questions.loss_mass import loss_mass
    from verifier.questions.losses import loss
    from verifier.questions.normalization import acceptable
    from verifier.questions.pair import pair
    from verifier.questions.properties import PROPERTIES, Property, check_bijection, reducible, stronger
    from verifier.questions.properties.anonymity import k_anonymity, strongly_safe
    from verifier.questions.rule import rule
    from verifier.recheck import RejectedError
    from verifier.show.worlds import worlds
    from verifier.wings.claim.answer import ClaimUndecided, ClaimViolated
    from verifier.wings.claim.decide import claim
    from verifier.wings.compare.decide import claim_order, claim_same, compare
    from verifier.wings.exchange.curve.decide import convert_curve
    from verifier.wings.exchange.delta.decide import convert_delta
    from verifier.wings.exchange.rate import convert
    from verifier.wings.implications.compose.runs import compose_runs
    from verifier.wings.implications.compose.together import all_runs
    from verifier.wings.implications.pair import implication_graph, relations
    from verifier.wings.search.api import search
    from verifier.wings.search.scope import Scope
    from verifier.wings.search.worst.best import best, best_curve
    from verifier.wings.search.worst.decide import implied_for, worst

_HOMES = {
    "verifier.definitions": "CONVENTIONS DEFINITIONS Definition Verdict",
    "verifier.errors": "InexactError InputError LimitError PkdpError UnsupportedError",
    "verifier.recheck": "RejectedError",
    "verifier.questions.laws": "LawTest keeps_convexity keeps_parallel keeps_post_processing keeps_sequential",
    "verifier.model.library": "examples",
    "verifier.questions.losses": "loss",
    "verifier.definitions.atlas": "atlas",
    "verifier.model": "Model build loads read",
    "verifier.model.symmetric": "symmetric",
    "verifier.model.compose": "adaptive choose compose on_records post_process with_mechanism",
    "verifier.questions.normalization": "acceptable",
    "verifier.numbers": "Delta Epsilon Loss epsilon",
    "verifier.profile": "Profile profile_of",
    "verifier.programs.runner": "program",
    "verifier.programs.sampler": "sampler",
    "verifier.programs.stand_ins": "exact",
    "verifier.questions.properties.anonymity": "k_anonymity strongly_safe",
    "verifier.questions.properties": "PROPERTIES Property check_bijection reducible stronger",
    "verifier.questions.check": "check overview",
    "verifier.questions.design": "design_table",
    "verifier.questions.loss_mass": "loss_mass",
    "verifier.questions.pair": "pair",
    "verifier.questions.rule": "rule",
    "verifier.show.worlds": "worlds",
    "verifier.questions.atlas": "check_all",
    "verifier.questions.language": "statement",
    "verifier.wings.claim.answer": "ClaimUndecided ClaimViolated",
    "verifier.wings.claim.decide": "claim",
    "verifier.wings.compare.decide": "claim_order claim_same compare",
    "verifier.wings.implications.compose.runs": "compose_runs",
    "verifier.wings.implications.compose.together": "all_runs",
    "verifier.wings.exchange.curve.decide": "convert_curve",
    "verifier.wings.exchange.rate": "convert",
    "verifier.wings.exchange.delta.decide": "convert_delta",
    "verifier.wings.implications.pair": "implication_graph relations",
    "verifier.wings.search.api": "search",
    "verifier.wings.search.scope": "Scope",
    "verifier.wings.search.worst.best": "best best_curve",
    "verifier.wings.search.worst.decide": "implied_for worst",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
_OLDER = {
    "exchange": "convert",
    "exchange_curve": "convert_curve",
    "exchange_delta": "convert_delta",
    "passport": "overview",
}
"""The names that some had before; they work, and are listed nowhere."""
_ENTRIES = sorted(listdir(f"{__path__[0]}/definitions/entries"))  # noqa: PTH208  (pathlib loads slowly)
_KEYS = [key for file in _ENTRIES if file.endswith(".toml") and (key := file[:-5]).isidentifier()]
_HOME |= dict.fromkeys(_KEYS, "verifier.definitions")

__all__ = [
    "CONVENTIONS",
    "DEFINITIONS",
    "PROPERTIES",
    "ClaimUndecided",
    "ClaimViolated",
    "Definition",
    "Delta",
    "Epsilon",
    "InexactError",
    "InputError",
    "LawTest",
    "LimitError",
    "Loss",
    "Model",
    "PkdpError",
    "Profile",
    "Property",
    "RejectedError",
    "Scope",
    "UnsupportedError",
    "Verdict",
    "acceptable",
    "adaptive",
    "all_runs",
    "atlas",
    "best",
    "best_curve",
    "build",
    "check",
    "check_all",
    "check_bijection",
    "choose",
    "claim",
    "claim_order",
    "claim_same",
    "compare",
    "compose",
    "compose_runs",
    "convert",
    "convert_curve",
    "convert_delta",
    "design_table",
    "epsilon",
    "exact",
    "examples",
    "implication_graph",
    "implied_for",
    "k_anonymity",
    "keeps_convexity",
    "keeps_parallel",
    "keeps_post_processing",
    "keeps_sequential",
    "loads",
    "loss",
    "loss_mass",
    "on_records",
    "overview",
    "pair",
    "post_process",
    "profile_of",
    "program",
    "read",
    "reducible",
    "relations",
    "rule",
    "sampler",
    "search",
    "statement",
    "stronger",
    "strongly_safe",
    "symmetric",
    "with_mechanism",
    "worlds",
    "worst",
]
__all__ += _KEYS  # noqa: PLE0605  (pk.np is the definition with the key np)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "course":  # the toolkit of the notebooks: `from verifier import course as kit`
        return import_module("verifier.wings.course.toolkit")
    name = _OLDER.get(name, name)
    if name in _HOME:
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        import_module("verifier.show.on_demand").give_displays()  # those of the classes that are loaded by now
        return value
    near = ", ".join(f"pk.{public}" for public in __all__ if public.lower() == name.lower())
    tip = f" (is {near} meant?)" if near else ""
    raise AttributeError(f"module 'verifier' has no attribute {name!r}{tip}")


def __dir__() -> list[str]:
    """The public names alone, and those that every module has."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
