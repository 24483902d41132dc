"""Answers from documents: a right quotation passes, an altered one is held back."""

import json
from pathlib import Path
from typing import Any

import pytest

import veridical
from tests.search.evidence.library import HANDBOOK, settings_on, stored
from veridical.client.blocking_client import Client
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.search_candidate import ScoreRequest, ScoreResultsData
from veridical.contracts.search_context import ScoringContext, as_meta
from veridical.search.evidence import EvidenceSearch
from veridical.search.score.settings import ScoreSettings
from veridical.store.connection import Store
from veridical.testing.script import Script
from veridical.tools.evidence import SEARCH_EVIDENCE, UNAVAILABLE

pytestmark = pytest.mark.postgres

QUESTIONS = {
    "How many days of paid leave do employees receive?": (
        "Employees receive 25 days of paid leave a year.",
        "25",
        "28",
        "“{}” [{}]",
    ),
    "Innert wie vieler Tage sind Rechnungen zu bezahlen?": (
        "Rechnungen sind innert 30 Tagen zu bezahlen.",
        "30",
        "60",
        "Es gilt: „{}“ [{}]",
    ),
    "员工多久必须更换一次密码？": ("员工必须每90天更换一次密码。", "90", "30", "规定：“{}” [{}]"),
}


@pytest.fixture(scope="module", autouse=True)
def documents(store: Store, tmp_path_factory: pytest.TempPathFactory) -> None:  # pyright: ignore[reportUnusedFunction]
    stored(store, "acme", "handbook", HANDBOOK)
    secret = tmp_path_factory.mktemp("secrets")
    (secret / "merger.md").write_text("# Merger\n\nThe merger with Initech closes in June.\n")
    stored(store, "globex", "secrets", secret)
    stored(store, "globex", "handbook", secret)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "invoice.csv"


def found(client: Client, **arguments: Any) -> list[dict[str, Any]]:
    result = client.toolbox().call(SEARCH_EVIDENCE, arguments)
    assert result.success, result
    return result.data["chunks"]


def asked(settings: Any, question: str, *lines: Any, language: Language) -> tuple[Answer, Script]:
    script = Script(lines)
    caller = Caller(language=language)
    with veridical.open(settings, model=script.model, caller=caller) as client:
        return client.ask(question), script


def held_back_for(answer: Answer) -> set[GateCode]:
    assert answer.proof is not None
    return {finding.code for finding in answer.proof.findings}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_right_quotation_passes_and_an_altered_one_is_held_back(
    search_url: str, table: Path, question: str
) -> None:
    sentence, right, wrong, frame = QUESTIONS[question]
    settings = settings_on(search_url, table, ["handbook"])
    with veridical.open(settings) as client:
        chunk = found(client, question=question)[0]
    assert sentence in chunk["text"]
    assert {"id", "text", "source", "title", "score", "reason"} <= chunk.keys()
    call = [(SEARCH_EVIDENCE, {"question": question})]
    quoted = frame.format(sentence, chunk["id"])
    language = veridical.Language.EN
    good, script = asked(settings, question, call, quoted, language=language)
    assert good.ok, good
    assert good.proof is not None
    assert [source.chunks[0].id for source in good.sources] == [chunk["id"]]
    instructions = script.infos[0].instructions or ""
    assert "[doc-417#2]" in instructions
    altered = frame.format(sentence.replace(right, wrong), chunk["id"])
    bad, _ = asked(settings, question, call, altered, altered, altered, language=language)
    assert not bad.ok
    assert held_back_for(bad) == {GateCode.ALTERED_QUOTATION}


def test_a_tenant_never_sees_the_chunks_of_another(search_url: str, table: Path) -> None:
    settings = settings_on(search_url, table, ["handbook", "secrets"])
    question = "When does the merger with Initech close?"
    with veridical.open(settings) as client:
        own = client.toolbox().call(SEARCH_EVIDENCE, {"question": question})
        named = client.toolbox().call(
            SEARCH_EVIDENCE, {"question": question, "collection": "secrets"}
        )
        other = client.toolbox(caller=Caller(member_of="globex")).call(
            SEARCH_EVIDENCE, {"question": question}
        )
        nobody = client.toolbox(caller=Caller(member_of="nobody")).call(
            SEARCH_EVIDENCE, {"question": question}
        )
    assert "Initech" not in json.dumps(own.data)
    assert not named.success
    assert "Initech" in json.dumps(other.data)
    assert nobody.data == {"chunks": []}


def test_the_tool_is_offered_only_where_there_are_collections_and_a_tenant(
    search_url: str, table: Path
) -> None:
    for collections, tenant, offered in ((["handbook"], "acme", True), (["handbook"], "", False)):
        with veridical.open(settings_on(search_url, table, collections, tenant)) as client:
            assert (SEARCH_EVIDENCE in client.toolbox().names) is offered
    with veridical.open(database=str(table)) as client:
        assert SEARCH_EVIDENCE not in client.toolbox().names


def test_a_store_that_is_down_is_flagged_and_nothing_is_raised(table: Path) -> None:
    settings = settings_on("postgresql://nobody@127.0.0.1:1/none", table, ["handbook"])
    call = [(SEARCH_EVIDENCE, {"question": "paid leave", "collection": "handbook"})]
    with veridical.open(settings) as client:
        result = client.toolbox().call(*call[0])
    assert not result.success
    assert result.error_details is not None
    assert result.error_details["code"] == UNAVAILABLE
    assert result.error_details["flags"] == {"ragUnavailable": True}
    made_up = "Employees receive 25 days of paid leave."
    answer, _ = asked(
        settings, "How much paid leave is there?", call, made_up, made_up, language=Language.EN
    )
    assert answer.kind is AnswerKind.UNKNOWN
    assert "25" not in answer.text


def test_a_local_file_can_be_disallowed(store: Store, tmp_path: Path) -> None:
    for folder in ("drafts", "final"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "fee.md").write_text(f"# Fee\n\nThe fee, {folder}.\n", "utf-8")
    stored(store, "acme", "fees", tmp_path)
    search = EvidenceSearch(store.tenant, ScoreSettings())
    drafts = (tmp_path / "drafts").as_uri()
    context = ScoringContext(question="Which fee?", disallowed_sources=(drafts,))
    request = ScoreRequest(data=ScoreResultsData(query="Which fee?"), meta=as_meta(context))
    found = search.wait(search.scored(request, "acme", ("fees",), Language.EN))
    search.close()
    sources = {found.passages[each.candidate_id].origin.source for each in found.result.ranked}
    assert sources == {str(tmp_path / "final" / "fee.md")}
    assert [each.reason for each in found.result.flags.debug.pre_filter.dropped] == [
        "disallowed_source"
    ]
