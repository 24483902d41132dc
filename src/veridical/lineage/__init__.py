"""Column lineage: which cells of a result come from columns, which from the statement's text."""
