"""Regular expressions that are compiled when they are first used.

Reading a language takes about a thousand of them, and compiling all costs a command more than a
second of the processor. One question needs a part of them.
"""

import re
from typing import cast

_KEPT = (
    "search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split",
    "flags", "groups", "groupindex",
)  # fmt: skip


def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of this text, used like a compiled one. An invalid pattern raises on first use:
    patterns that come from outside are compiled at once instead."""
    return cast("re.Pattern[str]", LatePattern(text, flags))


class LatePattern:
    """Stands for a pattern: only its text until another attribute is read."""

    def __init__(self, text: str, flags: int) -> None:
        self.pattern = text
        self._compiled_with = flags

    def __getattr__(self, name: str) -> object:
        """Compiles it. From then on its methods are found without passing here."""
        compiled = re.compile(self.pattern, self._compiled_with)
        self.__dict__.update({kept: getattr(compiled, kept) for kept in _KEPT})
        return getattr(compiled, name)
