"""The report of a review as one HTML page: no scripts, no network, every text escaped.

Its content policy lets nothing load and nothing run; the one style is known by its hash. Bars are
drawings with a name, marks differ in their line as well as in colour, light and dark are readable.
"""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256

from veridical.contracts.language import Language
from veridical.gate.proof_html import escape
from veridical.messages import message
from veridical.requirements.criterion import PASS_MARK
from veridical.requirements.policy.issue import Issue
from veridical.requirements.policy.judgement import Judgement
from veridical.requirements.policy.review_policy import RULE_IDS
from veridical.requirements.report.cards import bar, card, two
from veridical.requirements.report.page_style import STYLE
from veridical.requirements.report.standards import standard_ids

_SHOWN = 1000
"""Requirements and pairs on the page, the weakest first; all of them are in the JSON."""
_STYLE_HASH = f"sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}"
_POLICY = f"default-src 'none'; style-src '{_STYLE_HASH}'; base-uri 'none'; form-action 'none'"
_SECTIONS = ("summary", "rules", "pairs", "requirements", "dismissed")


def as_page(judgement: Judgement, language: Language = Language.EN) -> str:
    """The whole page."""
    return "".join(_page(judgement, language))


def _page(judgement: Judgement, language: Language) -> Iterator[str]:
    title = _label("html_title", language)
    sections = {name: "".join(_SECTION[name](judgement, language)) for name in _SECTIONS}
    shown = [name for name in _SECTIONS if sections[name]]
    yield f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield f"<title>{title}</title><style>{STYLE}</style></head><body><header><h1>{title}</h1>"
    yield f'<nav aria-label="{_label("html_parts", language)}">'
    yield from (f'<a href="#{name}">{_label(f"html_{name}", language)}</a>' for name in shown)
    yield "</nav></header><main>"
    for name in shown:
        heading = _label(f"html_{name}", language)
        yield f'<section id="{name}"><h2>{heading}</h2>{sections[name]}</section>'
    yield "</main></body></html>\n"


def _summary(judgement: Judgement, language: Language) -> Iterator[str]:
    review = judgement.review
    total = message(
        "requirements.total", language, count=len(review.reviewed), score=two(review.score)
    )
    counts = " · ".join(
        f"{message(f'requirements.verdict_{verdict}', language)} {count}"
        for verdict, count in review.verdicts.items()
    )
    yield f"<p>{escape(total)} {escape(counts)}</p>"
    states = {state.value: count for state, count in judgement.states.items()}
    yield f"<p>{escape(message('review.states', language, **states))}</p><table><tbody>"
    for criterion, mean in review.means().items():
        name = message(f"requirements.criterion_{criterion}", language)
        kind = "pass" if mean >= PASS_MARK else "fail"
        yield f'<tr><th scope="row">{escape(name)}</th>'
        yield f"<td>{bar(name, mean, kind, language)}</td><td>{two(mean)}</td></tr>"
    yield "</tbody></table>"


def _rules(judgement: Judgement, language: Language) -> Iterator[str]:
    counts = dict.fromkeys(RULE_IDS, 0)
    for each in judgement.issues:
        counts[each.rule] += each.counts
    if not any(counts.values()):
        return
    names = ("rule", "meaning", "standards", "count")
    heads = "".join(f'<th scope="col">{_label(f"html_column_{n}", language)}</th>' for n in names)
    yield f"<table><thead><tr>{heads}</tr></thead><tbody>"
    for rule, count in sorted(counts.items(), key=lambda each: -each[1]):
        if count:
            meaning, standards = _label(f"rule_{rule}", language), ", ".join(standard_ids(rule))
            yield f'<tr><th scope="row">{rule}</th><td>{meaning}</td>'
            yield f"<td>{escape(standards)}</td><td>{count}</td></tr>"
    yield "</tbody></table>"


def _pairs(judgement: Judgement, language: Language) -> Iterator[str]:
    pairs = [each for each in judgement.issues if each.counts and each.other is not None]
    for each in pairs[:_SHOWN]:
        yield from _pair(each, judgement, language)
    if len(pairs) > _SHOWN:
        more = message("requirements.more_pairs", language, count=len(pairs) - _SHOWN)
        yield f"<p>{escape(more)}</p>"


def _pair(each: Issue, judgement: Judgement, language: Language) -> Iterator[str]:
    kind = message(f"requirements.kind_{each.rule.lower()}", language)
    weight = "fail" if each.rule == "CONFLICT" else "uncertain"
    yield f'<article class="{weight}"><h3>{escape(kind)}</h3>'
    yield f"<p>{escape(each.reason(language))} {escape(each.fix(language))}</p><dl>"
    for place in (each.place, each.other):
        if place is not None:
            requirement = judgement.review.reviewed[place].requirement
            yield f"<dt>{escape(requirement.id)} "
            yield f'<span class="where">{escape(requirement.source)}:{requirement.line}</span></dt>'
            yield f'<dd class="text">{escape(requirement.text)}</dd>'
    yield "</dl></article>"


def _requirements(judgement: Judgement, language: Language) -> Iterator[str]:
    found = judgement.by_requirement()
    reviewed = judgement.review.reviewed
    weak = [
        place
        for place, each in enumerate(reviewed)
        if place in found or each.evaluation.score != 1.0
    ]
    weak.sort(key=lambda place: reviewed[place].evaluation.score or 0.0)
    for place in weak[:_SHOWN]:
        yield from card(place, reviewed[place], found.get(place, []), language)
    if len(weak) > _SHOWN:
        more = message("requirements.more", language, count=len(weak) - _SHOWN)
        yield f"<p>{escape(more)}</p>"
    if clean := len(reviewed) - len(weak):
        yield f"<p>{escape(message('review.html_without', language, count=clean))}</p>"


def _dismissed(judgement: Judgement, language: Language) -> Iterator[str]:
    dismissed = [(each, each.dismissal) for each in judgement.issues if each.dismissal]
    if not dismissed:
        return
    yield "<ul>"
    for each, record in dismissed:
        key = judgement.review.reviewed[each.place].requirement.id
        who = message("review.html_by", language, by=record.by, on=record.on, why=record.why)
        what = f"{key} {each.rule} {each.excerpt}"
        yield f"<li><strong>{escape(what)}</strong> {escape(who)}</li>"
    yield "</ul>"


def _label(name: str, language: Language) -> str:
    return escape(message(f"review.{name}", language))


_SECTION = {
    "summary": _summary,
    "rules": _rules,
    "pairs": _pairs,
    "requirements": _requirements,
    "dismissed": _dismissed,
}
