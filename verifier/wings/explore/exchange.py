"""Exchange rates: the guarantee of one definition in terms of another, for the θ and knowledge of the page's model."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.definitions import DEFINITIONS, ON_REQUEST, find
from verifier.definitions.atlas import atlas
from verifier.errors import InputError, LimitError
from verifier.model.document import text_of
from verifier.model.parameters import Family
from verifier.model.read import loads_any
from verifier.show.sheet import Sheet
from verifier.wings.exchange.curve.answer import Curve
from verifier.wings.exchange.curve.decide import convert_curve
from verifier.wings.exchange.plots import curve_plot
from verifier.wings.exchange.rate import convert
from verifier.wings.exchange.sheets import curve_sheets, exchange_sheets
from verifier.wings.explore.open_documents import OpenDocument
from verifier.wings.explore.request_fields import RequestFields, epsilon_of, field_of, text_or_none
from verifier.wings.explore.texts import copies, exact, sheet_json

MOST_WORLDS = 1 << 8
"""Most worlds of a model whose rates are asked about while one watches."""
OVER_EPSILON = "ε"
"""The field `over` of a question that asks for the rate as a function of ε; no parameter has this name."""


def names() -> list[dict[str, str]]:
    """The definitions that may be asked about, each with its key, title and list."""
    of_texts = {definition.key: definition for definition in (*DEFINITIONS.values(), *ON_REQUEST.values())}
    listed = [
        {"key": key, "title": definition.title, "list": "definitions of the papers"}
        for key, definition in of_texts.items()
    ]
    more = [key for key in atlas if key not in of_texts]
    return [*listed, *({"key": key, "title": find(key).title, "list": "definitions of DP22"} for key in more)]


def exchange_of(opened: OpenDocument, fields: RequestFields) -> dict[str, Any]:
    """The rate at one ε, or as a function of ε or of a parameter, as `pkdp convert` says it.

    Raises:
        InputError: for a name that is no definition, for an ε that is not above 0, and for `over` that is no parameter.
        LimitError: where the linear programs are too large; they are refused before they start.

    """
    _admit(opened)
    source, target, over = (text_or_none(fields, name) for name in ("from", "to", "over"))
    between = (find(source or "np"), find(target or "cdp"))
    if over == OVER_EPSILON:
        return _function(convert_curve(opened.model, *between, max_rows=MOST_WORLDS))
    epsilon = epsilon_of(fields)
    if epsilon is None:
        raise InputError("there is no ε", where=field_of("epsilon", "ε"), wanted='a finite ε above 0, as "ln(p/q)"')
    if over is not None:
        family = _family(opened, fields, over)
        return _function(convert_curve(family, *between, epsilon=epsilon, max_rows=MOST_WORLDS))
    rate = convert(opened.model, *between, epsilon=epsilon, max_rows=MOST_WORLDS)
    return {
        "verdict": rate.verdict,
        "sentence": _sentence(rate.reason) if rate.reason else f"{str(rate)[:1].upper()}{str(rate)[1:]}.",
        **exact(rate.tight_epsilon, "tight_epsilon"),
        "replayed": rate.replayed,
        "drawing": None,
        **_tables(exchange_sheets([({}, rate)])),
    }


def _admit(opened: OpenDocument) -> None:
    """Refuse a model whose rates would take longer than one watches, before any work.

    Raises:
        LimitError: with its size.

    """
    worlds = opened.engine.table_cost.worlds
    if worlds > MOST_WORLDS:
        raise LimitError(
            f"the model has {worlds:,} worlds",
            where="the conversion",
            wanted=f"at most {MOST_WORLDS:,}",
            tip="use fewer records or values; save the file and run pkdp convert for larger models",
        )


def _sentence(reason: str | None) -> str:
    """The reason of an answer as a sentence; nothing where it has none."""
    return f"{reason.removesuffix('.')}." if reason else ""


def _family(opened: OpenDocument, fields: RequestFields, name: str) -> Family:
    """The family in one parameter: the others have the values that the page shows."""
    values = {parameter["name"]: Fraction(parameter["value"]) for parameter in opened.parameters}
    if name not in values:
        raise InputError(
            f"{name} is not a parameter",
            where=field_of("over"),
            wanted=f"a parameter ({', '.join(values) or 'the model has none'})",
        )
    family = loads_any(text_of(fields["document"]))
    if not isinstance(family, Family):
        raise TypeError(type(family))
    others = {other: value for other, value in values.items() if other != name}
    return family.fixed(others) if others else family


def _function(curve: Curve) -> dict[str, Any]:
    """A rate as a function: its pieces as tables, and its drawing, where one of them is finite."""
    return {
        "verdict": curve.verdict,
        "sentence": _sentence(curve.reason),
        "replayed": curve.replayed,
        "drawing": curve_plot(curve).svg if any(cell.factor is not None for cell in curve.pieces) else None,
        **_tables(curve_sheets(curve)),
    }


def _tables(sheets: list[Sheet]) -> dict[str, Any]:
    return {"sheets": [sheet_json(sheet) for sheet in sheets], **copies(sheets)}
