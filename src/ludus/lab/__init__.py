"""The truth lab: what an agent really learned, where it breaks, what can be proven of it."""
