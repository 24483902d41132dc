"""A condition that a model puts on all rows of a table, as a constraint."""

import re

from veridical.ontology.importers.imported import Draft
from veridical.ontology.model import Constraint, ConstraintRule
from veridical.ontology.row_condition import RowConditionError, parts_of

_IS_TRUTH = re.compile(r"(?i)\bIS\s+(NOT\s+)?(TRUE|FALSE)\b")


def add_row_filter(entity: str, condition: str, path: str, draft: Draft) -> None:
    """Demand the condition of every figure; one that can't be read is noted as unprotected."""
    text = " ".join(_IS_TRUTH.sub(_compared, condition).replace('"', "'").split())
    try:
        parts_of(text)
    except RowConditionError:
        draft.unprotected(path, "condition_unreadable", condition=text)
        return
    rule = Constraint(applies_to=entity, rule=ConstraintRule.COUNTS_ONLY, condition=text)
    if rule not in draft.constraints:
        draft.constraints.append(rule)
    draft.kept(path, "rows_that_count", condition=text)


def _compared(found: re.Match[str]) -> str:
    return f"{'<>' if found[1] else '='} {found[2].upper()}"
