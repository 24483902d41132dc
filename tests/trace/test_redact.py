import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import timed
from tests.trace.runs import called, repaired_run, traces
from veridical.contracts.trace import AgentTrace, Event, ModelCalled, ToolCalled
from veridical.trace.event_json import from_stored, to_stored_text
from veridical.trace.redact import (
    REDACTED,
    SECRETS,
    redact,
    redact_json,
    redact_text,
    redacted,
    stored_without_secrets,
)

pytestmark = pytest.mark.slow

KEY = "sk-" + "Ab1_" * 8
SECRET_TEXTS = [
    KEY,
    "sk-ant-" + "api03-" * 4,
    "ghp_" + "a1B2" * 9,
    "xoxb-" + "1234567890-abcdef",
    "AKIA" + "ABCDEFGH12345678",
    "AIza" + "x" * 35,
    "vk_" + "0a1b" * 4 + "_" + "9f8e" * 16,
    "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl",
    "eyJhbGciOi.eyJzdWIiOi.",
    "eyJhbGciOi.a2V5.aXY.dGV4dA.dGFn",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
]


def test_secrets_are_replaced_wherever_they_stand() -> None:
    call = called(1).model_copy(
        update={"arguments": {"filters": [{"field": "note", "value": f"my {KEY}!"}], KEY: 1}}
    )
    cleaned = redact(call)
    assert isinstance(cleaned, ToolCalled)
    assert cleaned.arguments == {
        "filters": [{"field": "note", "value": f"my {REDACTED}!"}],
        REDACTED: 1,
    }


@pytest.mark.parametrize("secret", SECRET_TEXTS)
def test_kinds_of_secrets(secret: str) -> None:
    event = ModelCalled(at=0.0, round=1, model="m", text=f"before {secret} after")
    assert redact(event) == event.model_copy(update={"text": f"before {REDACTED} after"})


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Authorization: Bearer abcdef123456", "Authorization: Bearer [redacted]"),
        ("authorization: basic dXNlcjpwYXNzd29yZA==", "authorization: basic [redacted]"),
        ("postgresql://ada:hush@db/books", "postgresql://[redacted]@db/books"),
        ("postgresql://ada:h/u@s:h@db/books", "postgresql://[redacted]@db/books"),
        ("postgresql+psycopg://ada:h/sh@db", "postgresql+psycopg://[redacted]@db"),
        ("mysql://ada:h/ush@db/books", "mysql://[redacted]@db/books"),
        ("redis://:hush@cache/0", "redis://[redacted]@cache/0"),
        (
            "postgresql:///d?user=ada&password=hush&x=1",
            "postgresql:///d?user=ada&password=[redacted]&x=1",
        ),
        ("host=db password='h u\\'sh' dbname=d", "host=db password=[redacted] dbname=d"),
        ("PGPASSWORD=hush psql", "PGPASSWORD=[redacted] psql"),
        ("x-api-key: 0123456789", "x-api-key:[redacted]"),
        ("?api_key=0123456789abcdef&x=1", "?api_key=[redacted]&x=1"),
    ],
)
def test_what_stands_around_a_secret_is_kept(text: str, kept: str) -> None:
    event = ModelCalled(at=0.0, round=1, model="m", text=text)
    assert redact(event) == event.model_copy(update={"text": kept})


@pytest.mark.parametrize(
    "text",
    [
        "the bearer of this cheque",
        "task-force session-top risk-averse",
        "https://example.com/a:b",
        "a basic question",
        "SELECT 'sk-1' AS short",
        "postgresql://db/books",
        "the prefix vk_ marks our keys",
        "which password do I need?",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    event = ModelCalled(at=0.0, round=1, model="m", text=text)
    assert redact(event) is event


def test_patterns_are_configurable() -> None:
    event = ModelCalled(at=0.0, round=1, model="m", text="AHV 756.1234.5678.97")
    cleaned = redact(event, (*SECRETS, re.compile(r"756(\.\d{4}){2}\.\d{2}")))
    assert cleaned == event.model_copy(update={"text": f"AHV {REDACTED}"})


def test_a_run_without_secrets_stays_the_same() -> None:
    events: tuple[Event, ...] = repaired_run().events
    assert tuple(map(redact, events)) == events


@given(traces)
def test_redacting_twice_is_redacting_once(trace: AgentTrace) -> None:
    once = [redact(event) for event in trace.events]
    assert [redact(event) for event in once] == once


FRAGMENTS = (
    *SECRET_TEXTS,
    *("sk-", "GHP_", "github_pat_", "xoxb-", "AKIA", "AIza", "vk_", "eyJ", "Ab1_", "a" * 20),
    *("Bearer ", "bearer ", "BAſIC ", "basİc ", "basıc ", "API-KEY:", "api_key=", "paſsword="),
    *(
        "PASSWORD=",
        "'a b'",
        "PostgreSQL://",
        "://",
        "ada:hush@db",
        "-----BEGIN ",
        "PRIVATE KEY-----",
    ),
    *(" ", "\n", '"', "\\", ".", "Zürich 账户"),
)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=6).map("".join))
def test_a_quick_look_overlooks_nothing(text: str) -> None:
    thoroughly = list(SECRETS)
    assert redact_text(text) == redact_text(text, thoroughly)
    assert redact_json([{text: text}]) == redact_json([{text: text}], thoroughly)


@given(traces)
def test_what_is_stored_is_what_was_cleaned(trace: AgentTrace) -> None:
    for event in trace.events:
        assert from_stored(json.loads(stored_without_secrets(event))) == redact(event)


@pytest.mark.parametrize("secret", SECRET_TEXTS)
def test_nothing_secret_is_stored(secret: str) -> None:
    event = ModelCalled(at=0.0, round=1, model="m", text=f"before {secret} after")
    assert secret not in str(json.loads(stored_without_secrets(event)))


def test_texts_and_json_are_cleaned_alike() -> None:
    assert redact_text(f"a {KEY} b") == f"a {REDACTED} b"
    assert redact_json({"a": [KEY, 1, None], KEY: True}) == {
        "a": [REDACTED, 1, None],
        REDACTED: True,
    }


@pytest.mark.parametrize(
    "part",
    [
        *("eyJaaaa-", "eyJaaaa.", "sql://a:", "://a:", "vk_a_", "vk_a-", "password='", "bearer "),
        *("sk-a ", "api_key=", "-----BEGIN ", "xoxb-"),
    ],
)
def test_no_text_keeps_it_busy(part: str) -> None:
    _, took = timed(lambda: redact_text(part * (200_000 // len(part))))
    assert took < 5


@pytest.mark.parametrize("said", ["nothing of the kind", *SECRET_TEXTS, f"ı {KEY}", "sk-short"])
def test_event_and_text_are_cleaned_alike(said: str) -> None:
    event = ModelCalled(at=0.0, round=1, model="m", text=f"before {said} after")
    cleaned, text = redacted(event)
    assert cleaned == redact(event) == redact(event, list(SECRETS))
    assert text == to_stored_text(cleaned)
