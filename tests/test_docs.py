"""docs/reference against the code: every example is run, every table of the code is a table of its page."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
import tomli
import yaml  # type: ignore[import-untyped]

from completer_programs import all_answers, outcomes
from lastgood.arguments import parse as parse_arguments
from lastgood.core import schema, verdict
from lastgood.core.assertions import OF_CALLS
from lastgood.core.baseline import read_baseline
from lastgood.core.case import read_golden
from lastgood.core.chat import parameter
from lastgood.core.completer import fingerprint
from lastgood.core.config import OUTPUTS, PROTOCOLS, STDINS, Completer, Config, DeclaredPrompt, parse
from lastgood.core.expect import OF_JSON, OF_OBJECT, OF_TEXT
from lastgood.core.grading import grade
from lastgood.core.marks import HEDGES, REFUSALS
from lastgood.core.moves import ORDER
from lastgood.core.rules import MODIFIERS, RULES
from lastgood.core.trace import read_completion
from lastgood.core.value import replace
from lastgood.edge.completers import Request
from lastgood.edge.completers.command import DROPPED, case_environ
from lastgood.edge.endpoint import completions_url
from lastgood.errors import Malformed
from lastgood.report.review import HELP
from pages import ROOT, blocks, code, files, headings, page, prose, rows, section, steps
from repository import LASTGOOD, Repository, standing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGE = ROOT / "hooks" / "lastgood"


def calls_of(file: Path, *names: str) -> Iterator[tuple[str, ast.Call]]:
    """Calls of these functions in a file, whatever they are an attribute of."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            if name in names:
                yield name, node


def texts_in(node: ast.AST) -> list[str]:
    """The strings written anywhere in an expression."""
    found = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return [text for text in found if isinstance(text, str)]


# configuration.md

CONFIGURATION = page("docs/reference/configuration.md")
SETTINGS = {
    "The repository": [{"declared": "prompt"}.get(name, name) for name in Config.__annotations__ if name != "path"],
    "Completers": [name for name in Completer.__annotations__ if name != "name"],
    "Prompts of several files": [name for name in DeclaredPrompt.__annotations__ if name != "prompt_id"],
}


def settings(heading: str) -> dict[str, tuple[str, str]]:
    """Setting → (default, meaning) as the page has them."""
    return {code(row[0])[0]: (row[1], row[2]) for row in rows(section(CONFIGURATION, heading))}


def parsed(text: str) -> Config:
    found = parse("lastgood.toml", text.encode())
    assert found
    return found


@pytest.mark.parametrize("heading", SETTINGS)
def test_every_setting_is_explained_and_nothing_else_is(heading: str) -> None:
    assert sorted(settings(heading)) == sorted(SETTINGS[heading])


def defaults() -> list[Any]:
    """(default on the page, default of the code) of every setting that may be left out."""
    config = parsed('commit_completer = "x"\n[completers.x]\ncommand = ["y"]')
    apart = ("commit_completer", "completers", "prompt")
    found = [("commit", settings("The repository")["commit_completer"][0], parsed("").commit_completer)]
    for heading, record in (("The repository", config), ("Completers", config.completers[0])):
        documented = {name: default for name, (default, _) in settings(heading).items() if default != "required"}
        found += [(name, documented[name], getattr(record, name)) for name in documented if name not in apart]
    return [pytest.param(default, true, id=name) for name, default, true in found]


@pytest.mark.parametrize(("documented", "true"), defaults())
def test_a_setting_that_is_left_out_has_the_documented_default(documented: str, true: Any) -> None:
    default = tomli.loads("is = " + documented.strip("`").replace("commit_completer", '"x"'))["is"]
    if isinstance(true, tuple):
        true = dict(true) if isinstance(default, dict) else list(true)
    assert default == true


@pytest.mark.parametrize(("setting", "choices"), [("protocol", PROTOCOLS), ("output", OUTPUTS), ("stdin", STDINS)])
def test_every_choice_of_a_setting_is_explained(setting: str, choices: tuple[str, ...]) -> None:
    assert set(choices) <= set(code(settings("Completers")[setting][1]))


