"""Heat: draft a hand, rob the same bank as everybody else, and be gone before the police take it all back."""
