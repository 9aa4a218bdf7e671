"""The re-check: the checker is given an answer's JSON and the text of the model, and decides the question again.

Where deciding again does not reach, the answer brings more. `proof` is of an answer about a simulator: lists of entries
`enough` and `needed`, about the smallest ε, and `delta_enough` and `delta_needed`, about the smallest δ at the asked ε.
An entry names its `group` and `choice`, the ε that it is `at`, and has a `simulator`, or weighted `tests`. `laws` is of
a definition of one's own: what it compares. Of a model made in Python a text is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from verifier.checker import compared, left, models, p_tables, runs
from verifier.checker.answers import Word, checked
from verifier.checker.numbers import BeyondLimits, Rejected, Unsupported, Wrong, long_numbers
from verifier.checker.reading import MALFORMED
from verifier.definitions import Comparison, Definition, Verdict, find
from verifier.definitions.answer import ALL_DIGITS, json_of
from verifier.definitions.comparison import AnyPair, Pair
from verifier.definitions.gain import Gain
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, PkdpError, UnsupportedError
from verifier.model import NOTHING, Database, Mechanism, Model, replaced
from verifier.model.leaks import LeakLaws
from verifier.model.multisets import Multisets, number_of
from verifier.model.write import toml_text
from verifier.recheck import beliefs, simulators
from verifier.recheck.texts import number_text, worlds_of
from verifier.tables import Label, label


class RejectedError(PkdpError, Rejected):
    """The independent checker rejects an answer (exit status 3); `reason` is its own words."""

    exit_status = 3

    def __init__(self, message: str, *, where: str = "", wanted: str = "", tip: str = "", reason: str = "") -> None:
        """Keep the reason beside the message."""
        self.reason = reason or message
        super().__init__(message, where=where, wanted=wanted, tip=tip)


def not_shown(reason: object) -> RejectedError:
    """The error of an answer that was rejected before it was shown."""
    return RejectedError(
        f"the independent checker rejected the answer, so it is not shown: {reason}",
        tip="report it",
        reason=str(reason),
    )


def already_shown(reason: object) -> RejectedError:
    """The error of an answer that was rejected after it was shown."""
    return RejectedError(
        f"the independent checker REJECTS the answer that is printed above: {reason}",
        tip="report it",
        reason=str(reason),
    )


@contextmanager
def rechecking(about: str = "") -> Iterator[None]:
    """Raise what the checker rejects as `RejectedError`; `about` names the answer.

    Of what the program itself wrote, the checker's word that it cannot be read is a rejection too.
    """
    try:
        yield
    except RejectedError:
        raise
    except (Rejected, Wrong) as error:
        raise not_shown(f"{about}: {error}" if about else error) from None


MAX_SUM_WORK = 1 << 21
"""Most additions of long integers for which the checker is asked about sums."""
TOO_LARGE = "it is too large for the checker"
ENCLOSED = "it is an enclosure"
UNDECIDED = "nothing is decided"
OF_THE_ATLAS = "the checker has no copy of a recipe with a comparison of the atlas; it re-checks other recipes"
UNREADABLE = "not checked: no text"
"""The word on an answer about a model that cannot be written as a text for the checker; the reason is a clause."""
NOT_DERIVED = "the checker does not derive "
"""How the reason begins where it is that the checker lacks the question."""


def replayed(answer: Verdict, engine: Engine, share: int = 1) -> Verdict:
    """The answer with `replayed` set to True, once the checker has decided it again from the text of the model.

    Else the answer as it is, and `unchecked` says why; of a re-checked answer it says what the checker took over.
    `share` is the number of answers that share the limit on the work for sums.

    Raises:
        RejectedError: where the checker decides otherwise.

    """
    if answer.verdict in {"unsupported", "undecided"}:
        return _with(answer, unchecked=ENCLOSED if answer.method == "enclosure" else UNDECIDED)
    if engine.balls:
        return _with(answer, unchecked=ENCLOSED)
    if answer.method == "sum" and _work_of_sums(engine) * share > MAX_SUM_WORK:
        return _with(answer, unchecked=TOO_LARGE)
    asked = fields_of(answer, engine)
    if find(answer.definition).comparisons.imitated and "proof" not in asked:
        return _with(answer, unchecked=TOO_LARGE)
    with rechecking(answer.definition):
        word, taken_over = word_on({**answer.to_json(ALL_DIGITS), **asked}, engine.model, engine.memo)
    if word.word == "confirmed":
        also = f"not checked: {', '.join(word.left)}" if word.left else ""
        return _with(answer, replayed=True, unchecked="; ".join(filter(None, (taken_over, also))))
    return _with(answer, unchecked=_why_not(answer, word))


def gain_unchecked(gained: Sequence[Gain], engine: Engine) -> str:
    """Ask the checker for what the attacker gains; why it did not decide it again, or an empty text where it did.

    Raises:
        RejectedError: where the checker finds other numbers.

    """
    with rechecking("gain"):
        entry = {"gain": json_of(gained, ALL_DIGITS), **engine.model.restriction.json}
        word, _ = word_on(entry, engine.model, engine.memo)
    return "" if word.word == "confirmed" else TOO_LARGE if word.beyond else word.why


def _why_not(answer: Verdict, word: Word) -> str:
    """Why the checker has no word on an answer, as a clause."""
    definition = find(answer.definition)
    if definition.own:
        return OF_THE_ATLAS if definition.reads_policy else TOO_LARGE
    if word.beyond:
        return ENCLOSED if answer.method == "enclosure" else TOO_LARGE
    return word.why.removesuffix(".") if word.word == UNREADABLE else f"{NOT_DERIVED}{word.why}"


def _work_of_sums(engine: Engine) -> int:
    """The approximate number of additions of long integers that the checker needs for an answer about sums."""
    cost = engine.cost
    known = min((len(zeta.records) for zeta in engine.model.zetas), default=0)
    unknown_records = (engine.model.size - known) * cost.totals * cost.components
    compared = 4 * cost.classes * cost.totals * cost.components
    additions = (unknown_records + compared) * cost.targets * max(1, len(engine.model.thetas))
    return additions + engine.model.size**2 // 50


def _with(answer: Verdict, **changes: Any) -> Verdict:
    """The answer with changes; what it has computed stays with it."""
    again = replace(answer, **changes)
    again.__dict__.update({key: answer.__dict__[key] for key in ("witness", "tightest") if key in answer.__dict__})
    return again


def word_of_runs(answer: Mapping[str, Any], model: Model) -> str:
    """The reason why the numbers of `times` runs are not re-checked; empty where the checker has decided them again.

    Raises:
        RejectedError: where it decides otherwise.

    """
    with rechecking(str(answer["definition"])), long_numbers():
        try:
            runs.verify(answer, models.Model(text_of(model)[0]))
        except (UnsupportedError, BeyondLimits, Unsupported) as error:
            return str(error)
    return ""


def work_of_numbers(model: Model) -> int:
    """The approximate number of additions of long integers for one answer about sums; counts of one output each."""
    return _work_of_sums(Engine(model))


def confirm_numbers(answers: Iterable[Mapping[str, Any]], model: Model) -> Word:
    """The checker's word on the numbers of answers about a model, without their witnesses: the first that is not good.

    Raises:
        RejectedError: where it decides otherwise.

    """
    engine, word = Engine(model), Word("confirmed", "")
    for answer in answers:
        with rechecking(str(answer["definition"])):
            word, taken_over = word_on({**answer, "left_out": "witness"}, model, engine.memo)
        if word.word != "confirmed":
            return word._replace(why=TOO_LARGE) if word.beyond else word
        word = word._replace(why=taken_over)
    return word


def left_unchecked(answer: Mapping[str, Any], model: Model) -> str:
    """Have the checker list what published counts leave again; why it did not, or an empty text where it did.

    Raises:
        RejectedError: where the model leaves other counts.

    """
    with rechecking("what is left of hidden counts"), long_numbers():
        try:
            left.verify(answer, models.Model(text_of(model)[0]))
        except (UnsupportedError, BeyondLimits, Unsupported) as error:
            return str(error)
    return ""


def comparison_replayed(answer: Mapping[str, Any], first: Model, second: Model) -> tuple[bool | None, str]:
    """Have the checker decide the JSON of a comparison of two models again: whether it has, and what it left out.

    Raises:
        RejectedError: where it decides otherwise.

    """
    with rechecking("compare"), long_numbers():
        try:
            both = [models.Model(text_of(model)[0]) for model in (first, second)]
            return True, ", ".join(compared.verify(answer, both))
        except (UnsupportedError, BeyondLimits, Unsupported) as error:
            return None, str(error)


def confirm_p_table(answer: Mapping[str, Any]) -> None:
    """Have the checker add up the JSON of a designed p-table, and its dual, again.

    Raises:
        RejectedError: where a number does not fit.

    """
    with rechecking("the p-table"), long_numbers():
        p_tables.verify(answer)


def word_on(
    answer: Mapping[str, Any], model: Model, memo: Callable[[object, Callable[[], Any]], Any] | None = None
) -> tuple[Word, str]:
    """The checker's word on the JSON of an answer about a model, and what the model's text takes over; `memo` keeps it.

    Raises:
        Rejected: where the checker decides otherwise.
        Wrong: where it cannot read the model, or the answer.

    """

    def read() -> tuple[models.Model | None, str]:
        try:
            text, taken_over = text_of(model)
            return models.Model(text), taken_over
        except (UnsupportedError, BeyondLimits) as error:
            return None, str(error)
        except MALFORMED as error:
            raise Wrong(f"the model: {type(error).__name__}: {error}") from None

    about = {name: entry for name, entry in answer.items() if name != "observer"}
    with long_numbers():
        again, taken_over = memo("read again", read) if memo else read()
        if again is None:
            return Word(UNREADABLE, taken_over), ""
        about |= {} if taken_over else model.observed_json  # a table that was written has what the observer sees
        some = taken_over and model.sizes is None and not _all_written(model)
        about |= {"rows": "some"} if some else {}
        try:
            word = checked(about, again)
        except Unsupported as error:
            word = Word("not checked", str(error))
    if word.word == "rejected":
        raise Rejected(word.why)
    return word, taken_over


OF_OUTPUTS = frozenset({"tests", "leak", "image", "views"})
"""The fields of `[policy]` that are about the outputs of the model's own mechanism."""
MAX_ROWS = 200_000
"""Most visits of a record of a database, of a world, or of a replaced value for which a table is written."""
LISTS = ("distribution", "normalization")
"""The keys that are lists in a file, and in Python may be one table."""
MADE_IN_PYTHON = "the mechanism was made in Python: its table was decided again, not what made it"


