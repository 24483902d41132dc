"""Sums that a model declares over what does not add up by its name: a price, a rate, a stock."""

from collections.abc import Iterable
from typing import Final

from veridical.ontology.importers.imported import Draft
from veridical.ontology.model import Constraint, ConstraintRule
from veridical.ontology.name_kinds import NameKind, kinds_of

_SELDOM_SUMMED: Final = (
    NameKind.RATE,
    NameKind.PRICE,
    NameKind.MEAN,
    NameKind.LEVEL,
    NameKind.SNAPSHOT,
)


def warn_by_name(
    entity: str, field: str | None, names: Iterable[str], path: str, draft: Draft
) -> None:
    """Warn about sums of this field, and note them: a name is no proof, so nothing is refused."""
    found = [kind for name in (field or "", *names) for kind in kinds_of(name)]
    kind = next((each for each in _SELDOM_SUMMED if each in found), None)
    if kind is None:
        return
    draft.unprotected(path, f"sum_of_{kind}")
    target = f"{entity}.{field}"
    if field and target not in draft.warned:
        draft.warned.add(target)
        rule = Constraint(applies_to=target, rule=ConstraintRule.NEVER_SUM, warns=True)
        draft.constraints.append(rule)
