"""Filters as SQL conditions on ``d``, a row of documents."""

from dataclasses import fields
from typing import Any

from veridical.search.filter import Filter

_STARTS = "EXISTS (SELECT FROM unnest(%({})s::text[]) AS s(t) WHERE starts_with(d.source, s.t))"
_CONDITIONS = {
    "hosts": "d.host = ANY(%(hosts)s::text[])",
    "not_hosts": "d.host <> ALL(%(not_hosts)s::text[])",
    "sources": _STARTS.format("sources"),
    "not_sources": "NOT " + _STARTS.format("not_sources"),
    "domain_types": "d.domain_type = ANY(%(domain_types)s::text[])",
    "versions": "d.version = ANY(%(versions)s::text[])",
    "since": "d.detected_date >= %(since)s",
    "until": "d.detected_date <= %(until)s",
    "policy_tags": "d.policy_tags @> %(policy_tags)s::text[]",
}


def conditions(where: Filter) -> str:
    """The conditions; ``true`` where there are none."""
    given = values(where)
    return " AND ".join(text for name, text in _CONDITIONS.items() if name in given) or "true"


def values(where: Filter) -> dict[str, Any]:
    """The values of the conditions, by name."""
    given = {field.name: getattr(where, field.name) for field in fields(where)}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in given.items()
        if value is not None
    }
