"""Detects failed calls in results: error envelopes, error texts, stack traces.

A failed call proves nothing, and its numbers are ports and line numbers. A row whose column is
called ``status`` or ``error`` is data: only an envelope that holds nothing else is a failure.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from veridical.late_pattern import late_pattern

_HTTP_ERROR = 400
_HTTP_LAST = 599
_LONGEST_LINE = 400
_MOST_LINES = 12
_PREFIX = late_pattern(r"[\W_]*(?:\d{4}-\d\d-\d\d[T ][\d:.,Z+-]+\W*)?(?:\[[^\]\n]{1,40}\]\W*)*")
_REFUSING = frozenset({"success", "ok"})
_FLAGGED = frozenset({"iserror", "is_error", "failed"})


class _Signs(NamedTuple):
    envelope: frozenset[str]
    payload: frozenset[str]
    error_keys: frozenset[str]
    status_keys: frozenset[str]
    status_words: frozenset[str]
    shouted: re.Pattern[str]
    begins: re.Pattern[str]
    within: re.Pattern[str]


def failure_in(result: Any) -> str:
    """The reason why a call failed, from its result; empty for a result that is data."""
    if isinstance(result, str):
        return failure_in_text(result)
    if isinstance(result, Mapping):
        return failure_in_mapping(result)
    return ""


def failure_in_text(text: str) -> str:
    """The first line of an error message or a stack trace; empty for any other text."""
    stripped = text.strip()
    if not stripped:
        return ""
    signs = _signs()
    if signs.within.search(stripped):
        return _first_line(stripped)
    if stripped.count("\n") >= _MOST_LINES:
        return ""  # a file that happens to begin like an error
    prefix = _PREFIX.match(stripped)
    line = _first_line(stripped[prefix.end() if prefix else 0 :])
    if signs.shouted.match(line) or signs.begins.match(line):
        return line
    return ""


def failure_in_mapping(record: Mapping[Any, Any]) -> str:
    """The error of an envelope without data; empty for any other record."""
    keys = {str(key).casefold(): value for key, value in record.items()}
    for key in _REFUSING & keys.keys():
        if keys[key] is False or (isinstance(keys[key], str) and keys[key].casefold() == "false"):
            return _reason(keys) or "failed"
    for key in _FLAGGED & keys.keys():
        if keys[key] is True:
            return _reason(keys) or "failed"
    signs = _signs()
    if not keys.keys() <= signs.envelope | signs.payload:
        return ""
    payload = {key: keys[key] for key in signs.payload & keys.keys() if not _is_empty(keys[key])}
    if payload:
        inner = [failure_in(value) for value in payload.values()]
        return inner[0] if all(inner) else ""
    return _reason(keys)


def _reason(keys: Mapping[str, Any]) -> str:
    signs = _signs()
    for key in sorted(signs.error_keys & keys.keys()):
        if not _is_empty(keys[key]):
            return _reason_text(keys[key])
    for key in sorted(signs.status_keys & keys.keys()):
        if _is_failed_status(keys[key]):
            return _reason_text(keys.get("message") or keys[key])
    return ""


def _is_failed_status(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in _signs().status_words
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and _HTTP_ERROR <= value <= _HTTP_LAST


def _is_empty(value: Any) -> bool:
    return value is None or value is False or value in ("", 0, [], {}, ())


def _reason_text(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("message") or value.get("code") or "failed"
    return _first_line(str(value)) or "failed"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:_LONGEST_LINE]


@cache
def _signs() -> _Signs:
    tables = tomllib.loads(files(__package__ or "").joinpath("failures.toml").read_text("utf-8"))
    return _Signs(
        frozenset(tables["envelope"]),
        frozenset(tables["payload"]),
        frozenset(tables["error_keys"]),
        frozenset(tables["status_keys"]),
        frozenset(tables["status_words"]),
        late_pattern("|".join(tables["shouted"])),
        late_pattern("|".join(tables["begins"]), re.IGNORECASE),
        late_pattern("|".join(tables["within"]), re.MULTILINE),
    )
