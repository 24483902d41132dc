"""Forms that set values against each other, computed again: rank, compare, share, change, range,
check."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from benchmarks.facts.database import TIMES, Database, folded, is_called, rows_named
from benchmarks.facts.matching import (
    Differences,
    Parts,
    between,
    close,
    close_times,
    different,
    different_pair,
    different_parts,
    in_quotes,
    matched_records,
    same,
    stated_cell,
)
from benchmarks.facts.measure_sql import Writer, has_aggregate, has_cells, read
from benchmarks.facts.records import MOST_STATED, Claim, Reader, Record, Scope, sorted_places
from benchmarks.facts.sql_value import UnknownError, compared
from veridical.evidence.column import CellKind


class Comparisons:
    """Compares claims of two or more values with what the database says."""

    def __init__(self, database: Database) -> None:
        self.read = Reader(database)
        self.database = database

    def _rank(self, claim: Claim, parts: Parts) -> Differences:
        scope, given, said = self.read.scope(claim, named=False), claim.arguments, claim.values
        records = self.read.records(scope)
        measures = self.read.measured(given["measure"], scope, records)
        mine = self._named(scope, records, given["rows"][0])
        own = measures[mine]
        ascending = given["order"] == "asc"
        ahead = sum(each.key is not None and not close(each.key, own.key)
                    and (each.key < own.key if ascending else each.key > own.key)
                    for each in measures)  # fmt: skip
        known = sum(each.key is not None for each in measures)
        found = different(said, {"rank": ahead + 1, "of": known, "value": own.plain})
        if not is_called(records[mine].cells, said["row"], records[mine].place):
            found.append(f"row {said['row']}")
        return found + different_parts(parts, {"rank": ahead + 1, "of": known, "value": own.value})

    def _named(self, scope: Scope, records: Sequence[Record], name: str) -> int:
        found = self._all_named(scope, records, name)
        if len(found) != 1:
            raise UnknownError("severalRows")
        return found[0]

    def _all_named(self, scope: Scope, records: Sequence[Record], name: str) -> list[int]:
        if scope.by:
            return [at for at, each in enumerate(records)
                    if any(folded(cell) == folded(name) for cell in each.cells)
                    or is_called(each.cells, name)]  # fmt: skip
        rids = rows_named(scope.rows, name, scope.rids)
        return [at for at, each in enumerate(records) if each.rids[0] in rids]

    def _compare(self, claim: Claim, parts: Parts) -> Differences:
        given, said = claim.arguments, claim.values
        if "a" in given:
            scope = self.read.scope(claim)
            nodes = [read(given[end]) for end in ("a", "b")]
            beside = len({has_aggregate(each) for each in nodes}) > 1 and any(
                has_cells(each, scope.rows) for each in nodes if not has_aggregate(each)
            )
            one, other = (self.read.one(given[end], scope, beside=beside) for end in ("a", "b"))
            return different(said, {"a": one.plain, "b": other.plain}) + different_pair(
                parts, one, other
            )
        scope = self.read.scope(claim, named=False)
        records = self.read.records(scope)
        found = []
        if scope.by or "where" in given:
            ends = [records[self._named(scope, records, name)] for name in given["rows"]]
        else:
            rids = [rows_named(scope.rows, name) for name in given["rows"]]
            ends = [Record(each[0], scope.rows.cells[each[0]], (each[0],)) for each in rids]
        pair = Scope(scope.rows, scope.of, tuple(each.rids[0] for each in ends), scope.pool,
                     scope.by)  # fmt: skip
        for text in given["measures"]:
            one, other = self.read.measured(text, pair, ends)
            stated = said["measures"][text]
            if not all(map(same, stated, (one.plain, other.plain))):
                found.append(f"{text} {stated} are {one.plain}, {other.plain}")
            if text == given["measures"][0]:
                found += different_pair(parts, one, other)
        return found

    def _share(self, claim: Claim, parts: Parts) -> Differences:
        given, said = claim.arguments, claim.values
        if "part" in given:
            return self._part(claim, parts)
        items = "among" in given
        whole = self.read.scope(claim, named=False, met=items)
        records = self.read.records(whole)
        total = self.read.sum_of(given["measure"], whole, records)
        if not total:
            raise UnknownError("zero")
        measures = self.read.measured(given["measure"], whole, records)
        if "shares" in said:
            rows = [[each.plain, None if each.value is None else each.value / total]
                    for each in measures]  # fmt: skip
            matched = matched_records(said["rows"], [said["values"], said["shares"]], records, rows)
            found = [] if None not in matched else ["another row or share"]
            return found + (
                [] if len(matched) in (len(records), MOST_STATED) else ["rows are missing"]
            )
        scope = self.read.scope(claim, named=not items and not whole.by, met=True)
        chosen = self.read.records(scope)
        if (items or whole.by) and given.get("rows"):
            places = [at for name in given["rows"] for at in self._all_named(scope, chosen, name)]
            chosen = [chosen[at] for at in dict.fromkeys(places)]
        values = (self.read.measured(given["measure"], scope, chosen) if scope.by or not items
                  else [measures[each.place] for each in chosen])  # fmt: skip
        part = math.fsum(each.value for each in values if each.value is not None)
        found = different(said, {"share": part / total})
        return found + different_parts(parts, {"share": part / total, "part": part, "whole": total,
                                      "left": total - part, "rest": 1 - part / total},
                              abs(total))  # fmt: skip

    def _part(self, claim: Claim, parts: Parts) -> Differences:
        given, scope = claim.arguments, self.read.scope(claim)
        nodes = [read(given[end]) for end in ("part", "whole")]
        beside = len({has_aggregate(each) for each in nodes}) > 1 and any(
            has_cells(each, scope.rows) for each in nodes if not has_aggregate(each)
        )
        part, whole = (self.read.one(given[end], scope, beside=beside, summed=True)
                       for end in ("part", "whole"))  # fmt: skip
        share = part.value / whole.value
        found = different(claim.values, {"share": share, "part": part.plain, "whole": whole.plain})
        return found + different_parts(parts, {"share": share, "rest": 1 - share,
                                      "left": whole.value - part.value},
                              abs(whole.value))  # fmt: skip

    def _change(self, claim: Claim, parts: Parts) -> Differences:
        given = claim.arguments
        if "over" in given:
            return self._over_time(claim, parts)
        scope = self.read.scope(claim)
        first, last = given["measures"]
        if "total" in given:
            if given["total"]:
                ends = [self.read.of_all(t, scope, scope.rids, "sum") for t in (first, last)]
            else:
                records = self.read.records(scope)
                ends = [self.read.measured(t, scope, records)[0] for t in (first, last)]
            values = {"from": ends[0].plain, "to": ends[1].plain}
            return different(claim.values, values) + different_pair(parts, ends[1], ends[0])
        records = self.read.records(scope)
        both = [self.read.measured(t, scope, records) for t in (first, last)]
        rows: list[list[Any]] = []
        for one, other in zip(*both, strict=True):
            old, new = one.value, other.value
            if old is None or new is None:
                rows.append([None, None])
            else:
                rows.append([new - old, new / old - 1 if old > 0 else None])
        said = claim.values
        gaps = [row[0] for row in rows if row[0] is not None]
        found = different(said, {"up": sum(gap > 0 for gap in gaps),
                                  "down": sum(gap < 0 for gap in gaps),
                                  "same": sum(gap == 0 for gap in gaps)})  # fmt: skip
        matched = matched_records(said["rows"], [said["pcts"]], records, [[row[1]] for row in rows])
        if None in matched or len(matched) != len(records):
            found.append("another row or growth")
        pcts = [each for each in said["pcts"] if each is not None]
        return found + ([] if pcts == sorted(pcts, reverse=True) else ["in another order"])

    def _over_time(self, claim: Claim, parts: Parts) -> Differences:
        given, said = claim.arguments, claim.values
        base = self.read.scope(claim)
        field = base.rows.field(given["over"])
        assert field is not None
        scope = Scope(base.rows, base.of, base.rids, base.pool, (given["over"],))
        records = self.read.records(scope)
        if all(len(each.rids) == 1 for each in records):
            rids = tuple(each.rids[0] for each in records)
            scope = Scope(base.rows, base.of, rids, base.pool)
        course = list(zip(records, self.read.measured(given["measure"], scope, records),
                          strict=True))  # fmt: skip
        if field.kind in TIMES or field.kind is CellKind.FIGURE:
            heads = Scope(base.rows, base.of, tuple(each.rids[0] for each in records), ())
            keys = [each.key for each in self.read.of_rows(in_quotes(given["over"]), heads)]
            course = [course[at] for at in sorted_places(keys, descending=False)]
        course = between(course, given.get("start", ""), given.get("end", ""))
        course = [each for each in course if each[1].value is not None]
        values = [each[1].value for each in course]
        steps = [later - earlier for earlier, later in pairwise(values)]
        found = different(said, {"from": course[0][1].plain, "to": course[-1][1].plain,
                                  "n": len(values)})  # fmt: skip
        for end, at in (("start", 0), ("end", -1)):
            if not is_called([stated_cell(cell) for cell in course[at][0].cells] or [""],
                             str(said[end])):  # fmt: skip
                found.append(f"{end} {said[end]}")
        size = max(map(abs, values))
        found += different_pair(parts, course[-1][1], course[0][1], size)
        return found + different_parts(parts, {
            "high": max(values), "low": min(values), "up": sum(step > 0 for step in steps),
            "down": sum(step < 0 for step in steps), "n": len(values),
            **({"rise": max(steps)} if max(steps) > 0 else {}),
            **({"drop": min(steps)} if min(steps) < 0 else {}),
        }, size)  # fmt: skip

    def _range(self, claim: Claim, parts: Parts) -> Differences:
        scope, said = self.read.scope(claim), claim.values
        records = self.read.records(scope)
        measures = self.read.measured(claim.arguments["measure"], scope, records)
        order = sorted_places([each.key for each in measures], descending=False)
        order = [at for at in order if measures[at].key is not None]
        low, high = measures[order[0]], measures[order[-1]]
        found: Differences = []
        for end, value, key in (("low", low, "low_at"), ("high", high, "high_at")):
            ends = [at for at in order if close(measures[at].key, value.key)]
            if not same(said[end], value.plain) and not close_times(said[end], value):
                found.append(f"{end} {said[end]} is {value.plain}")
            if not any(is_called(records[at].cells, said[key], records[at].place) for at in ends):
                found.append(f"{key} {said[key]}")
        if isinstance(low.value, float):
            found += different_parts(parts, {"diff": high.value - low.value, "n": len(order)},
                            max(abs(low.value), abs(high.value)))  # fmt: skip
        return found

    def _check(self, claim: Claim, parts: Parts) -> Differences:
        scope, given, said = self.read.scope(claim), claim.arguments, claim.values
        value = self.read.one(given["measure"], scope)
        node = read(given["measure"])
        mixed = has_aggregate(node) and has_cells(node, scope.rows)
        writer = Writer(self.database, scope.rows, scope.pool if mixed else scope.rids)
        left = writer.write(node)
        text = given["limit"]
        beside = Writer(self.database, scope.rows, scope.pool)
        try:
            right = beside.write(read(text))
        except UnknownError:
            right = beside.write(read("'" + text.replace("'", "''") + "'"))
        if left.kind in TIMES and right.kind is CellKind.FIGURE:
            right = beside.write(read(f"'{text}'"))
        sign = "<>" if given["is"] == "!=" else given["is"]
        condition = compared(sign, left, right)
        rids = ", ".join(map(str, scope.rids))
        where = f"FROM {scope.rows.view} WHERE rid IN ({rids})" if left.of_rows else ""
        met = self.database.all(f"SELECT {condition} {where}")[0][0]
        return different(said, {"yes": met, "value": value.plain})