def text_of(model: Model) -> tuple[str, str]:
    """The text of a model, and what the text takes over without saying how it came about; else nothing.

    Raises:
        UnsupportedError: where the model was made in Python, and its tables are too large to be written.

    """
    if model.tables is None:
        return (model.text, "") if model.text else (setting_text(model, mechanism=_table(model)), MADE_IN_PYTHON)
    tables = _in_a_file({name: entry for name, entry in model.tables.items() if name != "expect"})
    tables |= {name: [tables[name]] for name in LISTS if isinstance(tables.get(name), Mapping)}
    try:
        return toml_text(tables), ""
    except InputError:  # there is a function, which no file can hold
        table = _table(model)
    try:
        return toml_text({**tables, "mechanism": table}), MADE_IN_PYTHON
    except InputError:
        return setting_text(model, mechanism=table), MADE_IN_PYTHON


def _in_a_file(keys: Any) -> Any:
    """The keys of a model with numbers and keys of tables as texts; functions are left as they are."""
    if isinstance(keys, Mapping):
        return {
            name if isinstance(name, str) else label(name).text: _in_a_file(entry)
            for name, entry in keys.items()
            if entry is not None
        }
    if isinstance(keys, list | tuple):
        return [_in_a_file(entry) for entry in keys]
    return str(keys) if isinstance(keys, Fraction) else keys


