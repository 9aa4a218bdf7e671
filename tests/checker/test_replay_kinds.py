"""What the checker's own reader of mechanisms refuses, and what it does not look at."""

from __future__ import annotations

import pytest

from verifier.checker import Rejected
from verifier.checker.model.labels import Uncovered, outcome
from verifier.checker.model.mechanisms import Kinds

pytestmark = pytest.mark.quick


COUNT = {"kind": "count", "value": 1}


def test_noise_on_the_outputs_of_too_many_databases_is_not_read() -> None:
    """2^18 databases are more than 131,072, and their outputs would be looked at one by one; a count has 18."""
    noisy = {"then": [{"kind": "geometric-noise", "p": "1/2"}]}
    values = Kinds([outcome(0), outcome(1)])
    with pytest.raises(Uncovered, match="the outputs of very many databases"):
        values.read({"rows": [{"database": [1] * 18, "output": 1}], "otherwise": 0, **noisy}, 18).law((1,) * 18)
    assert len(values.read({**COUNT, **noisy}, 18).law((1,) * 18)) == 18 + 3


@pytest.mark.parametrize(
    "law", [{"x": "3/2", "y": "-1/2"}, {"x": "1/2"}, {"x": "1", "y": "1/2"}, {"x": "-1", "y": "2"}]
)
def test_a_table_of_probabilities_that_is_no_law_is_refused(law: dict[str, str]) -> None:
    """Also one that sums to 1, with a negative entry."""
    with pytest.raises(Rejected, match=r"a table of probabilities that is no law|where a probability stands"):
        Kinds([outcome(0)]).law_of(law)
