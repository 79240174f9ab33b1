"""Pure: no file, clock, process, environment or randomness. Decides."""
