"""Games to learn from: many in step, against whom, what is kept of them, what it was worth."""
