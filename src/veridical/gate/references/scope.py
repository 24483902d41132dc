"""What an answer names and describes, sentence by sentence, and what leads up to each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridical.evidence.table import Table
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.parse import is_rows
from veridical.gate.kernel.value import EvaluationError, Selection
from veridical.gate.references.leaves import Leaf, base_rows, leaves
from veridical.gate.references.naming import (
    Mention,
    narrowed,
    piece_mention,
    quoted_mentions,
    telling_values,
    typed_mentions,
)
from veridical.gate.references.sentences import Sentence
from veridical.gate.references.shown import Asserted, Part
from veridical.gate.references.typed import TypedName
from veridical.gate.references.words import Words

_FAR = 30
_SENTENCES = 4
_NOWHERE = 10**9


class Scope:
    """The rows that the sentences of an answer speak of."""

    def __init__(
        self, tables: Sequence[Table], evaluator: Evaluator, found: Sequence[Sentence],
        typed: Sequence[TypedName], question: str, words: Words,
    ) -> None:  # fmt: skip
        self.evaluator = evaluator
        self._tables = tables
        totals = {table.name: table.totals for table in tables}
        typed = [
            each
            for each in typed
            if not all(rows <= totals.get(name, frozenset()) for name, rows in each.rows)
        ]
        self.sentences = found
        self.words = words
        self.question = question.casefold()
        self.single = {table.name for table in tables if len(table.members) <= 1}
        self.pieces = [piece for each in found for piece in each.pieces]
        self.mentions = [self._of_sentence(each, typed) for each in found]

    def _of_sentence(self, sentence: Sentence, typed: Sequence[TypedName]) -> list[Mention]:
        found: list[Mention] = []
        for piece in sentence.pieces:
            mention = piece_mention(piece) if piece.part is Part.NAME else None
            if mention is not None:
                found.append(mention)
            if piece.part is Part.QUOTE:
                found.extend(quoted_mentions(piece, self._tables))
        for claim in sentence.claims:
            for leaf in self.described_by(claim):
                found.append(_set(claim.start, claim.end, leaf, in_claim=True, item=claim.item))
            if isinstance(claim.expression, ex.Same) and claim.holds:
                leaf = Leaf(self.evaluator.rows(claim.expression.left), (), "rows")
                hint = _set(claim.start, claim.end, leaf, in_claim=True, item=claim.item)
                found.append(replace(hint, is_hint=True))
        for listed in sentence.lists:
            found.append(_set(listed.start, listed.end, Leaf(listed.rows, (), "rows")))
        for name in typed:
            if sentence.start <= name.start < sentence.end:
                found.extend(typed_mentions(name))
        return sorted(found, key=lambda each: each.start)

    def described_by(self, claim: Asserted) -> Iterator[Leaf]:
        """The sets of rows that the words of a claim describe."""
        found = claim.expression
        rows: list[ex.Rows] = []
        match found:
            case ex.Within(left, right):
                rows = [left, right]
            case ex.Quantified(_, within, condition):
                rows = [within]
                if condition is not None:
                    rows.append(ex.Where(within, *condition))
            case ex.Count(within):
                rows = [within]
            case ex.Same(_, right):
                rows = [right]
            case _ if found is not None and is_rows(found):
                rows = [found, base_rows(found)]
            case _:
                pass
        for each in rows:
            try:
                yield Leaf(self.evaluator.rows(each), (), "rows")
            except EvaluationError:
                continue

    def is_total(self, at: int, leaf: Leaf) -> bool:
        """Whether it is the row that sums up the others, and the text calls it so."""
        if not frozenset(leaf.rows.rows) <= leaf.rows.table.totals:
            return False
        places = [at, *self.context(at)][:3]
        return any(
            cue.has("aggregate.total") or cue.has("quantity.all") or cue.has("aggregate.share")
            for place in places
            for cue in self.words.cues(self.sentences[place].text)
        )

    def is_only_own(self, names: Sequence[Mention], leaf: Leaf) -> bool:
        """Whether rows that no value tells apart are called by what they have."""
        return not telling_values(leaf) and any(each.own == leaf.row_set for each in names)

    def is_named_before(self, at: int, leaf: Leaf) -> bool:
        """Whether what leads up to a sentence names the rows, or the question does."""
        for earlier in self.context(at):
            names = [each for each in self.mentions[earlier] if each.is_name]
            names = [each for each in names if each.concerns(leaf)]
            if names:
                if any(each.names(leaf) for each in names) or narrowed(names, leaf):
                    return True
                break
        return self.is_asked(leaf)

    def is_said(self, at: int, leaf: Leaf, subjects: Sequence[Leaf]) -> bool:
        """Whether the sentence, or any that leads up to it, names or describes the rows; names of
        other rows in the sentence speak against it."""
        own = [
            each
            for each in self.mentions[at]
            if each.is_name
            and not each.in_claim
            and each.concerns(leaf)
            and not each.is_wider(leaf)
        ]
        if own and not any(
            each.names(other) or each.is_wider(other) for each in own for other in subjects
        ):
            return False
        if len({each.start for each in own}) >= len({each.row_set for each in subjects}) and all(
            not each.names(leaf) for each in own
        ):
            return False
        near = [at, *self.context(at)][:_SENTENCES]
        mentions = [
            each
            for place in near
            for each in self.mentions[place]
            if each.concerns(leaf) and (place == at or each.item is None)
        ]
        if any(each.names(leaf) for each in mentions) or narrowed(mentions, leaf):
            return True
        return self._is_union(mentions, leaf) or self.is_asked(leaf) or self.is_total(at, leaf)

    def is_end(self, at: int, leaf: Leaf) -> bool:
        """Whether a row is the first or the last of rows that the sentence speaks of."""
        if len(leaf.rows.rows) != 1:
            return False
        row = leaf.rows.rows[0]
        sets = [each.rows for each in self.mentions[at] if len(each.rows[1]) > 1]
        for claim in self.sentences[at].claims:
            if isinstance(claim.expression, ex.Runs):
                sets += [each.row_set for each in leaves(claim.expression, self.evaluator)]
        return any(name == leaf.row_set[0] and row in (min(rows), max(rows)) for name, rows in sets)

    def are_ends(self, at: int, leaf: Leaf) -> bool:
        """Whether a sentence names the first and the last of these rows."""
        rows = leaf.row_set[1]
        named = {
            row
            for each in self.mentions[at]
            if each.is_name and each.rows[0] == leaf.row_set[0] and len(each.rows[1]) == 1
            for row in each.rows[1]
        }
        return len(rows) > 1 and {min(rows), max(rows)} <= named

    def is_asked(self, leaf: Leaf) -> bool:
        """Whether the question names the rows."""
        return any(value in self.question for value in telling_values(leaf) if len(value) > 1)

    def context(self, at: int) -> Iterator[int]:
        """The sentences that lead up to one, the nearest first."""
        sentence = self.sentences[at]
        if sentence.lead is not None:
            yield sentence.lead
            return
        for earlier in range(at - 1, -1, -1):
            if self.sentences[earlier].paragraph < sentence.paragraph - 1:
                return
            yield earlier

    def is_described(self, at: int, leaf: Leaf, *, for_list: bool = False) -> bool:
        """Whether the sentence or what leads up to it says which rows these are."""
        places = list(dict.fromkeys([at, *self.context(at), *range(at - 1, -1, -1)]))
        places += [
            after for after in range(at + 1, len(self.sentences))
            if self.sentences[after].lead == at
        ][:1]  # fmt: skip
        for number, place in enumerate(places):
            mentions = [each for each in self.mentions[place] if each.concerns(leaf)]
            if for_list:
                mentions = [each for each in mentions if _is_outside(each)]
            fitting = [each for each in mentions if each.names(leaf)]
            if fitting or self._is_union(mentions, leaf) or self._is_rest(place, mentions, leaf):
                return True
            if for_list and self._is_counted(place, leaf):
                return True
            if number == 0 and not for_list and any(is_other(each, leaf) for each in mentions):
                return False
        return self.is_asked(leaf)

    def _is_union(self, mentions: Sequence[Mention], leaf: Leaf) -> bool:
        named = [
            each.rows[1]
            for each in mentions
            if (each.is_name or each.is_hint) and each.rows[0] == leaf.row_set[0]
        ]
        return bool(named) and frozenset[int]().union(*named) == leaf.row_set[1]

    def _is_counted(self, place: int, leaf: Leaf) -> bool:
        return any(
            each.operation == "count" and each.row_set == leaf.row_set
            for piece in self.sentences[place].pieces
            for each in piece.leaves
        )

    def _is_rest(self, place: int, mentions: Sequence[Mention], leaf: Leaf) -> bool:
        """Whether a sentence leaves out all other rows: everything but the cold store."""
        sentence = self.sentences[place]
        text = sentence.text.casefold()
        said = [text.find(word) for word in self.words.leaving_out if word in text]
        if not said and not any(word in text for word in self.words.others):
            return False
        said = said or [_NOWHERE]
        behind = [each for each in mentions if each.start - sentence.start > min(said)]
        near = [each for each in behind[:1] if each.start - sentence.start - min(said) < _FAR]
        if any(each.is_name and each.rows[1] & leaf.row_set[1] for each in near):
            return False  # what is left out is not among the rest
        rest = frozenset(leaf.rows.table.members) - leaf.row_set[1]
        if any(each.rows[1] >= rest for each in mentions if each.is_name):
            return True
        if any(each.is_name and each.rows[1] - leaf.row_set[1] for each in mentions):
            return False  # it leaves out something else
        return len(rest) == 1 or all(self.is_asked(_only(leaf, row)) for row in rest)


def _set(
    start: int, end: int, leaf: Leaf, *, in_claim: bool = False, item: int | None = None
) -> Mention:
    values = telling_values(leaf)
    return Mention(
        start, end, leaf.row_set, None, values, in_claim, item, is_name=False,
        is_whole=leaf.is_whole,
    )  # fmt: skip


def _only(leaf: Leaf, row: int) -> Leaf:
    return Leaf(Selection(leaf.rows.table, (row,)), (), "rows")


def _is_outside(mention: Mention) -> bool:
    """Whether it is said apart from a list: a list does not describe itself."""
    return mention.item is None and (mention.is_name or mention.in_claim or mention.is_hint)


def is_other(mention: Mention, leaf: Leaf) -> bool:
    """Whether it is about other rows of the same table."""
    same = mention.rows[0] == leaf.row_set[0]
    return same and not mention.is_hint and not mention.rows[1] & leaf.row_set[1]
