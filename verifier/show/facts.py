"""A model in a few lines."""

from __future__ import annotations

import re

from verifier.model import Model, Zeta


def _known(zeta: Zeta) -> str:
    """What one attacker knows."""
    single = re.fullmatch(r"records (\d+)", zeta.title)
    return f"record {single[1]}" if single else zeta.title


def model_facts(model: Model) -> list[tuple[str, str]]:
    """A model in a few lines: records, mechanism, knowledge, what is protected."""
    known = (
        "; ".join(f"{zeta.name}: {_known(zeta)}" if zeta.name else _known(zeta) for zeta in model.zetas) or "nothing"
    )
    number = f"{model.sizes[0]} to {model.size}" if model.sizes else model.size
    secrets = model.secrets if len(model.secrets) <= 6 else [*model.secrets[:2], model.secrets[-1]]
    records = [f"D({secret.record})" for secret in secrets if secret.record is not None]
    protects = ", ".join([*records[:-1], "…", records[-1]] if len(model.secrets) > 6 else records)
    protects = protects or ("whether a tuple is there" if model.sizes else "S, a function of the world")
    if model.restriction:
        protects += f"; every verdict is {model.restriction.text}"
    mechanism = model.mechanism.title.replace("mechanism table", "a table of databases, in the model file")
    return [
        ("records", f"{number}, each in {{{', '.join(v.text for v in model.values)}}}"),
        ("mechanism", mechanism),
        ("the attacker knows", known),
        ("protected", protects),
        ("source", model.source or "–"),
    ]
