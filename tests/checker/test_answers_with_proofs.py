"""Answers that bring a proof: simulators, laws of one's own, searches. Honest ones are confirmed, forgeries refused.

The forgeries stand in `tests/attack/proofs/NAME.jsonl`, and are written as those of `tests/attack/forgeries.py`.
"""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attack.forgeries import ASKED, OWN, forged, model_named
from filing import mutants
from hypothesis import given, settings
from hypothesis import strategies as st
from rechecked import checker_word
from strategies_policy import PolicyModel, with_centres
from strategies_search import statements, structured

import verifier as pk
from verifier.checker.answers import Word, checked
from verifier.checker.models import Model
from verifier.checker.numbers import BeyondLimits, Rejected, Wrong
from verifier.checker.reading import read_json
from verifier.checker.statements import Case, Claim, Undecided, parsed
from verifier.definitions import DEFINITIONS, load
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.model.write import inline
from verifier.questions.statement import Statement
from verifier.recheck import fields_of, text_of
from verifier.wings.search.api import search
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.file import file_text
from verifier.wings.search.statement_truth import decide

PROOFS = Path(__file__).parents[1] / "attack" / "proofs"
Document = dict[str, Any]
SIMULATORS: dict[str, tuple[pk.Model, str, dict[str, Any]]] = {}
SEARCHES: dict[str, dict[str, Any]] = {
    "none": {"claim": "independent => np(e) iff cdp(e)", "weights": 2, "mechanism_weights": 1},
    "separated": {"satisfies": "np(e)", "violates": "cdp(2*e)", "weights": 2},
    "twice": {"claim": "independent-records => cdp(e) => twice(cdp)"},
    "vacuous": {"claim": "np(e) => dp(e)", "records": 1, "knowledge": 2, "weights": 2, "vacuous": True},
    "policy": {
        "satisfies": "osdp(epsilon=ln(2))", "violates": "dp(epsilon=ln(2))", "policy": "sensitive = [0]", "records": 1,
        "weights": 1,
    },
    "all": {"satisfies": ["np(e, d)", "not constant", "every-value-possible"], "weights": 2, "records": 1},
}  # fmt: skip
for _table in ("simulators", "schemes", "own"):
    for _base, _one in ASKED[_table].items():
        _asked = {name: x for name, x in _one.items() if name not in {"model", "definition", "verdict"}}
        if _one["definition"] != "bldp":
            SIMULATORS[_base] = model_named(_one["model"]), _one["definition"], _asked


@cache
def honest_text(base: str) -> str:
    if base in SEARCHES:
        return json.dumps({**search(**SEARCHES[base]).to_json(), "seconds": 1})
    model, definition, question = SIMULATORS[base]
    if definition == "passive-cdp" and definition not in DEFINITIONS:
        load(OWN)
    engine = Engine(model)
    answer = pk.check(model, definition, engine=engine, **question)
    return json.dumps({**answer.to_json(), **fields_of(answer, engine)})


def honest(base: str) -> Document:
    """An honest answer, as it stands in a file."""
    found: Document = json.loads(honest_text(base))
    return found


def word(document: Document, base: str) -> Word:
    """What the checker says of it."""
    return checked(json.loads(json.dumps(document)), None if base in SEARCHES else Model(SIMULATORS[base][0].text))


