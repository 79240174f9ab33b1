#!/usr/bin/env python3
"""The model of completers/local.py behind an OpenAI-compatible server on loopback, for completers that ask one.

    make eval COMPLETER=local                                   installs the model
    .venv/bin/python completers/local_server.py --port 8099     prints `http://127.0.0.1:8099/v1` once it answers

It serves until a signal comes. Any model name and key will do; nothing but this machine can reach it.
`tools` in a request are dropped without a word, as the model's chat template has no place for them; a `response_format`
of type `json_schema` is followed.
"""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import suppress

from local import Refused, check, load


def main() -> int:
    parser = argparse.ArgumentParser(description="SmolLM2-135M as an OpenAI-compatible server on loopback")
    parser.add_argument("--port", type=int, default=0, help="0, the default: one that is free")
    port = parser.parse_args().port
    try:
        check()
    except Refused as exc:
        print(f"completers/local_server.py: {exc}", file=sys.stderr)
        return 1
    server = load(port=port)
    print(f"{server.listening_address}/v1", flush=True)
    with suppress(KeyboardInterrupt):
        signal.pause()
    return 0


if __name__ == "__main__":
    sys.exit(main())
