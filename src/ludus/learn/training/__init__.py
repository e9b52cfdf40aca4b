"""What every training is: steps, their loop, and fitting a policy and a value."""
