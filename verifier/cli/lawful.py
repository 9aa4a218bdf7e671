"""`pkdp law`: a law that definitions are claimed to obey, tested on one model."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli.common import AsJson, File, Format, Reading, about, as_text, check_format, print_sheets
from verifier.errors import InputError

if TYPE_CHECKING:
    from verifier.model import Model
    from verifier.questions.laws import LawTest

WANTED = {
    "post-processing": ("then", "then = [ step, … ]"),
    "convexity": ("mechanism", "[mechanism]; another model file has one"),
    "sequential": ("mechanism", "[mechanism]; another model file has one"),
    "parallel": ("parts", "parts = [ { records = [0, 1], of = { … } }, … ]"),
}
"""What the file beside the model says, for each law."""


def law(
    name: Annotated[str, typer.Argument(metavar="LAW", help=", ".join(WANTED))],
    file: File,
    beside: Annotated[str, typer.Option("--with", help="a file with `then`, `[mechanism]` or `parts`")],
    definition: Annotated[str, typer.Option(help="one definition")],
    epsilon: Annotated[
        list[str] | None, typer.Option(help="left out: at every ε; for sequential twice, one for each mechanism")
    ] = None,
    weight: Annotated[str | None, typer.Option(help="convexity: the probability of the model's mechanism")] = None,
    reading: Reading = "default",
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
) -> int:
    """Test a law on a model: post-processing, convexity, sequential or parallel composition.

    Exit status: 0 kept, 1 broken, 3 the law says nothing here.
    """
    from verifier.definitions import find
    from verifier.model import read

    check_format(kind)
    if name not in WANTED:
        raise InputError(f"given {name}", where="LAW", wanted=f"one of {', '.join(WANTED)}")
    with about("--definition"):
        find(definition)
    if weight is not None and name != "convexity":
        raise InputError("given", where="--weight", wanted="it with convexity only")
    given = epsilon or []
    if len(given) not in ({0, 2} if name == "sequential" else {0, 1}):
        wanted = "none, or two" if name == "sequential" else "none, or one"
        raise InputError(f"given {len(given)} times", where="--epsilon", wanted=wanted)
    model = read(file)
    said = _beside(beside, *WANTED[name])
    with about(f"{file} with {beside}"):
        test = _test(name, model, said, definition, given, weight, reading)
    if as_json:
        typer.echo(as_text(test.to_json()))
    else:
        _show(test, kind)
    return {True: 0, False: 1, None: 3}[test.kept]


def _beside(path: str, key: str, wanted: str) -> Any:
    """What the file beside the model gives under a key."""
    from verifier.machine.files import text_of
    from verifier.model.attacks import refuse_attacks
    from verifier.numbers import DecimalLiteral

    try:
        text = text_of(path, "a TOML file")
        refuse_attacks(text, path)
        table = tomllib.loads(text, parse_float=DecimalLiteral)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=path, wanted="a TOML file") from None
    if key not in table:
        raise InputError(f"the key `{key}` is missing", where=path, wanted=wanted)
    return table[key]


def _test(
    name: str, model: Model, given: Any, definition: str, epsilon: list[str], weight: str | None, reading: str
) -> LawTest:
    from verifier.model.place import Keys, Place, listed
    from verifier.questions.laws import keeps_convexity, keeps_parallel, keeps_post_processing, keeps_sequential

    asked: dict[str, Any] = {"reading": reading}
    if name == "sequential":
        both = (epsilon[0], epsilon[1]) if epsilon else None
        return keeps_sequential(model, definition, given, epsilons=both, **asked)
    asked["epsilon"] = epsilon[0] if epsilon else None
    if name == "convexity":
        return keeps_convexity(model, definition, given, weight=weight or "1/2", **asked)
    if name == "post-processing":
        return keeps_post_processing(
            model, definition, *listed(given, Place("", ("then",)), "a list of steps"), **asked
        )
    parts = []
    for number, one in enumerate(listed(given, Place("", ("parts",)), "a list of parts"), start=1):
        keys = Keys(one, Place("", (f"part {number}",)), "a part such as { records = [0, 1], of = { … } }")
        parts.append((keys.take("records"), keys.take("of")))
        keys.done()
    return keeps_parallel(model, definition, parts, **asked)


def _show(test: LawTest, kind: str) -> None:
    from verifier.show.sheet import Sheet

    answers = [(f"premise {k}", str(one)) for k, one in enumerate(test.premises, start=1)]
    rows = (
        ("claim", test.claim),
        ("source", test.source),
        *answers,
        ("together", str(test.conclusion)),
        ("the law", str(test)),
    )
    if kind != "table":
        print_sheets([Sheet(test.law, ("item", "answer"), rows)], kind)
        return
    from verifier.cli.console import print_items
    from verifier.show.words import convention_lines

    print_items(test.law, list(rows), convention_lines(test.conclusion.definition))
