"""What an answer says about a record in words: yes, no, nothing known, opening hours."""

from veridical.gate.records.bind import bind_records

__all__ = ["bind_records"]
