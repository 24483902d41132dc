"""What a fact is limited to, and no word of question or answer says: the host adds conditions,
notes cuts and gaps, and marks rows and periods.

A name that is missing is no proof: prose may say it in another language than the data. It counts
where the sentence names another row instead; times are recognised in every language."""

from collections.abc import Iterator, Mapping

from veridical.contracts.result import Emptiness
from veridical.evidence.column import TIMES
from veridical.evidence.moment import read_moment
from veridical.facts.fact import Fact, Label, key_of
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame
from veridical.facts.printing import Printer, language_data
from veridical.facts.prose.context import Context
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.known import DIGITS
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.shown import FRACTIONS
from veridical.ontology.terms import terms
from veridical.reading.numbers import read_figure

_STATES = frozenset({"which", "count", "list", "missing"})
"""Forms whose condition is what their sentence is about."""


def check(sentence: Sentence, context: Context) -> Iterator[ProseFinding]:
    """A mark for each figure that is about less than its reader can know."""
    for fact in sentence.sources:
        frame = context.frames.get(fact.claim.result)
        if frame is None:
            continue
        chosen = [each for each in _rows(fact, frame) if not context.has(each)]
        names_others = any(piece.is_name for piece in sentence.pieces)
        if len(chosen) == len(fact.claim.arguments.get("rows") or ()):
            yield from (_finding(each, sentence) for each in chosen
                        if names_others or read_moment(each) is not None)  # fmt: skip
        for each in (*_ends(fact, frame), *_times(fact, frame)):
            if not context.has(each):
                yield _finding(each, sentence)


def _finding(text: str, sentence: Sentence) -> ProseFinding:
    return ProseFinding(Code.UNSAID, Level.MARKED, text, sentence.start, sentence.end)


def _rows(fact: Fact, frame: Frame) -> list[str]:
    """The rows that its author chose by name; a totals row is all of them, and the rows of a
    comparison are two that its words may name in another language."""
    if fact.form == "compare" or len(frame.members) <= 1:
        return []
    members = set(frame.members)
    chosen = map(str, fact.claim.arguments.get("rows") or ())
    return [name for name in chosen if members.issuperset(frame.find(name))]


def _ends(fact: Fact, frame: Frame) -> list[str]:
    """The ends of a change that were chosen, where the data goes on beyond them."""
    over = fact.claim.arguments.get("over")
    if fact.form != "change" or not over:
        return []
    at = frame.table.column(over)
    times = set(frame.taken(at, frame.members)) if at is not None else set()
    if fact.grid is None or len(fact.grid.names) >= len(times - {None}):
        return []
    return [key_of(fact.parts[end]) for end in ("start", "end") if fact.claim.arguments.get(end)]


def _times(fact: Fact, frame: Frame) -> list[str]:
    """The times that a condition within one of its measures picks rows by."""
    formulas = [each.formula for value in fact.words.values()
                for each in (value if isinstance(value, tuple) else (value,))
                if isinstance(each, Label)]  # fmt: skip
    return [
        each.value
        for formula in formulas
        for compared in ex.comparisons(formula)
        if _is_timed(compared, frame)
        for each in ex.constants(compared)
        if isinstance(each, ex.Text)
    ]


def _is_timed(condition: ex.Expression, frame: Frame) -> bool:
    times = {column.name for column in frame.table.columns if column.kind in TIMES}
    return not times.isdisjoint(ex.column_names(condition))


def added(sentence: Sentence, context: Context) -> tuple[str, tuple[ProseFinding, ...]]:
    """The conditions that the host adds behind a sentence because question and prose lack them. A
    missing limit is marked as well."""
    wording = context.wording
    missing: dict[str, bool] = {}
    for fact in sentence.sources:
        population = fact.population
        condition = population.condition if population is not None else None
        for part in condition.conditions if isinstance(condition, ex.Every) else (condition,):
            if part is None:
                continue
            limits = _has_limit(part) or _picks(part, fact, context.frames)
            if (limits or _excludes(part)) and not _is_stated(part, context):
                missing[wording.condition(part)] = limits
    if not missing:
        return "", ()
    notes = language_data(wording.printer.language)["notes"]
    text = str(notes["where"]).format(condition=notes["and"].join(missing))
    return text, tuple(_finding(each, sentence) for each, limits in missing.items() if limits)


