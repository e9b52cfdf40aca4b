"""What is written down and read again: arrays, components, checkpoints, the zoo."""
