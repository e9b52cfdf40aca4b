"""Agents meet: matches, tournaments, ratings, and the records of their games."""
