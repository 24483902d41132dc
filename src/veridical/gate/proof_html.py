"""A proof as HTML: the answer with its claims marked, each with the cell behind it.

Self-contained, without scripts; every text is escaped. Marks differ in shape and wording, not in
colour alone, and both light and dark are readable.
"""

import re
from collections.abc import Iterator
from html import escape as escape_markup

from veridical.contracts.language import Language
from veridical.contracts.proof import Proof, ProvenClaim, Standing
from veridical.gate.proof_text import MARKS, strength, told_binding
from veridical.messages import message

_STYLE = """
.proof{font:16px/1.6 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:60rem;
padding:1rem;color-scheme:light}
.proof pre{white-space:pre-wrap;font:inherit;margin:0 0 1rem}
.proof mark{color:inherit;background:#e7f4ea;border-bottom:2px solid #1b7f3b;padding:0 .1em}
.proof mark.bad{background:#fdeaea;border-bottom:3px double #b3261e}
.proof mark.note{background:#f1f1f1;border-bottom:2px dotted #666}
.proof sup{font-size:.75em}
.proof .verdict{font-weight:700;border:2px solid;padding:.1em .6em;display:inline-block}
.proof table{border-collapse:collapse;width:100%}
.proof td,.proof th{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;
border-bottom:1px solid #ccc}
.proof tr:target{outline:2px solid}
@media (prefers-color-scheme:dark){.proof{color:#eee;background:#161616;color-scheme:dark}
.proof mark{background:#12351f;border-color:#6fd08c}
.proof mark.bad{background:#431a18;border-color:#ff8a80}
.proof mark.note{background:#2a2a2a;border-color:#aaa}
.proof td,.proof th{border-color:#444}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CLASSES = {Standing.GROUNDED: "good", Standing.EXEMPT: "note"}


def as_html(proof: Proof, answer: str, language: Language = Language.EN) -> str:
    """A fragment to put into any page."""
    return "".join(_fragment(proof, answer, language))


def as_page(proof: Proof, answer: str, language: Language = Language.EN) -> str:
    """A page of its own."""
    title = escape(message(f"gate.verdict_{proof.verdict}", language))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{title}</title></head><body>{as_html(proof, answer, language)}</body></html>\n"
    )


def _fragment(proof: Proof, answer: str, language: Language) -> Iterator[str]:
    yield f'<style>{_STYLE}</style><section class="proof" lang="{language}">'
    yield f'<p class="verdict">{_said(f"verdict_{proof.verdict}", language)}</p>'
    yield f"<h2>{_said('answer', language)}</h2><pre>{_marked(proof, answer, language)}</pre>"
    if proof.claims:
        yield f"<h2>{_said('claims', language)}</h2><table>"
        for number, claim in enumerate(proof.claims, 1):
            yield (
                f'<tr id="claim-{number}"><td>{number}</td><td>{MARKS[claim.standing]} '
                f"{escape(claim.text)}</td><td>{escape(told_binding(claim, language))}</td></tr>"
            )
        yield "</table>"
    if proof.findings:
        yield f"<h2>{_said('findings', language)}</h2><ul>"
        for finding in proof.findings:
            yield f"<li><code>{finding.code}</code> ({finding.mode}): {escape(finding.hint)}</li>"
        yield "</ul>"
    if proof.coincidence is not None:
        yield f"<p>{escape(strength(proof, language))}</p>"
    yield "</section>\n"


def _marked(proof: Proof, answer: str, language: Language) -> str:
    """The answer with each claim as a mark; of claims that overlap, the first is marked."""
    parts: list[str] = []
    at = 0
    for number, claim in enumerate(proof.claims, 1):
        if at <= claim.start < claim.end <= len(answer):
            parts += escape(answer[at : claim.start]), _mark(claim, number, answer, language)
            at = claim.end
    return "".join((*parts, escape(answer[at:])))


def _mark(claim: ProvenClaim, number: int, answer: str, language: Language) -> str:
    told = escape(f"{MARKS[claim.standing]} {told_binding(claim, language)}")
    words = escape(answer[claim.start : claim.end])
    kind = _CLASSES.get(claim.standing, "bad")
    sign = MARKS[claim.standing]
    return (
        f'<mark class="{kind}" title="{told}">{words}'
        f'<sup><a href="#claim-{number}">{sign}{number}</a></sup></mark>'
    )


def escape(text: str) -> str:
    """A text of others: shown as it is, never obeyed."""
    return escape_markup(_UNPRINTABLE.sub("�", text))


def _said(name: str, language: Language) -> str:
    return escape(message(f"gate.{name}", language))
