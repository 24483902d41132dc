"""Primary keys: declared, or columns that identify every row and are named like a key."""

from collections.abc import Iterable, Iterator
from itertools import combinations, islice

from veridical.contracts.schema import ValueType
from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import ends_with, hints_at, without_end
from veridical.onboarding.names import nouns_of, without_prefix
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_GLUED = ("key", "id", "nr")
_WIDEST = 4
"""Columns of a key that is searched for."""
_CANDIDATES = 7
_ENOUGH = 10
"""Below so many rows it may be chance that no value came twice."""
_TRIES = 24
"""Statements for the key of one table."""
_NO_KEYS = frozenset({ValueType.JSON, ValueType.OTHER, ValueType.INTERVAL, ValueType.BOOLEAN})


def find(findings: Findings) -> Iterable[Proposal]:
    """The primary key of every table that has one."""
    owners = _owners(findings)
    for table in findings.base_tables():
        found = _declared(table) or _single(findings, table, owners) or _joint(findings, table)
        if found is not None:
            yield found


def _declared(table: TableProfile) -> Proposal | None:
    if not table.keys:
        return None
    return _proposal(table, table.keys[0], "declared", 1.0, proven=True)


def _owners(findings: Findings) -> dict[str, set[str]]:
    """The tables by their noun."""
    owners: dict[str, set[str]] = {}
    for table in findings.base_tables():
        nouns = nouns_of(table.name)
        for noun in {"".join(nouns), *nouns[-1:]}:
            owners.setdefault(noun, set()).add(table.name)
    return owners


def _single(
    findings: Findings, table: TableProfile, owners: dict[str, set[str]]
) -> Proposal | None:
    words = without_prefix(column.name for column in table.columns)
    ranked = sorted(
        (
            (-_score(table, column, words[column.name]), place, column)
            for place, column in enumerate(table.columns)
            if _can_be_key(table, column)
        ),
        key=lambda each: each[:2],
    )
    for negative, _, column in ranked:
        if -negative < 2 or _points_elsewhere(table, words[column.name], owners):
            continue
        if table.seen == 0:
            alone = sum(-each[0] >= 2 for each in ranked) == 1
            return _proposal(table, (column.name,), "named", 0.6) if alone else None
        proven = not table.is_sampled or _tells_apart(findings, table, (column.name,)) is True
        return _proposal(table, (column.name,), "counted", 0.97, proven=proven)
    return None


def _score(table: TableProfile, column: ColumnProfile, words: tuple[str, ...]) -> int:
    """The likelihood of a key by name and position."""
    if not words:
        return 0
    score = 2 * ends_with(words, "key") + 2 * words[-1].endswith(("key", "id"))
    nouns = nouns_of(table.name)
    stem = "".join(words[:-1])
    score += 3 * (stem == "".join(nouns) or words in (("id",), ("key",)))
    score += 1 * bool(stem and nouns and stem.endswith(nouns[-1]))
    score += 2 * (column.name == table.columns[0].name)
    return score - 2 * hints_at(column.name, "open")


def _can_be_key(table: TableProfile, column: ColumnProfile) -> bool:
    if column.type in _NO_KEYS or column.fractions or column.type.is_temporal:
        return False
    return table.is_unique(column) if table.seen else True


def _points_elsewhere(
    table: TableProfile, words: tuple[str, ...], owners: dict[str, set[str]]
) -> bool:
    """True if the name is that of another table's key, and not of this one's: a territory's in a
    table of employees' territories, if there is one of territories."""
    stem = "".join(words[:-1]) if len(words) > 1 else ""
    nouns = nouns_of(table.name)
    own = {"".join(nouns), *nouns[-1:], *nouns[:1]}
    named = (owners.get(stem, set()) if stem else set[str]()) - {table.name}
    whole = "".join(nouns) != stem and any("".join(nouns_of(each)) == stem for each in named)
    return bool(named) and (whole or stem not in own)


