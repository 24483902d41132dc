"""Evidence from recorded calls: what their receipts and statements say of rows and columns."""