def _table(model: Model) -> dict[str, Any]:
    """The mechanism as a table: on every database; where these are too many, on those that a definition may reach.

    Mechanisms side by side are a list of tables, since a definition may ask for each.
    """
    databases = list(_reached(model))
    sample = model.mechanism.sample

    def written(mechanism: Mechanism) -> dict[str, Any]:
        if mechanism.components:
            return {"kind": "all", "of": [written(one) for one in mechanism.components]}
        laws = ((d, _law(mechanism, d)) for d in databases)
        return {"table": [{"database": model.shown(d), "outputs": law} for d, law in laws if law]}

    if sample is None:
        return written(model.mechanism)
    databases = list(dict.fromkeys(part for database in databases for part in _parts(database)))
    return {**written(sample.of), "sample": number_text(sample.rate)}


def _all_written(model: Model) -> bool:
    """Whether a table of databases of one size has all; else it has what one record's change makes of the worlds."""
    number, size = len(model.values), model.size
    databases: int = number**size
    return min(databases, MAX_ROWS) * size * number <= MAX_ROWS


def _parts(database: Database) -> Iterator[Database]:
    """The database and all its parts, in the order of its records: what a sample of it may be."""
    if 1 << len(database) > MAX_ROWS:
        raise UnsupportedError("the model was made in Python, and has too many samples to be written")
    for size in range(len(database) + 1):
        yield from combinations(database, size)


def _law(mechanism: Mechanism, database: Database) -> dict[str, str]:
    """The law of the output on a database; an empty one where the mechanism is not defined there."""
    try:
        law = mechanism.law(database)
    except (UnsupportedError, InputError):
        return {}
    return {o.text: number_text(p) for o, p in law.chances()}


