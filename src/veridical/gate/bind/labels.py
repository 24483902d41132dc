"""The right value under the wrong name: which rows and columns a figure may rest on.

What names a figure is looked for in its own sentence or table row, then in the line that leads
into the list, then, behind a pronoun, in the sentence before. A cell speaks against a figure only
if it is the very cell that the text names; where any doubt is left, the value alone decides.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from veridical.contracts.proof import ClaimKind
from veridical.gate.bind.cells import Hit, windows
from veridical.gate.bind.mentions import Mention, find_mentions, names_row
from veridical.gate.bind.pairing import Pairing, pair
from veridical.gate.claim import Claim, Role
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place
from veridical.gate.layout import Layout, Segment, SegmentKind, read_layout

FIGURES = frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT})
_PRONOUN = re.compile(
    r"\W*(?:it|its|they|their|this|sie|er|es|ihr|ihre|sein|seine|dies(?:e[rsn]?)?|davon|该|其|它)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:total|sum|summe|gesamt\w*|insgesamt|zusammen|altogether|overall|combined|together|average"
    r"|mean|durchschnitt\w*|mittel\w*|all|alle[rn]?|others?|andere[rn]?|übrige[rn]?|rest)\b"
    r"|合计|总计|总共|共计|总额|平均|其他|其余|总",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"[\s*_)]*(?:%|[A-Z]{3}|Prozent\w*|percent\w*|Franken|Euro|\w+)?[\s*_]*(?:\w+\s)?"
    r"(?:more|less|fewer|higher|lower|greater|above|below|mehr|weniger|höher|tiefer|niedriger|über|unter)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"(?:\b(?:um|by|difference\s+(?:of|is|was)|differenz\s+(?:von|beträgt)|increase\s+of|decrease\s+of|rise\s+of"
    r"|drop\s+of|growth\s+of|change\s+of|zunahme\s+(?:von|um)|abnahme\s+(?:von|um)|rückgang\s+(?:von|um)"
    r"|anstieg\s+(?:von|um)|up|down|plus|minus)"
    r"|增加了?|减少了?|增长了?|下降了?|变动|变化|相差|差额为?)\s*[:：]?\s*(?:about|rund|ca\.?|约)?\s*[(+−-]?\s*(?:[A-Z]{3})?[\s*_]*$",
    re.IGNORECASE,
)
_AHEAD, _BEHIND = 40, 40


@dataclass(frozen=True, slots=True)
class Constraint:
    """What names a figure in one respect: a key of its row, a period, or its column."""

    mentions: tuple[Mention, ...]
    is_column: bool
    sure: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """The cell that a figure rests on, or the one that speaks against it."""

    hit: Hit | None
    against: Place | None = None
    sure: bool = False


@dataclass
class Reader:
    """The answer beside the evidence: who is named where, worked out when first needed."""

    text: str
    claims: Sequence[Claim]
    evidence: Evidence
    _pairs: dict[tuple[int, int, bool, int], dict[int, Pairing]] = field(
        default_factory=dict[tuple[int, int, bool, int], dict[int, Pairing]]
    )

    @cached_property
    def layout(self) -> Layout:
        """The answer's segments."""
        return read_layout(self.text)

    @cached_property
    def mentions(self) -> list[Mention]:
        """All names of rows and columns."""
        return find_mentions(self.text, self.claims, self.evidence)

    @cached_property
    def figures(self) -> list[Claim]:
        """The figures that state something, without those that name a row."""
        return [
            claim
            for claim in self.claims
            if claim.kind in FIGURES
            and claim.role in (Role.STATED, Role.QUOTED)
            and not any(_covers(each, claim) for each in self.mentions)
        ]

    def naming(self, claim: Claim) -> Mention | None:
        """The mention of a row that the claim is, where it is one."""
        return next((each for each in self.mentions if _covers(each, claim)), None)

    def clause_text(self, claim: Claim) -> str:
        """The clause that a claim stands in."""
        clause = self.layout.clause_at(claim.start)
        return self.text[clause.start : clause.end] if clause else self.text

    def sentence_text(self, claim: Claim) -> str:
        """The sentence that a claim stands in."""
        segment = self.layout.segment_at(claim.start)
        return self.text[segment.start : segment.end] if segment else self.text

    def constraints(self, claim: Claim, sheet: int) -> list[Constraint]:
        """All that the text says of where in this sheet the figure must stand."""
        segment = self.layout.segment_at(claim.start)
        if segment is None:
            return []
        if segment.kind is SegmentKind.ROW:
            found = list(self._of_table_row(claim, segment, sheet))
        else:
            found = list(self._of_sentence(claim, segment, sheet))
        return [*found, *self._of_context(claim, segment, sheet, found)]

    def _of_sentence(self, claim: Claim, segment: Segment, sheet: int) -> Iterator[Constraint]:
        figures = [each for each in self.figures if _within(each, segment)]
        clauses = self.layout.clauses(segment)
        for at, group in enumerate(_dimensions(self._in(segment), sheet)):
            is_column = bool(group[0].columns)
            key = (segment.start, sheet, is_column, at)
            if key not in self._pairs:
                self._pairs[key] = pair(figures, group, clauses, self.text)
            paired = self._pairs[key].get(claim.start)
            if paired is not None:
                yield Constraint(paired.mentions, is_column, paired.sure)

    def _of_table_row(self, claim: Claim, segment: Segment, sheet: int) -> Iterator[Constraint]:
        """Rows by the names in the same row, else in the head; columns by the head, else there."""
        column = self.text.count("|", segment.start, claim.start)
        beside = self._in(segment)
        above = [each for each in self._in_head(segment) if self._column_of(each) == column]
        rows = list(_dimensions((each for each in beside if not each.columns), sheet))
        for group in rows:
            yield Constraint(tuple(group), is_column=False, sure=len(group) == 1)
        for group in _dimensions((each for each in above if not each.columns), sheet):
            if not any(_share_column(group[0], known[0], sheet) for known in rows):
                yield Constraint(tuple(group), is_column=False, sure=len(group) == 1)
        named = [each for each in above if each.columns] or [
            each for each in beside if each.columns
        ]
        for group in _dimensions(named, sheet):
            yield Constraint(tuple(group), is_column=True, sure=True)

    def _of_context(
        self, claim: Claim, segment: Segment, sheet: int, found: Sequence[Constraint]
    ) -> Iterator[Constraint]:
        """What the sentence itself leaves open, where the text around says it once."""
        leading = self._leading(segment)
        if leading is None or _WHOLE.search(self.clause_text(claim)):
            return
        for group in _dimensions(self._in(leading), sheet):
            if any(_alike(group[0], known, sheet) for known in found):
                continue
            if len({each.same for each in group}) == 1:
                yield Constraint((group[0],), bool(group[0].columns), sure=False)

    def _leading(self, segment: Segment) -> Segment | None:
        """The line that leads into a list or table, a heading, or what a pronoun points back to."""
        listed = (SegmentKind.BULLET, SegmentKind.ROW)
        segments = self.layout.segments
        for at in range(segments.index(segment) - 1, -1, -1):
            before = segments[at]
            if before.kind is SegmentKind.HEADING:
                return before
            if segment.kind in listed:
                if before.kind not in listed:
                    ends = self.text[before.start : before.end].rstrip("* _")
                    return before if ends.endswith((":", "：")) else None
            elif before.kind is SegmentKind.SENTENCE and _PRONOUN.match(self.text, segment.start):
                return before
            elif before.kind in listed:
                return None
        return None

    def _in(self, segment: Segment) -> list[Mention]:
        return [each for each in self.mentions if segment.start <= each.start < segment.end]

    def _in_head(self, segment: Segment) -> list[Mention]:
        """The names in the first row of the table that this row belongs to."""
        segments = self.layout.segments
        at = segments.index(segment)
        while at and segments[at - 1].kind is SegmentKind.ROW:
            at -= 1
        return self._in(segments[at]) if segments[at] is not segment else []

    def _column_of(self, mention: Mention) -> int:
        segment = self.layout.segment_at(mention.start)
        return self.text.count("|", segment.start, mention.start) if segment else 0

    def may_be_derived(self, claim: Claim) -> bool:
        """True where words speak of a whole, a change or a difference, and not of one cell."""
        return _WHOLE.search(self.clause_text(claim)) is not None or self.is_change(claim)

    def is_change(self, claim: Claim) -> bool:
        """True for "5 more than", "um 5", "an increase of 5"."""
        ahead = self.text[claim.end : claim.end + _AHEAD]
        behind = self.text[max(0, claim.start - _BEHIND) : claim.start]
        return _MORE.match(ahead) is not None or _BY.search(behind) is not None

    def named_cell(self, claim: Claim) -> Place | None:
        """The one cell that the text names, row and column, whatever the figure is."""
        for sheet in range(len(self.evidence.sheets)):
            constraints = self.constraints(claim, sheet)
            rows = [each for each in constraints if not each.is_column]
            row = self._named_row(sheet, rows) if rows else None
            if row is None:
                continue
            for column in self._columns_for(constraints, sheet):
                place = Place(sheet, row, column)
                if self.evidence.figure_at(place) is not None:
                    return place
        return None

    def _columns_for(self, constraints: Iterable[Constraint], sheet: int) -> Iterable[int]:
        """The columns that are named, else all."""
        named = [
            column
            for each in constraints
            if each.is_column
            for mention in each.mentions
            for at, column in sorted(mention.columns)
            if at == sheet
        ]
        return named or range(len(self.evidence.sheets[sheet].columns))

    def judge(self, claim: Claim, hits: Sequence[Hit]) -> Judgement:
        """The hit that the names allow; else the cell that they name, or the first hit."""
        by_sheet = {
            sheet: self.constraints(claim, sheet) for sheet in {hit.place.sheet for hit in hits}
        }
        against: list[tuple[Place, bool]] = []
        doubtful: Hit | None = None
        for hit in hits:
            constraints = by_sheet[hit.place.sheet]
            broken = [each for each in constraints if not self.allows(each, hit.place)]
            if not broken:
                return Judgement(hit)
            place = self._opposing(hit.place, constraints, broken)
            if place is None or self._taken(claim, place):
                doubtful = doubtful or hit
            else:
                against.append((place, all(each.sure for each in broken)))
        if doubtful is not None:
            return Judgement(doubtful)
        place, sure = next((each for each in against if each[1]), against[0])
        return Judgement(None, place, sure)

    def allows(self, constraint: Constraint, place: Place) -> bool:
        """True where a cell is one of those that the text names in this respect."""
        if constraint.is_column:
            return any(self._names_column(each, place) for each in constraint.mentions)
        return any(
            names_row(each, place.sheet, place.row, self.evidence) for each in constraint.mentions
        )

    def _names_column(self, mention: Mention, place: Place) -> bool:
        """Also where the name is only a part of the column's own."""
        if (place.sheet, place.column) in mention.columns:
            return True
        said = set(mention.key.split())
        return any(said < set(name.split()) for name in self.evidence.column_names(place))

    def _opposing(
        self, place: Place, constraints: Iterable[Constraint], broken: Iterable[Constraint]
    ) -> Place | None:
        """The one cell that the text names and that holds another figure."""
        rows = [each for each in constraints if not each.is_column]
        row: int | None = place.row
        if any(not each.is_column for each in broken):
            row = self._named_row(place.sheet, rows)
        if row is None:
            return None
        columns = [place.column]
        for each in broken:
            if each.is_column:
                columns = [
                    column
                    for mention in each.mentions
                    for sheet, column in sorted(mention.columns)
                    if sheet == place.sheet
                ]
        for column in columns:
            if self.evidence.figure_at(Place(place.sheet, row, column)) is not None:
                return Place(place.sheet, row, column)
        return None

    def _named_row(self, sheet: int, rows: Sequence[Constraint]) -> int | None:
        fewest = min(rows, key=lambda each: sum(len(one.codes) for one in each.mentions))
        for mention in fewest.mentions:
            for code in mention.codes:
                place = self.evidence.place(code)
                if place.sheet == sheet and all(self.allows(each, place) for each in rows):
                    return place.row
        return None

    def _taken(self, claim: Claim, place: Place) -> bool:
        """True where another figure of the sentence already says what stands in this cell."""
        value = self.evidence.figure_at(place)
        segment = self.layout.segment_at(claim.start)
        if value is None or segment is None:
            return False
        return any(
            _within(other, segment)
            and any(each.low <= value <= each.high for each in windows(other, ()))
            and all(self.allows(each, place) for each in self.constraints(other, place.sheet))
            for other in self.figures
            if other is not claim
        )


