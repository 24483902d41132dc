"""The exact sentence of a fact: a template of its form, filled by the host."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.column import TIMES, CellKind
from veridical.evidence.dimension import Quantity
from veridical.facts.fact import Fact, Grid, Label, Measured, Part, figure, key_of
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame, moment_of
from veridical.facts.noun import noun_words
from veridical.facts.population import Population
from veridical.facts.printing import language_data
from veridical.facts.wording import Wording
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
        self._special: dict[str, Callable[[Fact], str]] = {
            "population": self._population, "condition": self._condition, "items": self._items,
            "pairs": self._pairs, "sorted": self._sorted_by, "by": self._by,
            "difference": self._first_difference, "where": self._where, "pct": self._percent,
            "first": lambda fact: self._label(fact, 0), "second": lambda fact: self._label(fact, 1),
            "a": lambda fact: self._side(fact, "a"), "b": lambda fact: self._side(fact, "b"),
            "relation": self._relation, "columns": self._columns, "result": self._result,
            "held": self._held, "bullets": self._bullets, "row_bullets": self._row_bullets,
        }  # fmt: skip

    def of(self, fact: Fact, used: Collection[str] = ()) -> str:
        """The sentence, with one more for each extra part that a slot prints."""
        found = [self._filled(fact.template, fact)]
        for extra in fact.extras.values():
            if extra.parts & set(used) and extra.parts <= set(fact.parts):
                found.append(self._filled(extra.template, fact))
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
        counted = f"{key}_count" if _is_count(fact) else key
        template = self._shorter.get(counted) or self._shorter.get(key)
        if template is None:
            return self.of(fact)
        text = template.format_map(_Words(self, fact))
        return text[:1].upper() + text[1:]

    def _only_figure(self, fact: Fact) -> str:
        """One figure: alone, of its row, or under its label, whichever is informative."""
        label, part = _pairs_of(fact)[0]
        value, column = self._printer.part(part), getattr(label.formula, "name", "")
        known = "" if self._wording.is_nameless(column) else self._wording.label(label, short=True)
        row = self._printer.part(fact.parts["row"]) if fact.template == "value.row" else ""
        if not row or row == value:
            return self._shorter["value_one" if known else "value_bare"].format(
                label=known, value=value
            )
        key = "value_of" if len(known) >= _SHORTEST_LABEL else "value_named"
        return self._shorter[key].format(row=row, label=known, value=value)

    def _bullets(self, fact: Fact) -> str:
        return "\n".join(
            self._bullet(self._wording.label(label, short=True), self._printer.part(part))
            for label, part in _pairs_of(fact)
        )

    def _row_bullets(self, fact: Fact) -> str:
        grid: Grid = fact.words["grid"]
        return "\n".join(
            self._bullet(self._printer.part(name), self._cell(grid.measures[0], at, ""))
            for at, name in enumerate(grid.names[:_MOST_ITEMS])
        )

    def _bullet(self, label: str, value: str) -> str:
        return self._shorter["bullet"].format(label=label[:1].upper() + label[1:], value=value)

    def _filled(self, template: str, fact: Fact) -> str:
        key = template.replace(".", "_")
        if _is_empty(fact):
            key = "list_none"
        if fact.template == "table" and fact.words.get("cut"):
            key = "table_cut"
        if ex.is_judged(_condition(fact.words)):
            key = f"{key}_judged" if f"{key}_judged" in self._templates else key
        text = self._templates[key].format_map(_Words(self, fact))
        if fact.words.get("by") and "{by}" not in self._templates[key] and not _is_empty(fact):
            text = self._templates["by_group"].format(by=self.word("by", fact), text=text)
        population: Population | None = fact.words.get("population")
        if population is not None and population.before is not None:
            return text + self._about(population.before)
        return text + self._filter(fact) if "{population}" not in self._templates[key] else text

    def _about(self, population: Population) -> str:
        return self._templates["only_where"].format(population=self.population(population))

    def _filter(self, fact: Fact) -> str:
        """The rows of a fact, if its sentence has no place for them."""
        population: Population | None = fact.words.get("population")
        if population is None:
            return ""
        if _is_empty(fact):
            return self._about(replace(population, condition=None)) if population.names else ""
        if fact.form in _COUNTED and fact.words.get("condition") is None:
            shown = replace(population, condition=None) if fact.form != "missing" else population
            if not shown.names and shown.condition is None:
                return ""
        elif population.condition is None or not fact.words.get("over_rows"):
            return ""
        else:
            shown = population
        return self._about(shown)

    def word(self, key: str, fact: Fact) -> str:
        """The text for one place of a template."""
        words = fact.words
        special = self._special.get(key)
        if special is not None:
            return special(fact)
        if key in words or key in fact.parts:
            return self._plain(words[key] if key in words else fact.parts[key])
        return self._nouns(words["population"])[key]

    def _nouns(self, population: Population) -> dict[str, str]:
        return noun_words(self._printer.language, population.nouns)

    def _population(self, fact: Fact) -> str:
        return self.population(fact.words["population"])

    def _condition(self, fact: Fact) -> str:
        return self._wording.condition(_condition(fact.words))

    def _sorted_by(self, fact: Fact) -> str:
        return self._sorted(fact.words.get("sort"))

    def _first_difference(self, fact: Fact) -> str:
        return self._difference(fact.words["compared"][0])

    def _side(self, fact: Fact, key: str) -> str:
        return self._printer.part(fact.words["compared"][0][key])

    def _label(self, fact: Fact, at: int) -> str:
        return self._wording.label(fact.words["labels"][at])

    def _by(self, fact: Fact) -> str:
        return self._printer.joined([self._wording.column(each) for each in fact.words["by"]])

    def _percent(self, fact: Fact) -> str:
        pct = fact.words.get("pct")
        if pct is None or pct.value is None:
            return ""
        return self._templates["percent_of"].format(pct=self._printer.part(pct))

    def _relation(self, fact: Fact) -> str:
        timed = fact.words["limit"].value.kind in TIMES
        key = "relation_" + (_IN_TIME if timed else _RELATIONS)[fact.words["operator"]]
        return self._templates[key].format(limit=self._printer.part(fact.words["limit"]))

    def _result(self, fact: Fact) -> str:
        return fact.words["frame"].table.name

    def _plain(self, word: Any) -> str:
        if isinstance(word, Label):
            return self._wording.label(word)
        return self._printer.part(word) if isinstance(word, Part) else str(word)

    def _pairs(self, fact: Fact) -> str:
        texts = [
            self._templates["pair"].format(
                label=self._wording.label(label), value=self._printer.part(part)
            )
            for label, part in _pairs_of(fact)
        ]
        if len(texts) == 1:
            return texts[0]
        joined = self._templates["pairs"].join(texts[:-1])
        return joined + self._templates["last_pair"] + texts[-1]

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
        return self._listed(words["grid"], fact)

    def _listed(self, grid: Grid, fact: Fact) -> str:
        """Rows with their measures; a single measure is named by the sentence itself."""
        named = fact.form in ("share", "change", "top", "bottom") or fact.template == "value.rows"
        alone = named and (fact.template != "value.rows" or len(grid.measures) == 1)
        measures = grid.measures[:1] if alone else grid.measures
        labelled = [(each, "" if alone else self._wording.label(each.label, short=True))
                    for each in measures]  # fmt: skip
        texts: list[str] = []
        for at, name in enumerate(grid.names[:_MOST_ITEMS]):
            row = self._printer.part(name)
            values = [self._cell(measure, at, label) for measure, label in labelled]
            if alone:
                texts.append(f"{row} {values[0]}")
            else:
                texts.append(self._item.format(name=row, value=", ".join(values)) if values
                             else row)  # fmt: skip
        left = len(grid.names) - len(texts)
        if left > 0:
            texts.append(self._more.format(n=left))
        return self._between.join(texts) + self._legend(grid, named=alone)

    def _cell(self, measure: Measured, at: int, label: str) -> str:
        value = measure.vector.at(at)
        shown = self._printer.value(value) if value is not None else self._printer.blank
        return f"{label} {shown}".strip()

    def _legend(self, grid: Grid, *, named: bool) -> str:
        """The expressions behind the names of computed measures."""
        if named:
            return ""
        texts = [self._wording.label(each.label) for each in grid.measures if each.label.text
                 and each.label.formula is not None]  # fmt: skip
        known = [text for text in texts if "=" in text]
        return "; " + "; ".join(known) if known else ""

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

    def _sorted(self, sort: Any) -> str:
        if sort is None:
            return ""
        expression, descending = sort
        key = "sorted_desc" if descending else "sorted_asc"
        return self._templates[key].format(label=self._wording.expression(expression))

    def _where(self, fact: Fact) -> str:
        if fact.form == "change":
            population: Population = fact.words["population"]
            if population.condition is None and not population.names:
                return ""
            text = self.population(population)
            return self._templates["only_where"].format(population=text)
        condition = _condition(fact.words)
        if condition is None:
            return ""
        text = self._wording.condition(condition)
        return self._templates["condition"].format(condition=text)

    def _columns(self, fact: Fact) -> str:
        words = fact.words
        if "columns" in words:
            return ", ".join(self._wording.column(name) for name in words["columns"])
        grid: Grid = words["grid"]
        return ", ".join(self._wording.label(each.label) for each in grid.measures)

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
            **self._nouns(population),
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


class _Words(dict[str, str]):
    """The places of a template, each filled on first use."""

    def __init__(self, sentences: Sentences, fact: Fact) -> None:
        super().__init__()
        self._sentences = sentences
        self._fact = fact

    def __missing__(self, key: str) -> str:
        return self._sentences.word(key, self._fact)


def _condition(words: Any) -> Any:
    if words.get("condition") is not None:
        return words["condition"]
    return words["population"].condition if "population" in words else None


def _is_empty(fact: Fact) -> bool:
    """True if a fact is about groups or gaps, and there are no rows."""
    grid: Grid | None = fact.words.get("grid")
    return (fact.template == "total.groups" and grid is not None and not grid.names) or (
        fact.template == "missing.none" and fact.words["population"].count == 0
    )


def _is_count(fact: Fact) -> bool:
    value = fact.parts["value"].value if "value" in fact.parts else None
    dimension = value.dimension if value is not None else None
    return dimension is not None and dimension.quantity is Quantity.COUNT


def _pairs_of(fact: Fact) -> Sequence[tuple[Label, Part]]:
    """Labels with their figures."""
    return fact.words.get("pairs") or _row_pairs(fact.words["grid"])


def _row_pairs(grid: Grid) -> list[tuple[Label, Part]]:
    row = key_of(grid.names[0]) if grid.names else ""
    return [(each.label, figure(each.vector.at(0), row=row)) for each in grid.measures]


def _spaced(texts: Sequence[str]) -> str:
    """Sentences one after another; none between signs that need no space."""
    found = ""
    for text in texts:
        gap = "" if not found or found[-1] in wide_marks(".!?") else " "
        found += gap + text
    return found
