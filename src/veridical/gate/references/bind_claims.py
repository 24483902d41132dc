"""Binding of claims: what a condition is about is what the sentence is about."""

from collections.abc import Iterator, Sequence

from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.references.bind import row_label
from veridical.gate.references.described import asked_values
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.leaves import Leaf, base_rows, leaves
from veridical.gate.references.naming import (
    Mention,
    narrowed,
    piece_mention,
    telling_values,
)
from veridical.gate.references.scope import Scope
from veridical.gate.references.sentences import PARTING
from veridical.gate.references.shown import Asserted, Part
from veridical.gate.references.words import claims_something


class ClaimBinder:
    """Checks that claims stand with the names of their rows."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def findings(self) -> Iterator[Finding]:
        """All claims about rows that their sentence does not name."""
        for at, sentence in enumerate(self._scope.sentences):
            for claim in sentence.claims:
                yield from self._claim(at, claim)

    def _claim(self, at: int, claim: Asserted) -> Iterator[Finding]:
        found = claim.expression
        if found is None or not claim.holds:
            return
        base = _base(found)
        if base is not None:
            leaf = Leaf(self._scope.evaluator.rows(base), (), "rows")
            if not leaf.is_whole and not self._scope.is_described(at, leaf):
                yield Finding(Problem.ROWS, claim.start, claim.end, claim.source)
                return
        yield from self._inside(at, claim, found)
        if self._only_affirms(at, claim):
            return
        for subject in self._unnamed(at, claim, found):
            yield Finding(Problem.NAME, claim.start, claim.end, claim.source, row_label(subject))
            return

    def _inside(self, at: int, claim: Asserted, found: ex.Expression) -> Iterator[Finding]:
        """Names in the words of a claim that its condition has nothing to do with."""
        about = [*leaves(found, self._scope.evaluator), *self._scope.described_by(claim)]
        if isinstance(found, ex.Same | ex.Within):
            about += [Leaf(self._scope.evaluator.rows(found.left), (), "rows")]
        values = {value.casefold() for value in asked_values(found)}
        for piece in self._scope.sentences[at].pieces:
            if piece.part is not Part.NAME or not claim.start <= piece.start < claim.end:
                continue
            mention = piece_mention(piece)
            if mention is None or any(mention.names(leaf) for leaf in about):
                continue
            if mention.values & values or any(mention.own == leaf.row_set for leaf in about):
                continue
            if any(value in piece.text.casefold() for value in values):
                continue
            if any(mention.rows[1] >= leaf.row_set[1] and mention.is_whole for leaf in about):
                continue
            yield Finding(Problem.NAME, piece.start, piece.end, piece.source)

    def _only_affirms(self, at: int, claim: Asserted) -> bool:
        """Whether it says yes or no, and so is about what the question is about."""
        sentence = self._scope.sentences[at]
        said = sentence.text[claim.start - sentence.start : claim.end - sentence.start]
        kinds = [
            {kind for kind in cue.kinds if claims_something(kind)}
            for cue in self._scope.words.cues(said)
        ]
        return bool(kinds) and all(each & {"affirm.yes", "affirm.no"} for each in kinds)

    def _unnamed(self, at: int, claim: Asserted, found: ex.Expression) -> Iterator[Leaf]:
        """The rows of a claim that the sentence does not name where it should."""
        subjects = _claim_subjects(found, self._scope.evaluator)
        telling = [
            each
            for each in subjects
            if not each.is_whole
            and each.rows.table.name not in self._scope.single
            and not self._scope.is_total(at, each)
        ]
        inside = [
            each
            for each in self._scope.mentions[at]
            if each.is_name and claim.start <= each.start < claim.end
        ]
        for number, leaf in enumerate(telling):
            is_object = number > 0 or (len(telling) == 1 < len(subjects) and subjects[0] != leaf)
            same = number > 0 and telling_values(leaf) & telling_values(telling[0])
            if is_object and inside and not same:
                if not any(each.names(leaf) for each in inside if each.concerns(leaf)):
                    yield leaf
            elif len(telling) > 1 and not inside:
                several = len(leaf.rows.rows) > 1
                described = several and self._scope.is_described(at, leaf)
                if not described and not self._scope.is_said(at, leaf, telling):
                    yield leaf
            elif not self._is_about(at, claim, leaf, telling):
                yield leaf

    def _is_about(self, at: int, claim: Asserted, leaf: Leaf, subjects: Sequence[Leaf]) -> bool:
        """Whether the rows of a claim are the nearest that the sentence names, before or after."""
        names = [each for each in self._scope.mentions[at] if each.is_name and each.concerns(leaf)]
        if claim.item is not None:
            names = [each for each in names if each.item == claim.item] or names
        if narrowed(names, leaf) or self._scope.is_only_own(names, leaf):
            return True
        if len(leaf.rows.rows) > 1 and (
            self._scope.are_ends(at, leaf)
            or any(each.names(leaf) for each in self._scope.mentions[at])
        ):
            return True
        if self._follows_figure(at, claim, leaf):
            return True
        others = [each for each in subjects if each is not leaf]
        inside = [
            each
            for each in names
            if claim.start <= each.start < claim.end and not any(map(each.names, others))
        ]
        before = [each for each in names if each.end <= claim.start and not each.is_wider(leaf)]
        after = [each for each in names if each.start >= claim.end and not each.is_wider(leaf)]
        outside = [each for each in before if not each.in_claim]
        near = [*before[-1:], *outside[-1:], *([] if before else inside)]
        if after and (not before or self._is_nearer(at, claim, after[0], before[-1])):
            near.append(after[0])
        if any(each.names(leaf) for each in near):
            return True
        if near:
            return False
        said = self._scope.is_named_before(at, leaf) or self._scope.is_described(at, leaf)
        return said or (len(leaf.rows.rows) > 1 and self._scope.is_said(at, leaf, subjects))

    def _follows_figure(self, at: int, claim: Asserted, leaf: Leaf) -> bool:
        """Whether the last figure before a claim is of its row: 49, second most after Bern."""
        figures = [
            each
            for each in self._scope.sentences[at].pieces
            if each.part is Part.FIGURE and each.end <= claim.start and each.leaves
        ]
        return bool(figures) and figures[-1].leaves[0].row_set == leaf.row_set

    def _is_nearer(self, at: int, claim: Asserted, after: Mention, before: Mention) -> bool:
        sentence = self._scope.sentences[at]
        ahead = sentence.text[before.end - sentence.start : claim.start - sentence.start]
        behind = sentence.text[claim.end - sentence.start : after.start - sentence.start]
        return _weight(behind) <= _weight(ahead)


def _claim_subjects(found: ex.Expression, evaluator: Evaluator) -> tuple[Leaf, ...]:
    match found:
        case ex.Same() | ex.Within():
            return leaves(found, evaluator)[:1]
        case ex.Compare(left, _, right):
            first = leaves(left, evaluator)
            second = leaves(right, evaluator)
            several = {leaf.row_set for leaf in (*first, *second)}
            return first[:1] if len(several) <= 1 else (*first, *second[:1])
        case ex.Not(inner):
            return _claim_subjects(inner, evaluator)
        case ex.Runs():
            return leaves(found, evaluator)
        case _:
            return ()


def _base(found: ex.Expression) -> ex.Rows | None:
    """The rows that a rank is over."""
    match found:
        case ex.Same(_, ex.Ranked() as ranked) | ex.Within(_, ex.Ranked() as ranked):
            return base_rows(ranked)
        case ex.Ranked() | ex.Sorted():
            return base_rows(found)
        case ex.Not(inner):
            return _base(inner)
        case _:
            return None


def _weight(between: str) -> int:
    return len(between) + 24 * len(PARTING.findall(between))
