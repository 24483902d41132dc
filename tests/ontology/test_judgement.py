import pytest
from pydantic import ValidationError

from tests.ontology.judged import INVOICE, LATE, ONTOLOGY, OVERDUE, with_field, with_flight
from veridical.contracts.caller import Permissions
from veridical.contracts.language import Language
from veridical.ontology.compile import schema_of
from veridical.ontology.describe import describe
from veridical.ontology.diff import ChangeKind, ontology_diff
from veridical.ontology.file_errors import FileMistakesError, FileProblem
from veridical.ontology.lint import DriftKind, lint
from veridical.ontology.model import Comparator, Favourable, Judgement, OntologyDescriptor
from veridical.ontology.ontology_file import ontology_from, ontology_text
from veridical.ontology.prompt import compile_prompt
from veridical.ontology.slice import index_ontology
from veridical.ontology.visible import visible_ontology


def drift(ontology: OntologyDescriptor) -> list[tuple[DriftKind, str, str]]:
    found = lint(ontology, schema_of(ONTOLOGY))
    return [(each.kind, each.path, each.detail) for each in found]


def judged(judgement: Judgement) -> OntologyDescriptor:
    return with_flight(judgements=(judgement,))


@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_a_file_keeps_what_is_said(ending: str) -> None:
    text = ontology_text(ONTOLOGY, ending)
    assert ontology_from(text, "travel") == ONTOLOGY
    assert "judgements" in text
    assert "gender" in text


def test_a_file_that_says_none_of_it_keeps_its_hash() -> None:
    bare = OntologyDescriptor(feature_code="bare", entities=(INVOICE.model_copy(
        update={"noun": {}, "judgements": ()}),))  # fmt: skip
    written = bare.model_dump_json(by_alias=True)
    for key in ("label", "scale", "decimals", "percent", "favourable", "noun", "judgements"):
        assert f'"{key}"' not in written


def test_an_unknown_comparator_is_a_mistake_with_its_line() -> None:
    text = ontology_text(ONTOLOGY, ".yaml").replace("comparator: '>'", "comparator: over")
    with pytest.raises(FileMistakesError) as caught:
        ontology_from(text, "travel")
    mistake = caught.value.mistakes[0]
    assert mistake.problem is FileProblem.NOT_ONE_OF
    assert "comparator" in text.splitlines()[mistake.line - 1]


def test_a_judgement_has_one_limit() -> None:
    for limits in ({}, {"limit": 3, "limit_field": "load"}):
        with pytest.raises(ValidationError):
            Judgement.model_validate({"name": "x", "field": "delay", "comparator": ">", **limits})


def test_what_fits_is_not_found() -> None:
    assert drift(ONTOLOGY) == []


def test_an_unknown_field_is_found() -> None:
    broken = LATE.model_copy(update={"field": "delays"})
    assert drift(judged(broken)) == [(DriftKind.BROKEN_JUDGEMENT, "Flight.late", "delays (delay?)")]


def test_a_text_is_neither_above_nor_below() -> None:
    unfit = LATE.model_copy(update={"field": "carrier", "limit": "x"})
    assert drift(judged(unfit)) == [(DriftKind.UNFIT_COMPARATOR, "Flight.late", "> (text)")]
    named = unfit.model_copy(update={"comparator": Comparator.IS})
    assert drift(judged(named)) == []


def test_a_judgement_needs_a_label_and_a_name_of_its_own() -> None:
    assert drift(judged(LATE.model_copy(update={"label": ""}))) == [
        (DriftKind.UNNAMED_JUDGEMENT, "Flight.late", "")
    ]
    assert drift(judged(LATE.model_copy(update={"name": "delay"}))) == [
        (DriftKind.TAKEN_JUDGEMENT, "Flight.delay", "delay")
    ]


def test_a_proposal_is_a_note() -> None:
    found = drift(judged(LATE.model_copy(update={"proposed": True})))
    assert found == [(DriftKind.UNCONFIRMED_JUDGEMENT, "Flight.late", "delay > 30")]
    assert found[0][0].is_note


def test_directions_that_make_no_sense_are_found() -> None:
    on_text = with_field("carrier", favourable=Favourable.UP)
    assert drift(on_text) == [(DriftKind.UNFIT_FAVOURABLE, "Flight.carrier", "DIMENSION")]
    other = INVOICE.fields[3].model_copy(
        update={"favourable": Favourable.UP, "label": {Language.EN: "Delay"}}
    )
    invoice = INVOICE.model_copy(update={"fields": (*INVOICE.fields[:3], other)})
    both = ONTOLOGY.model_copy(update={"entities": (ONTOLOGY.entities[0], invoice)})
    assert drift(both) == [
        (DriftKind.CONTRADICTORY_FAVOURABLE, "Invoice.amount", "Flight.delay down, up")
    ]


def changes(before: OntologyDescriptor, after: OntologyDescriptor) -> list[tuple[str, str, str]]:
    return [(each.kind.value, each.path, each.detail) for each in ontology_diff(before, after)]


def test_what_answers_print_is_compared() -> None:
    assert changes(ONTOLOGY, ONTOLOGY) == []
    turned = with_field("delay", favourable=Favourable.UP, unit="h")
    assert changes(ONTOLOGY, turned) == [
        ("COLUMN_CHANGED", "flight.dly_min", "favourable down → up"),
        ("COLUMN_CHANGED", "flight.dly_min", "unit min → h"),
    ]
    assert changes(with_flight(noun={}), ONTOLOGY) == [
        ("COLUMN_CHANGED", "flight", "noun - → de Flug, en flight, zh 航班")
    ]


def test_another_limit_is_another_judgement() -> None:
    later = judged(LATE.model_copy(update={"limit": 60}))
    assert changes(ONTOLOGY, later) == [
        (ChangeKind.JUDGEMENT_CHANGED.value, "flight.late", "judgement: limit 30 → 60")
    ]
    assert changes(ONTOLOGY, with_flight(judgements=())) == [
        ("THING_GONE", "flight.late", "judgement")
    ]


def test_a_model_is_told_what_was_confirmed() -> None:
    prompt = compile_prompt(ONTOLOGY, Language.EN).text
    assert "- late @flight = dly_min > 30" in prompt.splitlines()
    assert "- overdue @invoice = due_on < today, and paid_on is empty" in prompt.splitlines()
    assert (
        "late"
        not in compile_prompt(judged(LATE.model_copy(update={"proposed": True})), Language.EN).text
    )
    assert "- late @flight = dly_min > 30 — verspätet" in (
        describe(index_ontology(ONTOLOGY), Language.DE, "flight") or ""
    )


def test_a_hidden_column_hides_what_is_judged_by_it() -> None:
    seen = visible_ontology(ONTOLOGY, Permissions(deny=("invoice.paid_on",)))
    assert [each.judgements for each in seen.entities] == [(LATE,), ()]
    assert OVERDUE.fields == ("dueOn", "paidOn")
