"""Mechanisms in files of their own: they are read as the rows that they hold, and checked from the whole text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asking import ask

import verifier as pk

ROWS = {
    "list.csv": 'database,output,probability\n"[0, 0]",yes,1/4\n"[0, 0]",no,3/4\n"[0, 1]",yes,0.5\n"[0, 1]",no,0.5\n'
    '"[1, 0]",yes,1/2\n"[1, 0]",no,1/2\n\n"[1, 1]",yes,1\n',
    "matrix.csv": 'database,yes,no\n"[0, 0]",1/4,3/4\n"[0, 1]",1/2,1/2\n"[1,0]",1/2,0.5\n"[1, 1]",1,0\n',
    "table.json": '{"[0, 0]": {"yes": 0.25, "no": "3/4"}, "[0, 1]": {"yes": "1/2", "no": "1/2"},'
    ' "[1, 0]": {"no": "1/2", "yes": "1/2"}, "[1, 1]": "yes"}',
    "rows.json": '[{"database": [0, 0], "outputs": {"yes": "1/4", "no": "3/4"}}, {"database": [0, 1], "outputs":'
    ' {"yes": "1/2", "no": "1/2"}}, {"database": [1, 0], "outputs": {"yes": "1/2", "no": "1/2"}},'
    ' {"database": [1, 1], "output": "yes"}]',
}
"""One mechanism in each form."""
MODEL = """
size = 2
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[mechanism]
%s = "%s"
"""
INLINE = {
    "size": 2,
    "values": [0, 1],
    "distribution": [{"iid": {0: "1/2", 1: "1/2"}}],
    "mechanism": {"table": json.loads(ROWS["rows.json"])},
}


def written(folder: Path, name: str, key: str = "table") -> Path:
    """A model that points to one of the files, which stands beside it."""
    (folder / name).write_text(ROWS[name], encoding="utf-8")
    (folder / "model.toml").write_text(MODEL % (key, name), encoding="utf-8")
    return folder / "model.toml"


@pytest.mark.parametrize("name", ROWS)
def test_a_file_is_the_rows_that_it_holds(name: str, tmp_path: Path) -> None:
    """Every form gives the answers of the rows in the model, and so does the model from Python."""
    there, here = pk.read(written(tmp_path, name)), pk.build(**INLINE)
    for key in ("dp", "np", "ppkdp"):
        answers = [pk.check(model, key, delta="1/10") for model in (there, here)]
        assert [answer.replayed for answer in answers] == [True, True]
        assert answers[0].profile == answers[1].profile
    assert there.files == (name,)
    assert "csv" not in there.text
    assert "json" not in there.text


@pytest.mark.parametrize("key", ["table", "rows"])
def test_the_hash_is_of_the_rows_too(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another number in the file gives another hash, and answers bring the text that they are about."""
    path = written(tmp_path, "list.csv", key)
    first = pk.read(path)
    (tmp_path / "list.csv").write_text(ROWS["list.csv"].replace("1/4", "1/5").replace("3/4", "4/5"))
    assert pk.read(path).sha256 != first.sha256
    _, said, _ = ask(capsys, "check", str(path), "--definition", "dp", "--json")
    certificates = [str(tmp_path / f"{name}.json") for name in ("check", "acceptable", "convert")]
    ask(capsys, "check", str(path), "--definition", "dp", "--certificate", certificates[0])
    ask(capsys, "acceptable", str(path), "--certificate", certificates[1])
    ask(capsys, "convert", "np", "cdp", str(path), "--epsilon", "ln(2)", "--certificate", certificates[2])
    (tmp_path / "answer.json").write_text(said)
    (tmp_path / "list.csv").unlink()
    path.unlink()
    assert [ask(capsys, "verify", certificate)[0] for certificate in certificates] == [0, 0, 0]
    assert json.loads(said)["model_text"].count("database") == 4
    assert ask(capsys, "verify", str(tmp_path / "answer.json"))[0] == 0, "the answer has all that the checker needs"


def test_knowledge_and_inner_mechanisms_point_to_files(tmp_path: Path) -> None:
    path = written(tmp_path, "matrix.csv")
    text = path.read_text(encoding="utf-8")
    path.write_text(text + '[knowledge]\ntable = "matrix.csv"\n', encoding="utf-8")
    assert len(pk.loss(pk.read(path), record=0).knowledge) == 2
    path.write_text(text.replace('table = "matrix.csv"', 'kind = "all"\nof = [{ table = "matrix.csv" }]'))
    assert str(pk.check(pk.read(path), "np").tight_epsilon) == str(pk.check(pk.build(**INLINE), "np").tight_epsilon)


