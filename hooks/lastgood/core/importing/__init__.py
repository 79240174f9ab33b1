"""What other tools keep, read as golden cases: pure functions from parsed documents to cases and to what was left."""
