"""Slow, plain games written only from the rules, to play against the native ones."""
