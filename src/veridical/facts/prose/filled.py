"""The prose with its slots filled: pieces of text, each with the fact that printed it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.evidence.column import CellKind
from veridical.evidence.dimension import NUMBER
from veridical.evidence.table import Cell
from veridical.facts.fact import Fact, Label, Part, Role, key_of
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame, moment_of
from veridical.facts.kernel.value import FactError, Reason, Value
from veridical.facts.printing import PLAIN, SIGNED, read_format
from veridical.facts.prose.template import Slot, Written
from veridical.facts.sentence import Sentences, capitalised
from veridical.facts.wording import Wording
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import marks

_MOST_ROWS = 60
_LONGEST = 60_000
_TAIL = 12
_UNIT = late_pattern(r"[^\W\d_]+$|[%€$£¥]$")
_ENDS = marks(".!?")
SHORT = "short"
"""The part that is the host's own short sentence."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the shown text."""

    start: int
    end: int
    text: str
    fact: str = ""
    """The fact whose part it prints; empty for the model's own words."""
    path: str = ""
    part: Part | None = None
    source: Fact | None = None
    """The fact itself; none of an argument of a result's call."""
    is_exact: bool = False
    """True if it is a whole sentence, a table or a head of the host."""

    @property
    def is_own(self) -> bool:
        """True for the model's own words."""
        return not self.fact and not self.is_exact

    @property
    def is_name(self) -> bool:
        """True if it prints the name of a row."""
        return self.part is not None and self.part.role is Role.NAME

    @property
    def row(self) -> str:
        """The row that it names, or whose figure it is."""
        if self.part is None:
            return ""
        return key_of(self.part) if self.is_name else self.part.row