def _excludes(condition: ex.Expression) -> bool:
    """True if it excludes the values that it names."""
    match condition:
        case ex.Compare("!=") | ex.OneOf(_, _, True) | ex.Not() | ex.Either():
            return True
        case _:
            return False


def _has_limit(condition: ex.Expression) -> bool:
    return any(isinstance(each, ex.Number) and each.value for each in ex.constants(condition))


def _picks(condition: ex.Expression, fact: Fact, frames: Mapping[str, Frame]) -> bool:
    """True if it chooses rows by a time; prose may say a name in another language."""
    frame = frames.get(fact.claim.result)
    if fact.form in _STATES or frame is None or _excludes(condition):
        return False
    return _is_timed(condition, frame)


def _is_stated(condition: ex.Expression, context: Context) -> bool:
    """True if the context has its column or its constants, in any form."""
    constants = ex.constants(condition)
    if all(_is_written(each, context) for each in constants):
        return True  # also one column against another: a comparison in words, not a limit
    if _has_limit(condition):
        return False
    return any(
        not context.stems.isdisjoint((*terms(name), *terms(context.wording.column(name))))
        for name in ex.column_names(condition)
    )


def _is_written(constant: ex.Constant, context: Context) -> bool:
    """A constant as a number, a word or a time of the text."""
    wording, text = context.wording, context.text
    shown = wording.expression(constant)
    if isinstance(constant, ex.Number):
        value = constant.value
        figures = {each.value for text in DIGITS.findall(text) for each in read_figure(text)}
        if {value, value * 100} & figures:
            return True
        printed = (f"{value}", f"{value}".removesuffix(".0"), shown,
                   wording.printer.number(value * 100, 0))  # fmt: skip
        if any(each in text for form in printed for each in DIGITS.findall(form)[:1]
               if len(each) > 1):  # fmt: skip
            return True
        named = {name for name, share in FRACTIONS.items() if abs(share - value) < 0.001}
        return any(name in named and pattern.search(text)
                   for name, pattern in context.words.polarity)  # fmt: skip
    when = read_moment(str(constant.value)) or read_moment(shown)
    if when is not None:
        return any(each.meets(when) for each in context.times)
    stems = set(terms(str(constant.value)))
    return bool(stems) and stems <= context.stems


def notes(
    facts: Mapping[str, Fact], used: frozenset[str], frames: Mapping[str, Frame], printer: Printer
) -> Iterator[str]:
    """Notes on the whole answer: results that were cut, gaps, figures to date."""
    words: dict[str, str] = language_data(printer.language)["notes"]
    here = [facts[name] for name in used if name in facts]
    forms = {fact.form for fact in here}
    tables = [
        frames[name].table for name in sorted({name for each in here for name in each.results})
    ]
    for table in tables if "basis" not in forms else ():
        if table.truncated and not (table.known and table.known.limit):
            n, total = (printer.number(each or 0, 0) for each in (len(table.rows), table.row_count))
            yield words["cut_of" if table.row_count else "cut"].format(n=n, total=total)
    gaps = {
        (population.count, population.count + population.missing): None
        for fact in here
        if fact.form in ("total", "share", "value") and "missing" not in forms
        and (population := fact.population) is not None and population.missing
    }  # fmt: skip
    for known, rows in gaps:
        yield words["missing"].format(n=printer.number(known, 0), of=printer.number(rows, 0))
    if any(table.emptiness is Emptiness.STALE for table in tables):
        yield words["stale"]
    if any(table.known is not None and table.known.unfinished for table in tables):
        yield words["unfinished"]
