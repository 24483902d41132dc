"""Which questions of a set had no part when the way in which legs are fused was chosen."""

from hashlib import sha256


def is_held_out(question: str) -> bool:
    """About every second one, by the checksum of its key: ways were compared on the others."""
    return sha256(f"q:{question}".encode()).digest()[0] % 2 == 1
