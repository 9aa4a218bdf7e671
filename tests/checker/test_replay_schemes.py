"""The independent re-check of the definitions of DP22: answers are accepted, forged ones and other definitions not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from filing import certified, refusal, rejection, written
from filing import replayed as replayed_file
from forging import named_forgery
from strategies_policy import PolicyModel

import verifier as pk
from verifier.checker import Rejected
from verifier.checker import judge as replay
from verifier.checker.survey.definitions import SURVEY
from verifier.definitions.scheme.decide import Scheme
from verifier.definitions.verdict import Verdict
from verifier.engine import Engine
from verifier.evidence import certificate, replayed
from verifier.evidence.schemes import policy_table
from verifier.model import loads
from verifier.model.library import models_folder
from verifier.questions.atlas import atlas_of
from verifier.show.atlas import atlas_sheet

KINDS = ("lists", "gaps", "multisets")
EPSILONS = (None, "0", "ln(2)", "ln(3/2)", "1/3*ln(2)", "1/2", "inf")
DECIDED = {"holds", "fails", "vacuous"}
WITHOUT_VIEWS = {"wfdp", "sfdp"}
"""What no random model has the fields for."""


def random_model(seed: int) -> pk.Model:
    return loads(PolicyModel(Random(seed), KINDS[seed % 3]).text, "")  # noqa: S311


def answer_to(engine: Engine, key: str, epsilon: str | None, delta: str) -> Verdict:
    """The answer, at δ = 0 where the definition has no δ, and without an ε where it has none."""
    definition = pk.atlas[key]
    no_epsilon = {"fdp", "gcdp-kl", "absdp"}
    return pk.check(
        engine.model,
        definition,
        engine=engine,
        replay=False,
        epsilon=None if key in no_epsilon else epsilon,
        delta=delta if has_curve(key) else 0,
    )


def has_curve(key: str) -> bool:
    return key in {
        "adp", "prodp", "reldp", "psdp", "wbdp", "baydp-tf", "dnpr", "pbdp", "pdnpr", "advpr", "bldp", "subdp",
    }  # fmt: skip


def certificates(seed: int, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Certificates of some definitions on a random model."""
    random = Random(-seed)  # noqa: S311
    model = random_model(seed)
    engine = Engine(model)
    for key in random.sample(list(SURVEY), count):
        answer = answer_to(engine, key, random.choice(EPSILONS), random.choice(("0", "1/20", "1/4")))
        if answer.verdict in DECIDED:
            yield key, certificate(answer, engine)


# --- answers are accepted ---------------------------------------------------------------------------------------------


