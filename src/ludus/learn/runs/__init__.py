"""A training on disk: its settings, its checkpoints, its course."""
