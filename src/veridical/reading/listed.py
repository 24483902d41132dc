"""Word lists, written as running text."""


def listed(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())