@dataclass(slots=True)
class Filled:
    """The shown text so far, and what could not be filled."""

    pieces: list[Piece] = field(default_factory=list[Piece])
    failures: list[tuple[str, FactError]] = field(default_factory=list[tuple[str, FactError]])
    used: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """The parts of each fact that slots print."""

    @property
    def text(self) -> str:
        """The shown text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def length(self) -> int:
        """Its length."""
        return self.pieces[-1].end if self.pieces else 0

    @property
    def tail(self) -> str:
        """Its last signs."""
        return "".join(piece.text[-_TAIL:] for piece in self.pieces[-_TAIL:])[-_TAIL:]

    def add(self, text: str, fact: str = "", path: str = "", part: Part | None = None,
            source: Fact | None = None, *, is_exact: bool = False) -> None:  # fmt: skip
        """One more piece."""
        if text:
            end = self.length + len(text)
            self.pieces.append(Piece(self.length, end, text, fact, path, part, source, is_exact))


@dataclass(frozen=True, slots=True)
class Filler:
    """Fills slots with the parts of facts."""

    facts: Mapping[str, Fact]
    failed: frozenset[str]
    """Facts that could not be computed; their findings are reported already."""
    frames: Mapping[str, Frame]
    wording: Wording
    sentences: Sentences

    def fill(self, written: Written) -> Filled:
        """The whole prose."""
        filled = Filled()
        for node in written.nodes:
            if isinstance(node, str):
                filled.add(node[_repeated(filled, node) :])
                continue
            if node.fact in self.failed:
                continue
            try:
                if filled.length > _LONGEST:
                    raise FactError(Reason.BUDGET, node.source)
                self._slot(node, written, filled)
            except FactError as error:
                filled.failures.append((node.source, error.with_traceback(None)))
        return filled

    def _slot(self, slot: Slot, written: Written, filled: Filled) -> None:
        if slot.is_head:
            filled.add(self.sentences.head(slot.fact), is_exact=True)
            return
        fact = self.facts.get(slot.fact)
        if fact is None:
            self._argument(slot, filled)
            return
        used = filled.used.setdefault(slot.fact, set())
        if slot.is_table or (fact.form == "table" and not slot.part):
            table = self._table(slot.fact, fact, written.labels)
            if filled.pieces and not filled.tail.endswith("\n"):
                filled.add("\n\n")
            filled.add(table, slot.fact, "table", source=fact, is_exact=True)
            return
        if not slot.part:
            text = self.sentences.of(fact, used)
            filled.add(text, slot.fact, "sentence", source=fact, is_exact=True)
            return
        if slot.part == SHORT:
            text = self.sentences.short(fact)
            filled.add(text, slot.fact, "sentence", source=fact, is_exact=True)
            return
        part = fact.part(slot.part)
        used.add(slot.part.casefold())
        text = self.wording.printer.part(part, read_format(slot.form))
        in_words = part.role in (Role.FLAG, Role.VERDICT) or ":w" in f":{slot.form}"
        if in_words and _starts(filled):
            text = text[:1].upper() + text[1:]
        text = self.wording.printer.after(filled.tail, _fitting(text, filled))
        filled.add(text, slot.fact, slot.part.casefold(), part, fact)

    def _argument(self, slot: Slot, filled: Filled) -> None:
        """An argument of the call that brought a result: ``{r1.year}``."""
        frame = self.frames.get(slot.fact)
        if frame is None:
            raise FactError(Reason.PART, slot.source, tuple(self.facts))
        held = {key.casefold(): value for key, value in frame.table.held.items()}
        cell = held.get(slot.part.casefold())
        if cell is None:
            raise FactError(Reason.PART, slot.source, tuple(frame.table.held))
        if isinstance(cell, float):
            value = Value(CellKind.FIGURE, cell, NUMBER)
        else:
            kind = CellKind.NAME if isinstance(cell, str | bool | int) else CellKind.DAY
            value = Value(kind, cell)
        plain = f"{cell:g}" if isinstance(cell, float) else None
        part = Part(Role.NAME, value)
        shown = plain or self._when(cell) or self.wording.printer.part(part)
        filled.add(shown, slot.fact, slot.part, part)

    def _when(self, cell: Cell) -> str:
        """A day, a period or a span between two days, as the language writes them."""
        if not isinstance(cell, str):
            return ""
        printer = self.wording.printer
        found = [moment_of(each) for each in cell.split("/", 1)]
        texts = [printer.moment(each) for each in found if each is not None]
        if len(texts) < len(found):
            return ""
        return texts[0] if len(texts) == 1 else printer.span(*texts)

    def _table(self, name: str, fact: Fact, labels: Mapping[str, str]) -> str:
        if fact.grid is None:
            raise FactError(Reason.PART, f"table:{name}")
        grid = fact.grid
        heads = [self._head(each.label, name, fact, labels) for each in grid.measures]
        lines = [heads, ["---"] * len(heads)]
        if fact.form != "table":
            lines = [["", *heads], ["---"] * (len(heads) + 1)]
        printer = self.wording.printer
        count = min(len(grid.names), _MOST_ROWS)
        columns = [printer.evened([each.vector.at(at) for at in range(count)],
                                  SIGNED if _is_change(each.label) else PLAIN)
                   for each in grid.measures]  # fmt: skip
        for at in range(count):
            cells = [_cell(column[at]) for column in columns]
            if fact.form != "table":
                cells = [_cell(printer.part(grid.names[at])), *cells]
            lines.append(cells)
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def _head(self, label: Label, name: str, fact: Fact, labels: Mapping[str, str]) -> str:
        """The model's own head with the column behind it, unless they are the same."""
        own = self.wording.label(label, short=True)
        column = getattr(label.formula, "name", "")
        wanted = {f"{fact.claim.result}.{column}", f"{name}.{label.text or column}",
                  f"{name}.{column}", label.text or column}  # fmt: skip
        given = next((text for key, text in labels.items() if key in wanted), "")
        return _cell(capitalised(given or own))


def _is_change(label: Label) -> bool:
    """True if a column holds changes."""
    formula = label.formula
    if isinstance(formula, ex.Arithmetic):
        sides = (formula.left, formula.right)
        return formula.operator == "-" and all(isinstance(each, ex.Column) for each in sides)
    return isinstance(formula, ex.Call) and formula.function == "growth"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _starts(filled: Filled) -> bool:
    text = filled.tail.rstrip("*_# ->\n")
    return not text or text[-1] in _ENDS


def _repeated(filled: Filled, text: str) -> int:
    """The length of a unit that the text behind a slot repeats: *30 minutes minutes*."""
    last = filled.pieces[-1] if filled.pieces else None
    if last is None or last.part is None or last.part.role is not Role.FIGURE:
        return 0
    unit = _UNIT.search(last.text)
    if unit is None:
        return 0
    start = len(text) - len(text.lstrip(" \u00a0"))
    end = start + len(unit[0])
    same = text[start:end].casefold() == unit[0].casefold()
    whole = not unit[0].isascii() or not text[end : end + 1].isalpha()
    return end if same and whole else 0


def _fitting(text: str, filled: Filled) -> str:
    """The text without a sign that the words before it have already: ``− −5``."""
    before = filled.tail[-2:].strip()
    return text[1:] if text[:1] == "−" and before[-1:] in ("-", "−") else text
