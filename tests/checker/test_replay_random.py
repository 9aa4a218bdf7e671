"""Random small models: answers are replayed, their certificate files are accepted; whatever is changed is rejected."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from examined import at_least_one
from filing import file_of, mutants, rejection, replayed, written
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_models import every_model
from strategies import Case, cases

import verifier as pk
from verifier.checker.search.scope import replay_search
from verifier.definitions import DEFINITIONS
from verifier.engine import Engine
from verifier.errors import PkdpError, UnsupportedError
from verifier.evidence.files import verdict_file
from verifier.questions.normalization.certificate import acceptability_file
from verifier.wings.search.api import search
from verifier.wings.search.certificates import search_file
from verifier.wings.search.orbits import count
from verifier.wings.search.scope import Scope

FOLDER = Path(mkdtemp(prefix="certificates"))
EPSILONS = ["0", "ln(2)", "1/10", "2*ln(3)/5", "inf", None]
WITH_ROOTS = [*EPSILONS[:4], "1/2*ln(2)", *EPSILONS[4:]]


@pytest.mark.sweep(2)
@given(cases())
@settings(max_examples=12)
def test_every_answer_is_replayed(case: Case) -> None:
    model = pk.build(**case.keys)
    engine = Engine(model)
    for definition in at_least_one(pk.DEFINITIONS.values()):
        for number, reading in at_least_one(enumerate(definition.readings)):
            for k, epsilon in at_least_one(enumerate(WITH_ROOTS[number % 2 :: 2])):
                delta = ["0", "1/7", "1/2"][k % 3]
                found = pk.check(model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine)
                assert found.verdict == "unsupported" or found.replayed is True


def model_of(case: Case) -> pk.Model:
    """The same model, as a file."""
    try:
        return written(FOLDER, file_of(case.keys))
    except PkdpError:  # a mechanism that no file can say
        assume(condition=False)
        raise


@pytest.mark.sweep(4)
@given(
    cases(), st.sampled_from(sorted(DEFINITIONS)), st.sampled_from(EPSILONS), st.sampled_from(["0", "1/7"]), st.data()
)
@settings(max_examples=40)
def test_certificates_of_random_models(
    case: Case, definition: str, epsilon: str | None, delta: str, data: st.DataObject
) -> None:
    model = model_of(case)
    engine = Engine(model)
    reading = data.draw(st.sampled_from(sorted(DEFINITIONS[definition].readings)))
    answer = pk.check(model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine)
    try:
        certificate: dict[str, Any] = json.loads(verdict_file(answer, engine, FOLDER))
    except UnsupportedError:
        assume(condition=False)
        raise
    found = replayed(certificate, FOLDER)
    assert (found.uncompared, found.model) == ("", "model.toml")
    # a number or a label of the tables changed: the file says otherwise
    every = [one for one in mutants(certificate) if one[0][0] not in {"question", "answer", "evidence"}]
    place, value, mutant = data.draw(st.sampled_from(every))
    reason = rejection(mutant, FOLDER)
    assert reason is not None, (place, value)
    assert "malformed" not in reason


@pytest.mark.sweep(2)
@given(cases(), st.data())
@settings(max_examples=8)
def test_acceptability_of_random_models(case: Case, data: st.DataObject) -> None:
    model = model_of(case)
    certificate: dict[str, Any] = json.loads(acceptability_file(model, beside=FOLDER))
    assert replayed(certificate, FOLDER).uncompared == ""
    told = {(one["distribution"], one["record"]): one["acceptable"] for one in certificate["answers"]}
    record = {(one.distribution, "S" if one.record is None else one.record): one.acceptable
              for one in pk.acceptable(model)}  # fmt: skip
    assert told == record
    names = [("parameters", k, "name") for k in range(2)]
    every = [one for one in mutants(certificate) if one[0][2:] not in names]
    place, value, mutant = data.draw(st.sampled_from(every))
    assert rejection(mutant, FOLDER) is not None, (place, value)


@pytest.mark.sweep(2)
@given(cases(), st.sampled_from(["np", "ppkdp", "cdp"]), st.data())
@settings(max_examples=8)
def test_sums_of_random_models(case: Case, definition: str, data: st.DataObject) -> None:
    model = model_of(case)
    engine = Engine(model, 1 << 16, "sum")
    certificate: dict[str, Any] = {}
    with suppress(PkdpError):
        answer = pk.check(model, definition, epsilon="ln(2)", delta="1/7", engine=engine)
        certificate = json.loads(verdict_file(answer, engine, FOLDER))
    assume(certificate.get("engine") == "sums")
    assert replayed(certificate, FOLDER).uncompared == ""
    every = [one for one in mutants(certificate) if one[0][0] not in {"question", "answer"}]
    place, value, mutant = data.draw(st.sampled_from(every))
    assert rejection(mutant, FOLDER) is not None, (place, value)


SCOPES = [
    Scope(1, 2, 2, 2, weights=2, mechanism_weights=1),
    Scope(2, 2, 2, 1, weights=2, mechanism_weights=1),
    Scope(1, 3, 2, 2, weights=2, mechanism_weights=2),
    Scope(2, 2, 2, 2, weights=2, mechanism_weights=1, first_only=True),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("scope", SCOPES, ids=str)
@pytest.mark.parametrize(
    ("claim", "loose"),
    [("np(e) => np(2*e)", True), ("cdp(ln(2)) => cdp(ln(3))", True), ('np(reading="one-order") => np', True)],
)
def test_the_replay_counts_scopes_as_they_are(scope: Scope, claim: str, loose: bool) -> None:  # noqa: FBT001
    result = search(claim=claim, scope=scope, vacuous=loose)
    content = json.loads(search_file(result))
    assert content["models"] == len(every_model(scope)) == scope.models
    assert content["orbits"] == count(scope, result.question.symmetry).orbits
    if result.verdict == "none in scope":
        assert replay_search({key: one for key, one in content.items() if key not in HEADER}) == ""


HEADER = {"format", "kind", "model", "sha256", "part"}


@given(st.sampled_from(SCOPES), st.data())
@settings(max_examples=15)
def test_searches_are_decided_alike(scope: Scope, data: st.DataObject) -> None:
    """Where the search finds nothing, the checker goes through the scope and finds nothing."""
    atoms = ["np", "np(e)", "cdp(e)", "np(2*e)", "ppkdp(e)", "cdp(ln(2))", "dp(1/2*e)", "np(0, 1/3)", "ibcdp(e)",
             "independent", "deterministic", "acceptable", "tail-apkdp(e, 1/4)",
             "np(e, d)", "ppkdp(e, d)", "cdp(e, 1/2*d)", "ibcdp(e, 2*d + 1/4)", "np(ln(2), d)", "np(e, 1/4)",
             "no-knowledge", "informed"]  # fmt: skip
    first, second = (data.draw(st.sampled_from(atoms)) for _ in "12")
    join = data.draw(st.sampled_from(["=>", "or", "iff", "and"]))
    vacuous = data.draw(st.booleans())
    result = search(claim=f"{first} {join} {second}", scope=scope, vacuous=vacuous)
    content = json.loads(search_file(result))
    counted = replayed(content, FOLDER).counted
    assume("multiple" not in counted)
    assert counted == ""
    if result.separation is not None:
        denied = {**content, "verdict": "none in scope", "found": None}
        reason = rejection(denied, FOLDER)
        assert reason is not None
        assert "a model that was not found" in reason
