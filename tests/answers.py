"""Whole answers as vendors send them, with all the fields that nobody here reads, and how to change one in a test."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from lastgood.core.strict_json import resolve

TEXT = "Order 1842-AX left Lyon this morning."
ARGUMENTS: dict[str, Any] = {"order_id": "1842-AX", "filter": '{"since": "2026-09-01"}'}
CALL: dict[str, Any] = {"name": "get_order", "arguments": ARGUMENTS}
TRACE: dict[str, Any] = {"tool_calls": [CALL], "final_text": TEXT}
AS_TEXT = json.dumps(ARGUMENTS, separators=(",", ":"))

OPENAI: dict[str, Any] = {
    "id": "chatcmpl-CkQ0v5sJ2mXWc8yTzRrA1b3D",
    "object": "chat.completion",
    "created": 1796083200,
    "model": "gpt-4o-2024-08-06",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": TEXT,
                "tool_calls": [
                    {
                        "id": "call_9Xk2aQ",
                        "type": "function",
                        "function": {"name": "get_order", "arguments": AS_TEXT},
                    }
                ],
                "refusal": None,
                "annotations": [],
            },
            "logprobs": None,
            "finish_reason": "tool_calls",
        }
    ],
    "usage": {
        "prompt_tokens": 214,
        "completion_tokens": 31,
        "total_tokens": 245,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    },
    "service_tier": "default",
    "system_fingerprint": "fp_50cad350e4",
}

RESPONSES: dict[str, Any] = {
    "id": "resp_0d1f6b7a22",
    "object": "response",
    "created_at": 1796083200,
    "status": "completed",
    "background": False,
    "error": None,
    "incomplete_details": None,
    "instructions": None,
    "max_output_tokens": None,
    "model": "gpt-5.1-2025-11-13",
    "output": [
        {"id": "rs_0d1f", "type": "reasoning", "summary": [], "encrypted_content": None},
        {
            "id": "msg_0d1f",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "text": TEXT, "annotations": [], "logprobs": []}],
        },
        {
            "id": "fc_0d1f",
            "type": "function_call",
            "status": "completed",
            "call_id": "call_9Xk2aQ",
            "name": "get_order",
            "arguments": AS_TEXT,
        },
    ],
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": "low", "summary": None},
    "store": True,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}, "verbosity": "medium"},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "truncation": "disabled",
    "usage": {
        "input_tokens": 214,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 64,
        "output_tokens_details": {"reasoning_tokens": 33},
        "total_tokens": 278,
    },
    "user": None,
    "metadata": {},
}

ANTHROPIC: dict[str, Any] = {
    "id": "msg_01QZ7wLkYb",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-5-20250929",
    "content": [
        {"type": "thinking", "thinking": "The order has to be looked up.", "signature": "EqoBCkgIARABGAI="},
        {"type": "text", "text": TEXT, "citations": None},
        {"type": "tool_use", "id": "toolu_01A9", "name": "get_order", "input": ARGUMENTS},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {
        "input_tokens": 391,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 77,
        "service_tier": "standard",
    },
}

MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "You are a support agent."},
    {"role": "user", "content": "Where is order 1842-AX?"},
    {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "tool_calls": [
            {"id": "call_9Xk2aQ", "type": "function", "function": {"name": "get_order", "arguments": AS_TEXT}}
        ],
    },
    {"role": "tool", "tool_call_id": "call_9Xk2aQ", "content": '{"status": "shipped"}'},
    {"role": "assistant", "content": TEXT, "annotations": []},
]

SHAPES: dict[str, Any] = {
    "trace": TRACE,
    "openai": OPENAI,
    "responses": RESPONSES,
    "anthropic": ANTHROPIC,
    "messages": MESSAGES,
}

GONE = object()


def changed(found: Any, pointer: str, new: Any) -> Any:
    """A copy with another value at `pointer`, which may be new; with GONE, without it. "" is the whole."""
    if not pointer:
        return new
    found = deepcopy(found)
    outer, _, last = pointer.rpartition("/")
    holder = resolve(found, outer)
    key = int(last) if isinstance(holder, list) else last.replace("~1", "/").replace("~0", "~")
    if new is GONE:
        del holder[key]
    elif isinstance(holder, list) and key == len(holder):
        holder.append(new)
    else:
        holder[key] = new
    return found
