"""Turns findings and runs into what people and programs read."""
