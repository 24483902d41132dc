"""The files of a project: profiles and proposals, one record a line."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from veridical.contracts.wire import Wire
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal, State
from veridical.onboarding.table_words import TableWords

FOLDER = "onboarding"
Line = TypeVar("Line", bound=Wire)


def profile_path(project: Path) -> Path:
    """The file of the profiles of a project."""
    return project / FOLDER / "profile.jsonl"


def proposals_path(project: Path) -> Path:
    """The file of the proposals of a project, with their decisions."""
    return project / FOLDER / "proposals.jsonl"


def read_profiles(project: Path) -> dict[str, TableProfile]:
    """The tables that were counted before, by name."""
    return {each.name: each for each in _lines(profile_path(project), TableProfile)}


def append_profile(project: Path, profile: TableProfile) -> None:
    """Adds one table at once, so that finished work survives a stop."""
    _append(profile_path(project), profile)


def write_profiles(project: Path, profiles: Iterable[TableProfile]) -> None:
    """All tables, in place of those before."""
    _write(profile_path(project), profiles)


def read_proposals(project: Path) -> list[Proposal]:
    """The earlier proposals."""
    return list(_lines(proposals_path(project), Proposal))


def write_proposals(project: Path, proposals: Iterable[Proposal]) -> None:
    """All proposals, in place of those before."""
    _write(proposals_path(project), proposals)


def read_words(project: Path) -> dict[str, TableWords]:
    """A model's words about tables, by name."""
    return {each.table: each for each in _lines(_words_path(project), TableWords)}


def append_words(project: Path, words: TableWords) -> None:
    """Adds a model's words about one table."""
    _append(_words_path(project), words)


def read_edits(project: Path, kind: type[Line]) -> Iterable[Line]:
    """The changes that people made in the console, in order."""
    return _lines(_edits_path(project), kind)


def append_edit(project: Path, edit: Wire) -> None:
    """Adds a change."""
    _append(_edits_path(project), edit)


def with_decisions(new: Iterable[Proposal], old: Iterable[Proposal]) -> list[Proposal]:
    """New proposals with the decisions on the same earlier ones."""
    decided = {each.id: each for each in old if each.state is not State.OPEN}
    kept: list[Proposal] = []
    for each in new:
        before = decided.get(each.id)
        if before is not None:
            decision = {
                name: getattr(before, name) for name in ("state", "decided_by", "decided_at")
            }
            each = each.model_copy(update=decision)
        kept.append(each)
    return kept


def _lines(path: Path, kind: type[Line]) -> Iterable[Line]:
    if not path.is_file():
        return
    for line in path.read_text("utf-8").splitlines():
        try:
            yield kind.model_validate_json(line)
        except ValidationError:
            continue  # the last line of interrupted work, or of another version


def _line(record: Wire) -> str:
    return record.model_dump_json(by_alias=True, exclude_defaults=True) + "\n"


def _words_path(project: Path) -> Path:
    return project / FOLDER / "words.jsonl"


def _edits_path(project: Path) -> Path:
    return project / FOLDER / "edits.jsonl"


def _append(path: Path, record: Wire) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(_line(record))


def _write(path: Path, records: Iterable[Wire]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text("".join(map(_line, records)), "utf-8")
    fresh.replace(path)
