"""Additions of the host: filters, cuts and gaps that neither question nor prose mentions."""

from collections.abc import Iterator, Mapping

from veridical.evidence.moment import find_moments, read_moment
from veridical.facts.fact import Fact
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame
from veridical.facts.population import Population
from veridical.facts.printing import Printer, language_data
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.known import DIGITS
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.shown import FRACTIONS
from veridical.facts.prose.vocabulary import vocabulary
from veridical.facts.wording import Wording
from veridical.ontology.terms import terms
from veridical.reading.numbers import read_figure


def added(
    sentence: Sentence, facts: Mapping[str, Fact], context: str, wording: Wording
) -> tuple[str, tuple[ProseFinding, ...]]:
    """The conditions that the host adds behind a sentence because ``context``, the question and
    the prose, lacks them. A missing limit is marked as well."""
    if sentence.is_exact:
        return "", ()
    missing: dict[str, bool] = {}
    for name in sentence.facts:
        population = _population(facts.get(name))
        for part in _parts(population.condition) if population is not None else ():
            if (_has_limit(part) or _excludes(part)) and not _is_stated(part, context, wording):
                missing[wording.condition(part)] = _has_limit(part)
    if not missing:
        return "", ()
    notes = language_data(wording.printer.language)["notes"]
    text = str(notes["where"]).format(condition=notes["and"].join(missing))
    marks = tuple(
        ProseFinding(Code.UNSAID, Level.MARKED, condition, sentence.start, sentence.end)
        for condition, has_limit in missing.items()
        if has_limit
    )
    return text, marks


def _excludes(condition: ex.Expression) -> bool:
    """True if it excludes the values that it names."""
    match condition:
        case ex.Compare(operator, _, _):
            return operator == "!="
        case ex.OneOf(_, _, negated):
            return negated
        case _:
            return isinstance(condition, ex.Not | ex.Either)


def _has_limit(condition: ex.Expression) -> bool:
    return any(isinstance(each, ex.Number) and each.value for each in ex.constants(condition))


def _population(fact: Fact | None) -> Population | None:
    found = fact.words.get("population") if fact is not None else None
    return found if isinstance(found, Population) else None


def _parts(condition: ex.Expression | None) -> tuple[ex.Expression, ...]:
    if condition is None:
        return ()
    return condition.conditions if isinstance(condition, ex.Every) else (condition,)


def _is_stated(condition: ex.Expression, context: str, wording: Wording) -> bool:
    """True if the context has its column or one of its constants, in any form."""
    if not ex.constants(condition):
        return True  # one column against another: a comparison in words, not a limit
    words = set(terms(context))
    all_stated = all(_is_written(each, context, words, wording) for each in ex.constants(condition))
    numeric = any(isinstance(each, ex.Number) and each.value for each in ex.constants(condition))
    if ex.constants(condition) and (numeric or all_stated):
        return all_stated
    for name in ex.column_names(condition):
        own = set(terms(name)) | set(terms(wording.column(name)))
        if own & words:
            return True
    return False


def _is_written(constant: ex.Constant, context: str, words: set[str], wording: Wording) -> bool:
    """A constant as a number, a word or a time of the text."""
    shown = wording.expression(constant)
    texts = {str(constant.value), str(constant.value).removesuffix(".0"), shown}
    if isinstance(constant, ex.Number):
        texts |= {wording.printer.number(constant.value * 100, 0)}
        figures = {each.value for text in DIGITS.findall(context) for each in read_figure(text)}
        if {constant.value, constant.value * 100} & figures:
            return True
        if any(
            each in context for text in texts for each in DIGITS.findall(text)[:1] if len(each) > 1
        ):
            return True
        patterns = vocabulary(wording.printer.language).polarity
        named = {name for name, share in FRACTIONS.items() if abs(share - constant.value) < 0.001}
        return any(name in named and pattern.search(context) for name, pattern in patterns)
    when, times = read_moment(shown), [each.moment for each in find_moments(context)]
    if when is not None:
        return any(each.meets(when) for each in times)
    stems = set(terms(str(constant.value)))
    return bool(stems) and stems <= words


def notes(
    facts: Mapping[str, Fact], used: frozenset[str], frames: Mapping[str, Frame], printer: Printer
) -> Iterator[str]:
    """Notes on the whole answer: results that were cut, rows without a value."""
    words: dict[str, str] = language_data(printer.language)["notes"]
    here = [facts[name] for name in used if name in facts]
    forms = {fact.form for fact in here}
    if "basis" not in forms:
        for name in sorted({name for fact in here for name in fact.results}):
            table = frames[name].table
            if table.truncated:
                key = "cut_of" if table.row_count else "cut"
                yield words[key].format(
                    n=printer.number(len(table.rows), 0),
                    total=printer.number(table.row_count or 0, 0),
                )
    if "missing" in forms:
        return
    seen: set[tuple[int, int]] = set()
    for fact in here:
        population = _population(fact)
        if fact.form not in ("total", "share", "value") or population is None:
            continue
        key = (population.count, population.missing)
        if population.missing and key not in seen:
            seen.add(key)
            yield words["missing"].format(
                n=printer.number(population.count, 0),
                of=printer.number(population.count + population.missing, 0),
            )
