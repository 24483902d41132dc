"""Foreign keys: declared, or a name that points to a table whose key contains all of the values.

Keys counted from one include each other's values everywhere: the name decides where to look, the
values decide whether it is so.
"""

from collections.abc import Iterable, Iterator

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.kinds.included_values import holders_of
from veridical.onboarding.kinds.parents import Parent, ParentIndex
from veridical.onboarding.kinds.primary_keys import names_a_key, stem_of
from veridical.onboarding.names import nouns_of, shared_words, singular, without_prefix
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.ontology.model import Cardinality

_ENOUGH = 10
"""Below so many rows it may be chance that all values are there."""
_ALL = 1.0
_NEARLY = 0.97
_NO_NAME = 0.75
"""The confidence without a pointer's name, if the values match."""
_FEWEST_POINTED = 3


def find(findings: Findings) -> Iterable[Proposal]:
    """The foreign keys of every table."""
    tables = findings.base_tables()
    prefix = shared_words(table.name for table in tables)
    parents = [Parent(table, key, prefix) for table in tables if (key := findings.key(table.name))]
    single = [each for each in parents if len(each.key) == 1]
    index = ParentIndex(single, [other for each in single for other in _other_keys(each)])
    joint = _joint_index(parents)
    for table in tables:
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


def _other_keys(parent: Parent) -> Iterator[Parent]:
    """Other text columns that identify the rows of a table; numbers may do so by chance."""
    table = parent.table
    for column in table.columns:
        unique = column.is_text and table.is_unique(column) and table.rows >= _ENOUGH
        if unique and (column.name,) != parent.key and not hints_at(column.name, "open"):
            yield Parent(table, (column.name,), parent.prefix)


def _declared(table: TableProfile) -> Iterator[Proposal]:
    for columns, target, target_columns in table.links:
        yield Proposal(
            kind=ProposalKind.FOREIGN_KEY,
            table=table.name,
            columns=columns,
            target=target,
            target_columns=target_columns,
            cardinality=_cardinality(columns, table.keys),
            reason="declared",
            confidence=1.0,
            proven=True,
        )


def _best(
    findings: Findings,
    table: TableProfile,
    column: ColumnProfile,
    words: tuple[str, ...],
    index: ParentIndex,
) -> Proposal | None:
    if not words or column.fractions or column.type.is_temporal:
        return None
    is_key = findings.key(table.name) == (column.name,)
    best: dict[tuple[str, ...], tuple[float, Parent]] = {}
    for sure, parent in index.candidates(table, column, words):
        itself = parent.table.name == table.name and parent.key == (column.name,)
        if itself or (is_key and not _is_extended(parent, table, words)):
            continue
        place = (parent.table.name, *parent.key)
        known = best.get(place)
        if known is None or known[0] < sure:
            best[place] = (sure, parent)
    # Of several with similar names, the smallest that contains all values says the most.
    ranked = sorted(best.values(), key=lambda each: (-each[0], each[1].table.rows))
    named = [each for each in ranked if _fits(column, words, each[1])]
    for sure, parent in named:
        found = _tested(findings, table, (column.name,), parent, sure)
        if found is not None:
            return found
    if best or is_key:
        return None
    return _to_itself(findings, table, column, words, index) or _by_values(
        findings, table, column, index
    )


def _by_values(
    findings: Findings, table: TableProfile, column: ColumnProfile, index: ParentIndex
) -> Proposal | None:
    """A pointer that matches no table's name, with the table that its values match."""
    times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    if column.name in times or table.seen < _ENOUGH:
        return None
    for parent in holders_of(table, column, index.parents):
        found = _tested(findings, table, (column.name,), parent, _NO_NAME)
        if found is not None and found.reason == "counted":
            return found.model_copy(update={"proven": False})
    return None


def _to_itself(
    findings: Findings,
    table: TableProfile,
    column: ColumnProfile,
    words: tuple[str, ...],
    index: ParentIndex,
) -> Proposal | None:
    """A pointer that matches no table's name and is empty in some rows, to a row of its own
    table: a manager, for example, whom the top row lacks."""
    own = index.by_table.get(table.name)
    if own is None or own.key == (column.name,) or not names_a_key(words):
        return None
    is_open = 0 < column.filled < table.seen and column.distinct < column.filled
    if not is_open or column.distinct < _FEWEST_POINTED or not _fits(column, words, own):
        return None
    return _tested(findings, table, (column.name,), own, _NO_NAME)


def _is_extended(parent: Parent, child: TableProfile, words: tuple[str, ...]) -> bool:
    """True if a key points to another one: from the smaller table or, if both have as many rows,
    from the one whose name differs from the key's."""
    if parent.table.rows != child.rows:
        return _is_larger(parent.table, child)
    stem = tuple(map(singular, stem_of(words)))
    own = nouns_of(child.name)[parent.prefix :]
    longer = own != parent.nouns and own[: len(parent.nouns)] == parent.nouns
    return longer or (stem == parent.nouns and stem != own)


def _is_larger(parent: TableProfile, child: TableProfile) -> bool:
    """A key that points to another key: the smaller table is the one that points."""
    return parent.rows > child.rows


def _fits(column: ColumnProfile, words: tuple[str, ...], parent: Parent) -> bool:
    """True if the values can be included at all, by their types and their ends."""
    key = parent.table.by_name[parent.key[0]]
    if column.is_text != key.is_text:
        return False
    if column.is_numeric and not names_a_key(words):
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
    parent: Parent,
    sure: float,
) -> Proposal | None:
    """The foreign key, if the parent contains the values."""
    keys = (findings.key(table.name), *table.keys)
    found = Proposal(
        kind=ProposalKind.FOREIGN_KEY,
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
            "proven": share == 1 and sure >= 0.75 and table.rows >= _ENOUGH,
        }
    )


def _included(
    findings: Findings, table: TableProfile, columns: tuple[str, ...], parent: Parent
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
    """One to one only if a key proves it: that no value came twice so far may be chance."""
    unique = any(key and set(key) <= set(columns) for key in keys)
    return Cardinality.ONE_TO_ONE if unique else Cardinality.MANY_TO_ONE


def _joint_index(parents: list[Parent]) -> dict[tuple[str, ...], list[Parent]]:
    """Tables with a key of several columns, by the words of the first of them."""
    index: dict[tuple[str, ...], list[Parent]] = {}
    for each in parents:
        if len(each.key) > 1:
            index.setdefault(each.key_words[0], []).append(each)
    return index


def _joint_links(
    findings: Findings,
    table: TableProfile,
    words: dict[str, tuple[str, ...]],
    index: dict[tuple[str, ...], list[Parent]],
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
