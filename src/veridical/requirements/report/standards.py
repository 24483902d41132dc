"""The names of a rule in the standards."""

from veridical.word_file import word_file


def standard_ids(rule: str) -> tuple[str, ...]:
    """The rule's names in INCOSE's guide and in ISO/IEC/IEEE 29148."""
    names = _standards().get(rule, {})
    return (
        *(f"INCOSE {each}" for each in names.get("incose", ())),
        *(f"ISO/IEC/IEEE 29148 {each}" for each in names.get("29148", ())),
    )


def _standards() -> dict[str, dict[str, list[str]]]:
    return word_file("veridical.requirements.report", "standards.toml")