@pytest.mark.parametrize(("table", "setting"), [("completers.x", "command"), ("prompt.x", "files")])
def test_a_required_setting_is_required(table: str, setting: str) -> None:
    with pytest.raises(Malformed) as refused:
        parsed(f"[{table}]")
    assert refused.value.pointer == f"{table}.{setting}"


def test_the_example_configuration_parses_and_shows_every_setting() -> None:
    (example,) = blocks(CONFIGURATION, "toml")
    parsed(example.text)
    everything = {*SETTINGS["The repository"], *SETTINGS["Completers"], *SETTINGS["Prompts of several files"]}
    assert everything - set(re.findall(r"\w+", example.text)) == set()


# files.md

FILES = page("docs/reference/files.md")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The repository that files.md spells out."""
    repo = Repository(tmp_path_factory.mktemp("files") / "repository")
    repo.write(files(FILES))
    repo.git("add", "-A")
    return repo


def test_the_files_of_the_page_are_a_repository_in_step(example: Repository) -> None:
    assert "held (0)" in example.lastgood("check").said


def test_its_formats_are_what_the_page_says(example: Repository) -> None:
    (typed,) = blocks(section(FILES, "Formats"), "console")
    ((command, wanted),) = steps(typed.text)
    assert command == "lastgood upgrade"
    assert example.lastgood("upgrade").out == wanted


def test_its_completer_answers_what_its_baseline_says(example: Repository) -> None:
    assert "2 cases: 2 PASS" in example.lastgood("eval", "--fail-on-diff").out


def test_its_hashes_are_those_of_a_program_that_shares_no_code(example: Repository) -> None:
    (program,) = [block for block in blocks(FILES, "python") if block.label == "(run)"]
    assert example.run(sys.executable, "-I", "-c", program.text).said == ""


def test_the_case_and_the_trace_that_stand_alone_are_sound() -> None:
    alone = {block.label: block.text.encode() for block in blocks(FILES, "json") if not block.is_file}
    assert alone.keys() == {"(case)", "(baseline)"}
    (case,) = read_golden("case.json", alone["(case)"]).cases
    baseline = read_baseline("baseline.json", alone["(baseline)"])
    assert (baseline.case_id, baseline.case_hash) == (case.id, case.case_hash)
    assert baseline.digest == baseline.declared_digest


@pytest.mark.parametrize("kind", ["baseline", "case", "catalog", "migration", "suite"])
def test_every_key_of_a_file_kind_is_on_the_page(kind: str) -> None:
    keys = set(schema.document(f"{kind}.json")["properties"]) - {"$schema"}
    assert keys - set(re.findall(r"[`\"](\w+)[`\"]", FILES)) == set()


# assertions.md

ASSERTIONS = page("docs/reference/assertions.md")
SCHEMAS = {"order": {"type": "object", "required": ["order_id"], "properties": {"order_id": {"type": "string"}}}}
EXAMPLES = [pytest.param(json.loads(block.text), id=block.heading) for block in blocks(ASSERTIONS, "json")]


def graded(example: dict[str, Any], answer: Any) -> tuple[Any, ...]:
    parts = {name: example[name] for name in ("tools", "expect", "assertions") if name in example}
    data = json.dumps({"id": "a", "version": 1, "prompt_id": "p", "input": {}, **parts}).encode()
    raw = answer if isinstance(answer, str) else json.dumps(answer)
    completion = read_completion(raw, "trace" if "tool_calls" in answer else "text")
    return grade(read_golden("a.json", data).cases[0], completion, SCHEMAS)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_an_assertion_holds_and_breaks_as_it_says(example: dict[str, Any]) -> None:
    assert graded(example, example["holds"]) == ()
    failures = graded(example, example["breaks"])
    assert [str(failure) for failure in failures] == example["failures"]
    assert example.get("told") in (None, [failure.explanation for failure in failures])


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        pytest.param("Over the final text", ["json", *OF_OBJECT, *OF_JSON, *OF_TEXT], id="expect"),
        pytest.param("Over the tool calls", [*OF_CALLS], id="assertions"),
        pytest.param("Rules", [*RULES, *MODIFIERS], id="rules"),
    ],
)
def test_every_assertion_and_rule_has_its_example_and_nothing_else_has(heading: str, names: list[str]) -> None:
    part = section(ASSERTIONS, heading)
    assert sorted(headings(part)) == sorted(names)
    assert [block.heading.strip("`") for block in blocks(part, "json")] == headings(part)


@pytest.mark.parametrize("part", ["expect", "assertions", "rule"])
def test_every_assertion_that_a_case_may_hold_is_documented(part: str) -> None:
    names = schema.document("case.json")["$defs"][part]["properties"]
    assert set(names) - set(headings(ASSERTIONS)) == set()


def failure_kinds() -> Iterator[str]:
    files = [*(PACKAGE / "core").glob("*.py"), PACKAGE / "commands" / "grade.py"]
    for file in files:
        for _, call in calls_of(file, "Failure"):
            yield from (text.partition(":")[0] for text in texts_in(call.args[0])[:1])
    source = (PACKAGE / "core" / "trace.py").read_text(encoding="utf-8")
    yield from re.findall(r'Completion\("", None, "(\w+)"', source)


def test_every_kind_of_failure_is_documented_and_no_other() -> None:
    documented = [code(row[0])[0].partition(":")[0] for row in rows(section(ASSERTIONS, "Failures"))]
    assert sorted(documented) == sorted(set(failure_kinds()))


# findings.md

FINDINGS = page("docs/reference/findings.md")
WHERE = [PACKAGE / "core" / f"{name}.py" for name in ("audit", "suite_audit", "chain_audit", "layout", "merging")]
WHERE += [PACKAGE / "commands" / f"{name}.py" for name in ("survey", "judged")]
# The commands without git say theirs as sentences, never by code: docs/articles.md explains when.
WITHOUT_GIT = {PACKAGE / name for name in ("core/pairing.py", "core/case_folder.py", "commands/compare.py")}


def codes_and_verdicts() -> Iterator[tuple[str, int]]:
    """(code, verdict) of every finding that these files make."""
    for file in WHERE:
        for name, call in calls_of(file, "Finding", "say", "_row"):
            for text in texts_in(call.args[0]):
                yield text, _verdict(name, call)
        for node in ast.walk(ast.parse(file.read_bytes())):  # what, code = "was dropped", "row-dropped"
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "(what, code)":
                assert isinstance(node.value, ast.Tuple)
                yield texts_in(node.value.elts[1])[0], verdict.OUT_OF_STEP


def _verdict(name: str, call: ast.Call) -> int:
    named = [keyword.value for keyword in call.keywords if keyword.arg == "verdict"]
    given = named[0] if named else call.args[1] if name == "Finding" else None
    return int(getattr(verdict, given.id)) if isinstance(given, ast.Name) else verdict.OUT_OF_STEP


def test_every_finding_is_documented_with_its_verdict_and_no_other() -> None:
    documented = [(code(row[0])[0], int(row[1])) for row in rows(FINDINGS)]
    assert sorted(documented) == sorted(set(codes_and_verdicts()))


def test_no_finding_is_made_elsewhere() -> None:
    made = {file for file in PACKAGE.rglob("*.py") for _ in calls_of(file, "Finding")}
    assert made - WITHOUT_GIT <= set(WHERE)


# completers.md

REVIEW = page("docs/reference/review.md")


def test_every_kind_of_move_is_explained_in_their_order() -> None:
    assert [code(row[0])[0] for row in rows(section(REVIEW, "Kinds of move"))] == list(ORDER)


def test_every_phrase_that_is_marked_is_listed() -> None:
    listed = {row[0]: code(row[1]) for row in rows(section(REVIEW, "Marks"))}
    assert (listed["hedging"], listed["refusal"]) == (list(HEDGES), list(REFUSALS))


def test_every_key_of_a_review_is_explained() -> None:
    keys = [row[0].strip("`") for row in rows(section(REVIEW, "Review"))]
    assert [key for key in keys if len(key) == 1 and not key.isdecimal()] == [line[0] for line in HELP]


COMPLETERS = page("docs/reference/completers.md")
COMPLETE = ("lastgood", "complete")
CONFIGURED = {
    completer.name: completer for block in blocks(COMPLETERS, "toml") for completer in parsed(block.text).completers
}
ANSWERS = ['{"status": "paid", "order_id": "ord_1042"}', '{"error": "missing_order_id"}']


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the programs that completers.md spells out."""
    Repository(tmp_path, init=False).write(files(COMPLETERS))
    return tmp_path


