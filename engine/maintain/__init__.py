"""What an operator runs regularly: drops what is past its time, folds statistics, makes vectors anew, tends the store."""
