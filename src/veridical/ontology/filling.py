"""Placeholders of canonical patterns, filled with values."""

import re
from collections.abc import Mapping
from typing import Any

SLOT = re.compile(r"\{(\w+)\}")
_SEVERAL = (list, tuple)
_NAMED = (dict, Mapping)


def filled(part: Any, values: Mapping[str, str | int]) -> Any:
    """The part with every ``{slot}`` replaced; a slot that stands alone keeps its value's type.

    Raises ``KeyError`` for a slot without a value.
    """
    if isinstance(part, str):
        if "{" not in part:
            return part
        whole = SLOT.fullmatch(part)
        return values[whole[1]] if whole else SLOT.sub(lambda slot: str(values[slot[1]]), part)
    if isinstance(part, _SEVERAL):
        return [filled(each, values) for each in part]
    if isinstance(part, _NAMED):
        return {name: filled(each, values) for name, each in part.items()}
    return part
