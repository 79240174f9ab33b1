"""Touches the world: git, files, processes, clock. Decides nothing."""
