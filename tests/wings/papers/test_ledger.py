"""The ledger: entries are read strictly, evidence must show what it is said to show, and what changed is stale."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from examined import at_least_one

from verifier.checker.scopes import MOST_DECIDED
from verifier.errors import InputError
from verifier.model.library import models_folder, proofs_folder
from verifier.model.model import Expectation
from verifier.wings.papers.ledger import (
    build,
    decide,
    evidence_answers,
    proof_pages,
    read,
    steps,
    table,
)
from verifier.wings.papers.ledger.entry import OfBound, OfDerivation, OfModel, OfProof, OfSearch

pytestmark = pytest.mark.quick


SMALL = 6
"""Records of the models that are decided again here; all are by `make generated`."""
HEAD = 'claim = "Theorem 1"\nplace = "section 1"\nstatement = "It holds."\n'
READING = '[[reading]]\nreading = "as printed"\nmeans = "for all"\nfound = "so"\n'
FAILS = """[[reading.evidence]]
shows = "failure"
model = "DMKB20/example-4-as-printed"
asks = [{ definition = "cdp", verdict = "fails", tight_epsilon = "inf" }]
"""
REFUTED = f'{HEAD}{READING}verdict = "refuted"\nrepaired = "none: it is a test"\n{FAILS}'


def _written(folder: Path, text: str, name: str = "theorem-1") -> Path:
    path = folder / "DMKB20" / f"{name}.toml"
    path.write_text(text)
    return path


BAD = tomllib.loads((Path(__file__).parent / "refused.toml").read_text(encoding="utf-8"))["refused"]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad["name"])
def test_entries_are_refused(folder: Path, bad: dict[str, str]) -> None:
    with pytest.raises(InputError) as refused:
        read.read_entry(_written(folder, bad["file"]))
    assert bad["message"] in str(refused.value)
    assert "theorem-1.toml" in str(refused.value)


def _shown(**changed: object) -> OfModel:
    answer = {"verdict": "fails", "tight_epsilon": "inf"} | changed
    return OfModel("failure", "DMKB20/example-4-as-printed", (Expectation("cdp", {}, answer),))


def test_a_model_must_answer_as_the_entry_says() -> None:
    assert decide.decide(_shown()) == ("cdp: verdict fails, tight_epsilon inf",)
    with pytest.raises(decide.Unshown, match="promised holds, found fails"):
        decide.decide(_shown(verdict="holds"))
    with pytest.raises(decide.Unshown, match="promised 1, found inf"):
        decide.decide(_shown(tight_epsilon="1"))
    with pytest.raises(InputError, match="no model nothing"):
        decide.decide(OfModel("claim", "nothing", ()))


PUBLISHED = "restricted/copy-published"
FEWER: dict[str, tuple[OfModel, str]] = {
    "a holds of one record": (
        OfModel("claim", PUBLISHED, (Expectation("cdp", {}, {"verdict": "holds", "tight_epsilon": "0"}),)),
        "are restricted to record 0; with every record protected: cdp; verdict: promised holds, found fails",
    ),
    "a tightest value of one record": (
        OfModel("failure", PUBLISHED, (Expectation("ibcdp", {"epsilon": "ln(2)"}, {"tight_delta": "0"}),)),
        "ibcdp epsilon=ln(2); tight_delta: promised 0, found 1",
    ),
    "a question about one record": (
        OfModel("claim", "DMKB20/example-4-repaired", (Expectation("np", {"record": 0}, {"verdict": "holds"}),)),
        "np is asked of one record",
    ),
    "a function": (
        OfModel("claim", "DMKB20/example-6-second-normalization", (Expectation("np", {}, {"verdict": "fails"}),)),
        "the answers are restricted to the sensitive function",
    ),
}


@pytest.mark.parametrize("name", FEWER)
def test_answers_about_fewer_records_show_no_claim_about_all(name: str) -> None:
    evidence, message = FEWER[name]
    with pytest.raises(decide.Unshown) as refused:
        decide.decide(evidence)
    assert message in str(refused.value)
    assert 'Expected a model that protects every record, or `restricted = "' in str(refused.value)
    said = decide.decide(replace(evidence, restricted="The claim is about this alone."))
    assert said[-1].endswith(": The claim is about this alone.")


def test_what_fails_for_one_record_or_is_the_same_for_all_needs_no_reason() -> None:
    fails = OfModel("failure", PUBLISHED, (Expectation("np", {}, {"verdict": "fails", "tight_epsilon": "inf"}),))
    assert decide.decide(fails)[-1] == "the same with every record protected"
    votes = Expectation("ppkdp", {"epsilon": "ln(2)"}, {"tight_delta": "449/10000"})
    assert decide.decide(OfModel("claim", "DMKB20/example-7-five-voters", (votes,)))[-1].startswith("the same")
    accepted = Expectation("acceptable", {"record": 2}, {"acceptable": True})
    assert len(decide.decide(OfModel("repair", "DMKB20/example-7-five-voters", (accepted,)))) == 1
    with pytest.raises(InputError, match="every record is protected"):
        decide.decide(replace(_shown(), restricted="because"))


def test_a_search_must_be_complete_and_find_nothing() -> None:
    scope = {"claim": "independent => np(e) iff cdp(e)", "weights": 2, "mechanism_weights": 1}
    assert decide.decide(OfSearch("claim", scope, 159))[0].startswith("no model among 159")
    with pytest.raises(decide.Unshown, match="159 models are in the scope"):
        decide.decide(OfSearch("claim", scope, 160))
    with pytest.raises(decide.Unshown, match="Expected no model"):
        decide.decide(OfSearch("claim", scope | {"claim": "np(e) => cdp(e)"}, 159))


def test_a_bound_must_cover_or_not_in_every_row() -> None:
    given = {"n": ("2",), "lambda": ("1/4",), "epsilon": ("2",)}
    assert decide.decide(OfBound("failure", "theorem-3", "", given, "no"))
    with pytest.raises(decide.Unshown, match="covers: no at n = 2"):
        decide.decide(OfBound("claim", "theorem-3", "", given, "yes"))


def test_a_derivation_must_go_through(folder: Path) -> None:
    (folder / "DMKB20" / "sums.py").write_text(
        "from verifier.wings.papers.ledger.steps import equal\n"
        "def right(): return (equal(1 + 1, 2, 'sum'),)\n"
        "def wrong(): return (equal(1 + 1, 3, 'sum'),)\n"
        "def silent(): return ()\n"
    )
    assert decide.decide(OfDerivation("claim", "DMKB20", "sums", "right")) == ("sum: 2",)
    with pytest.raises(decide.Unshown, match="2 is not 3"):
        decide.decide(OfDerivation("claim", "DMKB20", "sums", "wrong"))
    with pytest.raises(InputError, match="returned no steps"):
        decide.decide(OfDerivation("claim", "DMKB20", "sums", "silent"))
    with pytest.raises(InputError, match="no function missing"):
        decide.decide(OfDerivation("claim", "DMKB20", "sums", "missing"))
    with pytest.raises(InputError, match="no such module"):
        decide.decide(OfDerivation("claim", "DMKB20", "nothing", "right"))


def test_a_written_proof_must_exist() -> None:
    page = next(line for line in (proofs_folder() / "bounds.md").read_text().splitlines() if line.startswith("## "))
    assert decide.decide(OfProof("claim", "bounds.md", proof_pages.anchor(page[3:]))) == ()
    with pytest.raises(InputError, match=r"no heading nowhere\. Expected one of"):
        decide.decide(OfProof("claim", "bounds.md", "nowhere"))
    with pytest.raises(InputError, match="no such page"):
        decide.decide(OfProof("claim", "nothing.md", "x"))


def test_steps_refuse_what_does_not_follow() -> None:
    import z3
    from sympy import symbols

    p, q = symbols("p q", positive=True)
    x = z3.Real("x")
    wrong_steps: tuple[Callable[[], str], ...] = (
        lambda: steps.identity(p * q, p + q, "s"),
        lambda: steps.unsatisfiable([x > 0], "s"),
        lambda: steps.every_case([], lambda _: True, "s"),
        lambda: steps.every_case([1, 2], lambda n: n < 2, "s"),
        lambda: steps.every_case([1], lambda n: n, "s"),  # type: ignore[arg-type,return-value]
        lambda: steps.less(1, 1, "s"),
        lambda: steps.at_most(2, 1, "s"),
        lambda: steps.equal(0.5, 0.5, "s"),
    )
    for wrong in at_least_one(wrong_steps):
        with pytest.raises(steps.Underived):
            wrong()


def _build(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = build.main(list(arguments))
    return status, capsys.readouterr().out


def test_what_changes_is_stale(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _written(folder, REFUTED)
    assert _build(capsys)[0] == 0
    assert _build(capsys, "--check") == (0, "")
    assert [row.verdict for row in table.rows()] == ["refuted"]
    path.write_text(REFUTED.replace("It holds.", "It fails."))
    assert [row.verdict for row in table.rows()] == ["stale"]
    path.write_text(REFUTED)
    answers = folder / "DMKB20" / "answers.json"
    genuine = answers.read_text()
    for changed in at_least_one((genuine.replace('"inf"', '"1"', 1), "", f"{genuine}{{}}\n")):
        answers.write_text(changed)
        assert [row.verdict for row in table.rows()] == ["refuted" if changed.startswith(genuine) else "stale"]
        assert _build(capsys, "--check") == (1, "DMKB20/answers.json is stale: run `make generated`\n")
    answers.unlink()
    assert [row.verdict for row in table.rows()] == ["stale"]
    assert _build(capsys)[0] == 0
    assert answers.read_text() == genuine


FORGED = {
    "sha256": "0" * 64,
    "said": [["cdp: verdict holds"]],
    "rests_on": {},
    "answers": {"confirmed": [], "unchecked": []},
}


@pytest.mark.parametrize("key", FORGED)
def test_a_forged_binding_is_stale(folder: Path, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    _written(folder, REFUTED)
    assert _build(capsys)[0] == 0
    file = folder / "DMKB20" / "evidence.json"
    content = json.loads(file.read_text())
    one = content["entries"]["theorem-1"]["as printed"]
    one[key] = FORGED[key]
    file.write_text(json.dumps(content))
    assert [row.verdict for row in table.rows()] == ["stale"]
    file.write_text("[]")
    with pytest.raises(InputError, match="Expected a file of"):
        table.rows()


def test_evidence_that_shows_something_else_is_not_bound(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _written(folder, REFUTED.replace('verdict = "fails", tight', 'verdict = "holds", tight'))
    status, said = _build(capsys)
    assert status == 1
    assert "promised holds, found fails" in said
    assert not list(folder.rglob("*.json"))


def _answer(**changed: object) -> str:
    (text,) = evidence_answers.texts_of(_shown())
    answer = json.loads(text)
    assert not {"version", "reason", "note"} & answer.keys()
    return json.dumps({**answer, **changed})


FORGERIES: dict[str, tuple[dict[str, object], str]] = {
    "verdict": ({"verdict": "holds"}, "the verdict is fails, and the answer says holds"),
    "ε": ({"tight_epsilon": "ln(2)"}, "tight_epsilon is inf"),
    "no witness": ({"witness": None}, "without a witness"),
    "another file": ({"sha256": "0" * 64}, "not the file that was asked about"),
    "no model": ({"model": "models/none.toml"}, "is not there"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_the_checker_decides_each_answer_again(name: str) -> None:
    changed, reason = FORGERIES[name]
    row = table.rows("DMKB20", ["Example 4"])[0]
    evidence_answers.recheck(replace(row, answers=(_answer(),)))
    with pytest.raises(decide.Unshown, match=re.escape(reason)):
        evidence_answers.recheck(replace(row, answers=(_answer(), _answer(**changed))))


def test_what_is_beyond_the_limits_of_the_checker_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large = "referendum/ten-million-exact"
    _written(folder, REFUTED.replace("DMKB20/example-4-as-printed", large).replace('"cdp"', '"np"'))
    assert _build(capsys)[0] == 0
    (row,) = table.rows()
    assert (row.answers, row.unchecked) == ((), (f"models/{large}.toml, np",))


# --- the ledger of the papers -------------------------------------------------------------------------------


def test_every_verdict_of_the_ledger_is_fresh() -> None:
    """The hash of each reading is that of its words, models, answers, derivations and proofs."""
    assert [f"{row.entry.file}: {row.entry.key(row.reading)}" for row in table.rows() if not row.fresh] == []


def test_the_small_restricted_models_of_the_ledger_show_what_they_are_said_to_show() -> None:
    """No entry rests on answers about fewer records than its claim speaks of, unless it says why."""
    named = {repr(one): one for row in table.rows() for one in row.reading.evidence if isinstance(one, OfModel)}
    few = [
        one for one in named.values() if (model := decide.engine_of(one.model)[0]).restriction and model.size <= SMALL
    ]
    assert len(few) > 20
    for one in few:
        assert decide.decide(one), one.title


def test_the_small_answers_of_the_ledger_are_confirmed() -> None:
    """`pkdp claims --replay` has the others decided again as well, in up to half a minute each."""
    looked_at: Counter[str] = Counter()
    for line in at_least_one({line for row in table.rows() for line in row.answers}):
        answer = json.loads(line)
        searched = answer.get("kind") == "search"
        few = answer["models_in_scope"] < 3000 if searched else decide.engine_of(_name(answer))[0].size <= SMALL
        if few or (searched and answer["models_in_scope"] > MOST_DECIDED):
            word = evidence_answers.word_on(line)
            assert word.word == "confirmed", line
            assert ("counted, not decided again" in word.why) == (searched and (not few or "ddp" in line))
            looked_at["search" if searched else "answer"] += 1
    assert looked_at["search"] > 15
    assert looked_at["answer"] > 400


def _name(answer: dict[str, str]) -> str:
    return answer["model"].removeprefix("models/").removesuffix(".toml")


def test_every_named_model_exists_and_promises_answers() -> None:
    named = {one.model for row in table.rows() for one in row.reading.evidence if isinstance(one, OfModel)}
    for name in at_least_one(named):
        assert "[[expect]]" in (models_folder() / f"{name}.toml").read_text(encoding="utf-8"), name
