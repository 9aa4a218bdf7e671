"""DP22's definitions in families: each answer equals that of the engine at rational values of the parameter."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from examined import at_least_one
from families import agrees, family, values_of
from policy_families import CLINIC, WARD, random_clinic

from verifier.definitions import find
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read import read_any
from verifier.wings.families.answer import FamilyVerdict, epsilon_text
from verifier.wings.families.decide import decide_family

BUNDLED = {
    "response": "family/randomized-response.toml",
    "agree": "exchange/family/two-bits-that-agree.toml",
    "partner": "DMKB20/family/example-6-partner-known.toml",
}
AT_DELTA = ("adp", "advpr", "bldp", "dnpr", "pbdp", "pdnpr", "prodp", "psdp", "subdp", "wbdp", "baydp-tf")
"""Definitions with a δ."""
ALONE = (
    *("anpr", "attdp", "baydp-ll", "baydp-ysn", "bfpr", "bitdp", "cldp", "consdp", "cordp", "ddnpr", "ddpr", "depdp"),
    *("divdp", "dlpr-zlw", "dp-any", "eddnpr", "edivdp", "ednpr", "eldp", "flpr", "gcdp-km", "grdp", "iddp"),
    *("individual-dp", "indpr", "induced-neighbours-dp", "infpr", "mpr", "nmpr", "osdp", "pfpr", "pidp", "pmpr"),
    *("pridp", "rbpr", "renyidp", "sidp", "smdp"),
)
MISSING = ("asdp", "outpr", "pardp", "perdp", "taidp", "ubodp")
"""Definitions that add and remove a record."""
ANYWHERE = ("dp-any", "prodp", "flpr", "indpr", "rbpr", "adp", "cordp", "infpr", "nmpr", "anpr", "advpr")
"""Definitions that need no field of `[policy]`."""
OTHERS = {
    "azcodp": "the measure concentrated-approximately",
    "fdp": "needs `tradeoff`",
    "klpr": "the measure kl",
    "randp": "leaves out a share",
    "avgklpr": "the measure kl",
    "zkpr": "a simulator",
    "ocdp": "without a formula",
    "sempr": "the measure semantic",
    "samdp": r"size = \[0, n\] is needed",
}


def members_of(name: str) -> Family:
    """A family by its name here, or from its text."""
    if name not in BUNDLED:
        return family({"clinic": CLINIC, "ward": WARD}.get(name, name))
    members = read_any(models_folder() / BUNDLED[name])
    assert isinstance(members, Family)
    return members


def compare(name: str, key: str, asked: str | None, delta: str) -> FamilyVerdict:
    """The answer about a family, after it is compared with those about its members."""
    members = members_of(name)
    answer = decide_family(members, key, epsilon=asked, delta=delta)
    assert answer.verdict != "unsupported", answer.reason
    assert sum(agrees(answer, members, at, asked) for at in set(values_of(answer))) > 1
    assert answer.witness is None or answer.witness[1].replayed
    return answer


@pytest.mark.sweep(2)
@pytest.mark.parametrize("key", [*ALONE, *AT_DELTA])
def test_every_field_of_the_policy(key: str) -> None:
    """One parameter in a law and in the mechanism; at its end 0 worlds, outputs and leaks become impossible."""
    for asked in ("ln(2)", None):
        compare("clinic", key, asked, "0")
    if key in AT_DELTA:
        compare("clinic", key, "ln(3/2)", "1/10")


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", [*ALONE, *AT_DELTA])
def test_random_clinics(key: str) -> None:
    """Records that depend on each other, and rows of the mechanism with impossible outputs."""
    compare(random_clinic(key), key, "ln(3)", "1/10" if find(key).has_delta else "0")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("key", MISSING)
def test_a_record_may_be_missing(key: str) -> None:
    compare("ward", key, "ln(2)", "0")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("key", ANYWHERE)
def test_the_bundled_families(name: str, key: str) -> None:
    compare(name, key, "ln(2)", "1/10" if find(key).has_delta else "0")


@pytest.mark.parametrize("asked", ["1/10", "1/2*ln(3)", "inf"])
def test_an_irrational_factor(asked: str) -> None:
    """All pairs of ednpr have the same multiple of ε, so that e^(ε/2) may be any number."""
    for key in ("osdp", "ednpr"):
        compare("clinic", key, asked, "0")


def test_multiples_of_a_function() -> None:
    """e^ε = 1/p: where 2·ε is allowed, Q has the factor 1/p²."""
    members = members_of("ward")
    answer = decide_family(members, "perdp", epsilon="ln(1/p)")
    for at in (Fraction(1, 23), Fraction(9, 23), Fraction(21, 23)):
        agrees(answer, members, at, f"ln({1 / at})")


def test_the_smallest_epsilon_in_words() -> None:
    """The first record of the ward may cost 2·ε: where it is worst, the smallest ε is half a logarithm."""
    response = WARD.split("[mechanism]", maxsplit=1)[0]
    response += '[mechanism]\nkind = "randomized-response"\nkeep = "p"\n[policy]\n'
    levels = {'["2", "1"]': "ln((1 + p)/(1 - p))", '["2", "2"]': "1/2*ln((1 + p)/(1 - p))"}
    levels |= {'["3", "3/2"]': "2/3*ln((1 + p)/(1 - p))", '["1/2", "1/3"]': "ln((1 + p)^3/(1 - p)^3)"}
    for level, text in at_least_one(levels.items()):
        answer = decide_family(family(f'{response}absent = "none"\nlevels = {level}\n'), "perdp")
        (piece,) = answer.tight_epsilon or ()
        assert epsilon_text(answer, piece) == text


def test_a_multiple_that_is_nothing() -> None:
    """A pair that is allowed 0·ε must be of equal laws; where they differ with the parameter it is not decided."""
    members = family(WARD.replace('levels = ["2", "1"]', 'levels = ["0", "1"]'))
    answer = decide_family(members, "perdp", epsilon="ln(2)")
    assert answer.verdict == "unsupported"
    assert "allows 0·ε for M([none, none]) against M([ill, none])" in answer.reason
    equal = WARD.replace('levels = ["2", "1"]', 'levels = ["0", "1"]')
    for row in ('low = "1/3", high = "2/3"', 'low = "p/8", high = "1 - p/8"'):
        equal = equal.replace(row, 'low = "1/2", high = "1/2"')
    equal = equal.replace('low = "1/2 - p/4", high = "1/2 + p/4"', 'low = "1/2", high = "1/2"')
    assert str(decide_family(family(equal), "perdp")) == (
        'perdp, δ = 0, when one record becomes "none", or stops being it: holds for 0 < p < 1'
    )


CHI_SQUARED = CLINIC.replace('"renyi-2"', '"chi-squared"')
UNDECIDED = [
    *(("clinic", key, None, "0", words) for key, words in OTHERS.items()),
    ("ward", "perdp", "1/10", "0", r"2·ε is allowed for ε = 1/10"),
    ("response", "osdp", "ln(2)", "0", r"^this definition needs `sensitive` in \[policy\]"),
    ("clinic", "osdp", "ln(2)", "1/10", r"^osdp has no δ\. Hint: ask at δ = 0\.$"),
    (CHI_SQUARED, "divdp", "ln(2)", "0", "is not rational"),
    (CHI_SQUARED, "divdp", "ln(1 + p)", "0", "is not rational"),
]


@pytest.mark.parametrize(("name", "key", "asked", "delta", "words"), UNDECIDED, ids=[one[1] for one in UNDECIDED])
def test_what_is_not_decided_says_why(name: str, key: str, asked: str | None, delta: str, words: str) -> None:
    answer = decide_family(members_of(name), key, epsilon=asked, delta=delta)
    assert answer.verdict == "unsupported"
    assert re.search(words, answer.reason or "")


SUMS = ("total-variation", "chi-squared", "abs-1", "abs-2", "abs-3", "abs-4")
BY_DIVERGENCE = ("divdp", "edivdp", "ddnpr", "eddnpr")
CURVES = (
    '[["0", "3/4"], ["1/4", "1/3"], ["1", "0"]]',
    '[["0", "1/2"], ["1/2", "0"], ["1", "0"]]',
    '[["0", "1"], ["1/8", "1/8"], ["1", "0"]]',
)
PREDICATES = (
    '[["1", "-2", "1/8"]]',
    '[["-1", "1/2", "1/16"], ["1", "-1", "1/4"]]',
    '[["1", "1", "7/4"], ["-1", "-1", "0"]]',
)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("divergence", SUMS)
@pytest.mark.parametrize("key", BY_DIVERGENCE)
def test_sums_that_are_compared_with_epsilon_itself(key: str, divergence: str) -> None:
    text = CLINIC.replace('"renyi-2"', f'"{divergence}"')
    assert text != CLINIC
    for asked in ("1/4", "1/3", "inf", None):
        answer = compare(text, key, asked, "0")
        assert answer.linear
        assert answer.tight_epsilon is not None
        assert answer.tight_delta is None


@pytest.mark.sweep(3)
@pytest.mark.parametrize("divergence", SUMS)
@pytest.mark.parametrize("seed", range(4))
def test_sums_of_random_clinics(divergence: str, seed: int) -> None:
    """An output may be impossible under one law alone, so that a divergence is infinite, or no more than 2."""
    text = random_clinic(f"sums {seed}").replace('"renyi-2"', f'"{divergence}"')
    assert divergence in text
    compare(text, "divdp", "1/2", "0")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("seed", range(4))
def test_tradeoff_curves(curve: str, seed: int) -> None:
    for text in (CLINIC, random_clinic(f"curves {seed}")):
        for key in ("fdp", "gcdp-kl"):
            assert compare(f"{text}\ntradeoff = {curve}\n", key, None, "0").tight_epsilon is None


@pytest.mark.sweep(3)
@pytest.mark.parametrize("rows", PREDICATES)
@pytest.mark.parametrize("seed", range(4))
def test_predicates(rows: str, seed: int) -> None:
    for text in (CLINIC, random_clinic(f"predicates {seed}")):
        compare(f"{text}\npredicate = {rows}\n", "absdp", None, "0")


def test_a_sample_of_a_ward() -> None:
    compare(f'{WARD}\nrate = "1/3"\n', "samdp", "ln(3/2)", "0")


@pytest.mark.parametrize("key", ["wfdp", "sfdp"])
def test_what_clients_see(key: str) -> None:
    views = '[{ low = "a", mid = "b", high = "b" }, { low = "a", mid = "a", high = "b" }]'
    compare(f"{CLINIC}\ntradeoff = {CURVES[0]}\nviews = {views}\n", key, None, "0")


def test_the_bundled_family_with_a_policy() -> None:
    """Ends by hand: the total variation of neighbours is p, their χ² divergence 8·p²/(1 - 16·p²)."""
    path = models_folder() / "family" / "two-patients.toml"
    text = path.read_text(encoding="utf-8").partition("[[expect]]")[0]
    members = family(text)
    assert decide_family(members, "fdp").text("holds") == "0 <= p <= 1/8"
    assert decide_family(members, "absdp").text("holds") == "0 <= p <= 5/48"
    answer = decide_family(members, "divdp", epsilon="1/6")
    assert answer.text("holds") == "0 <= p <= 1/8"
    piece, end = answer.tight_epsilon or ()
    assert epsilon_text(answer, piece) == "8*p^2/((1 - 4*p)*(1 + 4*p))"
    assert epsilon_text(answer, end) == "inf"
    varied = decide_family(family(text.replace("chi-squared", "total-variation")), "divdp", epsilon="1/10")
    assert varied.text("holds") == "0 <= p <= 1/10"
    assert [epsilon_text(varied, piece) for piece in varied.tight_epsilon or ()] == ["p"]
