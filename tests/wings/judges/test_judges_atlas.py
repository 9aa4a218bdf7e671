"""Foreign judges on definitions of DP22, those with a simulator too: they agree with right certificates alone."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from shutil import which
from typing import Any

import pytest
from examined import at_least_one
from forging import Certificate, Forge, put
from strategies_policy import PolicyModel, with_centres

import verifier as pk
from verifier.checker.laws import Row
from verifier.cli.main import run
from verifier.definitions.measures.divergence import Algebraic, divergence_named, rooted_power
from verifier.engine import Engine
from verifier.errors import InputError, UnsupportedError
from verifier.evidence import certificate
from verifier.model import loads
from verifier.model.library import models_folder
from verifier.numbers import INFINITY, Epsilon
from verifier.wings.judges.coq import coq
from verifier.wings.judges.judges import available, judge
from verifier.wings.judges.smt import smt
from verifier.wings.judges.smt.claims import ask
from verifier.wings.judges.smt.schemes import Laws, ScaledEpsilon, declared
from verifier.wings.judges.smt.text import define, real

needs_cvc5 = pytest.mark.skipif(not available("cvc5"), reason="cvc5 is not installed")
KINDS = ("lists", "gaps", "multisets")
E, D = {"epsilon": "ln(5/2)"}, {"epsilon": "ln(3/2)", "delta": "1/5"}
LOW, HALF, NOTHING = {"epsilon": "ln(3/2)"}, {"epsilon": "1/2"}, dict[str, str]()
OF_OUTPUTS = dict.fromkeys(("zkpr", "cwpr", "typst"), D)
OF_BELIEFS = dict.fromkeys(("ibcwpr", "ibddp"), LOW)
CENTRES = {**OF_OUTPUTS, **OF_BELIEFS}
"""Definitions with a simulator."""
ASKED: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("dp-any", "flpr", "osdp", "iddp", "ddpr", "randp", "rbpr", "pfpr", "mpr", "samdp"), E),
    **dict.fromkeys(("adp", "prodp", "reldp", "psdp", "wbdp", "advpr", "subdp"), D),
    **dict.fromkeys(("divdp", "cbdp", "edivdp"), HALF),
    **dict.fromkeys(("fdp", "absdp"), NOTHING),
    "renyidp": {"epsilon": "ln(2)"},
    "klpr": LOW,
    "kdivdp": {"epsilon": "3"},
    **CENTRES,
}
ENCLOSED = ("[0.001, 0.0011]", "[8.1, 8.2]")
FLIP = {"fails": "holds", "holds": "fails"}


@cache
def engine_of(seed: int) -> Engine:
    random, kind = Random(seed), KINDS[seed % 3]  # noqa: S311 - not a secret
    model = PolicyModel(random, kind)
    return Engine(loads(with_centres(random, model) if kind == "lists" else model.text, ""))


def content(engine: Engine, key: str, **asked: Any) -> Certificate:
    return deepcopy(certificate(pk.check(engine.model, key, engine=engine, replay=False, **asked), engine))


@cache
def found(key: str, verdict: str) -> Certificate:
    """The certificate of the first random model with this verdict; of one with a smallest ε above 0 where there is."""
    others = []
    for seed in range(120):
        engine = engine_of(seed)
        answer = pk.check(engine.model, key, engine=engine, replay=False, **ASKED[key])
        if answer.verdict == verdict:
            evidence = certificate(answer, engine)
            with suppress(UnsupportedError):
                smt(evidence)
                if str(answer.tight_epsilon) not in {"0", "inf"}:
                    return evidence
                others.append(evidence)
    return others[0]


def first(key: str, verdict: str, *forged: Any) -> Certificate:
    """A copy of the certificate, with one value replaced, as `put` does."""
    evidence = deepcopy(found(key, verdict))
    if forged:
        put(*forged)(evidence)
    return evidence


def agrees(evidence: Certificate, who: str = "z3") -> bool:
    opinion = judge(smt(evidence), who, 300)
    assert opinion.verdict in {"agrees", "disagrees"}
    assert len(opinion.findings) >= 3 or evidence["answer"]["verdict"] == "vacuous"
    return opinion.verdict == "agrees"


def missed(evidence: Certificate) -> set[str]:
    """The claims that z3 contradicts."""
    return {finding.claim for finding in judge(smt(evidence), "z3", 300).differences}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("key", ASKED)
@pytest.mark.parametrize("verdict", FLIP)
def test_z3_confirms_every_part_of_the_answer(key: str, verdict: str) -> None:
    """And refutes the other verdict."""
    assert agrees(first(key, verdict))
    assert any(claim.startswith(f"{key} ") for claim in missed(first(key, verdict, "answer", "verdict", FLIP[verdict])))


@needs_cvc5
@pytest.mark.sweep(6)
@pytest.mark.parametrize("key", ["adp", "dp-any", "iddp", "rbpr", "absdp", "randp", *CENTRES])
@pytest.mark.parametrize("verdict", FLIP)
def test_cvc5_confirms_the_same(key: str, verdict: str) -> None:
    assert agrees(first(key, verdict), "cvc5")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("key", ["adp", "dp-any", "divdp", "randp", "iddp", *CENTRES])
@pytest.mark.parametrize("asked", [{}, {"epsilon": "inf"}], ids=str)
def test_at_infinity_and_without_an_epsilon(key: str, asked: dict[str, str]) -> None:
    for seed in (0, 3, 6):
        with suppress(UnsupportedError):
            assert agrees(content(engine_of(seed), key, **asked)), seed


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("key", "claimed"),
    [
        *((k, c) for k in ("adp", "prodp", "dp-any", "ddpr", "rbpr", "wbdp", "randp", "klpr", *OF_OUTPUTS)
          for c in ("ln(99)", "ln(101/100)")),
        *((k, c) for k in (*OF_BELIEFS, "klpr") for c in ENCLOSED),
        *((k, c) for k in CENTRES for c in ("0", "inf")),
    ],
)  # fmt: skip
def test_another_smallest_epsilon_is_refuted(key: str, claimed: str) -> None:
    wrong = missed(first(key, "fails", "answer", "tight_epsilon", claimed))
    assert any("epsilon" in claim and "asked" not in claim for claim in wrong)


@pytest.mark.parametrize("key", ["adp", "prodp", "psdp", "wbdp", *OF_OUTPUTS])
def test_another_smallest_delta_is_refuted(key: str) -> None:
    for claimed, claim in (("1/9999", "the smallest delta is enough"), ("98/99", "no smaller delta is enough")):
        assert claim in missed(first(key, "fails", "answer", "tight_delta", claimed))


@pytest.mark.parametrize("key", ["adp", *OF_OUTPUTS, "ibcwpr"])
def test_another_mechanism_is_refuted(key: str) -> None:
    evidence = first(key, "holds")
    evidence["mechanism"] = [[row[0], {f"o{k}": "1"}] for k, row in enumerate(evidence["mechanism"])]
    assert not agrees(evidence)


LEFT_OUT = """
size = 2
values = [0, 1]
distribution = [{ name = "t", iid = { 0 = "1/4", 1 = "3/4" } }]
[mechanism]
kind = "count"
value = 0
[policy]
gamma = "7/16"
"""


@pytest.mark.parametrize(
    ("forge", "claim"),
    [
        (put("policy", "gamma", "6/16"), "typst holds"),
        (put("answer", "verdict", "vacuous"), "nothing is compared"),
        (
            put("answer", "tight_epsilon", "ln(3)"),
            "no epsilon is enough whose e^epsilon is smaller by one part in 2^20",
        ),
    ],
)
def test_what_is_left_out_is_for_the_judge_to_find(forge: Forge, claim: str) -> None:
    """[1, 1] has 9/16, and the count tells its databases apart: 7/16 must be left out, no less."""
    evidence = content(Engine(loads(LEFT_OUT, "")), "typst", epsilon="ln(5)")
    assert agrees(evidence)
    forge(evidence)
    assert claim in missed(evidence)


def test_where_everything_may_be_left_out_nothing_is_compared() -> None:
    evidence = content(Engine(loads(LEFT_OUT.replace("7/16", "1"), "")), "typst", epsilon="ln(5)")
    assert evidence["answer"]["verdict"] == "vacuous"
    assert judge(smt(evidence), "z3", 300).verdict == "agrees"


@pytest.mark.parametrize("key", ["cwpr", "ibcwpr"])
def test_nothing_is_told_of_the_evidence(key: str) -> None:
    evidence = first(key, "holds")
    del evidence["evidence"]
    assert smt(evidence) == smt(first(key, "holds"))


@pytest.mark.parametrize(
    ("key", "reason"), [("avgklpr", "means of logarithms"), ("zcodp", "all orders"), ("gaussdp", "normal law")]
)
def test_what_is_not_exported_says_why(key: str, reason: str) -> None:
    for seed in range(40):
        engine = engine_of(seed)
        answer = pk.check(engine.model, key, engine=engine, replay=False)
        if answer.verdict in FLIP and not (key == "gaussdp" and not answer.tight_epsilon):
            with pytest.raises(UnsupportedError, match=reason):
                smt(certificate(answer, engine))
            return
    raise AssertionError(key)


@pytest.mark.parametrize("claimed", ["[2, 1]", "[1", "[x, y]", 7])
def test_a_damaged_enclosure_is_refused(claimed: object) -> None:
    for key in at_least_one(OF_BELIEFS):
        with pytest.raises(InputError):
            smt(first(key, "holds", "answer", "tight_epsilon", claimed))


@pytest.mark.parametrize("part", ["question", "answer", "worlds", "mechanism", "values", "policy"])
def test_a_damaged_certificate_is_refused(part: str) -> None:
    wrongs: list[Any] = [None, [], {}, "x", 7]
    for wrong in at_least_one(wrongs):
        with pytest.raises((InputError, UnsupportedError)):
            smt(first("cwpr", "holds", part, wrong))


def test_a_certificate_that_the_replay_rejects_is_damaged() -> None:
    with pytest.raises(InputError, match="no law"):
        smt(first("adp", "holds", "mechanism", 0, 1, {"y": "1/2"}))


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


@pytest.mark.parametrize("key", ["adp", "samdp", "cwpr", "ibddp"])
def test_coq_has_no_form_and_smt_has_one(key: str) -> None:
    with pytest.raises(UnsupportedError, match="has no Coq") as refused:
        coq(first(key, "fails"))
    assert key in CENTRES or "--to smt" in refused.value.tip


def test_exporting_to_coq_ends_with_unsupported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "adp.json"
    about = {"format": 1, "kind": "verdict", "model": "m.toml", "sha256": "0"}
    path.write_text(json.dumps({**about, **first("adp", "fails")}), encoding="utf-8")
    judging = [["judge", str(path), "--with", "coq"]] if which("coqc") else []
    for arguments in [["export", str(path), "--to", "coq"], *judging]:
        with pytest.raises(SystemExit) as stop:
            run(arguments)
        said = capsys.readouterr()
        assert stop.value.code == 3
        assert "has no Coq form" in " ".join((said.out + said.err).split())


# --- semantic privacy: a prior under which too much is told, or none -------------------------------------------------


MODELS = [f"axioms/semantic-{name}" for name in ("pair", "mixed", "rare", "small", "constant", "first")]
MODELS += [f"atlas/{name}" for name in ("levels", "membership", "never-drawn", "tour-missing")]
BOUNDS: list[dict[str, Any]] = [{}, {"epsilon": "1/40"}, {"epsilon": "1/2"}, {"epsilon": "inf"}]
UPPER, LOWER = (
    "the upper end of the smallest epsilon is enough",
    "the lower end of the smallest epsilon is not enough",
)


def of_file(name: str, **asked: Any) -> Certificate:
    return content(Engine(pk.read(str(models_folder() / f"{name}.toml"))), "sempr", **asked)


@pytest.mark.parametrize("who", ["z3", pytest.param("cvc5", marks=needs_cvc5)])
def test_the_judges_confirm_every_part_of_the_answer(who: str) -> None:
    verdicts = set()
    for name, asked in product(MODELS if who == "z3" else MODELS[:2], BOUNDS):
        evidence = of_file(name, **asked)
        opinion = judge(smt(evidence), who, 300)
        assert opinion.verdict == "agrees", (name, asked, opinion.differences)
        verdicts.add(evidence["answer"]["verdict"])
    assert verdicts == {"holds", "fails"}


@pytest.mark.parametrize(("epsilon", "verdict"), [("639/1000", "fails"), ("16/25", "holds"), ("641/1000", "holds")])
def test_the_other_verdict_on_a_distance_is_refuted(epsilon: str, verdict: str) -> None:
    evidence = of_file("axioms/semantic-pair", epsilon=epsilon)
    assert evidence["answer"]["verdict"] == verdict
    evidence["answer"]["verdict"] = "fails" if verdict == "holds" else "holds"
    assert missed(evidence) == {f"sempr {evidence['answer']['verdict']}"}


@pytest.mark.parametrize(
    ("claimed", "claim"),
    [
        ("639/1000", "the smallest epsilon is enough"),
        ("641/1000", "no epsilon is enough that is smaller by one part in 2^20"),
        ("0", "the smallest epsilon is enough"),
        ("[0.63, 0.639]", UPPER),
        ("[0.641, 0.642]", LOWER),
    ],
)
def test_another_distance_is_refuted(claimed: str, claim: str) -> None:
    evidence = of_file("axioms/semantic-pair", epsilon="3/4")
    assert not missed(evidence)
    evidence["answer"]["tight_epsilon"] = claimed
    assert missed(evidence) == {claim}


def test_another_mechanism_has_no_semantic_privacy() -> None:
    evidence = of_file("axioms/semantic-small", epsilon="1/20")
    assert not missed(evidence)
    first, second, *rest = evidence["mechanism"]
    evidence["mechanism"] = [[first[0], {"other": "1"}], second, *rest]
    assert "sempr holds" in missed(evidence)


def test_where_no_database_holds_a_record_nothing_is_compared() -> None:
    """There is no prior then: the checker says so as well."""
    model = loads('size = 1\nvalues = ["-"]\nmechanism = { kind = "identity" }\npolicy = { absent = "-" }\n', "")
    answer = pk.check(model, "sempr", epsilon="1/2", replay=True)
    assert answer.verdict == "vacuous"
    evidence = content(Engine(model), "sempr", epsilon="1/2")
    assert judge(smt(evidence), "z3", 300).verdict == "agrees"
    evidence["mechanism"].append([["x"], {"x": "1"}])
    evidence["values"].append("x")
    assert missed(evidence) == {"nothing is compared"}


def test_what_is_not_exported_of_semantic_privacy_says_why() -> None:
    with pytest.raises(UnsupportedError, match="a rational number is compared"):
        smt(of_file("axioms/semantic-pair", epsilon="ln(2)"))
    with pytest.raises(UnsupportedError):
        coq(of_file("axioms/semantic-pair", epsilon="1/2"))
