"""Keeps prompts, golden cases and last-good completions in step."""

__version__ = "0.1.0"
