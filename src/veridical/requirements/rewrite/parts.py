"""The parts of a requirement that a rewrite is put together from, as stretches of its own text."""

from dataclasses import dataclass

from veridical.requirements.form import Form
from veridical.requirements.rules.mark import phrases
from veridical.requirements.token import Token
from veridical.requirements.tokens import Tokens

_ENDS = " \t\n.;,:"


@dataclass(frozen=True)
class Parts:
    """The parts of a requirement; a missing part is empty."""

    template: str
    """The message that a story is written with."""
    role: str
    state: str
    event: str
    clause: str
    """The system's action, as written."""
    goal: str
    """The same as a story takes it: the modal where the language puts it in a clause."""
    benefit: str


def parts_of(tokens: Tokens) -> Parts:
    """Takes a requirement apart."""
    if tokens.form is Form.STORY:
        return _of_story(tokens)
    start, group, condition = _condition(tokens)
    clause = _stretch(tokens, start, len(tokens.all))
    goal = _goal(tokens, start)
    if not goal:
        return Parts("story_bare", "", "", "", "", clause, "")
    state, event = (condition if group == each else "" for each in ("state", "event"))
    return Parts("story", "", state, event, clause, goal, "")


def _of_story(tokens: Tokens) -> Parts:
    want = tokens.hits["STOWANT"][0]
    roles = [hit for hit in tokens.hits.get("STOROLE", ()) if hit.first == 0 < want.first]
    benefits = [hit for hit in tokens.hits.get("STOBENEFIT", ()) if hit.first >= want.end]
    end = benefits[0].first if benefits else len(tokens.all)
    role = _stretch(tokens, roles[0].end, want.first) if roles else ""
    benefit = _stretch(tokens, benefits[0].first, len(tokens.all)) if benefits else ""
    goal = _stretch(tokens, want.first, end)
    if not roles and tokens.language == "de" and want.end - want.first == 2:
        verb, wish = tokens.all[want.first + 1].text, tokens.all[want.first].low
        goal = f"{verb} {wish} {_stretch(tokens, want.end, end)}"  # Als … will ich
    return Parts("story_own", role, "", "", "", goal, benefit)


def _condition(tokens: Tokens) -> tuple[int, str, str]:
    """The main clause's start after an opening condition, with the condition's kind and text."""
    first = tokens.hits.get("CONDITION", ())
    if not first or first[0].first != 0 or 0 in tokens.main:
        return 0, "", ""
    modal = next(iter(_modals(tokens)), 0)
    commas = [place for place in range(modal) if tokens.low(place) == ","]
    if not commas:
        return 0, "", ""
    text = _stretch(tokens, first[0].end, commas[-1])
    return commas[-1] + 1, first[0].group, text


def _modals(tokens: Tokens) -> list[int]:
    hits = (*phrases(tokens, "IMP"), *phrases(tokens, "PERMIT"))
    return sorted(hit.first for hit in hits if hit.first in tokens.main)


def _goal(tokens: Tokens, start: int) -> str:
    """The first sentence of the clause without its modal, which German puts last."""
    modal = next((place for place in _modals(tokens) if place >= start), None)
    if modal is None:
        return ""
    before = lowered(tokens, start, _stretch(tokens, start, modal))
    behind = _stretch(tokens, modal + 1, len(tokens.all))
    if not behind:
        return ""
    word = tokens.all[modal].text
    if tokens.language == "de":
        return " ".join(each for each in (before, behind, word.lower()) if each)
    return f"{before} {word} {behind}" if before else ""


def lowered(tokens: Tokens, start: int, text: str) -> str:
    """The text with a small letter where its first word is no name and no German noun."""
    if not text or start >= len(tokens.all):
        return text
    first: Token = tokens.all[start]
    small = ("openers", "determiners", "prepositions")
    if any(first.low in tokens.words.sets[name] for name in small):
        return text[0].lower() + text[1:]
    return text


def _stretch(tokens: Tokens, first: int, end: int) -> str:
    if first >= end:
        return ""
    return tokens.text[tokens.all[first].start : tokens.all[end - 1].end].strip(_ENDS)
