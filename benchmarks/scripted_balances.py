"""What a scripted model asks of the sample books: one account's balance in three years.

A script has no memory of its own: what it says follows from what it has heard.
"""

import json
from collections.abc import Iterator
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolReturnPart

from veridical.ontology.pack import load_pack

PACK = load_pack("trustee")
CLIENT = ("m-001", "m-001-a")
QUESTION = "What were the balances of account 1020 in 2022, 2023 and 2024?"
"""No pattern knows it: it is one for the model."""
YEARS = (2022, 2023, 2024)
SUMMED = {"aggregate": "SUM", "field": "closingBalance"}
"""What ``aggregateTable`` takes beside the rows."""


def rows_of(year: int) -> dict[str, Any]:
    """The arguments that tell which rows: the account at the end of the year."""
    wanted = {"accountNumber": "1020", "periodYear": year, "periodMonth": 0}
    return {
        "tableName": "TrusteeDataAccountBalance",
        "filters": [{"field": name, "op": "=", "value": value} for name, value in wanted.items()],
    }


def replies(messages: list[ModelMessage]) -> int:
    """How often the model has spoken."""
    return sum(isinstance(message, ModelResponse) for message in messages)


def amounts(messages: list[ModelMessage]) -> Iterator[float]:
    """What the calls that worked have brought."""
    for message in messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, ToolReturnPart):
                    told = json.loads(str(part.content))
                    if told["success"]:
                        yield told["data"]["rows"][0][0]
