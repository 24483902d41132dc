"""What the pack's skills say about the tables is true: names, closed lists, accounts, balance."""

import re

import duckdb
import pytest

from veridical.packs.trustee import pack
from veridical.packs.trustee.accounts import CHART, GROUPS
from veridical.skills import Skill, load_skills

SKILLS = load_skills(packs=[pack])
TABLES = pack.schema.tables
FIELDS = {column.name for table in TABLES.values() for column in table.columns}
NUMBERS = {account.number for account in CHART}
OUT_OF_BALANCE = """
    SELECT "featureInstanceId", "periodYear", "currency" FROM "TrusteeDataAccountBalance"
    WHERE "periodMonth" = 0 AND "accountNumber" < '3000'
    GROUP BY ALL HAVING sum("closingBalance") <> 0
"""
RESULT_SO_FAR_DIFFERS = """
    SELECT "featureInstanceId", "periodYear", "currency" FROM "TrusteeDataAccountBalance"
    WHERE "periodMonth" = 6 AND "accountNumber" < '9000'
    GROUP BY ALL HAVING sum("closingBalance") <> 0
"""
SETTLEMENTS_WITH_CODES = """
    SELECT count(*) FROM "TrusteeDataJournalLine" l
    JOIN "TrusteeDataJournalEntry" e ON e."id" = l."journalEntryId"
    WHERE e."text" LIKE 'MWST-Abrechnung%' AND l."vatCode" IS NOT NULL
"""
TAX_OFF_THE_RATE = """
    WITH lines AS (
        SELECT l."vatCode" AS code, l."featureInstanceId" AS tenant, e."periodYear" AS y,
            l."accountNumber" IN ('2200', '1170', '1171') AS tax,
            l."debitAmount" - l."creditAmount" AS amount
        FROM "TrusteeDataJournalLine" l
        JOIN "TrusteeDataJournalEntry" e ON e."id" = l."journalEntryId"
        WHERE l."vatCode" IS NOT NULL
    )
    SELECT code, tenant, y FROM lines JOIN "TrusteeDataVatCode" v ON v."vatCode" = code
    GROUP BY code, tenant, y, v."ratePercent"
    HAVING abs(sum(amount) FILTER (tax)
        - sum(amount) FILTER (NOT tax) * v."ratePercent" / 100) > 0.005 * count(*)
"""
UNSETTLED_QUARTERS = """
    SELECT count(*) FROM "TrusteeDataAccountBalance"
    WHERE "periodMonth" IN (3, 6, 9, 12) AND "accountNumber" IN ('2200', '1170', '1171')
    AND "closingBalance" <> 0
"""


def named(skill: Skill) -> str:
    return skill.name


@pytest.mark.parametrize("skill", SKILLS, ids=named)
def test_every_name_in_code_marks_exists(skill: Skill) -> None:
    known = {*TABLES, *FIELDS, *skill.tools}
    for quoted in re.findall(r"`([^`]+)`", skill.instructions):
        names = re.findall(r"[A-Za-z]{3,}", quoted)
        assert set(names) <= known, quoted


@pytest.mark.parametrize("skill", SKILLS, ids=named)
def test_every_account_that_is_named_exists(skill: Skill) -> None:
    text = re.sub(r"\b\d{4}-\d{4}\b|until 20\d\d|from 20\d\d", "", skill.instructions, flags=re.I)
    years = {"2023", "2024", "2025"}
    assert set(re.findall(r"\b[1-9]\d{3}\b", text)) - years <= NUMBERS


def test_the_groups_that_the_balance_sheet_is_explained_by_are_those_of_the_chart() -> None:
    skill = next(each for each in SKILLS if each.name == "balance-sheet-explained")
    for group in GROUPS:
        if group.first < "2999" and group.entity != "Intangibles":
            assert f"{group.first[:2]}" in skill.instructions, group.entity


@pytest.mark.parametrize("query", [OUT_OF_BALANCE, RESULT_SO_FAR_DIFFERS, TAX_OFF_THE_RATE])
def test_the_books_are_as_the_skills_say(duck: duckdb.DuckDBPyConnection, query: str) -> None:
    assert duck.execute(query).fetchall() == []


@pytest.mark.parametrize("query", [SETTLEMENTS_WITH_CODES, UNSETTLED_QUARTERS])
def test_value_added_tax_is_settled_as_the_skill_says(
    duck: duckdb.DuckDBPyConnection, query: str
) -> None:
    assert duck.execute(query).fetchone() == (0,)
