"""ACME insurance: published questions about a public data set, as a gold set of their own."""
