"""Foreign judges: they agree with right certificates, disagree with wrong ones, and no label disturbs them."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one
from forging import Certificate, Forge, put
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Case, cases

import verifier as pk
from verifier.cli.main import run
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.evidence import certificate
from verifier.model.library import models_folder
from verifier.wings.judges import numbers as foreign
from verifier.wings.judges.coq import coq
from verifier.wings.judges.judges import Opinion, available, judge
from verifier.wings.judges.smt import smt
from verifier.wings.judges.smt.text import define, real
from verifier.wings.judges.tables import plain

ROOT = Path(__file__).resolve().parents[3]
needs_coq = pytest.mark.skipif(not available("coq"), reason="coqc is not installed")
needs_cvc5 = pytest.mark.skipif(not available("cvc5"), reason="cvc5 is not installed")


def content(model: pk.Model, definition: str, **asked: Any) -> Certificate:
    engine = Engine(model)
    return deepcopy(certificate(pk.check(model, definition, engine=engine, **asked), engine))


def of_file(name: str, definition: str, **asked: Any) -> Certificate:
    return content(pk.read(str(models_folder() / f"{name}.toml")), definition, **asked)


def told(one: Certificate, who: str = "z3") -> Opinion:
    return judge((coq if who == "coq" else smt)(one), who, 300)


ASKED: list[tuple[str, str, dict[str, Any]]] = [
    ("DMKB20/example-4-as-printed", "np", {}),
    ("DMKB20/example-4-repaired", "apkdp", {"epsilon": "ln(2)"}),
    ("DMKB20/example-4-repaired", "cdp", {"epsilon": "1/10"}),
    ("DMKB20/example-6-partner-known", "dp", {"epsilon": "inf", "delta": "1/2"}),
    ("DMKB20/remark-cdp-not-ddp", "ddp", {"epsilon": "ln(1000)", "delta": "499/1000"}),
    ("DMKB20/remark-cdp-not-ddp", "ddp", {"reading": "per-knowledge"}),
    ("DMKB20/remark-cdp-not-ddp", "cdp", {"reading": "all-values", "epsilon": "1"}),
    ("relations/rarely-decisive", "ppkdp", {"epsilon": "ln(3)", "delta": "1/4"}),
    ("relations/rarely-decisive", "tail-ppkdp", {"epsilon": "inf"}),
    ("relations/impossible-replacement", "ibcdp", {"epsilon": "ln(2)"}),
    ("relations/randomized-response", "tail-dp", {"epsilon": "ln(3)"}),
    ("relations/randomized-response", "apkdp", {"epsilon": "1/2*ln(2)", "delta": "1/4"}),
    ("composition/ibcdp-merged", "ibcdp", {"reading": "possible-values", "epsilon": "0"}),
    ("DMKB20/composition/proposition-9-given-the-target", "dependency", {"epsilon": "1"}),
    ("DMKB20/composition/theorem-6-two-dependencies", "dependency", {"reading": "both-ways", "epsilon": "0"}),
    ("LQS12/section-2.6-both", "dps", {"epsilon": "ln(8)", "delta": "3/16"}),
    ("LQS12/theorem-3.9-one", "dps", {"epsilon": "ln(2)", "delta": "1/2"}),
    ("LQS12/theorem-3.11", "safe", {"epsilon": "ln(3/2)"}),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("name", "definition", "asked"), ASKED)
def test_z3_confirms_every_part_of_the_answer(name: str, definition: str, asked: dict[str, Any]) -> None:
    opinion = told(of_file(name, definition, **asked))
    assert opinion.verdict == "agrees", opinion.differences
    assert len(opinion.findings) >= 2


@needs_cvc5
@pytest.mark.sweep(6)
@pytest.mark.parametrize(("name", "definition", "asked"), ASKED)
def test_cvc5_confirms_the_same(name: str, definition: str, asked: dict[str, Any]) -> None:
    opinion = told(of_file(name, definition, **asked), "cvc5")
    assert opinion.verdict == "agrees", opinion.differences


EPSILONS = ["0", "ln(2)", "1/10", "2*ln(3)/5", "1/2*ln(2)", "inf", None]
DELTAS = ["0", "1/7", "1/2"]


@given(cases(), st.sampled_from(list(pk.DEFINITIONS.values())), st.sampled_from(EPSILONS), st.sampled_from(DELTAS))
@settings(max_examples=24)
def test_z3_confirms_random_models(case: Case, definition: pk.Definition, epsilon: str | None, delta: str) -> None:
    model = pk.build(**case.keys)
    engine = Engine(model)
    for reading in at_least_one(definition.readings):
        answer = pk.check(model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine)
        with suppress(UnsupportedError):
            opinion = judge(smt(certificate(answer, engine)), "z3", 300)
            assert opinion.verdict == "agrees", (reading, opinion.differences)


# --- wrong answers ----------------------------------------------------------------------------------------

FLIP = {"fails": "holds", "holds": "fails"}


def flipped(one: Certificate) -> None:
    one["answer"]["verdict"] = FLIP[one["answer"]["verdict"]]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("name", "definition", "asked"), ASKED)
def test_the_other_verdict_is_refuted(name: str, definition: str, asked: dict[str, Any]) -> None:
    one = of_file(name, definition, **asked)
    flipped(one)
    opinion = told(one)
    assert opinion.verdict == "disagrees"
    assert any(finding.claim.startswith(definition) for finding in opinion.differences)


RESPONSE = ("relations/randomized-response", "apkdp", {"epsilon": "ln(2)", "delta": "1/8"})
WRONG: list[tuple[str, Forge, str]] = [
    ("a smaller smallest δ", put("answer", "tight_delta", "249999/1000000"), "the smallest delta is enough"),
    ("a larger smallest δ", put("answer", "tight_delta", "250001/1000000"), "no smaller delta is enough"),
    ("a smaller smallest ε", put("answer", "tight_epsilon", "ln(2)"), "the smallest epsilon is enough"),
    ("a larger smallest ε", put("answer", "tight_epsilon", "ln(3)"), "no smaller epsilon is enough"),
    ("no finite ε", put("answer", "tight_epsilon", "inf"), "no finite epsilon is enough"),
    ("nothing compared", put("answer", "verdict", "vacuous"), "nothing is compared"),
    ("no distribution", put("worlds", "#1", 0, 3, "1/3"), "the tables are laws"),
    ("no law", put("mechanism", 0, 1, "[0]", "2/3"), "the tables are laws"),
    ("a larger δ is asked", put("question", "delta", "1/4"), "apkdp fails"),
    ("a larger ε is asked", put("question", "epsilon", "ln(3)"), "apkdp fails"),
]


@pytest.mark.parametrize(("what", "forge", "claim"), WRONG, ids=[what for what, _, _ in WRONG])
def test_what_is_wrong_is_found_at_its_claim(what: str, forge: Forge, claim: str) -> None:
    name, definition, asked = RESPONSE
    one = of_file(name, definition, **asked)
    assert told(one).verdict == "agrees", what
    forge(one)
    assert claim in [finding.claim for finding in told(one).differences]


SIMULATED = ("DMKB20/remark-cdp-not-ddp", "ddp", {"epsilon": "ln(2)", "delta": "1/2"})


@pytest.mark.parametrize(
    ("forge", "claim"),
    [
        (put("question", "delta", "2/5"), "ddp holds"),
        (put("answer", "tight_delta", "49/100"), "the smallest delta is enough"),
        (put("answer", "tight_delta", "51/100"), "no smaller delta is enough"),
        (put("answer", "tight_epsilon", "inf"), "no finite epsilon is enough"),
    ],
)
def test_simulators_that_do_not_exist_are_missed(forge: Forge, claim: str) -> None:
    name, definition, asked = SIMULATED
    one = of_file(name, definition, **asked)
    assert told(one).verdict == "agrees"
    forge(one)
    assert claim in [finding.claim for finding in told(one).differences]


# --- Coq --------------------------------------------------------------------------------------------------


@needs_coq
@pytest.mark.sweep(0)
def test_coq_accepts_right_answers_and_refuses_wrong_ones() -> None:
    name, definition, asked = ASKED[7]
    one = of_file(name, definition, **asked)
    opinion = told(one, "coq")
    assert opinion.verdict == "agrees", opinion.differences
    flipped(one)
    opinion = told(one, "coq")
    assert opinion.verdict == "disagrees"
    assert opinion.differences[0].claim == "verdict"


@needs_coq
@pytest.mark.sweep(0)
def test_coq_sees_what_is_assumed() -> None:
    one = coq(of_file(*RESPONSE[:2], **RESPONSE[2]))
    assumed = one.replace("Theorem verdict", "Axiom anything : False.\nTheorem verdict", 1)
    assumed = re.sub(r"(Theorem verdict .*\nProof\.) .* (Qed\.)", r"\1 destruct anything. \2", assumed)
    opinion = judge(assumed, "coq", 300)
    assert opinion.verdict == "disagrees"
    assert {finding.reply for finding in opinion.findings} == {"assumes something"}


# --- labels -----------------------------------------------------------------------------------------------

NASTY_SMT = ["; (check-sat)", "|x|"]
NASTY = ["⊥", 'a"b', "(* *)", *NASTY_SMT, "*)\\"]


@pytest.mark.parametrize(
    "who", ["z3", pytest.param("cvc5", marks=needs_cvc5), pytest.param("coq", marks=[needs_coq, pytest.mark.sweep(0)])]
)
def test_labels_cannot_disturb_a_judge(who: str) -> None:
    labels = NASTY if who != "coq" else [one for one in NASTY if one not in NASTY_SMT]
    model = pk.build(
        size=1,
        values=labels,
        distribution={"name": '"; (exit) *) θ', "iid": dict.fromkeys(labels, f"1/{len(labels)}")},
        mechanism={"kind": "identity"},
    )
    for definition in at_least_one(("np", "cdp")[: 1 if who == "coq" else 2]):
        one = content(model, definition, epsilon="ln(2)", delta="1/3")
        one["model"] = 'a*)\n(exit) "'
        assert told(one, who).verdict == "agrees"


@settings(max_examples=30)
@given(st.one_of(st.text(), st.text("(*)")))
def test_names_in_comments_are_plain(text: str) -> None:
    assert plain(text).isascii()
    assert not set(plain(text)) & set('"\\|;\n\r\x00{}')
    assert "(*" not in plain(text)
    assert "*)" not in plain(text)


# --- numbers ----------------------------------------------------------------------------------------------


@given(st.fractions(0, 20, max_denominator=50))
def test_the_exponential_is_inside_its_bracket(x: Fraction) -> None:
    low, high = foreign.exponential(x)
    lower, upper = pk.epsilon(x).exp_bracket(400)
    assert low <= lower <= upper <= high
    assert high - low <= low / 2**90


@pytest.mark.parametrize("text", ["1/2*ln(9/2)", "5/3*ln(7)", "ln(root of 5*x^2 + 8*x - 22 in [7/5, 3/2])"])
def test_roots_are_inside_their_brackets(text: str) -> None:
    found = foreign.factor(text)
    lower, upper = pk.epsilon(text).exp_bracket(400)
    assert found.kind == "root"
    assert found.low <= lower <= upper <= found.high
    assert foreign.at(found.polynomial, found.low) <= 0 <= foreign.at(found.polynomial, found.high)


@pytest.mark.parametrize("text", ["", "log(2)", "-1", "ln(root of y in [1, 2])", "1e3", "ln(2", "∞"])
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        foreign.factor(text)


def test_pieces_of_smt() -> None:
    assert real(Fraction(-1, 3)) == "(- (/ 1.0 3.0))"
    assert define("f", ["(a Int)"], "Real", "1.0") == "(define-fun f ((a Int)) Real 1.0)"


# --- refusals and the command line ------------------------------------------------------------------------


def test_what_has_no_export_says_why() -> None:
    large = of_file("DMKB20/example-7-twelve-voters", "np")
    with pytest.raises(LimitError, match="16,777,216 pairs"):
        smt(large)
    sums = of_file("DMKB20/example-8-thousand-voters", "np")
    with pytest.raises(UnsupportedError, match="no table of worlds, but the engine sums"):
        smt(sums)
    two = of_file("DMKB20/composition/proposition-9-constant", "dependency", epsilon="1")
    with pytest.raises(UnsupportedError, match="dependency has no Coq export"):
        coq(two)
    two["question"]["reading"] = "my own"
    with pytest.raises(UnsupportedError, match="dependency in the reading my own has no export"):
        smt(two)


@pytest.mark.parametrize("key", ["question", "answer", "worlds", "mechanism", "values", "secrets"])
def test_a_damaged_certificate_is_refused(key: str) -> None:
    wrongs: list[Any] = [None, [], {}, "x", 7]
    for wrong in at_least_one(wrongs):
        one = of_file("DMKB20/example-4-repaired", "np")
        one[key] = wrong
        for export in (smt, coq):
            with pytest.raises((InputError, UnsupportedError)):
                export(one)


def exit_status(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        run(list(arguments))
    return int(str(stop.value.code))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "one.json"
    one = {"format": 1, "model": "m.toml", "sha256": "0", **of_file("DMKB20/example-4-repaired", "np", epsilon="ln(2)")}
    path.write_text(json.dumps(one), encoding="utf-8")
    return path


def test_export_and_judge(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = file.with_suffix(".smt2")
    assert exit_status("export", str(file), "--to", "smt", "--output", str(written)) == 0
    assert written.read_text(encoding="utf-8").startswith("; m.toml: np (default)")
    assert exit_status("judge", str(written), str(file), "--json") == 0
    both = json.loads(capsys.readouterr().out)
    assert [one["judges"]["z3"]["verdict"] for one in both] == ["agrees", "agrees"]
    written.write_text(written.read_text(encoding="utf-8").replace("(/ 1.0 2.0)", "(/ 2.0 3.0)", 1), encoding="utf-8")
    assert exit_status("judge", str(written)) == 1
    assert "z3 says sat to: the tables are laws" in " ".join(capsys.readouterr().out.split())


def test_judging_the_questions_of_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = models_folder() / "relations" / "one-sided-outputs.toml"
    assert exit_status("judge", str(model), "--only", "fails", "--output", str(tmp_path), "--format", "csv") == 0
    assert "ibcdp epsilon=inf,fails,agrees" in capsys.readouterr().out.replace('"', "")
    assert len(list(tmp_path.glob("*.smt2"))) == 3


def test_a_folder_with_a_family(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A family of models is not asked about, with the reason, and hides no file after it; by itself it is refused."""
    family = models_folder() / "DMKB20" / "family" / "example-6-partner-known.toml"
    model = models_folder() / "relations" / "one-sided-outputs.toml"
    (tmp_path / "a.toml").write_bytes(family.read_bytes())
    (tmp_path / "b.toml").write_bytes(model.read_bytes())
    assert exit_status("judge", str(tmp_path), "--json") == 0
    first, *others = json.loads(capsys.readouterr().out)
    assert "it is a family of models" in first["judges"]["z3"]["not asked"]
    assert {one["judges"]["z3"]["verdict"] for one in others if "verdict" in one["judges"]["z3"]} == {"agrees"}
    assert exit_status("judge", str(tmp_path)) == 0
    assert "z3 was not asked 1 of them: the file has [parameters]" in " ".join(capsys.readouterr().out.split())
    assert exit_status("judge", str(tmp_path / "a.toml")) == 3
    assert "it is a family of models" in capsys.readouterr().err


def test_judges_that_are_there_are_asked_and_the_others_named(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Coq is looked for on the path, so that an empty one hides it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert exit_status("judge", str(file), "--with", "z3,coq", "--json") == 3
    said = capsys.readouterr()
    ((found,), why) = json.loads(said.out), json.loads(said.err)
    assert found["judges"]["z3"]["verdict"] == "agrees"
    assert found["judges"]["coq"] == {"not asked": "coq is not installed"}
    assert "apt install coq" in why["tip"]
    assert exit_status("judge", str(file), "--with", "coq") == 3
    assert "coq is not installed" in capsys.readouterr().err


def test_a_bad_file_silences_no_other_judgement(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status("judge", str(file), "nowhere.json", "--json") == 2
    said = capsys.readouterr()
    assert [one["judges"]["z3"]["verdict"] for one in json.loads(said.out)] == ["agrees"]
    assert json.loads(said.err)["place"] == "nowhere.json"
