"""Versions of a thing, each valid from one day to another: a join without a day takes them all."""

from collections.abc import Iterable
from itertools import islice

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at, words_hint_at
from veridical.onboarding.kinds.primary_keys import stem_of
from veridical.onboarding.names import nouns_of, singular, words_of
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_ORDERED = 0.98
_MOST_THINGS = 3
_VERSIONED_KEY = 2
_FEWEST_VERSIONS = 1.05
_REGULAR = 0.3


def find(findings: Findings) -> Iterable[Proposal]:
    """Tables with a first and a last day and several rows of a thing."""
    for table in findings.base_tables():
        pair = _pair(findings, table)
        found = _tested(findings, table, *pair) if pair is not None else None
        found = found or _without_end(findings, table)
        if found is not None:
            yield found


def _pair(findings: Findings, table: TableProfile) -> tuple[str, str] | None:
    times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    dated = [each.name for each in table.columns if each.name in times]
    ends = [each for each in dated if _says(each, "to", "from")]
    starts = [each for each in dated if _says(each, "from", "to")]
    return (starts[0], ends[0]) if starts and ends else None


def _says(name: str, kind: str, other: str) -> bool:
    """True for a name of this kind; the last word decides, as in ``effective_to``."""
    words = words_of(name)
    if words_hint_at(words[-1:], kind) != words_hint_at(words[-1:], other):
        return words_hint_at(words[-1:], kind)
    return words_hint_at(words, kind) and not words_hint_at(words, other)


def _tested(findings: Findings, table: TableProfile, start: str, end: str) -> Proposal | None:
    """The proposal, by a key of a thing and its first day, or by the pointers of rows with a
    number of their own that are named as valid, unlike a bill for a month."""
    key = findings.key(table.name)
    numbers = [each for each in key if hints_at(each, "ordinal") or hints_at(each, "version")]
    versioned = tuple(each for each in key if each not in (start, end, *numbers))
    things: list[tuple[str, ...]] = []
    if versioned and len(versioned) < len(key):
        things.append(versioned)
    elif not (
        hints_at(table.name, "version") or any(hints_at(each, "valid") for each in (start, end))
    ):
        return None
    own = nouns_of(table.name)
    pointing = {each.columns for each in findings.links(table.name) if len(each.columns) == 1}
    things += [
        (each.name,)
        for each in table.columns
        if each.distinct < table.seen
        if (each.name,) in pointing or _is_of(own, each.name)
    ]
    ordered = (_followed(findings, table, each, start, end) for each in dict.fromkeys(things))
    found = [each for each in islice(ordered, _MOST_THINGS) if each is not None]
    return max(found, key=lambda each: each.stake, default=None)


def _is_of(nouns: tuple[str, ...], name: str) -> bool:
    """True for a key of what a table has versions of: ``plan_id`` in ``plan_version``."""
    stem = tuple(map(singular, stem_of(words_of(name))))
    return stem in (nouns[-1:], nouns, nouns[:-1])


def _followed(
    findings: Findings, table: TableProfile, thing: tuple[str, ...], start: str, end: str
) -> Proposal | None:
    """The proposal, if each range of a thing ends before its next starts."""
    source = findings.source
    first, last = (f"t.{source.name(each)}" for each in (start, end))
    by = ", ".join(f"t.{source.name(each)}" for each in thing)
    row = source.one(
        f"SELECT COUNT(*), SUM(CASE WHEN b IS NULL OR a <= b THEN 1 ELSE 0 END),"
        f" SUM(CASE WHEN n IS NOT NULL AND (b IS NULL OR n < b) THEN 1 ELSE 0 END)"
        f" FROM (SELECT {first} AS a, {last} AS b,"
        f" LEAD({first}) OVER (PARTITION BY {by} ORDER BY {first}) AS n"
        f" FROM {source.rows_of(table)} WHERE {first} IS NOT NULL) AS s"
    )
    if row is None or not row[0] or (row[1] or 0) < _ORDERED * row[0]:
        return None
    if (row[2] or 0) > (1 - _ORDERED) * row[0]:
        return None  # they run beside each other: events, not versions
    things = _things(findings, table, thing)
    if things is None:
        return None
    versions = table.seen / max(1, things)
    return Proposal(
        kind=ProposalKind.VALIDITY,
        table=table.name,
        columns=(start, end),
        reason="counted",
        evidence={
            "ordered": int(row[1]),
            "rows": int(row[0]),
            "thing": ", ".join(thing),
            "versions": round(versions, 2),
        },
        confidence=0.9,
        stake=round(versions - 1, 3),
    )


def _things(findings: Findings, table: TableProfile, thing: tuple[str, ...]) -> int | None:
    if len(thing) == 1:
        return table.by_name[thing[0]].distinct
    source = findings.source
    names = ", ".join(f"t.{source.name(each)}" for each in thing)
    row = source.one(
        f"SELECT COUNT(*) FROM (SELECT DISTINCT {names} FROM {source.rows_of(table)}) AS d"
    )
    return int(row[0]) if row else None


def _without_end(findings: Findings, table: TableProfile) -> Proposal | None:
    """Versions by the name of a table or a column, with only a first day."""
    key = findings.key(table.name)
    times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    numbers = [each for each in key if hints_at(each, "version")]
    things = [each for each in key if each not in times and each not in numbers]
    named = numbers or hints_at(table.name, "version")
    since = [each for each in key if each in times]
    since = since or [each.name for each in table.columns if each.name in times]
    if not named or len(things) != 1 or len(since) != 1 or len(key) != _VERSIONED_KEY:
        return None
    count, days = table.by_name[things[0]].distinct, table.by_name[since[0]].distinct
    versions = table.seen / max(1, count)
    regular = table.seen >= _REGULAR * count * days  # a row for each at each date is no change
    if versions < _FEWEST_VERSIONS or (regular and not numbers):
        return None
    if numbers and not _rises(findings, table, things[0], *since):
        return None
    return Proposal(
        kind=ProposalKind.VALIDITY,
        table=table.name,
        columns=tuple(since),
        reason="since",
        evidence={"rows": table.seen, "thing": things[0], "versions": round(versions, 2)},
        confidence=0.8,
        stake=round(versions - 1, 3),
    )


def _rises(findings: Findings, table: TableProfile, thing: str, since: str) -> bool:
    """True if a later number of a thing never has an earlier day."""
    source = findings.source
    number = next(each for each in findings.key(table.name) if each not in (thing, since))
    day, by, along = (f"t.{source.name(each)}" for each in (since, thing, number))
    row = source.one(
        f"SELECT COUNT(*), SUM(CASE WHEN b IS NULL OR a >= b THEN 1 ELSE 0 END) FROM (SELECT"
        f" {day} AS a, LAG({day}) OVER (PARTITION BY {by} ORDER BY {along}) AS b"
        f" FROM {source.rows_of(table)}) AS s"
    )
    return row is not None and bool(row[0]) and (row[1] or 0) >= _ORDERED * row[0]