@pytest.mark.parametrize("name", sorted(CONFIGURED.keys() - {"cat"}))
def test_an_example_completer_answers(desk: Path, name: str) -> None:
    asked = [
        Request(f"case-{order_id}", "billing", {"order_id": order_id}, str(desk / "prompt.txt"), "ab" * 32)
        for order_id in ("ord_1042", "")
    ]
    assert [text.strip() for text in outcomes(all_answers(CONFIGURED[name], asked, desk))] == ANSWERS


def test_a_prompt_as_text_is_what_the_page_shows(desk: Path) -> None:
    (shown,) = [block.text for block in blocks(COMPLETERS, "text") if block.label == "(stdin)"]
    (given,) = re.findall(r"For the input `(.+)` stdin is", COMPLETERS)
    asked = Request("one", "billing", json.loads(given), str(desk / "prompt.txt"), "ab" * 32)
    assert outcomes(all_answers(CONFIGURED["cat"], [asked], desk)) == [shown]


@pytest.mark.parametrize("output", [output for output in OUTPUTS if output != "text"])
def test_the_examples_of_every_output_say_the_same(output: str) -> None:
    shown = {block.label: block.text for block in blocks(COMPLETERS, "json")}
    found = read_completion(shown[f"({output})"], output)
    calls = [(call["name"], call["arguments"]) for call in found.tool_calls or ()]
    assert (found.detail, calls, found.final_text) == (
        "",
        [("get_order", {"order_id": "1842-AX"})],
        "It is on its way.",
    )


