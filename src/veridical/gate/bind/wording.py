"""What an answer's words can't be about at all: most answers compare, add up and change nothing.

The words are folded once; looking them up here saves looking for phrases in every sentence.
"""

from collections.abc import Collection
from dataclasses import dataclass

from veridical.ontology.terms import fold
from veridical.reading.listed import listed

_COMPARING = listed(
    fold(
        """als than vs versus gegenüber compared vergleich relative exceeds exceed exceeded
        exceeding outsold outsells outperformed surpassed beat above below ahead behind vor hinter
        übertrifft 比 较 于 超"""
    )
)
_CHANGING = listed(
    fold(
        """more less fewer higher lower greater above below mehr weniger höher tiefer niedriger über
        unter um by difference differenz increase decrease rise drop growth change zunahme abnahme
        rückgang anstieg up down plus minus 加 少 长 降 动 化 差"""
    )
)
_WHOLE = listed(
    fold(
        """total sum summe insgesamt zusammen altogether overall combined together average mean all
        alle aller allen other others andere anderer anderen übrige übriger übrigen rest 合 总 平 共
        其"""
    )
)
_WHOLE_STARTS = (" gesamt", " durchschnitt", " mittel")


@dataclass(frozen=True, slots=True)
class Wording:
    """Which kinds of words an answer has anywhere."""

    compares: bool = True
    changes: bool = True
    sums_up: bool = True

    @staticmethod
    def of(words: Collection[str]) -> "Wording":
        """From the folded words of an answer."""
        return Wording(
            not _COMPARING.isdisjoint(words),
            not _CHANGING.isdisjoint(words),
            not _WHOLE.isdisjoint(words) or _speaks_of_whole(words),
        )


def _speaks_of_whole(words: Collection[str]) -> bool:
    joined = " ".join(("", *words))
    return any(start in joined for start in _WHOLE_STARTS)
