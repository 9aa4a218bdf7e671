"""The independent re-check of DP22's definitions: answers are accepted, forged ones and other mechanisms are not.

Definitions are of three sorts: what compares pairs of laws, what a simulated centre answers (DP22, section 8), and what
simulators leave to be believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from examined import at_least_one
from filing import certified, refusal, rejection, written
from filing import replayed as replayed_file
from forging import named_forgery
from strategies_policy import PolicyModel, with_centres

import verifier as pk
from verifier.checker import Beyond, Rejected, judge
from verifier.checker.judge import IMITATED
from verifier.checker.simulators.beliefs import Inferences
from verifier.checker.simulators.simulator import ContextRow
from verifier.checker.survey.definitions import SURVEY
from verifier.definitions.centres import simulator_ibddp
from verifier.definitions.scheme import Scheme
from verifier.engine import Engine
from verifier.evidence import certificate, has_certificate, replayed
from verifier.evidence.schemes import policy_table
from verifier.model import loads
from verifier.model.library import models_folder
from verifier.model.write import inline

Forged = Iterator[tuple[str, dict[str, Any]]]
EPSILONS = (None, "0", "ln(2)", "ln(3/2)", "1/3*ln(2)", "1/2", "inf")
DELTAS = ("0", "0", "1/20", "1/4")
DECIDED = ("holds", "fails", "vacuous")
WITHOUT_VIEWS = {"wfdp", "sfdp"}
"""What no random model has the fields for."""
INFERRED = ("ibcwpr", "ibddp")
HUGE = "ln(1000000000000000000000000)"


def pairs_text(seed: int) -> str:
    """A random model of lists, of lists with gaps, or of multisets."""
    return PolicyModel(Random(seed), ("lists", "gaps", "multisets")[seed % 3]).text  # noqa: S311


def centres_text(seed: int) -> str:
    random = Random(seed)  # noqa: S311
    return with_centres(random, PolicyModel(random, "lists"))


def inferred_text(seed: int) -> str:
    """In every second model Γ has the value of each record, with the others to tell."""
    random = Random(seed)  # noqa: S311
    model = PolicyModel(random, "lists")
    text = with_centres(random, model)
    if seed % 2:
        others = {i: [j for j in range(model.size) if j != i] for i in range(model.size)}
        each = [{"agg": {"records": others[i]}, "priv": {"records": [i]}} for i in others if others[i]]
        each = each or [{"agg": {"records": []}, "priv": {"records": [0]}}]
        text = f"{text[: text.index('coupled = ')]}coupled = {inline(each)}\n"
    return text


class Sort(NamedTuple):
    """Random models by their seeds, and how many of some definitions are asked of each, how often."""

    text: Callable[[int], str]
    keys: tuple[str, ...]
    asked: int
    times: int
    seeds: int


SORTS = {
    "pairs": Sort(pairs_text, tuple(SURVEY), 6, 1, 36),
    "centres": Sort(centres_text, IMITATED, len(IMITATED), 2, 12),
    "inferred": Sort(inferred_text, INFERRED, len(INFERRED), 2, 12),
}


@cache
def engine_of(sort: str, seed: int) -> Engine:
    return Engine(loads(SORTS[sort].text(seed), ""))


def answer_to(engine: Engine, key: str, epsilon: str | None, delta: str = "0") -> pk.Answer:
    """The answer, at δ = 0 where the definition has no δ, and without an ε where it has none."""
    definition = pk.atlas[key]
    epsilon = epsilon if definition.has_epsilon else None
    answer = pk.check(engine.model, definition, engine=engine, replay=False, epsilon=epsilon, delta=delta)
    if answer.verdict == "unsupported" and delta != "0":
        return answer_to(engine, key, epsilon)
    return answer


def answers(sort: str, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Certificates of some definitions on a random model."""
    random, engine, one = Random(f"{sort} {seed}"), engine_of(sort, seed), SORTS[sort]  # noqa: S311
    for key in random.sample(one.keys, one.asked) * one.times:
        answer = answer_to(engine, key, random.choice(EPSILONS), random.choice(DELTAS))
        if answer.verdict in DECIDED and has_certificate(answer, engine):
            yield key, certificate(answer, engine)


