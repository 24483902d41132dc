"""Sentences that name another column than the one their figures are from."""

from collections.abc import Iterable, Iterator, Mapping

from veridical.evidence.column import CellKind
from veridical.facts.fact import Fact
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence
from veridical.ontology.terms import terms


def check(
    sentence: Sentence, facts: Mapping[str, Fact], frames: Mapping[str, Frame]
) -> Iterator[ProseFinding]:
    """A mark where the words are another column's, and none of the fact's own."""
    here = [facts[name] for name in sentence.facts if name in facts]
    if not here or sentence.is_exact:
        return
    mentioned = set(terms(sentence.words.replace("\u0000", " ")))
    used = {name for fact in here for name in columns_of(fact)}
    results = {name for fact in here for name in fact.results}
    own = {word for name in used for word in _words(name, frames)}
    own |= {word for fact in here for word in _aliases(fact)}
    anywhere = {name for fact in facts.values() for name in columns_of(fact)}
    for frame in (frames[name] for name in results if name in frames):
        for column in frame.table.columns:
            words = set(column.words) or set(terms(column.name))
            if column.kind is not CellKind.FIGURE:
                continue
            foreign = column.name not in (anywhere if own & mentioned else used)
            if foreign and words and words <= mentioned and not _alike(words, own):
                yield ProseFinding(
                    Code.COLUMN, Level.MARKED, column.name, sentence.start, sentence.end,
                    ", ".join(sorted(used)),
                )  # fmt: skip
                return


def _alike(words: set[str], own: set[str]) -> bool:
    """True if one name is within another: offers, offer rate."""
    return any(one in other or other in one for one in words for other in own if len(other) > 2)


def misnamed(name: str, fact: Fact, frames: Mapping[str, Frame]) -> Iterator[ProseFinding]:
    """A computed measure that goes by the name of a column which it does not use."""
    measures = fact.grid.measures if fact.grid is not None else ()
    labels = [each.label for each in measures]
    labels += [each for each in fact.words.values() if hasattr(each, "formula")]
    columns = {
        column.name.casefold(): column.name
        for result in fact.results
        if result in frames
        for column in frames[result].table.columns
    }
    for label in labels:
        if not label.text or label.formula is None:
            continue
        other = columns.get(label.text.casefold())
        inner = {each.casefold() for each in ex.column_names(label.formula)}
        if other is not None and label.text.casefold() not in inner:
            yield ProseFinding(
                Code.ALIAS, Level.REFUSED, label.text, instead=", ".join(sorted(inner)),
                reason=name,
            )  # fmt: skip
            return


def columns_of(fact: Fact) -> Iterable[str]:
    """The columns that a fact reads."""
    return {name for touched in fact.cells for name in touched.columns}


def _words(name: str, frames: Mapping[str, Frame]) -> set[str]:
    for frame in frames.values():
        at = frame.table.column(name)
        if at is not None:
            column = frame.table.columns[at]
            return set(column.words) | set(terms(name))
    return set(terms(name))


def _aliases(fact: Fact) -> set[str]:
    measures = fact.grid.measures if fact.grid is not None else ()
    return {word for each in measures if each.label.text for word in terms(each.label.text)}
