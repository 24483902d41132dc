"""Random facts over an evidence: every form, with whatever its arguments allow."""

from typing import Any

from benchmarks.facts.phrases import TIMES, Phrases, columns_of, spelt, text_of
from veridical.evidence.column import CellKind
from veridical.evidence.table import EvidenceTable

FORMS = ("value", "list", "count", "which", "total", "top", "bottom", "latest", "earliest", "rank",
         "compare", "share", "change", "range", "check", "missing", "absent", "basis", "quote",
         "table")  # fmt: skip
_NAMES = (CellKind.NAME, CellKind.CODE)
_AGGREGATES = ("sum", "sum", "avg", "median", "min", "max", "count", "distinct")
Arguments = dict[str, Any]


class Author(Phrases):
    """Writes facts about some results, as a model might."""

    @property
    def has_nothing(self) -> bool:
        """Whether there is no result to write of."""
        return not self._tables

    def fact(self, form: str) -> Arguments:
        """The arguments of one fact."""
        at = self._at
        table = at.choice(self._tables)
        found: Arguments = {"say": form, "from": table.name}
        if at.random() < 0.08 and len(self._tables) > 1:
            found |= self._join(table)
        found |= self._own(form, table)
        if at.random() < 0.4 and "where" not in found:
            found["where"] = self._condition(table)
        return {name: value for name, value in found.items() if value not in ("", None, [])}

    def _own(self, form: str, table: EvidenceTable) -> Arguments:
        made = {
            "value": self._value, "list": self._list, "which": self._which, "count": self._count,
            "total": self._total, "top": self._top, "bottom": self._top, "latest": self._latest,
            "earliest": self._latest, "rank": self._rank, "compare": self._compare,
            "share": self._share, "change": self._change, "range": self._range,
            "check": self._check, "missing": self._missing, "absent": self._absent,
            "quote": self._quote, "table": self._table,
        }.get(form)  # fmt: skip
        return made(table) if made is not None else {}

    def _count(self, table: EvidenceTable) -> Arguments:
        found: Arguments = {"where": self._condition(table)}
        return found | self._grouping(table, 0.15) | self._rows(table, 0.1)

    def _total(self, table: EvidenceTable) -> Arguments:
        at = self._at
        found: Arguments = {"measures": self._measures(table, at.randint(1, 2))}
        found |= {"agg": at.choice(_AGGREGATES)}
        found |= self._grouping(table, 0.35) | self._rows(table, 0.1)
        return found | self._sorting(table, found, 0.3)

    def _rank(self, table: EvidenceTable) -> Arguments:
        by = self._grouping(table, 0.15)
        names = self._names(table, 1, by.get("by"))
        order = self._at.choice(("asc", "desc", ""))
        return {"measure": self._measure(table), "rows": names, "order": order} | by

    def _range(self, table: EvidenceTable) -> Arguments:
        if self._at.random() < 0.1:
            return {"among": self._figures(table, 3)} | self._rows(table, 0.9)
        return {"measure": self._ordered(table)} | self._grouping(table, 0.15)

    def _missing(self, table: EvidenceTable) -> Arguments:
        return {"measure": self._measure(table) if self._at.random() < 0.8 else ""}

    def _absent(self, table: EvidenceTable) -> Arguments:
        return {"what": self._at.choice(("customer age", "weather", *columns_of(table)[:2]))}

    def _value(self, table: EvidenceTable) -> Arguments:
        found: Arguments = {"measures": self._measures(table, self._at.randint(1, 3))}
        draw = self._at.random()
        if draw < 0.5:
            return found | {"rows": self._names(table, self._at.randint(1, 3))}
        if draw < 0.75:
            return found | {"where": self._condition(table)}
        return found | self._grouping(table, 0.5)

    def _list(self, table: EvidenceTable) -> Arguments:
        found: Arguments = {"measures": self._measures(table, self._at.randint(0, 2))}
        found |= self._grouping(table, 0.15) | self._sorting(table, found, 0.5)
        return found | self._first(0.4, 6)

    def _which(self, table: EvidenceTable) -> Arguments:
        found: Arguments = {"measures": self._measures(table, self._at.randint(0, 2))}
        found |= self._grouping(table, 0.15) | self._sorting(table, found, 0.5)
        return found | {"where": self._condition(table)}

    def _top(self, table: EvidenceTable) -> Arguments:
        if self._at.random() < 0.1:
            found: Arguments = {"among": self._figures(table, 3)} | self._rows(table, 0.9)
        else:
            found = {"measure": self._ordered(table)} | self._grouping(table, 0.25)
        return found | self._first(0.4, 5)

    def _latest(self, table: EvidenceTable) -> Arguments:
        times = [spelt(each.name) for each in table.columns if each.kind in TIMES]
        measure = self._at.choice(times) if times else self._measure(table)
        return {"measure": measure} | self._first(0.4, 5)

    def _first(self, chance: float, most: int) -> Arguments:
        at = self._at
        return {at.choice(("n", "first")): at.randint(1, most)} if at.random() < chance else {}

    def _compare(self, table: EvidenceTable) -> Arguments:
        draw = self._at.random()
        if draw < 0.5:
            by = self._grouping(table, 0.2)
            return {"rows": self._names(table, 2, by.get("by")),
                    "measures": self._measures(table, self._at.randint(1, 2))} | by  # fmt: skip
        if draw < 0.65:
            return {"rows": self._names(table, 1), "measures": self._measures(table, 2)}
        if draw < 0.85:
            return {"a": self._aggregate(table), "b": self._aggregate(table)}
        column = self._figure(table)
        return {"rows": self._names(table, 1), "a": column, "b": f"avg({column})"}

    def _share(self, table: EvidenceTable) -> Arguments:
        draw, at = self._at.random(), self._at
        measure = self._figure(table) if at.random() < 0.8 else self._measure(table)
        if draw < 0.3:
            return {"measure": measure, "rows": self._names(table, at.randint(1, 2))} | (
                {"where": ""} if at.random() < 0.7 else {})  # fmt: skip
        if draw < 0.5:
            return {"measure": measure, "where": self._condition(table)}
        if draw < 0.6:
            return {"measure": measure, "where": ""}
        if draw < 0.75:
            by = self._grouping(table, 1.0)
            names = self._names(table, 1, by.get("by")) if at.random() < 0.6 else []
            return {"measure": measure, "rows": names} | by
        if draw < 0.82:
            return {"among": self._figures(table, 3), "rows": []}
        if draw < 0.92:
            return {"part": self._aggregate(table), "whole": self._aggregate(table)}
        return {"part": measure, "whole": f"sum({self._figure(table)})",
                "rows": self._names(table, 1)}  # fmt: skip

    def _change(self, table: EvidenceTable) -> Arguments:
        at = self._at
        times = [each for each in table.columns if each.kind in TIMES]
        if times and at.random() < 0.75:
            time = at.choice(times)
            found: Arguments = {"measure": self._figure(table), "over": time.name}
            cells = [text_of(row[table.columns.index(time)]) for row in table.rows]
            for end in ("start", "end"):
                if at.random() < 0.2 and cells:
                    found[end] = at.choice(cells)
            return found
        found = {"measures": self._measures(table, 2)}
        draw = at.random()
        if draw < 0.3:
            found |= {"rows": self._names(table, 1)}
        elif draw < 0.6:
            found |= {"total": True}
        return found | self._grouping(table, 0.1)

    def _check(self, table: EvidenceTable) -> Arguments:
        at = self._at
        sign = at.choice(("above", "below", "at least", "at most", "equal", "not equal"))
        if at.random() < 0.5:
            measure = self._figure(table)
            limit = f"avg({measure})" if at.random() < 0.3 else self._constant(table, measure)
            return {"rows": self._names(table, 1), "measure": measure, "is": sign, "limit": limit}
        return {"measure": self._aggregate(table), "is": sign, "limit": str(at.randint(-5, 900))}

    def _quote(self, table: EvidenceTable) -> Arguments:
        texts = [cell for row in table.rows for cell in row if isinstance(cell, str)]
        text = self._at.choice(texts) if texts else "nothing of it"
        return {"text": text[: self._at.randint(3, 30)], "where": ""}

    def _table(self, table: EvidenceTable) -> Arguments:
        found: Arguments = {}
        if self._at.random() < 0.7:
            names = columns_of(table)
            chosen = self._at.sample(names, min(len(names), self._at.randint(1, 3)))
            found["columns"] = [*map(spelt, chosen), *self._measures(table, 1)]
        if self._at.random() < 0.25:
            found |= self._grouping(table, 1.0)
            found["columns"] = self._measures(table, 2)
        found |= self._sorting(table, found, 0.4)
        return found | ({"first": self._at.randint(1, 5)} if self._at.random() < 0.3 else {})

    def _join(self, table: EvidenceTable) -> Arguments:
        other = self._at.choice([each for each in self._tables if each is not table])
        keys = [each.name for each in table.columns if each.kind in _NAMES]
        theirs = [each.name for each in other.columns if each.kind in _NAMES]
        if not keys or not theirs:
            return {}
        return {"join": {"with": other.name, "on": f"{keys[0]}={theirs[0]}"}}

    def _rows(self, table: EvidenceTable, chance: float) -> Arguments:
        return {"rows": self._names(table, 1)} if self._at.random() < chance else {}

    def _grouping(self, table: EvidenceTable, chance: float) -> Arguments:
        usable = [each.name for each in table.columns if each.kind is not CellKind.FIGURE]
        if not usable or self._at.random() >= chance:
            return {}
        count = 1 if self._at.random() < 0.85 else 2
        return {"by": self._at.sample(usable, min(count, len(usable)))}

    def _sorting(self, table: EvidenceTable, found: Arguments, chance: float) -> Arguments:
        at = self._at
        if at.random() >= chance:
            return {}
        texts = [*found.get("measures", ()), *found.get("columns", ())]
        if "by" not in found:
            texts.append(spelt(at.choice(columns_of(table))))
        if not texts:
            return {}
        head, _, alias = at.choice(texts).partition(" as ")
        name = alias or head
        return {"sort": at.choice((name, f"-{name}", f"{name} desc", f"{name} asc"))}
