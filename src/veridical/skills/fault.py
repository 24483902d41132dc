"""Faults of a skill file: the place, the key, what is wrong, and what would be right."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.errors import LoadError
from veridical.ontology.nearest import nearest
from veridical.skills.front_matter import KeyPath
from veridical.skills.skill import BY_LANGUAGE, ONE, GateSettings, Header, Intent, Validator

_KEY_MARK = "[key]"
_NOT_KEYS = frozenset({ONE, BY_LANGUAGE, _KEY_MARK})
_MODELS = {"intent": Intent, "gate": GateSettings, "validators": Validator}
_REASONS = {
    "missing": "missing",
    "extra_forbidden": "unknown_key",
    "enum": "not_one_of",
    "string_type": "not_text",
    "string_too_short": "empty",
    "too_short": "empty",
    "tuple_type": "not_a_list",
    "dict_type": "not_a_mapping",
    "model_type": "not_a_mapping",
    "pattern": "not_a_pattern",
    "required_tool": "required_tool",
}
_FORMS = {"name": "form_of_name", "path": "form_of_path"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one file."""

    path: str
    reason: str
    """The name of its message."""
    line: int = 1
    key: str = ""
    values: Mapping[str, object] = field(default_factory=dict[str, object])

    def text(self, language: Language = Language.EN) -> str:
        """``file:line: key: what is wrong``."""
        text = message(f"skills.{self.reason}", language, **self.values)
        perhaps = self.values.get("nearest")
        if perhaps:
            text = f"{text} {message('skills.did_you_mean', language, name=perhaps)}"
        key = f"{self.key}: " if self.key else ""
        return f"{self.path}:{self.line}: {key}{text}"


class SkillError(LoadError):
    """Skills that can't be loaded, with every reason."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.text())

    def text(self, language: Language = Language.EN) -> str:
        """Every fault on a line of its own."""
        return "\n".join(fault.text(language) for fault in self.faults)


def faults_of(error: ValidationError, path: str, lines: Mapping[KeyPath, int]) -> list[Fault]:
    """The faults behind a validation error in the order of the file's lines."""
    return sorted(_faults(error, path, lines), key=lambda fault: fault.line)


def _faults(error: ValidationError, path: str, lines: Mapping[KeyPath, int]) -> Iterator[Fault]:
    for each in error.errors():
        place = tuple(part for part in each["loc"] if part not in _NOT_KEYS)
        if each["type"] == "required_tool":
            place = ("requiredTools",)
        reason, values = _reason(each, place)
        yield Fault(path, reason, _line(place, lines), _dotted(place), values)


def _reason(error: ErrorDetails, place: KeyPath) -> tuple[str, dict[str, object]]:
    """The message key of an error, and its values."""
    kind, given = error["type"], error["input"]
    context: dict[str, Any] = error.get("ctx") or {}
    if kind == "string_pattern_mismatch" and place[-1] in _FORMS:
        return _FORMS[str(place[-1])], {"given": given}
    match _REASONS.get(kind):
        case "unknown_key":
            known = _known_keys(place)
            name = str(place[-1])
            return "unknown_key", {"known": ", ".join(known), "nearest": nearest(name, known)}
        case "not_one_of":
            expected = str(context.get("expected", "")).replace("'", "").replace(" or ", ", ")
            names = expected.split(", ")
            found = nearest(given, names) if isinstance(given, str) else None
            return "not_one_of", {"given": given, "expected": expected, "nearest": found}
        case "not_a_pattern":
            return "not_a_pattern", {"problem": context["reason"]}
        case "required_tool":
            return "required_tool", {"tool": context["tool"]}
        case str(simple):
            return simple, {}
        case None:
            return "wrong", {"problem": error["msg"]}


def _known_keys(place: KeyPath) -> list[str]:
    model = _MODELS.get(str(place[0]), Header) if len(place) > 1 else Header
    return [info.alias or name for name, info in model.model_fields.items()]


def _line(place: KeyPath, lines: Mapping[KeyPath, int]) -> int:
    """The line of this key, or of the nearest one around it."""
    for length in range(len(place), -1, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return 1


def _dotted(place: KeyPath) -> str:
    """``validators[1].path``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.removeprefix(".")
