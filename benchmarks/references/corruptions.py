"""Machine-made corruptions of referenced answers, each a single edit of the template.

An edit counts only where it makes the shown answer false:

- What is shown must change. An edit of a condition whose claim reads the same is left out, and so
  is one of a reference that prints the same figure or name.
- Edits of a reference, of a list or of words stand in one place, while the rest of the sentence
  still says the old thing: the name, the label, the operation, the limit, the set. What is shown
  there is then false, because it differs from what the evidence gives for what is still said.
- Edits of a definition count only where words of a claim or its condition still say the old thing;
  a definition without a claim may be another true statement.
- A list counts as cut when it shows fewer rows of the set that it went through.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

from benchmarks.references.items import Item
from veridical.evidence.column import Kind
from veridical.evidence.concepts import concepts
from veridical.evidence.read import read_tables
from veridical.evidence.table import Table
from veridical.evidence.unit import unit_dimension
from veridical.gate.references.label_index import LabelIndex
from veridical.gate.references.template import read_template
from veridical.ontology.terms import HAN, split_name

_REFERENCE = re.compile(r"\{(?!q:)([^{}]+)\}")
_CLAIM = re.compile(r"\[\[((?:[^\[\]|]|\[[^\]]*\])+)\|((?:[^\[\]]|\[[^\]]*\])*)\]\]")
_LIST = re.compile(r"<<(\w+) in ([^:<>]+?): ?(.*?)>>", re.DOTALL)
_CELL = re.compile(r"([^\W\d]\w*(?:\[[^\]]*\])*)\.([^\s:,)(\]}+*/-]+)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_HAN = re.compile(f"[{HAN}]")
_MOST_EACH = 6
_ANTONYMS = tomllib.loads(Path(__file__).with_name("antonyms.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Corruption:
    """One edit."""

    kind: str
    text: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Source:
    """A template with its parts."""

    item: Item
    head: str
    body: str
    tables: tuple[Table, ...]

    @property
    def text(self) -> str:
        """The whole template."""
        return self.head + self.body


def corruptions(item: Item) -> Iterator[Corruption]:
    """All edits of an item, some of each kind."""
    source = _source(item)
    for kind, make in _MAKERS.items():
        seen: set[str] = set()
        for edited, before, after in islice(make(source), 4 * _MOST_EACH):
            if edited != source.text and edited not in seen and len(seen) < _MOST_EACH:
                seen.add(edited)
                yield Corruption(kind, edited, before, after)


def _source(item: Item) -> Source:
    definitions = read_template(item.text).definitions
    rule = re.search(r"^\s*-{3,}\s*$", item.text, re.MULTILINE)
    at = rule.end() if rule and definitions else 0
    return Source(item, item.text[:at], item.text[at:], read_tables(item.evidence))


Edit = tuple[str, str, str]


def _put(source: Source, start: int, end: int, text: str) -> Edit:
    """The template with a part of its body exchanged."""
    body = source.body[:start] + text + source.body[end:]
    return source.head + body, source.body[start:end], text


def _row_names(source: Source) -> list[str]:
    """The definitions that are one row: by rank, by place, by a name."""
    found: list[str] = []
    for name, text in read_template(source.item.text).definitions:
        ranked = re.fullmatch(r"(?:top|bottom|nth)\((?:[^,]|,\s*-?\d+\)$)+\)?", text)
        if re.fullmatch(r"r\d+\[[^\]=<>!,]+\]", text) or (ranked and ", 3" not in text):
            found.append(name)
    return found


def _wrong_row(source: Source) -> Iterator[Edit]:
    names = _row_names(source)
    for match in _REFERENCE.finditer(source.body):
        for cell in _CELL.finditer(match[1]):
            start = match.start(1) + cell.start(1)
            others = names if cell[1] in names else _other_rows(source, cell[1])
            for other in others:
                if other != cell[1]:
                    yield _put(source, start, start + len(cell[1]), other)


def _other_rows(source: Source, text: str) -> list[str]:
    named = re.fullmatch(r"(r\d+)\[([^\]=<>!,#]+)\]", text)
    table = next((t for t in source.tables if named and t.name == named[1]), None)
    if named is None or table is None or not table.naming:
        return []
    at = table.naming[0]
    values = [str(table.rows[row][at]) for row in table.members]
    return [f"{named[1]}[{v}]" for v in values if v.casefold() != named[2].casefold()][:3]


def _wrong_column(source: Source) -> Iterator[Edit]:
    for match in _REFERENCE.finditer(source.body):
        for cell in _CELL.finditer(match[1]):
            for other in _other_columns(source, cell[2]):
                start = match.start(1) + cell.start(2)
                yield _put(source, start, start + len(cell[2]), other)


def _other_columns(source: Source, name: str) -> list[str]:
    """Columns of the same table that hold figures too."""
    for table in source.tables:
        at = table.column(name)
        if at is not None and table.columns[at].kind is Kind.FIGURE:
            years = _YEAR.sub("", name)
            return [
                each.name
                for each in table.columns
                if each.kind is Kind.FIGURE
                and each.name != name
                and _YEAR.sub("", each.name) != years
            ]
    return []


_OPERATIONS = {
    "sum": ("mean", "max"), "mean": ("sum", "median", "max"), "median": ("mean",),
    "max": ("min", "mean"), "min": ("max", "mean"), "change": ("share",),
}  # fmt: skip


def _wrong_operation(source: Source) -> Iterator[Edit]:
    for match in _REFERENCE.finditer(source.body):
        for found in re.finditer(r"\b(sum|mean|median|max|min|change)\(", match[1]):
            for other in _OPERATIONS[found[1]]:
                start = match.start(1) + found.start(1)
                yield _put(source, start, start + len(found[1]), other)
        for found in re.finditer(r" ([+-]) ", match[1]):
            other = "-" if found[1] == "+" else "+"
            start = match.start(1) + found.start(1)
            yield _put(source, start, start + 1, other)


def _wrong_rank(source: Source) -> Iterator[Edit]:
    """A definition ranks the other way while a claim says the old rank."""
    for found in re.finditer(r"^(\w+)\s*=\s*(top|bottom)\(", source.head, re.MULTILINE):
        if not re.search(rf"\[\[\s*{found[1]}\s*(?:=|\|)", source.body):
            continue
        other = "bottom" if found[2] == "top" else "top"
        head = source.head[: found.start(2)] + other + source.head[found.end(2) :]
        yield head + source.body, found[2], other


_COMPARATORS = {">": "<", "<": ">", ">=": "<", "<=": ">"}


def _wrong_comparator(source: Source) -> Iterator[Edit]:
    """A definition compares the other way while a claim describes the old rows."""
    for line in re.finditer(r"^(\w+)\s*=\s*(.+)$", source.head, re.MULTILINE):
        if not re.search(rf"\[\[[^|]*\b{line[1]}\b[^|]*\|", source.body):
            continue
        for sign in re.finditer(r">=|<=|[<>]", line[2]):
            start = line.start(2) + sign.start()
            head = source.head[:start] + _COMPARATORS[sign[0]] + source.head[start + len(sign[0]) :]
            yield head + source.body, sign[0], _COMPARATORS[sign[0]]


def _flipped_words(source: Source) -> Iterator[Edit]:
    for claim in _CLAIM.finditer(source.body):
        for one, other in _ANTONYMS[source.item.language.value]:
            for word, turned in ((one, other), (other, one)):
                form = re.escape(word) if _HAN.search(word) else rf"(?<!\w){re.escape(word)}(?!\w)"
                for found in re.finditer(form, claim[2]):
                    start = claim.start(2) + found.start()
                    yield _put(source, start, start + len(word), turned)


def _wrong_count(source: Source) -> Iterator[Edit]:
    sets = [name for name, _ in read_template(source.item.text).definitions]
    for match in _REFERENCE.finditer(source.body):
        for found in re.finditer(r"\bcount\(([^()]+)\)", match[1]):
            start = match.start(1) + found.start(1)
            for other in ["r1", *sets]:
                if other != found[1].strip():
                    yield _put(source, start, start + len(found[1]), other)
            yield _put(source, start + len(found[1]) + 1, start + len(found[1]) + 1, " + 1")


def _wrong_period(source: Source) -> Iterator[Edit]:
    years = sorted(
        {year for t in source.tables for c in t.columns for year in _YEAR.findall(c.name)}
    )
    for match in _REFERENCE.finditer(source.body):
        for found in _YEAR.finditer(match[1]):
            for other in years:
                if other != found[0]:
                    start = match.start(1) + found.start()
                    yield _put(source, start, start + len(found[0]), other)
    for quoted in re.finditer(r"\{q:\s*([^{}]+)\}", source.body):
        for found in _YEAR.finditer(quoted[1]):
            start = quoted.start(1) + found.start()
            yield _put(source, start, start + 4, str(int(found[0]) - 1))
        for found in re.finditer(r"Q([1-4])", quoted[1]):
            start = quoted.start(1) + found.start(1)
            yield _put(source, start, start + 1, str(int(found[1]) % 4 + 1))


_UNITS = {
    "en": (" hours", " kg", " %", " GBP"), "de": (" Stunden", " kg", " %", " GBP"),
    "zh": ("小时", "公斤", "%", "英镑"),
}  # fmt: skip


def _wrong_unit(source: Source) -> Iterator[Edit]:
    for match in _REFERENCE.finditer(source.body):
        cells = [_other_columns(source, cell[2]) for cell in _CELL.finditer(match[1])]
        if not any(cells) or " as " in match[1] or "year(" in match[1]:
            continue
        behind = source.body[match.end() : match.end() + 2]
        if behind[:1] in ("%", "h", "k") or re.match(r" ?[^\W\d_]", behind):
            continue
        own = {
            (dimension.quantity, dimension.unit)
            for table in source.tables
            for cell in _CELL.finditer(match[1])
            if (at := table.column(cell[2])) is not None
            and (dimension := table.columns[at].dimension) is not None
        }
        for unit in _UNITS[source.item.language.value]:
            named = unit_dimension(unit.strip())
            if named is not None and (named.quantity, named.unit) in own:
                continue  # its own unit in other words may be true
            yield _put(source, match.end(), match.end(), unit)


def _list_cut(source: Source) -> Iterator[Edit]:
    for found in _LIST.finditer(source.body):
        rows = found[2].strip()
        yield _put(source, found.start(2), found.end(2), f"{rows}[#1]")
        for table in source.tables:
            if not table.naming or not rows.strip():
                continue
            at = table.naming[0]
            name = table.columns[at].name
            for row in table.members[:4]:
                value = table.rows[row][at]
                if isinstance(value, str) and re.fullmatch(r"[\w .&-]+", value):
                    cut = f"{rows}[{name} != {value}]"
                    yield _put(source, found.start(2), found.end(2), cut)


def _swapped_name(source: Source) -> Iterator[Edit]:
    names = _row_names(source)
    for match in _REFERENCE.finditer(source.body):
        plain = re.fullmatch(r"\s*(\w+(?:\[[^\]=<>!,#]+\])?)\s*(?: as [^{}]+|: ?\w+)?", match[1])
        if plain is None:
            continue
        others = names if plain[1] in names else _other_rows(source, plain[1])
        for other in others:
            if other != plain[1]:
                start = match.start(1) + plain.start(1)
                yield _put(source, start, start + len(plain[1]), other)


def _typed_figure(source: Source) -> Iterator[Edit]:
    typed = {"en": "three", "de": "drei", "zh": "三个"}[source.item.language.value]
    for match in _REFERENCE.finditer(source.body):
        if not re.search(r"\.|\(", match[1]) or " as " in match[1]:
            continue
        yield _put(source, match.start(), match.end(), "4711")
        if "count(" in match[1]:
            yield _put(source, match.start(), match.end(), typed)


def _wrong_noun(source: Source) -> Iterator[Edit]:
    """The word for one measure where the figure is of another."""
    index = LabelIndex(source.tables)
    nouns = _nouns(source)
    for label, columns in _labels(source, index):
        for column, word in nouns.items():
            if column not in columns:
                yield _put(source, *label, word)


def _swapped_labels(source: Source) -> Iterator[Edit]:
    """Two labels of a sentence exchanged."""
    found = list(_labels(source, LabelIndex(source.tables)))
    for (one, first), (other, second) in pairwise(found):
        between = source.body[one[1] : other[0]]
        if first & second or "\n" in between:
            continue
        swapped = source.body[slice(*other)] + between + source.body[slice(*one)]
        yield _put(source, one[0], other[1], swapped)


def _labels(source: Source, index: LabelIndex) -> Iterator[tuple[tuple[int, int], frozenset[str]]]:
    """Labels in the prose of a template, and in the words of its claims."""
    hidden = list(source.body)
    for match in (*_REFERENCE.finditer(source.body), *re.finditer(r"\{q:[^{}]*\}", source.body)):
        hidden[match.start() : match.end()] = "\x00" * (match.end() - match.start())
    for claim in _CLAIM.finditer(source.body):
        hidden[claim.start(1) : claim.end(1)] = "\x00" * (claim.end(1) - claim.start(1))
    for found in _LIST.finditer(source.body):
        hidden[found.start(2) : found.end(2)] = "\x00" * (found.end(2) - found.start(2))
    for label in index.find("".join(hidden)):
        if label.is_own or source.item.language.value != "en":
            yield (label.start, label.end), label.columns


def _nouns(source: Source) -> dict[str, str]:
    """A word of the answer's language for each column of figures."""
    index = LabelIndex(source.tables)
    language = source.item.language.value
    found: dict[str, str] = {}
    for table in source.tables:
        for column in table.columns:
            if column.kind is not Kind.FIGURE:
                continue
            own: list[str] = re.findall(r"[^\W\d_]{4,}|[一-鿿]{2,}", split_name(column.name))
            listed = [w for words in concepts().values() for w in words if "_" not in w]
            for word in (*own, *listed):
                if bool(_HAN.search(word)) is not (language == "zh"):
                    continue
                labels = index.find(word)
                if len(labels) == 1 and labels[0].columns == frozenset({column.name}):
                    found[column.name] = word
                    break
    return found


_MAKERS: dict[str, Callable[[Source], Iterator[Edit]]] = {
    "wrong row": _wrong_row,
    "wrong column": _wrong_column,
    "wrong operation": _wrong_operation,
    "wrong rank": _wrong_rank,
    "wrong comparator": _wrong_comparator,
    "flipped words": _flipped_words,
    "wrong count": _wrong_count,
    "wrong period": _wrong_period,
    "wrong unit": _wrong_unit,
    "list cut": _list_cut,
    "swapped name": _swapped_name,
    "typed figure": _typed_figure,
    "wrong measure noun": _wrong_noun,
    "swapped labels": _swapped_labels,
}
