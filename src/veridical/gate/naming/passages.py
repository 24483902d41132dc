"""What each sentence or table row of the answer names, worked out once for all of its figures."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from veridical.gate.bind.wording import Wording
from veridical.gate.claim import Claim
from veridical.gate.layout import Clause, Layout, Segment, SegmentKind
from veridical.gate.naming.mentions import Mention
from veridical.gate.naming.pairing import pair
from veridical.late_pattern import late_pattern

LISTED = frozenset({SegmentKind.BULLET, SegmentKind.ROW})
_PRONOUN = late_pattern(
    r"\W*(?:it|its|they|their|this|sie|er|es|ihr|ihre|sein|seine|dies(?:e[rsn]?)?|davon)\b|该|其|它",
    re.IGNORECASE,
)
_WHOLE = late_pattern(
    r"\b(?:total|sum|summe|gesamt\w*|insgesamt|zusammen|altogether|overall|combined|together|average"
    r"|mean|durchschnitt\w*|mittel\w*|all|alle[rn]?|others?|andere[rn]?|übrige[rn]?|rest)\b"
    r"|合计|总计|总共|共计|总额|平均|其他|其余|总",
    re.IGNORECASE,
)

_MORE = late_pattern(
    r"[\s*_)]*(?:%|[A-Z]{3}|\w+)?[\s*_]*(?:\w+\s)?(?:more|less|fewer|higher|lower|greater|above"
    r"|below|mehr|weniger|höher|tiefer|niedriger|über|unter)\b",
    re.IGNORECASE,
)
_BY = late_pattern(
    r"(?:\b(?:um|by|difference\s+(?:of|is|was)|differenz\s+(?:von|beträgt)"
    r"|(?:increase|decrease|rise|drop|growth|change)\s+of"
    r"|(?:zunahme|abnahme|rückgang|anstieg|differenz)\s+(?:von|um)|up|down|plus|minus)"
    r"|增加了?|减少了?|增长了?|下降了?|变动|变化|相差|差额为?)"
    r"\s*[:：]?\s*(?:about|rund|ca\.?|约)?\s*[(+−-]?\s*(?:[A-Z]{3})?[\s*_]*$",
    re.IGNORECASE,
)
_MAY_CHANGE = late_pattern(
    r"\b(?:um|by|of|von|is|was|beträgt|up|down|plus|minus)\b|[加少长降动化差为了]", re.IGNORECASE
)
_NEAR = 14
_ANY = Wording()
_AHEAD, _BEHIND = 40, 40


@dataclass(slots=True, eq=False)
class Constraint:
    """What names a figure in one respect: a key of its row, a period, or its column."""

    mentions: Sequence[Mention]
    is_column: bool
    sure: bool
    alone: bool = False
    """The name stands beside this figure only."""


@dataclass(slots=True, eq=False)
class Passage:
    """A segment of the answer with the names and figures in it."""

    segment: Segment
    at: int
    figures: list[Claim]
    mentions: list[Mention]
    known: dict[int, dict[int, list[Constraint]]]
    """By sheet, by the start of each figure."""


def is_change(claim: Claim, text: str) -> bool:
    """True for "5 more than", "um 5", "an increase of 5": no cell of its own."""
    if _MORE.match(text, claim.end, claim.end + _AHEAD) is not None:
        return True
    behind = text[max(0, claim.start - _BEHIND) : claim.start]
    return _MAY_CHANGE.search(behind, len(behind) - _NEAR) is not None and (
        _BY.search(behind) is not None
    )


class Passages:
    """All segments in order, each with its names and figures."""

    def __init__(
        self,
        text: str,
        layout: Layout,
        figures: Sequence[Claim],
        mentions: Sequence[Mention],
        names: Sequence[Mapping[str, int]] = (),
        wording: Wording = _ANY,
    ) -> None:
        self._wording = wording
        self._names = names
        self._text = text
        self._layout = layout
        self._all = [Passage(segment, at, [], [], {}) for at, segment in enumerate(layout.segments)]
        index_at = layout.index_at
        for figure in figures:
            at = index_at(figure.start)
            if at >= 0:
                self._all[at].figures.append(figure)
        for mention in mentions:
            at = index_at(mention.start)
            if at >= 0:
                self._all[at].mentions.append(mention)

    def at(self, offset: int) -> Passage | None:
        """The passage that covers this place."""
        at = self._layout.index_at(offset)
        return self._all[at] if at >= 0 else None

    def constraints(self, claim: Claim, sheet: int) -> list[Constraint]:
        """All that the text says of where in this sheet the figure must stand."""
        passage = self.at(claim.start)
        if passage is None:
            return []
        known = passage.known.get(sheet)
        if known is None:
            known = passage.known[sheet] = self._constraints(passage, sheet)
        return known.get(claim.start, [])

    def clause_text(self, claim: Claim) -> str:
        """The clause that a claim stands in."""
        clause = self._layout.clause_at(claim.start)
        return self._text[clause.start : clause.end] if clause else self._text

    def speaks_of_whole(self, claim: Claim) -> bool:
        """True where a clause speaks of all rows together, or of those that are not named."""
        return self._wording.sums_up and _WHOLE.search(self.clause_text(claim)) is not None

    def sentence_text(self, claim: Claim) -> str:
        """The sentence that a claim stands in."""
        segment = self._layout.segment_at(claim.start)
        return self._text[segment.start : segment.end] if segment else self._text

    def _constraints(self, passage: Passage, sheet: int) -> dict[int, list[Constraint]]:
        found: dict[int, list[Constraint]] = {figure.start: [] for figure in passage.figures}
        if passage.segment.kind is SegmentKind.ROW:
            self._name_in_row(passage, sheet, found)
        elif passage.mentions:
            self._name_in_sentence(passage, sheet, found)
        leading = self._leading(passage)
        if leading is not None and leading.mentions:
            for figure in passage.figures:
                found[figure.start] += self._of_context(figure, leading, sheet, found[figure.start])
        return found

    def _name_in_sentence(
        self, passage: Passage, sheet: int, found: dict[int, list[Constraint]]
    ) -> None:
        def clauses() -> Sequence[Clause]:
            return self._layout.clauses(passage.segment)

        figures = passage.figures
        if self._wording.changes:
            figures = [each for each in figures if not is_change(each, self._text)]
        for group in self._dimensions(passage.mentions, sheet):
            is_column = bool(group[0].columns)
            paired = pair(figures, group, clauses, self._text, self._wording.compares)
            for start, each in paired.items():
                found[start].append(Constraint(each.mentions, is_column, each.sure, each.alone))

    def _name_in_row(
        self, passage: Passage, sheet: int, found: dict[int, list[Constraint]]
    ) -> None:
        """Rows by the names in the same row, else in the head; columns by the head, else there."""
        keys = [each for each in passage.mentions if not each.columns]
        rows = self._dimensions(keys, sheet)
        beside = [Constraint(group, is_column=False, sure=len(group) == 1) for group in rows]
        here = self._dimensions((each for each in passage.mentions if each.columns), sheet)
        head = self._head(passage)
        heads = [(self._column(each, head), each) for each in head.mentions]
        for figure in passage.figures:
            column = self._text.count("|", passage.segment.start, figure.start)
            above = [each for at, each in heads if at == column]
            constraints = found[figure.start]
            constraints += beside
            named = here
            for group in self._dimensions(above, sheet) if above else ():
                if group[0].columns:
                    named = [group]
                elif not any(_share_column(group[0], known[0], sheet) for known in rows):
                    constraints.append(Constraint(group, is_column=False, sure=len(group) == 1))
            constraints += [Constraint(group, is_column=True, sure=True) for group in named]

    def _of_context(
        self, claim: Claim, leading: Passage, sheet: int, found: Sequence[Constraint]
    ) -> Iterator[Constraint]:
        """What the sentence itself leaves open, where the text around says it once."""
        if self.speaks_of_whole(claim):
            return
        for group in self._dimensions(leading.mentions, sheet):
            if any(_alike(group[0], known, sheet) for known in found):
                continue
            if len({each.same for each in group}) == 1:
                yield Constraint(group[:1], bool(group[0].columns), sure=False)

    def _dimensions(self, mentions: Iterable[Mention], sheet: int) -> list[list[Mention]]:
        """The mentions that speak of this sheet, those of one column together."""
        named: list[Mention] = []
        groups: list[tuple[set[int], list[Mention]]] = []
        for mention in mentions:
            if mention.columns:
                if sheet in [at for at, _ in mention.columns]:
                    named.append(mention)
                continue
            columns = {column for at, column in mention.spots if at == sheet}
            if not columns and mention.names:
                own = self._names[sheet]
                columns = {own[name] for name in mention.names if name in own}
            if columns and groups:
                _join(groups, columns, mention)
            elif columns:
                groups.append((columns, [mention]))
        found = [group for _, group in groups]
        return [*found, named] if named else found

    def _leading(self, passage: Passage) -> Passage | None:
        """The line that leads into a list or table, a heading, or what a pronoun points back to."""
        is_listed = passage.segment.kind in LISTED
        for at in range(passage.at - 1, -1, -1):
            before = self._all[at]
            kind = before.segment.kind
            if kind is SegmentKind.HEADING:
                return before
            if is_listed:
                if kind not in LISTED:
                    said = self._text[before.segment.start : before.segment.end].rstrip("* _\n")
                    return before if said.endswith((":", "：")) else None
            elif _PRONOUN.match(self._text, passage.segment.start):
                return before
            elif kind in LISTED:
                return None
        return None

    def _head(self, passage: Passage) -> Passage:
        """The first row of the table that this row belongs to; itself where it is the first."""
        at = passage.at
        while at and self._all[at - 1].segment.kind is SegmentKind.ROW:
            at -= 1
        return self._all[at]

    def _column(self, mention: Mention, head: Passage) -> int:
        return self._text.count("|", head.segment.start, mention.start)


def _join(
    groups: list[tuple[set[int], list[Mention]]], columns: set[int], mention: Mention
) -> None:
    """Add a mention to the groups that it shares a column with, which makes them one."""
    joined = [group for group in groups if not group[0].isdisjoint(columns)]
    if not joined:
        groups.append((columns, [mention]))
        return
    first = joined[0]
    first[0].update(columns)
    for other in joined[1:]:
        first[0].update(other[0])
        first[1].extend(other[1])
        groups.remove(other)
    first[1].append(mention)
    if len(joined) > 1:
        first[1].sort(key=lambda each: each.start)


def _share_column(one: Mention, other: Mention, sheet: int) -> bool:
    return any(spot in other.spots for spot in one.spots if spot[0] == sheet)


def _alike(mention: Mention, known: Constraint, sheet: int) -> bool:
    if mention.columns or known.is_column:
        return bool(mention.columns) and known.is_column
    return any(_share_column(mention, each, sheet) for each in known.mentions)
