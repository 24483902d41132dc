"""The claims that the facts of a sentence allow it to make."""

from collections.abc import Iterable, Mapping
from itertools import combinations

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.value import FactError

_OPERATORS = {
    ">": ("above", "more"), ">=": ("above", "more"), "<": ("below", "less"),
    "<=": ("below", "less"), "=": ("same",), "!=": ("other",),
}  # fmt: skip
FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4}
_NEAR = 0.001
_NEAR_DOUBLE = 0.25
_COMPARABLE = frozenset({"value", "a", "b", "n"})
_MOST = 40
_OF_ALL = frozenset({"total", "share", "change", "list", "table", "range", "value"})
_LEADING = ("highest", "more")
_TRAILING = ("lowest", "less")


def shows(fact: Fact) -> frozenset[str]:
    """Its own direction, order and quantifier, and the comparisons of its condition."""
    found = set(fact.claim.shows)
    population = fact.population
    condition = population.condition if population is not None else None
    condition = condition if condition is not None else fact.words.get("condition")
    if condition is not None:
        found |= set(_compared(condition))
        found.add("only")
    sort = fact.words.get("sort")
    if sort is not None:
        found |= set(_LEADING if sort[1] else _TRAILING)
        found |= {"highest", "lowest"} if "first" not in fact.template else set()
    if population is not None and population.truncated:
        found -= {"all", "together"}  # of what was returned, not of all there is
        return frozenset(found)
    whole = population is not None and population.condition is None and not population.names
    if whole and fact.form in _OF_ALL:
        found.add("all")
    return frozenset(found)


def shown_by(facts: Iterable[Fact]) -> frozenset[str]:
    """All of them together."""
    return frozenset(each for fact in facts for each in shows(fact))


def _is_near(value: float, share: float) -> bool:
    return abs(value - share) <= _NEAR or abs(value / 100 - share) <= _NEAR


def _compared(condition: ex.Expression) -> Iterable[str]:
    for part in ex.walk(condition):
        match part:
            case ex.Compare(operator):
                yield from _OPERATORS[operator]
            case ex.Number(value):
                yield from (name for name, share in FRACTIONS.items() if _is_near(value, share))
            case ex.Blank():
                yield from ("none", "missing")
            case _:
                pass


def standing(fact: Fact, frames: Mapping[str, Frame]) -> str:
    """Whether the one row of a value is ``highest`` or ``lowest`` by it, or ``between``; empty
    where that can't be computed."""
    rows, measures = (fact.claim.arguments.get(name, ()) for name in ("rows", "measures"))
    if fact.form != "value" or len(rows) != 1 or len(measures) != 1:
        return ""
    wanted = Arguments(
        say="rank", result=fact.claim.result, rows=tuple(rows), measures=(measures[0],)
    )
    try:
        found = evaluate(wanted, frames).claim.values
    except FactError:
        return ""
    ends = {1: "highest", found["of"]: "lowest"}
    return ends.get(found["rank"], "between")


def by_figures(facts: Iterable[Fact]) -> frozenset[str]:
    """Half and double, by the figures of any two facts of a sentence or of a comparison; and both
    directions, where two facts measure the same: either may be the earlier one."""
    figures = [
        (fact, part.value.value)
        for fact in facts
        for name, part in fact.parts.items()
        if name.rpartition(".")[2] in _COMPARABLE and part.value is not None
        and isinstance(part.value.value, float)
    ]  # fmt: skip
    found: set[str] = set()
    for (one, left), (other, right) in combinations(figures[:_MOST], 2):
        smaller, larger = sorted((abs(left), abs(right)))
        if smaller and abs(larger / smaller - 2) <= _NEAR_DOUBLE:
            found |= {"half", "double"}
        if one is not other and one.form == other.form and one.columns == other.columns:
            found |= {"up", "down"}
    return frozenset(found)
