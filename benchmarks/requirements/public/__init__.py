"""The public sets of labelled requirements: each read, split in two halves, and measured."""
