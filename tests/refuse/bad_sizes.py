"""Bad models with databases of several sizes."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import IID, Bad, ask

HEAD = 'size = [0, 2]\nvalues = ["t", "u"]\n'
COUNT = '[mechanism]\nkind = "count"\nvalue = "t"\n'


def sized(size: str = "[0, 2]", more: str = "", mechanism: str = COUNT, values: str = '["t", "u"]') -> str:
    """A file with databases of several sizes."""
    return f"size = {size}\nvalues = {values}\n{more}\n{mechanism}"


def kind(body: str, size: str = "[0, 2]") -> str:
    """A file with databases of several sizes and this mechanism."""
    return sized(size, mechanism=f"[mechanism]\n{body}\n")


NO_ORDER = r"wanted a mechanism that is defined on any number of tuples, whatever their order\. Tip: .*"
DISTRIBUTION = "[[distribution]]\niid = { t = 1 }\n"
APPLY = 'kind = "apply"\nk = 2\n'

ENTRIES = (
    Bad(
        "sizes that fall",
        sized("[3, 1]"),
        r"FILE: size: given size = \[3, 1\]; wanted \[from, to\] with 0 ≤ from ≤ to and to ≥ 1\. Tip: .*",
    ),
    Bad(
        "sizes below 0",
        sized("[-1, 1]"),
        r"FILE: size: given size = \[-1, 1\]; wanted \[from, to\] with 0 ≤ from ≤ to and to ≥ 1\. Tip: .*",
    ),
    Bad(
        "only the empty database",
        sized("[0, 0]"),
        r"FILE: size: given size = \[0, 0\]; wanted \[from, to\] with 0 ≤ from ≤ to and to ≥ 1\. Tip: .*",
    ),
    Bad(
        "too many multisets",
        sized("[0, 100000]"),
        r"FILE: size: there are 5,000,150,001 multisets of 0 to 100,000 of 2 values; wanted at most 131,072\. Tip: fewer tuples or values\.",
        status=3,
    ),
    Bad(
        "sizes beyond all limits",
        sized("[0, 1000000000000000000000]"),
        r"FILE: size: given 1000000000000000000000 records; wanted an integer from 1 to 10,000,000: the number of records\.",
        status=3,
    ),
    Bad(
        "several sizes with a distribution",
        sized(more=DISTRIBUTION),
        r"FILE: given \[\[distribution\]\] with size = \[0, 2\]; wanted `values` and a mechanism: .* Tip: one integer as `size` .*",
    ),
    Bad(
        "several sizes with knowledge",
        sized(more="[knowledge]\nrecords = [0]"),
        r"FILE: given \[knowledge\] with size = \[0, 2\]; wanted `values` and a mechanism: .*",
    ),
    Bad(
        "several sizes with protected records",
        sized(more="[sensitive]\nrecords = [0]"),
        r"FILE: given \[sensitive\] with size = \[0, 2\]; wanted `values` and a mechanism: .*",
    ),
    Bad(
        "identity on several sizes",
        kind('kind = "identity"'),
        rf"FILE: \[mechanism\]: given the whole database with databases of 0 to 2 tuples; {NO_ORDER[:-2]}kind = \"apply\" with k = 1 publishes the whole table\.",
    ),
    Bad(
        "mean on several sizes",
        sized("[1, 2]", values="[1, 2]", mechanism='[mechanism]\nkind = "mean"\n'),
        rf"FILE: \[mechanism\]: given mean of the records with databases of 1 to 2 tuples; {NO_ORDER}",
    ),
    Bad(
        "maximum on several sizes",
        kind('kind = "maximum"'),
        rf"FILE: \[mechanism\]: given maximum of the records with databases of 0 to 2 tuples; {NO_ORDER}",
    ),
    Bad(
        "a table that depends on the order",
        kind('table = [\n{ database = ["t", "u"], output = 1 },\n{ database = ["u", "t"], output = 2 },\n]'),
        r'FILE: \[mechanism\], table, row 2: given one multiset twice, as \["t", "u"\] and as \["u", "t"\]; wanted one row a multiset\. Tip: .*',
    ),
    Bad(
        "a row with too many tuples",
        kind('table = [{ database = ["t", "t", "t"], output = 1 }]'),
        r"FILE: \[mechanism\], table, row 1, database: given a database of 3 tuples; wanted 0 to 2, the `size`\.",
    ),
    Bad(
        "a row with too few tuples",
        kind("table = [{ database = [], output = 1 }]", "[1, 2]"),
        r"FILE: \[mechanism\], table, row 1, database: given a database of 0 tuples; wanted 1 to 2, the `size`\.",
    ),
    Bad(
        "a value without a class",
        kind(APPLY + 'generalization = { t = "a" }'),
        r'FILE: \[mechanism\], generalization: no class for the value "u"; wanted a class for every value\. Tip: a value that is kept is its own class: "u" = "u"\.',
    ),
    Bad(
        "a class for no value",
        kind(APPLY + 'generalization = { t = "a", u = "a", v = "a" }'),
        r'FILE: \[mechanism\], generalization: given the value "v"; wanted one of `values`: t, u\.',
    ),
    Bad(
        "apply without k",
        kind('kind = "apply"\ngeneralization = { t = "a", u = "a" }'),
        r"FILE: \[mechanism\]: the key `k` is missing; wanted `k = …`\. Tip: .*",
    ),
    Bad(
        "apply with k = 0",
        kind('kind = "apply"\nk = 0\ngeneralization = { t = "a", u = "a" }'),
        r"FILE: \[mechanism\], k: given 0; wanted k, at least 1\.",
    ),
    Bad(
        "a choice that is no recoding",
        kind(
            'kind = "k-anonymization"\nk = 2\ngeneralizations = { g = { t = "a", u = "a" } }\nchoose = { kind = "count", value = "t" }'
        ),
        r"FILE: \[mechanism\], choose: `choose` can put out 0; wanted the names of `generalizations` only: g\.",
    ),
    Bad(
        "no generalizations",
        kind('kind = "k-anonymization"\nk = 2\ngeneralizations = {}\nchoose = { kind = "constant", output = "g" }'),
        r"FILE: \[mechanism\], generalizations: given no generalization; wanted at least one\.",
    ),
    Bad(
        "shows-mapping that is text",
        kind(
            'kind = "k-anonymization"\nk = 2\ngeneralizations = { g = { t = "a", u = "a" } }\nchoose = { kind = "constant", output = "g" }\nshows-mapping = "yes"'
        ),
        r'FILE: \[mechanism\], shows-mapping: given "yes"; wanted true or false\.',
    ),
    Bad(
        "a loss on several sizes",
        HEAD + COUNT,
        r"FILE: a privacy loss is about distributions, but this model has none: its databases are all multisets of 0 to 2 tuples\. Tip: .*",
        ("loss", "{file}"),
        3,
    ),
    Bad(
        "acceptability on several sizes",
        HEAD + COUNT,
        r"FILE: acceptability is about distributions, but this model has none: .*",
        ("acceptable", "{file}"),
        3,
    ),
    Bad(
        "a report on several sizes",
        HEAD + COUNT,
        r"the report is about distributions, but this model has none: .*",
        ("report", "{file}"),
        3,
    ),
    Bad(
        "k-anonymity with k = 0",
        HEAD + COUNT,
        r"FILE: k: given k = 0; wanted an integer, at least 1\.",
        ("anonymity", "{file}", "--k", "0"),
    ),
    Bad(
        "a property asked as a definition",
        HEAD + COUNT,
        r'--definition: given the definition "k-anonymity"; wanted one of 100 names, the closest: .*\. Tip: pkdp anonymity decides it\.',
        ask("--definition", "k-anonymity"),
    ),
    Bad(
        "a reading of dps that is none",
        HEAD + COUNT,
        r'--reading: given the reading "one-order" of dps; wanted one of default, any-delta\.',
        ask("--definition", "dps", "--reading", "one-order"),
    ),
    Bad(
        "more neighbours than the limit",
        sized("[0, 300]"),
        r"FILE: there are about 181,804 ordered pairs of neighbours, more than the limit of 1,000 rows\. Tip: .*",
        ask("--definition", "dps", "--max-rows", "1000"),
        3,
    ),
    Bad(
        "a sample in a model with a distribution and one size",
        f'size = 2\nvalues = [0, 1]\n{IID}[mechanism]\nkind = "k-anonymization"\nk = 1\nsample = "1/2"\ngeneralizations = {{ g = {{ 0 = "a", 1 = "a" }} }}\nchoose = {{ kind = "constant", output = "g" }}\n',
        r"FILE: \[mechanism\], sample: given `sample` with k-anonymization .*; wanted a kind that is defined on any number of records\. Tip: .*",
    ),
)
