"""Which rows and columns the answer names, and to which figure each name belongs."""
