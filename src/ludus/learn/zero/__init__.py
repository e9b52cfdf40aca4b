"""What AlphaZero is made of: pools of self-play, the window of what they played, symmetries."""
