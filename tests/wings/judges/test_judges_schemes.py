"""Foreign judges on definitions of DP22: they agree with right certificates, and disagree with wrong ones."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from strategies_policy import PolicyModel, with_centres

import verifier as pk
from verifier.checker.laws import Row
from verifier.cli.main import run
from verifier.definitions.divergence import Algebraic, divergence_named, rooted_power
from verifier.engine import Engine
from verifier.errors import InputError, UnsupportedError
from verifier.evidence import certificate
from verifier.model import loads
from verifier.numbers import INFINITY, Epsilon
from verifier.wings.judges.coq import coq
from verifier.wings.judges.judges import Opinion, available, judge
from verifier.wings.judges.smt import smt
from verifier.wings.judges.smt.claims import ask
from verifier.wings.judges.smt.schemes import Laws, ScaledEpsilon, declared
from verifier.wings.judges.smt.text import define, real

needs_cvc5 = pytest.mark.skipif(not available("cvc5"), reason="cvc5 is not installed")
KINDS = ("lists", "gaps", "multisets")
Certificate = dict[str, Any]


@cache
def engine_of(seed: int) -> Engine:
    random, kind = Random(seed), KINDS[seed % 3]  # noqa: S311 - not a secret
    model = PolicyModel(random, kind)
    return Engine(loads(with_centres(random, model) if kind == "lists" else model.text, ""))


def content(seed: int, key: str, **asked: Any) -> Certificate:
    engine = engine_of(seed)
    return deepcopy(certificate(pk.check(engine.model, key, engine=engine, replay=False, **asked), engine))


def opinion_of(evidence: Certificate, who: str = "z3") -> Opinion:
    return judge(smt(evidence), who, 300)


def first(key: str, verdict: str, **asked: Any) -> Certificate:
    """The certificate of the first random model with this verdict."""
    for seed in range(60):
        engine = engine_of(seed)
        if pk.check(engine.model, key, engine=engine, replay=False, **asked).verdict == verdict:
            return content(seed, key, **asked)
    raise AssertionError((key, verdict))


E, D = {"epsilon": "ln(5/2)"}, {"epsilon": "ln(3/2)", "delta": "1/5"}
ASKED: dict[str, dict[str, Any]] = {
    "adp": D, "prodp": D, "reldp": D, "dp-any": E, "flpr": E, "osdp": E, "iddp": E, "ddpr": E, "psdp": D, "randp": E,
    "wbdp": D, "rbpr": E, "renyidp": {"epsilon": "ln(2)"}, "divdp": {"epsilon": "1/2"}, "cbdp": {"epsilon": "1/2"},
    "klpr": {"epsilon": "ln(3/2)"}, "kdivdp": {"epsilon": "3"},
    "pfpr": E, "mpr": E, "advpr": D, "fdp": {}, "absdp": {}, "samdp": E, "subdp": D,
}  # fmt: skip


def answers(key: str) -> list[Certificate]:
    """A certificate that holds and one that fails, where random models have both."""
    found = []
    for verdict in ("holds", "fails"):
        for seed in range(40):
            engine = engine_of(seed)
            asked = {} if key in {"fdp", "absdp"} else ASKED[key]
            answer = pk.check(engine.model, key, engine=engine, replay=False, **asked)
            if answer.verdict == verdict:
                evidence = certificate(answer, engine)
                try:
                    smt(evidence)
                except UnsupportedError:
                    continue
                found.append(deepcopy(evidence))
                break
    return found


@pytest.mark.parametrize("key", ASKED)
def test_z3_confirms_every_part_of_the_answer(key: str) -> None:
    listed = answers(key)
    assert {one["answer"]["verdict"] for one in listed} == {"holds", "fails"}
    for evidence in listed:
        opinion = opinion_of(evidence)
        assert opinion.verdict == "agrees", opinion.differences
        assert len(opinion.findings) >= 3


@needs_cvc5
@pytest.mark.parametrize("key", ["adp", "dp-any", "iddp", "rbpr", "absdp", "randp"])
def test_cvc5_confirms_the_same(key: str) -> None:
    for evidence in answers(key):
        assert opinion_of(evidence, "cvc5").verdict == "agrees"


FLIP = {"fails": "holds", "holds": "fails"}


@pytest.mark.parametrize("key", ["adp", "prodp", "dp-any", "iddp", "rbpr", "renyidp", "divdp", "fdp", "absdp", "randp",
                                 "klpr", "kdivdp"])  # fmt: skip
def test_the_other_verdict_is_refuted(key: str) -> None:
    for evidence in answers(key):
        evidence["answer"]["verdict"] = FLIP[evidence["answer"]["verdict"]]
        opinion = opinion_of(evidence)
        assert opinion.verdict == "disagrees"
        assert any(finding.claim.startswith(key) for finding in opinion.differences)


@pytest.mark.parametrize("key", ["adp", "prodp", "dp-any", "ddpr", "rbpr", "wbdp", "randp", "klpr"])
@pytest.mark.parametrize("claimed", ["ln(99)", "ln(101/100)"])
def test_another_smallest_epsilon_is_refuted(key: str, claimed: str) -> None:
    evidence = first(key, "fails", **ASKED[key])
    evidence["answer"]["tight_epsilon"] = claimed
    words = {finding.claim for finding in opinion_of(evidence).differences}
    assert words & {"the smallest epsilon is enough", "no smaller epsilon is enough"}


@pytest.mark.parametrize("claimed", ["1/99", "98/99"])
def test_another_smallest_delta_is_refuted(claimed: str) -> None:
    for key in ("adp", "prodp", "psdp", "wbdp"):
        evidence = first(key, "fails", **ASKED[key])
        evidence["answer"]["tight_delta"] = claimed
        words = {finding.claim for finding in opinion_of(evidence).differences}
        assert words & {"the smallest delta is enough", "no smaller delta is enough"}, key


def test_another_mechanism_is_refuted() -> None:
    evidence = first("adp", "holds", **D)
    laws = [law for _, law in evidence["mechanism"]]
    evidence["mechanism"] = [[row[0], laws[k - 1]] for k, row in enumerate(evidence["mechanism"])]
    evidence["mechanism"][0][1] = {"y": "1"}
    assert opinion_of(evidence).verdict == "disagrees"


def test_at_infinity_and_without_an_epsilon() -> None:
    for key in ("adp", "dp-any", "divdp", "randp", "iddp"):
        for seed in (0, 1, 3, 6):
            for asked in ({}, {"epsilon": "inf"}):
                try:
                    text = smt(content(seed, key, **asked))
                except UnsupportedError:
                    continue
                assert judge(text, "z3", 300).verdict == "agrees", (key, seed, asked)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("avgklpr", "means of logarithms"), ("zcodp", "all orders"), ("gaussdp", "normal law"),
    ],
)  # fmt: skip
def test_what_is_not_exported_says_why(key: str, reason: str) -> None:
    for seed in range(60):
        engine = engine_of(seed)
        answer = pk.check(engine.model, key, engine=engine, replay=False)
        if answer.verdict in {"holds", "fails"} and not (key == "gaussdp" and not answer.tight_epsilon):
            with pytest.raises(UnsupportedError, match=reason):
                smt(certificate(answer, engine))
            return
    raise AssertionError(key)


def test_a_certificate_that_the_replay_rejects_is_damaged() -> None:
    evidence = first("adp", "holds", **D)
    evidence["mechanism"][0][1] = {"y": "1/2"}
    with pytest.raises(InputError, match="no law"):
        smt(evidence)


NAMES = ("ratio", "spread", "chi-squared", "total-variation", "abs-1", "abs-3", "renyi-2", "renyi-4")
DIVERGENCES = (*map(divergence_named, NAMES), rooted_power(3))


@pytest.mark.parametrize("divergence", DIVERGENCES, ids=lambda divergence: divergence.key)
def test_a_divergence_is_the_same_number_in_the_file(divergence: Algebraic) -> None:
    infinite = 0
    for seed in range(12):
        random, total = Random(seed), 12  # noqa: S311 - not a secret
        cuts = [sorted(random.choices(range(total + 1), k=2)) for _ in "PQ"]
        p, q = ({o: w for o, w in zip("xyz", (a, b - a, total - b), strict=True) if w} for a, b in cuts)
        value = divergence.between([(p.get(o, 0), q.get(o, 0)) for o in "xyz"], (total, total))
        laws, number = Laws(), declared(divergence)
        first, second = ({o: Fraction(w, total) for o, w in law.items()} for law in (p, q))
        row = laws.row(Row(first, second, ""))
        cells = [(laws.cell(k, o), x) for k, law in enumerate(laws.listed) for o, x in law.items()]
        lines = [define(cell, [], "Real", real(x)) for cell, x in cells]
        lines += [*number.before(number.lines(laws, row)), *number.lines(laws, row)]
        if value == INFINITY:
            infinite += 1
            lines += ask("it is infinite", number.holds(row, None))
        else:
            low, high = value.bracket(90)
            if divergence.logarithmic:
                assert isinstance(value, Epsilon)
                exponent = value.coefficient * divergence.power
                low = high = value.argument**exponent.numerator if value > 0 else Fraction(1)
            lines += ask("it is at most its value", f"(not {number.holds(row, real(high))})")
            lines += ask("it is not less", number.holds(row, real(low - Fraction(1, 10**9))))
        opinion = judge("\n".join(["(set-logic QF_LIRA)", *lines, ""]), "z3", 300)
        assert opinion.verdict == "agrees", (p, q, opinion.differences)
    assert (infinite > 0) == (divergence.finite != "any")


def test_multiples_of_epsilon() -> None:
    for text, scale, expected in (
        ("ln(2)", 3, "ln(8)"), ("ln(2)", Fraction(1, 2), "1/2*ln(2)"), ("1/2*ln(3)", 2, "ln(3)"), ("0", 5, "0"),
        ("1/10", 3, "3/10"), ("inf", 2, "inf"), ("ln(2)", 0, "0"),
    ):  # fmt: skip
        assert ScaledEpsilon(text).times(Fraction(scale)) == expected
    with pytest.raises(UnsupportedError):
        ScaledEpsilon("ln(root of x^2 - x - 1 in [1, 2])").times(Fraction(2))


# --- Coq --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["adp", "samdp", "randp", "rbpr"])
def test_coq_has_no_form_and_smt_has_one(key: str) -> None:
    with pytest.raises(UnsupportedError, match="a definition of DP22 has no Coq form") as refused:
        coq(first(key, "fails", **ASKED[key]))
    assert "--to smt" in refused.value.tip
    assert "(check-sat)" in smt(first(key, "fails", **ASKED[key]))


def test_exporting_to_coq_ends_with_unsupported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "adp.json"
    about = {"format": 1, "kind": "verdict", "model": "m.toml", "sha256": "0"}
    path.write_text(json.dumps({**about, **first("adp", "fails", **ASKED["adp"])}), encoding="utf-8")
    for arguments in (["export", str(path), "--to", "coq"], ["judge", str(path), "--with", "coq"]):
        with pytest.raises(SystemExit) as stop:
            run(arguments)
        said = capsys.readouterr()
        assert stop.value.code == 3
        assert "has no Coq form" in " ".join((said.out + said.err).split())
