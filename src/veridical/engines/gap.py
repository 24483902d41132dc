"""Gaps in the database's own separation of tenants."""

from dataclasses import dataclass
from enum import StrEnum


class Gap(StrEnum):
    """The kind of a gap, as the key of its message."""

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
        """True for a gap that lets tenants mix, and that the operator can close or accept."""
        return self not in (Gap.FUNCTION, Gap.TEMP_FILES)


@dataclass(frozen=True, slots=True)
class Finding:
    """One gap, and the role, table, function or engine that has it."""

    gap: Gap
    name: str

    def __str__(self) -> str:
        return f"{self.gap}: {self.name}"
