"""A worst mechanism as a model file with its answers, and its optimum as a certificate; both are checked before use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verifier.errors import LimitError
from verifier.evidence.texts import database_texts, number_text
from verifier.model import NOTHING, Database, Model, loads
from verifier.model.write import inline
from verifier.questions.ask import check
from verifier.replay.worst import replay_worst
from verifier.tables import Label
from verifier.wings.search.file import promised, table

if TYPE_CHECKING:
    from verifier.wings.search.program import Proved
    from verifier.wings.search.worst import Worst

MAX_FILE_ROWS = 1 << 12
"""Most worlds, and databases, of the model file."""
Row = tuple[Database, "Label | None", "Label | None", Fraction]


def certificate_of(answer: Worst) -> dict[str, Any]:
    """Everything that the optimum rests on, as plain data: worlds, mechanism, and multipliers for each comparison."""
    model = answer.model
    return {
        "schema": "pkdp worst 1",
        "values": [v.text for v in model.values],
        "size": model.size,
        "records": [one.record for one in model.secrets] if model.protects_records else None,
        "worlds": {
            theta.name: [
                [database_texts(model, d), known and known.text, secret and secret.text, number_text(p)]
                for d, known, secret, p in rows_of(model, number)
            ]
            for number, theta in enumerate(model.thetas)
        },
        "assumed": [
            {"definition": one.definition, "epsilon": str(one.epsilon), "delta": number_text(one.delta)}
            for one in answer.assuming
        ],
        "definition": answer.definition,
        "epsilon": str(answer.epsilon),
        "outputs": answer.outputs,
        "optimum": number_text(answer.optimum),
        "mechanism": [[database_texts(model, d), [number_text(x) for x in law]] for d, law in answer.mechanism.items()],
        "bounds": [_bound(answer, one) for one in answer.proofs],
    }


def rows_of(model: Model, number: int) -> Iterator[Row]:
    """The worlds of one θ, equal ones together; B̂ is None where nothing is known, S where a record is protected."""
    theta, column = model.thetas[number], not model.protects_records
    found: dict[tuple[Database, Label | None, Label | None], Fraction] = {}
    for world in theta.worlds():
        law = theta.zeta.law(world)
        secret = model.secrets[0].of(world) if column else None
        for known, weight in law.items():
            key = world.database, None if known == NOTHING else known, secret
            p = Fraction(world.weight * weight, theta.denominator * law.denominator)
            found[key] = found.get(key, Fraction(0)) + p
    for (database, heard, secret), p in found.items():
        yield database, heard, secret, p


def _bound(answer: Worst, one: Proved) -> dict[str, Any]:
    multipliers = []
    for used in one.multipliers:
        form = answer.bounds[used.bound].form
        known = _known(form.parts[used.part].knowledge)
        place = _place(answer.model, form.place)
        multipliers.append([answer.origin(used.bound), place, known, used.output, number_text(used.times)])
    patterns = ["".join(str(int(yes)) for yes in pattern) for pattern in one.patterns]
    return {"comparison": _place(answer.model, one.form.place), "patterns": patterns, "multipliers": multipliers}


def _known(text: Any) -> Any:
    return None if text == NOTHING.text else text


def _place(model: Model, place: tuple[Any, ...]) -> list[Any]:
    theta, record, a, b, known, direction, first = place
    database = None if first is None else database_texts(model, tuple(int(v) for v in first.split(",")))
    return [theta, record, a, b, _known(known), direction, database]


def replayed(answer: Worst) -> Worst:
    """The same answer, after the independent replay has added it up again from its certificate.

    Raises:
        verifier.replay.answers.Rejected: where it does not add up.

    """
    replay_worst(json.loads(json.dumps(certificate_of(answer))))
    return answer


def confirmed(answer: Worst) -> Worst:
    """The same answer with its model file, on which `check` finds what is claimed.

    Raises:
        LimitError: where the model file would be too long.

    """
    if answer.form is None:
        return answer
    found = loads(file_of(answer))
    for one in answer.assuming:
        if check(found, one.definition, epsilon=one.epsilon, delta=one.delta).verdict not in {"holds", "vacuous"}:
            raise ArithmeticError(f"the mechanism that was found does not satisfy {one}")
    asked = check(found, answer.definition, epsilon=answer.epsilon)
    if asked.tight_delta is None or asked.tight_delta != answer.optimum:
        raise ArithmeticError(f"the mechanism that was found needs δ = {asked.tight_delta}, not {answer.optimum}")
    return replace(answer, found=found)


def file_of(answer: Worst) -> str:
    """The model with the worst mechanism, as a model file with its answers."""
    model = answer.model
    reached = len(answer.mechanism)
    worlds = sum(theta.count() for theta in model.thetas)
    if max(worlds, reached) > MAX_FILE_ROWS:
        raise LimitError(
            f"the model has {worlds:,} worlds and {reached:,} databases", wanted=f"at most {MAX_FILE_ROWS:,}"
        )
    asked = f"{answer.definition} at {answer.epsilon}"
    given = " and ".join(map(str, answer.assuming)) or "nothing"
    lines = [
        f"title  = {inline(f'{model.title}: the worst mechanism for {asked}')}",
        f"notes  = {inline(f'Assuming {given}, no mechanism needs a larger δ.')}",
        f"size   = {model.size}",
        f"values = {inline(list(map(_spelled, model.values)))}",
    ]
    told = any(known for number in range(len(model.thetas)) for _, known, _, _ in rows_of(model, number))
    for number, theta in enumerate(model.thetas):
        rows = (_world(model, row, told=told) for row in rows_of(model, number))
        lines += ["", "[[distribution]]", f"name  = {inline(theta.name)}", *table("table", rows)]
    if model.protects_records and len(model.secrets) < model.size:
        lines += ["", "[sensitive]", f"records = {[one.record for one in model.secrets]}"]
    lines += ["", "[mechanism]", "rows = ["]
    lines += [
        f"  {{ database = {inline(_database(model, d))}, outputs = {{ {_law(answer.labels, law)} }} }},"
        for d, law in answer.mechanism.items()
    ]
    lines += ["]"]
    if reached < len(model.values) ** model.size:
        lines += [f"otherwise = {inline(answer.labels[-1])}"]
    for one in answer.assuming:
        question = {"definition": one.definition, "epsilon": str(one.epsilon), "delta": str(one.delta)}
        lines += promised({**question, "verdict": _verdict(answer, one.definition)})
    question = {"definition": answer.definition, "epsilon": str(answer.epsilon)}
    return "\n".join([*lines, *promised({**question, "tight_delta": str(answer.optimum)}), ""])


def _verdict(answer: Worst, definition: str) -> str:
    counts = zip(answer.assuming, answer.compared, strict=True)
    return "holds" if any(count for one, count in counts if one.definition == definition) else "vacuous"


def _world(model: Model, row: Row, *, told: bool) -> dict[str, Any]:
    """One world; where another attacker knows something, all rows say what is known."""
    database, known, secret, p = row
    return {
        "database": _database(model, database),
        **({"knowledge": _spelled(known) if known else "nothing"} if told else {}),
        **({"sensitive": _spelled(secret)} if secret is not None else {}),
        "probability": str(p),
    }


def _database(model: Model, database: Database) -> list[object]:
    return [_spelled(model.values[v]) for v in database]


def _law(labels: tuple[str, ...], law: tuple[Fraction, ...]) -> str:
    return ", ".join(f'{inline(o)} = "{x}"' for o, x in zip(labels, law, strict=True) if x)


def _spelled(one: Label) -> object:
    """A label in a model file: a list is its text."""
    return one.shown if isinstance(one.shown, int) else one.text
