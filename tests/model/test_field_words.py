"""Words of the field: each hint is true of today's program, and every place that can meet a word gives it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from documents import site_modules

import verifier as pk
from verifier.cli.commands import COMMANDS
from verifier.cli.examples import examples
from verifier.cli.main import run
from verifier.cli.new import finished
from verifier.cli.options import Examples
from verifier.definitions.registry import PROPERTIES, find, is_known
from verifier.model.field_words import ABOUT, FieldWord, field_word, field_words
from verifier.model.read_mechanism import KINDS
from verifier.model.steps import STEPS

ENTRIES = field_words()
WORDS = [(word, entry) for entry in ENTRIES for word in entry.words]
RESPONSE = {"kind": "randomized-response", "keep": "1/2"}


def test_words_are_distinct_and_no_names_of_the_program() -> None:
    words = [word for word, _ in WORDS]
    assert len(set(words)) == len(words) > 150
    assert {entry.about for entry in ENTRIES} == set(ABOUT)
    assert not set(words) & {*COMMANDS}
    for word, entry in WORDS:  # a kind that is asked for as something else, and a measure of tables
        assert word not in {*KINDS, *STEPS} or f'kind = "{word}"' in entry.hint
        assert word not in PROPERTIES or entry.about == "question"
    known = {word: entry for word, entry in WORDS if is_known(word) and entry.about == "definition"}
    assert {"zcdp", "rdp", "gdp", "ldp", "pure-dp", "approximate-dp", "pufferfish", "blowfish"} <= set(known)
    assert all(find(word).key == entry.definition for word, entry in known.items())
    assert all(field_word(word) is entry for word, entry in WORDS)
    assert field_word("Local_DP") is field_word("ldp")


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.definition], ids=lambda entry: entry.words[0])
def test_what_a_hint_says_is_decided(entry: FieldWord) -> None:
    """And the hint names the definition that is meant."""
    keys: dict[str, Any] = {"size": entry.size, "values": [0, 1], "mechanism": RESPONSE, **(entry.keys or {})}
    if isinstance(entry.size, int):
        keys["distribution"] = {"iid": "uniform"}
    answer = pk.check(pk.build(**keys), entry.definition)
    assert answer.verdict in {"holds", "fails"}, answer.reason
    if entry.about == "definition":
        assert entry.hint.startswith("is ")
        assert entry.definition in entry.hint
        assert all(f"`{field}`" in entry.hint for field in keys.get("policy", {}) if field != "absent")


@pytest.mark.parametrize(("word", "entry"), WORDS, ids=[word for word, _ in WORDS])
def test_an_error_about_a_word_gives_its_hint(word: str, entry: FieldWord) -> None:
    size_and_values = {"size": 1, "values": [0, 1]}
    if entry.about == "mechanism":
        asked: list[dict[str, Any]] = [{"kind": word}, {"kind": "sum", "then": [{"kind": word}]}]
        for mechanism in [] if word in {*KINDS, *STEPS} else asked:
            with pytest.raises(pk.InputError) as caught:
                pk.build(**size_and_values, mechanism=mechanism)
            assert caught.value.tip == entry.hint
    elif entry.about == "key":
        count = {"kind": "count", "value": 1}
        noise = {"kind": "geometric-noise", word: "1/2"}
        response = {"kind": "randomized-response", word: "1/2"}
        without: list[dict[str, Any]] = [{**RESPONSE, word: "1/2"}, {**count, word: "1/2"}, response]
        for mechanism in (*without, {**count, "then": [noise]}):
            with pytest.raises(pk.InputError, match=f"the key `{word}` is unknown") as caught:
                pk.build(**size_and_values, mechanism=mechanism)
            assert caught.value.tip == entry.hint
    if is_known(word):
        return
    with pytest.raises(pk.InputError) as caught:
        pk.check(pk.build(**size_and_values, mechanism=RESPONSE), word)
    assert caught.value.tip == ("pk.k_anonymity decides it" if word in PROPERTIES else entry.hint)


@pytest.mark.parametrize(
    "word", ["laplace", "exponential", "shuffler", "noisy-max", "ldp", "rdp", "zcdp", "gdp", "pld"]
)
def test_the_command_line_gives_the_hint_too(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    entry = field_word(word)
    assert entry is not None
    for arguments, status in (((word,), 2), (("examples", word), 0)):
        with pytest.raises(SystemExit) as stop:
            run(arguments)
        said = capsys.readouterr()
        assert stop.value.code == status
        assert entry.hint in " ".join((said.err + said.out).split())


TABLE = tomllib.loads(Path(__file__).with_name("field_words.toml").read_text(encoding="utf-8"))["row"]
SAID = [(word, row["names"]) for row in TABLE for word in row["words"]]
with site_modules() as site:
    PAGE = site("generated").words_page().splitlines()


@pytest.mark.parametrize(("written", "names"), SAID, ids=[word for word, _ in SAID])
def test_a_word_of_the_field_is_answered_by_an_error_and_a_page(
    written: str, names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Both say the hint, which names what to write."""
    entry = field_word(written)
    assert entry is not None
    assert not [name for name in names if name not in entry.hint]
    with pytest.raises(SystemExit) as stop:
        run([written])
    assert stop.value.code == 2
    assert entry.hint in capsys.readouterr().err
    (row,) = (row for row in PAGE if row.startswith(f"| {', '.join(entry.words)} |"))
    assert "-".join(written.lower().split()) in row
    assert all(name in row for name in names)


@pytest.mark.parametrize("row", TABLE, ids=[row["words"][0] for row in TABLE])
def test_examples_of_a_word_of_the_field_begin_with_its_hint(row: dict[str, list[str]]) -> None:
    entry = field_word(row["words"][0])
    assert entry is not None
    said = next(iter(examples(Examples(text=row["words"][:1])).instead["table"]()))
    assert entry.hint in " ".join(str(said).split())


@pytest.mark.parametrize("key", ["epsilon", "p", "noise"])
@pytest.mark.parametrize("mechanism", [{"kind": "count", "value": 1}, {"rows": [], "otherwise": 0}])
def test_noise_beside_a_kind_is_a_step(key: str, mechanism: dict[str, Any]) -> None:
    with pytest.raises(pk.InputError, match=f"the key `{key}` is unknown") as caught:
        pk.build(size=1, values=[0, 1], mechanism={**mechanism, key: "1/2"})
    assert caught.value.tip.startswith("noise is a step: then = [")


@pytest.mark.parametrize("written", ["local dp", "Local DP", "local_dp", "pure dp"])
def test_a_definition_of_two_words_has_its_hint(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    entry = field_word(written)
    assert entry is not None
    with pytest.raises(SystemExit) as stop:
        run(["check", "example-7-five-voters", "--definition", written])
    assert stop.value.code == 2
    assert entry.hint in capsys.readouterr().err


@pytest.mark.parametrize("word", ["laplace", "Gaussian", "exponential mechanism", "rappor"])
def test_an_answer_to_the_question_what_is_published_has_its_hint(word: str) -> None:
    entry = field_word(word)
    assert entry is not None
    with pytest.raises(pk.InputError) as caught:
        finished(["", "", "", "", word])
    assert caught.value.tip.startswith(entry.hint)
    assert "noisy-count" in caught.value.tip


@pytest.mark.parametrize("word", ["rdp", "laplace"])
def test_a_hint_of_python_has_no_command_in_it(word: str) -> None:
    entry = field_word(word)
    assert entry is not None
    assert "pkdp " not in entry.hint
