"""The Python API: values for what can be told, one LastgoodError for what cannot."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import lastgood
from repository import Repository, case, standing

if TYPE_CHECKING:
    from pathlib import Path


SCHEMED: dict[str, Any] = {"id": "one", "version": 1, "prompt_id": "p", "input": {}, "expect": {"output_schema": "x"}}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, environment: None) -> Repository:
    return standing(tmp_path_factory.mktemp("api") / "repo")


@pytest.fixture
def repo(tmp_path: Path, whole: Repository) -> Repository:
    whole.git("clone", "-q", str(whole.root), str(tmp_path / "clone"))
    return Repository(tmp_path / "clone", init=False)


def test_a_tree_in_step_is_held(repo: Repository) -> None:
    tree = lastgood.load(repo.root)
    assert (tree.name, list(tree.prompts), tree.audit()) == (
        "the index",
        ["billing", "support"],
        lastgood.Audit((), ()),
    )
    assert tree.audit().verdict == lastgood.HELD
    assert [found.id for found in tree.cases("billing")] == ["one", "two"]
    assert '"status": "paid"' in tree.accepted("billing")["one"].final_text


@pytest.mark.parametrize("below", [".", "prompts"])
def test_it_says_what_check_says_of_the_index(repo: Repository, below: str) -> None:
    repo.write({"prompts/billing.txt": "Moved.\n"})
    assert lastgood.load(repo.root / below).audit().verdict == lastgood.HELD
    repo.git("add", "-A")
    (finding,) = lastgood.load(repo.root / below).audit().findings
    assert (finding.code, finding.path) == ("prompt-moved", "prompts/billing.txt")
    assert repo.lastgood("check", code=finding.verdict).err.startswith("prompts/billing.txt: ")


def test_it_reads_the_working_tree_or_a_commit(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "Moved.\n"})
    before = lastgood.load(repo.root, commit="HEAD")
    now = lastgood.load(repo.root, working_tree=True)
    assert (before.name, now.name) == ("commit HEAD", "the working tree")
    assert before.prompts["billing"] != now.prompts["billing"]
    assert [finding.code for finding in now.audit().findings] == ["prompt-moved"]
    assert now.audit().notes == ("history check skipped: the working tree is not what a commit would hold",)


def test_it_sees_what_was_rewritten_since_a_base(repo: Repository) -> None:
    repo.git("rm", "-q", "-r", "baselines/stub/support/migrations")
    codes = [finding.code for finding in lastgood.load(repo.root).audit(base="HEAD").findings]
    assert "migration-removed" in codes


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda root: lastgood.load(root / "nowhere"), "there is no such folder"),
        (lambda root: lastgood.load(root, commit="nonsense"), "no commit 'nonsense' here"),
        (lambda root: lastgood.load(root, commit="HEAD", working_tree=True), "name one"),
        (lambda root: lastgood.load(root).cases("biling"), "no prompt 'biling'"),
        (lambda root: lastgood.load(root).accepted("billing", "real"), "no completer 'real'"),
        (lambda root: lastgood.load(root).audit(base="nonsense"), "the base 'nonsense'"),
        (lambda _: lastgood.grade({"id": "one"}, "text"), "lacks the key|neither expect"),
        (lambda _: lastgood.grade(dict(case("one"), prompt_id="p"), "text", output="yaml"), "no such output"),
        (lambda _: lastgood.grade(SCHEMED, "{}"), "output schema 'x'"),
        (lambda _: lastgood.score([], {}), "nothing would be graded"),
        (lambda root: lastgood.score(lastgood.load(root).cases("billing"), {"three": ""}), "no case here"),
        (lambda root: lastgood.compare(root / "a.json", {}), "a.json|No such file"),
        (lambda _: lastgood.compare({}, {}), "lacks the key"),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_one_error(repo: Repository, ask: object, said: str) -> None:
    assert callable(ask)
    with pytest.raises(lastgood.LastgoodError, match=said):
        ask(repo.root)


def test_grading_takes_texts_traces_and_completions(repo: Repository) -> None:
    one, _ = lastgood.load(repo.root).cases("billing")
    good = '{"status": "paid", "order_id": "x"}'
    assert lastgood.grade(one, good) == ()
    assert lastgood.grade(one, {"tool_calls": [], "final_text": good}) == ()
    assert lastgood.grade(one, lastgood.Completion(good, None)) == ()
    assert [str(failure) for failure in lastgood.grade(one, '{"status": "paid"}')] == ["missing_key:order_id"]
    assert [str(failure) for failure in lastgood.grade(one, {"tool_calls": None})] == ["malformed_trace"]
    assert lastgood.digest(one, good) == lastgood.digest(one, f"  {good}\n") != lastgood.digest(one, "{}")
    assert lastgood.grade(SCHEMED, "{}", schemas={"x": {"type": "object", "maxProperties": 0}}) == ()


def test_scores_are_those_of_the_command(repo: Repository) -> None:
    tree = lastgood.load(repo.root)
    cases = tree.cases("billing")
    old = lastgood.score(cases, tree.accepted("billing"))
    new = lastgood.score(cases, {"one": '{"status": "due", "order_id": "1"}'})
    found = lastgood.compare(old, new)
    assert (found.verdict, found.regressions) == (lastgood.BROKEN, (("two", ("missing_trace",)),))
    assert [row[0] for row in lastgood.moved(old, new)] == ["one"]
    assert lastgood.compare(old, lastgood.score(cases[:1], {})).verdict == lastgood.OUT_OF_STEP


def test_importing_it_loads_nothing_of_it() -> None:
    program = (
        "import sys; before = set(sys.modules); import lastgood; "
        "print(*sorted(set(sys.modules) - before)); dir(lastgood); lastgood.__version__; "
        "assert 'lastgood.api' not in sys.modules; from lastgood import *; print(load.__module__)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "lastgood\nlastgood.api\n"


def test_what_it_never_had_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'lastgood' has no attribute 'nonsense'"):
        lastgood.nonsense  # noqa: B018
