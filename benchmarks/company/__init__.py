"""The check on databases as companies have them."""
