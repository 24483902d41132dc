"""What conditions are about: whoever annotates may not choose a measure that nobody speaks of.

The writer of an answer knows what "the smallest" meant. One who annotates can look for a measure
by which the word is true. So the columns of a condition must be those of the sentence: by its
words, by its figures, or, where it has neither, by the question.
"""

from collections.abc import Iterator

from veridical.evidence.column import Kind
from veridical.gate.references.host import Host
from veridical.gate.references.leaves import leaves
from veridical.gate.references.sentences import Sentence, sentences
from veridical.gate.references.shown import Asserted, Part, Shown


def unspoken(shown: Shown, host: Host, question: str) -> Iterator[Asserted]:
    """The claims whose condition is about a measure that their sentence does not speak of."""
    found = sentences(shown)
    measures = {
        column.name
        for table in host.tables.values()
        for column in table.columns
        if column.kind is Kind.FIGURE
    }
    for sentence in found:
        spoken = _spoken(sentence, host)
        if sentence.lead is not None:
            spoken |= _spoken(found[sentence.lead], host)
        spoken = spoken or _labels(question, host)
        for claim in sentence.claims:
            if claim.expression is None:
                continue
            about = {
                name
                for leaf in leaves(claim.expression, host.evaluator)
                for name in leaf.columns
                if name in measures
            }
            if not about <= spoken:
                yield claim


def _spoken(sentence: Sentence, host: Host) -> set[str]:
    figures = {
        name
        for piece in sentence.pieces
        if piece.part is Part.FIGURE
        for leaf in piece.leaves
        for name in leaf.columns
    }
    return figures | _labels(sentence.text, host)


def _labels(text: str, host: Host) -> set[str]:
    return {name for label in host.index.find(text) for name in label.columns}
