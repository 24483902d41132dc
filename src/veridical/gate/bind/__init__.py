"""Holds each claim against the evidence."""
