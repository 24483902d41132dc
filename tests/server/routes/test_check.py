import pytest

from tests.server.standing import Standing

pytestmark = pytest.mark.postgres

SUM = {
    "tool": "aggregateTable",
    "tableName": "TrusteeDataAccountBalance",
    "aggregate": "SUM",
    "field": "closingBalance",
}


def test_a_wrong_sum_is_refused_in_the_callers_language(server: Standing) -> None:
    with server.client(headers={"accept-language": "de"}) as client:
        response = client.post("/v1/check", json={"feature": "trustee", "call": SUM})
    told = response.json()
    assert response.status_code == 200
    assert not told["success"]
    assert told["errorDetails"]["code"] == "INVALID_AGGREGATE_TARGET"
    assert "Saldo" in told["errorDetails"]["hint"]


def test_what_may_run_is_told_and_not_run(server: Standing) -> None:
    call = {"tool": "executeSqlSafe", "sql": 'SELECT "label" FROM "TrusteeDataAccount"'}
    with server.client() as client:
        told = client.post("/v1/check", json={"feature": "trustee", "call": call}).json()
    assert told["success"]
    assert told["data"]["tables"] == ["TrusteeDataAccount"]
    assert told["receipt"] is None


@pytest.mark.parametrize("call", [{}, {"tool": "dropTable"}, {**SUM, "limit": 0}, "SELECT 1"])
def test_what_is_no_call_is_refused(server: Standing, call: object) -> None:
    with server.client() as client:
        response = client.post("/v1/check", json={"feature": "trustee", "call": call})
    assert response.status_code == 422
