"""Linter for skills: finds missing, ineffective or conflicting parts."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.ontology.nearest import nearest
from veridical.skills.keyword_match import find, tokenized
from veridical.skills.skill import LocalizedWords, Skill, words_in
from veridical.skills.validation import ValidatorMissingError, import_validator

_FEWEST_WORDS = 60
_UNSEEN = frozenset({Mode.OFF, Mode.SHADOW})
_AGAINST_INVENTION = frozenset(
    {
        GateCode.NO_EVIDENCE,
        GateCode.UNGROUNDED_CLAIM,
        GateCode.CONTRADICTED_CLAIM,
        GateCode.PLACEHOLDER_SERIES,
    }
)


class LintKind(StrEnum):
    """Kinds of findings."""

    UNKNOWN_TOOL = "UNKNOWN_TOOL"
    SHARED_KEYWORD = "SHARED_KEYWORD"
    MISSING_LANGUAGE = "MISSING_LANGUAGE"
    NO_KEYWORDS = "NO_KEYWORDS"
    SHORT_INSTRUCTIONS = "SHORT_INSTRUCTIONS"
    GATE_WEAKENED = "GATE_WEAKENED"
    VALIDATOR = "VALIDATOR"

    @property
    def is_note(self) -> bool:
        """Whether it is a hint, not an error."""
        return self in {LintKind.NO_KEYWORDS, LintKind.GATE_WEAKENED}


class Lint(Wire):
    """One finding about one skill."""

    kind: LintKind
    skill: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The context of a lint: tools, other skills, language."""

    tools: Collection[str]
    """The tools that exist; where none are known, none are called unknown."""
    others: tuple[Skill, ...] = ()
    """The skills that will be loaded beside it."""
    language: Language = field(default=Language.EN)
    imports: bool = False
    """Whether validators are imported, which runs the code of their modules."""


def lint(skill: Skill, around: Surroundings) -> tuple[Lint, ...]:
    """All findings about a skill."""
    found = (
        *_tools(skill, around),
        *_intent(skill, around),
        *_shared(skill, around),
        *_instructions(skill, around),
        *_gate(skill, around),
        *_validators(skill, around),
    )
    return tuple(found)


def _lint(kind: LintKind, skill: Skill, text: str) -> Lint:
    return Lint(kind=kind, skill=skill.name, path=skill.path, text=text)


def _tools(skill: Skill, around: Surroundings) -> Iterator[Lint]:
    for tool in dict.fromkeys((*skill.tools, *skill.required_tools)):
        if around.tools and tool not in around.tools:
            text = message("skills.lint_unknown_tool", around.language, name=tool)
            if perhaps := nearest(tool, around.tools):
                text += f" {message('skills.did_you_mean', around.language, name=perhaps)}"
            yield _lint(LintKind.UNKNOWN_TOOL, skill, text)


def _intent(skill: Skill, around: Surroundings) -> Iterator[Lint]:
    keywords = skill.intent.keywords
    if not words_in(keywords):
        text = message("skills.lint_no_keywords", around.language, name=skill.name)
        yield _lint(LintKind.NO_KEYWORDS, skill, text)
    disambiguation = skill.intent.disambiguation_keywords
    parts = {
        "description": _lacking(skill, skill.description),
        "intent.keywords": _lacking(skill, keywords),
        "intent.disambiguationKeywords": _lacking(skill, disambiguation),
    }
    for language in skill.languages:
        lacking = [name for name, languages in parts.items() if language in languages]
        if lacking:
            what = ", ".join(lacking)
            text = message(
                "skills.lint_missing_language", around.language, name=language, what=what
            )
            yield _lint(LintKind.MISSING_LANGUAGE, skill, text)


def _lacking(skill: Skill, given: str | LocalizedWords | dict[Language, str]) -> set[Language]:
    """The languages that a text by language leaves out; one without languages is for all."""
    if not isinstance(given, dict):
        return set()
    return {language for language in skill.languages if not given.get(language)}


def _shared(skill: Skill, around: Surroundings) -> Iterator[Lint]:
    """Keywords that match another skill as well, where this one has no words of its own."""
    if words_in(skill.intent.disambiguation_keywords):
        return
    own = words_in(skill.intent.keywords)
    for other in around.others:
        if other.name != skill.name and (shared := _answered(own, other)):
            words = ", ".join(shared)
            text = message(
                "skills.lint_shared_keyword", around.language, other=other.name, words=words
            )
            yield _lint(LintKind.SHARED_KEYWORD, skill, text)


def _answered(keywords: Iterable[str], other: Skill) -> list[str]:
    """The keywords that would also match the other skill."""
    theirs = words_in(other.intent.keywords)
    return [word for word in keywords if find(theirs, tokenized(word)).words]


def _instructions(skill: Skill, around: Surroundings) -> Iterator[Lint]:
    count = len(tokenized(skill.instructions).words)
    if count < _FEWEST_WORDS:
        text = message("skills.lint_short_instructions", around.language, words=count)
        yield _lint(LintKind.SHORT_INSTRUCTIONS, skill, text)


def _gate(skill: Skill, around: Surroundings) -> Iterator[Lint]:
    for code, mode in skill.gate.modes.items():
        if code in _AGAINST_INVENTION and mode in _UNSEEN:
            text = message("skills.lint_gate_weakened", around.language, code=code, mode=mode)
            yield _lint(LintKind.GATE_WEAKENED, skill, text)


def _validators(skill: Skill, around: Surroundings) -> Iterator[Lint]:
    if not around.imports:
        return
    for validator in skill.validators:
        try:
            import_validator(validator.path, around.language)
        except ValidatorMissingError as error:
            text = message(
                "skills.lint_validator", around.language, path=validator.path, problem=error
            )
            yield _lint(LintKind.VALIDATOR, skill, text)
