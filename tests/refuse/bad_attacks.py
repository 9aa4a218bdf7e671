"""Attacks: nesting, numbers and tables that are made to exhaust time or memory."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, SUM, Bad, distribution, mechanism, top

MILLION = 10**6
WIDE = "size = 30\nvalues = [0, 1]\n"
NOISE = 'then = [ { kind = "geometric-noise", p = "1/2" } ]'


def _nested_all(levels: int) -> str:
    return mechanism(
        'kind = "all"\nof = [' + '{ kind = "all", of = [' * levels + '{ kind = "sum" }' + "] }" * levels + "]"
    )


def _nested_mixture(levels: int) -> str:
    inner = "mixture = [ { weight = 1, " * levels + "iid = { 0 = 1 }" + " } ]" * levels
    return distribution(inner)


def _deep_comment() -> str:
    return f"notes = 'a{'.a' * 200}[['\n{GOOD}# {'[' * 200}\n[sensitive]\ncolour = 1\n"


def _unlike() -> str:
    """Two thousand probabilities with unlike denominators of a thousand digits."""
    law = ", ".join(f'{k} = "1/{10**1000 + 2 * k + 1}"' for k in range(2000))
    return f'size = 1\nvalues = {list(range(2000))}\n[[distribution]]\nname = "x"\niid = {{ {law} }}\n{SUM}'


def _wide_network() -> str:
    nodes = ", ".join(f'{{ record = {k}, table = {{ 0 = "1/2", 1 = "1/2" }} }}' for k in range(40))
    rows = f"[sensitive]\nrows = [ {{ database = {[0] * 40}, value = 1 }} ]\n"
    return f'size = 40\nvalues = [0, 1]\n[[distribution]]\nname = "x"\nnetwork = [ {nodes} ]\n{SUM}{rows}'


DEPTHS = (
    Bad(
        "all in all, 5,000 levels",
        lambda: _nested_all(5000),
        r"FILE: brackets are nested 10,002 deep; wanted at most 100 levels\.",
        process=True,
    ),
    Bad(
        "all in all, 40 levels of many parts",
        lambda: mechanism(
            'kind = "all"\nof = [' + '{ kind = "identity" }, ' * 40 + "]", "size = 30\nvalues = [0, 1]\n"
        ),
        r'FILE: the distribution "x" has 1,073,741,824 worlds, more than the limit of 4,194,304 rows\. Tip: use fewer records or values, or raise --max-rows if you have the memory and the time\.',
        status=3,
    ),
    Bad(
        "arrays nested 5,000 levels",
        lambda: top(values="[" * 5000 + "]" * 5000),
        r"FILE: brackets are nested 5,000 deep; wanted at most 100 levels\.",
    ),
    Bad(
        "arrays nested 100,000 levels",
        lambda: top(values="[" * 10**5 + "]" * 10**5),
        r"FILE: brackets are nested 100,000 deep; wanted at most 100 levels\.",
        process=True,
    ),
    Bad(
        "arrays never closed",
        lambda: "values = " + "[" * 10**5,
        r"FILE: brackets are nested 100,000 deep; wanted at most 100 levels\.",
    ),
    Bad(
        "inline tables nested 5,000 levels",
        lambda: "a = " + "{ a = " * 5000 + "1" + "}" * 5000,
        r"FILE: brackets are nested 5,000 deep; wanted at most 100 levels\.",
    ),
    Bad(
        "dotted keys, 5,000 levels",
        lambda: ".".join("a" * 5000) + " = 1\n" + GOOD,
        r"FILE: line 1: a key has more than 100 parts; wanted at most 100 levels\.",
    ),
    Bad(
        "dotted keys, a million levels",
        lambda: ".".join("a" * MILLION) + " = 1\n",
        r"FILE: line 1: a key has more than 100 parts; wanted at most 100 levels\.",
        process=True,
    ),
    Bad(
        "dotted keys with equal signs in quotes",
        lambda: '"=".' + ".".join("a" * 5000) + " = 1\n",
        r"FILE: line 1: a key has more than 100 parts; wanted at most 100 levels\.",
    ),
    Bad(
        "dotted table name, 5,000 levels",
        lambda: "[" + ".".join("a" * 5000) + "]\n",
        r"FILE: line 1: a key has more than 100 parts; wanted at most 100 levels\.",
    ),
    Bad(
        "dotted keys in an inline table",
        lambda: "x = { " + ".".join("a" * 5000) + " = 1 }\n",
        r"FILE: line 1: a key has more than 100 parts; wanted at most 100 levels\.",
    ),
    Bad(
        "mixture in mixture, 2,000 levels",
        lambda: _nested_mixture(2000),
        r"FILE: brackets are nested 4,001 deep; wanted at most 100 levels\.",
    ),
    Bad(
        "output nested too deeply",
        lambda: mechanism("rows = []\notherwise = " + "[" * 500 + "]" * 500),
        r"FILE: brackets are nested 500 deep; wanted at most 100 levels\.",
    ),
    Bad(
        "brackets in quotes and comments do not count",
        _deep_comment,
        r"FILE: \[sensitive\]: given none of the keys; wanted exactly one of records, rows, table\. Tip: `records = \[1\]`, or `rows` of a function of the database\.",
    ),
)

WORK = (
    Bad(
        "two thousand unlike denominators",
        _unlike,
        r'FILE: \[\[distribution\]\] "x", iid: the common denominator of the probabilities has more than 131,072 bits; wanted shorter or like denominators\.',
        status=3,
        process=True,
    ),
    Bad(
        "a step after 2^30 outputs",
        lambda: mechanism('kind = "identity"\nthen = [ { kind = "randomized-response", keep = "1/2" } ]', WIDE),
        r'FILE: the distribution "x" has 1,073,741,824 worlds, more than the limit of 4,194,304 rows\. Tip: use fewer records or values, or raise --max-rows if you have the memory and the time\.',
        status=3,
        process=True,
    ),
    Bad(
        "noise after 2^30 outputs",
        lambda: mechanism(f'kind = "linear"\nweights = {[2**k for k in range(30)]}\n{NOISE}', WIDE),
        r"FILE: \[mechanism\], then, step 1: the mechanism has more than 32,768 different results before its next step\. Tip: use fewer records or a coarser mechanism\.",
        status=3,
        process=True,
    ),
    Bad(
        "noise over a range of 10^6",
        lambda: mechanism(f'kind = "sum"\n{NOISE}', "size = 2\nvalues = [0, 1, 1000000]\n"),
        r"FILE: \[mechanism\], then, step 1: geometric noise on 6 integers from 0 to 2000000 is too wide; wanted laws of at most 2,147,483,648 bits together\. Tip: use fewer records, smaller integers or a shorter p\.",
        status=3,
        process=True,
    ),
    Bad(
        "forty random parts",
        lambda: mechanism(
            'kind = "all"\nof = ['
            + '{ kind = "sum", sample = "1/2" }, ' * 40
            + "]\nthen = [ { rows = [], otherwise = 1 } ]"
        ),
        r"FILE: the parts have too many outputs together, 1,099,511,627,776; wanted at most 262,144\. Tip: use fewer records, values or parts\.",
        status=3,
        process=True,
    ),
    Bad(
        "sensitive rows over a network of 40 records",
        _wide_network,
        r'FILE: the distribution "x" has 1,099,511,627,776 worlds, more than the limit of 4,194,304 rows\. Tip: no machine lists so many: use fewer records or values, or a kind that adds up, such as count or sum\.',
        status=3,
        process=True,
    ),
    Bad(
        "output of 8,000 digits",
        lambda: mechanism(f'kind = "linear"\nweights = [ "1/{10**3000 + 1}", "1/{10**3000 + 3}" ]'),
        r"FILE: an output of the mechanism has 29,899 bits; wanted at most 14,000\. Tip: use shorter numbers as values and weights\.",
        status=3,
        process=True,
    ),
)

ENTRIES = (*DEPTHS, *WORK)