def parts(*counts: int) -> pytest.MarkDecorator:
    """A case for each part of the seeds of each sort."""
    return pytest.mark.parametrize(
        ("sort", "part"), [(sort, part) for sort, count in zip(SORTS, counts, strict=True) for part in range(count)]
    )


# --- answers are accepted ---------------------------------------------------------------------------------------------


@pytest.mark.sweep(4)
@parts(3, 1, 1)
def test_answers_on_random_models_are_accepted(sort: str, part: int) -> None:
    met: Counter[str] = Counter()
    seeds = SORTS[sort].seeds
    for seed in range(seeds * part, seeds * (part + 1)):
        for key, evidence in answers(sort, seed):
            try:
                judge.replay(evidence)
            except Beyond:  # a number that is too long for it
                continue
            except Rejected as error:
                raise AssertionError(f"{key} on {seed}: {error}") from None
            met[key] += 1
            met[evidence["answer"]["verdict"]] += 1
            met["enclosed"] += sort == "inferred" and evidence["evidence"]["needed"] is not None
    assert met["holds"] > 2 < met["fails"]
    assert len(set(SORTS[sort].keys) & met.keys()) > min(35, len(SORTS[sort].keys) - 1)
    assert sort != "inferred" or met["enclosed"] > 2


def test_every_definition_of_the_scheme_has_certificates() -> None:
    """On models of lists, lists with gaps, and multisets: every key that is decided is derived."""
    derived: set[str] = set()
    for seed in (1, 3, 5, 12, 16, 20):
        engine = engine_of("pairs", seed)
        for key in sorted(set(SURVEY) - derived - WITHOUT_VIEWS):
            answer = answer_to(engine, key, None)
            if answer.verdict in DECIDED:
                assert replayed(answer, engine).replayed, (seed, key)
                derived.add(key)
    scheme = {key for key in pk.atlas if isinstance(pk.atlas[key].compare, Scheme)}
    assert derived == scheme & set(SURVEY) - WITHOUT_VIEWS
    assert len(derived) >= 67


@pytest.mark.parametrize("name", ["DMKB20/example-6-vote-alone", "DKM19/section-4.4-tail", "LQS12/theorem-3.11"])
def test_answers_on_models_of_the_texts_are_accepted(name: str) -> None:
    engine = Engine(pk.read(models_folder() / f"{name}.toml"))
    decided = [
        replayed(answer, engine).replayed
        for key in SURVEY
        if (answer := answer_to(engine, key, "ln(2)", "1/10")).verdict in DECIDED
    ]
    assert all(decided)
    assert len(decided) > 7


@pytest.mark.parametrize("divergence", ["ratio", "kl", "spread", "chi-squared", "total-variation", "semantic", "abs-1"])
def test_each_divergence_that_a_policy_names_is_known(divergence: str) -> None:
    """Two laws with the same outputs, and two of which each has one that the other lacks."""
    for last in ("y", "z"):
        laws = {"a": {"x": "1/5", "y": "4/5"}, "b": {"x": "1/4", last: "3/4"}}
        table = [{"database": [value], "outputs": law} for value, law in laws.items()]
        policy = {"divergence": divergence}
        model = pk.build(size=1, values=["a", "b"], mechanism={"table": table}, policy=policy)
        assert pk.check(model, "divdp").replayed


