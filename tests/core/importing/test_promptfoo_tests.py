"""Tests of a promptfoo configuration, wherever they stand, and what their inputs and names become."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lastgood.core.importing import promptfoo
from lastgood.core.importing.promptfoo_config import Config
from lastgood.core.importing.sources import Sources

if TYPE_CHECKING:
    from lastgood.core.importing.drafts import Imported

IS_JSON = [{"type": "is-json"}]


def imported(tests: Any, files: dict[str, str] | None = None, **more: Any) -> Imported:
    every = {"e/c.json": json.dumps({"tests": tests, **more}), **(files or {})}
    sources = Sources.of({name: text.encode("utf-8", "surrogateescape") for name, text in every.items()})
    return promptfoo.read(Config(sources, "e/c.json"), sources, "billing", frozenset({"prompts/billing.txt"}))


def inputs(found: Imported) -> list[Any]:
    return [draft.case["input"] for draft in found.drafts]


ROW = '{"vars": {"a": 1}, "assert": ["is-json"]}'
FILES = {
    "e/t.json": f"[{ROW}]",
    "e/t.jsonl": f"{ROW}\n\n{ROW}\n",
    "e/t.yaml": "- vars: {a: 1}\n  assert: [is-json]\n",
    "e/t.csv": "a,__expected1,__expected2,__description,__metric\n1,is-json,,One,m\n,,,,\n",
    "e/more/x.yaml": "vars: {a: 1}\nassert: [is-json]\n",
    "e/nested.yaml": "[file://t.json]\n",
}


@pytest.mark.parametrize(
    ("tests", "count"),
    [
        ("file://t.json", 1),
        ("t.json", 1),
        (["file://t.jsonl"], 2),
        (["file://t.yaml", {"path": "file://t.csv"}], 2),
        ("file://more/*.yaml", 1),
        ("file://nested.yaml", 1),
        ("file://./more/../t.json", 1),
        ([json.loads(ROW)], 1),
    ],
)
def test_tests_are_found_where_they_stand(tests: Any, count: int) -> None:
    found = imported(tests, FILES)
    assert found.losses == ()
    assert [given in ({"a": 1}, {"a": "1"}) for given in inputs(found)] == [True] * count


@pytest.mark.parametrize(
    ("tests", "why"),
    [
        ("file://none.yaml", "no such file"),
        ("file://none*.yaml", "names no file"),
        ("https://127.0.0.1/t.csv", "nothing is ever fetched"),
        ("file://t.xlsx", "no file of tests that is read (.xlsx)"),
        ("file://gen.py:make", "no file of tests that is read"),
        ("file://bad.yaml", "duplicate key"),
        ("file://bad.csv", "not CSV"),
        ("file://empty.csv", "is empty"),
        ("file://twice.csv", "two columns have one name"),
        ("file://long.csv", "more cells than the head"),
        ("file://latin.csv", "not UTF-8"),
        ("file://itself.json", "too many in a row"),
        ([7], "is no test"),
        ({"vars": {}}, "asserts nothing"),
    ],
)
def test_what_is_no_test_is_told(tests: Any, why: str) -> None:
    files = {
        "e/bad.yaml": "a: 1\na: 2\n",
        "e/bad.csv": 'a,b\n"x\n',
        "e/empty.csv": "",
        "e/twice.csv": "a,a\n1,2\n",
        "e/long.csv": "a\n1,2\n",
        "e/latin.csv": "a\n\udcfc\n",
        "e/itself.json": '["file://itself.json"]',
    }
    found = imported(tests, files)
    assert found.drafts == ()
    assert why in " ".join(loss.why for loss in found.losses)


def test_lists_are_combined_unless_that_is_off() -> None:
    both = {"a": [1, 2], "b": ["x", "y"], "c": "z"}
    found = imported([{"vars": both, "assert": IS_JSON, "description": "All of it"}])
    assert [given["a"] for given in inputs(found)] == [1, 1, 2, 2]
    assert len({draft.case_id for draft in found.drafts}) == 4
    found = imported([{"vars": both, "assert": IS_JSON, "options": {"disableVarExpansion": True}}])
    assert inputs(found) == [both]
    many = {name: list(range(10)) for name in "abcdef"}
    assert "more than 10000 combinations" in imported([{"vars": many, "assert": IS_JSON}]).losses[0].why


def test_variables_come_from_files_and_from_each_other() -> None:
    given = {"a": "file://a.txt", "b": "{{a}}!", "c": ["file://d.yaml"]}
    found = imported([{"vars": given, "assert": IS_JSON}], {"e/a.txt": "hello\n", "e/d.yaml": "x: 1\n"})
    assert inputs(found) == [{"a": "hello", "b": "hello!", "c": {"x": 1}}]
    found = imported([{"vars": "file://v.yaml", "assert": IS_JSON}], {"e/v.yaml": "a: 1\n"})
    assert inputs(found) == [{"a": 1}]


def test_defaults_come_first_and_may_lie_in_a_file() -> None:
    files = {
        "e/d/default.yaml": "vars: {tone: 'file://tone.txt', a: 0}\nassert: [{type: contains, value: '{{tone}}'}]\n"
    }
    files["e/d/tone.txt"] = "kind"
    test = {"vars": {"a": 1}, "assert": IS_JSON}
    (draft,) = imported([test], files, defaultTest="file://d/default.yaml").drafts
    assert draft.case["input"] == {"tone": "kind", "a": 1}
    assert draft.case["expect"] == {"require_patterns": ["(?-i:kind)"], "json": True}
    off = imported([test | {"options": {"disableDefaultAsserts": True}}], files, defaultTest="file://d/default.yaml")
    assert off.drafts[0].case["expect"] == {"json": True}
    assert "no such file" in imported([test], defaultTest="file://none.yaml").losses[0].why
    assert imported([test], defaultTest=7).losses[0].why == "is no object"


def test_ids_are_names_of_files_and_never_the_same() -> None:
    names = ["Größe & Co.", "../../etc/passwd", "con", "catalog", "", "  ", "日本", "a" * 200, "A b", "a b"]
    tests = [{"description": name, "vars": {"n": nth}, "assert": IS_JSON} for nth, name in enumerate(names)]
    found = imported([*tests, *tests])
    ids = [draft.case_id for draft in found.drafts]
    assert len({case_id.casefold() for case_id in ids}) == len(ids) == 2 * len(names)
    assert ids[0] == "groe-co"
    assert all("/" not in case_id and len(case_id) < 80 for case_id in ids)


def test_an_id_without_a_description_moves_only_with_its_input() -> None:
    one, other = ({"vars": {"n": nth}, "assert": IS_JSON} for nth in (1, 2))
    assert imported([one, other]).drafts[0].case_id == imported([other, one]).drafts[1].case_id


def test_tests_of_other_prompts_are_left_out() -> None:
    prompts = [{"id": "file://../prompts/billing.txt", "label": "bill"}, "file://../prompts/other.txt", "Say {{a}}"]
    tests = [{"vars": {"n": nth}, "assert": IS_JSON, "prompts": [name]} for nth, name in enumerate(["bill", "other"])]
    found = imported(tests, prompts=prompts)
    assert inputs(found) == [{"n": 0}]
    told = {loss.pointer: (loss.why, loss.aside) for loss in found.losses}
    assert told["/tests/1"] == ("is of other prompts; import it with --prompt of one of these", False)
    assert told["/prompts/1"][0].startswith("is another prompt")
    assert told["/prompts/2"][0].startswith("is a text in the configuration")


def test_what_a_configuration_says_besides_is_listed() -> None:
    found = imported([{"vars": {}, "assert": IS_JSON, "nonsense": 1}], providers=["x"], scenarios=[], extensions=["y"])
    assert [(loss.pointer, loss.aside) for loss in found.losses] == [
        ("/providers", True),
        ("/scenarios", False),
        ("/extensions", False),
        ("/tests/0/nonsense", False),
    ]
