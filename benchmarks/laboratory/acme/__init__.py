"""The ACME insurance benchmark: published questions about a public data set, as a gold set."""
