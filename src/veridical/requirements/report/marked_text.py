"""A requirement's text as HTML, with a mark on what was found: reasons on pointing, links below."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.contracts.language import Language
from veridical.gate.proof_html import escape
from veridical.requirements.finding import Finding, Weight
from veridical.requirements.policy.issue import Issue

_WEIGHTS = list(Weight)


def marked_text(
    text: str, issues: Sequence[tuple[str, Issue]], language: Language
) -> Iterator[str]:
    """The text in pieces; ``issues`` come with the id of the item that explains each."""
    found = [
        (anchor, issue, issue.cause)
        for anchor, issue in issues
        if isinstance(issue.cause, Finding) and issue.cause.start < issue.cause.end
    ]
    cuts = sorted({0, len(text), *(at for _, _, one in found for at in (one.start, one.end))})
    for begin, end in pairwise(cuts):
        here = [each for each in found if each[2].start <= begin and end <= each[2].end]
        words = escape(text[begin:end])
        if not here:
            yield words
            continue
        worst = min((issue.weight for _, issue, _ in here), key=_WEIGHTS.index)
        reasons = escape("\n".join(issue.reason(language) for _, issue, _ in here))
        links = "".join(
            f'<sup><a href="#{anchor}">{escape(issue.rule)}</a></sup>'
            for anchor, issue, one in here
            if one.end == end
        )
        yield f'<mark class="{worst.value}" title="{reasons}">{words}{links}</mark>'
