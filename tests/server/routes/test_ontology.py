import pytest

from tests.server.standing import Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres


def test_a_viewer_sees_what_the_data_means(server: Standing) -> None:
    with server.client(role=Role.VIEWER) as viewer:
        listed = viewer.get("/v1/ontology").json()["features"]
        shown = viewer.get("/v1/ontology/trustee").json()
    assert [each["name"] for each in listed] == ["trustee"]
    assert shown["ontologyHash"] == listed[0]["ontologyHash"]
    assert {each["name"] for each in shown["ontology"]["entities"]}


@pytest.mark.parametrize("feature", ["payroll", "Trustee", "x" * 60])
def test_what_is_not_open_is_not_there(server: Standing, feature: str) -> None:
    with server.client() as client:
        response = client.get(f"/v1/ontology/{feature}")
    assert (response.status_code, response.json()["code"]) == (404, "FEATURE_NOT_FOUND")
