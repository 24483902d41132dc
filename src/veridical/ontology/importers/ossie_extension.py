"""What Ossie's core format has no place for, and what Veridical reads back from its extensions."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from pydantic import ValidationError

from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lenient import Lenient
from veridical.ontology.model import Cardinality, Constraint, OntologyDescriptor

VENDOR: Final = "VERIDICAL"
VERSION: Final = 1
_EXTENSIONS: Final = "custom_extensions"
_DECLARED: Final = re.compile(r'"cardinality"\s*:\s*"(\w+)"')
_SUMMED: Final = re.compile(r'"aggregationType"\s*:\s*"Sum"')
_CARDINALITIES: Final = {each.value.replace("_", "").casefold(): each for each in Cardinality}


class Extension(Lenient):
    """One extension of one vendor."""

    vendor_name: str = ""
    data: str = ""


def declared_cardinality(extensions: Iterable[Extension]) -> Cardinality | None:
    """What another vendor's extension says of a relationship: ``OneToMany``."""
    for each in extensions:
        found = _DECLARED.search(each.data)
        if found and (known := _CARDINALITIES.get(found[1].casefold())):
            return known
    return None


def is_declared_sum(extensions: Iterable[Extension]) -> bool:
    """True if another vendor's extension says that a field is added up."""
    return any(_SUMMED.search(each.data) for each in extensions)


def digest(model: Mapping[str, Any]) -> str:
    """The identity of a model without its extensions: another one after an edit."""
    text = json.dumps(_plain(model), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items() if key != _EXTENSIONS}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else str(value)


def _contents(extensions: Iterable[Extension]) -> Iterator[dict[str, Any]]:
    for each in extensions:
        if each.vendor_name == VENDOR:
            try:
                found = json.loads(each.data)
            except ValueError:
                continue
            if isinstance(found, dict):
                yield found


def rules_in(extensions: Iterable[Extension], draft: Draft) -> list[Constraint]:
    """The rules of these extensions in the order that they had."""
    found: list[tuple[int, Constraint]] = []
    for content in _contents(extensions):
        for rule in content.get("rules", ()):
            plain = {key: value for key, value in rule.items() if key != "at"}
            try:
                found.append((int(rule.get("at", 0)), Constraint.model_validate(plain)))
            except (ValidationError, TypeError, ValueError):
                draft.unprotected("custom_extensions", "rule_unreadable", rule=json.dumps(plain))
    return [rule for _, rule in sorted(found, key=lambda each: each[0])]


def ontology_in(
    extensions: Iterable[Extension], rules: Iterable[Constraint], model: str
) -> OntologyDescriptor | None:
    """The ontology that was exported, with these rules; none where the model, by its digest, was
    edited since."""
    for content in _contents(extensions):
        if content.get("model") == model:
            try:
                found = OntologyDescriptor.model_validate(content["ontology"])
            except (KeyError, ValidationError):
                return None
            return found.model_copy(update={"constraints": tuple(rules)})
    return None


def keep_rules(rules: Iterable[Constraint], draft: Draft) -> None:
    """Put the rules into the draft whose entities and fields are still there."""
    names = {entity.name for entity in draft.entities}
    names |= {f"{entity.name}.{each.name}" for entity in draft.entities for each in entity.fields}
    known = {(each.applies_to, each.rule) for each in draft.constraints}
    for rule in rules:
        if any(fnmatchcase(name, rule.applies_to) for name in names):
            if (rule.applies_to, rule.rule) not in known:
                draft.constraints.append(rule)
        else:
            draft.unprotected(_EXTENSIONS, "rule_without_target", rule=rule.title)
