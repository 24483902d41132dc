"""A parser that fails as its author did not foresee."""


def parse_nothing(content: bytes) -> None:
    """Raises, whatever it is given."""
    raise RecursionError(content)
