"""Filter expressions of LookML as SQL: ``"-test"`` is ``<> 'test'``."""

import re

from veridical.ontology.importers.lookml_text import Pair

_COMPARED = re.compile(r"(>=|<=|<>|!=|>|<|=)\s*(-?\d+(?:\.\d+)?)\Z")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?\Z")
_PLAIN = re.compile(r"-?[^%,\"'^]+\Z")
_RELATIVE = re.compile(r"(?i)^(?:last|this|next|before|after|today|yesterday|\d+ \w+)\b|\bago\b")
_TRUTH = {"yes": "TRUE", "no": "FALSE"}


def filter_sql(pair: Pair, view: str) -> str:
    """The condition in SQL; nothing where the expression says more than one comparison does."""
    name = pair.name.strip()
    column = name if "." in name else f"{view}.{name}"
    value = pair.value.strip()
    if value.lower() in _TRUTH:
        return f"{column} = {_TRUTH[value.lower()]}"
    if found := _COMPARED.match(value):
        return f"{column} {found[1].replace('!=', '<>')} {found[2]}"
    if _NUMBER.match(value):
        return f"{column} = {value}"
    if value.upper() in ("NULL", "-NULL"):
        return f"{column} IS {'NOT ' if value[0] == '-' else ''}NULL"
    if not value or not _PLAIN.match(value) or _RELATIVE.search(value):
        return ""
    if value.startswith("-"):
        return f"{column} <> '{value[1:]}'"
    return f"{column} = '{value}'"
