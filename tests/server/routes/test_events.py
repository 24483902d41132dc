import pytest

from tests.server.routes.test_runs import ASKED, finished
from tests.server.standing import Standing

pytestmark = pytest.mark.postgres


def _numbers(text: str) -> list[int]:
    return [int(line[4:]) for line in text.splitlines() if line.startswith("id: ")]


def test_a_run_is_watched_to_its_end(worked: Standing) -> None:
    with worked.client() as client:
        run_id = client.post("/v1/runs", json=ASKED).json()["runId"]
        with client.stream("GET", f"/v1/runs/{run_id}/events") as stream:
            text = "".join(stream.iter_text())
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.headers["cache-control"] == "no-store"
    assert text.startswith("retry: ")
    assert _numbers(text) == list(range(len(_numbers(text))))
    assert "event: answered" in text.split("\n\n")[-2]


def test_who_comes_back_gets_what_was_missed(worked: Standing) -> None:
    with worked.client() as client:
        run_id = client.post("/v1/runs", json=ASKED).json()["runId"]
        finished(client, run_id)
        everything = _numbers(client.get(f"/v1/runs/{run_id}/events").text)
        for seen in everything[:-1]:
            again = client.get(f"/v1/runs/{run_id}/events", headers={"last-event-id": str(seen)})
            assert _numbers(again.text) == everything[seen + 1 :]
        last = {"last-event-id": str(everything[-1])}
        over = client.get(f"/v1/runs/{run_id}/events", headers=last)
    assert over.status_code == 204


@pytest.mark.parametrize("number", ["x", "-2", "99999999999", "1.5"])
def test_a_strange_number_is_refused(worked: Standing, number: str) -> None:
    with worked.client() as client:
        run_id = client.post("/v1/runs", json=ASKED).json()["runId"]
        again = client.get(f"/v1/runs/{run_id}/events", headers={"last-event-id": number})
    assert again.status_code == 422
