"""The claims that the facts of a sentence allow it to make."""

from collections.abc import Iterable

from veridical.facts.fact import Fact
from veridical.facts.kernel import expression as ex

_OPERATORS = {
    ">": ("above", "more"), ">=": ("above", "more"), "<": ("below", "less"),
    "<=": ("below", "less"), "=": ("same",), "!=": ("other",),
}  # fmt: skip
FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4}
_NEAR = 0.001
_OF_ALL = frozenset({"total", "share", "change", "list", "table", "range", "value"})
_LEADING = ("highest", "more")
_TRAILING = ("lowest", "less")


def shows(fact: Fact) -> frozenset[str]:
    """Its own direction, order and quantifier, and the comparisons of its condition."""
    found = set(fact.claim.shows)
    population = fact.words.get("population")
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


def denies(fact: Fact) -> frozenset[str]:
    """The opposite claims."""
    return fact.claim.denies


def shown_by(facts: Iterable[Fact]) -> frozenset[str]:
    """All of them together."""
    return frozenset(each for fact in facts for each in shows(fact))


def _is_near(value: float, share: float) -> bool:
    return abs(value - share) <= _NEAR or abs(value / 100 - share) <= _NEAR


def _compared(condition: ex.Expression) -> Iterable[str]:
    if isinstance(condition, ex.Compare):
        yield from _OPERATORS[condition.operator]
    elif isinstance(condition, ex.Number):
        yield from (name for name, share in FRACTIONS.items() if _is_near(condition.value, share))
    elif isinstance(condition, ex.Blank):
        yield from ("none", "missing")
    for part in ex.parts_of(condition):
        yield from _compared(part)
