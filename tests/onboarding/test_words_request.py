"""A model drafts descriptions and other names; what people wrote stays, and drafts are marked."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.onboarding.record import append_words, read_words
from veridical.onboarding.table_words import TableWords, with_words
from veridical.onboarding.words_request import TOOL, ask_for_words
from veridical.ontology.model import Entity, Field, OntologyDescriptor, SemanticType
from veridical.ontology.ontology_file import ontology_from, ontology_text
from veridical.testing import Script

_ORDERS = Entity(
    name="orders",
    semantic_type=SemanticType.TRANSACTION,
    table="orders",
    fields=(Field(name="amount"), Field(name="status", description="how far it is")),
)
_ONTOLOGY = OntologyDescriptor(
    feature_code="shop",
    entities=(_ORDERS, _ORDERS.model_copy(update={"name": "stock", "table": "stock"})),
)
_SAID: dict[str, Any] = {
    "description": {"de": "Bestellungen", "en": "orders of customers", "zh": "订单"},
    "synonyms": {"de": ["Auftrag"], "en": ["purchase"], "zh": ["订单"]},
    "one": {"de": "Bestellung", "en": "order"},
    "many": {"de": "Bestellungen", "en": "orders"},
    "gender": "f",
    "columns": [
        {
            "name": "amount",
            "description": {"en": "what it costs"},
            "label": {"de": "Betrag", "en": "amount"},
        },
        {"name": "status", "description": {"en": "something else"}},
        {"name": "unheard_of", "description": {"en": "nothing"}},
    ],
}


def _ask(project: Path, *lines: Any, seconds: float = 60) -> Script:
    script = Script(lines)
    asked = ask_for_words(_ONTOLOGY, project, script.model, seconds, lambda _done, _of: None)
    asyncio.run(asked)
    return script


def test_drafts_fill_what_nobody_said_and_are_listed(tmp_path: Path) -> None:
    _ask(tmp_path, [(TOOL, _SAID)], RuntimeError("away"))
    told = with_words(_ONTOLOGY, read_words(tmp_path))
    orders, stock = told.entities
    assert orders.description == _SAID["description"]
    assert orders.synonyms == ("Auftrag", "purchase", "订单")
    assert orders.fields[1].description == "how far it is"
    assert orders.fields[0].label == {Language.DE: "Betrag", Language.EN: "amount"}
    german = orders.noun[Language.DE]
    assert (german.one, german.many, german.gender) == ("Bestellung", "Bestellungen", "f")
    assert stock == _ONTOLOGY.entities[1]
    assert told.drafts == ("orders", "orders.amount")
    assert ontology_from(ontology_text(told, ".yaml"), "x.yaml") == told


def test_no_row_is_told_and_what_was_said_is_not_asked_again(tmp_path: Path) -> None:
    append_words(tmp_path, TableWords(table="orders"))
    script = _ask(tmp_path, [(TOOL, _SAID)])
    assert len(script.heard) == 1
    assert "stock" in str(script.heard[0])
    assert "amount" in str(script.heard[0])
    assert set(read_words(tmp_path)) == {"orders", "stock"}


def test_who_stops_keeps_what_was_said(tmp_path: Path) -> None:
    script = Script([[(TOOL, _SAID)]])

    def stopped(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(ask_for_words(_ONTOLOGY, tmp_path, script.model, 60, stopped))
    assert set(read_words(tmp_path)) == {"orders"}


@pytest.mark.parametrize("said", ["no idea", [(TOOL, "{")], [(TOOL, {"columns": "all"})]])
def test_a_model_that_says_something_else_drafts_nothing(tmp_path: Path, said: Any) -> None:
    _ask(tmp_path, said, said)
    assert read_words(tmp_path) == {}


def test_there_is_an_end_to_the_time(tmp_path: Path) -> None:
    assert _ask(tmp_path, seconds=0).heard == []


def test_an_ontology_without_drafts_keeps_its_hash() -> None:
    assert "drafts" not in _ONTOLOGY.model_dump(mode="json", by_alias=True)
