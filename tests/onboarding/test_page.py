"""A page of text becomes proposals that cite it; what the data does not have is no rule."""

import asyncio

import pytest

from veridical.contracts.language import Language
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.findings import Findings
from veridical.onboarding.page import PageRule, Stated, places_in, proposal_of, sentences
from veridical.onboarding.page_request import TOOL, ask_about_page
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import State
from veridical.onboarding.review import decide, decided_ontology
from veridical.onboarding.wording import evidence_of, proposal_text, stake_of
from veridical.ontology.model import ConstraintRule
from veridical.testing import Script

_TABLES = (
    TableProfile(
        name="customers",
        rows=100,
        seen=100,
        columns=(
            ColumnProfile(
                name="account_kind",
                low="CUST",
                filled=100,
                distinct=3,
                values=(("CUST", 90), ("TEST", 6), ("INT", 4)),
            ),
            ColumnProfile(name="score", low=1, high=9.5, filled=100, distinct=50, fractions=10),
            ColumnProfile(name="responded", low=0, high=1, filled=60, values=((1, 30), (0, 30))),
        ),
    ),
)
_PAGE = """# Conventions

**Accounts.** `customers.account_kind`: TEST and INT never count. The weather is fine.
- score is never added up.
- responded: whoever gave no answer counts as well!
"""
_ONLY_TEST = "TEST and INT never count."
ACCEPTED = (
    (_ONLY_TEST, PageRule.NOT, "customers.account_kind", ("TEST", "int")),
    ("Only CUST is a real customer.", PageRule.ONLY, "customers.account_kind", ("CUST",)),
    ("score is never added up.", PageRule.NEVER_SUM, "customers.score", ()),
    ("responded: no answer counts too.", PageRule.EMPTY_COUNTS, "customers.responded", ()),
)
REJECTED = (
    (_ONLY_TEST, PageRule.NONE, "customers.account_kind", ("TEST",)),
    (_ONLY_TEST, PageRule.NOT, "customers.kind", ("TEST",)),
    (_ONLY_TEST, PageRule.NOT, "customers.account_kind", ("SPAM",)),
    (_ONLY_TEST, PageRule.NOT, "customers.account_kind", ()),
    (_ONLY_TEST, PageRule.NOT, "customers.account_kind", ("CUST",)),
    ("CUST, TEST and INT never count.", PageRule.NOT, "customers.account_kind",
     ("CUST", "TEST", "INT")),
    (_ONLY_TEST, PageRule.NEVER_SUM, "customers.account_kind", ()),
    ("TEST scores are fine.", PageRule.NEVER_SUM, "customers.score", ()),
    ("score counts also if empty.", PageRule.EMPTY_COUNTS, "customers.score", ()),
)  # fmt: skip


def test_sentences_come_without_marks() -> None:
    found = list(sentences(_PAGE))
    assert "Accounts. customers.account_kind : TEST and INT never count." in found
    assert "The weather is fine." in found


@pytest.mark.parametrize(("sentence", "rule", "column", "values"), ACCEPTED)
def test_what_the_data_has_is_proposed(
    sentence: str, rule: PageRule, column: str, values: tuple[str, ...]
) -> None:
    stated = Stated(rule=rule, column=column, values=values)
    found = proposal_of(stated, sentence, places_in(sentence, _TABLES))
    assert found is not None
    assert found.state is State.OPEN
    assert not found.holds
    assert found.evidence["sentence"] == sentence
    for language in Language:
        texts = (proposal_text(found, language), evidence_of(found, language))
        assert sentence in texts[1]
        assert all((*texts, stake_of(found, language)))


@pytest.mark.parametrize(("sentence", "rule", "column", "values"), REJECTED)
def test_what_it_does_not_have_is_no_rule(
    sentence: str, rule: PageRule, column: str, values: tuple[str, ...]
) -> None:
    stated = Stated(rule=rule, column=column, values=values)
    assert proposal_of(stated, sentence, places_in(sentence, _TABLES)) is None


def test_a_model_reads_only_sentences_that_name_something() -> None:
    counted = {"rule": "NOT", "column": "customers.account_kind", "values": ["TEST", "INT"]}
    broken = {"rule": "BROKEN", "column": "customers.score", "values": []}
    script = Script(([(TOOL, counted)], [(TOOL, broken)], RuntimeError("away")))
    done: list[tuple[int, int]] = []
    request = ask_about_page(_PAGE, _TABLES, script.model, 60, lambda at, of: done.append((at, of)))
    found = asyncio.run(request)
    assert [each.id for each in found] == ["stated:customers.account_kind"]
    assert done == [(1, 3), (2, 3), (3, 3)]


def test_nothing_is_enforced_before_somebody_accepts_it() -> None:
    sentence, rule, column, values = ACCEPTED[0]
    stated = Stated(rule=rule, column=column, values=values)
    proposal = proposal_of(stated, sentence, places_in(sentence, _TABLES))
    assert proposal is not None
    tables = {each.name: each for each in _TABLES}
    ontology = draft_ontology("c", tables, [proposal])
    assert ontology.constraints == ()
    known = Findings(None, tables)
    known.add(decide([proposal], [proposal.id], State.ACCEPTED, "Ada"))
    (constraint,) = decided_ontology(ontology, known).constraints
    assert constraint.rule is ConstraintRule.COUNTS_ONLY
    assert constraint.condition == "\"account_kind\" NOT IN ('TEST', 'INT')"
    assert not constraint.warns
