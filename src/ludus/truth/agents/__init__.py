"""Agents that know the truth, found by the name of their file."""
