"""The exact sentence of a fact: a template of its form, filled by the host."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache
from string import Formatter
from typing import Any, ClassVar

from veridical.contracts.language import Language
from veridical.evidence.column import TIMES, CellKind
from veridical.evidence.dimension import Quantity
from veridical.facts.fact import Fact, Grid, Label, Measured, Part, Population
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame, moment_of
from veridical.facts.printing import language_data
from veridical.facts.wording import Wording, noun_words
from veridical.reading.punctuation import wide_marks

_MOST_ITEMS = 40
_SHORTEST_LABEL = 3
"""Shorter names, such as ``n``, are no labels."""
_COUNTED = ("count", "which", "missing")
"""Forms whose sentences count rows without naming them."""
_IN_TIME = {">": "after", "<": "before", ">=": "from", "<=": "until", "=": "is", "!=": "is_not"}
_RELATIONS = {">": "above", "<": "below", ">=": "at_least", "<=": "at_most", "=": "is",
              "!=": "is_not"}  # fmt: skip


class Sentences:
    """Writes the exact sentences of one answer."""

    def __init__(self, language: Language, wording: Wording) -> None:
        self._wording = wording
        self._printer = wording.printer
        data = language_data(language)
        self._templates: dict[str, str] = data["sentence"]
        self._shorter: dict[str, str] = data["short"]
        self._populations: dict[str, str] = data["population"]
        self._item: str = data["printed"]["item"]
        self._more: str = data["printed"]["more"]
        self._between: str = data["printed"]["list"]

    def of(self, fact: Fact, used: Collection[str] = ()) -> str:
        """The sentence, with one more for each extra part that a slot prints."""
        found = [self._filled(fact.template, fact)]
        for template, parts in fact.extras.items():
            if parts & set(used) and parts <= fact.parts.keys():
                found.append(self._filled(template, fact))
        text = _spaced(found)
        return text[:1].upper() + text[1:]

    def basis(self, fact: Fact) -> str:
        """The basis of a result, with the arguments of its call: for reviewers."""
        return self._filled("basis.held", fact)

    def short(self, fact: Fact) -> str:
        """The sentence of an answer that the host gives alone; the exact one stands under it."""
        key = fact.template.replace(".", "_")
        if key in ("value_row", "value_only") and len(_pairs_of(fact)) == 1:
            return self._only_figure(fact)
        title = self._wording.title(fact.claim.result)
        if key == "value_row" and self._printer.part(fact.parts["row"]) in title:
            key = "value_only"
        if key == "value_rows" and title:
            return self._row_bullets(fact)
        counted = f"{key}_count" if _is_count(fact) else key
        template = self._shorter.get(counted) or self._shorter.get(key)
        if template is None:
            return self.of(fact)
        text = self._fill(template, fact)
        return text[:1].upper() + text[1:]

    def head(self, result: str) -> str:
        """The title of the known question that a result answers; empty for any other."""
        title = capitalised(self._wording.title(result))
        return self._shorter["head"].format(title=title) if title else ""

    def _only_figure(self, fact: Fact) -> str:
        """One figure: alone, of its row, or under its label, whichever is informative."""
        label, part = _pairs_of(fact)[0]
        value, column = self._printer.part(part), getattr(label.formula, "name", "")
        known = "" if self._wording.is_nameless(column) else self._wording.label(label, short=True)
        row = self._printer.part(fact.parts["row"]) if fact.template == "value.row" else ""
        title = self._wording.title(fact.claim.result)
        if title:  # it stands before the figure, and gives what the figure is
            named = self._shorter["value_named"].format(row=row, value=value)
            return value if row in title or row == value else named
        if not row or row == value:
            template = self._shorter["value_one" if known else "value_bare"]
            return template.format(label=known[:1].upper() + known[1:], value=value)
        key = "value_of" if len(known) >= _SHORTEST_LABEL else "value_named"
        return self._shorter[key].format(row=row, label=known, value=value)

    def _bullets(self, fact: Fact) -> str:
        return "\n".join(
            self._bullet(self._wording.label(label, short=True), self._printer.part(part))
            for label, part in _pairs_of(fact)
        )

    def _row_bullets(self, fact: Fact) -> str:
        measure, names = _grid(fact).measures[0], _grid(fact).names[:_MOST_ITEMS]
        return "\n".join(
            self._bullet(self._row(name, measure, at), self._cell(measure, at, ""))
            for at, name in enumerate(names)
        )

    def _bullet(self, label: str, value: str) -> str:
        key = "bullet" if label else "bullet_bare"
        return self._shorter[key].format(label=label[:1].upper() + label[1:], value=value)

    def _row(self, name: Part, measure: Measured, at: int) -> str:
        """The name of a row; empty where it is only the unit, which its figure is printed with."""
        value, text = measure.vector.at(at), self._printer.part(name)
        unit = value.dimension.unit if value is not None and value.dimension is not None else ""
        return "" if text == unit else text

    def _fill(self, template: str, fact: Fact) -> str:
        return template.format(**{key: self._word(key, fact) for key in _places(template)})

    def _filled(self, name: str, fact: Fact) -> str:
        key = name.replace(".", "_")
        if _is_empty(fact):
            key = "list_none"
        if fact.template == "table" and fact.words["cut"]:
            key = "table_cut"
        if ex.is_judged(_condition(fact)) and f"{key}_judged" in self._templates:
            key = f"{key}_judged"
        template, population = self._templates[key], fact.population
        text = self._fill(template, fact)
        if fact.words.get("by") and "{by}" not in template and not _is_empty(fact):
            by = self._word("by", fact)
            text = self._templates["by_group"].format(by=by, text=text)
        if population is None:
            return text
        if population.before is not None:
            return text + self._about(population.before)
        return text if "{population}" in template else text + self._filter(fact, population)

    def _about(self, population: Population) -> str:
        return self._templates["only_where"].format(population=self.population(population))

    def _filter(self, fact: Fact, population: Population) -> str:
        """The rows of a fact, if its sentence has no place for them."""
        if _is_empty(fact):
            return self._about(replace(population, condition=None)) if population.names else ""
        if fact.form in _COUNTED and fact.words.get("condition") is None:
            if fact.form != "missing":
                population = replace(population, condition=None)
            named = bool(population.names) or population.condition is not None
            return self._about(population) if named else ""
        over_rows = population.condition is not None and fact.words.get("over_rows")
        return self._about(population) if over_rows else ""

    def _word(self, key: str, fact: Fact) -> str:
        """The text for one place of a template."""
        if key in self._WRITERS:
            return self._WRITERS[key](self, fact)
        word: Any = fact.words.get(key) or fact.parts.get(key)
        if isinstance(word, Label):
            return self._wording.label(word)
        if isinstance(word, Part):
            return self._printer.part(word)
        return noun_words(self._printer.language, fact.words["population"].nouns)[key]

    def _by(self, fact: Fact) -> str:
        return self._printer.joined([self._wording.column(name) for name in fact.words["by"]])

    def _percent(self, fact: Fact) -> str:
        pct = fact.parts.get("pct")
        if pct is None or pct.value is None:
            return ""
        return self._templates["percent_of"].format(pct=self._printer.part(pct))

    def _relation(self, fact: Fact) -> str:
        limit = fact.parts["limit"]
        timed = limit.value is not None and limit.value.kind in TIMES
        key = "relation_" + (_IN_TIME if timed else _RELATIONS)[fact.words["operator"]]
        return self._templates[key].format(limit=self._printer.part(limit))

    def _pairs(self, fact: Fact) -> str:
        texts = [
            self._templates["pair"].format(
                label=self._wording.label(label), value=self._printer.part(part)
            )
            for label, part in _pairs_of(fact)
        ]
        head = self._templates["pairs"].join(texts[:-1])
        return self._templates["last_pair"].join((*([head] if head else []), texts[-1]))

    def _items(self, fact: Fact) -> str:
        words = fact.words
        if "compared" in words:
            return "; ".join(
                self._templates["compare_item"].format(
                    label=self._wording.label(each["label"]),
                    a=self._printer.part(each["a"]),
                    b=self._printer.part(each["b"]),
                    difference=self._difference(each),
                )
                for each in words["compared"]
            )
        # rows with their measures; a single measure is named by the sentence itself
        grid = _grid(fact)
        alone = fact.form in ("share", "change", "top", "bottom") or fact.template == "value.rows"
        measures = grid.measures[:1] if alone else grid.measures
        labelled = [(each, "" if alone else self._wording.label(each.label, short=True))
                    for each in measures]  # fmt: skip
        texts: list[str] = []
        for at, name in enumerate(grid.names[:_MOST_ITEMS]):
            row = self._row(name, measures[0], at) if alone else self._printer.part(name)
            values = [self._cell(measure, at, label) for measure, label in labelled]
            if values and not alone:
                row = self._item.format(name=row, value=", ".join(values))
            texts.append(f"{row} {values[0]}".strip() if alone else row)
        left = len(grid.names) - len(texts)
        if left > 0:
            texts.append(self._more.format(n=left))
        return self._between.join(texts) + ("" if alone else self._legend(grid))

    def _cell(self, measure: Measured, at: int, label: str) -> str:
        value = measure.vector.at(at)
        shown = self._printer.value(value) if value is not None else self._printer.blank
        return f"{label} {shown}".strip()

    def _legend(self, grid: Grid) -> str:
        """The expressions behind the names of computed measures."""
        labels = (each.label for each in grid.measures if each.label.text)
        texts = [self._wording.label(each) for each in labels if each.formula is not None]
        return "".join(f"; {text}" for text in texts if "=" in text)

    def _difference(self, each: dict[str, Any]) -> str:
        one, other = each["a"].value, each["b"].value
        if one.value == other.value:
            return self._templates["same"]
        if one.kind in TIMES:
            key = "later" if str(one.value) > str(other.value) else "earlier"
            return self._templates[key].format(diff=self._printer.part(each["diff"]))
        if one.kind is not CellKind.FIGURE:
            return self._templates["other"]
        key = "more" if one.value > other.value else "less"
        values = {name: self._printer.part(each[name]) for name in ("diff", "pct", "ratio")}
        if each["pct"].value is None:
            return self._templates[f"{key}_plain"].format(**values)
        text = self._templates[key].format(**values)
        if each["ratio"].value is not None and abs(each["ratio"].value.number) >= 1.5:
            text += ", " + self._templates["times_as"].format(**values)
        return text

    def _sorted(self, fact: Fact) -> str:
        if fact.words.get("sort") is None:
            return ""
        expression, descending = fact.words["sort"]
        key = "sorted_desc" if descending else "sorted_asc"
        return self._templates[key].format(label=self._wording.expression(expression))

    def _where(self, fact: Fact) -> str:
        population, condition = fact.population, _condition(fact)
        if fact.form == "change" and population is not None:
            limited = population.condition is not None or population.names
            return self._about(population) if limited else ""
        if condition is None:
            return ""
        return self._templates["condition"].format(condition=self._wording.condition(condition))

    def _columns(self, fact: Fact) -> str:
        return ", ".join(self._wording.label(each.label) for each in _grid(fact).measures)

    def _held(self, fact: Fact) -> str:
        frame: Frame = fact.words["frame"]
        pairs = [f"{key} = {value}" for key, value in frame.table.held.items() if value is not None]
        return self._templates["held"].format(pairs=self._printer.joined(pairs)) if pairs else ""

    def _named(self, name: str) -> str:
        """A row as its author names it; a time as the language writes it."""
        when = moment_of(name) if name[:1].isdecimal() else None
        return self._printer.moment(when) if when is not None else name

    def population(self, population: Population) -> str:
        """The number and selection of rows."""
        words = self._populations
        condition = population.condition
        values: dict[str, Any] = {
            "n": self._printer.number(population.count, 0),
            "of": self._printer.number(population.of, 0),
            "missing": self._printer.number(population.missing, 0),
            "names": self._printer.joined([self._named(each) for each in population.names]),
            "condition": self._wording.condition(condition) if condition is not None else "",
            **noun_words(self._printer.language, population.nouns),
        }
        if population.names:
            key = "names_where" if condition is not None else "names_known" if \
                population.missing else "names"  # fmt: skip
        elif population.missing:
            key = "known_where" if condition is not None else "known"
        elif condition is not None:
            whole = population.count == population.of
            key = "where_all" if whole else "where_one" if population.count == 1 else "where"
        else:
            key = "one" if population.count == 1 else "all"
        if ex.is_judged(condition) and f"{key}_judged" in words:
            key += "_judged"
        text = words[key].format(**values)
        for key, left in (("matched", population.unmatched), ("grouped", population.ungrouped)):
            if left:
                text = words[key].format(text=text, n=self._printer.number(left, 0))
        if not population.truncated:
            return text
        if population.total:
            total = self._printer.number(population.total, 0)
            return words["returned_of"].format(text=text, total=total)
        return words["returned"].format(text=text)

    _WRITERS: ClassVar[dict[str, Callable[["Sentences", Fact], str]]] = {
        "population": lambda self, fact: self.population(fact.words["population"]),
        "condition": lambda self, fact: self._wording.condition(_condition(fact)),
        "by": _by, "items": _items, "pairs": _pairs, "sorted": _sorted, "where": _where,
        "difference": lambda self, fact: self._difference(fact.words["compared"][0]),
        "first": lambda self, fact: self._wording.label(fact.words["labels"][0]),
        "second": lambda self, fact: self._wording.label(fact.words["labels"][1]),
        "a": lambda self, fact: self._printer.part(fact.words["compared"][0]["a"]),
        "b": lambda self, fact: self._printer.part(fact.words["compared"][0]["b"]),
        "pct": _percent, "relation": _relation, "columns": _columns, "held": _held,
        "bullets": _bullets, "row_bullets": _row_bullets,
    }  # fmt: skip
    """By the place that they fill. Of the class: bound to an instance, they would be a cycle that
    keeps all its results in memory until they are collected."""


def capitalised(text: str) -> str:
    """A text with a capital, unless its case is its own: *pH*, *iOS*."""
    return text[:1].upper() + text[1:] if text[:2].islower() or len(text) == 1 else text


@cache
def _places(template: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(template) if name))


def _condition(fact: Fact) -> Any:
    """The condition that a sentence states: its own, else that of its rows."""
    own = fact.words.get("condition")
    return own if own is not None or fact.population is None else fact.population.condition


def _is_empty(fact: Fact) -> bool:
    """True if a fact is about groups or gaps, and there are no rows."""
    return (fact.template == "total.groups" and not _grid(fact).names) or (
        fact.template == "missing.none" and fact.words["population"].count == 0
    )


def _is_count(fact: Fact) -> bool:
    value = fact.parts["value"].value if "value" in fact.parts else None
    dimension = value.dimension if value is not None else None
    return dimension is not None and dimension.quantity is Quantity.COUNT


def _grid(fact: Fact) -> Grid:
    """The rows of a fact; none of one that has no grid."""
    return fact.grid or Grid((), ())


def _pairs_of(fact: Fact) -> Sequence[tuple[Label, Part]]:
    """Labels with their figures."""
    pairs = fact.words.get("pairs")
    if pairs is not None:
        return pairs
    grid = _grid(fact)
    return [(each.label, grid.cell(at, 0)) for at, each in enumerate(grid.measures)]


def _spaced(texts: Sequence[str]) -> str:
    """Sentences one after another; none between signs that need no space."""
    found = ""
    for text in texts:
        gap = "" if not found or found[-1] in wide_marks(".!?") else " "
        found += gap + text
    return found
