"""What a call would read, told before it runs."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.effort import examples
from tests.sample import ACCOUNTANT, trustee
from veridical.answering.feature import Feature
from veridical.tools.known_question import KNOWN_QUESTION, worked_examples
from veridical.tools.reads import names_of_call
from veridical.tools.toolbox import Toolbox

__all__ = ["trustee"]

COUNT = {"tableName": "ShopSale", "aggregate": "count"}
JOINED = (
    'WITH big AS (SELECT * FROM "ShopSale" WHERE "amount" > 10) '
    'SELECT a."supplierName" FROM "ShopArticle" a JOIN big b ON b."article" = a."code"'
)


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("aggregateTable", COUNT, {"aggregateTable", "ShopSale"}),
        ("browseTable", {"tableName": "shopsale"}, {"browseTable", "ShopSale"}),
        ("executeSqlSafe", {"sql": JOINED}, {"executeSqlSafe", "ShopSale", "ShopArticle"}),
        ("calculate", {"expression": "1 + 1"}, {"calculate"}),
    ],
)
def test_the_tool_and_every_table_is_named(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any], names: set[str]
) -> None:
    found = names_of_call(toolbox, tool, arguments)
    assert toolbox.call(tool, arguments).success
    assert set(found or ()) == names


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("dropTable", {"tableName": "ShopSale"}),
        ("browseTable", {"tableName": "Nowhere"}),
        ("executeSqlSafe", {"sql": 'DELETE FROM "ShopSale"'}),
        (KNOWN_QUESTION, {"question": "REVENUE"}),
    ],
)
def test_a_call_that_is_refused_reads_nothing(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any]
) -> None:
    assert names_of_call(toolbox, tool, arguments) is None
    assert not toolbox.call(tool, arguments).success


CALLS = some.fixed_dictionaries(
    {},
    optional={
        "tableName": some.sampled_from(["ShopSale", "shopstock", "ShopArticle", "Nowhere", 3]),
        "aggregate": some.sampled_from(["count", "sum", "median"]),
        "field": some.sampled_from(["amount", "closingBalance", "nothing"]),
        "sql": some.sampled_from([JOINED, 'SELECT count(*) FROM "ShopStock"', "SELECT 1", "SELEC"]),
        "limit": some.sampled_from([1, 0, "many"]),
    },
)
TOOLS = some.sampled_from(
    ["browseTable", "queryTable", "aggregateTable", "executeSqlSafe", "calculate", "other"]
)


@given(TOOLS, CALLS)
@settings(max_examples=examples(60), deadline=None)
def test_nothing_runs_that_was_not_named(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any]
) -> None:
    found = names_of_call(toolbox, tool, arguments)
    ran = toolbox.call(tool, arguments)
    assert found is not None or not ran.success
    if ran.success and ran.receipt is not None:
        assert found is not None
        named = {table for table in toolbox.checker.catalog.tables if table in ran.receipt.sql}
        assert named == {each for each in found if each != tool}


@pytest.mark.postgres
def test_a_known_question_is_named_by_the_call_behind_it(trustee: Feature) -> None:
    toolbox = trustee.toolbox(ACCOUNTANT, known_questions=True)
    assert toolbox.known is not None
    for text, tool, arguments in worked_examples(toolbox.known, ACCOUNTANT.language):
        found = names_of_call(toolbox, tool, arguments, text)
        ran = toolbox.call(tool, arguments, text)
        assert found is not None
        assert ran.ran_as is not None
        assert ran.receipt is not None
        assert found[:2] == (KNOWN_QUESTION, ran.ran_as.tool)
        assert found[2:]
        assert all(table in ran.receipt.sql for table in found[2:])
    assert names_of_call(toolbox, KNOWN_QUESTION, {"question": "NOTHING"}) is None
