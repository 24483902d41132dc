"""Gaps in what a database itself does to keep tenants apart."""

from dataclasses import dataclass
from enum import StrEnum


class Gap(StrEnum):
    """What is missing, by the message that tells it."""

    NO_ROLE = "no_role"
    SUPERUSER = "superuser"
    BYPASSES = "bypasses_policies"
    WRITES = "writes"
    NO_POLICY = "no_policy"
    OPEN_POLICY = "open_policy"
    OTHER_RELATION = "other_relation"
    MEMBER = "member"
    REWRITING_ONLY = "rewriting_only"
    FUNCTION = "function"
    TEMP_FILES = "temp_files"

    @property
    def refuses(self) -> bool:
        """True for what lets tenants mix, and can be mended or accepted by whoever runs it."""
        return self not in (Gap.FUNCTION, Gap.TEMP_FILES)


@dataclass(frozen=True, slots=True)
class Finding:
    """One gap, and the role, table, function or engine that has it."""

    gap: Gap
    name: str

    def __str__(self) -> str:
        return f"{self.gap}: {self.name}"
