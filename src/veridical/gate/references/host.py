"""The host: computes a template over its tables and prints it."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from typing import TypeVar

from veridical.contracts.language import Language
from veridical.evidence.column import Kind
from veridical.evidence.moment import Moment
from veridical.evidence.table import Cell, Table
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.parse import is_condition, is_rows, is_scalar, parse
from veridical.gate.kernel.value import (
    EvaluationError,
    Figure,
    Reason,
    Selection,
    Time,
    Value,
    Word,
)
from veridical.gate.references.described import (
    gloss,
    is_ordered,
    names_its_column,
    names_its_value,
)
from veridical.gate.references.label_cues import LabelCues
from veridical.gate.references.label_index import LabelIndex
from veridical.gate.references.leaves import Leaf, leaves, size
from veridical.gate.references.printed import Form, Printer, read_form, says_unit
from veridical.gate.references.row_names import naming_column, sharing
from veridical.gate.references.shown import Asserted, Failure, Listed, Part, Piece, Shown
from veridical.gate.references.spoken import spoken
from veridical.gate.references.template import (
    Assertion,
    Broken,
    Each,
    Node,
    Prose,
    Quote,
    Reference,
    Template,
)
from veridical.gate.references.times import TIMES, cell_moment
from veridical.gate.references.words import DENYING, claims_something, words
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import wide_marks

_MOST_ROWS = 400
_MOST_SIZE = 4_000
_T = TypeVar("_T")
_LINE = late_pattern(r"\s*(?:[-*•] |\||\d+[.)]\s)")
_NUMBERED = late_pattern(r"\s*1([.)]) ")
_SENTENCE = late_pattern(rf"[.!?](?=\s|$)|[{wide_marks('.!?;')}\n]")


class Host:
    """Computes and prints a template over its tables."""

    def __init__(self, tables: Sequence[Table], question: str, language: Language) -> None:
        self.tables = {table.name: table for table in tables}
        self.printer = Printer(language)
        self.evaluator = Evaluator(self.tables)
        self._question = question
        self._words = words(language)
        self.index = LabelIndex(tables)
        self.label_cues = LabelCues(tables, self.index, question)
        self._names: dict[str, ex.Expression] = {}
        self._aliased: set[str] = set()
        self._shown = Shown()
        self._claim: int | None = None
        self._item: int | None = None
        self._told = False

    def show(self, template: Template) -> Shown:
        """The shown answer; parts without a value become failures."""
        for line in template.broken:
            self._fail(line, EvaluationError(Reason.SYNTAX, line))
        for name, source in template.definitions:
            if name in self.tables:
                self._fail(source, EvaluationError(Reason.SYNTAX, name))
                continue
            found = self._tried(source, partial(self._parsed, source))
            if found is not None:
                self._names[name] = found
        self._nodes(template.body)
        return self._shown

    def _parsed(self, source: str) -> ex.Expression:
        found = parse(source, self.tables, self._names)
        if size(found, {}) > _MOST_SIZE:
            raise EvaluationError(Reason.BUDGET, source)
        return found

    def _tried(self, source: str, work: Callable[[], _T]) -> _T | None:
        try:
            return work()
        except EvaluationError as error:
            self._fail(source, error)
        except RecursionError:
            self._fail(source, EvaluationError(Reason.BUDGET, source))
        return None

    def _fail(self, source: str, error: EvaluationError) -> None:
        shown = self._shown
        shown.failures.append(Failure(shown.length, source, error.reason, error.subject))

    def _nodes(self, nodes: Sequence[Node]) -> None:
        for at, node in enumerate(nodes):
            before = nodes[at - 1] if at else None
            after = nodes[at + 1] if at + 1 < len(nodes) else None
            match node:
                case Prose(text):
                    self._add(text, Part.PROSE)
                case Quote(text):
                    self._add(text, Part.QUOTE, source=f"q: {text}")
                case Reference():
                    self._told = self._told_direction(nodes, at)
                    self._reference(node, _prose(before), _prose(after))
                case Assertion():
                    self._assertion(node)
                case Each():
                    self._each(node)
                case Broken(text):
                    self._fail(text, EvaluationError(Reason.SYNTAX, text))

    def _reference(self, node: Reference, before: str, after: str) -> None:
        form = read_form(node.form)
        if form is None:
            self._fail(node.source, EvaluationError(Reason.SYNTAX, node.form))
            return
        found = self._tried(node.source, lambda: self._parsed(node.source))
        if found is None:
            return
        if is_rows(found):
            self._tried(node.source, lambda: self._named(node, found, form))
        elif is_scalar(found):
            self._tried(node.source, lambda: self._valued(node, found, form, before, after))
        else:
            self._fail(node.source, EvaluationError(Reason.NOT_A_FIGURE, node.source))

    def _named(self, node: Reference, rows: ex.Rows, form: Form) -> None:
        selection = self.evaluator.rows(rows)
        if not selection.rows:
            raise EvaluationError(Reason.NO_ROW, node.source)
        column, moment, text = self._name(rows, selection, form)
        meant = sharing(selection, column)
        self._add(
            self._with_alias(node.alias, text), Part.NAME, source=node.source, expression=rows,
            rows=meant, moment=moment, own=selection,
        )  # fmt: skip

    def _with_alias(self, alias: str, text: str) -> str:
        if not alias or alias.casefold() == text.casefold():
            return text
        if (alias + text) in self._aliased:
            return alias
        self._aliased.add(alias + text)
        return self.printer.alias(alias, text)

    def _name(
        self, rows: ex.Rows, selection: Selection, form: Form
    ) -> tuple[int | None, Moment | None, str]:
        table = selection.table
        column = naming_column(rows, selection)
        if column is not None:
            cells = {table.rows[row][column] for row in selection.rows}
            if len(cells) == 1:
                cell = next(iter(cells))
                text, moment = self._cell_text(cell, table.columns[column].kind, form)
                return column, moment, text
        times = [at for at, each in enumerate(table.columns) if each.kind in TIMES]
        if isinstance(rows, ex.Range | ex.Table) and times:
            return None, *self._span(selection, times[0], form)
        if isinstance(rows, ex.Named | ex.Ranked | ex.Nth | ex.Sorted) and table.naming:
            at = table.naming[0]
            kind = table.columns[at].kind
            texts = [self._cell_text(table.rows[r][at], kind, form)[0] for r in selection.rows]
            joints = self.printer.listed(texts)
            return None, None, "".join(a + b for a, b in zip(texts, joints, strict=True))
        raise EvaluationError(Reason.SEVERAL_ROWS, "")

    def _span(self, selection: Selection, at: int, form: Form) -> tuple[Moment | None, str]:
        table = selection.table
        moments = [m for row in selection.rows if (m := cell_moment(table.rows[row][at]))]
        if not moments:
            raise EvaluationError(Reason.NO_VALUE, "")
        ordered = sorted(moments, key=lambda each: each.order)
        first, last = ordered[0], ordered[-1]
        if form.has("quarter") and first.filled.quarter == last.filled.quarter:
            whole = Moment(year=first.year, quarter=first.filled.quarter)
            return whole, self.printer.moment(whole, form)
        texts = [self.printer.moment(each, form) for each in (first, last)]
        return None, texts[0] if texts[0] == texts[1] else self.printer.span(*texts)

    def _cell_text(self, cell: Cell, kind: Kind, form: Form) -> tuple[str, Moment | None]:
        if cell is None:
            raise EvaluationError(Reason.NO_VALUE, "")
        moment = cell_moment(cell) if kind in TIMES else None
        if moment is not None:
            return self.printer.moment(moment, form), moment
        if isinstance(cell, bool):
            return self.printer.flag(cell), None
        return (f"{cell:g}" if isinstance(cell, float) else str(cell)), None

    def _valued(
        self, node: Reference, scalar: ex.Scalar, form: Form, before: str, after: str
    ) -> None:
        if isinstance(scalar, ex.Year):
            year = self.evaluator.figure(scalar)
            self._add(
                str(int(year.value)), Part.YEAR, source=node.source, expression=scalar, value=year,
                moment=Moment(year=int(year.value)),
            )  # fmt: skip
            return
        if isinstance(scalar, ex.Cells) and self._is_blank(scalar):
            self._add(
                self.printer.blank, Part.BLANK, source=node.source, expression=scalar,
                leaves=leaves(scalar, self.evaluator),
            )  # fmt: skip
            return
        value = self.evaluator.value(scalar)
        found = leaves(scalar, self.evaluator)
        if isinstance(value, Word | Time):
            self._described(node, scalar, value, form)
            return
        bare = says_unit(value, before, after)
        unsigned = self._is_unsigned(scalar, value, form)
        text = self.printer.value(value, form, unsigned=unsigned, bare=bare)
        if form.has("word") and self._starts_sentence():
            text = text[:1].upper() + text[1:]
        self._add(
            text, Part.FIGURE, source=node.source, expression=scalar, value=value, leaves=found
        )

    def _described(self, node: Reference, scalar: ex.Scalar, value: Value, form: Form) -> None:
        """A text, a day or a flag of rows: it names those that have it."""
        rows, column, text, moment = None, None, self.printer.value(value, form), None
        if isinstance(scalar, ex.Cells):
            selection = self.evaluator.rows(scalar.rows)
            column = selection.table.column(scalar.column)
            rows = sharing(selection, column)
            if column is not None:
                cell = selection.table.rows[selection.rows[0]][column]
                text, moment = self._cell_text(cell, selection.table.columns[column].kind, form)
        self._add(
            self._with_alias(node.alias, text), Part.NAME, source=node.source, expression=scalar,
            value=value, rows=rows, moment=moment, leaves=leaves(scalar, self.evaluator),
        )  # fmt: skip

    def _is_blank(self, cells: ex.Cells) -> bool:
        selection = self.evaluator.rows(cells.rows)
        at = selection.table.column(cells.column)
        if at is None or len(selection.rows) != 1:
            return False
        return selection.table.rows[selection.rows[0]][at] is None

    def _is_unsigned(self, scalar: ex.Scalar, value: Figure, form: Form) -> bool:
        """Whether words beside say the direction, so that a minus would say it twice."""
        if value.value >= 0 or form.has("sign"):
            return False
        is_delta = isinstance(scalar, ex.Change) or (
            isinstance(scalar, ex.Arithmetic) and scalar.operator is ex.Operator.MINUS
        )
        return is_delta and self._told

    def _told_direction(self, nodes: Sequence[Node], at: int) -> bool:
        """Whether a claim of the same sentence compares, and so says up or down."""
        before = list(takewhile(_is_within, reversed(nodes[:at])))
        after = list(takewhile(_is_within, nodes[at + 1 :]))
        for node in (*before, *after):
            if isinstance(node, Assertion):
                try:
                    found = self._parsed(node.source)
                except EvaluationError:
                    continue
                if isinstance(found, ex.Compare | ex.Runs):
                    return True
        return False

    def _starts_sentence(self) -> bool:
        text = self._shown.text.rstrip("*_ ")
        return not text or text[-1] in ".!?\n-"

    def _assertion(self, node: Assertion) -> None:
        shown, start = self._shown, self._shown.length
        number = len(shown.claims)
        found = error = None
        holds: bool | None = None
        try:
            found = self._parsed(node.source)
            holds = self._holds(found)
        except EvaluationError as raised:
            error = raised
        except RecursionError:
            error = EvaluationError(Reason.BUDGET, node.source)
        shown.claims.append(Asserted(start, start, node.source, found, holds, self._item, error))
        self._claim = number
        self._nodes(node.words)
        if found is not None and holds and all(isinstance(each, Prose) for each in node.words):
            self._gloss(found, shown.text[start:])
        self._claim = None
        asserted = Asserted(start, shown.length, node.source, found, holds, self._item, error)
        shown.claims[number] = asserted

    def _gloss(self, found: ex.Expression, words: str) -> None:
        """Says the condition behind words that nobody can check against it, once."""
        said = gloss(found)
        if said is None and not is_rows(found):
            told = found.right if isinstance(found, ex.Same) else found
            said = spoken(told, self.printer.language)
        if said is None or (words + said) in self._aliased:
            return
        cues = [each for each in self._words.cues(words) if any(map(claims_something, each.kinds))]
        denies = is_ordered(found) and all(
            cue.kinds & DENYING and cue.text != words.strip().lower() for cue in cues
        )
        if cues and not denies:
            return
        if names_its_value(found, words) or names_its_column(found, words, self.index):
            return
        if self._words.base.ordinal.search(words.lower()) or re.search(r"\d", words):
            return
        self._aliased.add(words + said)
        self._add(self.printer.alias("", said), Part.GLOSS, source=said)

    def _holds(self, found: ex.Expression) -> bool:
        if is_condition(found):
            return self.evaluator.holds(found)
        if is_rows(found):
            return bool(self.evaluator.rows(found).rows)
        if is_scalar(found):
            self.evaluator.value(found)
        return True

    def _each(self, node: Each) -> None:
        found = self._tried(node.source, lambda: self._parsed(node.source))
        if found is None:
            return
        if not is_rows(found):
            self._fail(node.source, EvaluationError(Reason.SYNTAX, node.source))
            return
        selection = self._tried(node.source, lambda: self.evaluator.rows(found))
        if selection is None:
            return
        start = self._shown.length
        self._items(node, found, min(len(selection.rows), _MOST_ROWS))
        if not selection.rows:
            self._fail(node.source, EvaluationError(Reason.NO_ROW, node.source))
        self._shown.lists.append(Listed(start, self._shown.length, node.source, found, selection))

    def _items(self, node: Each, rows: ex.Rows, count: int) -> None:
        first = node.body[0] if node.body else None
        lead = first.text if isinstance(first, Prose) else ""
        in_lines = bool(_LINE.match(lead))
        joints = ["\n"] * (count - 1) + [""] if in_lines else self.printer.listed([""] * count)
        outer = self._names
        for place in range(1, count + 1):
            body = node.body
            if numbered := _NUMBERED.match(lead):
                again = f"{place}{numbered[1]} {lead[numbered.end() :]}"
                body = (Prose(again), *node.body[1:])
            self._shown.items += 1
            self._item = self._shown.items
            self._names = {**outer, node.name: ex.Nth(rows, place)}
            self._nodes(body)
            self._item = None
            self._add(joints[place - 1], Part.PROSE)
        self._names = outer

    def _add(
        self, text: str, part: Part, *, source: str = "", expression: ex.Expression | None = None,
        value: Value | None = None, rows: Selection | None = None, moment: Moment | None = None,
        leaves: tuple[Leaf, ...] = (), own: Selection | None = None,
    ) -> None:  # fmt: skip
        shown = self._shown
        if not text:
            return
        end = shown.length + len(text)
        shown.pieces.append(
            Piece(
                shown.length, end, text, part, source, expression, value, rows, moment, leaves,
                own, self._claim, self._item,
            )
        )  # fmt: skip
        shown.length = end


def _is_within(node: Node) -> bool:
    """Whether a sentence goes on through this part."""
    return not isinstance(node, Prose) or not _SENTENCE.search(node.text)


def _prose(node: Node | None) -> str:
    return node.text if isinstance(node, Prose) else ""
