"""What a training is told: settings, what they need and cost, presets."""
