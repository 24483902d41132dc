"""Scoring of search candidates: filter, diversify, score, fuse, and say what each stage did."""
