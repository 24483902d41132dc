"""The names of a rule in the standards."""

import tomllib
from functools import cache
from importlib.resources import files


def standard_ids(rule: str) -> tuple[str, ...]:
    """The rule's names in INCOSE's guide and in ISO/IEC/IEEE 29148."""
    names = _standards().get(rule, {})
    return (
        *(f"INCOSE {each}" for each in names.get("incose", ())),
        *(f"ISO/IEC/IEEE 29148 {each}" for each in names.get("29148", ())),
    )


@cache
def _standards() -> dict[str, dict[str, list[str]]]:
    own = files("veridical.requirements.report").joinpath("standards.toml")
    return tomllib.loads(own.read_text("utf-8"))
