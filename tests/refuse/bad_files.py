"""Bad files: no file, no text, no TOML, bad sizes and values, unknown keys, and attacks by size and depth."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, HEAD, IID, SUM, TOLD, Bad, ask, distribution, top

HUGE = 10**9
MILLION = 10**6


def _many_rows() -> str:
    row = "  { database = [0, 0], probability = 0 },\n"
    return distribution("table = [\n" + row * (10**7 // len(row) + 1) + "]")


FILES = (
    Bad(
        "missing file",
        None,
        r"nowhere/model\.toml: the file cannot be read \(No such file or directory\); wanted a model file\. Tip: pkdp new MODEL\.toml makes one, pkdp examples lists the bundled ones\.",
        ("check", "nowhere/model.toml"),
    ),
    Bad(
        "directory",
        None,
        r"\.: given a folder; wanted a model file, in a regular file\. Tip: pkdp new MODEL\.toml makes one, pkdp examples lists the bundled ones\.",
        ("check", "."),
    ),
    Bad(
        "endless device",
        None,
        r"/dev/zero: given a device; wanted a model file, in a regular file\. Tip: pkdp new MODEL\.toml makes one, pkdp examples lists the bundled ones\.",
        ("check", "/dev/zero"),
        process=True,
    ),
    Bad(
        "file name with a NUL byte",
        None,
        r"model\\x00\.toml: the file cannot be read \(embedded null byte\); wanted a model file\. Tip: pkdp new MODEL\.toml makes one, pkdp examples lists the bundled ones\.",
        ("check", "model\0.toml"),
    ),
    Bad(
        "file name that is too long",
        None,
        r"m+ … m+: the file cannot be read \(File name too long\); wanted a model file\. Tip: pkdp new MODEL\.toml makes one, pkdp examples lists the bundled ones\.",
        ("check", "m" * 5000),
    ),
    Bad(
        "empty file",
        "",
        r"FILE: the file is empty; wanted size, values, \[mechanism\]\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "file of spaces",
        " \n\t\n",
        r"FILE: the file is empty; wanted size, values, \[mechanism\]\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "file that is not UTF-8",
        b"size = 2\nvalues = ['\xff\xfe']\n",
        r"FILE: byte 20 is not UTF-8; wanted a UTF-8 text file\.",
    ),
    Bad("UTF-16 file", GOOD.encode("utf-16"), r"FILE: byte 0 is not UTF-8; wanted a UTF-8 text file\."),
    Bad(
        "file with a byte order mark",
        "\ufeff" + GOOD,
        r"FILE: given a byte order mark; wanted UTF-8 without it\. Tip: save it without BOM\.",
    ),
    Bad(
        "binary file",
        bytes(range(128)),
        r"FILE: not valid TOML: .* \(at line 1, column 1\); wanted a TOML file\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "JSON file",
        '{ "size": 2 }',
        r"FILE: not valid TOML: .* \(at line 1, column 1\); wanted a TOML file\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "unclosed string",
        'title = "x\nsize = 2\n',
        r"FILE: not valid TOML: .* \(at line 1, column 11\); wanted a TOML file\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "key without value",
        "size =\n",
        r"FILE: not valid TOML: .* \(at line 1, column 7\); wanted a TOML file\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "key twice",
        "size = 2\nsize = 3\n",
        r"FILE: not valid TOML: .* \(at line 2, column 9\); wanted a TOML file\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "unclosed bracket",
        "values = [0, 1\n",
        r"FILE: not valid TOML: .* \(at end of document\); wanted a TOML file\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "value twice in an inline table",
        distribution('iid = { 0 = "1/2", 0 = "1/2" }'),
        r"FILE: not valid TOML: .* \(at line 5, column 29\); wanted a TOML file\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "line end in an inline table",
        distribution("iid = { 0 = 1,\n}"),
        r"FILE: not valid TOML: .* \(at line 5, column 15\); wanted a TOML file\. Tip: \{ … \} must be on one line \(TOML 1\.0\)\.",
    ),
    Bad(
        "inline table that starts on one line and goes on",
        distribution('iid = {\n  0 = "1/2", 1 = "1/2" }'),
        r"FILE: not valid TOML: .*; wanted a TOML file\. Tip: \{ … \} must be on one line \(TOML 1\.0\)\.",
    ),
    Bad(
        "line end in an inline table of a list",
        distribution(
            'table = [\n  { database = [0, 0], probability = "1/2" }, { database = [1, 1],\n probability = "1/2" },\n]'
        ),
        r"FILE: not valid TOML: .*; wanted a TOML file\. Tip: \{ … \} must be on one line \(TOML 1\.0\); only \[ … \] may go over several\.",
    ),
    Bad(
        "comma at the end of an inline table",
        distribution('iid = { 0 = "1/2", 1 = "1/2", }'),
        r"FILE: not valid TOML: .*; wanted a TOML file\. Tip: no comma stands before \} \(TOML 1\.0\)\.",
    ),
    Bad(
        "fraction without quotes in an inline table",
        distribution('iid = { 0 = 1/6, 1 = "5/6" }'),
        r'FILE: not valid TOML: .*; wanted a TOML file\. Tip: a fraction stands in quotes: "1/6"\.',
    ),
    Bad(
        "fraction without quotes in an inline table over several rows",
        distribution("table = [\n  { database = [0, 0], probability = 1 / 2 },\n]"),
        r'FILE: not valid TOML: .*; wanted a TOML file\. Tip: a fraction stands in quotes: "1/2"\.',
    ),
    Bad(
        "names without quotes",
        top(values="[low, mid]"),
        r'FILE: not valid TOML: .* \(at line 2, column 11\); wanted a TOML file\. Tip: names stand in quotes: "low"\.',
    ),
    Bad(
        "boolean of Python",
        top(values="[False, True]"),
        r"FILE: not valid TOML: .* \(at line 2, column 11\); wanted a TOML file\. Tip: write false\.",
    ),
    Bad(
        "decimal without its 0",
        distribution("iid = { 0 = .5, 1 = 0.5 }"),
        r"FILE: not valid TOML: .*; wanted a TOML file\. Tip: a decimal starts with a digit: 0\.5\.",
    ),
    Bad(
        "curly quotes",
        top(values="[“low”, “mid”]"),
        r'FILE: not valid TOML: .*; wanted a TOML file\. Tip: write straight quotes: "\.',
    ),
    Bad(
        "file of 10 MB",
        lambda: GOOD + "# " + "x" * 10**7,
        r"FILE: given a file of more than 4,194,304 bytes; wanted at most 4,194,304\. Tip: a large distribution is written shorter as `iid`, `independent`, `mixture` or `network`\.",
        process=True,
    ),
    Bad(
        "file of 10 MB of rows",
        _many_rows,
        r"FILE: given a file of more than 4,194,304 bytes; wanted at most 4,194,304\. Tip: a large distribution is written shorter as `iid`, `independent`, `mixture` or `network`\.",
        process=True,
    ),
)

SIZES = (
    Bad(
        "size 10^4 over three values",
        f'size = 10000\nvalues = [0, 1, 2]\n[[distribution]]\nname = "x"\niid = {{ 0 = "1/2", 1 = "1/4", 2 = "1/4" }}\n{TOLD}',
        r'FILE: the distribution "x" has about 10\^[0-9]+ worlds, more than the limit of 4,194,304 rows\. Tip: no machine lists so many: use fewer records or values, or a kind that adds up, such as count or sum\.',
        ask("--definition", "np", "--epsilon", "1"),
        status=3,
        process=True,
    ),
    Bad(
        "no size",
        f"values = [0, 1]\n{IID}{SUM}",
        r"FILE: the key `size` is missing; wanted `size = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "n instead of size",
        f"n = 2\nvalues = [0, 1]\n{IID}{SUM}",
        r"FILE: the key `size` is missing and `n` is unknown; wanted `size = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "two unknown keys instead of size",
        f"n = 2\nT = 3\nvalues = [0, 1]\n{IID}{SUM}",
        r"FILE: the key `size` is missing and `n`, `T` are unknown; wanted `size = …`\. .*",
    ),
    Bad(
        "misspelt size",
        f"sise = 2\nvalues = [0, 1]\n{IID}{SUM}",
        r"FILE: the key `size` is missing; wanted `size = …`\. Tip: is `sise` meant to be `size`\?",
    ),
    Bad("size 0", top("0"), r"FILE: size: given 0; wanted an integer from 1 to 10,000,000: the number of records\."),
    Bad(
        "size negative",
        top("-1"),
        r"FILE: size: given -1; wanted an integer from 1 to 10,000,000: the number of records\.",
    ),
    Bad(
        "size as a decimal",
        top("2.0"),
        r"FILE: size: given 2\.0; wanted an integer from 1 to 10,000,000: the number of records\.",
    ),
    Bad(
        "size as text",
        top('"2"'),
        r'FILE: size: given "2"; wanted an integer from 1 to 10,000,000: the number of records\. Tip: write it without quotes\.',
    ),
    Bad(
        "size as a boolean",
        top("true"),
        r"FILE: size: given true; wanted an integer from 1 to 10,000,000: the number of records\.",
    ),
    Bad(
        "size as a list of three",
        top("[0, 1, 2]"),
        r"FILE: size: given \[0, 1, 2\]; wanted an integer from 1 to 10,000,000: the number of records\. Tip: \[0, 4\] are all databases of no to four tuples\.",
    ),
    Bad(
        "size as a list of texts",
        top('["0", "2"]'),
        r'FILE: size: given \["0", "2"\]; wanted an integer from 1 to 10,000,000: the number of records\. Tip: \[0, 4\] are all databases of no to four tuples\.',
    ),
    Bad(
        "size as a date",
        top("2020-02-02"),
        r"FILE: size: given the date 2020-02-02; wanted an integer from 1 to 10,000,000: the number of records\.",
    ),
    Bad(
        "size 10^9 with iid",
        top(str(HUGE)),
        r"FILE: size: given 1000000000 records; wanted an integer from 1 to 10,000,000: the number of records\.",
        status=3,
        process=True,
    ),
    Bad(
        "size 10^9 with a table",
        f"size = {HUGE}\nvalues = [0, 1]\n[[distribution]]\ntable = [ {{ database = [0], probability = 1 }} ]\n{SUM}",
        r"FILE: size: given 1000000000 records; wanted an integer from 1 to 10,000,000: the number of records\.",
        status=3,
        process=True,
    ),
    Bad(
        "size 10^4 with iid",
        f"size = 10000\nvalues = [0, 1]\n{IID}{TOLD}",
        r'FILE: the distribution "x" has about 10\^[0-9]+ worlds, more than the limit of 4,194,304 rows\. Tip: no machine lists so many: use fewer records or values, or a kind that adds up, such as count or sum\.',
        status=3,
        process=True,
    ),
    Bad(
        "size of a million digits",
        lambda: top("9" * MILLION),
        r"FILE: line 1: given a number of 1,000,000 digits; wanted at most 4,300\.",
        status=3,
        process=True,
    ),
    Bad(
        "size of 4,000 digits",
        lambda: top("9" * 4000),
        r"FILE: size: given 999999999999999999999999999999… \(4,000 digits\) records; wanted an integer from 1 to 10,000,000: the number of records\.",
        status=3,
    ),
    Bad(
        "no values",
        f"size = 2\n{IID}{SUM}",
        r"FILE: the key `values` is missing; wanted `values = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad("empty values", top(values="[]"), r"FILE: values: given no values; wanted at least one\."),
    Bad(
        "values that are a number",
        top(values="2"),
        r"FILE: values: given 2; wanted a list of values such as \[0, 1\]\.",
    ),
    Bad(
        "values that are a table",
        top(values="{ 0 = 1 }"),
        r"FILE: values: given \{ 0 = 1 \}; wanted a list of values such as \[0, 1\]\.",
    ),
    Bad(
        "value twice",
        top(values="[0, 1, 0]"),
        r'FILE: values: given 0 twice; wanted values with distinct texts\. Tip: labels are compared by their text: 0 and "0" are one label\.',
    ),
    Bad(
        "value twice by text",
        top(values='[0, 1, "0"]'),
        r'FILE: values: given "0" twice; wanted values with distinct texts\. Tip: labels are compared by their text: 0 and "0" are one label\.',
    ),
    Bad(
        "boolean and its text",
        top(values='[true, "true"]'),
        r'FILE: values: given "true" twice; wanted values with distinct texts\. Tip: labels are compared by their text: 0 and "0" are one label\.',
    ),
    Bad(
        "value that is a decimal",
        top(values="[0, 0.5]"),
        r'FILE: values: given the decimal 0\.5; wanted an integer, a string or a boolean as a label\. Tip: write "0\.5" in quotes if it is a name\.',
    ),
    Bad(
        "value that is nan",
        top(values="[0, nan]"),
        r'FILE: values: given the decimal nan; wanted an integer, a string or a boolean as a label\. Tip: write "nan" in quotes if it is a name\.',
    ),
    Bad(
        "value that is a date",
        top(values="[0, 2020-02-02]"),
        r"FILE: values: given the date 2020-02-02; wanted an integer, a string or a boolean as a label\.",
    ),
    Bad(
        "value that is a list",
        top(values="[0, [1]]"),
        r"FILE: values: given \[1\]; wanted integers, strings or booleans\.",
    ),
    Bad(
        "value that is a table",
        top(values="[0, { a = 1 }]"),
        r"FILE: values: given \{ a = 1 \}; wanted an integer, a string or a boolean as a label\.",
    ),
    Bad(
        "value of a million digits",
        lambda: top(values="[0, 1, " + "9" * MILLION + "]"),
        r"FILE: line 2: given a number of 1,000,000 digits; wanted at most 4,300\.",
        status=3,
        process=True,
    ),
    Bad(
        "value of a million hexadecimal digits",
        lambda: top(values="[0, 1, 0x" + "f" * MILLION + "]"),
        r"FILE: line 2: given a number of 1,000,002 digits; wanted at most 4,300\.",
        status=3,
        process=True,
    ),
)

KEYS = (
    Bad(
        "unknown key at the top",
        top(more='colour = "red"'),
        r"FILE: the key `colour` is unknown; wanted one of 14 names, the closest: .*\.",
    ),
    Bad(
        "misspelt key at the top",
        top(more='titel = "x"'),
        r"FILE: the key `titel` is unknown; wanted one of 14 names, the closest: .*\. Tip: is `title` meant\?",
    ),
    Bad(
        "misspelt [mechanism]",
        f'{HEAD}{IID}[mechansim]\nkind = "sum"\n',
        r"FILE: the key `mechanism` is missing; wanted `mechanism = …`\. Tip: is `mechansim` meant to be `mechanism`\?",
    ),
    Bad(
        "misspelt [knowledge]",
        f"{GOOD}[knowlege]\nrecords = [0]\n",
        r"FILE: the key `knowlege` is unknown; wanted one of 14 names, the closest: .*\. Tip: is `knowledge` meant\?",
    ),
    Bad(
        "unknown key of a thousand letters",
        top(more="x" * 1000 + " = 1"),
        r"FILE: the key `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… \(1,000 characters\)` is unknown; wanted one of 14 names, the closest: .*\.",
    ),
    Bad("title that is a number", top(more="title = 1"), r"FILE: title: given 1; wanted a title as a string\."),
    Bad(
        "source that is a list",
        top(more='source = ["DMKB20"]'),
        r'FILE: source: given \["DMKB20"\]; wanted a source as a string\.',
    ),
    Bad(
        "[parameters]",
        f'{GOOD}[parameters]\np = {{ from = "0", to = "1/10" }}\n',
        r'FILE: \[parameters\]: the parameter p stands in no probability; wanted an expression such as "1 - p"\.',
    ),
)

ENTRIES = (*FILES, *SIZES, *KEYS)
