"""Foreign keys: declared, or a name that points to a table whose key holds all of the values.

Values alone are included in each other everywhere where keys are counted from one: the name decides
where to look, the values decide whether it is so.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at, is_value_of, same_things, words_hint_at
from veridical.onboarding.kinds.primary_keys import stem_of
from veridical.onboarding.names import nouns_of, singular, without_prefix
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Kind, Proposal
from veridical.ontology.model import Cardinality

_ALL = 1.0
_NEARLY = 0.97
_LETTERS = 4
"""Letters that two names must share at their beginning."""


@dataclass(frozen=True)
class _Parent:
    """A table that can be pointed to."""

    table: TableProfile
    key: tuple[str, ...]

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        return nouns_of(self.table.name)

    @cached_property
    def key_words(self) -> tuple[tuple[str, ...], ...]:
        words = without_prefix(column.name for column in self.table.columns)
        return tuple(words[name] for name in self.key)


def find(findings: Findings) -> Iterable[Proposal]:
    """The foreign keys of every table."""
    parents = [
        _Parent(table, key) for table in findings.base_tables() if (key := findings.key(table.name))
    ]
    index = _Index([each for each in parents if len(each.key) == 1])
    joint = _joint_index(parents)
    for table in findings.base_tables():
        declared = list(_declared(table))
        yield from declared
        taken = {column for each in declared for column in each.columns}
        words = without_prefix(column.name for column in table.columns)
        yield from _joint_links(findings, table, words, joint, declared)
        for column in table.columns:
            if column.name not in taken:
                found = _best(findings, table, column, words[column.name], index)
                if found is not None:
                    yield found


def _declared(table: TableProfile) -> Iterator[Proposal]:
    for columns, target, target_columns in table.links:
        yield Proposal(
            kind=Kind.FOREIGN_KEY,
            table=table.name,
            columns=columns,
            target=target,
            target_columns=target_columns,
            cardinality=_cardinality(columns, table.keys),
            reason="declared",
            confidence=1.0,
            proven=True,
        )


class _Index:
    """Tables with a key of one column, by the names that point to them."""

    def __init__(self, parents: list[_Parent]) -> None:
        self.parents = parents
        self.by_key: dict[tuple[str, ...], list[_Parent]] = {}
        self.by_noun: dict[str, list[_Parent]] = {}
        self.by_start: dict[str, list[_Parent]] = {}
        self.by_table = {each.table.name: each for each in parents}
        for each in parents:
            self.by_key.setdefault(each.key_words[0], []).append(each)
            nouns = each.nouns
            for start in range(len(nouns)):
                self.by_noun.setdefault("".join(nouns[start:]), []).append(each)
            if nouns:
                self.by_start.setdefault(nouns[0][:_LETTERS], []).append(each)

    def candidates(
        self, table: TableProfile, column: ColumnProfile, words: tuple[str, ...]
    ) -> Iterator[tuple[float, _Parent]]:
        """Tables that the column may point to, with how sure its name is."""
        stem = tuple(map(singular, stem_of(words)))
        own = self.by_table.get(table.name)
        if own is not None and own.key != (column.name,):
            tail = own.key_words[0]
            longer = len(words) > len(tail) and words[-len(tail) :] == tail
            glued = len(words) == 1 and len(tail) == 1 and words[0].endswith(tail[0])
            if (
                words_hint_at(words, "self_reference")
                or (longer and not _is_generic(tail))
                or (glued and words[0] != tail[0])
            ):
                yield 0.9, own
        for start in range(len(stem)):
            sure = 0.95 if start == 0 else 0.85
            yield from ((sure, each) for each in self.by_noun.get("".join(stem[start:]), ()))
        if not _is_generic(words):
            yield from ((0.9, each) for each in self.by_key.get(words, ()))
        for start in range(1, len(words)):
            if len(words) - start > 1:
                yield from ((0.8, each) for each in self.by_key.get(words[start:], ()))
        for group in same_things():
            if stem and (stem[-1] in group or "".join(stem[-2:]) in group):
                yield from ((0.75, each) for noun in group for each in self.by_noun.get(noun, ()))
        if stem and len(stem[0]) >= _LETTERS:
            for each in self.by_start.get(stem[0][:_LETTERS], ()):
                if each.nouns[0].startswith(stem[0]) and each.nouns[0] != stem[0]:
                    yield 0.6, each


def _is_generic(words: tuple[str, ...]) -> bool:
    """A key named ``id`` says nothing about whose it is."""
    return is_value_of(" ".join(words), "generic_key")


def _best(
    findings: Findings,
    table: TableProfile,
    column: ColumnProfile,
    words: tuple[str, ...],
    index: _Index,
) -> Proposal | None:
    if not words or column.fractions or column.type.is_temporal:
        return None
    is_key = findings.key(table.name) == (column.name,)
    best: dict[str, tuple[float, _Parent]] = {}
    for sure, parent in index.candidates(table, column, words):
        itself = parent.table.name == table.name and parent.key == (column.name,)
        if itself or (is_key and not _is_larger(parent.table, table)):
            continue
        known = best.get(parent.table.name)
        if known is None or known[0] < sure:
            best[parent.table.name] = (sure, parent)
    ranked = sorted(best.values(), key=lambda each: (-each[0], -each[1].table.rows))
    named = [each for each in ranked if _fits(table, column, each[1])]
    for sure, parent in named:
        found = _tested(findings, table, (column.name,), parent, sure)
        if found is not None:
            return found
    return None


def _is_larger(parent: TableProfile, child: TableProfile) -> bool:
    """A key that points to another key: the smaller table is the one that points."""
    return parent.rows > child.rows


def _fits(table: TableProfile, column: ColumnProfile, parent: _Parent) -> bool:
    """Whether the values can be included at all, by their types and their ends."""
    key = parent.table.by_name[parent.key[0]]
    if column.is_text != key.is_text:
        return False
    if column.is_numeric and not hints_at(column.name, "key"):
        # A quantity has a small range, too: a pointer without a pointer's name reaches all over.
        reach = column.distinct / max(1, parent.table.rows)
        if hints_at(column.name, "quantity") or hints_at(column.name, "money") or reach < 0.2:
            return not column.filled or _points_by_role(column)
    if parent.table.is_sampled or not column.filled or not parent.table.seen:
        return True
    try:
        return key.low <= column.low and column.high <= key.high  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]
    except TypeError:
        return False


def _points_by_role(column: ColumnProfile) -> bool:
    return hints_at(column.name, "self_reference")


def _tested(
    findings: Findings,
    table: TableProfile,
    columns: tuple[str, ...],
    parent: _Parent,
    sure: float,
) -> Proposal | None:
    """The foreign key, where the parent holds the values."""
    keys = (findings.key(table.name), *table.keys)
    found = Proposal(
        kind=Kind.FOREIGN_KEY,
        table=table.name,
        columns=columns,
        target=parent.table.name,
        target_columns=parent.key,
        cardinality=_cardinality(columns, keys),
        reason="named",
        evidence={"target": parent.table.name},
        confidence=0.5,
    )
    if not table.seen or not all(table.by_name[name].filled for name in columns):
        return found if sure >= 0.85 else None
    counted = _included(findings, table, columns, parent)
    if counted is None:
        return found if sure >= 0.9 else None
    values, inside = counted
    share = inside / values if values else 0.0
    if share < (_NEARLY if sure >= 0.85 else _ALL):
        return None
    counts = {"inside": inside, "values": values, "target": parent.table.name}
    return found.model_copy(
        update={
            "reason": "counted",
            "evidence": counts,
            "confidence": round(sure * share, 3),
            "proven": share == 1 and sure >= 0.75,
        }
    )


def _included(
    findings: Findings, table: TableProfile, columns: tuple[str, ...], parent: _Parent
) -> tuple[int, int] | None:
    source = findings.source
    own = [f"t.{source.name(name)} AS c{number}" for number, name in enumerate(columns)]
    filled = " AND ".join(f"t.{source.name(name)} IS NOT NULL" for name in columns)
    pairs = " AND ".join(
        f"p.{source.name(name)} = c.c{number}" for number, name in enumerate(parent.key)
    )
    row = source.one(
        f"SELECT COUNT(*), COUNT(p.{source.name(parent.key[0])}) FROM (SELECT DISTINCT"
        f" {', '.join(own)} FROM {source.rows_of(table)} WHERE {filled}) AS c"
        f" LEFT JOIN {source.table(parent.table.name)} AS p ON {pairs}"
    )
    return None if row is None else (int(row[0]), int(row[1]))


def _cardinality(columns: tuple[str, ...], keys: Iterable[tuple[str, ...]]) -> Cardinality:
    """One to one only where a key says so: that no value came twice so far may be chance."""
    unique = any(key and set(key) <= set(columns) for key in keys)
    return Cardinality.ONE_TO_ONE if unique else Cardinality.MANY_TO_ONE


def _joint_index(parents: list[_Parent]) -> dict[tuple[str, ...], list[_Parent]]:
    """Tables with a key of several columns, by the words of the first of them."""
    index: dict[tuple[str, ...], list[_Parent]] = {}
    for each in parents:
        if len(each.key) > 1:
            index.setdefault(each.key_words[0], []).append(each)
    return index


def _joint_links(
    findings: Findings,
    table: TableProfile,
    words: dict[str, tuple[str, ...]],
    index: dict[tuple[str, ...], list[_Parent]],
    declared: list[Proposal],
) -> Iterator[Proposal]:
    """Foreign keys of several columns, by the same names as in the other table's key."""
    by_words = {each: name for name, each in words.items()}
    for each in by_words:
        for parent in index.get(each, ()):
            columns = tuple(by_words.get(part, "") for part in parent.key_words)
            if parent.table.name == table.name or not all(columns):
                continue
            if any(link.columns == columns for link in declared):
                continue
            if findings.key(table.name) == columns and not _is_larger(parent.table, table):
                continue
            found = _tested(findings, table, columns, parent, 0.85)
            if found is not None and found.proven:
                yield found
