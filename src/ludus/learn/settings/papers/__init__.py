"""The papers whose trainings are presets, a file each: what they print, and what was filled in."""
