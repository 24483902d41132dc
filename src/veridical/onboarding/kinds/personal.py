"""Personal data: names, addresses and numbers of people."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at, words_hint_at
from veridical.onboarding.names import nouns_of
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind


def find(findings: Findings) -> Iterable[Proposal]:
    """Columns with the identity or the contact data of people."""
    for table in findings.base_tables():
        people = is_about_people(table)
        for column in table.columns:
            reason = _reason(table, column, people=people)
            if reason:
                yield Proposal(
                    kind=ProposalKind.PERSONAL,
                    table=table.name,
                    columns=(column.name,),
                    reason=reason,
                    evidence={"rows": column.filled},
                    confidence=0.95 if reason == "shape" else 0.9,
                )


def is_about_people(table: TableProfile) -> bool:
    """True if each row is a person, by the table's name or by a name of a person in it."""
    nouns = nouns_of(table.name)
    if words_hint_at(nouns[-1:], "organisation"):
        return False
    named = any(hints_at(each.name, "person_name") for each in table.columns)
    return words_hint_at(nouns[-1:], "person") or named


def _reason(table: TableProfile, column: ColumnProfile, *, people: bool) -> str:
    if column.has_shape("mail") and column.is_text:
        return "shape"
    if hints_at(column.name, "person_name") or _is_name(column, people=people):
        return "named"
    if hints_at(column.name, "address_part") or not people:
        return "shape" if not people and _is_reached(table, column) else ""
    return "named" if hints_at(column.name, "person_detail") else ""


def _is_name(column: ColumnProfile, *, people: bool) -> bool:
    """True for a person's name: that of a driver, or the name alone in a table of drivers."""
    *before, last = nouns_of(column.name) or ("",)
    if not column.is_text or not words_hint_at((last,), "called"):
        return False
    return words_hint_at(tuple(before[-1:]), "person") if before else people


def _is_reached(table: TableProfile, column: ColumnProfile) -> bool:
    """True for a number beside the name of a contact, which is the contact's."""
    contact = any(hints_at(each.name, "person_name") and each.is_text for each in table.columns)
    named = hints_at(column.name, "person_detail")
    return contact and named and column.is_text and column.has_shape("phone")