def _reached(model: Model) -> Iterable[Database]:
    number, size = len(model.values), model.size
    if model.sizes is not None:
        if number_of(number, *model.sizes) * size > MAX_ROWS:
            raise UnsupportedError("the model was made in Python, and has too many databases to be written")
        return Multisets(number, *model.sizes)
    if _all_written(model):
        return model.mechanism.all_databases()
    if not model.thetas:
        raise UnsupportedError("the model was made in Python, and has too many databases to be written")
    if sum(theta.count() for theta in model.thetas) * size * number > MAX_ROWS:
        raise UnsupportedError("the model was made in Python, and has too many worlds to be written")
    support = list(model.support())
    changed = (replaced(d, i, v) for d in support for i in range(size) for v in range(number))
    return dict.fromkeys([*support, *changed])


def setting_text(model: Model, *, mechanism: Mapping[str, Any] | None = None) -> str:
    """The text of a model file with the worlds of a model, what is protected, its policy, and a mechanism or none.

    Raises:
        UnsupportedError: for a model that names pairs of θ, each with several functions of what is known.

    """
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
    policy = {field: value for field, value in named.items() if mechanism is not None or field not in OF_OUTPUTS}
    tables |= {"policy": policy} if policy else {}
    return toml_text(tables if mechanism is None else {**tables, "mechanism": mechanism})


def _worlds(model: Model, theta: Any) -> Iterable[dict[str, Any]]:
    for database, known, secret, chance in worlds_of(model, theta):
        yield {
            "database": model.shown(database),
            **({} if known == NOTHING else {"knowledge": known.text}),
            **({} if secret is None else {"sensitive": secret.text}),
            "probability": number_text(chance),
        }


def policy_table(model: Model) -> dict[str, Any]:
    """The fields of [policy] that the model gives, as a model file writes them, with labels as texts."""
    writers = _Writer(model).writers()
    values = ((field, getattr(model.policy, field)) for field in writers)
    return {field.replace("_", "-"): writers[field](value) for field, value in values if value is not None}


class _Writer:
    """Writes the fields of a policy."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def value(self, position: int) -> str:
        """The text of a value."""
        return self.model.values[position].text

    def values(self, positions: Iterable[int]) -> list[str]:
        """The texts of some values, in the order of T."""
        return [self.value(v) for v in sorted(positions)]

    def databases(self, rows: Iterable[Database]) -> list[list[str]]:
        """Some databases, in order."""
        return [[self.model.values[v].text for v in row] for row in sorted(rows)]

    def database(self, row: Database) -> list[str]:
        """A database as the texts of its values."""
        return [self.model.values[v].text for v in row]

    def writers(self) -> dict[str, Callable[[Any], Any]]:
        """The function that writes each field."""
        plain = dict.fromkeys(("neighbours", "record", "group", "divergence"), lambda value: value)
        names = ("at_most", "gamma", "rate", "order", "error", "xi", "omega", "mu")
        return {
            **plain,
            **dict.fromkeys(names, number_text),
            "absent": self.value,
            "sensitive": self.values,
            "graph": lambda edges: sorted(self.values(edge) for edge in edges),
            "attributes": lambda rows: self._each([_texts(row) for row in rows]),
            "bits": lambda rows: self._each(list(rows)),
            "databases": lambda rows: [self.database(row) for row in rows],
            "fixed": self.database,
            "pairs": lambda rows: [[self.database(d), self.database(e)] for d, e in rows],
            "secrets": lambda rows: [[self.databases(first), self.databases(second)] for first, second in rows],
            "dependence": lambda rows: sorted(map(list, rows)),
            "levels": lambda rows: [_level(c) for c in rows],
            "scale": lambda rows: [[self.values(pair), _level(c)] for pair, c in rows],
            "tailored": lambda rows: [[self.value(t), self.database(d), _level(c)] for t, d, c in rows],
            "blocks": lambda rows: [list(row) for row in rows],
            "distance": self._distance,
            "statistic": lambda rows: [[self.database(d), number_text(value)] for d, value in rows],
            "adversaries": lambda rows: [[i, list(known)] for i, known in rows],
            "theta_pairs": lambda rows: [list(row) for row in rows],
            "theta_distances": lambda rows: [[x, y, _level(c)] for x, y, c in rows],
            "prior": lambda law: {self.value(v): number_text(p) for v, p in enumerate(law) if p},
            "tests": lambda rows: [{o.text: number_text(value) for o, value in row} for row in rows],
            "tradeoff": lambda rows: [list(map(number_text, row)) for row in rows],
            "predicate": lambda rows: [list(map(number_text, row)) for row in rows],
            "agg": lambda rows: [self._function(row) for row in rows],
            "coupled": lambda rows: [{"agg": self._function(a), "priv": self._function(b)} for a, b in rows],
            "views": lambda rows: [_labels(row) for row in rows],
            "leak": self._leak,
            "image": _labels,
        }

    def _each(self, rows: list[Any]) -> dict[str, Any]:
        return {self.value(v): row for v, row in enumerate(rows)}

    def _function(self, aggregate: Any) -> Any:
        """A function of a database: the positions that it tells, or its table."""
        if aggregate.table is None:
            return {"records": list(aggregate.positions)}
        return [[self.database(d), {o.text: number_text(p) for o, p in law}] for d, law in aggregate.table]

    def _leak(self, leak: Any) -> Any:
        """What leaks of each output, or with it on each database."""
        if not isinstance(leak, LeakLaws):
            return _labels(leak)
        return [
            {
                "database": self.database(database),
                "outputs": {
                    label([output, leaked]).text: number_text(Fraction(weight, law.denominator))
                    for output, leaked, weight in law.rows
                },
            }
            for database, law in leak.laws
        ]

    def _distance(self, distance: Any) -> Any:
        if isinstance(distance, str):
            return distance
        return [[self.database(d), self.database(e), _level(c)] for d, e, c in distance]


def _level(value: Fraction | None) -> str:
    return "inf" if value is None else number_text(value)


def _texts(row: Iterable[Label]) -> list[str]:
    return [label.text for label in row]


def _labels(rows: Iterable[tuple[Label, Label]]) -> dict[str, str]:
    return {output.text: seen.text for output, seen in rows}


WRITERS = {"outputs": simulators, "beliefs": beliefs}
"""What writes the proofs, by what a definition asks a simulator for."""
MAX_OUTPUTS = 1 << 15
"""Most outputs, over all pairs of laws of a definition of one's own, that are written out."""
Entry = dict[str, Any]


