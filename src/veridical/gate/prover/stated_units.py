"""Units that an answer and its question state apart from the figures themselves."""

import re

from veridical.evidence.dimension import Quantity
from veridical.evidence.unit import scale_factor
from veridical.gate.languages.forms import any_of, forms
from veridical.gate.prover.agree import Told
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import marks

_FORMS = forms()
_ENDING = marks(",)") + marks(".").removeprefix(".")
"""Signs that end a scale; a plain point may also shorten a word."""
_SCALE_WORD = late_pattern(
    rf"(?<![\d.,\s])(?<!\d )\s*(?P<han>(?:{any_of(_FORMS.scale_sign)})"
    rf"(?={any_of(_FORMS.scaled)}|[{_ENDING}\s]))"
    rf"|(?<!\w)(?<!\d )(?P<word>{any_of(_FORMS.scale)}"
    rf"|(?:{any_of(_FORMS.scale_prefix)})(?=CHF|EUR|USD))"
    r"(?:\b|(?=CHF|EUR|USD))",
    re.IGNORECASE,
)


def stated_units(ready: Prepared, answer: ReadText, question: ReadText) -> Told:
    """Currencies and scales that a figure may leave out."""
    measures = frozenset(
        figure.dimension.unit
        for figure in question.figures
        if figure.dimension is not None and figure.dimension.quantity is Quantity.MEASURE
    )
    return Told(_currencies(ready, question), measures, declared_scales(answer.text))


def declared_scales(text: str) -> frozenset[float]:
    """Scales that a text names apart from figures: in TCHF, ($ thousand)."""
    found = {1.0}
    for match in _SCALE_WORD.finditer(text):
        factor = scale_factor(match["han"] or match["word"])
        if factor:
            found.add(factor)
    return frozenset(found)


def _currencies(ready: Prepared, question: ReadText) -> frozenset[str]:
    """Currencies that the question names, where the evidence has no amounts of its own."""
    kept = [column.dimension for table in ready.tables for column in table.columns]
    if any(unit is not None and unit.quantity is Quantity.MONEY for unit in kept):
        return frozenset()
    units = [figure.dimension for figure in question.figures]
    return frozenset(
        unit.unit for unit in units if unit is not None and unit.quantity is Quantity.MONEY
    )
