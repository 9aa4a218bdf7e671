"""The proof of an answer about a simulator, as the field `proof` of its JSON: what deciding again does not find.

It has lists of entries `enough` and `needed`, about the smallest ε, and `delta_enough` and `delta_needed`, about the
smallest δ at the asked ε. An entry names its `group` and `choice`, the ε that it is `at`, and has a `simulator`, or
weighted `tests`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from verifier.definitions import Verdict
from verifier.definitions.centres.simulator_ddp import M_AGAINST, SIM_AGAINST
from verifier.definitions.registry import find
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.evidence import centres, engines, inferences, simulators
from verifier.evidence.simulators import ALL_DIGITS
from verifier.model import NOTHING
from verifier.numbers import Enclosure, log_epsilon
from verifier.tables import label

FILES = {"simulators": simulators, "centres": centres, "inferences": inferences}
Entry = dict[str, Any]
Texts = Mapping[str, Any]
"""The evidence of the old certificates, from which the entries are written."""


def fields_of(answer: Verdict, engine: Engine) -> Entry:
    """The fields of an answer's JSON that a check of it needs: `proof`, or `laws`; most answers need none."""
    found = {"proof": proof_of(answer, engine), "laws": laws_of(answer, engine)}
    return {name: value for name, value in found.items() if value is not None}


def proof_of(answer: Verdict, engine: Engine) -> Entry | None:
    """The proof of an answer; None for definitions that are decided again, and where there is none, or a long one."""
    file = find(answer.definition).comparisons.evidence
    if not file or answer.verdict in {"undecided", "unsupported"}:
        return None
    module = FILES[file]
    try:
        if (file == "simulators" and answer.method != "table") or module.work(answer, engine) > module.MAX_STEPS:
            return None
        texts = module.evidence(answer, engine)
    except (UnsupportedError, LimitError):
        return None
    return WRITERS[file](texts, answer)


def _of_ddp(texts: Texts, answer: Verdict) -> Entry:
    """One group with one choice; the first two are about the smallest ε, the others about rationals around ε."""
    tight = (
        None if answer.tight_epsilon is None or isinstance(answer.tight_epsilon, Enclosure) else answer.tight_epsilon
    )
    at = "inf" if tight is None else tight.text(ALL_DIGITS)
    if answer.epsilon is not None and answer.epsilon.is_infinite:
        low = high = "inf"
    else:
        low, high = (_logarithm(texts[name]) for name in ("delta_low", "delta_high"))
    enough, where = texts["delta_enough"], low
    if enough is None and texts["zero_enough"] is not None:
        enough, where = texts["zero_enough"], texts["zero_epsilon"]
    asked = answer.epsilon is not None and answer.verdict != "vacuous"
    if asked and enough is None and where == "inf":  # at δ = 0 any simulator that may answer is enough in the limit
        enough = []
    return {
        "enough": None if texts["enough"] is None else [{**_first(at), "simulator": _records(texts["enough"])}],
        "needed": None if texts["needed"] is None else [{**_first(at), "tests": _tests(texts["needed"])}],
        "delta_enough": None if enough is None or not asked else [{**_first(where), "simulator": _records(enough)}],
        "delta_needed": [{**_first(high), "tests": _tests(texts["delta_needed"])}] if texts["delta_needed"] else None,
    }


def _first(at: str) -> Entry:
    return {"group": None, "choice": 0, "at": at}


def _logarithm(text: str | None) -> str:
    return "0" if text is None else log_epsilon(Fraction(text)).text(ALL_DIGITS)


def _of_centres(texts: Texts, _answer: Verdict) -> Entry:
    """An entry for each group, or for each choice of one."""
    return {
        name: None
        if texts[name] is None
        else [
            {"group": group, "choice": _shown_choice(choice), "at": at, what: written(shown)}
            for group, choice, at, shown in texts[name]
        ]
        for name, what, written in (
            ("enough", "simulator", _records),
            ("needed", "tests", _tests),
            ("delta_enough", "simulator", _records),
            ("delta_needed", "tests", _tests),
        )
    }


