"""Files that are built to crash, stall or starve whoever reads them, in every format."""
