"""Bad numbers: sums that are not 1, and what is no probability."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, Bad, ask, distribution, table

JUST_OVER = "500000001/1000000000"

JUST_UNDER = "499999999/1000000000"


def _iid(weight: str) -> str:
    """A file with `weight` as a probability, spelled as in TOML."""
    return distribution(f'iid = {{ 0 = {weight}, 1 = "1/2" }}')


def _network(*nodes: str) -> str:
    return distribution("network = [\n" + "".join(f"  {{ {node} }},\n" for node in nodes) + "]")


ROOT = 'record = 0, table = { 0 = "1/2", 1 = "1/2" }'

ROW = 'table = { 0 = "1/2", 1 = "1/2" }'

SUMS = (
    Bad(
        "sum above 1 in a table",
        table(f'database = [0, 0], probability = "{JUST_OVER}"', 'database = [0, 1], probability = "1/2"'),
        r'FILE: \[\[distribution\]\] "x", table: given 2 rows whose probabilities sum to 1000000001/1000000000; wanted the sum 1 exactly\. Tip: the sum is more than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum below 1 in a table",
        table(f'database = [0, 0], probability = "{JUST_UNDER}"', 'database = [0, 1], probability = "1/2"'),
        r'FILE: \[\[distribution\]\] "x", table: given 2 rows whose probabilities sum to 999999999/1000000000; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum above 1 in iid",
        _iid(f'"{JUST_OVER}"'),
        r'FILE: \[\[distribution\]\] "x", iid: given probabilities that sum to 1000000001/1000000000; wanted the sum 1 exactly\. Tip: the sum is more than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum below 1 in iid",
        _iid(f'"{JUST_UNDER}"'),
        r'FILE: \[\[distribution\]\] "x", iid: given probabilities that sum to 999999999/1000000000; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "decimals that nearly sum to 1",
        distribution("iid = { 0 = 0.333333333, 1 = 0.666666666 }"),
        r'FILE: \[\[distribution\]\] "x", iid: given probabilities that sum to 999999999/1000000000; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum above 1 in independent",
        distribution(f'independent = [ {{ 0 = 1 }}, {{ 0 = "{JUST_OVER}", 1 = "1/2" }} ]'),
        r'FILE: \[\[distribution\]\] "x", independent, record 1: given probabilities that sum to 1000000001/1000000000; wanted the sum 1 exactly\. Tip: the sum is more than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum below 1 in independent",
        distribution(f'independent = [ {{ 0 = "{JUST_UNDER}", 1 = "1/2" }}, {{ 0 = 1 }} ]'),
        r'FILE: \[\[distribution\]\] "x", independent, record 0: given probabilities that sum to 999999999/1000000000; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum above 1 in mixture weights",
        distribution(
            f'mixture = [ {{ name = "u", weight = "{JUST_OVER}", iid = {{ 0 = 1 }} }}, {{ name = "v", weight = "1/2", iid = {{ 1 = 1 }} }} ]'
        ),
        r'FILE: \[\[distribution\]\] "x", mixture, weights: given probabilities that sum to 1000000001/1000000000; wanted the sum 1 exactly\. Tip: the sum is more than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum below 1 in mixture weights",
        distribution(
            f'mixture = [ {{ name = "u", weight = "{JUST_UNDER}", iid = {{ 0 = 1 }} }}, {{ name = "v", weight = "1/2", iid = {{ 1 = 1 }} }} ]'
        ),
        r'FILE: \[\[distribution\]\] "x", mixture, weights: given probabilities that sum to 999999999/1000000000; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum inside a mixture part",
        distribution('mixture = [ { name = "u", weight = 1, iid = { 0 = "1/3" } } ]'),
        r'FILE: \[\[distribution\]\] "x", mixture, part 1, iid: given probabilities that sum to 1/3; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 2/3; nothing is ever normalised\.',
    ),
    Bad(
        "sum above 1 in a network root",
        _network(f'record = 0, table = {{ 0 = "{JUST_OVER}", 1 = "1/2" }}', "record = 1, table = { 0 = 1 }"),
        r'FILE: \[\[distribution\]\] "x", network, node 1, table: given probabilities that sum to 1000000001/1000000000; wanted the sum 1 exactly\. Tip: the sum is more than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "sum below 1 in a network row",
        _network(
            ROOT,
            f'record = 1, given = [0], rows = [ {{ when = [0], {ROW} }}, {{ when = [1], table = {{ 0 = "{JUST_UNDER}", 1 = "1/2" }} }} ]',
        ),
        r'FILE: \[\[distribution\]\] "x", network, node 2, row 2, table: given probabilities that sum to 999999999/1000000000; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/1000000000; nothing is ever normalised\.',
    ),
    Bad(
        "iid table that is empty",
        distribution("iid = {}"),
        r'FILE: \[\[distribution\]\] "x", iid: given probabilities that sum to 0; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1; nothing is ever normalised\.',
    ),
)

NUMBERS = (
    Bad(
        "negative probability",
        _iid('"-1/2"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given the negative number -1/2; wanted a probability in \[0, 1\]\.',
    ),
    Bad(
        "negative probability in a row",
        table('database = [0, 0], probability = "-1/2"', 'database = [0, 1], probability = "3/2"'),
        r'FILE: \[\[distribution\]\] "x", table, row 1, probability: given the negative number -1/2; wanted a probability in \[0, 1\]\.',
    ),
    Bad(
        "probability more than 1",
        table('database = [0, 0], probability = "1000000001/1000000000"'),
        r'FILE: \[\[distribution\]\] "x", table, row 1, probability: given 1000000001/1000000000, which is more than 1; wanted a probability in \[0, 1\]\.',
    ),
    Bad(
        "negative mixture weight",
        distribution("mixture = [ { weight = -1, iid = { 0 = 1 } }, { weight = 2, iid = { 1 = 1 } } ]"),
        r'FILE: \[\[distribution\]\] "x", mixture, part 1, weight: given the negative number -1; wanted a probability in \[0, 1\]\.',
    ),
    Bad(
        "nan as a probability",
        _iid("nan"),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "nan"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "inf as a probability",
        _iid("inf"),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "inf"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "-inf as a probability",
        _iid("-inf"),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "-inf"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "1e400 as a probability",
        _iid("1e400"),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given 100000000000000000000000000000… \(401 digits\), which is more than 1; wanted a probability in \[0, 1\]\.',
    ),
    Bad(
        "1e999999 as a probability",
        _iid("1e999999"),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given a decimal with the exponent 999,999; wanted an exponent of at most 4,300 in size\.',
        status=3,
    ),
    Bad(
        "exponent of a million digits",
        lambda: _iid(f'"1e{"9" * 10**6}"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given a number of 1,000,002 characters; wanted at most 4,300\. Tip: shorten it; larger numbers can be built by the mechanism or the distribution\.',
        status=3,
        process=True,
    ),
    Bad(
        "denominator of a million digits",
        lambda: _iid(f'"1/{"9" * 10**6}"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given a number of 1,000,002 characters; wanted at most 4,300\. Tip: shorten it; larger numbers can be built by the mechanism or the distribution\.',
        status=3,
        process=True,
    ),
    Bad(
        "denominator of 4,000 digits",
        lambda: _iid(f'"1/{"9" * 4000}"'),
        r'FILE: \[\[distribution\]\] "x", iid: given probabilities that sum to 100000000000000000000000000000…/199999999999999999999999999999… \(8,002 digits\); wanted the sum 1 exactly\. Tip: the sum is less than 1 by 99999999999999999999…/19999999999999999999… \(8,001 digits\); nothing is ever normalised\.',
    ),
    Bad(
        "decimal of a million digits",
        lambda: _iid("0." + "3" * 10**6),
        r"FILE: line 5: given a number of 1,000,000 digits; wanted at most 4,300\.",
        status=3,
        process=True,
    ),
    Bad(
        "date as a probability",
        _iid("2020-02-02"),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given the date 2020-02-02; wanted a probability such as "1/3" or 0\.25\.',
    ),
    Bad(
        "time as a probability",
        _iid("07:32:00"),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given the time 07:32:00; wanted a probability such as "1/3" or 0\.25\.',
    ),
    Bad(
        "boolean as a probability",
        _iid("true"),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given the boolean true; wanted a probability such as "1/3" or 0\.25\.',
    ),
    Bad(
        "list as a probability",
        _iid('["1/2"]'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given \["1/2"\]; wanted a probability such as "1/3" or 0\.25\.',
    ),
    Bad(
        "table as a probability",
        _iid('{ p = "1/2" }'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given \{ p = "1/2" \}; wanted a probability such as "1/3" or 0\.25\.',
    ),
    Bad(
        "denominator 0",
        _iid('"1/0"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given 1/0; wanted a probability with a denominator that is not 0\.',
    ),
    Bad(
        "words as a probability",
        _iid('"one half"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "one half"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "hexadecimal text as a probability",
        _iid('"0x10"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "0x10"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "two fraction bars",
        _iid('"1/2/3"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "1/2/3"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "vulgar fraction sign",
        _iid('"½"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "½"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "digits of another script",
        _iid('"١/٢"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "١/٢"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "spaces inside a fraction",
        _iid('"1 / 2"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "1 / 2"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "empty text as a probability",
        _iid('""'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given ""; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "expression as a probability",
        _iid('"1 - p"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "1 - p"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "decimal comma",
        _iid('"0,5"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "0,5"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "percent",
        _iid('"50%"'),
        r'FILE: \[\[distribution\]\] "x", iid, 0: given "50%"; wanted a probability such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
)

ROOTS = (
    Bad(
        "epsilon root of no polynomial",
        GOOD,
        r'--epsilon: given the polynomial "y"; wanted integers and powers of x\.',
        ask("--definition", "np", "--epsilon", "ln(root of y in [1, 2])"),
    ),
    Bad(
        "epsilon no root",
        GOOD,
        r'--epsilon: given "root of x\^2 - x - 1 in \[2, 3\]"; wanted an interval with one root\. Tip: it has 0\.',
        ask("--definition", "np", "--epsilon", "ln(root of x^2 - x - 1 in [2, 3])"),
    ),
    Bad(
        "epsilon root below 1",
        GOOD,
        r"--epsilon: given a negative ε; wanted ε ≥ 0\.",
        ask("--definition", "np", "--epsilon", "ln(root of 2*x^2 - 1 in [0, 1])"),
    ),
    Bad(
        "epsilon root of a high degree",
        GOOD,
        r"--epsilon: given a polynomial of degree 99; wanted at most 64\.",
        ask("--definition", "np", "--epsilon", "ln(root of x^99 - 2 in [1, 2])"),
        status=3,
    ),
    Bad(
        "epsilon long root",
        GOOD,
        r"--epsilon: given a root of 5,\d+ characters; wanted at most 4,000\.",
        ask("--definition", "np", "--epsilon", f"ln(root of {'9' * 5000}*x - 1 in [0, 1])"),
        status=3,
    ),
)

ENTRIES = (
    *SUMS,
    *NUMBERS,
    *ROOTS,
)
