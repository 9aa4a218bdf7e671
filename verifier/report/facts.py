"""A model in a few lines."""

from __future__ import annotations

from verifier.model import Model


def model_facts(model: Model) -> list[tuple[str, str]]:
    """A model in a few lines: records, mechanism, knowledge, what is protected."""
    knows = {
        "nothing": "nothing",
        "column": "the column `knowledge` of the table",
        "component": "the component of the mixture",
    }
    known = model.knowledge.title if model.knowledge else knows[model.knowledge_kind]
    protects = ", ".join(
        f"D({s.record})" if s.record is not None else "S, a function of the world" for s in model.secrets
    )
    return [
        ("records", f"{model.size}, each in {{{', '.join(v.text for v in model.values)}}}"),
        ("mechanism", model.mechanism.title),
        ("the attacker knows", known),
        ("protected", protects),
        ("source", model.source or "–"),
    ]
