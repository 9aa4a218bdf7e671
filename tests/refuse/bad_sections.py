"""Bad knowledge, sensitive values, normalizations and expectations."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, HEAD, IID, SUM, Bad, ask


def _after(more: str) -> str:
    return GOOD + more


def _normalization(body: str) -> str:
    return f"{GOOD}[[normalization]]\n{body}\n"


def _expect(body: str) -> str:
    return f"{GOOD}[[expect]]\n{body}\n"


EXPECT = ask("--expect")

KNOWLEDGE = (
    Bad(
        "knowledge of a record out of range",
        _after("[knowledge]\nrecords = [2]\n"),
        r"FILE: \[knowledge\], records: given the record 2; wanted 0 to 1\. Tip: indices count from 0\.",
    ),
    Bad(
        "knowledge of a negative record",
        _after("[knowledge]\nrecords = [-1]\n"),
        r"FILE: \[knowledge\], records: given the record -1; wanted 0 to 1\. Tip: indices count from 0\.",
    ),
    Bad(
        "knowledge of a record twice",
        _after("[knowledge]\nrecords = [0, 0]\n"),
        r"FILE: \[knowledge\], records: given \[0, 0\]; wanted each record at most once\.",
    ),
    Bad(
        "knowledge of a boolean record",
        _after("[knowledge]\nrecords = [true]\n"),
        r"FILE: \[knowledge\], records: given true; wanted the index of a record as an integer\.",
    ),
    Bad(
        "knowledge that is text",
        f'{HEAD}knowledge = "record 0"\n{IID}{SUM}',
        r'FILE: \[knowledge\]: given "record 0"; wanted a table\.',
    ),
    Bad(
        "knowledge that is empty",
        _after("[knowledge]\n"),
        r"FILE: \[knowledge\]: given none of the keys; wanted exactly one of records, kind, table, rows\. Tip: `records = \[0\]` means that D\(0\) is known\.",
    ),
    Bad(
        "knowledge with another key",
        _after("[knowledge]\nrecord = 0\n"),
        r"FILE: \[knowledge\]: given none of the keys; wanted exactly one of records, kind, table, rows\. Tip: is `record` meant to be `records`\?",
    ),
    Bad(
        "knowledge of an unknown kind",
        _after('[knowledge]\nkind = "year"\n'),
        r'FILE: \[knowledge\], kind: given kind = "year"; wanted one of 25 names, the closest: .*\. Tip: component = the latent choice of a mixture\.',
    ),
    Bad(
        "knowledge of a misspelt kind",
        _after('[knowledge]\nkind = "components"\n'),
        r'FILE: \[knowledge\], kind: given kind = "components"; wanted one of 25 names, the closest: component, .*\. Tip: is `component` meant\?',
    ),
    Bad(
        "a stretch of records that goes backwards",
        _after("[knowledge]\nrecords = { from = 1, to = 0 }\n"),
        r"FILE: \[knowledge\], records: given the stretch from 1 to 0; wanted from ≤ to\.",
    ),
    Bad(
        "a stretch of records without an end",
        _after("[knowledge]\nrecords = { from = 1 }\n"),
        r"FILE: \[knowledge\], records: the key `to` is missing; .*",
    ),
    Bad(
        "a stretch beyond the records",
        _after("[knowledge]\nrecords = { from = 0, to = 9 }\n"),
        r"FILE: \[knowledge\], records, to: given the record 9; wanted 0 to 1\. Tip: indices count from 0\.",
    ),
    Bad(
        "knowledge of records with an unknown key",
        _after("[knowledge]\nrecords = [0]\nvalue = 1\n"),
        r"FILE: \[knowledge\]: the key `value` is unknown; wanted one of records, kind, .*\.",
    ),
    Bad(
        "knowledge table that lacks a database",
        _after('[knowledge]\nrows = [ { database = [0, 0], output = "a" } ]\n'),
        r'FILE: \[knowledge\]: no row for the possible database \[0, 1\]; wanted a row for every possible database\. Tip: add the row, or `otherwise = "⊥"` for all databases without one\.',
    ),
    Bad(
        "sensitive record out of range",
        _after("[sensitive]\nrecords = [5]\n"),
        r"FILE: \[sensitive\], records: given the record 5; wanted 0 to 1\. Tip: indices count from 0\.",
    ),
    Bad(
        "no sensitive record",
        _after("[sensitive]\nrecords = []\n"),
        r"FILE: \[sensitive\]: given no record; wanted at least one\.",
    ),
    Bad(
        "sensitive with an unknown key",
        _after("[sensitive]\nrecords = [0]\nvalues = [0]\n"),
        r"FILE: \[sensitive\]: the key `values` is unknown; wanted one of records, rows, table\.",
    ),
    Bad(
        "sensitive rows that lack a database",
        _after("[sensitive]\nrows = [ { database = [0, 0], value = 1 } ]\n"),
        r"FILE: \[sensitive\]: no row for the possible database \[0, 1\]; wanted a row for every possible database\. Tip: add the row\.",
    ),
    Bad(
        "sensitive rows with a database twice",
        _after("[sensitive]\nrows = [ { database = [0, 0], value = 1 }, { database = [0, 0], value = 2 } ]\n"),
        r"FILE: \[sensitive\], rows, row 2: given the same database twice; wanted one row a database\.",
    ),
)

ROWS_OF = "table = [ { when = [0, 0], database = [0, 0] } ]"

TWO = 'parameters = [ { name = "f", table = { 0 = 1 } }, { name = "g", table = { 0 = 1 } } ]'

SAME = TWO.replace('"g"', '"f"')

HALF = TWO.replace("0 = 1", '0 = "1/2"')

NORMALIZATIONS = (
    Bad(
        "normalization without record",
        _normalization(f"{TWO}\n{ROWS_OF}"),
        r"FILE: \[\[normalization\]\] 1: the key `record` is missing; wanted `record = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "normalization without parameters",
        _normalization(f"record = 0\n{ROWS_OF}"),
        r"FILE: \[\[normalization\]\] 1: the key `parameters` is missing; wanted `parameters = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "normalization with no parameter",
        _normalization("record = 0\nparameters = []\ntable = []"),
        r"FILE: \[\[normalization\]\] 1: given the parameters \[\]; wanted distinct names, at least one\.",
    ),
    Bad(
        "normalization with a parameter twice",
        _normalization(f"record = 0\n{SAME}\n{ROWS_OF}"),
        r'FILE: \[\[normalization\]\] 1: given the parameters \["f", "f"\]; wanted distinct names, at least one\.',
    ),
    Bad(
        "normalization parameter that sums to 1/2",
        _normalization(f"record = 0\n{HALF}\n{ROWS_OF}"),
        r"FILE: \[\[normalization\]\] 1, f: given probabilities that sum to 1/2; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/2; nothing is ever normalised\.",
    ),
    Bad(
        "normalization row of the wrong length",
        _normalization(f"record = 0\n{TWO}\ntable = [ {{ when = [0], database = [0, 0] }} ]"),
        r"FILE: \[\[normalization\]\] 1, table, row 1: given 1 value; wanted 2, one a parameter\.",
    ),
    Bad(
        "normalization with unknown knowledge",
        _normalization(f'record = 0\n{TWO}\n{ROWS_OF}\nknowledge = ["h"]'),
        r'FILE: \[\[normalization\]\] 1: knowledge names "h"; wanted some of f, g\.',
    ),
    Bad(
        "normalization of an unknown distribution",
        _normalization(f'record = 0\ndistribution = "y"\n{TWO}\n{ROWS_OF}'),
        r'FILE: \[\[normalization\]\] 1: given the distribution "y"; wanted one of x\.',
    ),
    Bad(
        "normalization of a record out of range",
        _normalization(f"record = 9\n{TWO}\n{ROWS_OF}"),
        r"FILE: \[\[normalization\]\] 1, record: given the record 9; wanted 0 to 1\. Tip: indices count from 0\.",
    ),
    Bad(
        "normalization with an unknown key",
        _normalization(f"record = 0\n{TWO}\n{ROWS_OF}\nknowlege = []"),
        r"FILE: \[\[normalization\]\] 1: the key `knowlege` is unknown; wanted one of distribution, record, parameters, table, knowledge\. Tip: is `knowledge` meant\?",
    ),
)

EXPECTATIONS = (
    Bad(
        "expect without definition",
        _expect('tight_epsilon = "0"'),
        r"FILE: \[\[expect\]\] 1: the key `definition` is missing; wanted `definition = …`\. Tip: pkdp guide format lists the keys\.",
        EXPECT,
    ),
    Bad(
        "expect without answer",
        _expect('definition = "np"'),
        r"FILE: \[\[expect\]\] 1: given no answer; wanted at least one of verdict, .*\.",
        EXPECT,
    ),
    Bad(
        "expect of an unknown definition",
        _expect('definition = "npp"\ntight_epsilon = "0"'),
        r'FILE: \[\[expect\]\]: given the definition "npp"; wanted one of 100 names, the closest: np, .*\. Tip: is np meant\? pkdp definitions lists them\.',
        EXPECT,
    ),
    Bad(
        "expect with an unknown key",
        _expect('definition = "np"\ntight_epsilo = "0"'),
        r"FILE: \[\[expect\]\] 1: the key `tight_epsilo` is unknown; wanted one of 19 names, the closest: tight_epsilon, .*\. Tip: is `tight_epsilon` meant\?",
        EXPECT,
    ),
    Bad(
        "expect with a bad epsilon",
        _expect('definition = "np"\nepsilon = "log(2)"\nverdict = "holds"'),
        r'FILE: \[\[expect\]\] 1, epsilon: given ε = "log\(2\)"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: log has several bases; the natural logarithm is written ln\.',
        EXPECT,
    ),
    Bad(
        "expect with a bad delta",
        _expect('definition = "np"\nepsilon = 0\ndelta = 2\nverdict = "holds"'),
        r"FILE: \[\[expect\]\] 1, delta: given 2, which is more than 1; wanted δ in \[0, 1\]\.",
        EXPECT,
    ),
    Bad(
        "expect with an unknown reading",
        _expect('definition = "np"\nreading = "loose"\nverdict = "holds"'),
        r'FILE: \[\[expect\]\]: given the reading "loose" of np; wanted one of default, one-order\.',
        EXPECT,
    ),
    Bad(
        "expect with a tight epsilon that is none",
        _expect('definition = "np"\nepsilon = 0\ntight_epsilon = "two"'),
        r'FILE: \[\[expect\]\]: given ε = "two"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        EXPECT,
    ),
    Bad(
        "expect with a record that is not there",
        _expect('definition = "acceptable"\nrecord = 7\nacceptable = true'),
        r"FILE: \[\[expect\]\]: FILE: \[\[expect\]\] asks for \{.record.: 7\}; wanted a sensitive record of a θ\.",
        EXPECT,
    ),
)

ENTRIES = (
    *KNOWLEDGE,
    *NORMALIZATIONS,
    *EXPECTATIONS,
)
