"""Times that are taken from each other, and what such a duration is divided by."""

from sqlglot import exp

from veridical.check.facts import Applied, Kind, Term
from veridical.check.sql.literals import literal_of
from veridical.check.sql.scope import Scope
from veridical.ontology.model import Encoding

_OF_SECONDS = frozenset({60, 3600, 86_400, 604_800})
_NO_DIVISORS: dict[Encoding | None, frozenset[int]] = {
    Encoding.UNIX_MILLISECONDS: _OF_SECONDS,
    Encoding.UNIX_SECONDS: frozenset(1000 * each for each in (1, *_OF_SECONDS)),
}
"""What a duration in the one is divided by where it is taken for the other."""


def is_duration(left: tuple[Term, ...], right: tuple[Term, ...]) -> bool:
    """A stored time taken from another one, however it is put together, or from a time that is
    written out."""
    if not right or not _are_times(right):
        return bool(left) and bool(right) and _are_times(left)
    return len(left) <= 1 or _are_times(left)


def _are_times(terms: tuple[Term, ...]) -> bool:
    return all(term.origin.column.encoding is not None for term in terms)


def note_subtraction(
    scope: Scope, node: exp.Expr, left: tuple[Term, ...], right: tuple[Term, ...]
) -> None:
    """20250301 less 20250228 is 73 and no number of days."""
    if not left or not right:
        return
    for side, terms in ((node.this, left), (node.expression, right)):
        for term in terms if isinstance(side.unnest(), exp.Column) else ():
            if term.origin.column.encoding is Encoding.YYYYMMDD and not term.via:
                scope.work.facts.applied.append(Applied("-", term.origin))


def note_division(scope: Scope, node: exp.Expr, left: tuple[Term, ...]) -> None:
    """Milliseconds by 3600 are no hours, and seconds by 3,600,000 are none."""
    divisor = literal_of(node.expression)
    if divisor is None or divisor.kind is not Kind.NUMBER or node.this.find(exp.Literal):
        return
    for term in left:
        wrong = _NO_DIVISORS.get(term.origin.column.encoding)
        if wrong is not None and term.via and divisor.value in wrong:
            scope.work.facts.applied.append(Applied(f"/ {divisor.value}", term.origin))
