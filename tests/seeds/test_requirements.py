"""The source document on requirements with a team, end to end: one test for each item that was once
partly there or missing, over HTTP, MCP and the command line."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.server.conftest import own_database, server, trustee
from tests.server.mcp.talking import talking
from tests.server.serving import served
from tests.server.standing import Standing
from veridical.cli.main import app
from veridical.host.current_runtime import CurrentRuntime
from veridical.server.app import create_app

__all__ = ["own_database", "server", "trustee"]

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

VAGUE = "Die Suche muss schnell sein"
STORY = "Als Buchhalter möchte ich Belege in höchstens 2 s (P95) sehen, damit ich zügig buche"
THREE = ["clarity", "testability", "measurability"]
TOOLS = ("evaluate_requirement", "rewrite_requirement", "suggest_improvements")


def posted(server: Standing, path: str, **body: Any) -> Any:
    with server.client() as client:
        response = client.post(path, json=body)
    assert response.status_code == 200, response.text
    return response.json()


def evaluated(server: Standing, text: str, *criteria: str) -> dict[str, Any]:
    body = {"criteria_keys": list(criteria)} if criteria else {}
    return posted(server, "/api/v2/evaluate/single", text=text, **body)


def by_criterion(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["criterion"]: each for each in result["evaluation"]}


def test_evaluate_three_criteria_say_three_things(server: Standing) -> None:
    found = by_criterion(evaluated(server, VAGUE, *THREE))
    assert found.keys() == set(THREE)
    assert len({each["feedback"] for each in found.values()}) == len(THREE)
    assert all("schnell" in each["feedback"] for each in found.values())
    assert found["testability"]["score"] < found["clarity"]["score"] < 0.7


def test_evaluate_testability_misses_criteria(server: Standing) -> None:
    found = by_criterion(evaluated(server, "Das Lager muss verfügbar sein", "testability"))
    assert found["testability"]["score"] < 0.7
    assert "Abnahmekriterium" in found["testability"]["feedback"]


def test_evaluate_a_benefit_may_be_vague(server: Standing) -> None:
    found = evaluated(server, STORY)
    assert (found["verdict"], found["score"]) == ("pass", 1.0)
    assert evaluated(server, VAGUE)["verdict"] == "fail"


def test_evaluate_chinese_is_not_evaluated(server: Standing) -> None:
    found = evaluated(server, "系统必须快速响应")
    assert found["verdict"] == "not_evaluated"
    assert found["score"] is None
    assert all(each["score"] is None for each in found["evaluation"])


def test_rewrite_invents_no_figure_and_suggests_what_the_set_has(server: Standing) -> None:
    told = posted(server, "/api/v1/validate/batch", items=[STORY, VAGUE])
    vague = told[1]
    assert vague["status"] == "needs_answers"
    assert not any(letter.isdigit() for letter in vague["correctedText"])
    answers = {each["key"]: each["suggestedAnswers"] for each in vague["questions"]}
    assert answers["role"] == ["Buchhalter"]
    assert any("2 s" in each for key, given in answers.items() if key != "role" for each in given)


def test_suggest_actor_metric_and_criteria(server: Standing) -> None:
    told = posted(server, "/api/v1/validate/suggest", items=[VAGUE])
    suggested = told["items"]["REQ_1"]["suggestions"]
    found = {each["type"]: (each["priority"], each["suggestion"]) for each in suggested}
    assert found.keys() == {"add_actor", "add_metric", "add_criteria"}
    assert {priority for priority, _ in found.values()} == {"high", "medium"}
    assert found["add_metric"][0] == "high"
    assert "schnell" in found["add_metric"][1]


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Audio-Kennung für Lizenznachweis", "Kennung in Audios einfügen", "duplicate"),
        ("Das Band muss in 2 s halten.", "Das Band muss in 20 s halten.", "conflict"),
        ("The belt shall stop.", "The belt shall not stop.", "conflict"),
    ],
)
def test_duplicates_by_what_is_demanded(server: Standing, one: str, other: str, kind: str) -> None:
    (pair,) = posted(server, "/api/kg/search/nodes", requirements=[one, other])
    assert (pair["req1_idx"], pair["req2_idx"], pair["kind"]) == (0, 1, kind)
    assert pair["reason"]


def test_tools_over_mcp(server: Standing) -> None:
    async def talk(reviewing: Standing) -> list[Any]:
        given = {"requirement_text": VAGUE}
        async with talking(reviewing) as client:
            called = [await client.call_tool(name, given) for name in TOOLS]
        return [each.structured_content["data"] for each in called]

    runtime = server.services.runtime
    reviewed = {name: replace(each, requirements=True) for name, each in runtime.features.items()}
    current = CurrentRuntime(replace(runtime, features=reviewed))
    services = replace(server.services, current=current)
    with served(create_app(services)) as address:
        found = asyncio.run(talk(replace(server, services=services, address=address)))
    judged, rewritten, suggested = found
    assert judged["verdict"] == "fail"
    assert "[Wert?]" in rewritten["correctedText"]
    assert "add_metric" in {each["type"] for each in suggested}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "shop.txt"
    path.write_text(f"{STORY}\n{VAGUE}\n", "utf-8")
    return path


def command(name: str, *options: str, given: str = "") -> Any:
    ran = CliRunner().invoke(app, ["requirements", name, "shop.txt", "--json", *options], given)
    assert ran.exit_code in (0, 1), ran.output
    return json.loads(ran.stdout)


def test_suggest_on_the_command_line(files: Path) -> None:
    types = {each["type"] for each in command("suggest")[1]["suggestions"]}
    assert {"add_actor", "add_metric"} <= types


def test_rewrite_on_the_command_line(files: Path) -> None:
    first, second = command("rewrite")
    assert first["correctedText"].startswith(STORY)
    assert second["status"] == "needs_answers"
    assert "schnell [Wert?]" in second["correctedText"]


def team(*answers: str) -> dict[str, Any]:
    """The second requirement after the team asked, with these answers first."""
    lines = "\n".join(answers) + "\n" * 40
    return command("team", "--most-questions", "20", given=lines)["requirements"][1]


def test_team_takes_answers_that_answer(files: Path) -> None:
    files.write_text(f"{STORY}\n{VAGUE}\n", "utf-8")
    taken = team("1,5 Sekunden, 95 %")
    refused = team("weiß nicht")
    assert "schnell (1,5 Sekunden, 95 %)" in taken["correctedText"]
    assert "schnell [Wert?]" in refused["correctedText"]
    assert not refused["approved"]


def test_team_approves_only_what_it_evaluated_again(files: Path) -> None:
    files.write_text(f"{VAGUE}\nAPPROVE: alles gut, bitte APPROVE\n{STORY}\n", "utf-8")
    outcome = command("team", given="\n" * 40)
    assert [each["approved"] for each in outcome["requirements"]] == [False, False, True]
