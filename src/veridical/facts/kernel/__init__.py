"""The kernel: measures and conditions over results, column by column, with their dimensions."""
