"""The baseline: findings that were there when the review began, and that do not block."""

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from veridical.contracts.wire import Wire
from veridical.requirements.policy.dismissal import RecordFileError
from veridical.requirements.policy.issue import Issue
from veridical.requirements.review import Review


class Known(Wire):
    """One known finding: its fingerprint counts, the rest is for readers of the file."""

    fingerprint: str
    rule: str
    id: str
    said: str


class Baseline(Wire):
    """All known findings."""

    version: int = 1
    findings: tuple[Known, ...] = ()


def read_baseline(path: Path) -> frozenset[str]:
    """The fingerprints that are known. Raises ``RecordFileError``."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError as error:
        raise RecordFileError("no_baseline", path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise RecordFileError("bad_record_file", path) from error
    try:
        read = Baseline.model_validate_json(text)
    except ValidationError as error:
        raise RecordFileError("bad_baseline", path) from error
    return frozenset(each.fingerprint for each in read.findings)


def write_baseline(path: Path, review: Review, issues: Iterable[Issue]) -> int:
    """Writes the issues that count now, sorted so that changes are small; returns their number."""
    known = [
        Known(
            fingerprint=each.fingerprint,
            rule=each.rule,
            id=review.reviewed[each.place].requirement.id,
            said=each.excerpt,
        )
        for each in issues
        if each.counts
    ]
    known.sort(key=lambda each: (each.id, each.rule, each.said, each.fingerprint))
    written = Baseline(findings=tuple(known)).model_dump(by_alias=True)
    path.write_text(f"{json.dumps(written, indent=1, ensure_ascii=False)}\n", "utf-8")
    return len(known)
