"""Veridical's own tables in PostgreSQL: tenants, keys, runs, inbox, workers, audit."""
