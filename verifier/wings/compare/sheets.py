"""Two mechanisms as tables, and both of their curves in one drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.errors import InputError, one_of
from verifier.numbers import DIGITS, NO_VALUE, exact_text, plural, shorten
from verifier.show.drawings import Plot, profile_drawing
from verifier.show.sheet import Sheet, decimal, exact
from verifier.tables import collected

if TYPE_CHECKING:
    from verifier.wings.compare.answer import Compared
    from verifier.wings.compare.order import Curve, Ordered
    from verifier.wings.compare.post_processing import Decision, PostProcessing

MOST_ROWS, MOST_ENTRIES = 12, 6
"""Rows of a channel or decision, and entries of a row, that are printed; JSON has all."""
PRIVATE = {"first": "the first", "second": "the second", "equal": "equally private"}
WORDS = {True: "yes", False: "no", None: "undecided"}


def comparison_plot(answer: Compared, definition: str | None = None, *, where: str = "plot") -> Plot:
    """Return the drawing of δ against ε of both mechanisms, by a definition; by the first with two curves if left out.

    Raises:
        InputError: where it has not two curves.

    """
    drawn = {key: one.curves for key, one in answer.definitions.items() if one.curves is not None}
    if not drawn:
        raise InputError("no definition has two curves", where=where, wanted="a definition that has them",
                         tip="name another one, such as dp")  # fmt: skip
    if definition is None:
        definition = next(iter(drawn))
    elif definition not in drawn:
        raise InputError(f"{shorten(definition)} has not two curves here", where=where,
                         wanted=one_of(list(drawn), definition))  # fmt: skip
    return curves_plot(answer, drawn[definition])


def curves_plot(answer: Compared, pair: tuple[Curve, Curve]) -> Plot:
    """Return the drawing of two curves, named by the place and the title of their mechanisms."""
    names = [f"{place}: {model.title}" for place, model in zip(("first", "second"), answer.models, strict=True)]
    curves = tuple(zip(names, pair, strict=True))
    return Plot(profile_drawing(curves), curves)


def different_curves(answer: Compared) -> list[tuple[tuple[Curve, Curve], list[Ordered]]]:
    """Return the different pairs of curves, each with the definitions that have it; first those that are not equal."""
    groups = collected((one.curves, one) for one in answer.definitions.values() if one.curves is not None)
    return sorted(groups.items(), key=lambda group: group[1][0].order == "equal")


def order_words(found: Ordered) -> str:
    """Return an order in words, with where the curves cross."""
    crossings = f"their curves cross at ε = {_crossings(found)}"
    if found.order == "incomparable":
        return f"incomparable: {crossings}"
    if found.order not in PRIVATE:
        return f"{found.order}: {found.reason}"
    if found.order == "equal":
        return f"{PRIVATE[found.order]} at every ε"
    return f"{PRIVATE[found.order]} is more private, and its δ is larger at no ε"


def _crossings(found: Ordered) -> str:
    return ", ".join(e.text(40) for e in found.crossings) or NO_VALUE


def sheets(answer: Compared, digits: int = DIGITS) -> Iterator[Sheet]:
    """Yield what holds of both mechanisms, their order by each definition, and what proves it."""
    first, second = (model.title for model in answer.models)
    number = plural(answer.databases, "database")
    rows = (
        (f"the same output distribution on every database ({number})", WORDS[answer.same_law]),
        ("the second is a post-processing of the first", WORDS[answer.second_of_first.holds]),
        ("the first is a post-processing of the second", WORDS[answer.first_of_second.holds]),
    )
    yield Sheet(f"first: {first}; second: {second}", ("", ""), rows, tuple(_notes(answer)))
    if answer.definitions:
        yield _orders(answer, digits)
    if not answer.same_law:
        yield from _proofs(answer.second_of_first, "first", "second")
        yield from _proofs(answer.first_of_second, "second", "first")


def _notes(answer: Compared) -> Iterator[str]:
    if answer.same_law is False and answer.apart is not None:
        laws = " and ".join(_law(law) for law in answer.apart[1:])
        yield f"They differ on {answer.apart.database}: {laws}."
    for one, place in ((answer.second_of_first, "second"), (answer.first_of_second, "first")):
        if one.holds and not answer.same_law:
            named = ", ".join(key for key in answer.definitions if key in one.closed)
            among = f", {named} among them" if named else ""
            yield (
                f"So the {place} is at least as private by each definition that is closed under post-processing: "
                f"{len(one.closed)} are known{among}."
            )
        if one.holds is None and one.reason != answer.reason:
            yield f"Whether the {place} is a post-processing is undecided: {one.reason}"
    if answer.reason:
        yield f"Undecided: {answer.reason}"
    if answer.replayed:
        yield "Re-checked: yes" + (f" (not checked: {answer.unchecked})." if answer.unchecked else ".")
    else:
        yield f"Not re-checked by the independent checker: {answer.unchecked}."


def _orders(answer: Compared, digits: int) -> Sheet:
    """The order by each definition."""
    rows, notes = [], []
    for key, one in answer.definitions.items():
        tight = [NO_VALUE if value is None else decimal(value, min(digits, 6)) for value in one.tight_epsilon]
        rows.append((key, PRIVATE.get(one.order, one.order), _crossings(one), *tight))
        if one.reason:
            notes.append(f"{key}: {one.reason}")
    heads = ("definition", "more private", "curves cross at ε", "smallest ε, first", "second")
    return Sheet("By definition, for all ε ≥ 0", heads, tuple(rows), tuple(dict.fromkeys(notes)))


def _proofs(found: PostProcessing, source: str, image: str) -> Iterator[Sheet]:
    """The channel that makes the one of the other, or the decision that the other does not serve as well."""
    if found.channel is not None:
        rows = [(output, _law(law)) for output, law in found.channel.items()]
        title = f"The channel that makes the {image} of the {source}"
        yield _short(title, (f"output of the {source}", f"becomes, of the {image}"), rows)
    elif found.decision is not None:
        yield _decision(found.decision, source, image)


def _decision(decision: Decision, source: str, image: str) -> Sheet:
    rows = [
        (str(database), "; ".join(f"{exact_text(gain, 12)} for {_some(outputs)}" for gain, outputs in by_gain))
        for database, gains in zip(decision.databases, decision.gains, strict=True)
        for by_gain in (sorted(collected((gain, b) for b, gain in gains.items()).items(), reverse=True),)
    ]
    title = f"A bet that pays more if you see the output of the {image} than if you see the output of the {source}"
    gained, other = exact_text(decision.gained, 40), exact_text(decision.other, 40)
    note = (
        f"A database is drawn uniformly from these, and you name an output of the {image}. If you see that output and "
        f"name it, you gain {gained} on average. If you see the output of the {source}, you gain at most {other}."
    )
    return _short(title, ("database", "gain by the named output"), rows, note)


def _short(title: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], *notes: str) -> Sheet:
    left = len(rows) - MOST_ROWS
    more = (f"… and {left} more (--json)",) if left > 0 else ()
    return Sheet(title, heads, tuple(rows[:MOST_ROWS]), (*more, *notes))


def _some(outputs: Sequence[str]) -> str:
    return ", ".join(outputs[:MOST_ENTRIES]) + (", …" if len(outputs) > MOST_ENTRIES else "")


def _law(law: Mapping[str, Fraction]) -> str:
    return _some([f"{o}: {exact(p)}" for o, p in law.items()])
