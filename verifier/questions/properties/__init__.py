"""Properties: questions about a model without ε, each with its verdict and evidence."""

from __future__ import annotations

from collections.abc import Callable

from verifier.questions.properties.anonymity import k_anonymity, strongly_safe
from verifier.questions.properties.bijection import check_bijection
from verifier.questions.properties.property import Property
from verifier.questions.properties.reducible import reducible
from verifier.questions.properties.strength import stronger

PROPERTIES: dict[str, Callable[..., Property]] = {
    "reducible": lambda model, engine, bijection=None, reading="default": (
        reducible(model, engine, reading) if bijection is None else check_bijection(model, bijection, reading, engine)
    ),
    "k-anonymity": lambda model, _engine, k=None: k_anonymity(model, k),
    "strongly-safe": lambda model, _engine: strongly_safe(model),
}
"""The properties of one model by name, as functions of it, of its engine and of the options that they have."""

__all__ = ["PROPERTIES", "Property", "check_bijection", "k_anonymity", "reducible", "stronger", "strongly_safe"]