def test_a_family_points_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Probabilities in a file may be expressions in the parameters of the model."""
    (tmp_path / "coin.csv").write_text("database,output,probability\n[0],a,1\n[1],a,1 - p\n[1],b,p\n")
    path = tmp_path / "model.toml"
    path.write_text('size = 1\nvalues = [0, 1]\n[parameters]\np = {}\n[mechanism]\ntable = "coin.csv"\n')
    for delta, epsilon in (("1/3", "0"), ("1/4", "inf")):
        asked = ("--definition", "dp", "--set", "p=1/3", "--delta", delta, "--json")
        _, said, _ = ask(capsys, "check", str(path), *asked)
        assert json.loads(said)["tight_epsilon"] == epsilon


def test_a_text_alone_has_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a link nor a bare text reads a file, also where one of that name is there; Python's keys do."""
    path = written(tmp_path, "list.csv")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pk.InputError, match="this text points to the file"):
        pk.loads(path.read_text(encoding="utf-8"))
    model = pk.build(size=2, values=[0, 1], mechanism={"table": "list.csv"})
    assert pk.check(model, "dp", delta="1/2").replayed


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("database,output,probability\n[0, 0],yes,1\n", "line 2: the row has 4 cells, the file 3 columns"),
        ('database,output\n"[0, 0]",a\n"[0,0]",a\n', r'line 3: the output "a" of \[0,0\] is given twice'),
        ("database,output\n00,a\n", r'line 2: "00" is not a database. .* Hint: write \[00\] for'),
        ('database,output\n"[0, 0",a\n', "line 2: the text is not valid JSON"),
        ("output,database\na,0\n", 'line 1: the first column is "output"'),
        ("database,a,a\n", 'line 1: the column "a" is given twice'),
        ('database,output,probability\n"[0, 0]",a,1/2\n', "row 1, outputs: the probabilities sum to 1/2"),
    ],
)
def test_a_slip_is_said_with_its_line(rows: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, "list.csv")
    (tmp_path / "list.csv").write_text(rows)
    with pytest.raises(pk.PkdpError, match=message):
        pk.read(path)


P_TABLES = {
    "keys.csv": "\ufeffpcv,ckey,pvalue\n1,0,-1\n1,1,1\n2,0,-1\n2,1,1\n",
    "shares.csv": "i,j,p\n0,0,1\n1,0,1/2\n1,2,0.5\n2,1,0.5\n2,3,1/2\n",
    "shares.json": '[{"i": 0, "j": 0, "p": 1}, {"i": 1, "j": 0, "p": 0.5}, {"i": 1, "j": 2, "p": "1/2"},'
    ' {"i": 2, "j": 1, "p": "1/2"}, {"i": 2, "j": 3, "p": "1/2"}]',
}
"""One p-table in each form."""
COUNT_OF_KEYS = """
size = 3
values = [0, 1]
[mechanism]
kind = "count"
value = 1
then = [ { kind = "cell-key", table = "%s" } ]
"""


@pytest.mark.parametrize("name", P_TABLES)
def test_a_p_table_in_a_file_is_its_rows(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(P_TABLES[name], encoding="utf-8")
    (tmp_path / "model.toml").write_text(COUNT_OF_KEYS % name, encoding="utf-8")
    model = pk.read(tmp_path / "model.toml")
    laws = [dict(model.mechanism.law(database).items()) for database in ((0, 0, 0), (0, 1, 0), (1, 1, 1))]
    assert [{output.text: weight for output, weight in law.items()} for law in laws] == [
        {"0": 1},
        {"0": 1, "2": 1},
        {"2": 1, "4": 1},
    ]
    assert model.files == (name,)
    assert pk.loads(model.text).mechanism.law((0, 1, 1)) == model.mechanism.law((0, 1, 1))
    (tmp_path / name).write_text(P_TABLES[name].replace("1/2", "0.50").replace("1,1,1", "1,1,2"), encoding="utf-8")
    assert pk.read(tmp_path / "model.toml").sha256 != model.sha256


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("count,key,noise\n1,0,0\n", "line 1: the columns are .*Expected pcv,ckey,pvalue or i,j,p"),
        ("pcv,ckey,pvalue\n1,0,half\n", 'line 2: pvalue is "half". Expected an integer'),
        ("i,j,p\n0,0,half\n", "half"),
        ("i,j,p,v\n0,0,1,0\n", "the columns are"),
        ("pcv,ckey,pvalue\n", "there is no row"),
    ],
)
def test_a_bad_p_table_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(text, encoding="utf-8")
    (tmp_path / "model.toml").write_text(COUNT_OF_KEYS % "p.csv", encoding="utf-8")
    with pytest.raises(pk.InputError, match=said):
        pk.read(tmp_path / "model.toml")


def test_a_p_table_of_a_text_without_files_is_refused() -> None:
    with pytest.raises(pk.InputError, match=r"points to the file"):
        pk.loads(COUNT_OF_KEYS % "p.csv")


@pytest.mark.parametrize("rule", ["cell keys shares.csv, then hide 0 to 1", "Cell keys shares.csv rows reused from 1"])
def test_the_words_of_a_rule_may_name_a_p_table(rule: str, tmp_path: Path) -> None:
    (tmp_path / "shares.csv").write_text(P_TABLES["shares.csv"], encoding="utf-8")
    text = f'size = 3\nvalues = [0, 1]\n[mechanism]\nkind = "tables"\nrule = "{rule}"\ntables = [ {{ cells = [1] }} ]\n'
    (tmp_path / "model.toml").write_text(text, encoding="utf-8")
    model = pk.read(tmp_path / "model.toml")
    assert model.files == ("shares.csv",)
    assert {output.text for output in model.mechanism.law((0, 1, 1)).outcomes} == {"3", "*" if "hide" in rule else "1"}
    with pytest.raises(pk.InputError, match=r"points to the file"):
        pk.loads(text)
    (tmp_path / "model.toml").write_text(text.replace("cell keys shares.csv", "hide, then cell keys a.csv"))
    if "hide" in rule:
        with pytest.raises(pk.InputError, match=r"\[mechanism\], rule: .*is not a step of a rule"):
            pk.read(tmp_path / "model.toml")
