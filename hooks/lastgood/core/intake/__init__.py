"""Answers as vendors write them, one module a shape; each becomes the one `Completion`."""