def test_the_environment_is_documented() -> None:
    part = section(COMPLETERS, "Environment")
    given = case_environ(Request("one", "billing", {}, "prompt.txt", "ab" * 32))
    assert {code(row[0])[0] for row in rows(part)} == set(given)
    assert set(DROPPED) <= set(code(prose(part)))


def test_every_way_in_which_no_answer_comes_is_documented() -> None:
    part = section(COMPLETERS, "What is said when no answer comes")
    reasons = [
        text.strip()
        for file in (PACKAGE / "edge" / "completers").glob("*.py")
        for _, call in calls_of(file, "failed")
        for text in texts_in(call.args[0])
    ]
    assert len(reasons) > 8
    assert [reason for reason in reasons if reason not in part] == []


def test_the_fingerprint_covers_what_the_page_says() -> None:
    columns = list(zip(*rows(section(COMPLETERS, "Fingerprint")), strict=True))
    part, no_part = ({name for cell in column for name in code(cell)} for column in columns)
    others: dict[str, Any] = {
        "command": ("other",), "protocol": "lines", "output": "trace", "stdin": "text", "take": "/x", "model": "m",
        "timeout_s": 1.0, "jobs": 1, "max_output_bytes": 1, "env": ("X",), "repeat": 9,
        "price": (1.0, 2.0),
    }  # fmt: skip
    plain = Completer("stub", ("python3", "stub.py"))
    assert part | no_part == {*others}
    for name, other in others.items():
        same = fingerprint(replace(plain, **{name: other}), "p", {}) == fingerprint(plain, "p", {})
        assert same == (name in no_part), name
    assert fingerprint(plain, "p", {"stub.py": "ab"}) != fingerprint(plain, "p", {})


