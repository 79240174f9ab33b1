"""Where recording is refused: a photograph is accepted by a person, never by a machine on its way."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# What CI vendors set, beside `CI` itself: some to a URL, some to a number or "True"; only an off word is not CI.
CI_VARIABLES = (
    "APPVEYOR",
    "BITBUCKET_BUILD_NUMBER",
    "BITRISE_IO",
    "BUDDY_WORKSPACE_ID",
    "BUILDKITE",
    "CIRCLECI",
    "CIRRUS_CI",
    "CODEBUILD_BUILD_ID",
    "CONTINUOUS_INTEGRATION",
    "DRONE",
    "GITEA_ACTIONS",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "HUDSON_URL",
    "JENKINS_URL",
    "NETLIFY",
    "SEMAPHORE",
    "TEAMCITY_VERSION",
    "TF_BUILD",
    "TRAVIS",
    "VERCEL",
    "WOODPECKER",
    "bamboo_planKey",
)
HOOK_VARIABLES = ("PRE_COMMIT", "GIT_INDEX_FILE")
_OFF = ("", "0", "false", "no", "off")


def refusal(environ: Mapping[str, str]) -> str:
    """Why nothing may be recorded in this environment, or "". There is no override."""
    if environ.get("CI", "").strip().lower() not in _OFF:
        return "CI is set"
    for name in CI_VARIABLES:
        if environ.get(name, "").strip().lower() not in _OFF:
            return f"{name} is set: this is CI"
    for name in HOOK_VARIABLES:
        if environ.get(name):
            return f"{name} is set: this is a git hook"
    return ""