def test_the_ends_are_those_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the smallest ε is near 0, or only known to a few bits, its two ends are proved all the same."""
    monkeypatch.setattr(simulator_ibddp, "WITHIN", 3)
    for seed in range(100, 112):
        for key, evidence in at_least_one(answers("inferred", seed)):
            assert refusal(evidence) is None, (seed, key)


# --- forged answers are refused ---------------------------------------------------------------------------------------


def forgeries(evidence: dict[str, Any]) -> Forged:
    """Every claim of an answer, and every piece of its evidence, changed one at a time."""
    answer, changed = evidence["answer"], partial(named_forgery, evidence)
    for verdict in sorted({*DECIDED} - {answer["verdict"]}):
        yield changed("verdict", "answer", "verdict", verdict)
    value: str | None
    for value in (None, "0", "ln(7/3)", "1/17", "inf", "[0.123456789012, 0.123456789013]", "[9, 10]"):
        if value != answer["tight_epsilon"] and (value is not None or "evidence" not in evidence):
            yield changed("tight ε", "answer", "tight_epsilon", value)
    for value in ("1/17", "99/100", None):
        if value != answer["tight_delta"]:
            yield changed("tight δ", "answer", "tight_delta", value)
    yield changed("comparisons", "answer", "comparisons", answer["comparisons"] + 2)
    yield changed("empty", "answer", "empty", 1)
    shown = evidence.get("evidence")
    if shown is None:
        yield from forged_rows(answer, changed)
    elif evidence["question"]["definition"] in INFERRED:
        yield from forged_beliefs(evidence, shown, changed)
    else:
        for key, entries in shown.items():
            yield from forged_simulators(key, entries, changed)


def forged_rows(answer: dict[str, Any], changed: Callable[..., Any]) -> Forged:
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


def forged_simulators(key: str, entries: Any, changed: Callable[..., Any]) -> Forged:
    if entries is None:
        yield changed("evidence of nothing", "evidence", key, [])
        return
    yield changed("a witness", "answer", "witness", {})
    yield changed("no evidence", "evidence", key, None)
    yield changed("an entry less", "evidence", key, entries[1:])
    yield changed("an entry twice", "evidence", key, [*entries, entries[0]])
    yield changed("another choice", "evidence", key, 0, 1, 9)
    yield changed("another group", "evidence", key, 0, 0, "sideways")
    if entries[0][3] and "enough" in key:
        yield changed("another law", "evidence", key, 0, 3, 0, 1, {"y": "1/2"})
        yield changed("a context less", "evidence", key, 0, 3, entries[0][3][1:])
    if entries[0][3] and "needed" in key:
        yield changed("no tests", "evidence", key, 0, 3, [])
        yield changed("an impossible row", "evidence", key, 0, 3, 0, 3, "nothing of the kind")
        yield changed("a negative weight", "evidence", key, 0, 3, 0, 6, ["-1"])


def forged_beliefs(evidence: dict[str, Any], shown: dict[str, Any], changed: Callable[..., Any]) -> Forged:
    answer, enough, needed = evidence["answer"], shown["enough"], shown["needed"]
    yield changed("δ", "question", "delta", "1/30")
    for key in ("enough", "needed"):
        if shown[key] is not None:
            yield changed("no evidence", "evidence", key, None)
            yield changed("an irrational e^ε", "evidence", key, "at", "1/2")
    if enough is not None:
        yield changed("an output less", "evidence", "enough", "answers", enough["answers"][1:])
        yield changed("an output that says nothing", "evidence", "enough", "answers", 0, 1, [])
        if answer["tight_epsilon"] != "0":
            yield changed("a smaller ε", "evidence", "enough", "at", "0")
    if needed is not None:
        yield changed("another output", "evidence", "needed", "output", "never")
        yield changed("another row", "evidence", "needed", "row", 0, "sideways")
        yield changed("a larger ε", "evidence", "needed", "at", HUGE)
        yield changed("no row that never answers", "evidence", "needed", {**needed, "row": ["?", "?", 0]})
        if answer["tight_epsilon"] != "inf" and answer["verdict"] == "holds":
            never = {"enough": None, "needed": {**needed, "at": "inf", "multipliers": []}}
            name, forged = changed("no ε is enough", "evidence", never)
            yield name, {**forged, "answer": {**answer, "tight_epsilon": "inf", "verdict": "fails"}}
        if needed["multipliers"]:
            yield changed("no multipliers", "evidence", "needed", "multipliers", [])
            yield changed("a negative one", "evidence", "needed", "multipliers", 0, 5, "-1")


def is_true(name: str, evidence: dict[str, Any]) -> bool:
    """Whether a changed claim holds too: some multipliers show that an output is never answered, whatever ε is."""
    if name != "a larger ε":
        return False
    never = {"enough": None, "needed": {**evidence["evidence"]["needed"], "at": HUGE}}
    answer = {**evidence["answer"], "tight_epsilon": None, "verdict": "fails"}
    question = {**evidence["question"], "epsilon": "ln(2)"}
    return refusal({**evidence, "evidence": never, "answer": answer, "question": question}) is None


ALWAYS = {
    "pairs": ("verdict", "tight ε", "tight δ", "direction", "value", "order"),
    "centres": ("verdict", "tight ε", "tight δ", "no evidence", "another law", "no tests"),
    "inferred": ("verdict", "tight ε", "a smaller ε", "no multipliers", "an output less"),
}


@pytest.mark.sweep(4)
@parts(4, 2, 2)
def test_forged_answers_are_refused(sort: str, part: int) -> None:
    tried: Counter[str] = Counter()
    seeds = 8 if sort == "inferred" else 4
    for seed in range(600 + seeds * part, 600 + seeds * (part + 1)):
        for key, evidence in answers(sort, seed):
            for name, forged in forgeries(evidence):
                if not is_true(name, evidence):
                    assert refusal(forged) is not None, f"{name} of {key} on {seed}: {evidence['answer']}"
                    tried[name] += 1
    assert all(tried[name] > 1 for name in ALWAYS[sort]), tried


@pytest.mark.parametrize("sort", SORTS)
def test_another_mechanism_is_refused(sort: str) -> None:
    """Where the laws of the mechanism are moved, most answers change, and the checker says so."""
    refused = counted = 0
    for seed in range(700, 730):
        if counted > 12:
            break
        for _, evidence in answers(sort, seed):
            enclosed = sort != "inferred" or evidence["evidence"]["needed"] is not None
            if evidence["answer"]["tight_epsilon"] not in {"inf", None, "0"} and enclosed:
                laws = [law for _, law in evidence["mechanism"]]
                moved = [[row[0], laws[k - 1]] for k, row in enumerate(evidence["mechanism"])]
                counted += 1
                refused += refusal({**evidence, "mechanism": moved}) is not None
    assert counted > 9
    assert refused >= counted * Fraction(4, 5)


@pytest.mark.parametrize(("last", "smallest"), [(("1/2", "1/2"), Fraction(3, 2)), (("1", "1/4"), Fraction(3))])
def test_beliefs_are_near_in_both_directions(last: tuple[str, str], smallest: Fraction) -> None:
    """Three equal beliefs; with s = (1, 1/2, 1/2) they become 1/2, 1/4, 1/4, with (1, 1, 1/4) 4/9, 4/9, 1/9."""
    third = Fraction(1, 3)
    rows = {("θ", "x", 0, a): ContextRow({"y": third}, {(a,): third}) for a in "abc"}
    told = [["y", list(zip("abc", ("1", *last), strict=True))]]
    Inferences(rows).enough(told, smallest)
    with pytest.raises(Rejected, match="not enough"):
        Inferences(rows).enough(told, smallest - Fraction(1, 100))


# --- certificate files, against their model file ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sort", "seed", "keys"),
    [
        *(("pairs", seed, ("grdp", "psdp", "randp", "anpr", "taidp", "samdp")) for seed in (1, 3, 5)),
        ("centres", 3, IMITATED),
        ("inferred", 700, INFERRED),
    ],
)
def test_files_are_compared_with_their_model(sort: str, seed: int, keys: tuple[str, ...], tmp_path: Path) -> None:
    model = written(tmp_path, SORTS[sort].text(seed))
    for key in at_least_one(keys):
        if answer_to(Engine(model), key, "ln(2)").verdict not in DECIDED:
            continue
        evidence = certified(model, tmp_path, key, epsilon="ln(2)")
        assert replayed_file(evidence, tmp_path).uncompared == ""
        policy = evidence.get("policy", {})
        for wrong in ({"xi": "1/7"}, {"gamma": "1/7"}, {"predicate": [["1", "1", "9"]]}) if policy else ():
            forged = {**evidence, "policy": {**policy, **wrong}}
            assert "the policy" in str(rejection(forged, tmp_path)), wrong
        assert rejection({**evidence, "sha256": "0" * 64}, tmp_path) is not None
        if sort != "pairs":
            bare = {name: entry for name, entry in evidence.items() if name != "evidence"}
            extra = {**evidence["evidence"], "more": None}
            assert "evidence" in str(rejection(bare, tmp_path))
            assert "unknown" in str(rejection({**evidence, "evidence": extra}, tmp_path))


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
