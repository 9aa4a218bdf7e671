"""A worst mechanism as a model file with its answers, which are checked before use."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verifier.definitions import find
from verifier.errors import LimitError
from verifier.model import NOTHING, Database, Model, loads
from verifier.model.policy import NO_POLICY
from verifier.model.write import inline, toml_text
from verifier.questions.check import check
from verifier.recheck import OF_OUTPUTS, policy_table
from verifier.recheck.texts import WorldRow, worlds_of
from verifier.tables import Label
from verifier.wings.search.file import promised, table

if TYPE_CHECKING:
    from verifier.wings.search.worst.best import Best
    from verifier.wings.search.worst.decide import Worst

MAX_FILE_ROWS = 1 << 12
"""Largest number of worlds, and of databases, of the model file."""


def _policy(answer: Worst | Best) -> dict[str, Any]:
    """The `[policy]` of the model, where a definition of DP22 reads it, or a record may be absent."""
    also = (answer.promise["definition"],) if answer.promise else ()
    asked = (*also, *(assumption.definition for assumption in answer.assuming))
    policy = answer.model.policy
    read = (
        policy.moves_answers
        or policy.has("absent")
        or (policy != NO_POLICY and any(find(name).reads_policy for name in asked))
    )
    return {"policy": policy_table(answer.model)} if read else {}


def confirmed(answer: Worst) -> Worst:
    """The answer with the model that attains the optimum (`found`), after `check` has confirmed it on the model file.

    Raises:
        LimitError: for a model file that would be too long.
        ArithmeticError: where `check` finds another δ, or that an assumption fails.

    """
    if answer.form is None:
        return answer
    model = satisfying(answer)
    verdict = check(model, answer.definition, epsilon=answer.epsilon)
    if verdict.tight_delta is None or verdict.tight_delta != answer.optimum:
        raise ArithmeticError(f"the mechanism that was found needs δ = {verdict.tight_delta}, not {answer.optimum}")
    return replace(answer, found=model)


def satisfying(answer: Worst | Best) -> Model:
    """The model of the file with the mechanism, after `check` has confirmed that it satisfies the assumptions.

    Raises:
        LimitError: for a model file that would be too long.
        ArithmeticError: where an assumption fails.

    """
    model = loads(file_of(answer))
    for assumption in answer.assuming:
        if check(model, assumption.definition, epsilon=assumption.epsilon, delta=assumption.delta).verdict not in {
            "holds",
            "vacuous",
        }:
            raise ArithmeticError(f"the mechanism that was found does not satisfy {assumption}")
    return model


def file_of(answer: Worst | Best) -> str:
    """The text of the model file with the mechanism and its promised answers.

    Raises:
        LimitError: for more than `MAX_FILE_ROWS` worlds or databases.

    """
    model = answer.model
    reached = len(answer.mechanism)
    worlds = sum(theta.count() for theta in model.thetas)
    if max(worlds, reached) > MAX_FILE_ROWS:
        raise LimitError(
            f"the model has {worlds:,} worlds and {reached:,} databases", wanted=f"at most {MAX_FILE_ROWS:,}"
        )
    title, said = answer.heading
    assumed = " and ".join(map(str, answer.assuming)) or "nothing"
    lines = [
        f"title  = {inline(f'{model.title}: {title}')}",
        f"notes  = {inline(f'Assuming {assumed}, {said}')}",
        f"size   = {model.size}",
        f"values = {inline(list(map(_spelled, model.values)))}",
    ]
    listed = {theta.name: list(worlds_of(model, theta)) for theta in model.thetas}
    any_knowledge = any(known != NOTHING for rows in listed.values() for _, known, _, _ in rows)
    for theta in model.thetas:
        rows = (_world(model, row, any_knowledge=any_knowledge) for row in listed[theta.name])
        lines += ["", "[[distribution]]", f"name  = {inline(theta.name)}", *table("table", rows)]
    if model.protects_records and len(model.secrets) < model.size:
        lines += ["", "[sensitive]", f"records = {[secret.record for secret in model.secrets]}"]
    lines += ["", "[mechanism]", "rows = ["]
    lines += [
        f"  {{ database = {inline(_database(model, d))}, outputs = {{ {_law(answer.labels, law)} }} }},"
        for d, law in answer.mechanism.items()
    ]
    lines += ["]"]
    if reached < len(model.values) ** model.size:
        lines += [f"otherwise = {inline(answer.labels[-1])}"]
    fields = _policy(answer).get("policy", {})
    kept = {field: value for field, value in fields.items() if field not in OF_OUTPUTS}
    lines += ["", toml_text({"policy": kept}).rstrip()] if kept else []
    for assumption in answer.assuming:
        question = {
            "definition": assumption.definition,
            "epsilon": str(assumption.epsilon),
            "delta": str(assumption.delta),
        }
        lines += promised({**question, "verdict": _verdict(answer, assumption.definition)})
    return "\n".join([*lines, *(promised(answer.promise) if answer.promise else []), ""])


def _verdict(answer: Worst | Best, definition: str) -> str:
    counts = zip(answer.assuming, answer.compared, strict=True)
    return "holds" if any(count for assumption, count in counts if assumption.definition == definition) else "vacuous"


def _world(model: Model, row: WorldRow, *, any_knowledge: bool) -> dict[str, Any]:
    """The row of one world; with `any_knowledge` it says what is known, even if it is nothing."""
    database, known, secret, p = row
    return {
        "database": _database(model, database),
        **({"knowledge": "nothing" if known == NOTHING else _spelled(known)} if any_knowledge else {}),
        **({"sensitive": _spelled(secret)} if secret is not None else {}),
        "probability": str(p),
    }


def _database(model: Model, database: Database) -> list[object]:
    return [_spelled(model.values[v]) for v in database]


def _law(labels: tuple[str, ...], law: tuple[Fraction, ...]) -> str:
    return ", ".join(f'{inline(o)} = "{x}"' for o, x in zip(labels, law, strict=True) if x)


def _spelled(label: Label) -> object:
    """A label as a value in a model file: an integer, else its text."""
    return label.shown if isinstance(label.shown, int) else label.text
