"""A proof as HTML: the answer with its claims marked, each with its expression and cells.

Self-contained, without scripts; every text is escaped. Marks differ in shape, sign and wording,
not in colour alone, and both light and dark are readable.
"""

from collections.abc import Iterator
from functools import cache
from html import escape as escape_markup
from importlib.resources import files
from zlib import crc32

from veridical.contracts.language import Language
from veridical.contracts.proof import CellRef, PassageRef, Proof, Standing
from veridical.gate.proof_view import (
    Marked,
    ShownClaim,
    marked_places,
    shown_cell,
    shown_claims,
    shown_passage,
    verdict_words,
)
from veridical.gate.proving import shown_value
from veridical.late_pattern import late_pattern
from veridical.messages import message

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_UNPRINTABLE = late_pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CLASSES = {"✓": "good", "?": "open", "✗": "bad", "·": "note"}
_HEAD = ("result", "row", "column", "value")


def as_html(proof: Proof, answer: str, language: Language = Language.EN) -> str:
    """A fragment to put into any page."""
    return "".join(_fragment(proof, answer, language))


def as_page(proof: Proof, answer: str, language: Language = Language.EN) -> str:
    """A complete page."""
    title = escape(verdict_words(proof, language))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{title}</title></head><body>{as_html(proof, answer, language)}</body></html>\n"
    )


def _fragment(proof: Proof, answer: str, language: Language) -> Iterator[str]:
    claims = shown_claims(proof, language)
    # a page may show several proofs: their links must not lead to one another
    prefix = f"proof-{crc32(proof.model_dump_json().encode()):08x}"
    yield f'<style>\n{_style()}</style><section class="proof" lang="{language}">'
    yield f'<p class="verdict">{escape(verdict_words(proof, language))}</p>'
    yield f"<h2>{_label('gate.answer', language)}</h2>"
    yield f"<pre>{_marked(claims, answer, prefix, language)}</pre>"
    if claims:
        yield f"<h2>{_label('gate.claims', language)}</h2>"
        for each in claims:
            yield from _claim(each, prefix, language)
    if proof.findings:
        yield f"<h2>{_label('gate.findings', language)}</h2><ul>"
        for finding in proof.findings:
            yield f"<li><code>{finding.code}</code> ({finding.mode}): {escape(finding.hint)}</li>"
        yield "</ul>"
    yield "</section>\n"


@cache
def _style() -> str:
    return files("veridical.gate").joinpath("proof.css").read_text("utf-8")


def _marked(claims: tuple[ShownClaim, ...], answer: str, prefix: str, language: Language) -> str:
    parts: list[str] = []
    at = 0
    for place in marked_places(claims, answer):
        parts += escape(answer[at : place.start]), _mark(place, answer, prefix, language)
        at = place.end
    return "".join((*parts, escape(answer[at:])))


def _mark(place: Marked, answer: str, prefix: str, language: Language) -> str:
    """The words with a link for each claim and its basis as the tooltip."""
    lines = [line for each in place.claims for line in _title_lines(each, language)]
    links = " ".join(
        f'<a href="#{prefix}-{each.number}" aria-label="{escape(_standing(each, language))} '
        f'{each.number}">{each.sign}{each.number}</a>'
        for each in place.claims
    )
    title = escape("\n".join(lines))
    words = escape(answer[place.start : place.end])
    return f'<mark class="{_CLASSES[place.sign]}" title="{title}">{words}<sup>{links}</sup></mark>'


def _title_lines(each: ShownClaim, language: Language) -> Iterator[str]:
    yield f"{each.sign} {each.explanation}"
    for cell in each.cells:
        yield shown_cell(cell, language)
    yield from map(shown_passage, each.passages)
    if each.left_out:
        yield message("proof.more_cells", language, count=each.left_out)


def _claim(each: ShownClaim, prefix: str, language: Language) -> Iterator[str]:
    """A claim that opens to its cells; an unproven one is open at once."""
    kind = _CLASSES[each.sign]
    opened = "" if each.claim.standing in (Standing.GROUNDED, Standing.EXEMPT) else " open"
    yield (
        f'<details class="{kind}"{opened}>'
        f"<summary>{each.number} {each.sign} <strong>{escape(each.claim.text)}</strong> "
        f"<em>{escape(_standing(each, language))}</em></summary>"
        # within, so that a link opens it
        f'<p id="{prefix}-{each.number}">{escape(each.explanation)}</p>'
    )
    if each.cells:
        head = "".join(f"<th>{_label(f'proof.{name}', language)}</th>" for name in _HEAD)
        rows = "".join(_row(cell, language) for cell in each.cells)
        yield f"<table><caption>{_label('proof.cells', language)}</caption>"
        yield f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    if each.passages:
        yield f"<p>{_label('proof.passages', language)}</p><ul>"
        yield from (f"<li>{_passage(ref)}</li>" for ref in each.passages)
        yield "</ul>"
    if each.left_out:
        yield f"<p>{escape(message('proof.more_cells', language, count=each.left_out))}</p>"
    yield "</details>"


def _row(cell: CellRef, language: Language) -> str:
    result = f"{cell.result} {cell.title}".strip()
    value = f"{shown_value(cell.value, language)} {cell.unit}".strip()
    texts = (result, cell.row_key, cell.column, value)
    return f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in texts)}</tr>"


def _passage(ref: PassageRef) -> str:
    """The words of a document with their place; its address is text, never a link."""
    place = f" {ref.start}–{ref.end}: <q>{escape(ref.text)}</q>" if ref.end else ""
    origin = " · ".join(escape(text) for text in (ref.title, ref.source) if text)
    cite = f" <cite>{origin}</cite>" if origin else ""
    return f"<code>{escape(ref.chunk)}</code>{place}{cite}"


def escape(text: str) -> str:
    """Foreign text, escaped for HTML."""
    return escape_markup(_UNPRINTABLE.sub("�", text))


def _standing(each: ShownClaim, language: Language) -> str:
    return message(f"gate.standing_{each.claim.standing}", language)


def _label(key: str, language: Language) -> str:
    return escape(message(key, language))
