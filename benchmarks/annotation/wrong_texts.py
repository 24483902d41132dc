"""Wrong texts, made from a true one by a single edit of what is shown: a figure, a name, a word.

Whatever the edit, the sentence around it still says which row, measure and operation is meant, so
that the text is false; an edit that shows the same is left out.
"""

import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.annotation.expressions import Repertoire
from veridical.contracts.language import Language
from veridical.gate.references.shown import Part, Piece, Shown
from veridical.ontology.terms import HAN

_ANTONYMS = tomllib.loads(
    (Path(__file__).parents[1] / "references" / "antonyms.toml").read_text("utf-8")
)
_NUMBER = re.compile(r"\d[\d,.'’]*\d|\d")
_MOST_EACH = 4


@dataclass(frozen=True, slots=True)
class WrongText:
    """A text that is false, and where."""

    kind: str
    text: str
    piece: int
    """The piece of the true rendering that was edited."""
    before: str
    after: str


def wrong_texts(
    shown: Shown, known: Repertoire, language: Language, seed: int = 7
) -> Iterator[WrongText]:
    """Some edits of each piece."""
    chance = random.Random(seed)
    for at, piece in enumerate(shown.pieces):
        if piece.item is not None:
            continue
        if piece.part is Part.FIGURE:
            yield from _figures(shown, at, piece, known, chance)
        elif piece.part is Part.NAME and piece.claim is None and piece.own is not None:
            yield from _names(shown, at, piece)
        elif piece.part is Part.PROSE and piece.claim is not None:
            yield from _words(shown, at, piece, language)


def _edited(shown: Shown, at: int, kind: str, after: str) -> WrongText:
    texts = [piece.text for piece in shown.pieces]
    before, texts[at] = texts[at], after
    return WrongText(kind, "".join(texts), at, before, after)


def _figures(
    shown: Shown, at: int, piece: Piece, known: Repertoire, chance: random.Random
) -> Iterator[WrongText]:
    """Figures that other expressions print, and figures that are a little off."""
    number = _NUMBER.search(piece.text)
    if number is None:
        return
    plain = number[0].replace(",", "").replace("'", "").replace("’", "")
    alike = [each for each in known.printing if _is_alike(each, plain)]
    reachable = chance.sample(sorted(alike), min(_MOST_EACH, len(alike)))
    value = float(plain)
    off = f"{value * (1 + chance.choice((-0.07, 0.04, 0.11))):.{_decimals(plain)}f}"
    for kind, other in (*(("reachable figure", each) for each in reachable), ("figure off", off)):
        written = _like(other, number[0])
        text = piece.text[: number.start()] + written + piece.text[number.end() :]
        if float(other) != value and text != piece.text:
            yield _edited(shown, at, kind, text)


def _is_alike(key: str, plain: str) -> bool:
    """Whether it has as many digits and decimals, so that nobody sees it by its form."""
    return (
        re.fullmatch(r"\d+(?:\.\d+)?", key) is not None
        and len(key) == len(plain)
        and _decimals(key) == _decimals(plain)
        and key != plain
    )


def _decimals(plain: str) -> int:
    return len(plain.partition(".")[2])


def _like(plain: str, model: str) -> str:
    """A number with the group sign of another."""
    group = next((sign for sign in ",'’" if sign in model), "")
    whole, point, part = plain.partition(".")
    return f"{int(whole):,}".replace(",", group) + point + part


def _names(shown: Shown, at: int, piece: Piece) -> Iterator[WrongText]:
    if piece.own is None or not piece.own.table.naming:
        return
    column = piece.own.table.naming[0]
    names = [str(row[column]) for row in piece.own.table.rows if row[column] is not None]
    others = [each for each in names if each != piece.text]
    if piece.text in names:
        for other in others[: _MOST_EACH // 2]:
            yield _edited(shown, at, "swapped name", other)


def _words(shown: Shown, at: int, piece: Piece, language: Language) -> Iterator[WrongText]:
    for one, other in _ANTONYMS[language.value]:
        for word, turned in ((one, other), (other, one)):
            wide = re.search(f"[{HAN}]", word)
            form = re.escape(word) if wide else rf"(?<!\w){re.escape(word)}(?!\w)"
            if re.search(form, piece.text):
                yield _edited(shown, at, "flipped words", re.sub(form, turned, piece.text, count=1))
