"""Where recording is refused."""

from __future__ import annotations

import pytest

from lastgood.core.guard import CI_VARIABLES, HOOK_VARIABLES, refusal

ALLOWED = [
    {},
    {"CI": ""},
    {"CI": "false"},
    {"CI": "0"},
    {"CI": "No"},
    {"GITHUB_ACTIONS": ""},
    {"TERM": "x"},
]
REFUSED = [
    {"CI": "true"},
    {"CI": "1"},
    {"CI": " TRUE "},
    {"CI": "codeship"},
    {"CI": "false", "GITHUB_ACTIONS": "true"},
    {"CI": "false", "TF_BUILD": "True"},
    {"JENKINS_URL": "http://x"},
    {"PRE_COMMIT": "1"},
    {"GIT_INDEX_FILE": "/x/.git/index"},
    {"GIT_INDEX_FILE": "false"},
]


@pytest.mark.parametrize("environ", ALLOWED, ids=str)
def test_a_person_may_record(environ: dict[str, str]) -> None:
    assert refusal(environ) == ""


@pytest.mark.parametrize("environ", REFUSED, ids=str)
def test_a_machine_may_not(environ: dict[str, str]) -> None:
    why = refusal(environ)
    assert any(why.startswith(f"{name} is set") for name in environ)


@pytest.mark.parametrize("name", [*CI_VARIABLES, *HOOK_VARIABLES])
def test_each_variable_by_itself(name: str) -> None:
    assert refusal({name: "x"}).startswith(f"{name} is set: this is ")


def test_the_vendors_of_the_scenarios_are_all_known() -> None:
    wanted = {
        "GITHUB_ACTIONS",
        "JENKINS_URL",
        "TF_BUILD",
        "TEAMCITY_VERSION",
        "bamboo_planKey",
        "GITLAB_CI",
        "CIRCLECI",
    }
    assert wanted <= set(CI_VARIABLES)