def _covers(mention: Mention, claim: Claim) -> bool:
    return (
        bool(mention.key)
        and not mention.columns
        and (mention.start <= claim.start and claim.end <= mention.end)
    )


def _within(claim: Claim, segment: Segment) -> bool:
    return segment.start <= claim.start < segment.end


def _dimensions(mentions: Iterable[Mention], sheet: int) -> list[list[Mention]]:
    """The mentions that speak of this sheet, those of one column together."""
    named: list[Mention] = []
    groups: list[tuple[set[int], list[Mention]]] = []
    for mention in mentions:
        if any(at == sheet for at, _ in mention.columns):
            named.append(mention)
        columns = {column for at, column in mention.spots if at == sheet}
        if not columns:
            continue
        joined = [group for group in groups if group[0] & columns]
        for group in joined:
            groups.remove(group)
        merged = [each for group in joined for each in group[1]] + [mention]
        groups.append((columns.union(*(group[0] for group in joined)), merged))
    found = [group for _, group in groups]
    return [*found, named] if named else found


def _share_column(one: Mention, other: Mention, sheet: int) -> bool:
    return any(spot in other.spots for spot in one.spots if spot[0] == sheet)


def _alike(mention: Mention, known: Constraint, sheet: int) -> bool:
    if mention.columns or known.is_column:
        return bool(mention.columns) and known.is_column
    return any(_share_column(mention, each, sheet) for each in known.mentions)
