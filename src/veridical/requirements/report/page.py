"""The report of a review as one HTML page: no scripts, no network, every text escaped.

Its content policy lets nothing load and nothing run; the one style is known by its hash. Bars are
drawings with a name, marks differ in their line as well as in colour, light and dark are readable.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import pairwise

from veridical.contracts.language import Language
from veridical.gate.proof_html import escape
from veridical.messages import message
from veridical.requirements.finding import PASS_MARK, Finding, Weight
from veridical.requirements.policy.issue import Issue, IssueState
from veridical.requirements.policy.judgement import Judgement
from veridical.requirements.policy.review_policy import RULE_IDS
from veridical.requirements.report.sarif import standard_ids
from veridical.requirements.review import Reviewed

STYLE = """
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#f3f3f3;--line:#bbb;--good:#1b7f3b;
--open:#8a5a00;--bad:#b3261e;--good-soft:#e7f4ea;--open-soft:#fff4d6;--bad-soft:#fdeaea}
@media (prefers-color-scheme:dark){:root{--ink:#eee;--paper:#161616;--soft:#242424;--line:#555;
--good:#6fd08c;--open:#f0c35a;--bad:#ff8a80;--good-soft:#12351f;--open-soft:#3a2e0c;
--bad-soft:#431a18}}
body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:64rem;
margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem;margin:0}
a{color:inherit}nav a{margin-right:1rem}
table{border-collapse:collapse}caption{text-align:left;font-weight:700}
td,th{text-align:left;vertical-align:top;padding:.15rem .9rem .15rem 0;
border-bottom:1px solid var(--line)}
svg{width:8rem;height:.7rem;vertical-align:middle}
.track{fill:var(--soft);stroke:var(--line);stroke-width:1}
.pass{fill:var(--good)}.uncertain{fill:var(--open)}.fail{fill:var(--bad)}
article{border:1px solid var(--line);border-left-width:6px;padding:.6rem .9rem;margin:.8rem 0}
article.pass{border-left-color:var(--good)}article.fail{border-left-color:var(--bad)}
article.uncertain{border-left:6px dashed var(--open)}
article:target{outline:3px solid}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}
.where{opacity:.8;font-size:.85em;overflow-wrap:anywhere}
.badge{border:1px solid;padding:0 .4em;font-size:.85em}
mark{color:inherit;background:var(--open-soft);border-bottom:2px dashed var(--open)}
mark.high{background:var(--bad-soft);border-bottom:3px double var(--bad)}
mark.low{background:var(--soft);border-bottom:2px dotted var(--line)}
sup{font-size:.7em;margin-left:.15em;white-space:nowrap}
li:target{outline:2px solid}
@media print{nav{display:none}article{break-inside:avoid}}
"""

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


def card(place: int, each: Reviewed, issues: Sequence[Issue], language: Language) -> Iterator[str]:
    """The requirement at a place of the review, with the findings that count."""
    evaluation, requirement = each.evaluation, each.requirement
    verdict = evaluation.verdict
    named = message(f"requirements.verdict_{verdict}", language)
    where = f"{requirement.source}:{requirement.line}" + (
        f" {requirement.place}" if requirement.place else ""
    )
    explained = [(f"r{place}-{number}", issue) for number, issue in enumerate(issues)]
    yield f'<article class="{verdict}" id="r{place}"><h3>{escape(requirement.id)} '
    yield f'<span class="badge">{escape(named)}</span> '
    yield f"{bar(named, evaluation.score, verdict, language)} {two(evaluation.score)}</h3>"
    yield f'<p class="where">{escape(where)}</p><p class="text">'
    yield from marked_text(requirement.text, explained, language)
    yield "</p>"
    if explained:
        yield "<ul>"
        for anchor, issue in explained:
            yield from _issue(anchor, issue, language)
        yield "</ul>"
    if remark := evaluation.remark(language):
        yield f"<p>{escape(remark)}</p>"
    yield "</article>"


def _issue(anchor: str, issue: Issue, language: Language) -> Iterator[str]:
    weight = message(f"review.weight_{issue.weight}", language)
    advice = f"{issue.reason(language)} {issue.fix(language)}"
    yield f'<li id="{anchor}"><strong>{escape(issue.rule)}</strong> ({escape(weight)}) '
    yield escape(advice)
    name = "known" if issue.state is IssueState.KNOWN else "blocks" if issue.blocks else ""
    if name:
        label = message(f"review.html_{name}", language)
        yield f' <span class="badge">{escape(label)}</span>'
    yield "</li>"


def bar(name: str, score: float | None, kind: str, language: Language) -> str:
    """A bar with its name and figure for those who can't see it."""
    label = escape(message("review.html_score", language, name=name, score=two(score)))
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 100 10" preserveAspectRatio="none">'
        f'<rect class="track" width="100" height="10"/>'
        f'<rect class="{kind}" width="{round((score or 0.0) * 100)}" height="10"/></svg>'
    )


def two(score: float | None) -> str:
    """A score with two digits; a dash where there is none."""
    return "–" if score is None else f"{score:.2f}"


_WEIGHTS = list(Weight)


def marked_text(
    text: str, issues: Sequence[tuple[str, Issue]], language: Language
) -> Iterator[str]:
    """The text in pieces; ``issues`` come with the id of the item that explains each."""
    found = [
        (anchor, issue, issue.cause)
        for anchor, issue in issues
        if isinstance(issue.cause, Finding) and issue.cause.start < issue.cause.end
    ]
    cuts = sorted({0, len(text), *(at for _, _, one in found for at in (one.start, one.end))})
    for begin, end in pairwise(cuts):
        here = [each for each in found if each[2].start <= begin and end <= each[2].end]
        words = escape(text[begin:end])
        if not here:
            yield words
            continue
        worst = min((issue.weight for _, issue, _ in here), key=_WEIGHTS.index)
        reasons = escape("\n".join(issue.reason(language) for _, issue, _ in here))
        links = "".join(
            f'<sup><a href="#{anchor}">{escape(issue.rule)}</a></sup>'
            for anchor, issue, one in here
            if one.end == end
        )
        yield f'<mark class="{worst.value}" title="{reasons}">{words}{links}</mark>'
