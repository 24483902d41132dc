"""No column must have two values at once."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Filter, Kind, Problem, distinct
from veridical.contracts.violation import Code

_WRITTEN = (Kind.TEXT, Kind.NUMBER)


def find(context: Context) -> Iterable[Problem]:
    """Filters on one column that no row can meet together."""
    filters = context.facts.filters
    if len(filters) < 2:
        return ()
    found: list[Problem] = []
    first: dict[tuple[int, str], Filter] = {}
    for each in filters:
        if each.op != "=" or len(each.values) != 1 or each.values[0].kind not in _WRITTEN:
            continue
        place = (each.origin.use, each.origin.column.name)
        other = first.setdefault(place, each)
        one, two = str(other.values[0].value), str(each.values[0].value)
        if one != two:
            values = (("one", one), ("other", two))
            found.append(Problem(Code.CONTRADICTION, place[1], None, "", values))
    return distinct(found)
