"""One module a command: joins edge to core, holds no rule."""
