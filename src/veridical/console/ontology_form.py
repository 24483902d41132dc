"""Forms about parts of an ontology: what people see of a part, and what they enter."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from veridical.console.form import Form
from veridical.console.form import field as entered
from veridical.contracts.language import Language
from veridical.ontology.editable import Values
from veridical.ontology.judgement import Comparator
from veridical.ontology.model import Entity, Favourable, Field, Gender, Percent, Role

LONGEST_TEXT = 2_000
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_NAME = re.compile(r"[^\W\d]\w{0,59}")
_TRUE, _FALSE = "true", "false"


@dataclass(slots=True)
class Entered:
    """The values of a form, and the keys whose values don't fit."""

    values: Values = field(default_factory=dict[str, Any])
    unfit: list[str] = field(default_factory=list[str])

    def put(self, key: str, value: Any) -> None:
        """Keeps a value; one that is empty is the default."""
        if value not in (None, "", [], {}):
            self.values[key] = value


def fingerprint(values: Values | None) -> str:
    """What a form carries to show which values it was filled with."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def spelled(text: Any) -> dict[str, str]:
    """A text in each language; one for all languages is the same in each."""
    if isinstance(text, Mapping):
        return {language: str(text.get(language, "")) for language in Language}
    return dict.fromkeys(Language, str(text or ""))


def entered_entity(form: Form, before: Values) -> Entered:
    """The words of an entity."""
    found = Entered()
    found.put("description", _text(form, "description", before.get("description")))
    found.put("noun", {each: noun for each in Language if (noun := _noun(form, each))})
    found.put("synonyms", _lines(form, "synonyms"))
    return found


def entered_field(form: Form, before: Values) -> Entered:
    """The words and the format of a field."""
    found = Entered()
    for key in ("label", "description"):
        found.put(key, _text(form, key, before.get(key)))
    found.put("synonyms", _lines(form, "synonyms"))
    found.put("unit", entered(form, "unit", 40))
    _scale(found, entered(form, "scale", 20))
    if decimals := entered(form, "decimals", 2):
        found.values["decimals"] = int(decimals) if decimals in set("0123456") else 0
    for key, choices in (("percent", Percent), ("favourable", Favourable)):
        chosen = entered(form, key, 20)
        found.put(key, chosen if chosen in set(choices) else "")
    return found


def entered_judgement(form: Form, before: Values | None, entity: Entity) -> Entered:
    """A judgement on the rows of an entity."""
    found = Entered()
    name = before["name"] if before else entered(form, "name", 60)
    if not _NAME.fullmatch(name):
        found.unfit.append("name")
    found.values["name"] = name
    fields = {each.name: each for each in entity.fields}
    judged = fields.get(entered(form, "field", 200))
    comparator = entered(form, "comparator", 2)
    if judged is None or comparator not in set(Comparator):
        found.unfit.append("field")
    found.put("field", judged.name if judged else "")
    found.put("comparator", comparator)
    other, limit = entered(form, "limitField", 200), entered(form, "limit", 200)
    if bool(other) is bool(limit):
        found.unfit.append("limit")
    if limit:
        found.values["limit"] = value = _limit(limit, judged)
        if judged is not None and judged.type.is_numeric and isinstance(value, str):
            found.unfit.append("limit")
    for key, value in (("limitField", other), ("unless", entered(form, "unless", 200))):
        found.put(key, value if value in fields else "")
    label = _text(form, "label", (before or {}).get("label"))
    if not label:
        found.unfit.append("label")
    found.put("label", label)
    found.put("proposed", not entered(form, "confirmed", 5))
    return found


def is_printed_as_figure(each: Field) -> bool:
    """True for fields that have a unit, a scale and decimals."""
    return each.role is Role.MEASURE or each.type.is_numeric


def _text(form: Form, key: str, before: Any) -> Any:
    """A text by language; as it was if it was not edited, one text if all are the same."""
    given = {each.value: entered(form, f"{key}.{each}", LONGEST_TEXT) for each in Language}
    given = {each: text.replace("\r\n", "\n") for each, text in given.items()}
    if given == spelled(before):
        return before or ""
    filled = {each: text for each, text in given.items() if text}
    if len(filled) == len(given) and len(set(filled.values())) == 1:
        return next(iter(filled.values()))
    return filled


def _noun(form: Form, language: Language) -> dict[str, str]:
    given = {
        key: entered(form, f"noun.{language}.{key}", 80)
        for key in ("one", "many", "gender", "accusative", "counter")
    }
    if given["gender"] not in set(Gender):
        given["gender"] = ""
    return {key: text for key, text in given.items() if text} if given["one"] else {}


def _lines(form: Form, key: str) -> list[str]:
    lines = (line.strip() for line in entered(form, key, LONGEST_TEXT).splitlines())
    return list(dict.fromkeys(filter(None, lines)))


def _scale(found: Entered, text: str) -> None:
    number = _as_number(text) if text else 1
    if number is None or number <= 0:
        found.unfit.append("scale")
        found.values["scale"] = text
    elif number != 1:
        found.values["scale"] = float(number)


def _limit(text: str, judged: Field | None) -> str | int | float | bool:
    number = _as_number(text)
    if judged is not None and judged.type.is_numeric and number is not None:
        return number
    return text == _TRUE if text in (_TRUE, _FALSE) else text


def _as_number(text: str) -> int | float | None:
    if not _NUMBER.fullmatch(text):
        return None
    return float(text.replace(",", ".")) if re.search("[.,]", text) else int(text)
