"""SOL: a technology is prescribed where a need is meant."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Names of products, with their version; quoted ones are names of something else."""
    quoted = tokens.quoted
    for hit in tokens.hits.get("SOL", ()):
        if hit.first in quoted or (
            not tokens.all[hit.first].text[0].isupper() and tokens.all[hit.first].text[0] != "."
        ):
            continue
        yield Mark(hit.first, _with_version(tokens, hit.end))


def _with_version(tokens: Tokens, end: int) -> int:
    if end < len(tokens.all) and tokens.all[end].is_number:
        end += 1
        if (
            end < len(tokens.all)
            and tokens.all[end].start == tokens.all[end - 1].end
            and tokens.all[end].is_word
        ):
            end += 1
    return end
