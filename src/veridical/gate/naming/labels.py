"""The right value under the wrong name: which rows and columns a figure may rest on.

What names a figure is looked for in its own sentence or table row, then in the line that leads
into the list, then, behind a pronoun, in the sentence before. A cell speaks against a figure only
if it is the very cell that the text names; where any doubt is left, the value alone decides.
"""

from collections.abc import Iterable, Sequence

from veridical.contracts.proof import ClaimKind
from veridical.gate.bind.cells import Hit, windows
from veridical.gate.bind.wording import Wording
from veridical.gate.claim import Claim, Role
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place
from veridical.gate.layout import Layout, read_layout
from veridical.gate.lazy import lazy
from veridical.gate.naming.mentions import Mention, Words, find_mentions, names_row, words_of
from veridical.gate.naming.passages import Constraint, Passages, is_change
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.records.lexicon_file import load_record_lexicon

FIGURES = frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT})


class Judgement:
    """The cell that a figure rests on, or the one that speaks against it."""

    __slots__ = ("against", "hit", "sure")

    def __init__(self, hit: Hit | None, against: Place | None = None, sure: bool = False) -> None:
        self.hit = hit
        self.against = against
        self.sure = sure


class Reader:
    """The answer beside the evidence: who is named where, worked out when first needed."""

    def __init__(
        self,
        text: str,
        claims: Sequence[Claim],
        evidence: Evidence,
        lexicon: RecordLexicon | None = None,
    ) -> None:
        self.text = text
        self.claims = claims
        self.evidence = evidence
        self.lexicon = lexicon or load_record_lexicon()
        self._constraints: dict[tuple[int, int], list[Constraint]] = {}

    @lazy
    def layout(self) -> Layout:
        """The answer's segments."""
        return read_layout(self.text)

    @lazy
    def mentions(self) -> list[Mention]:
        """All names of rows and columns."""
        return find_mentions(self.text, self.claims, self.evidence, self.words)

    @lazy
    def words(self) -> Words:
        """The folded words of the answer."""
        return words_of(self.text)

    @lazy
    def naming(self) -> dict[int, Mention]:
        """By the start of each claim that names a row: the mention that it is."""
        keys = [each for each in self.mentions if each.key and not each.columns]
        return {
            claim.start: mention
            for mention in keys
            for claim in self.claims
            if mention.start <= claim.start and claim.end <= mention.end
        }

    @lazy
    def passages(self) -> Passages:
        """The answer's segments with the names and figures in them."""
        figures = [
            claim
            for claim in self.claims
            if claim.kind in FIGURES
            and claim.role in (Role.STATED, Role.QUOTED)
            and claim.start not in self.naming
        ]
        names = self.evidence.key_names if len(self.evidence.sheets) > 1 else ()
        wording = Wording.of(self.words.folded)
        return Passages(self.text, self.layout, figures, self.mentions, names, wording)

    def constraints(self, claim: Claim, sheet: int) -> list[Constraint]:
        """All that the text says of where in this sheet the figure must stand."""
        known = self._constraints.get((claim.start, sheet))
        if known is None:
            known = self.passages.constraints(claim, sheet) if self.mentions else []
            self._constraints[claim.start, sheet] = known
        return known

    def may_be_derived(self, claim: Claim) -> bool:
        """True where words speak of a whole, a change or a difference, and not of one cell."""
        return self.passages.speaks_of_whole(claim) or is_change(claim, self.text)

    def named_cell(self, claim: Claim) -> Place | None:
        """The one cell that the text names, row and column, whatever the figure is."""
        for sheet in range(len(self.evidence.sheets)):
            constraints = self.constraints(claim, sheet)
            rows = [each for each in constraints if not each.is_column]
            row = self._named_row(sheet, rows) if rows else None
            if row is not None:
                place = self._figure_in(sheet, row, self._columns(constraints, sheet) or None)
                if place is not None:
                    return place
        return None

    def judge(self, claim: Claim, hits: Sequence[Hit]) -> Judgement:
        """The hit that the names allow; else the cell that they name, or the first hit."""
        against: list[tuple[Place, bool]] = []
        doubtful: Hit | None = None
        for hit in hits:
            constraints = self.constraints(claim, hit.place.sheet)
            broken = [each for each in constraints if not self.allows(each, hit.place)]
            if not broken:
                return Judgement(hit)
            place = self._opposing(hit.place, constraints, broken)
            alone = any(each.alone for each in broken)
            if place is None or (not alone and self._taken(claim, place)):
                doubtful = doubtful or hit
            else:
                against.append((place, all(each.sure for each in broken)))
        if doubtful is not None:
            return Judgement(doubtful)
        place, sure = next((each for each in against if each[1]), against[0])
        return Judgement(None, place, sure)

    def other_day(self, claim: Claim, codes: Sequence[int]) -> Place | None:
        """The day that the one row named beside a date has, where these cells are of others."""
        passage = self.passages.at(claim.start) if self.mentions else None
        if passage is None or not codes:
            return None
        places = [self.evidence.place(code) for code in codes]
        sheet, column = places[0].sheet, places[0].column
        if any((each.sheet, each.column) != (sheet, column) for each in places):
            return None
        row = self._only_row(passage.mentions, sheet)
        if row is None or any(each.row == row for each in places):
            return None
        stated = self.evidence.days_of(sheet, row, column)
        return None if stated is None else Place(sheet, row, column)

    def _only_row(self, mentions: Sequence[Mention], sheet: int) -> int | None:
        """The one row that all keys of a passage name together."""
        keys = [each for each in mentions if each.key and not each.columns and each.codes]
        keys = [each for each in keys if any(at == sheet for at, _ in each.spots)]
        if not keys:
            return None
        fewest = min(keys, key=lambda each: len(each.codes))
        places = map(self.evidence.place, fewest.codes)
        rows = {place.row for place in places if place.sheet == sheet}
        if len(rows) != 1:
            return None
        row = rows.pop()
        return row if all(names_row(each, sheet, row, self.evidence) for each in keys) else None

    def allows(self, constraint: Constraint, place: Place) -> bool:
        """True where a cell is one of those that the text names in this respect."""
        evidence = self.evidence
        for mention in constraint.mentions:
            if constraint.is_column:
                if (place.sheet, place.column) in evidence.columns_like(mention.key):
                    return True
            elif names_row(mention, place.sheet, place.row, evidence):
                return True
        return False

    def _opposing(
        self, place: Place, constraints: Iterable[Constraint], broken: Sequence[Constraint]
    ) -> Place | None:
        """The one cell that the text names and that holds another figure."""
        row: int | None = place.row
        if any(not each.is_column for each in broken):
            row = self._named_row(place.sheet, [each for each in constraints if not each.is_column])
        if row is None:
            return self._elsewhere(place, broken)
        columns = [place.column]
        if any(each.is_column for each in broken):
            columns = self._columns(broken, place.sheet)
        return self._figure_in(place.sheet, row, columns)

    def _elsewhere(self, place: Place, broken: Iterable[Constraint]) -> Place | None:
        """The figure of another sheet that the text names: the same column, else its first."""
        name = self.evidence.sheets[place.sheet].columns[place.column]
        for constraint in broken:
            if constraint.is_column or len(constraint.mentions) != 1:
                continue
            mention = constraint.mentions[0]
            sheets = {sheet for sheet, _ in mention.spots}
            if place.sheet in sheets or not mention.names or len(sheets) != 1:
                continue
            sheet = sheets.pop()
            rows = [self.evidence.place(code).row for code in mention.codes] or [0]
            own = self.evidence.sheets[sheet]
            columns = [own.columns.index(name)] if name in own.columns else None
            if own.rows and len(rows) == 1:
                return self._figure_in(sheet, rows[0], columns)
        return None

    def is_named_by_key(self, claim: Claim, place: Place | None) -> bool:
        """True where the sentence names the row of this cell by more than its time."""
        passage = self.passages.at(claim.start) if place is not None and self.mentions else None
        return (
            passage is not None
            and place is not None
            and any(
                mention.key
                and not mention.columns
                and names_row(mention, place.sheet, place.row, self.evidence)
                and self._tells_apart(mention, place.sheet)
                for mention in passage.mentions
            )
        )

    def _tells_apart(self, mention: Mention, sheet: int) -> bool:
        """True where the name stands in a column of names, not of kinds that many rows share."""
        rows = self.evidence.sheets[sheet].rows
        return any(
            column < 0 or 2 * len({str(row[column]) for row in rows}) >= len(rows)
            for at, column in mention.spots
            if at == sheet
        )

    def _figure_in(self, sheet: int, row: int, columns: Iterable[int] | None) -> Place | None:
        """The first figure of a row in these columns, or in any."""
        for column in (
            range(len(self.evidence.sheets[sheet].columns)) if columns is None else columns
        ):
            place = Place(sheet, row, column)
            is_code = columns is None and self.evidence.is_code_column(place)
            if not is_code and self.evidence.figure_at(place) is not None:
                return place
        return None

    def _columns(self, constraints: Iterable[Constraint], sheet: int) -> list[int]:
        """The columns that are named."""
        return [
            column
            for each in constraints
            if each.is_column
            for mention in each.mentions
            for at, column in sorted(mention.columns)
            if at == sheet
        ]

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
        passage = self.passages.at(claim.start)
        if value is None or passage is None:
            return False
        return any(
            any(each.low <= value <= each.high for each in windows(other))
            and all(self.allows(each, place) for each in self.constraints(other, place.sheet))
            for other in passage.figures
            if other is not claim
        )
