"""Bad distributions: rows, shapes and networks."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, HEAD, IID, SUM, Bad, distribution, table


def _network(*nodes: str) -> str:
    return distribution("network = [\n" + "".join(f"  {{ {node} }},\n" for node in nodes) + "]")


ROOT = 'record = 0, table = { 0 = "1/2", 1 = "1/2" }'

ROW = 'table = { 0 = "1/2", 1 = "1/2" }'

KNOWN = (
    'database = [0, 0], probability = "1/2", knowledge = "a"',
    'database = [1, 1], probability = "1/2", knowledge = "b"',
)

SENSITIVE = (
    'database = [0, 0], probability = "1/2", sensitive = "a"',
    'database = [1, 1], probability = "1/2", sensitive = "b"',
)

ROWS = (
    Bad(
        "duplicate row",
        table('database = [0, 0], probability = "1/2"', 'database = [0, 0], probability = "1/2"'),
        r'FILE: \[\[distribution\]\] "x", table, row 2: this row repeats row 1; wanted distinct rows\. Tip: rows are compared as \(database, knowledge, sensitive\)\.',
    ),
    Bad(
        "duplicate row, spelled otherwise",
        table('database = [0, 1], probability = "1/2"', 'database = ["0", "1"], probability = "1/2"'),
        r'FILE: \[\[distribution\]\] "x", table, row 2: this row repeats row 1; wanted distinct rows\. Tip: rows are compared as \(database, knowledge, sensitive\)\.',
    ),
    Bad(
        "duplicate row with knowledge",
        table(KNOWN[0], KNOWN[1], KNOWN[0]),
        r'FILE: \[\[distribution\]\] "x", table, row 3: this row repeats row 1; wanted distinct rows\. Tip: rows are compared as \(database, knowledge, sensitive\)\.',
    ),
    Bad(
        "duplicate row after another knowledge",
        table(KNOWN[0], KNOWN[0].replace('"a"', '"b"'), KNOWN[1].replace("1, 1", "0, 0")),
        r'FILE: \[\[distribution\]\] "x", table, row 3: this row repeats row 2; wanted distinct rows\. Tip: rows are compared as \(database, knowledge, sensitive\)\.',
    ),
    Bad(
        "knowledge in some rows only",
        table(KNOWN[0], 'database = [1, 1], probability = "1/2"'),
        r'FILE: \[\[distribution\]\] "x", table, row 2: this row lacks `knowledge`, unlike row 1; wanted `knowledge` in all rows or in none\.',
    ),
    Bad(
        "knowledge in later rows only",
        table('database = [1, 1], probability = "1/2"', KNOWN[0]),
        r'FILE: \[\[distribution\]\] "x", table, row 2: this row has `knowledge`, unlike row 1; wanted `knowledge` in all rows or in none\.',
    ),
    Bad(
        "sensitive in some rows only",
        table(SENSITIVE[0], 'database = [1, 1], probability = "1/2"'),
        r'FILE: \[\[distribution\]\] "x", table, row 2: this row lacks `sensitive`, unlike row 1; wanted `sensitive` in all rows or in none\.',
    ),
    Bad(
        "knowledge column and [knowledge]",
        table(*KNOWN) + "[knowledge]\nrecords = [0]\n",
        r"FILE: \[knowledge\]: given \[knowledge\] although the rows of the table carry `knowledge`; wanted one of the two\.",
    ),
    Bad(
        "sensitive column and [sensitive]",
        table(*SENSITIVE) + "[sensitive]\nrecords = [0]\n",
        r"FILE: \[sensitive\]: given \[sensitive\] although the rows carry `sensitive`; wanted one of the two\.",
    ),
    Bad(
        "knowledge column in one distribution only",
        f"{HEAD}{IID}[[distribution]]\ntable = [ {{ {KNOWN[0]} }}, {{ {KNOWN[1]} }} ]\n{SUM}",
        r"FILE: some distributions carry the column `knowledge` and some do not; wanted all or none\.",
    ),
    Bad(
        "empty table",
        distribution("table = []"),
        r'FILE: \[\[distribution\]\] "x", table: given an empty table; wanted rows whose probabilities sum to 1\.',
    ),
    Bad(
        "table that is no list",
        distribution("table = { 0 = 1 }"),
        r'FILE: \[\[distribution\]\] "x", table: given \{ 0 = 1 \}; wanted a list of rows\.',
    ),
    Bad(
        "row that is no table",
        distribution("table = [ [0, 0] ]"),
        r'FILE: \[\[distribution\]\] "x", table, row 1: given \[0, 0\]; wanted a row such as \{ database = \[0, 1\], probability = "1/2" \}\.',
    ),
    Bad(
        "database too short",
        table("database = [0], probability = 1"),
        r'FILE: \[\[distribution\]\] "x", table, row 1, database: given a database of 1 record; wanted 2, the `size`\.',
    ),
    Bad(
        "database too long",
        table("database = [0, 0, 1], probability = 1"),
        r'FILE: \[\[distribution\]\] "x", table, row 1, database: given a database of 3 records; wanted 2, the `size`\.',
    ),
    Bad(
        "database that is no list",
        table('database = "00", probability = 1'),
        r'FILE: \[\[distribution\]\] "x", table, row 1, database: given "00"; wanted a list of 2 values\.',
    ),
    Bad(
        "database with a value outside T",
        table("database = [0, 2], probability = 1"),
        r'FILE: \[\[distribution\]\] "x", table, row 1, database, record 1: given the value 2; wanted one of `values`: 0, 1\.',
    ),
    Bad(
        "database with a nested list",
        table("database = [0, [1]], probability = 1"),
        r'FILE: \[\[distribution\]\] "x", table, row 1, database, record 1: given the value \[1\]; wanted one of `values`: 0, 1\.',
    ),
    Bad(
        "database with a decimal",
        table("database = [0, 1.0], probability = 1"),
        r'FILE: \[\[distribution\]\] "x", table, row 1, database, record 1: given the decimal 1\.0; wanted an integer, a string or a boolean as a label\. Tip: write "1\.0" in quotes if it is a name\.',
    ),
    Bad(
        "row without probability",
        table("database = [0, 0]"),
        r'FILE: \[\[distribution\]\] "x", table, row 1: the key `probability` is missing; wanted `probability = …`\. Tip: pkdp guide format lists the keys\.',
    ),
    Bad(
        "row without database",
        table("probability = 1"),
        r'FILE: \[\[distribution\]\] "x", table, row 1: the key `database` is missing; wanted `database = …`\. Tip: pkdp guide format lists the keys\.',
    ),
    Bad(
        "misspelt key in a row",
        table("database = [0, 0], probabilty = 1"),
        r'FILE: \[\[distribution\]\] "x", table, row 1: the key `probability` is missing; wanted `probability = …`\. Tip: is `probabilty` meant to be `probability`\?',
    ),
    Bad(
        "unknown key in a row",
        table('database = [0, 0], probability = 1, colour = "red"'),
        r'FILE: \[\[distribution\]\] "x", table, row 1: the key `colour` is unknown; wanted one of database, probability, knowledge, sensitive\.',
    ),
    Bad(
        "knowledge that is a decimal",
        table("database = [0, 0], probability = 1, knowledge = 0.5"),
        r'FILE: \[\[distribution\]\] "x", table, row 1, knowledge: given the decimal 0\.5; wanted an integer, a string or a boolean as a label\. Tip: write "0\.5" in quotes if it is a name\.',
    ),
    Bad(
        "knowledge that is a date",
        table("database = [0, 0], probability = 1, knowledge = 2020-02-02"),
        r'FILE: \[\[distribution\]\] "x", table, row 1, knowledge: given the date 2020-02-02; wanted an integer, a string or a boolean as a label\.',
    ),
)

SHAPES = (
    Bad(
        "knowledge without a distribution",
        f"{HEAD}{SUM}\n[knowledge]\nrecords = [0]\n",
        r"FILE: given \[knowledge\] without a distribution; wanted \[\[distribution\]\]: what is known is about the database that it draws\.",
    ),
    Bad(
        "empty list of distributions",
        f"{HEAD}distribution = []\n{SUM}",
        r"FILE: given no distribution; wanted at least one \[\[distribution\]\]\.",
    ),
    Bad(
        "distribution that is text",
        f'{HEAD}distribution = "uniform"\n{SUM}',
        r'FILE: given "uniform"; wanted one or more \[\[distribution\]\] tables\.',
    ),
    Bad(
        "no shape",
        distribution(""),
        r'FILE: \[\[distribution\]\] "x": given none of the keys; wanted exactly one of table, iid, independent, mixture, network, groups\. Tip: a distribution has exactly one shape\.',
    ),
    Bad(
        "two shapes",
        distribution("iid = { 0 = 1 }\ntable = [ { database = [0, 0], probability = 1 } ]"),
        r'FILE: \[\[distribution\]\] "x": given `table` and `iid`; wanted exactly one of table, iid, independent, mixture, network, groups\. Tip: a distribution has exactly one shape\.',
    ),
    Bad(
        "misspelt shape",
        distribution("idd = { 0 = 1 }"),
        r'FILE: \[\[distribution\]\] "x": given none of the keys; wanted exactly one of table, iid, independent, mixture, network, groups\. Tip: is `idd` meant to be `iid`\?',
    ),
    Bad(
        "unknown key in a distribution",
        distribution('iid = { 0 = 1 }\nnmae = "y"'),
        r'FILE: \[\[distribution\]\] "x": the key `nmae` is unknown; wanted one of name, table, iid, independent, mixture, network, groups\. Tip: is `name` meant\?',
    ),
    Bad("the same name twice", f"{HEAD}{IID}{IID}{SUM}", r'FILE: given the name "x" twice; wanted distinct names\.'),
    Bad(
        "the second name is the default of the first",
        f'{HEAD}[[distribution]]\niid = {{ 0 = 1 }}\n[[distribution]]\nname = "#1"\niid = {{ 0 = 1 }}\n{SUM}',
        r'FILE: given the name "#1" twice; wanted distinct names\.',
    ),
    Bad(
        "name that is a number",
        f"{HEAD}[[distribution]]\nname = 1\niid = {{ 0 = 1 }}\n{SUM}",
        r"FILE: \[\[distribution\]\] 1, name: given 1; wanted a name as a string\.",
    ),
    Bad(
        "iid with a value outside T",
        distribution("iid = { 2 = 1 }"),
        r'FILE: \[\[distribution\]\] "x", iid: given the value "2"; wanted one of `values`: 0, 1\.',
    ),
    Bad(
        "iid that is a list",
        distribution('iid = ["1/2", "1/2"]'),
        r'FILE: \[\[distribution\]\] "x", iid: given \["1/2", "1/2"\]; wanted a table from values to probabilities\.',
    ),
    Bad(
        "independent of the wrong length",
        distribution("independent = [ { 0 = 1 } ]"),
        r'FILE: \[\[distribution\]\] "x", independent: given 1 table; wanted 2, one a record\.',
    ),
    Bad(
        "independent that is a table",
        distribution("independent = { 0 = 1 }"),
        r'FILE: \[\[distribution\]\] "x", independent: given \{ 0 = 1 \}; wanted a list of 2 tables\.',
    ),
    Bad(
        "independent with a number for a table",
        distribution("independent = [ { 0 = 1 }, 1 ]"),
        r'FILE: \[\[distribution\]\] "x", independent, record 1: given 1; wanted a table from values to probabilities\.',
    ),
    Bad(
        "empty mixture",
        distribution("mixture = []"),
        r'FILE: \[\[distribution\]\] "x", mixture: given no part; wanted parts whose weights sum to 1\.',
    ),
    Bad(
        "mixture part without weight",
        distribution('mixture = [ { name = "u", iid = { 0 = 1 } } ]'),
        r'FILE: \[\[distribution\]\] "x", mixture, part 1: the key `weight` is missing; wanted `weight = …`\. Tip: pkdp guide format lists the keys\.',
    ),
    Bad(
        "mixture part without shape",
        distribution('mixture = [ { name = "u", weight = 1 } ]'),
        r'FILE: \[\[distribution\]\] "x", mixture, part 1: given none of the keys; wanted exactly one of table, iid, independent, mixture, network, groups\. Tip: a distribution has exactly one shape\.',
    ),
    Bad(
        "mixture part with an unknown key",
        distribution("mixture = [ { wieght = 1, weight = 1, iid = { 0 = 1 } } ]"),
        r'FILE: \[\[distribution\]\] "x", mixture, part 1: the key `wieght` is unknown; wanted one of name, weight, table, iid, independent, mixture, network, groups\. Tip: is `weight` meant\?',
    ),
    Bad(
        "groups of too few records",
        distribution("groups = [ { iid = { 0 = 1 } } ]"),
        r'FILE: \[\[distribution\]\] "x", groups: given groups of 1 record together; wanted 2, the `size`\. Tip: `times` groups of `size` records each; both are 1 where they are left out\.',
    ),
    Bad(
        "groups of too many records",
        distribution("groups = [ { times = 3, iid = { 0 = 1 } } ]"),
        r'FILE: \[\[distribution\]\] "x", groups, group 1: given groups of 3 records or more; wanted 2 together, the `size`\.',
    ),
    Bad(
        "groups that are a mixture of nothing",
        distribution("groups = [ { size = 2, times = 0, iid = { 0 = 1 } } ]"),
        r'FILE: \[\[distribution\]\] "x", groups, group 1, times: given 0; wanted .*at least 1.*',
    ),
    Bad(
        "a table in groups with another size",
        distribution("groups = [ { size = 2, table = [ { database = [0], probability = 1 } ] } ]"),
        r'FILE: \[\[distribution\]\] "x", groups, group 1, table, row 1, database: given a database of 1 record; wanted 2, the `size`\.',
    ),
    Bad(
        "mixture parts of one name",
        distribution(
            'mixture = [ { name = "u", weight = "1/2", iid = { 0 = 1 } }, { name = "u", weight = "1/2", iid = { 1 = 1 } } ]'
        ),
        r'FILE: \[\[distribution\]\] "x", mixture, part 2: given the name u twice; wanted distinct names\.',
    ),
    Bad(
        "mixture part with row knowledge",
        distribution(f"mixture = [ {{ weight = 1, table = [ {{ {KNOWN[0]} }}, {{ {KNOWN[1]} }} ] }} ]"),
        r'FILE: \[\[distribution\]\] "x", mixture, part 1, table, row 1: a part of a mixture carries `knowledge`; wanted parts without row columns\.',
    ),
    Bad(
        "component without mixture",
        (GOOD + '[knowledge]\nkind = "component"\n'),
        r'FILE: \[knowledge\]: given kind = "component"; wanted a `mixture` in every distribution\.',
    ),
    Bad(
        "component with another key",
        (GOOD + '[knowledge]\nkind = "component"\nrecords = [0]\n'),
        r'FILE: \[knowledge\]: given kind = "component" and `records`; wanted kind = "component" alone: it cannot be combined in this version\. Tip: a `table` distribution with a `knowledge` column can say anything that is known\.',
    ),
)

NETWORKS = (
    Bad(
        "network with a cycle",
        _network(
            f"record = 0, given = [1], rows = [ {{ when = [0], {ROW} }} ]",
            f"record = 1, given = [0], rows = [ {{ when = [0], {ROW} }} ]",
        ),
        r'FILE: \[\[distribution\]\] "x", network, node 1, given: record 0 is given record 1, which comes later or never; wanted parents that stand before their children\.',
    ),
    Bad(
        "network record given itself",
        _network(ROOT, f"record = 1, given = [1], rows = [ {{ when = [0], {ROW} }} ]"),
        r'FILE: \[\[distribution\]\] "x", network, node 2, given: record 1 is given record 1, which comes later or never; wanted parents that stand before their children\.',
    ),
    Bad(
        "network with a missing row",
        _network(ROOT, f"record = 1, given = [0], rows = [ {{ when = [0], {ROW} }} ]"),
        r'FILE: \[\[distribution\]\] "x", network, node 2: record 1 has no row for its parents. values \[1\]; wanted a row for every combination of parents. values that can occur\.',
    ),
    Bad(
        "network with a duplicate row",
        _network(ROOT, f'record = 1, given = [0], rows = [ {{ when = [0], {ROW} }}, {{ when = ["0"], {ROW} }} ]'),
        r'FILE: \[\[distribution\]\] "x", network, node 2, row 2: given the same `when` twice; wanted distinct rows\.',
    ),
    Bad(
        "network with a duplicate record",
        _network(ROOT, ROOT),
        r'FILE: \[\[distribution\]\] "x", network, node 2: given the record 0 twice; wanted each record once\.',
    ),
    Bad(
        "network with too few nodes",
        _network(ROOT),
        r'FILE: \[\[distribution\]\] "x", network: given 1 node; wanted 2, one a record\.',
    ),
    Bad(
        "network with a record out of range",
        _network(ROOT, f"record = 2, {ROW}"),
        r'FILE: \[\[distribution\]\] "x", network, node 2, record: given the record 2; wanted 0 to 1\. Tip: indices count from 0\.',
    ),
    Bad(
        "network with a record that is text",
        _network(ROOT, f'record = "1", {ROW}'),
        r'FILE: \[\[distribution\]\] "x", network, node 2, record: given "1"; wanted the index of a record as an integer\.',
    ),
    Bad(
        "network with a parent twice",
        _network(ROOT, f"record = 1, given = [0, 0], rows = [ {{ when = [0, 0], {ROW} }} ]"),
        r'FILE: \[\[distribution\]\] "x", network, node 2, given: given \[0, 0\]; wanted each record at most once\.',
    ),
    Bad(
        "network row with a wrong `when`",
        _network(ROOT, f"record = 1, given = [0], rows = [ {{ when = [0, 1], {ROW} }} ]"),
        r'FILE: \[\[distribution\]\] "x", network, node 2, row 1, when: given 2 values; wanted 1, one a parent\.',
    ),
    Bad(
        "network root with rows",
        _network(ROOT, f"record = 1, rows = [ {{ when = [], {ROW} }} ]"),
        r'FILE: \[\[distribution\]\] "x", network, node 2: the key `table` is missing; wanted `table = …`\. Tip: pkdp guide format lists the keys\.',
    ),
    Bad(
        "empty network",
        distribution("network = []"),
        r'FILE: \[\[distribution\]\] "x", network: given 0 nodes; wanted 2, one a record\.',
    ),
)

ENTRIES = (
    *ROWS,
    *SHAPES,
    *NETWORKS,
)
