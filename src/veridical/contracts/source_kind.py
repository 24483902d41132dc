"""The kind of the source that a feature's data comes from."""

from enum import StrEnum


class SourceKind(StrEnum):
    """What a feature is declared to read; it decides which tools an answer needs."""

    SQL = "sql"
    """tables of a database"""
    FILE = "file"
    """data files"""
