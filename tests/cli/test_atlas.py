"""`pkdp check MODEL --atlas`, and `pk.atlas`."""

import tomllib
from collections import Counter

import pytest
from examined import at_least_one

import verifier as pk
from verifier.model.library import models_folder
from verifier.questions.atlas import atlas_of
from verifier.show.answers import verdict_sheet

MODEL = """
size = 1
values = [0, 1]
[mechanism]
kind = "randomized-response"
keep = "1/2"
[policy]
order = 2
sensitive = [0]
"""


def test_the_smallest_delta_is_that_at_the_epsilon_asked_or_at_0() -> None:
    """Each as the definition alone is asked; none of a definition without a δ."""
    model = pk.read(models_folder() / "atlas" / "near-copies.toml")
    for epsilon in (None, "1/10"):
        for entry in at_least_one(atlas_of(model, epsilon=epsilon, replay=False)):
            definition = pk.atlas[entry.key]
            if entry.verdict.verdict in {"holds", "fails"} and definition.has_epsilon and definition.has_delta:
                asked = pk.check(model, definition, epsilon=epsilon or 0, replay=False)
                assert (entry.delta, entry.key) == (asked.tight_delta, entry.key)
            else:
                assert entry.delta is None or entry.verdict.verdict == "vacuous", entry.key


@pytest.mark.parametrize("key", ["fdp", "consdp", "sempr", "wfdp", "pfpr"])
def test_an_answer_that_misses_a_field_has_lines_to_copy(key: str) -> None:
    """They are TOML; first values for this very model let it be asked, where it has some."""
    text = MODEL + '[[distribution]]\nname = "fair"\niid = { 0 = "1/2", 1 = "1/2" }\n'
    rows = verdict_sheet(pk.check(pk.loads(text), key)).rows
    start = [name for name, _ in rows].index("to copy")
    end = next(k for k in range(start + 1, len(rows)) if rows[k][0])
    *lines, last = [str(words) for _, words in rows[start:end]]
    given = tomllib.loads("\n".join(lines))["policy"]
    assert last.endswith(".")
    if "first values" in last:
        policy = "\n".join(line for line in lines if line != "[policy]")
        asked = pk.check(pk.loads(text.replace("[policy]\n", f"[policy]\n{policy}\n")), key, replay=False)
        assert asked.verdict in {"holds", "fails", "vacuous"}, asked.reason
    assert given


IN_TABLE_3 = {
    "Q": 14, "N": 20, "V": 6, "B": 2, "F": 3, "R": 1, "C": 2, "NV": 3, "QV": 3, "QNV": 4, "QB": 3, "NB": 2, "QNB": 4,
    "NVB": 1, "QNVB": 1, "QF": 4, "BF": 4, "QBF": 1, "NBF": 1, "QR": 2, "NBR": 1, "QNBFR": 2, "QVR": 1, "RC": 1,
    "NVC": 2,
}  # fmt: skip
"""How many definitions DP22's Table 3 lists under each combination of dimensions, counted on the page."""
OF_THE_TEXT = {"dp-any": "", "attdp": "N", "bitdp": "N", "ibcdp": "BF", "distdp": "BR"}
"""Definitions that DP22 has in its text alone."""


def test_the_dimensions_are_those_of_table_3() -> None:
    assert {key: pk.atlas.dimensions(key) for key in OF_THE_TEXT} == OF_THE_TEXT
    assert Counter(pk.atlas.dimensions(key) for key in pk.atlas if key not in OF_THE_TEXT) == IN_TABLE_3
    assert sum(IN_TABLE_3.values()) == 88
