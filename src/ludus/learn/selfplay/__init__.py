"""What AlphaZero is made of: self-play in pools, the export of its network, the gate, tuning."""
