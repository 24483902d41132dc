"""A chat that needs a model: what it drafts is not seen until it stands."""

from dataclasses import replace
from typing import Any

import openai
import pytest

from tests.server.serving import served
from tests.server.standing import ACME, Standing
from veridical.agent.settings import AgentSettings
from veridical.server.app import create_app
from veridical.server.identity import Role
from veridical.testing.script import Script

pytestmark = pytest.mark.postgres

QUESTION = "Erkläre mir bitte den Stand von Konto 1020 per Ende 2024 in eigenen Worten"
CALL = (
    "queryTable",
    {
        "tableName": "TrusteeDataAccountBalance",
        "fields": ["accountNumber", "periodYear", "currency", "closingBalance"],
        "filters": [
            {"field": "accountNumber", "op": "=", "value": "1020"},
            {"field": "periodYear", "op": "=", "value": 2024},
            {"field": "periodMonth", "op": "=", "value": 0},
        ],
    },
)
INVENTED = "Konto 1020 stand Ende 2024 bei CHF 987'654.32."


def _right(server: Standing) -> str:
    asked = {"feature": "trustee", "question": "Saldo von Konto 1020 Ende 2024?"}
    with server.client() as client:
        source = client.post("/v1/ask", json=asked).json()["sources"][0]
    balance = source["rows"][0][source["columns"].index("closingBalance")]
    return f"Konto 1020 stand Ende 2024 bei CHF {balance:,.2f}.".replace(",", "'")


def test_a_blocked_draft_is_never_seen(server: Standing) -> None:
    right = _right(server)
    script = Script([[CALL], INVENTED, right])
    settings = AgentSettings(model="scripted", stream=True)
    office = replace(server.services.office, model=script.model, settings=settings)
    app = create_app(replace(server.services, office=office))
    key = server.keys[ACME, Role.ANALYST]
    asked: Any = [{"role": "user", "content": QUESTION}]
    with (
        served(app) as address,
        openai.OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0) as client,
    ):
        chunks = list(
            client.chat.completions.create(
                model="veridical:trustee",
                messages=asked,
                stream=True,
                stream_options={"include_usage": True},
            )
        )
    assert len(script.heard) == 3
    *pieces, last, bill = chunks
    written = "".join(piece.model_dump_json() for piece in pieces)
    assert "987" not in written
    assert "".join(each.choices[0].delta.content or "" for each in pieces) == right
    stages = [
        (each.model_extra or {})["veridical"]["stage"]
        for each in pieces
        if (each.model_extra or {}).get("veridical")
    ]
    assert {"asking", "calling", "writing"} <= set(stages)
    assert (last.model_extra or {})["veridical"]["proof"]["verdict"] == "pass"
    assert bill.usage is not None
    assert bill.usage.prompt_tokens > 0