def _shown_choice(choice: Any) -> Any:
    return choice if isinstance(choice, int) else [[label_of(v) for v in database] for database in choice]


def _of_beliefs(texts: Texts, _answer: Verdict) -> Entry:
    """The numbers s(Ô | c) by contexts, and the weights of inequalities about one output in one row."""
    enough, needed = texts["enough"], texts["needed"]
    out: Entry = {"enough": None, "needed": None}
    if enough is not None:
        contexts: dict[str, Entry] = {}
        for output, told in enough["answers"]:
            for context, s in told:
                entry = _context(context)
                contexts.setdefault(str(entry), {**entry, "answers": {}})["answers"][output] = s
        out["enough"] = [{**_first(enough["at"]), "simulator": list(contexts.values())}]
    if needed is not None:
        theta, known, record = needed["row"]
        tests = [[*row[:4], [needed["output"]], *row[4:]] for row in needed["multipliers"]]
        row = {"distribution": theta, "knowledge": _known(known), "record": record}
        proved = {"output": needed["output"], "row": row, "tests": _tests(tests)}
        out["needed"] = [{**_first(needed["at"]), **proved}]
    return out


WRITERS = {"simulators": _of_ddp, "centres": _of_centres, "inferences": _of_beliefs}


def label_of(text: str) -> Any:
    """A label as JSON shows it; no knowledge is null."""
    return None if text == NOTHING.text else label(text).shown


def _known(text: str | None) -> Any:
    return None if text is None else label_of(text)


def _context(context: Any) -> Entry:
    """What a simulator is told."""
    if not isinstance(context, list):
        return {"told": None if context is None else label_of(context)}
    record, others, theta, known = context
    return {
        "record": record,
        "others": [label_of(v) for v in others],
        "distribution": theta,
        "knowledge": _known(known),
    }


def _records(entries: Iterable[Any]) -> list[Entry]:
    return [{**_context(told), "answers": _answers(law)} for told, law in entries]


def _answers(law: Mapping[str, Any]) -> Entry:
    return {output: _number(p) for output, p in law.items()}


def _number(value: Any) -> str:
    """A number as a polynomial in E = e^ε: `1/2 - 1/3*E`."""
    if isinstance(value, str):
        return value
    text = ""
    for k, c in enumerate(value):
        size = c.removeprefix("-")
        if size != "0":
            term = size if k == 0 else f"{size}*E" if k == 1 else f"{size}*E^{k}"
            side = "-" if c.startswith("-") else "+"
            text += f" {side} {term}" if text else f"{'-' if side == '-' else ''}{term}"
    return text or "0"


def _tests(entries: Iterable[Any]) -> list[Entry]:
    return [
        {
            "distribution": theta,
            "knowledge": _known(known),
            "record": record,
            "a": label_of(a),
            "event": list(event),
            "direction": M_AGAINST if forward else SIM_AGAINST,
            "weight": _number(weight),
        }
        for theta, known, record, a, event, forward, weight in entries
    ]


def laws_of(answer: Verdict, engine: Engine) -> Entry | None:
    """The field `laws`: what a definition of one's own compares; None for other definitions, and for long ones."""
    definition = find(answer.definition)
    if not definition.own or definition.reads_policy or answer.verdict in {"undecided", "unsupported"}:
        return None
    if engines.size_of_laws(definition, engine, answer.reading) > engines.MAX_OUTPUTS:
        return None
    listed = engines.laws(definition, engine, answer.reading)
    compared = [
        {
            "multiplicity": row["multiplicity"],
            "terms": [{name: term[name] for name in ("weight", "p", "q")} for term in row["terms"]],
        }
        for row in listed["compared"]
    ]
    return {"measure": listed["measure"], "compared": compared, "empty": listed["empty"]}
