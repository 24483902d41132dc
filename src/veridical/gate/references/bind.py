"""Binding: a figure, a list or a name stands with the name of its own rows."""

from collections.abc import Iterator

from veridical.evidence.moment import Moment
from veridical.gate.kernel import expression as ex
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.leaves import Leaf, base_rows, leaves
from veridical.gate.references.naming import (
    Mention,
    narrowed,
)
from veridical.gate.references.scope import Scope, is_other
from veridical.gate.references.sentences import PARTING
from veridical.gate.references.shown import Listed, Part, Piece
from veridical.gate.references.sound import is_sound
from veridical.gate.references.times import row_moments
from veridical.reading.punctuation import marks

_REACH = 16
_PAIR = 2
_CLOSE = 6
_COLONS = tuple(marks(":"))


class Binder:
    """Checks the names and sets of an answer's figures."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def findings(self) -> Iterator[Finding]:
        """All figures, lists and claims that stand with the wrong rows, or with none."""
        for at, sentence in enumerate(self._scope.sentences):
            for piece in sentence.pieces:
                if piece.leaves and piece.part in (Part.FIGURE, Part.NAME, Part.BLANK):
                    yield from self._piece(at, piece)
                if piece.part is Part.FIGURE and piece.expression is not None:
                    if not is_sound(piece.expression, self._scope.evaluator):
                        yield Finding(Problem.UNSOUND, piece.start, piece.end, piece.source)
                    yield from self._counted_all(at, piece)
                    yield from self._counted_others(at, piece)
                    yield from self._spanned(at, piece)
            for listed in sentence.lists:
                leaf = Leaf(listed.rows, (), "rows")
                by_hand = isinstance(listed.expression, ex.Named)
                whole = leaf.is_whole or by_hand
                cut = isinstance(listed.expression, ex.Nth) and not leaf.is_whole
                if self._leaves_out_blanks(listed):
                    continue
                if cut or (not whole and not self._scope.is_described(at, leaf, for_list=True)):
                    end = min(listed.end, sentence.end)
                    yield Finding(Problem.ROWS, listed.start, end, listed.source)

    def _leaves_out_blanks(self, listed: Listed) -> bool:
        """Whether a list only leaves out rows that have nothing in a column that it shows."""
        rows = base_rows(listed.expression)
        match rows:
            case ex.Blank(ex.Table(), column, False):
                pass
            case ex.Where(ex.Table(), ex.Own(column), ex.Comparator.MORE, ex.Number(0.0, _)):
                pass
            case _:
                return False
        return any(
            column in leaf.columns
            for piece in self._scope.pieces
            if listed.start <= piece.start < listed.end
            for leaf in piece.leaves
        )

    def _piece(self, at: int, piece: Piece) -> Iterator[Finding]:
        subjects = _subjects(piece)
        for leaf in subjects:
            if not leaf.rows.rows or leaf.rows.table.name in self._scope.single or leaf.is_whole:
                continue
            if self._scope.is_total(at, leaf):
                continue
            alone = len(subjects) == 1
            single = len(leaf.rows.rows) == 1 and leaf.operation == "cell"
            fits = self._is_named(at, piece, leaf, alone=alone) or self._is_one_end(at, piece, leaf)
            fits = fits or self._scope.are_ends(at, leaf)
            nearest = alone and leaf.operation != "count" and self._is_of_another(at, leaf)
            if not fits and not single and not nearest:
                fits = self._scope.is_described(at, leaf)
            if not fits:
                problem = Problem.NAME if single else Problem.ROWS
                yield Finding(problem, piece.start, piece.end, piece.source, row_label(leaf))
                return

    def _is_one_end(self, at: int, piece: Piece, leaf: Leaf) -> bool:
        """Whether two figures are those of the first and the last row spoken of: from 5 to 9."""
        pair = [
            each.leaves[0]
            for each in self._scope.sentences[at].pieces
            if each.part is Part.FIGURE
            and len(each.leaves) == 1
            and each.leaves[0].columns == leaf.columns
        ]
        if len(pair) != _PAIR or not all(self._scope.is_end(at, each) for each in pair):
            return False
        first, last = (each.rows.rows[0] for each in pair)
        return first < last and any(each.row_set == leaf.row_set for each in pair)

    def _is_of_another(self, at: int, leaf: Leaf) -> bool:
        """Whether a sentence names these rows and others too, so that the nearest counts."""
        names = [each for each in self._scope.mentions[at] if each.is_name and not each.in_claim]
        others = [each for each in names if is_other(each, leaf)]
        return bool(others) and any(each.names(leaf) for each in names)

    def _counted_all(self, at: int, piece: Piece) -> Iterator[Finding]:
        """The number of all rows where a sentence is about some: nine of nine were late."""
        leaf = piece.leaves[0] if len(piece.leaves) == 1 else None
        if leaf is None or not leaf.is_whole or not isinstance(piece.expression, ex.Count):
            return
        sentence = self._scope.sentences[at]
        sets = [
            each
            for each in self._scope.mentions[at]
            if _is_part(each, leaf)
            and len(each.rows[1]) > 1
            and each.item is None
            and not each.is_hint
            and not (each.start > piece.end and self._goes_on(at, piece))
        ]
        following = [
            each
            for each in self._scope.sentences[at + 1 : at + 3]
            if each.lead == at and each.lists and sentence.text.rstrip().endswith(_COLONS)
        ]
        sets += [
            mention
            for each in following
            for mention in self._scope.mentions[self._scope.sentences.index(each)]
            if not mention.is_name and _is_part(mention, leaf)
        ]  # fmt: skip
        counted = {
            other.row_set
            for each in sentence.pieces
            for other in each.leaves
            if each is not piece and other.operation == "count"
        }
        if all(each.rows in counted or each.is_whole for each in sets):
            return
        before = sentence.text[: piece.start - sentence.start].casefold().rstrip("* ")
        after = sentence.text[piece.end - sentence.start :].casefold()
        for word in self._scope.words.of_which:
            after = after.replace(word, "")
        behind = any(word in after[:_REACH] for word in self._scope.words.of_these)
        if behind or before.endswith(self._scope.words.of_all):
            return
        yield Finding(Problem.ROWS, piece.start, piece.end, piece.source)

    def _goes_on(self, at: int, piece: Piece) -> bool:
        """Whether what follows is said to be a part of what was counted: of which."""
        sentence = self._scope.sentences[at]
        after = sentence.text[piece.end - sentence.start :].casefold()
        return any(word in after for word in self._scope.words.of_which)

    def _counted_others(self, at: int, piece: Piece) -> Iterator[Finding]:
        """The number of some rows where the sentence lists or describes others."""
        leaf = piece.leaves[0] if len(piece.leaves) == 1 else None
        if leaf is None or leaf.is_whole or not isinstance(piece.expression, ex.Count):
            return
        sets = [
            each
            for each in self._scope.mentions[at]
            if each.rows[0] == leaf.row_set[0]
            and not each.is_name
            and not each.is_hint
            and each.item is None
        ]
        if sets and not any(each.rows == leaf.row_set for each in sets):
            named = [each for each in self._scope.mentions[at] if each.is_name]
            if not any(each.names(leaf) for each in named):
                yield Finding(Problem.ROWS, piece.start, piece.end, piece.source)

    def _spanned(self, at: int, piece: Piece) -> Iterator[Finding]:
        """A figure over a span of time beside two other times: from March to May."""
        leaf = piece.leaves[0] if len(piece.leaves) == 1 else None
        if leaf is None or len(leaf.rows.rows) <= _PAIR or piece.item is not None:
            return
        moments = row_moments(leaf.rows.table, leaf.rows.rows)
        said = [
            each
            for each in self._scope.sentences[at].pieces
            if each.part is Part.NAME and each.moment is not None and each.own is not None
            and each.end <= piece.start and each.own.table is leaf.rows.table
            and each.claim is None and len(each.own.rows) == 1
        ]  # fmt: skip
        if len(said) != _PAIR or not moments:
            return
        ends = [min(moments, key=_order).order, max(moments, key=_order).order]
        told = [each.moment.order for each in said if each.moment is not None]
        if told != ends:
            yield Finding(Problem.PERIOD, piece.start, piece.end, piece.source)

    def _is_named(self, at: int, piece: Piece, leaf: Leaf, *, alone: bool) -> bool:
        if piece.part is Part.NAME and piece.rows is not None:
            return not self._is_beside_another(at, piece, leaf) and not self._is_alien(
                at, piece, leaf
            )
        names = [
            each
            for each in self._scope.mentions[at]
            if each.is_name
            and not (each.start == piece.start and each.end == piece.end)
            and each.concerns(leaf)
        ]
        if piece.item is not None:
            names = [each for each in names if each.item == piece.item] or names
            if any(each.names(leaf, item=piece.item) for each in names):
                return True
            if piece.part is Part.NAME and not any(each.item == piece.item for each in names):
                return True
        if not alone:
            return self._scope.is_said(at, leaf, _subjects(piece))
        if not names:
            return self._scope.is_named_before(at, leaf) or self._is_hinted(at, leaf)
        wide = [
            each for place in (at, *self._scope.context(at)) for each in self._scope.mentions[place]
        ]
        if narrowed(wide, leaf) or self._scope.is_only_own(names, leaf):
            return True
        if all(each.is_wider(leaf) for each in names) and self._is_hinted(at, leaf):
            return True
        return self._is_nearest(at, piece, leaf, self._without_others(at, leaf, names))

    def _is_hinted(self, at: int, leaf: Leaf) -> bool:
        """Whether a claim of the sentence is about these rows, and no name speaks against it."""
        return any(each.is_hint and each.names(leaf) for each in self._scope.mentions[at])

    def _without_others(self, at: int, leaf: Leaf, names: list[Mention]) -> list[Mention]:
        """The names without those that a row is only compared with: it fell from May to 5."""
        if not any(each.names(leaf) for each in names):
            return names
        others: list[Leaf] = []
        found = [each.expression for each in self._scope.sentences[at].claims]
        found += [each.expression for each in self._scope.sentences[at].pieces]
        for each in found:
            match each:
                case ex.Compare(_, _, right) if self._is_about_row(each.left, leaf):
                    others += leaves(right, self._scope.evaluator)
                case ex.Change(before, _) if self._is_about_row(each.after, leaf):
                    others += leaves(before, self._scope.evaluator)
                case _:
                    continue
        return [
            each
            for each in names
            if each.names(leaf) or not any(each.names(other) for other in others)
        ]

    def _is_about_row(self, side: ex.Scalar, leaf: Leaf) -> bool:
        found = leaves(side, self._scope.evaluator)
        return any(each.row_set == leaf.row_set for each in found)

    def _is_alien(self, at: int, piece: Piece, leaf: Leaf) -> bool:
        """Whether an attribute stands behind the names of single rows, and none is its own."""
        table = leaf.rows.table
        if not isinstance(piece.expression, ex.Cells) or piece.moment is not None:
            return False
        if table.naming and table.column(piece.expression.column) == table.naming[0]:
            return False
        before = [
            each
            for each in self._scope.mentions[at]
            if each.is_name
            and each.end <= piece.start
            and each.item == piece.item
            and each.rows[0] == leaf.row_set[0]
            and len(each.rows[1]) == 1
        ]
        return bool(before) and not any(each.names(leaf) for each in before)

    def _is_beside_another(self, at: int, piece: Piece, leaf: Leaf) -> bool:
        """Whether an attribute stands right behind the name of another row: Total (Bern)."""
        table = leaf.rows.table
        if not isinstance(piece.expression, ex.Cells) or not table.naming:
            return False
        if table.column(piece.expression.column) == table.naming[0]:
            return False
        sentence = self._scope.sentences[at]
        close = [
            each
            for each in self._scope.mentions[at]
            if each.is_name
            and 0 <= piece.start - each.end <= _CLOSE
            and each.concerns(leaf)
            and set(marks("("))
            & set(sentence.text[each.end - sentence.start : piece.start - sentence.start])
        ]
        return bool(close) and not any(
            each.names(leaf) or each.is_wider(leaf) or each.own == leaf.row_set for each in close
        )

    def _is_nearest(self, at: int, piece: Piece, leaf: Leaf, names: list[Mention]) -> bool:
        sentence = self._scope.sentences[at]
        before = [each for each in names if each.end <= piece.start and not each.is_wider(leaf)]
        after = [each for each in names if each.start >= piece.end and not each.is_wider(leaf)]
        figures = [each for each in sentence.pieces if each.part is Part.FIGURE]
        if after:
            between = sentence.text[piece.end - sentence.start : after[0].start - sentence.start]
            crossed = any(piece.end <= each.start < after[0].start for each in figures)
            if not crossed and self._binds_behind(between):
                return after[0].names(leaf)
        if before:
            outside = [each for each in before if not each.in_claim]
            if any(each.names(leaf) for each in [before[-1], *outside[-1:]]):
                return True
            return self._is_in_turn(at, piece, outside)
        if after and not self._scope.is_named_before(at, leaf):
            return after[0].names(leaf)
        return self._scope.is_named_before(at, leaf)

    def _is_in_turn(self, at: int, piece: Piece, names: list[Mention]) -> bool:
        """Whether two names are followed by a figure of each, in their order: from A to B."""
        figures = [
            each
            for each in self._scope.sentences[at].pieces
            if each.part is Part.FIGURE
            and isinstance(each.expression, ex.Cells)
            and names[-1].end <= each.start
        ]
        if len(names) != _PAIR or len(figures) < _PAIR or piece not in figures[:_PAIR]:
            return False
        start = self._scope.sentences[at].start
        between = self._scope.sentences[at].text[names[0].end - start : names[1].start - start]
        if not any(word in between.casefold() for word in self._scope.words.range):
            return False
        first = figures[0].leaves[0].columns
        return all(
            name.names(figure.leaves[0]) and figure.leaves[0].columns == first
            for name, figure in zip(names, figures[:_PAIR], strict=True)
        )

    def _binds_behind(self, between: str) -> bool:
        if len(between) > _REACH or PARTING.search(between):
            return False
        said = between.replace("*", " ").casefold().split()
        return bool(said) and all(word in self._scope.words.behind for word in said)


def _subjects(piece: Piece) -> tuple[Leaf, ...]:
    """The parts that a figure is about: of a share, the part and not the whole."""
    found = piece.leaves
    if isinstance(piece.expression, ex.Share) and len(found) > 1:
        found = found[: max(1, len(found) - _sides(piece.expression.whole))]
    return tuple({leaf.row_set: leaf for leaf in found}.values())


def _sides(scalar: ex.Scalar) -> int:
    """How many columns of rows an expression reads."""
    match scalar:
        case ex.Arithmetic(_, left, right) | ex.Share(left, right) | ex.Change(left, right):
            return _sides(left) + _sides(right)
        case ex.Number() | ex.Text():
            return 0
        case _:
            return 1


def _is_part(mention: Mention, leaf: Leaf) -> bool:
    """Whether it is about some of the rows, or about groups of them."""
    if mention.rows[0].startswith(f"{leaf.row_set[0]}/"):
        return True
    return mention.rows[0] == leaf.row_set[0] and mention.rows[1] < leaf.row_set[1]


def _order(moment: Moment) -> tuple[int, ...]:
    return moment.order


def row_label(leaf: Leaf) -> str:
    """How a row is called, for the message."""
    table = leaf.rows.table
    if len(leaf.rows.rows) != 1 or not table.naming:
        return ""
    cell = table.rows[leaf.rows.rows[0]][table.naming[0]]
    return "" if cell is None else str(cell)