FORGERIES = [
    json.loads(line)
    for table in ("simulators", "own", "searches")
    for line in (PROOFS / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("base", [*SIMULATORS, *SEARCHES])
def test_an_honest_answer_is_confirmed(base: str) -> None:
    found = word(honest(base), base)
    assert found.word == "confirmed"
    assert "not " not in found.why


@pytest.mark.parametrize("one", FORGERIES, ids=lambda one: f"{one['base']}, {one.get('name', one['changes'])}"[:80])
def test_a_forgery_is_refused_for_its_reason(one: Document) -> None:
    false = forged(honest(one["base"]), one["changes"])
    assert json.dumps(false) != honest_text(one["base"]), "no forgery"
    found = checker_word(false, None if one["base"] in SEARCHES else SIMULATORS[one["base"]][0].text)
    assert found.word != "confirmed"
    assert re.search(one["reason"], found.text), found.text


def test_the_seconds_of_a_search_may_be_a_decimal_number() -> None:
    text = json.dumps({**honest("none"), "seconds": 0.25})
    assert checked(read_json(text), None).word == "confirmed"


# --- every part counts ------------------------------------------------------------------------------------------------

FREE = {
    "schema", "version", "sha256", "model", "method", "reason", "note", "why", "replayed", "kind", "measure", "title",
    "direction", "tight_epsilon_decimal", "tight_delta_decimal", "scope", "seconds", "checked_once", "synthesis",
    "members", "weight", "answers", "models_checked", "orbits_checked", "tests", "simulator", "share", "delta", "value",
    "complete", "allow_vacuous",
}  # fmt: skip
"""What is for people, or compared elsewhere; and below which another proof of the same may stand."""
NAMED = {"distribution", "record", "a", "b", "knowledge", "output", "databases", "laws", "at_epsilon"}
"""What the witness of one's own definition names: where its laws come from is not derived."""
MUTATED: list[tuple[str, int, set[str]]] = [
    ("smallest", 3, set()), ("delta", 3, set()), ("fails", 3, set()), ("multiset", 7, set()), ("own", 23, NAMED),
    ("separated", 1, {"undecided", "values"}), ("none", 1, set()),
]  # fmt: skip


@pytest.mark.parametrize(("base", "step", "free"), MUTATED)
def test_every_number_and_label_counts(base: str, step: int, free: set[str]) -> None:
    """Any change of one text or number is refused, and never by a traceback."""
    looked_at = 0
    for place, _, other in islice(mutants(honest(base)), 0, None, step):
        try:
            found = word(other, base)
        except (Wrong, BeyondLimits):
            continue
        looked_at += 1
        assert found.word != "confirmed" or (FREE | free) & set(place), (place, found)
    assert looked_at > 20


# --- statements, side by side with the program ------------------------------------------------------------------------

ABOUT: list[Document] = tomllib.loads((Path(__file__).parent / "statements.toml").read_text("utf-8"))["about"]


def case_of(about: Document) -> Case:
    """A model of one θ by the words of `statements.toml`."""
    databases = list(about["mechanism"])
    rows = [f'{{ database = {list(d)}, knowledge = "{k}", probability = "{p}" }}' for (d, k), p in
            ((world.split(), p) for world, p in about["worlds"].items())]  # fmt: skip
    table = [f"{{ database = {list(d)}, outputs = {inline(law)} }}" for d, law in about["mechanism"].items()]
    text = f'size = {len(databases[0])}\nvalues = ["0", "1"]\n[[distribution]]\ntable = [{", ".join(rows)}]\n'
    text += f"[sensitive]\nrecords = {about['secrets']}\n" if "secrets" in about else ""
    return Case(Model(f"{text}[mechanism]\ntable = [{', '.join(table)}]\n"))


BY_HAND = [(about, text, how) for about in ABOUT for how in ("true", "false") for text in about.get(how, ())]


@pytest.mark.parametrize(("about", "text", "how"), BY_HAND, ids=lambda one: one if isinstance(one, str) else "")
def test_statements_by_hand(about: Document, text: str, how: str) -> None:
    truths = list(Claim(parsed(text)).decided(case_of(about), {}))
    assert all(lenient == strict for lenient, strict in truths)
    assert all(lenient for lenient, _ in truths) == (how == "true")


NO_STATEMENTS = [
    "", "np(e", "np and", "(np", "np)", "=> np", "np np", "np(ln(2), 1/10, 1/5)", "np(0*e)", "np(e, 3/2)",
    "np(delta=1/10, delta=1/5)", "post(constant)",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_STATEMENTS)
def test_what_is_no_statement_is_refused(text: str) -> None:
    with pytest.raises((Wrong, Rejected)):
        parsed(text)


@pytest.mark.parametrize("joined", ["({} iff np(e))", "({0} => np(e)) and ({0})", "not ({} iff not np(e))"])
def test_a_statement_that_grows_when_it_is_written_out_is_not_decided(joined: str) -> None:
    text = "np(e)"
    while len(text) < 1000:
        text = joined.format(text)
    with pytest.raises((Undecided, Rejected), match=r"more than 64 definitions|nested too deeply"):
        parsed(text)


@pytest.mark.sweep(3)
@given(one=structured(), claim=statements(depth=3))
@settings(max_examples=60, deadline=None)
def test_statements_are_as_true_as_the_program_says(one: Candidate, claim: Statement) -> None:
    model = one.model()
    truth = decide(claim, model)
    read = Model(file_text(one, "", "", []))
    case = Case(read)
    try:
        vacuous = Claim(parsed(str(claim))).wanted(case, {}, refuted=True)
    except (Undecided, BeyondLimits):
        return
    if truth.value is not None:
        assert truth.value is (vacuous is None)
        assert truth.value or truth.vacuous is vacuous


@pytest.mark.parametrize(
    ("name", "most", "models", "orbits"),
    [
        ("records", 4, 2 + 4 + 8 + 16, 1 + 2 + 2 + 3),
        ("values", 5, 2 + 3 + 4 + 5, 4),
        ("outputs", 6, 2 + 2 * 2, 1 + 1),
        ("knowledge", 6, 2, 1),
        ("weights", 1000, 1001, 501),
        ("mechanism_weights", 1000, 2, 1),
    ],
)
def test_the_largest_scopes(name: str, most: int, models: int, orbits: int) -> None:
    """By hand: a point of Tⁿ up to renaming, or two weights of a sum; one output, or two that tell the points apart."""
    smallest = {"records": 1, "values": 2, "outputs": 1, "knowledge": 1, "weights": 1, "mechanism_weights": 1}
    counts = {"models_in_scope": models, "orbits_in_scope": orbits, "models_checked": models, "orbits_checked": orbits}
    document = {
        **honest("none"), **counts, "within": {**smallest, name: most, "first_only": False}, "satisfies": [],
        "violates": "np(e) => np(2*e)",
    }  # fmt: skip
    assert "each decided again" in word(document, "none").why
    larger = {**document, "within": {**document["within"], name: most + 1}}
    assert word(larger, "none").why == f"within: {name} = {most + 1}. Expected at most {most}"
    for wrong in ({"models_in_scope": models + 1}, {"orbits_in_scope": orbits + 1}):
        assert word({**document, **wrong}, "none").word == "rejected"


# --- simulators, where the proof is cut or left out -------------------------------------------------------------------


NOISE = {"then": [{"kind": "geometric-noise", "p": "1/2"}]}


@pytest.mark.parametrize("key", ["ddp", "zkpr"])
def test_the_program_may_cut_noise_nearer_than_the_checker(key: str) -> None:
    """A count above 0 is 1: the program puts 0 into the tail `< 1`, and the checker cuts below 0."""
    count = {"kind": "threshold-count", "value": 0, "above": 0, **NOISE}
    policy = {"agg": ["constant"]}
    model = pk.build(size=1, values=[0, 1], distribution={"iid": "uniform"}, mechanism=count, policy=policy)
    engine = Engine(model, force="rows")
    assert pk.check(model, key, epsilon="ln(3/2)", delta="1/20", engine=engine).replayed


@pytest.mark.parametrize("key", ["ddp", "ibddp", "zkpr"])
def test_a_tail_in_a_proof_is_the_outputs_inside_it(key: str) -> None:
    """The checker keeps -3 to 7 apart, and the proof has `< 0` and `> 2`; what leaves an output out is refused."""
    count, policy = {"kind": "count", "value": 0, **NOISE}, {"agg": ["constant"]}
    model = pk.build(size=2, values=[0, 1], distribution={"iid": "uniform"}, mechanism=count, policy=policy)
    engine = Engine(model, force="rows")
    answer = pk.check(model, key, epsilon="ln(2)", delta="0" if key == "ibddp" else "1/20", engine=engine)
    document = json.loads(json.dumps({**answer.to_json(), **fields_of(answer, engine)}))
    finer = Model(model.text or text_of(model)[0]).kept_apart({-3, 7})
    assert '"< 0": ' in json.dumps(document["proof"])
    assert checked(document, finer).word == "confirmed"
    document["proof"] = json.loads(json.dumps(document["proof"]).replace("< 0", "< -3"))
    assert checked(document, finer).word == "rejected"


def test_a_group_with_an_output_in_common_needs_no_simulator_in_the_limit() -> None:
    """Of `apart` no δ below 1/2 is enough at any ε; in `alike` each database may put out `y`."""
    model = pk.loads("""
    size = 1
    values = ["0", "1"]
    distribution = [{ name = "apart", iid = "uniform" }, { name = "alike", iid = { 1 = 1 } }]
    mechanism = { table = [{ database = ["0"], outputs = { n = 1 } }, { database = ["1"], outputs = { y = 1 } }] }
    policy = { gamma = "0" }
    """)
    answer = pk.check(model, "typst", epsilon="inf", delta="1/10")
    assert answer.replayed
    assert answer.to_json()["tight_delta"] == "1/2"


# --- random answers go through ----------------------------------------------------------------------------------------


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(6))
def test_random_answers_about_simulators_go_through(seed: int) -> None:
    random = Random(f"proofs {seed}")  # noqa: S311
    confirmed = 0
    for _ in range(6):
        text = with_centres(random, PolicyModel(random, random.choice(("lists", "gaps"))))
        model = pk.loads(text)
        for key in ("ddp", "ibddp", "zkpr", "cwpr", "ibcwpr", "typst"):
            delta = "0" if key in {"ibddp", "ibcwpr"} else random.choice(("0", "1/10", "1/3"))
            epsilon = random.choice((None, "ln(2)", "1/10", "inf"))
            engine = Engine(model)
            try:
                answer = pk.check(model, key, epsilon=epsilon, delta=delta, engine=engine)
            except (LimitError, UnsupportedError):
                continue
            fields = fields_of(answer, engine)
            if answer.verdict not in {"unsupported", "undecided"} and fields:
                found = checked(json.loads(json.dumps({**answer.to_json(), **fields})), Model(text))
                assert found.word == "confirmed", (text, key, epsilon, delta, found)
                confirmed += 1
    assert confirmed > 3


@pytest.mark.sweep(3)
@given(
    claim=statements(depth=3),
    records=st.integers(1, 2),
    knowledge=st.integers(1, 2),
)
@settings(max_examples=8, deadline=None)
def test_random_searches_go_through(claim: Statement, records: int, knowledge: int) -> None:
    result = search(claim=claim, weights=2, mechanism_weights=2, records=records, knowledge=knowledge)
    if result.exit_status == 3:
        return
    found = checked(json.loads(json.dumps(result.to_json())), None)
    assert found.word == "confirmed", found
