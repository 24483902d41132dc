"""A decision is bound to what was shown; waiting is no error."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from veridical.contracts.person import (
    Decision,
    ItemKind,
    PersonNeeded,
    Waiting,
    no_person,
    unanswered,
)

WORDS = some.sampled_from(["", "a", "ä", "1", "true", "\x00", "中"])
PLAIN = some.one_of(
    some.none(), some.booleans(), some.integers(0, 3), some.sampled_from([0.5, 1.0, 1e16]), WORDS
)
HELD = some.one_of(
    PLAIN, some.lists(PLAIN, max_size=3), some.dictionaries(WORDS, PLAIN, max_size=2)
)
SUBJECTS = some.dictionaries(WORDS, HELD, max_size=3)


def needed(subject: dict[str, Any], **parts: Any) -> PersonNeeded:
    asked = PersonNeeded(name="call:1", kind=ItemKind.CALL, subject=subject, reversible=False)
    return asked.model_copy(update=parts)


@given(SUBJECTS, SUBJECTS)
@settings(deadline=None)
def test_another_subject_has_another_hash(one: dict[str, Any], other: dict[str, Any]) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (needed(one).evidence_hash == needed(other).evidence_hash) is same


@given(SUBJECTS)
@settings(deadline=None)
def test_the_hash_is_that_of_what_is_shown_and_of_nothing_else(subject: dict[str, Any]) -> None:
    turned = dict(reversed(subject.items()))
    later = needed(turned, name="call:2", at=5.0, reversible=True)
    assert later.evidence_hash == needed(subject).evidence_hash
    sent = PersonNeeded.model_validate_json(needed(subject).model_dump_json(by_alias=True))
    assert sent.evidence_hash == needed(subject).evidence_hash


def test_text_that_no_encoding_takes_is_hashed_too() -> None:
    assert needed({"a": "\ud800"}).evidence_hash != needed({"a": "\ud801"}).evidence_hash


@pytest.mark.parametrize("reversible", [True, False])
def test_only_what_is_reversible_is_approved_without_a_person_and_only_if_it_shall(
    reversible: bool,
) -> None:
    asked = needed({"tool": "lookUp"}, reversible=reversible)
    assert unanswered(asked, approve=True).approved is reversible
    decision = asyncio.run(no_person(asked))
    assert not decision.approved
    assert decision.automatic
    assert decision.evidence_hash == asked.evidence_hash
    assert Decision.model_validate_json(decision.model_dump_json(by_alias=True)) == decision


def test_waiting_passes_through_what_handles_errors() -> None:
    async def careless() -> str:
        try:
            raise Waiting("item-1", 5.0)
        except Exception:
            return "swallowed"

    with pytest.raises(Waiting) as found:
        asyncio.run(careless())
    assert (found.value.item, found.value.seconds) == ("item-1", 5.0)
