"""A story: what is true about one question, with the evidence that says so."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.answer_gate.own.values import Percent, Value
from veridical.gate.evidence.exhibit import Exhibit

Path = tuple[str | int, ...]
"""Where a value stands: ``("total",)``, ``("best", "month")``, ``("rows", 2, "amount")``."""
Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Story:
    """All that an answer may state about one question."""

    type: str
    values: Mapping[str, Value | Row]
    exhibits: tuple[Exhibit, ...]
    rows: tuple[Row, ...] = ()
    swaps: tuple[tuple[Path, Path], ...] = ()
    """Values that a careless writer may take for each other."""
    slips: Mapping[str, tuple[Percent, ...]] = field(default_factory=dict[str, tuple[Percent, ...]])
    """Percentages computed on the wrong base."""
    illegal: Value | None = None
    """A sum that is right as arithmetic and forbidden by the measure."""

    def at(self, path: Path) -> Value:
        """The value at this place."""
        if path[0] == "rows":
            return self.rows[int(path[1])][str(path[2])]
        found = self.values[str(path[0])]
        return found[str(path[1])] if isinstance(found, Mapping) else found

    def having(self, path: Path, value: Value) -> "Story":
        """The same story with another value at this place."""
        if path[0] == "rows":
            rows = list(self.rows)
            rows[int(path[1])] = {**rows[int(path[1])], str(path[2]): value}
            return replace(self, rows=tuple(rows))
        name = str(path[0])
        found = self.values[name]
        new = {**found, str(path[1]): value} if isinstance(found, Mapping) else value
        return replace(self, values={**self.values, name: new})


def as_dictionaries(exhibit: Exhibit) -> list[dict[str, Any]]:
    """The exhibit's rows by column name."""
    if exhibit.calculation is not None:
        return [{"result": exhibit.calculation.value}]
    return [dict(zip(exhibit.columns, row, strict=True)) for row in exhibit.rows]
