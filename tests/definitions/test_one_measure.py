"""A measure is a declaration and the checker's function: in a copy of the package, one more is found in every list."""

from __future__ import annotations

from typing import Any

import pytest
from copies import copied, said

DECLARATION = """\
TRIANGULAR = Algebraic(
    "triangular",
    "triangular discrimination",
    "Σ (P - Q)²/(P + Q)",
    "this test",
    lambda ring, weights, total: ring.summed(ring.ratio(ring.apart(p, q) ** 2, p + q) for p, q in weights) / total,
    against_nothing=epsilon(2),
)
"""
OF_THE_CHECKER = """\
    "triangular": lambda groups: Log(sum(((g.p - g.q) ** 2 / (g.p + g.q) for g in groups), Fraction(0))),
"""
ENTRY = """\
key = "tridp"
title = "triangular differential privacy"
dimensions = "Q"
plainly = "Neighbours lead to outputs that are alike in the triangular discrimination."
source = "this test"
builder = "relation"
measure = "triangular"
formula = "Σ (P - Q)²/(P + Q) ≤ ε for all neighbours"
vacuous = "there is one value"
[told-apart]
"""
ADDED = (
    ("definitions/measures/divergence.py", "DIVERGENCES: dict[str, Number] = {\n", DECLARATION),
    ("definitions/measures/divergence.py", "KL, SPREAD, CHI_SQUARED, TOTAL_VARIATION, SEMANTIC)", "TRIANGULAR, "),
    ("definitions/entries/dp22/tridp.toml", "", ENTRY),
    ("checker/definitions.py", '    "psdp": Definition(', '    "tridp": Definition(neighbours, "triangular"),\n'),
    ("checker/measures.py", '    "kl": kl,\n', OF_THE_CHECKER),
)
LOOKS = '''
import json
import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.models import Model
from verifier.show.cards import card_json
from format_tables import TABLES
from verifier.wings.explore.atlas import about_json
text = """
size = 2
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[mechanism]
kind = "randomized-response"
keep = "1/2"
records = [0]
[policy]
divergence = "triangular"
"""
model = pk.loads(text)
answers = [pk.check(model, key, epsilon="1/3", replay=False) for key in ("divdp", "tridp")]
wrong = {**answers[1].to_json(), "tight_epsilon": "1/3", "tight_epsilon_decimal": None}
fields = about_json(pk.atlas["divdp"], model)["policy"]
words = {row["field"]: row["words"] for row in fields}["divergence"]
found = pk.search(
    satisfies=["tridp(1/2)"], violates="dp-any(ln(2))", records=1, weights=1, mechanism_weights=4,
)
import atlas_pages
from verifier.definitions.registry import read_definition
from verifier.model.keys import Location
from verifier.wings.implications.axioms.axioms import derive
recipe = """
key = "mine"
title = "mine"
builder = "conditional"
measure = "triangular"
"""
own = read_definition(recipe, Location("mine.toml"), own=True)
unknown = pk.check(pk.loads(text.replace("triangular", "no-such")), "divdp", replay=False)
print(json.dumps({
    "smallest": [str(answer.tight_epsilon) for answer in answers],
    "checker": [checked(answer.to_json(), Model(text)).word for answer in answers],
    "checker on another number": checked(wrong, Model(text)).word,
    "card": card_json(pk.atlas["tridp"])["choices"]["measure"],
    "FORMAT.md": "triangular" in TABLES["policy"](),
    "explorer": "triangular" in words,
    "page": "triangular discrimination" in dict(atlas_pages.pages())["atlas/tridp.md"],
    "another name": "triangular" in unknown.reason,
    "search": str(found).partition(";")[0],
    "recipe": str(pk.check(model, own, replay=False).tight_epsilon),
    "axioms": derive("tridp", "convexity").text,
}))
'''


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a copy of the package says that has the measure."""
    return said(copied(tmp_path_factory.mktemp("copy"), *ADDED), LOOKS)


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("card", "It bounds the triangular discrimination."),
        ("FORMAT.md", True),
        ("explorer", True),
        ("page", True),
        ("another name", True),
        ("search", "found: tridp(1/2) but not dp-any(ln(2))"),
        ("axioms", "nothing is known of the measure triangular"),
    ],
)
def test_a_measure_is_found_by_its_declaration_alone(found: dict[str, Any], where: str, what: object) -> None:
    assert found[where] == what


def test_it_is_decided_and_decided_again(found: dict[str, Any]) -> None:
    """Of (3/4, 1/4) and (1/4, 3/4) it is 2·(1/2)²/1, in an entry, in `[policy]`, and in a recipe of one's own."""
    assert found["smallest"] == ["1/2", "1/2"]
    assert found["recipe"] == "1/2"
    assert found["checker"] == ["confirmed", "confirmed"]
    assert found["checker on another number"] == "rejected"
