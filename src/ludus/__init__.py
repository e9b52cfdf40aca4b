"""A laboratory for two-player board-game agents."""
