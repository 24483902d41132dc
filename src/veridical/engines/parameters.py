"""Numbered parameters of a written statement, as its driver wants them."""

import re
from collections.abc import Callable

_PARTS = re.compile(
    r"""'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`]|``)*`|@(\d+)""", re.DOTALL
)
"""What is in quotes is skipped: a text may hold whatever looks like a parameter."""


def placed(sql: str, mark: Callable[[int], str]) -> str:
    """The statement with ``mark(n)`` wherever it has the parameter ``@n``."""

    def written(found: re.Match[str]) -> str:
        number = found.group(1)
        return mark(int(number)) if number else found.group(0)

    return _PARTS.sub(written, sql)
