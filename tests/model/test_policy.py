"""`[policy]`, and models without a distribution."""

import re
import tomllib
from fractions import Fraction

import pytest

from verifier import InputError, build, check
from verifier.model import loads
from verifier.model.library import guide
from verifier.model.policy import FIELDS, NO_POLICY, Policy
from verifier.questions.check import overview
from verifier.tables import label

HEAD = 'size = 2\nvalues = ["a", "b", "c", "hiv", "none"]\n'
COIN = '[mechanism]\nkind = "constant"\noutput = "yes"\n'
UNIFORM = '[[distribution]]\nname = "{}"\niid = {{ a = "1/2", b = "1/2" }}\n'


def policy_of(body: str, head: str = HEAD) -> Policy:
    return loads(f"{head}{COIN}[policy]\n{body}").policy


EVERY_FIELD = """[policy]
neighbours  = "change"
absent      = "none"
sensitive   = ["hiv"]
graph       = [["a", "b"], ["b", "c"]]
attributes  = { a = ["x", 1], b = ["x", 2], c = [0, 0], hiv = [0, 1], none = [1, 1] }
bits        = { a = "00", b = "01", c = "10", hiv = "11", none = "00" }
databases   = [["a", "a"], ["a", "b"]]
fixed       = ["a", "b"]
record      = 0
pairs       = [[["a", "a"], ["b", "b"]]]
secrets     = [[[["a", "a"]], [["b", "b"], ["a", "b"]]]]
dependence  = [[0, 1]]
group       = 2
levels      = ["1", "2"]
scale       = [[["a", "b"], "2"]]
tailored    = [["a", ["a", "b"], "2"]]
blocks      = [[0, 1]]
distance    = "hamming"
at-most     = "1"
statistic   = [[["a", "b"], "1/2"]]
adversaries = [[0, [1]]]
theta-pairs = [["up", "down"]]
theta-distances = [["up", "down", "2"]]
prior       = { a = "1/2", b = "1/2" }
gamma       = "1/10"
rate        = "1/2"
order       = 2
divergence  = "chi-squared"
tests       = [{ yes = "1", no = "0" }]
tradeoff    = [["0", "1"], ["1/2", "1/4"], ["1", "0"]]
error       = "1/10"
predicate   = [["1", "-2", "0"]]
leak        = { yes = "y", no = "n" }
image       = { yes = "y", no = "y" }
agg         = ["identity", [[["a"], "low"], [["b"], { low = "1/2", high = "1/2" }]]]
coupled     = [{ agg = { records = [1] }, priv = { records = [0] } }]
views       = [{ yes = "y", no = "n" }, { yes = "-", no = "-" }]
xi          = "0"
omega       = "3"
mu          = "1/2"
"""


def test_every_field_is_read() -> None:
    assert set(tomllib.loads(EVERY_FIELD)["policy"]) == set(FIELDS)
    text = HEAD + UNIFORM.format("up") + UNIFORM.format("down") + COIN + EVERY_FIELD
    policy = loads(text).policy
    assert policy.sensitive == frozenset({3})
    assert policy.graph == frozenset({frozenset({0, 1}), frozenset({1, 2})})
    assert policy.fixed == (0, 1)
    assert policy.levels == (Fraction(1), Fraction(2))
    assert policy.prior == (Fraction(1, 2), Fraction(1, 2), *[Fraction(0)] * 3)
    assert policy.at_most == 1
    assert policy.leak == ((label("yes"), label("y")), (label("no"), label("n")))
    assert policy.theta_pairs == (("up", "down"),)
    assert policy.secrets == ((frozenset({(0, 0)}), frozenset({(1, 1), (0, 1)})),)


