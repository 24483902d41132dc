"""The set: good answers, each with twins that were corrupted by one edit."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any


class Half(StrEnum):
    """Domains that were looked at while the gate was written, and those that never were."""

    ALL = "all"
    DEVELOPMENT = "development"
    HELD_OUT = "held-out"


@dataclass(frozen=True, slots=True)
class Item:
    """One answer over one evidence."""

    id: str
    pair: str
    language: str
    domain: str
    kind: str
    question: str
    answer: str
    evidence: Any

    @property
    def is_good(self) -> bool:
        """Whether the answer is true."""
        return self.kind == "good"


def read_items(paths: Iterable[Path], half: Half = Half.ALL) -> list[Item]:
    """The items of one half of the domains of each file.

    A file's domains are sorted by the SHA-256 of their names; the first half is for development.
    The rule was fixed before any of the second half was opened.
    """
    return [item for path in paths for item in _of_half(_read(path), half)]


def _of_half(items: list[Item], half: Half) -> list[Item]:
    domains = sorted({item.domain for item in items}, key=_hash)
    first = set(domains[: len(domains) // 2])
    if half is Half.ALL:
        return items
    return [item for item in items if (item.domain in first) is (half is Half.DEVELOPMENT)]


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def _read(path: Path) -> list[Item]:
    lines = path.read_text("utf-8").splitlines()
    return [_item(json.loads(line)) for line in lines if line.strip()]


def _item(raw: dict[str, Any]) -> Item:
    kind = "good" if raw["label"] == "good" else raw["kind"]
    return Item(
        raw["id"], raw["pair"], raw["lang"], raw["domain"], kind, raw["question"],
        raw["answer"], raw["evidence"],
    )  # fmt: skip
