"""Tokens and models, by whatever name a vendor gives them."""

from __future__ import annotations

from typing import Any

import pytest

from lastgood.core.model_name import changed_note, unpinnable
from lastgood.core.usage import NOTHING, Reported, Usage, added, models_of, reported_in, total


@pytest.mark.parametrize(
    ("found", "reported"),
    [
        pytest.param({}, NOTHING, id="nothing"),
        pytest.param({"model": "m"}, Reported("m"), id="model"),
        pytest.param({"usage": {"input_tokens": 1, "output_tokens": 2}}, Reported("", 1, 2), id="ours"),
        pytest.param({"usage": {"prompt_tokens": 1, "completion_tokens": 2}}, Reported("", 1, 2), id="chat"),
        pytest.param(
            {"usage": {"input_tokens": 1, "cache_read_input_tokens": 5, "output_tokens": 2}},
            Reported("", 6, 2),
            id="what was cached is told apart",
        ),
        pytest.param({"latency_s": 1}, Reported(latency_s=1.0), id="latency"),
        pytest.param({"usage": {"input_tokens": True, "output_tokens": -1}}, NOTHING, id="no counts"),
        pytest.param({"usage": [], "model": 7, "latency_s": "1"}, NOTHING, id="other kinds"),
        pytest.param({"model": "\x1b[2J", "latency_s": float("nan")}, NOTHING, id="unprintable"),
    ],
)
def test_what_an_answer_reports(found: dict[str, Any], reported: Reported) -> None:
    assert reported_in(found) == reported
    assert reported_in(reported.declared()) == reported


def test_tokens_are_added_up_over_those_that_tell() -> None:
    told = [Reported("b", 10, 1), Reported("a", 20, None), NOTHING]
    assert total(told) == Usage(2, 30, 1)
    assert added([total(told), Usage(1, 1, 1)]) == Usage(3, 31, 2)
    assert models_of([*told, Reported("b")]) == ("a", "b")


def test_what_more_answers_would_use_and_cost() -> None:
    assert Usage(2, 2_000_000, 1_000_000).of(4) == Usage(4, 4_000_000, 2_000_000)
    assert Usage().of(4) == Usage(4, 0, 0)
    assert Usage(2, 2_000_000, 1_000_000).cost((0.5, 10)) == 11.0


@pytest.mark.parametrize(
    "name",
    ["gpt-4o", "gpt-4.1", "claude-sonnet-4-latest", "llama3:latest", "gemini-1.5-pro", "mistral-large"],
)
def test_an_alias(name: str) -> None:
    assert unpinnable(name)


@pytest.mark.parametrize(
    "name",
    [
        "", "gpt-4o-2024-08-06", "claude-sonnet-4-20250514", "gpt-4-0613", "gemini-1.5-pro-002", "llama@sha256:0a",
        "SmolLM2-135M-Instruct-Q4.gguf", "mistral-7b-instruct-v0.2", "repo/model-0123456789abcdef",
    ],
)  # fmt: skip
def test_a_name_that_says_what_answers(name: str) -> None:
    assert not unpinnable(name)


def test_models_that_name_every_answer_anew_are_counted_not_listed() -> None:
    told = [Reported(model=f"m-{number:04}") for number in range(10_000)]
    found = models_of(told)
    assert found[:2] == ("m-0000", "m-0001")
    assert found[20:] == ("9980 more",)


def test_another_model_is_noted_only_when_both_told() -> None:
    assert changed_note("p", ["a"], ["a"]) == changed_note("p", [], ["a"]) == changed_note("p", ["a"], []) == ""
    assert changed_note("p", ["a"], ["b"]) == "p was answered by b; what was accepted came from a"
