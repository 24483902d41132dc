"""Every form computed again from its claim, by SQL."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb

from benchmarks.facts.comparisons import Comparisons
from benchmarks.facts.database import Database, folded
from benchmarks.facts.matching import (
    Differences,
    Parts,
    different,
    different_parts,
    in_quotes,
    is_descending,
    matched_records,
    reaches,
    same,
    says_nothing,
    sorting,
)
from benchmarks.facts.records import MOST_STATED, Claim, Record, Scope, sorted_places
from benchmarks.facts.sql_value import UnknownError


class Recomputation(Comparisons):
    """Compares claims over one evidence with what the database says."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._forms: dict[str, Callable[[Claim, Parts], Differences]] = {
            "value": self._value, "list": self._list, "which": self._list, "count": self._count,
            "total": self._total, "top": self._top, "bottom": self._top, "rank": self._rank,
            "compare": self._compare, "share": self._share, "change": self._change,
            "range": self._range, "check": self._check, "missing": self._missing,
            "absent": self._absent, "basis": self._basis, "quote": self._quote,
            "table": self._table,
        }  # fmt: skip

    def differences(self, claim: Claim, parts: Parts) -> Differences:
        """What the host says and the database does not."""
        try:
            return self._forms[claim.form](claim, parts)
        except UnknownError as error:
            if error.reason in ("dimensions", "notAFigure") and says_nothing(claim):
                return []  # a column without a value may be anything
            if error.reason in ("dimensions", "notAFigure") and not self.read.scope(claim).rids:
                return []  # and so may a sum of no rows
            return [f"not to be computed: {error.reason}"]
        except (LookupError, TypeError, ValueError, ArithmeticError, duckdb.Error) as error:
            if isinstance(error, duckdb.BinderException) and not self.read.scope(claim).rids:
                return []  # no rows, so that no column has a kind
            return [f"not to be computed again: {error!r}"]  # no rows where the claim has some

    def _value(self, claim: Claim, parts: Parts) -> Differences:
        scope, said = self.read.scope(claim), claim.values
        if "rows" not in said:
            stated = said["measures"]
            found = {t: self.read.of_all(t, scope, scope.rids) for t in stated}
            return [f"{text} {stated[text]} is {each.plain}" for text, each in found.items()
                    if not same(stated[text], each.plain)]  # fmt: skip
        return self._rows(claim, scope)

    def _rows(self, claim: Claim, scope: Scope, function: str = "sum") -> Differences:
        """Rows with their measures, in their order, the first of them where so many were
        wanted."""
        records = self.read.records(scope)
        given, said = claim.arguments, claim.values
        texts = given["measures"]
        measures = [self.read.measured(t, scope, records, function, given.get("format", ""))
                    for t in texts]  # fmt: skip
        rows = [[m[at].plain for m in measures] for at in range(len(records))]
        keys = self._sort_keys(given, scope, records, function)
        first = given.get("first") or len(records)
        order = [] if keys is None else sorted_places(
            keys, descending=is_descending(given["sort"]))  # fmt: skip
        figures = [said["measures"][text] for text in texts]
        found = matched_records(said["rows"], figures, records, rows, order)
        first = min(first, MOST_STATED) if len(said["rows"]) == MOST_STATED else first
        if len(said["rows"]) != min(first, len(records)):
            return [f"{len(said['rows'])} rows, not {min(first, len(records))}"]
        if None in found:
            return [f"no row {said['rows'][found.index(None)]} with these values"]
        shown = [at for at in found if at is not None]
        if keys is None:
            return [] if shown == sorted(shown) else ["rows in another order"]
        wrong = [keys[one] != keys[other] for one, other in zip(shown, order[:first], strict=True)]
        return ["rows in another order"] if any(wrong) else []

    def _sort_keys(
        self, given: Mapping[str, Any], scope: Scope, records: Sequence[Record], function: str
    ) -> list[Any] | None:
        text = sorting(given.get("sort") or "")
        if not text:
            return None
        text = given.get("as", {}).get(text, text)
        grouped = [folded(each) for each in scope.by]
        if folded(text.strip('"')) in grouped:
            rid = [each.rids[0] for each in records]
            one = Scope(scope.rows, scope.of, tuple(rid), scope.pool)
            return [each.key for each in self.read.of_rows(in_quotes(text), one)]
        return [each.key for each in self.read.measured(text, scope, records, function)]

    def _list(self, claim: Claim, parts: Parts) -> Differences:
        scope, said = self.read.scope(claim), claim.values
        found = self._rows(claim, scope)
        n, of = len(self.read.records(scope)), len(scope.of)
        of = n if scope.by else of
        found += different(said, {"n": n, "of": of})
        return found + different_parts(
            parts, {"share": n / of if of else None, "rest": of - n, "of": of}
        )

    def _count(self, claim: Claim, parts: Parts) -> Differences:
        scope = self.read.scope(claim)
        n, of = len(scope.rids), len(scope.of)
        found = different(claim.values, {"n": n, "of": of})
        share = n / of if of else None
        return found + different_parts(
            parts, {"n": n, "value": n, "of": of, "share": share, "rest": of - n}
        )

    def _total(self, claim: Claim, parts: Parts) -> Differences:
        scope, given = self.read.scope(claim), claim.arguments
        function = given["agg"]
        if scope.by:
            return self._rows(claim, scope, function)
        found: Differences = []
        for text in given["measures"]:
            value = self.read.of_all(text, scope, scope.rids, function)
            stated = claim.values["measures"][text]
            if not same(stated, value.plain):
                found.append(f"{text} {stated} is {value.plain}")
        return found

    def _top(self, claim: Claim, parts: Parts) -> Differences:
        scope, given, said = self.read.scope(claim), claim.arguments, claim.values
        records = self.read.records(scope)
        measures = self.read.measured(given["measure"], scope, records,
                                      percent=given.get("format", ""))  # fmt: skip
        descending = claim.form == "top"
        known = sum(each.key is not None for each in measures)
        order = sorted_places([each.key for each in measures], descending=descending)[:known]
        last = measures[order[min(given["n"], known) - 1]]
        wanted = [at for at in order if reaches(measures[at].key, last.key, descending)]
        found = different(said, {"of": known}) + different_parts(parts, {"of": known})
        if len(said["rows"]) != len(wanted):
            found.append(f"{len(said['rows'])} rows, not {len(wanted)}")
        values = [measures[at].plain for at in wanted]
        if not all(map(same, said["values"], values)):
            found.append(f"values {said['values']} are {values}")
        matched = matched_records(said["rows"], [said["values"]], records,
                           [[each.plain] for each in measures])  # fmt: skip
        if None in matched or not set(matched) <= set(wanted):
            found.append("another row")
        return found

    def _missing(self, claim: Claim, parts: Parts) -> Differences:
        scope, said = self.read.scope(claim), claim.values
        if "measure" not in claim.arguments:
            return different(said, {"n": len(scope.rids), "of": len(scope.of)})
        measures = self.read.of_rows(claim.arguments["measure"], scope)
        records = self.read.records(scope)
        empty = [at for at, each in enumerate(measures) if each.value is None]
        found = different(said, {"n": len(empty), "of": len(scope.rids)})
        matched = matched_records(
            said["rows"], [], [records[at] for at in empty], [[] for _ in empty]
        )
        return found + (["another row"] if None in matched else [])

    def _absent(self, claim: Claim, parts: Parts) -> Differences:
        wanted = folded(claim.arguments["what"].replace("_", " "))
        names = [each.name for rows in self.database.results.values() for each in rows.fields]
        there = any(folded(name.replace("_", " ")) == wanted for name in names)
        return ["there is such a column"] if there else []

    def _basis(self, claim: Claim, parts: Parts) -> Differences:
        scope = self.read.scope(claim)
        return different(claim.values, {"n": len(scope.rids)})

    def _quote(self, claim: Claim, parts: Parts) -> Differences:
        rows, said = self.database.results[claim.result], claim.values
        field = rows.field(said["column"])
        cell = rows.cells[said["row"]][field.at] if field is not None else None
        text = " ".join(str(cell).split())
        return [] if claim.arguments["text"] in text else ["words that are not there"]

    def _table(self, claim: Claim, parts: Parts) -> Differences:
        scope, given, said = self.read.scope(claim), claim.arguments, claim.values
        records = self.read.records(scope)
        columns: list[list[Any]] = []
        keys = [folded(each) for each in scope.by]
        for text in given["columns"]:
            if folded(text) in keys:
                heads = Scope(scope.rows, scope.of, tuple(each.rids[0] for each in records), ())
                columns.append([each.plain for each in self.read.of_rows(in_quotes(text), heads)])
                continue
            name = in_quotes(text) if scope.rows.field(text) else text
            found = self.read.measured(name, scope, records, "sum", given.get("format", ""))
            columns.append([each.plain for each in found])
        rows = [list(each) for each in zip(*columns, strict=True)]
        keys = self._sort_keys(given, scope, records, "sum")
        order = list(range(len(records)))
        if keys is not None:  # equal ones keep their order
            order = sorted_places(keys, descending=is_descending(given["sort"]))
        wanted = [rows[at] for at in order[: given.get("first") or len(records)]]
        if len(said["cells"]) != len(wanted):
            return [f"{len(said['cells'])} rows, not {len(wanted)}"]
        pairs = zip(said["cells"], wanted, strict=True)
        return [f"row {one} is {other}" for one, other in pairs if not all(map(same, one, other))]
