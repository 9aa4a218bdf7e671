"""`pkdp law`: test on one model whether a definition obeys a law, such as post-processing or convexity."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli.common import AsJson, File, Format, Reading, about, check_format, print_answer
from verifier.errors import InputError

if TYPE_CHECKING:
    from verifier.model import Model
    from verifier.questions.laws import LawTest
    from verifier.show.sheet import Sheet

WANTED = {
    "post-processing": ("then", "then = [ content, … ]"),
    "convexity": ("mechanism", "[mechanism]; another model file has one"),
    "sequential": ("mechanism", "[mechanism]; another model file has one"),
    "parallel": ("parts", "parts = [ { records = [0, 1], of = { … } }, … ]"),
}
"""For each law: the key that the second file must have, and how it is written."""


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
    from verifier.cli.reading import read_model
    from verifier.definitions import find

    check_format(kind)
    if name not in WANTED:
        raise InputError(f"given {name}", where="LAW", wanted=f"one of {', '.join(WANTED)}")
    with about("--definition"):
        find(definition)
    if weight is not None and name != "convexity":
        raise InputError("given", where="--weight", wanted="it with convexity only")
    epsilons = epsilon or []
    if len(epsilons) not in ({0, 2} if name == "sequential" else {0, 1}):
        wanted = "none, or two" if name == "sequential" else "none, or one"
        raise InputError(f"given {len(epsilons)} times", where="--epsilon", wanted=wanted)
    model = read_model(file)
    content = _content(beside, *WANTED[name])
    with about(f"{model.path} with {beside}"):
        test = _test(name, model, content, definition, epsilons, weight, reading)
    print_answer(test.to_json, lambda: [law_sheet(test)], kind, as_json=as_json)
    return test.exit_status


def _content(path: str, key: str, wanted: str) -> Any:
    """Return the value of a key in the second file.

    Raises:
        InputError: where the file is no TOML, or has no such key.

    """
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
    name: str, model: Model, content: Any, definition: str, epsilons: list[str], weight: str | None, reading: str
) -> LawTest:
    from verifier.model.keys import Keys, Location, listed
    from verifier.questions.laws import keeps_convexity, keeps_parallel, keeps_post_processing, keeps_sequential

    options: dict[str, Any] = {"reading": reading}
    if name == "sequential":
        pair = (epsilons[0], epsilons[1]) if epsilons else None
        return keeps_sequential(model, definition, content, epsilons=pair, **options)
    options["epsilon"] = epsilons[0] if epsilons else None
    if name == "convexity":
        return keeps_convexity(model, definition, content, weight=weight or "1/2", **options)
    if name == "post-processing":
        return keeps_post_processing(
            model, definition, *listed(content, Location("", ("then",)), "a list of steps"), **options
        )
    components = []
    for number, component in enumerate(listed(content, Location("", ("parts",)), "a list of parts"), start=1):
        keys = Keys(component, Location("", (f"part {number}",)), "a part such as { records = [0, 1], of = { … } }")
        components.append((keys.take("records"), keys.take("of")))
        keys.done()
    return keeps_parallel(model, definition, components, **options)


def law_sheet(test: LawTest) -> Sheet:
    """Return the test of a law as a table: its claim, its premises, the conclusion, and the conventions."""
    from verifier.show.sheet import ITEMS, Sheet
    from verifier.show.words import convention_lines

    rows = (
        ("claim", test.claim),
        ("source", test.source),
        *((f"premise {number}", str(premise)) for number, premise in enumerate(test.premises, start=1)),
        ("together", str(test.conclusion)),
        ("the law", str(test)),
        ("conventions", "\n".join(convention_lines(test.conclusion.definition))),
    )
    return Sheet(test.law, ITEMS, rows)
