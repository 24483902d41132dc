"""Judgements are proposed where names give a limit, and hold once a person accepted them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from veridical.contracts.language import Language
from veridical.contracts.schema import ValueType
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.findings import Findings
from veridical.onboarding.kinds import judgements
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.project import ONTOLOGY
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.onboarding.record import write_profiles
from veridical.onboarding.review import apply_decisions, decide, decided_ontology
from veridical.onboarding.wording import evidence_of, proposal_text, stake_of
from veridical.ontology.model import Judgement
from veridical.ontology.ontology_file import ontology_text, read_ontology


def _table(name: str, **columns: ValueType) -> TableProfile:
    held = tuple(ColumnProfile(name=each, type=kind) for each, kind in columns.items())
    return TableProfile(name=name, columns=held)


TABLES = {
    each.name: each
    for each in (
        _table("invoice", id=ValueType.INTEGER, due_date=ValueType.DATE, paid_on=ValueType.DATE,
               amount_due=ValueType.NUMBER),
        _table("loan", id=ValueType.INTEGER, faellig_am=ValueType.DATE),
        _table("part", id=ValueType.INTEGER, on_hand=ValueType.INTEGER,
               reorder_level=ValueType.INTEGER),
        _table("visit", id=ValueType.INTEGER, visited_on=ValueType.DATE, price=ValueType.NUMBER),
    )
}  # fmt: skip


def _known() -> Findings:
    known = Findings(None, TABLES)
    known.add(
        Proposal(kind=ProposalKind.TIME_COLUMN, table=table.name, columns=(column.name,))
        for table in TABLES.values()
        for column in table.columns
        if column.type is ValueType.DATE
    )
    known.add(list(judgements.find(known)))
    return known


def _told(held: Iterable[Judgement]) -> list[tuple[str, str, str | None, bool]]:
    return [(each.name, each.told(), each.unless, each.proposed) for each in held]


def test_names_give_the_limits() -> None:
    drafted = draft_ontology("shop", TABLES, _known().proposals)
    assert {each.name: _told(each.judgements) for each in drafted.entities} == {
        "invoice": [
            ("overdue", "due_date < today", "paid_on", True),
            ("late", "paid_on > due_date", None, True),
        ],
        "loan": [("overdue", "faellig_am < today", None, True)],
        "part": [("low_stock", "on_hand < reorder_level", None, True)],
        "visit": [],
    }


@pytest.mark.parametrize("language", Language)
def test_a_proposal_is_told_in_words(language: Language) -> None:
    for each in _known().proposals:
        if each.kind is ProposalKind.JUDGEMENT:
            assert all(say(each, language) for say in (proposal_text, evidence_of, stake_of))


def test_a_person_confirms_or_rejects(tmp_path: Path) -> None:
    known = _known()
    drafted = draft_ontology("shop", TABLES, known.proposals)
    (tmp_path / ONTOLOGY).write_text(ontology_text(drafted, ".yaml"), "utf-8")
    write_profiles(tmp_path, TABLES.values())
    ids = {each.columns: each.id for each in known.proposals if each.kind is ProposalKind.JUDGEMENT}
    assert len(set(ids.values())) == len(ids)
    said = decide(known.proposals, {ids["due_date", "paid_on"]}, State.ACCEPTED, "ada")
    said = decide(said, {ids["paid_on", "due_date"]}, State.REJECTED, "ada")
    apply_decisions(tmp_path, said)
    after = read_ontology(tmp_path / ONTOLOGY)
    assert _told(after.entities[0].judgements) == [
        ("overdue", "due_date < today", "paid_on", False)
    ]
    assert after.entities[1] == drafted.entities[1]


def test_what_somebody_changed_stays() -> None:
    known = _known()
    drafted = draft_ontology("shop", TABLES, known.proposals)
    own = drafted.entities[1].judgements[0].model_copy(update={"proposed": False, "limit": "2025"})
    loan = drafted.entities[1].model_copy(update={"judgements": (own,)})
    changed = drafted.model_copy(update={"entities": (drafted.entities[0], loan)})
    decided = Findings(None, TABLES)
    decided.add(each.model_copy(update={"state": State.REJECTED}) for each in known.proposals)
    assert decided_ontology(changed, decided).entities[1].judgements == (own,)
