"""Checked queries as SQL: the tenant's scope in every table, every value bound."""