def test_the_documented_fields_are_the_fields() -> None:
    """The table of FORMAT.md has a row for each field, whose example is read."""
    rows = re.findall(r"(?m)^\| `([a-z-]+)` \| [^|]+ \| `([^|]+)` \|", guide("format").partition("## Policy")[2])
    assert [name for name, _ in rows] == list(FIELDS)
    lines = [f"{name} = {example}" for name, example in rows]
    drawn = UNIFORM.format("up") + UNIFORM.format("down")
    coin = '[mechanism]\notherwise = { yes = "1/2", no = "1/2" }\ntable = []\n'
    policy = loads("\n".join(['size = 2\nvalues = ["a", "b"]', drawn, coin, "[policy]", *lines])).policy
    assert all(policy.has(name) for name in FIELDS)


def test_infinite_multiples_demand_nothing() -> None:
    assert policy_of('levels = ["inf", "1/2"]').levels == (None, Fraction(1, 2))
    assert policy_of('distance = [[["a", "a"], ["a", "b"], "inf"]]').distance == (((0, 0), (0, 1), None),)


def test_without_a_policy() -> None:
    assert loads(HEAD + COIN).policy is NO_POLICY


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('neighbors = "change"', "the key `neighbors` is unknown"),
        ('neighbours = "both"', "one of change, add-remove, any"),
        ('sensitive = ["d"]', "one of `values`"),
        ('graph = [["a", "a"]]', "two different values"),
        ('levels = ["1"]', "the number of levels is 1"),
        ("levels = [1, -1]", "at least 0"),
        ("group = 0", "at least 1"),
        ('fixed = ["a"]', "the database has 1 record"),
        ('bits = { a = "0" }', "the value b has no entry"),
        ("blocks = [[0, 1], [1]]", "each record in one block at most"),
        ('prior = { a = "1/2" }', "sum to 1/2"),
        ("gamma = 2", "probability"),
        ("order = 1", "an order above 1"),
        ('tradeoff = [["0", "1"], ["1/2", "0"]]', "rising from 0 to 1"),
        ('theta-pairs = [["up", "down"]]', "there is none"),
        ("adversaries = [[0, [0]]]", "attacked and known"),
        ('pairs = [[["a", "b"]]]', "two databases"),
        ("omega = 1", "an order above 1"),
        ("rho = 1", "the key `rho` is unknown"),
        ("agg = [3]", 'Expected "identity", "constant"'),
        ('agg = [[[["a"], "x"], [["a"], "y"]]]', "twice"),
        ('agg = [[[["a", "b"], "x"]]]', "the database has 2 records"),
        ('agg = [[[["a"], { x = "1/2" }]]]', "sum to 1/2"),
        ("agg = [{ record = [0] }]", "`records` is missing"),
        ('coupled = [{ agg = "identity" }]', "`priv` is missing"),
        ('coupled = [{ agg = "constant", priv = [[["a", "a"], { x = "1/2", y = "1/2" }]] }]', "`priv` is random"),
        ("views = [3]", "a table from outputs to labels"),
    ],
)
def test_what_no_field_can_have_is_refused(body: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        policy_of(body)
    assert message in str(refused.value)
    assert "[policy]" in str(refused.value)


def test_a_mechanism_alone_is_a_model() -> None:
    """dp mentions no distribution; the others say that they need one."""
    coin = {"kind": "randomized-response", "keep": "1/2"}
    alone = build(size=2, values=["a", "b"], mechanism=coin)
    answers = {answer.definition: answer for answer in overview(alone)}
    assert str(answers["dp"].tight_epsilon) == "ln(3)"
    assert answers["dp"].replayed
    needing = {key for key, answer in answers.items() if answer.verdict == "unsupported"}
    assert needing == set(answers) - {"dp", "tail-dp"}
    assert all("[[distribution]]" in (answers[key].reason or "") for key in needing)
    drawn = build(size=2, values=["a", "b"], mechanism=coin, distribution={"iid": {"a": "1/2", "b": "1/2"}})
    assert check(drawn, "dp").tight_epsilon == answers["dp"].tight_epsilon


@pytest.mark.parametrize("more", ["[knowledge]\nrecords = [0]\n", "[sensitive]\nrows = []\n", "[[normalization]]\n"])
def test_what_is_about_a_distribution_needs_one(more: str) -> None:
    with pytest.raises(InputError, match="distribution"):
        loads(HEAD + COIN + more)
