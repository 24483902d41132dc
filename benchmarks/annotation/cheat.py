"""A prover that cheats: for a wrong text it looks for any references that the check accepts.

It knows the honest annotation of the true text and changes as little as it can: another expression
where the figure is wrong, another condition where the words are, another row where the name is and
then, one after the other, other expressions for each of the figures.
"""

from collections.abc import Callable, Iterator
from itertools import islice

from benchmarks.annotation.expressions import Repertoire, figure_key
from benchmarks.annotation.wrong_texts import WrongText
from veridical.gate.references.parts_schema import row_names
from veridical.gate.references.shown import Part, Shown
from veridical.gate.references.template import (
    Assertion,
    Each,
    Node,
    Prose,
    Quote,
    Reference,
    Template,
)

MOST_TRIES = 150
Accepts = Callable[[str, str], bool]
"""Whether a text is proven by an annotation."""


def write_template(template: Template) -> str:
    """The form in text of a template."""
    head = "".join(f"{name} = {source}\n" for name, source in template.definitions)
    body = "".join(map(_written, template.body))
    return f"{head}---\n{body}" if head else body


def _written(node: Node) -> str:
    match node:
        case Prose(text):
            return text
        case Reference(source, form, alias):
            more = f" as {alias}" if alias else f" : {form}" if form else ""
            return f"{{{source}{more}}}"
        case Quote(text):
            return f"{{q: {text}}}"
        case Assertion(source, words):
            return f"[[{source} | {''.join(map(_written, words))}]]"
        case Each(name, source, body):
            return f"<<{name} in {source}: {''.join(map(_written, body))}>>"
        case _:
            return ""


def cheated(
    wrong: WrongText, template: Template, shown: Shown, known: Repertoire, accepts: Accepts
) -> str | None:
    """An annotation that proves a wrong text, where the cheat finds one."""
    for candidate in islice(_candidates(wrong, template, shown, known), MOST_TRIES):
        written = write_template(candidate)
        if accepts(wrong.text, written):
            return written
    return None


def _candidates(
    wrong: WrongText, template: Template, shown: Shown, known: Repertoire
) -> Iterator[Template]:
    place = _node(wrong.piece, template, shown)
    if place is None:
        return
    match wrong.kind:
        case "flipped words":
            yield from _other_conditions(wrong, template, place, known)
        case "swapped name":
            yield from _other_rows(wrong, template, place, shown, known)
        case _:
            for source, form in _printing(wrong.after, known):
                yield _put(template, place, Reference(source, form))


Place = tuple[int, ...]
"""The node of the body, and within it."""


def _node(piece: int, template: Template, shown: Shown) -> Place | None:
    """Which node a piece was printed for; pieces and nodes come in one order."""
    at = 0
    for number, node in enumerate(template.body):
        if isinstance(node, Each):
            first = shown.pieces[at].item if at < len(shown.pieces) else None
            while at < len(shown.pieces) and first is not None and _is_listed(shown, at):
                at += 1
        elif isinstance(node, Assertion):
            for inner in range(len(node.words)):
                if at == piece:
                    return number, inner
                at += 1
        else:
            if at == piece:
                return (number,)
            at += 1
    return None


def _is_listed(shown: Shown, at: int) -> bool:
    """Whether a piece is of a list: an item, or what joins two of them."""
    after = shown.pieces[at + 1].item if at + 1 < len(shown.pieces) else None
    return shown.pieces[at].item is not None or after is not None


def _put(template: Template, place: Place, node: Node, words: str | None = None) -> Template:
    body = list(template.body)
    number, *within = place
    outer = body[number]
    if isinstance(outer, Assertion) and within:
        inner = list(outer.words)
        inner[within[0]] = node
        body[number] = Assertion(words or outer.source, tuple(inner))
    else:
        body[number] = node
    return Template(template.definitions, tuple(body))


def _printing(shown: str, known: Repertoire) -> Iterator[tuple[str, str]]:
    """Expressions that print a figure, the shortest first: those are the nearest."""
    found = dict.fromkeys(known.printing.get(figure_key(shown), ()))
    yield from sorted(found, key=lambda each: (len(each[0]), len(each[1])))


def _other_conditions(
    wrong: WrongText, template: Template, place: Place, known: Repertoire
) -> Iterator[Template]:
    outer = template.body[place[0]]
    if not isinstance(outer, Assertion):
        return
    yield _put(template, place, Prose(wrong.after))
    wanted = set(outer.source.replace("(", " ").replace(")", " ").replace(".", " ").split())
    ordered = sorted(
        known.conditions,
        key=lambda each: -len(wanted & set(each.replace("(", " ").replace(")", " ").split())),
    )
    for condition in ordered:
        yield _put(template, place, Prose(wrong.after), condition)


def _other_rows(
    wrong: WrongText, template: Template, place: Place, shown: Shown, known: Repertoire
) -> Iterator[Template]:
    rows = [
        name
        for table in known.tables.values()
        for name, row in zip(row_names(table), table.rows, strict=True)
        if wrong.after in map(str, row)
    ]
    figures = [at for at, piece in enumerate(shown.pieces) if piece.part is Part.FIGURE]
    for row in rows:
        renamed = _put(template, place, Reference(row))
        yield renamed
        for at in figures:
            figure = _node(at, template, shown)
            if figure is None or shown.pieces[at].item is not None:
                continue
            for source, form in islice(_printing(shown.pieces[at].text, known), MOST_TRIES // 3):
                yield _put(renamed, figure, Reference(source, form))