def fields_of(answer: Verdict, engine: Engine) -> Entry:
    """The fields of an answer's JSON that a check of it needs: `proof`, or `laws`; most answers need none.

    Of a model that points to files of tables it needs `model_text`, where their rows stand.
    """
    if answer.verdict in {"undecided", "unsupported"}:
        return {}
    definition, model = find(answer.definition), engine.model
    found = {
        "model_text": model.text if model.files else None,
        "proof": proof_of(answer, definition, engine),
        "laws": laws_of(answer, definition, engine),
    }
    return {name: value for name, value in found.items() if value is not None}


def proof_of(answer: Verdict, definition: Definition, engine: Engine) -> Entry | None:
    """The proof of an answer; None for definitions that are decided again, and where there is none, or a long one."""
    imitated = definition.comparisons.imitated
    if not imitated or answer.method == "sum":
        return None
    writer = WRITERS[imitated]
    try:
        return writer.proof(answer, engine) if writer.work(answer, engine) <= writer.MAX_STEPS else None
    except (UnsupportedError, LimitError):
        return None


def laws_of(answer: Verdict, definition: Definition, engine: Engine) -> Entry | None:
    """The field `laws`: what a definition of one's own compares; None for other definitions, and for long ones."""
    if not definition.own or definition.reads_policy:
        return None
    sets = definition.sets(engine, answer.reading)
    pairs = (term.pair for each in sets for comparison in each.comparisons for term in comparison.terms)
    if sum(len(pair.outputs) if isinstance(pair, Pair) else len(list(pair.rows())) for pair in pairs) > MAX_OUTPUTS:
        return None
    return {
        "measure": definition.measure.key,
        "compared": [_compared(comparison) for each in sets for comparison in each.comparisons],
        "empty": sum(each.members for each in sets if not each.comparisons),
    }


def _compared(comparison: Comparison) -> Entry:
    return {
        "multiplicity": comparison.multiplicity,
        "terms": [
            {"weight": number_text(Fraction(int(term.mass), int(comparison.total))), **_laws(term.pair)}
            for term in comparison.terms
        ],
    }


def _laws(pair: AnyPair) -> Entry:
    if isinstance(pair, Pair) and pair.q is None:
        total = sum(pair.p)
        p = {o.text: number_text(Fraction(x, total)) for o, x in zip(pair.outputs, pair.p, strict=True)}
        return {"p": p, "q": None}
    rows = list(pair.rows())
    return {which: {o.text: number_text(row[k]) for o, *row in rows if row[k]} for k, which in enumerate("pq")}


__all__ = ["ENCLOSED", "NOT_DERIVED", "TOO_LARGE", "UNDECIDED", "checked", "fields_of", "replayed", "word_on"]