def test_a_name_with_python_alone_is_the_one_that_lastgood_runs_on(tmp_path: Path) -> None:
    completer = Completer("which", ("python3", "-c", "import sys; print(sys.executable)"))
    environ = {name: text for name, text in os.environ.items() if name != "VIRTUAL_ENV"}
    asked = [Request("one", "p", {}, "prompt.txt", "ab" * 32)]
    assert outcomes(all_answers(completer, asked, tmp_path, environ)) == [sys.executable + "\n"]


# endpoints.md

ENDPOINTS = page("docs/reference/endpoints.md")
PASTED = {
    completer.name: completer for block in blocks(ENDPOINTS, "toml") for completer in parsed(block.text).completers
}


@pytest.mark.parametrize("name", sorted(name for name, found in PASTED.items() if found.command[:2] == COMPLETE))
def test_a_line_to_paste_is_a_command_that_is_understood(name: str) -> None:
    options = parse_arguments(PASTED[name].command[1:])
    assert (options.kind, PASTED[name].output, PASTED[name].protocol) == ("openai", "openai", "lines")
    assert completions_url(options.base_url).endswith(("/chat/completions",))
    assert [parameter(word)[0] for word in options.param] in ([], ["provider"])
    needed = {options.key_env or "", *(word.partition("env:")[2] for word in options.header)} - {"", "none"}
    assert needed <= set(PASTED[name].env)


def test_every_option_of_the_completer_is_on_the_page() -> None:
    shown = Repository(ROOT, init=False).run(LASTGOOD, "complete", "openai", "--help").out
    options = set(re.findall(r"^  (--[a-z-]+)", shown, re.MULTILINE))
    assert len(options) > 10
    assert options - set(re.findall(r"--[a-z-]+", ENDPOINTS)) == set()


# report.md


def test_every_option_of_report_is_explained_and_nothing_else_is() -> None:
    table = rows(page("docs/reference/report.md").split("The exit code is", 1)[0])
    explained = {option.split()[0] for row in table for option in code(row[0])}
    told = Repository(ROOT, init=False).lastgood("report", "--help").out
    offered = set(re.findall(r"^  (?:(-\w)|(--[\w-]+))", told, re.MULTILINE))
    assert explained == {short or long for short, long in offered} - {"-h"}


# ci.md

CI_PAGE = page("docs/ci.md")


def scripts() -> list[Any]:
    """The commands of every pipeline of the page, in order."""
    found = []
    for block in blocks(CI_PAGE, "yaml"):
        whole = yaml.safe_load(block.text)
        job = whole["jobs"]["gate"] if "jobs" in whole else whole["lastgood"]
        lines = job.get("script") or [step["run"] for step in job["steps"] if "run" in step]
        found.append(pytest.param(lines, id=next(iter(whole))))
    return found


@pytest.mark.parametrize("lines", scripts())
def test_a_pipeline_fetches_the_base_before_it_judges(lines: list[str], tmp_path: Path) -> None:
    """Cases rewritten together with their catalog are seen in a clone of one commit of one branch."""
    repo = standing(tmp_path / "repo")
    repo.git("switch", "-q", "-c", "rewritten")
    repo.git("mv", "golden/support/late.json", "golden/support/later.json")
    repo.write({"golden/support/later.json": repo.read("golden/support/later.json").replace("I think", "Perhaps")})
    repo.git("rm", "-q", "-r", "golden/support/catalog.json", "baselines/stub/support")
    repo.lastgood("catalog", "ship")
    repo.accept("from nothing", "-p", "support")
    repo.git("add", "-A")
    repo.commit("rewritten")
    repo.git("clone", "-q", "--depth", "1", "-b", "rewritten", repo.root.as_uri(), "../shallow")
    clone = Repository(tmp_path / "shallow", init=False)
    ours = [line for line in lines if line.startswith(("git fetch", "lastgood check"))]
    assert len(ours) == 2
    clone.run("sh", "-ec", ours[0])
    said = clone.lastgood(*ours[1].split()[1:], code=2).said
    assert "a shipped migration was" in said
    assert "the shipped case 'late' version 1 was rewritten" in said
