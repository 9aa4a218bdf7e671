"""The bounds of a definition of DP22's scheme as linear forms in an unknown mechanism.

A row is two laws on databases, P against Q, at a multiple c of ε. Seen through the outputs of the mechanism, a ratio of
at most e^(c·ε) and a hockey-stick divergence of at most δ are both bounds on Σₒ max(0, P(o) - e^(c·ε)·Q(o)).
"""

from __future__ import annotations

from verifier.definitions import Definition
from verifier.definitions.scheme.decide import Scheme
from verifier.definitions.scheme.events import Adversaries, Distributions, Secrets
from verifier.definitions.scheme.relations import Relation
from verifier.definitions.scheme.rows import Row, Setting
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.model import Model, check_size
from verifier.numbers import exact_text

BUILDERS = (Relation, Secrets, Distributions, Adversaries)
"""Builders whose rows are pairs of laws on databases of the full size."""
MEASURES = ("ratio", "hockey-stick")


def linear_scheme(definition: Definition) -> Definition:
    """Return the definition, if its rows bound the mechanism linearly.

    Raises:
        UnsupportedError: for a definition whose rows do not.

    """
    _scheme(definition)
    return definition


def _scheme(definition: Definition) -> Scheme:
    """The scheme of a definition that bounds the mechanism linearly."""
    scheme = definition.compare
    if (
        isinstance(scheme, Scheme)
        and isinstance(scheme.builder, BUILDERS)
        and scheme.view == "outputs"
        and scheme.measure in MEASURES
        and scheme.aggregation == "worst"
    ):
        return scheme
    raise UnsupportedError(
        f"{definition.key} of DP22 is no linear bound on the mechanism",
        wanted="a definition that bounds ratios or hockey-stick divergences of two laws of outputs, such as osdp",
        tip="pk.search takes every definition of DP22",
    )


def refuse_maximum(definition: Definition) -> None:
    """Refuse a definition without a δ as the one to maximise.

    Raises:
        UnsupportedError: with the definition's key.

    """
    if not definition.has_delta:
        raise UnsupportedError(
            f"{definition.key} has no δ that could be large",
            wanted="a definition with a δ, such as adp or dp",
            tip=f"{definition.key} can be assumed",
        )


def scheme_rows(model: Model, definition: Definition, max_rows: int) -> dict[str, Row]:
    """The rows of a definition by their words, each once.

    Raises:
        UnsupportedError: for databases of several sizes, rows whose multiple of ε is no integer, and two rows with the
            same words.
        LimitError: for more than `max_rows` rows.

    """
    if model.sizes is not None:
        raise UnsupportedError("a worst mechanism is looked for on databases of one size", wanted="one integer as size")
    rows: dict[str, Row] = {}
    for group in _scheme(definition).builder(Setting(definition.key, model, Engine(model, max_rows))):
        for row in (row for case in group.cases for row in case.rows):
            if row.scale.denominator != 1:
                raise UnsupportedError(
                    f"{definition.key} allows {exact_text(row.scale)}·ε, whose exponential need not be rational",
                    wanted="multiples of ε that are integers",
                )
            allowed = "" if row.scale == 1 else f", allowed {exact_text(row.scale)}·ε"
            if rows.setdefault(row.words + allowed, row) != row:
                raise UnsupportedError(f"{definition.key} compares two pairs of laws under one name: {row.words}")
            check_size(len(rows), max_rows, f"{definition.key} compares at least {len(rows):,} pairs of laws")
    return rows
