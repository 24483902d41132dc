"""The words of claims: each that claims something must be licensed by its condition."""

from collections.abc import Iterator, Sequence

from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.references.described import asked_values
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.label_cues import LabelCues
from veridical.gate.references.leaves import leaves
from veridical.gate.references.licence import Licence, denied, licence
from veridical.gate.references.shown import Asserted, Part, Shown
from veridical.gate.references.words import DENYING as _DENYING
from veridical.gate.references.words import Words, claims_something
from veridical.late_pattern import late_pattern
from veridical.reading.numbers import read_figure

_LONG = 8
_NUMBER = late_pattern(r"\d[\d.,'’]*")
_NEAR = 80


class ClaimedWords:
    """Checks the words and numbers of claims against what their conditions license."""

    def __init__(self, shown: Shown, evaluator: Evaluator, words: Words, labels: LabelCues) -> None:
        self._shown = shown
        self._evaluator = evaluator
        self._words = words
        self._labels = labels

    def findings(self) -> Iterator[Finding]:
        """All words and numbers that a condition does not say."""
        for number, claim in enumerate(self._shown.claims):
            if claim.expression is None or not claim.holds:
                continue
            text = "".join(
                piece.text if piece.part is Part.PROSE else "\x00" * len(piece.text)
                for piece in self._shown.pieces
                if piece.claim == number
            )
            cues = self._cues(claim.expression, text)
            granted = licence(claim.expression, self._evaluator)
            rest = self._undenied(claim.expression, cues, granted)
            yield from self._worded(claim, text, rest, granted)
            yield from self._numbers(claim, text, cues, granted)

    def _cues(self, found: ex.Expression, text: str) -> list[Cue]:
        """The words that claim something, without those that only name a column or a value."""
        used = {name for leaf in leaves(found, self._evaluator) for name in leaf.columns}
        values = tuple(asked_values(found))
        return [
            cue
            for cue in self._words.cues(text)
            if any(map(claims_something, cue.kinds))
            and not self._labels.is_name(cue, text, frozenset(used), values)
        ]

    def _undenied(self, found: ex.Expression, cues: Sequence[Cue], granted: Licence) -> list[Cue]:
        """The words without a not and what follows it, where the opposite licenses that."""
        opposite = denied(found)
        for at, cue in enumerate(cues):
            behind = cues[at + 1 :]
            if not cue.kinds & _DENYING or cue.kinds & granted.kinds & _DENYING or not behind:
                continue
            if all(each.kinds & opposite for each in behind):
                return list(cues[:at])
        return list(cues)

    def _worded(
        self, claim: Asserted, text: str, cues: Sequence[Cue], granted: Licence
    ) -> Iterator[Finding]:
        licensed: list[Cue] = []
        around = self._shown.text[max(0, claim.start - _NEAR) : claim.end + _NEAR]
        cues = [cue for cue in cues if not self._is_explained(claim, cue, cues)]
        ranked = list(self._words.base.ordinal.finditer(text.lower()))
        for cue in cues:
            if any(m.start() <= cue.start < m.end() for m in ranked if granted.ranks):
                continue
            kinds = self._kinds(cue, text, around, granted)
            if kinds & granted.kinds and not self._is_other_rank(cue.text, granted):
                licensed.append(cue)
                continue
            start = claim.start + cue.start
            yield Finding(Problem.WORDS, start, start + len(cue.text), cue.text, claim.source)
        for match in ranked:
            rank = self._rank(match[0])
            if rank in granted.ranks or (not granted.ranks and rank in granted.numbers):
                continue
            if not any(cue.start <= match.start() < cue.end for cue in licensed):
                start = claim.start + match.start()
                yield Finding(Problem.WORDS, start, start + len(match[0]), match[0], claim.source)

    def _is_explained(self, claim: Asserted, cue: Cue, cues: Sequence[Cue]) -> bool:
        """Whether a not before a word that nobody knows stands beside its condition."""
        denying = all(each.kinds & _DENYING for each in cues)
        return (
            denying
            and bool(cue.kinds & _DENYING)
            and any(
                piece.part is Part.GLOSS and claim.start <= piece.start < claim.end
                for piece in self._shown.pieces
            )
        )

    def _kinds(self, cue: Cue, text: str, around: str, granted: Licence) -> set[str]:
        """What a word may claim here; the most of an unknown quality may be either end."""
        found = {kind for kind in cue.kinds if claims_something(kind)}
        falls = any(each.has("direction.down") for each in self._words.cues(around))
        if falls and "fell.most" in granted.kinds:  # the largest loss is the lowest change
            found = {"fell.most"} if "rank.high" in found else found - {"rank.low"}
        if cue.text in self._words.most and self._labels.is_quality(text[cue.end :]):
            found.add("rank.either")
        return found

    def _is_other_rank(self, word: str, granted: Licence) -> bool:
        """Whether a superlative names a rank of its own: dritthöchste."""
        rank = self._rank(word) if len(word) > _LONG else None
        return rank is not None and rank > 1 and rank not in granted.ranks

    def _rank(self, word: str) -> int | None:
        ordinals = self._words.base.ordinals
        return next((at for each, at in ordinals.items() if word.startswith(each)), None)

    def _numbers(
        self, claim: Asserted, text: str, cues: Sequence[Cue], granted: Licence
    ) -> Iterator[Finding]:
        for match in _NUMBER.finditer(text):
            said = match[0].rstrip(".,'’")
            values = {reading.value for reading in read_figure(said)}
            if not any(_near(value, each) for value in values for each in granted.numbers):
                start = claim.start + match.start()
                yield Finding(Problem.NUMBER, start, start + len(said), said, claim.source)
        taken = [cue for cue in cues if cue.kinds & granted.kinds]
        for match in self._words.base.number.finditer(text.lower()):
            value = float(self._words.base.numbers[match[0]])
            covered = any(cue.start <= match.start() < cue.end for cue in taken)
            if match[0] in self._words.base.articles or covered:
                continue
            if value not in granted.numbers and value not in granted.ranks:
                start = claim.start + match.start()
                yield Finding(Problem.NUMBER, start, start + len(match[0]), match[0], claim.source)


def _near(value: float, other: float) -> bool:
    return abs(value - other) <= 1e-6 * max(1.0, abs(other))