def _joint(findings: Findings, table: TableProfile) -> Proposal | None:
    """The fewest columns that identify the rows together, pointers and times first."""
    words = without_prefix(column.name for column in table.columns)
    times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    ranked = sorted(
        (
            (-rank, place, column)
            for place, column in enumerate(table.columns)
            if (rank := _part_rank(column, words[column.name], times)) > 0
        ),
        key=lambda each: each[:2],
    )
    parts = [column for _, _, column in ranked[:_CANDIDATES]]
    if table.seen == 0:
        pointers = [each.name for each in parts if ends_with(words[each.name], "key")]
        whole = len(pointers) > 1 and len(pointers) == len(table.columns)
        return _proposal(table, tuple(pointers), "named", 0.6) if whole else None
    # A column that identifies the rows alone needs no other; but of two pointers, which are all
    # that a table of links has, one may do so by chance.
    pointing = {each.name for each in parts if ends_with(words[each.name], "key")}
    alone = {each.name for each in parts if table.is_unique(each)}
    for some in islice(_likely(table, parts), _TRIES):
        together = {each.name for each in some}
        if together & alone and not together <= pointing:
            continue
        names = tuple(column.name for column in table.columns if column in some)
        if (found := _tells_apart(findings, table, names)) is not None and found:
            return _proposal(table, names, "counted", 0.9, proven=True)
    only = [each for each in parts if table.is_unique(each)]
    if only and ends_with(words[only[0].name], "key"):
        return _proposal(table, (only[0].name,), "counted", 0.8, proven=not table.is_sampled)
    return None


def _part_rank(column: ColumnProfile, words: tuple[str, ...], times: set[str]) -> int:
    if column.type in _NO_KEYS or column.fractions or (column.type is ValueType.NUMBER):
        return 0
    if ends_with(words, "key") or (words and words[-1].endswith(("id", "key"))):
        return 5
    if hints_at(column.name, "ordinal"):
        return 5
    if column.name in times or hints_at(column.name, "calendar"):
        return 4
    if any(hints_at(column.name, kind) for kind in ("currency", "closed", "code")):
        return 3
    return 2 if column.is_text and not hints_at(column.name, "open") else 0


def _likely(table: TableProfile, parts: list[ColumnProfile]) -> Iterator[tuple[ColumnProfile, ...]]:
    """Sets of columns that can identify the rows: together they have enough values."""
    for size in range(2, _WIDEST + 1):
        for some in combinations(parts, size):
            ways = 1
            for column in some:
                ways *= max(1, column.distinct)
            if ways >= table.seen and all(each.filled == table.seen for each in some):
                yield some


def _tells_apart(findings: Findings, table: TableProfile, names: tuple[str, ...]) -> bool | None:
    """True if no two rows have the same values there; None if it can't be counted."""
    if table.is_about:
        return None
    source = findings.source
    row = source.one(
        f"SELECT COUNT(*) FROM (SELECT DISTINCT {source.names(names)}"
        f" FROM {source.table(table.name)}) AS d"
    )
    return None if row is None else row[0] == table.rows


def _proposal(
    table: TableProfile,
    columns: tuple[str, ...],
    reason: str,
    confidence: float,
    *,
    proven: bool = False,
) -> Proposal:
    return Proposal(
        kind=ProposalKind.PRIMARY_KEY,
        table=table.name,
        columns=columns,
        reason=reason,
        evidence={"rows": table.rows, "columns": ", ".join(columns)},
        confidence=confidence,
        proven=proven and (reason == "declared" or table.rows >= _ENOUGH),
    )


def names_a_key(words: tuple[str, ...]) -> bool:
    """True for ``order_id`` and ``orderkey``, not for ``paid``."""
    return ends_with(words, "key") or (bool(words) and words[-1].endswith("key"))


def unglued(word: str) -> str:
    """``order`` of ``orderkey``; the word itself if it has no such ending."""
    ends = (end for end in _GLUED if word.endswith(end) and len(word) - len(end) > 2)
    return word.removesuffix(next(ends, ""))


def stem_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """A pointer's words without those for a key: ``customer`` of ``customer_id``."""
    while len(words) > 1 and ends_with(words, "key"):
        words = words[:-1]
    return (*words[:-1], without_end(words[-1], "key")) if words else words
