"""The check: what a query does (facts), what is wrong with it (rules), how to mend it (repair)."""
