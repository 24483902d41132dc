"""Figures whose noun is the name of another column than the one they are from."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from veridical.evidence.column import CellKind
from veridical.facts.fact import Fact, Label, Role
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame
from veridical.facts.prose.context import Context
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.vocabulary import Vocabulary
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, terms
from veridical.reading.punctuation import LIST_MARKS, marks

_WORD = late_pattern(rf"[^\W\d_{HAN}]+(?:-[^\W\d_{HAN}]+)*")
_GAP = late_pattern(r"[\s*]*")
_CLAUSE = late_pattern(rf"[–—{marks(',;:.!?()')}{LIST_MARKS}]")
_HEADED = late_pattern(rf"[\s*]*[{marks(':')}][\s*]*$")
_NEAR = 40
"""Signs of a clause that are read on each side of a figure."""
_SHARES = frozenset({"share", "rest"})
_FIGURES = frozenset({Role.FIGURE, Role.LIMIT})


def check(sentence: Sentence, context: Context) -> Iterator[ProseFinding]:
    """A mark at the first figure that has a foreign noun, and no word of its own beside it."""
    before = ""
    for piece, after in pairwise((*sentence.pieces, Piece(sentence.end, sentence.end, ""))):
        fact = piece.source
        if fact is None or piece.part is None or piece.part.role not in _FIGURES:
            before = "" if piece.fact else piece.text[-_NEAR:]
            continue
        of_share = piece.path.rpartition(".")[2] in _SHARES and fact.form == "share"
        behind = "" if after.fact else after.text[:_NEAR]
        own = {word for name in fact.columns for word in _words(name, context.frames)}
        own |= {word for name in fact.aliases for word in terms(name)}
        found = _noun(before, behind, _foreign(fact, own, context), context.words, of_share)
        beside = terms(_CLAUSE.split(before)[-1]) + terms(_CLAUSE.split(behind)[0])
        if fact.columns and found and (of_share or own.isdisjoint(beside)):
            yield ProseFinding(
                Code.COLUMN, Level.MARKED, found, sentence.start, sentence.end,
                ", ".join(sorted(fact.columns)),
            )  # fmt: skip
            return
        before = ""


def _foreign(fact: Fact, own: set[str], context: Context) -> dict[str, set[str]]:
    """The other figures of its results: their columns, each with its words."""
    found: dict[str, set[str]] = {}
    for name in fact.results & context.frames.keys():
        for column in context.frames[name].table.columns:
            if column.kind is CellKind.FIGURE and column.name not in fact.columns:
                labels = set(terms(context.wording.column(column.name)))
                if labels and not _alike(labels, own):
                    found[column.name] = labels
    return found


def _noun(
    before: str, behind: str, foreign: Mapping[str, set[str]], words: Vocabulary, of_share: bool
) -> str:
    """The foreign column that the words beside a figure are: *12 orders*, *orders: 12*."""
    following = _following(behind, words, of_share)
    headed = _HEADED.search(before)
    heading = _CLAUSE.split(before[: headed.start()])[-1] if headed else ""
    preceding = words.linking.sub("", _CLAUSE.split(before)[-1]) if words.is_han else ""
    for column, labels in foreign.items():
        size = len(labels)
        if any(labels <= set(beside) for beside in (terms(" ".join(following[:size])),
               terms(heading)[-size:], terms(preceding)[-size:])):  # fmt: skip
            return column
    return ""


def _following(behind: str, words: Vocabulary, of_share: bool) -> list[str]:
    """The words that follow directly; after a share those of its whole."""
    start = _GAP.match(behind)
    at = start.end() if start is not None else 0
    if of_share:
        linked = words.of_whole.match(behind, at)
        if linked is None:
            return []
        at = linked.end()
    return [match[0] for match in _WORD.finditer(_CLAUSE.split(behind[at:])[0])]


def _alike(words: set[str], own: set[str]) -> bool:
    """True if one name is within another: offers, offer rate."""
    return any(one in other or other in one for one in words for other in own if len(other) > 2)


def misnamed(name: str, fact: Fact, frames: Mapping[str, Frame]) -> Iterator[ProseFinding]:
    """A computed measure that goes by the name of a column which it does not use."""
    measures = fact.grid.measures if fact.grid is not None else ()
    labels = [each.label for each in measures]
    labels += [each for each in fact.words.values() if isinstance(each, Label)]
    columns = {column.casefold() for result in fact.results & frames.keys()
               for column in frames[result].columns}  # fmt: skip
    for label in labels:
        if not label.text or label.formula is None:
            continue
        inner = {each.casefold() for each in ex.column_names(label.formula)}
        if label.text.casefold() in columns - inner:
            yield ProseFinding(
                Code.ALIAS, Level.REFUSED, label.text, instead=", ".join(sorted(inner)),
                reason=name,
            )  # fmt: skip
            return


def _words(name: str, frames: Mapping[str, Frame]) -> set[str]:
    """The words of a column's name, and those that its owner has for it."""
    places = ((frame, frame.place(name)) for frame in frames.values())
    found = next((frame.table.columns[at].words for frame, at in places if at is not None), ())
    return {*found, *terms(name)}
