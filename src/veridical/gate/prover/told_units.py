"""What an answer and its question say about units apart from the figures themselves."""

import re

from veridical.evidence.dimension import Quantity
from veridical.evidence.unit import scale_factor
from veridical.gate.prover.agree import Told
from veridical.gate.prover.prepared import Prepared, Reading

_SCALE_WORD = re.compile(
    r"(?<![\d.,\s])(?<!\d )\s*(?P<han>[千万亿](?=[元件人欧美]|[，,。）)\s]))"
    r"|(?<!\w)(?<!\d )(?P<word>thousands?|k|T(?=CHF|EUR|USD)|Tsd|tausend|mio|millions?|millionen)"
    r"(?:\b|(?=CHF|EUR|USD))",
    re.IGNORECASE,
)


def told_units(ready: Prepared, answer: Reading, question: Reading) -> Told:
    """Currencies and scales that a figure may leave out."""
    return Told(_currencies(ready, question), declared_scales(answer.text))


def declared_scales(text: str) -> frozenset[float]:
    """Scales that a text names apart from figures: in TCHF, ($ thousand)."""
    found = {1.0}
    for match in _SCALE_WORD.finditer(text):
        factor = scale_factor(match["han"] or match["word"])
        if factor:
            found.add(factor)
    return frozenset(found)


def _currencies(ready: Prepared, question: Reading) -> frozenset[str]:
    """Currencies that the question names, where the evidence has no amounts of its own."""
    kept = [column.dimension for table in ready.tables for column in table.columns]
    if any(unit is not None and unit.quantity is Quantity.MONEY for unit in kept):
        return frozenset()
    units = [figure.dimension for figure in question.figures]
    return frozenset(
        unit.unit for unit in units if unit is not None and unit.quantity is Quantity.MONEY
    )
