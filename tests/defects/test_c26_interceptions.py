"""What the gate holds back is counted by code and language, timed and logged, and disputed."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry import metrics as telemetry
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from prometheus_client.parser import text_string_to_metric_families

from tests.server.conftest import own_database, server, trustee
from tests.server.standing import ACME, GLOBEX, Standing, standing
from tests.server.tenancy import audit_of
from veridical.answering.feature import Feature
from veridical.contracts.proof import GateCode
from veridical.server.identity import Role
from veridical.server.routes.false_blocks import REPORTS_PER_MINUTE

__all__ = ["own_database", "server", "trustee"]

pytestmark = pytest.mark.postgres

ROWS = [{"region": "North", "revenue": 48210.5}, {"region": "South", "revenue": 31500.0}]
FALSE = {
    "en": "North made 61,733.40.",
    "de": "Der Umsatz von North betrug 61'733.40.",
    "zh": "North 的收入为 61,733.40。",
}
REPORTS = "/v1/gate/false-blocks"


def _samples(server: Standing, name: str) -> dict[tuple[tuple[str, str], ...], float]:
    with server.client() as client:
        told = client.get("/metrics").text
    return {
        tuple(sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(told)
        for sample in family.samples
        if sample.name == name
    }


def _intercepted(server: Standing, code: str, language: str, mode: str) -> float:
    labels = (("code", code), ("language", language), ("mode", mode))
    return _samples(server, "veridical_gate_interceptions_total").get(labels, 0)


def _gate(server: Standing, answer: str, tenant: str = ACME) -> dict[str, Any]:
    with server.client(tenant) as client:
        return client.post("/v1/gate", json={"answer": answer, "evidence": ROWS}).json()


@pytest.mark.parametrize("language", FALSE)
def test_c26_interceptions_are_counted_by_code_language_and_mode(
    server: Standing, language: str
) -> None:
    before = _intercepted(server, "UNGROUNDED_CLAIM", language, "warn")
    proof = _gate(server, FALSE[language])
    assert proof["verdict"] == "warn"
    codes = {finding["code"] for finding in proof["findings"]}
    assert "UNGROUNDED_CLAIM" in codes
    assert _intercepted(server, "UNGROUNDED_CLAIM", language, "warn") == before + 1


def test_c26_the_gate_is_timed_and_what_passes_counts_as_no_interception(server: Standing) -> None:
    timed = "veridical_gate_seconds_count"
    before = sum(_samples(server, "veridical_gate_interceptions_total").values())
    count = _samples(server, timed).get((), 0)
    assert _gate(server, "North made 48,210.50.")["verdict"] == "pass"
    assert _samples(server, timed)[()] == count + 1
    assert sum(_samples(server, "veridical_gate_interceptions_total").values()) == before


def test_c26_the_agents_own_gate_is_timed_too(server: Standing) -> None:
    timed = "veridical_gate_seconds_count"
    count = _samples(server, timed).get((), 0)
    asked = {"feature": "trustee", "question": "Wie hoch war der Saldo von Konto 1020 Ende 2024?"}
    with server.client() as client:
        assert client.post("/v1/ask", json=asked).json()["proof"]["verdict"] == "pass"
    assert _samples(server, timed)[()] == count + 1


def test_c26_interceptions_are_logged_by_default_and_without_texts(
    server: Standing, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "veridical.gate"):
        _gate(server, FALSE["de"])
    (line,) = [each.getMessage() for each in caplog.records if each.name == "veridical.gate"]
    assert "warn de UNGROUNDED_CLAIM:warn" in line
    assert f"tenant={ACME}" in line
    assert "61" not in line.split("proof=")[0]
    assert "North" not in line


@pytest.fixture
def blocked(server: Standing) -> dict[str, Any]:
    return _gate(server, FALSE["en"])


def test_c26_a_false_block_is_reported_kept_and_listed_for_the_tenants_administrator(
    server: Standing, blocked: dict[str, Any]
) -> None:
    with server.client() as client:
        given = client.post(REPORTS, json={"proof": blocked, "note": "it was right"})
    assert given.status_code == 201
    report = given.json()
    assert report["codes"] == ["UNGROUNDED_CLAIM"]
    assert (report["language"], report["note"], report["claims"]) == ("en", "it was right", None)
    with server.client(role=Role.ADMIN) as client:
        page = client.get(REPORTS).json()
    assert report in page["reports"]


def test_c26_a_report_is_kept_once_counted_and_audited(server: Standing) -> None:
    proof = _gate(server, "North made 71,044.20.")
    labels = (("code", "UNGROUNDED_CLAIM"), ("language", "en"))
    counter = "veridical_gate_false_blocks_total"
    before = _samples(server, counter).get(labels, 0)
    with server.client() as client:
        statuses = [client.post(REPORTS, json={"proof": proof}).status_code for _ in range(3)]
    assert statuses == [201, 200, 200]
    assert _samples(server, counter)[labels] == before + 1
    noted = audit_of(server.services.store, "falseBlock.reported")
    assert noted[-1].tenant == ACME
    assert noted[-1].detail["codes"] == ["UNGROUNDED_CLAIM"]


def test_c26_no_tenant_sees_the_reports_of_another(
    server: Standing, blocked: dict[str, Any]
) -> None:
    with server.client() as client:
        client.post(REPORTS, json={"proof": blocked, "note": "only Acme may read this"})
    with server.client(GLOBEX, Role.ADMIN) as client:
        assert client.get(REPORTS).json()["reports"] == []


@pytest.mark.parametrize(
    ("method", "role"), [("GET", Role.ANALYST), ("GET", Role.APPROVER), ("POST", Role.VIEWER)]
)
def test_c26_reports_need_the_right_to_ask_and_listing_them_that_of_an_administrator(
    server: Standing, blocked: dict[str, Any], method: str, role: Role
) -> None:
    body = {"proof": blocked} if method == "POST" else None
    with server.client(role=role) as client:
        assert client.request(method, REPORTS, json=body).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"proof": {"verdict": "pass"}},
        {"proof": {"verdict": "block", "findings": [{"code": "NO_SUCH", "mode": "block"}]}},
        {"proof": {"verdict": "block"}, "note": "x" * 2001},
    ],
)
def test_c26_what_is_no_report_is_refused(server: Standing, body: dict[str, Any]) -> None:
    with server.client() as client:
        assert client.post(REPORTS, json=body).status_code == 422


def test_c26_reports_are_limited_for_each_tenant(server: Standing) -> None:
    proof = _gate(server, FALSE["zh"], GLOBEX)
    with server.client(GLOBEX) as client:
        statuses = [
            client.post(REPORTS, json={"proof": proof}).status_code
            for _ in range(REPORTS_PER_MINUTE + 5)
        ]
    assert 429 in statuses
    with server.client() as client:
        assert client.post(REPORTS, json={"proof": proof}).status_code == 201


@pytest.fixture
def keeping_texts(
    own_database: tuple[str, dict[tuple[str, Role], str]], trustee: Feature
) -> Iterator[Standing]:
    url, keys = own_database
    with standing(url, trustee, keys, gate_texts=True) as running:
        yield running


def test_c26_texts_are_kept_where_the_installation_says_so(
    keeping_texts: Standing, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "veridical.gate"):
        proof = _gate(keeping_texts, "North made 83,120.70.")
    assert "83,120.70" in caplog.text
    with keeping_texts.client() as client:
        report = client.post(REPORTS, json={"proof": proof}).json()
    assert "83,120.70" in report["claims"][0]["claim"]


def test_c26_opentelemetry_counts_the_same(server: Standing) -> None:
    reader = InMemoryMetricReader()
    telemetry.set_meter_provider(MeterProvider([reader]))
    _gate(server, FALSE["en"])
    data = reader.get_metrics_data()
    assert data is not None
    found = {
        metric.name: metric
        for resource in data.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }
    assert "veridical.gate.duration" in found
    (point,) = found["veridical.gate.interceptions"].data.data_points
    assert dict(point.attributes or {}) == {
        "veridical.code": GateCode.UNGROUNDED_CLAIM.value,
        "veridical.language": "en",
        "veridical.mode": "warn",
    }