@pytest.mark.sweep(4)
@pytest.mark.parametrize("part", range(8))
def test_answers_on_random_models_are_accepted(part: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(36 * part, 36 * part + 36):
        for key, evidence in certificates(seed, 6):
            try:
                replay.replay(evidence)
            except Rejected as error:
                raise AssertionError(f"{key} of the random model {seed}: {error}") from None
            met[key] += 1
    assert met.total() > 60
    assert len(met) > 35


def test_every_definition_of_the_scheme_has_certificates() -> None:
    """On models of lists, lists with gaps, and multisets: every key that is decided is derived."""
    derived: set[str] = set()
    for seed in (1, 3, 5, 12, 16, 20):
        model = random_model(seed)
        engine = Engine(model)
        for key in sorted(set(SURVEY) - derived - WITHOUT_VIEWS):
            answer = answer_to(engine, key, None, "0")
            if answer.verdict in DECIDED:
                assert replayed(answer, engine).replayed, (seed, key)
                derived.add(key)
    scheme = {key for key in pk.atlas if isinstance(pk.atlas[key].compare, Scheme)}
    assert derived == scheme & set(SURVEY) - WITHOUT_VIEWS
    assert len(derived) >= 67


MODELS = (
    "DMKB20/example-1-side.toml", "DMKB20/example-6-vote-alone.toml", "DKM19/section-4.4-tail.toml",
    "DKM19/definition-5-impossible-value.toml", "LQS12/theorem-3.11.toml",
)  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_answers_on_models_of_the_texts_are_accepted(name: str) -> None:
    engine = Engine(pk.read(models_folder() / name))
    answers = [answer_to(engine, key, "ln(2)", "1/10") for key in SURVEY]
    decided = [replayed(answer, engine) for answer in answers if answer.verdict in DECIDED]
    assert len(decided) > 7
    assert all(answer.replayed for answer in decided)


@pytest.mark.parametrize("divergence", ["ratio", "kl", "spread", "chi-squared", "total-variation", "semantic", "abs-1"])
def test_each_divergence_that_a_policy_names_is_known(divergence: str) -> None:
    """Two laws with the same outputs, and two of which each has one that the other lacks."""
    for last in ("y", "z"):
        laws = {"a": {"x": "1/5", "y": "4/5"}, "b": {"x": "1/4", last: "3/4"}}
        table = [{"database": [value], "outputs": law} for value, law in laws.items()]
        policy = {"divergence": divergence}
        model = pk.build(size=1, values=["a", "b"], mechanism={"table": table}, policy=policy)
        assert pk.check(model, "divdp").replayed


# --- forged answers are refused ---------------------------------------------------------------------------------------


def forgeries(evidence: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every claim of an answer, changed one at a time."""
    answer = evidence["answer"]

    changed = partial(named_forgery, evidence)

    for verdict in sorted(DECIDED - {answer["verdict"]}):
        yield changed("verdict", "answer", "verdict", verdict)
    value: str | None
    for value in (None, "0", "ln(7/3)", "1/17", "inf", "[0.123456789012, 0.123456789013]"):
        if value != answer["tight_epsilon"]:
            yield changed("tight ε", "answer", "tight_epsilon", value)
    for value in ("1/17", "99/100", None):
        if value != answer["tight_delta"]:
            yield changed("tight δ", "answer", "tight_delta", value)
    yield changed("comparisons", "answer", "comparisons", 10**6)
    yield changed("empty", "answer", "empty", 1)
    side = "witness" if answer["witness"] is not None else "tightest"
    row = answer[side]
    if row is None:
        return
    yield changed("no row", "answer", side, None)
    wrong: dict[str, Any] = {
        "distribution": "sideways", "record": 7, "direction": "M([9]) against M([8])", "at_epsilon": "ln(7/3)",
        "value": "1/17", "probability_a": "1/17", "probability_b": "1/17", "event": ["y", "y"], "knowledge": "0",
        "databases": [["0"], ["9"]],
    }  # fmt: skip
    for key, value in wrong.items():
        yield changed(key, "answer", side, key, value)
    if row["databases"] is not None and row["databases"][0] != row["databases"][1]:
        yield changed("order", "answer", side, "databases", row["databases"][::-1])


def other_law(evidence: dict[str, Any]) -> dict[str, Any]:
    """The certificate with the laws of the mechanism one database further on."""
    forged = deepcopy(evidence)
    laws = [law for _, law in evidence["mechanism"]]
    forged["mechanism"] = [[row[0], laws[k - 1]] for k, row in enumerate(evidence["mechanism"])]
    return forged


@pytest.mark.sweep(3)
@pytest.mark.parametrize("part", range(3))
def test_forged_answers_are_refused(part: int) -> None:
    tried: Counter[str] = Counter()
    for seed in range(600 + 8 * part, 608 + 8 * part):
        for key, evidence in certificates(seed, 10):
            for name, forged in forgeries(evidence):
                assert refusal(forged) is not None, f"{name} of {key} on the random model {seed}: {evidence['answer']}"
                tried[name] += 1
    assert all(tried[name] > 8 for name in ("verdict", "tight ε", "tight δ", "direction", "value", "order"))


def test_another_mechanism_is_refused() -> None:
    """Where the laws of the mechanism are moved, most answers change, and the replay says so."""
    refused = counted = 0
    for seed in range(700, 730):
        for _, evidence in certificates(seed, 8):
            if evidence["answer"]["verdict"] == "vacuous" or evidence["answer"]["tight_epsilon"] in {"inf", None, "0"}:
                continue
            counted += 1
            refused += refusal(other_law(evidence)) is not None
    assert counted > 20
    assert refused >= counted * Fraction(9, 10)


# --- certificate files, against their model file ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 3, 5, 6, 9, 12])
def test_files_are_compared_with_their_model(seed: int, tmp_path: Path) -> None:
    kind = KINDS[seed % 3]
    model = written(tmp_path, PolicyModel(Random(seed), kind).text)  # noqa: S311
    for key in ("grdp", "psdp", "randp", "anpr", "taidp", "samdp"):
        answer = answer_to(Engine(model), key, "ln(2)", "0")
        if answer.verdict not in DECIDED:
            continue
        evidence = certified(model, tmp_path, key, epsilon="ln(2)")
        assert replayed_file(evidence, tmp_path).uncompared == ""
        others = {**evidence["policy"], "xi": "1"}
        assert "the policy" in str(rejection({**evidence, "policy": others}, tmp_path))
        longer = [*evidence["policy"]["predicate"], ["1", "1", "9"]]
        others = {**evidence["policy"], "predicate": longer}
        assert "the policy" in str(rejection({**evidence, "policy": others}, tmp_path))
        assert rejection({**evidence, "sha256": "0" * 64}, tmp_path) is not None


def test_a_certificate_has_every_field_of_the_policy() -> None:
    """None is left out: what a file gives is what the certificate's policy names."""
    written_fields: set[str] = set()
    for path in sorted((models_folder() / "atlas").glob("*.toml")):
        policy = pk.read(path).policy
        given_fields = {
            field.name.replace("_", "-") for field in fields(policy) if getattr(policy, field.name) is not None
        }
        assert set(policy_table(pk.read(path))) == given_fields, path.name
        written_fields |= given_fields
    assert len(written_fields) > 25


# --- what users see ---------------------------------------------------------------------------------------------------


def test_the_sheet_of_all_definitions_says_how_many_were_re_checked() -> None:
    model = random_model(1)
    entries = atlas_of(model)
    last = atlas_sheet(model, entries).notes[-1]
    decided = [entry.verdict for entry in entries if entry.verdict.verdict != "unsupported"]
    replayed_number = sum(bool(answer.replayed) for answer in decided)
    assert replayed_number > 20
    assert last.startswith(f"Re-checked by the independent replay: {replayed_number} of {len(decided)}")
    assert atlas_sheet(model, entries, recheck="left out").notes[-1] == "left out"
