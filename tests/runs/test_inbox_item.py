"""Who may decide what, and which choices answer a question."""

from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.contracts.person import Decision, ItemKind
from veridical.runs.errors import (
    AlreadyDecidedError,
    InboxError,
    InvalidChoiceError,
    InvalidPlacesError,
    InvalidTextError,
    MayNotDecideError,
    OwnRequestError,
)
from veridical.runs.inbox_item import (
    LONGEST_TEXT,
    Decider,
    InboxItem,
    ItemStatus,
    Ruling,
    may_see,
    require_entitled,
    require_fitting,
)

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
EVIDENCE, CALL, CLARIFICATION = ItemKind.EVIDENCE, ItemKind.CALL, ItemKind.CLARIFICATION


def item(kind: ItemKind) -> InboxItem:
    return InboxItem(
        id="i",
        tenant="acme",
        run_id="r",
        name="n",
        kind=kind,
        status=ItemStatus.PENDING,
        question="How much?",
        asked_by="Ada",
        evidence_hash="h",
        reversible=False,
        asked_at=NOW,
        expires_at=NOW,
        subject={"results": [{}, {}, {}]},
    )


def ruling(approved: bool, **choice: Any) -> Ruling:
    return Ruling(approved=approved, choice=choice, evidence_hash="h")


@pytest.mark.parametrize("kind", ItemKind)
def test_who_may_see(kind: ItemKind) -> None:
    seen = {
        (name, decides): may_see(Decider("acme", name, may_decide=decides), item(kind))
        for name, decides in product(("Ada", "Eve"), (True, False))
    }
    assert [pair for pair, sees in seen.items() if not sees] == [("Eve", False)]


ENTITLED = {
    # (kind, by who asked, may decide, may ask, approves)
    *(
        (kind, False, True, ask, yes)
        for kind in (EVIDENCE, CALL)
        for ask, yes in product([True, False], repeat=2)
    ),
    *((kind, True, True, ask, False) for kind in (EVIDENCE, CALL) for ask in (True, False)),
    *((CLARIFICATION, own, True, ask, yes) for own, ask, yes in product([True, False], repeat=3)),
    *((CLARIFICATION, True, False, True, yes) for yes in (True, False)),
}


@pytest.mark.parametrize(
    ("kind", "own", "may_decide", "may_ask", "approved"),
    [(kind, *each) for kind in ItemKind for each in product([True, False], repeat=4)],
)
def test_who_may_decide(
    kind: ItemKind, own: bool, may_decide: bool, may_ask: bool, approved: bool
) -> None:
    person = Decider("acme", "Ada" if own else "Grace", may_decide, may_ask)
    said = ruling(approved)
    if (kind, own, may_decide, may_ask, approved) in ENTITLED:
        require_entitled(person, item(kind), said, ())
    else:
        with pytest.raises(MayNotDecideError):
            require_entitled(person, item(kind), said, ())


@pytest.mark.parametrize(
    ("deciding", "asking", "is_own"),
    [
        (("Ada",), ("Ada",), True),
        ((" ada ",), ("Ada",), True),
        (("Grace",), ("Ada",), False),
        (("Grace", "Ada"), ("Ada",), True),
        (("Ada",), ("robot", "Ada"), True),
        (("Grace", "Ada"), ("Eve", "Ada"), False),
        (("Grace", "operator"), ("Ada", "operator"), False),
    ],
)
def test_one_person_behind_two_credentials(
    deciding: tuple[str, ...], asking: tuple[str, ...], is_own: bool
) -> None:
    person = Decider("acme", "a key", may_decide=True, people=deciding)
    for kind in (EVIDENCE, CALL):
        if is_own:
            with pytest.raises(OwnRequestError):
                require_entitled(person, item(kind), ruling(True), asking)
        else:
            require_entitled(person, item(kind), ruling(True), asking)
        require_entitled(person, item(kind), ruling(False), asking)


def refusal(kind: ItemKind, said: Ruling) -> type[InboxError] | None:
    try:
        require_fitting(item(kind), said)
    except InboxError as error:
        return type(error)
    return None


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (EVIDENCE, ruling(True)),
        (EVIDENCE, ruling(True, results=[0])),
        (EVIDENCE, ruling(True, results=[2, 0])),
        (EVIDENCE, ruling(False)),
        (CALL, ruling(True)),
        (CALL, ruling(False)),
        (CLARIFICATION, ruling(True, text="Ende 2024")),
        (CLARIFICATION, ruling(True, text="x" * LONGEST_TEXT)),
        (CLARIFICATION, ruling(False)),
    ],
)
def test_choices_that_answer(kind: ItemKind, said: Ruling) -> None:
    assert refusal(kind, said) is None


@pytest.mark.parametrize(
    ("kind", "said", "error"),
    [
        (EVIDENCE, ruling(True, results=[3]), InvalidPlacesError),
        (EVIDENCE, ruling(True, results=[-1]), InvalidPlacesError),
        (EVIDENCE, ruling(True, results=[]), InvalidPlacesError),
        (EVIDENCE, ruling(True, results=[0, 0]), InvalidPlacesError),
        (EVIDENCE, ruling(True, results=[True]), InvalidPlacesError),
        (EVIDENCE, ruling(True, results=["0"]), InvalidPlacesError),
        (EVIDENCE, ruling(True, results=[[0]]), InvalidPlacesError),
        (EVIDENCE, ruling(True, results="0"), InvalidPlacesError),
        (EVIDENCE, ruling(True, text="yes"), InvalidChoiceError),
        (EVIDENCE, ruling(False, results=[0]), InvalidChoiceError),
        (CALL, ruling(True, text="yes"), InvalidChoiceError),
        (CALL, ruling(True, results=[0]), InvalidChoiceError),
        (CLARIFICATION, ruling(True), InvalidTextError),
        (CLARIFICATION, ruling(True, text="  "), InvalidTextError),
        (CLARIFICATION, ruling(True, text=3), InvalidTextError),
        (CLARIFICATION, ruling(True, text="x" * (LONGEST_TEXT + 1)), InvalidTextError),
        (CLARIFICATION, ruling(False, text="no"), InvalidChoiceError),
    ],
)
def test_choices_that_do_not(kind: ItemKind, said: Ruling, error: type[InboxError]) -> None:
    assert refusal(kind, said) is error


def test_every_error_has_words_in_every_language() -> None:
    decision = Decision(approved=True, decided_by="Grace", evidence_hash="h", at=0.0)
    errors = [
        AlreadyDecidedError(decision),
        InvalidTextError(most=5),
        InvalidPlacesError(last=2),
        *(kind() for kind in InboxError.__subclasses__() if kind is not AlreadyDecidedError),
    ]
    for error in errors:
        told = {error.message(language) for language in Language}
        assert len(told) == len(Language)
        assert str(error) == error.message(Language.EN)
