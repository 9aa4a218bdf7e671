"""Documents of proofs: question, answer and what proves it, beside the model file, which the kernel reads itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from verifier.errors import UnsupportedError
from verifier.evidence.files import model_name, written
from verifier.evidence.schemes import policy_table
from verifier.evidence.texts import number_text, worlds_of
from verifier.model import NOTHING, Database, Model
from verifier.model.parameters import UNNAMED, Family
from verifier.model.read import STANDARD_INPUT, loads_any
from verifier.model.write import toml_text

OF_OUTPUTS = frozenset({"tests", "leak", "image", "views"})
"""The fields of `[policy]` that are about the outputs of the model's own mechanism, which plays no part here."""


def document_text(document: Mapping[str, Any]) -> str:
    """The text of the file of a document: JSON that a reader can read."""
    return written(dict(document)) + "\n"


def head(
    kind: str, subject: Model | Family, beside: Path | None = None, parameters: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The first keys of a document: its kind, and the model file with its hash, named from the place `beside`.

    Of a file with `[parameters]`, `parameters` are the values that were set. Without a place the text of the file
    stands in the document; so does a text for what came from no file, and for a part of a model.

    Raises:
        UnsupportedError: for a model of no file that names pairs of θ, each with several functions of what is known.

    """
    path = subject.path if isinstance(subject, Model) else subject.location.file
    from_file = bool(subject.sha256) and path not in {"", STANDARD_INPUT, UNNAMED}
    if beside is not None and from_file and (parameters or _is_whole(subject)):
        named = {"model": model_name(path, beside), "sha256": subject.sha256}
        return {"kind": kind, **named, **({"parameters": dict(parameters)} if parameters else {})}
    if isinstance(subject, Model):
        text = subject.text if subject.text and _is_whole(subject) else setting_text(subject)
    else:
        text = toml_text({**subject.raw, "parameters": {name: {} for name in subject.names}})
    return {"kind": kind, "model_text": text}


def _is_whole(subject: Model | Family) -> bool:
    """Whether a model is all that its file says, without a value for a parameter, or fewer distributions or records."""
    if isinstance(subject, Family) or not subject.text:
        return True
    source = loads_any(subject.text, subject.path)
    return isinstance(source, Model) and all(
        len(getattr(source, name)) == len(getattr(subject, name)) for name in ("thetas", "secrets")
    )


def setting_text(model: Model) -> str:
    """The text of a model file with the worlds of a model, what is protected, and its policy; without a mechanism."""
    named = policy_table(model)
    if any(theta.own for theta in model.thetas) and {"theta-pairs", "theta-distances"} & set(named):
        raise UnsupportedError("no document: the model came from no file, and names pairs of θ and of what is known")
    tables: dict[str, Any] = {
        "title": model.title,
        "size": model.size if model.sizes is None else list(model.sizes),
        "values": [v.shown for v in model.values],
        "distribution": [{"name": theta.name, "table": list(_worlds(model, theta))} for theta in model.thetas],
    }
    if model.protects_records and len(model.secrets) < model.size:
        tables["sensitive"] = {"records": [secret.record for secret in model.secrets]}
    policy = {field: value for field, value in named.items() if field not in OF_OUTPUTS}
    return toml_text({**tables, "policy": policy} if policy else tables)


def _worlds(model: Model, theta: Any) -> Iterable[dict[str, Any]]:
    for database, known, secret, chance in worlds_of(model, theta):
        yield {
            "database": model.shown(database),
            **({} if known == NOTHING else {"knowledge": known.text}),
            **({} if secret is None else {"sensitive": secret.text}),
            "probability": number_text(chance),
        }


def comparison_entry(
    model: Model, terms: Iterable[tuple[Any, Iterable[Any], Iterable[Any]]], scale: Any, chance_text: Any = number_text
) -> dict[str, Any]:
    """A comparison as a document names it: its multiple of ε, and terms of a share and two laws on databases."""
    return {
        "scale": number_text(scale),
        "terms": [
            [number_text(share), law_entry(model, p, chance_text), law_entry(model, q, chance_text)]
            for share, p, q in terms
        ],
    }


def law_entry(model: Model, law: Iterable[tuple[Database, Any]], chance_text: Any = number_text) -> list[list[Any]]:
    """A law on databases, or a column of a mechanism: each database with its probability."""
    return [[model.shown(database), chance_text(chance)] for database, chance in sorted(law, key=lambda row: row[0])]
