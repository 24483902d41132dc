import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.sample import ACCOUNTANT, PACK
from tests.tools.rates import RATE
from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.cost import CostSettings
from veridical.contracts.keep import KeepSettings
from veridical.contracts.language import Language
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.contracts.question import Question
from veridical.contracts.trace import Answered
from veridical.gate.policy import Policy, ProofPolicy
from veridical.host.data_source import source_of
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.runtime import Runtime, open_runtime
from veridical.host.settings import READER, FeatureGate, FeatureSettings, RuntimeSettings
from veridical.ontology.errors import LoadError
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.skills import SkillMatch, match_skill
from veridical.skills.load import skill_set

KNOWN = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
T = TypeVar("T")


@pytest.fixture(scope="module")
def books(postgres_server: LocalPostgres) -> FeatureSettings:
    url = load_sample(PACK, postgres_server).url
    return FeatureSettings(name="books", pack="trustee", database=url)


def _plain(*features: FeatureSettings, **parts: Any) -> RuntimeSettings:
    return RuntimeSettings(features, agent=AgentSettings(model="", **parts))


def _run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def _refused(settings: RuntimeSettings) -> SetupError:
    async def opening() -> None:
        async with open_runtime(settings):
            pass

    with pytest.raises(SetupError) as caught:
        _run(opening())
    return caught.value


def test_a_known_question_is_answered_in_a_session(books: FeatureSettings) -> None:
    events: list[object] = []

    async def asking() -> tuple[Runtime, Any]:
        policy = Policy(allow=("ACME",))
        async with open_runtime(replace(_plain(books), policy=policy)) as runtime:
            session = runtime.session("books", ACCOUNTANT, events.append)
            assert session.policy is policy
            return runtime, await answer(Question(text=KNOWN), session)

    runtime, given = _run(asking())
    assert given.kind is AnswerKind.PATTERN
    assert runtime.features["books"].name == "books"
    assert runtime.shared_tables == {"books": PACK.shared_tables}
    assert isinstance(events[-1], Answered)


def test_a_budget_holds_for_every_statement_of_its_feature(books: FeatureSettings) -> None:
    async def codes() -> list[str]:
        thrifty = books.model_copy(
            update={"name": "thrifty", "cost": CostSettings(most_rows_read=1)}
        )
        async with open_runtime(_plain(books, thrifty)) as runtime:
            boxes = (runtime.session(name, ACCOUNTANT).toolbox for name in runtime.features)
            found = [box.call("browseTable", {"tableName": "TrusteeDataAccount"}) for box in boxes]
            return [(each.error_details or {}).get("code", "") for each in found]

    assert _run(codes()) == ["", "OVER_COST_BUDGET"]


@pytest.mark.parametrize(
    ("language", "question", "words"),
    [
        (Language.DE, KNOWN, "Stand der Daten: "),
        (Language.EN, "What was the balance of account 1020 at the end of 2024?", "Data as of "),
        (Language.ZH, "科目 1020 在 2024 年末的余额是多少？", "数据截至 "),
    ],
)
def test_an_answer_from_kept_rows_says_when_they_were_read(
    books: FeatureSettings, language: Language, question: str, words: str
) -> None:
    keeping = books.model_copy(update={"keep": KeepSettings(minutes=60)})
    caller = replace(ACCOUNTANT, language=language)

    async def answers() -> list[Answer]:
        async with open_runtime(_plain(keeping)) as runtime:
            session = runtime.session("books", caller)
            return [await answer(Question(text=question), session) for _ in range(2)]

    first, again = _run(answers())
    assert first.kind is AnswerKind.PATTERN
    assert words not in first.text
    assert first.sources[0].receipt.kept_at is None
    kept_at = again.sources[0].receipt.kept_at
    assert kept_at is not None
    note = again.text.removeprefix(first.text).strip()
    assert note.startswith(words)
    assert f"{kept_at:%H:%M} (UTC)" in note.replace("（UTC）", " (UTC)")
    assert again.facts is None or again.facts.notes[-1] == note
    assert again.sources[0].rows == first.sources[0].rows


def test_results_are_kept_under_an_address_without_its_password() -> None:
    def identity(address: str, role: str = READER) -> str:
        feature = FeatureSettings(name="x", database=address, role=role)
        return source_of(feature).identity(feature)

    plain = identity("postgresql://ann@host/books")
    assert identity("postgresql://ann:s3cret@host/books") == plain
    assert identity("postgresql://ann@host/books?password=s3cret") == plain
    assert "s3cret" not in identity("postgresql://ann:s3cret@host/books?sslkey=s3cret")
    others = {
        identity("postgresql://bob@host/books"),
        identity("postgresql://ann@other/books"),
        identity("postgresql://ann@host/archive"),
        identity("postgresql://ann@host/books", role="other"),
        identity("postgresql://ann@host/books?options=x"),
    }
    assert len(others | {plain}) == 6


def test_two_features_may_share_a_pack(books: FeatureSettings) -> None:
    asking = Approvals(evidence=True)

    async def sessions() -> list[tuple[str, Approvals]]:
        second = books.model_copy(update={"name": "archive", "approvals": asking})
        async with open_runtime(_plain(books, second)) as runtime:
            found = (runtime.session(name, ACCOUNTANT) for name in runtime.features)
            return [(session.feature.name, session.approvals) for session in found]

    assert _run(sessions()) == [("books", NO_APPROVALS), ("archive", asking)]


def test_a_feature_may_have_a_gate_policy_of_its_own(books: FeatureSettings) -> None:
    async def policies() -> list[ProofPolicy]:
        marking = FeatureGate(policy=ProofPolicy.OFF)
        second = books.model_copy(update={"name": "archive", "gate": marking})
        async with open_runtime(_plain(books, second)) as runtime:
            return [runtime.session(x, ACCOUNTANT).policy.policy for x in runtime.features]

    assert _run(policies()) == [ProofPolicy.MARKED, ProofPolicy.OFF]


def test_a_feature_may_have_a_reviewer_of_its_own_or_none(books: FeatureSettings) -> None:
    async def reviewers() -> list[str]:
        settings = _plain(
            books,
            books.model_copy(update={"name": "silent", "gate": FeatureGate(reviewer="off")}),
            books.model_copy(update={"name": "own", "gate": FeatureGate(reviewer="ollama:big")}),
        )
        asking = settings.policy.model_copy(update={"reviewer": "ollama:small"})
        async with open_runtime(replace(settings, policy=asking)) as runtime:
            found = [runtime.session(x, ACCOUNTANT).reviewer for x in runtime.features]
            return [each.model_name if each else "" for each in found]

    assert _run(reviewers()) == ["small", "", "big"]


def test_a_variable_may_hold_the_address(
    books: FeatureSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKS_URL", books.database)

    async def tables() -> int:
        by_name = books.model_copy(update={"database": "BOOKS_URL"})
        async with open_runtime(_plain(by_name)) as runtime:
            return len(runtime.features["books"].schema.tables)

    assert _run(tables()) > 0


def test_skills_of_a_set_are_there_on_request_and_asked_for_by_name_alone(
    books: FeatureSettings, tmp_path: Path
) -> None:
    shipped = skill_set("examples")[0]
    own = tmp_path / shipped.name / "SKILL.md"
    own.parent.mkdir()
    own.write_text(Path(shipped.path).read_text("utf-8"), "utf-8")

    async def skills(folders: tuple[Path, ...], sets: tuple[str, ...] = ("examples",)) -> Any:
        settings = replace(_plain(books), skill_folders=folders, skill_sets=sets)
        async with open_runtime(settings) as runtime:
            return runtime.session("books", ACCOUNTANT).skills

    names = {skill.name for skill in skill_set("examples")}
    assert names.isdisjoint(skill.name for skill in _run(skills((), ())))
    known = _run(skills(()))
    named = match_skill(f"/{shipped.name} please", known)
    assert isinstance(named, SkillMatch)
    assert named.skill.name == shipped.name
    assert names <= {skill.name for skill in known}
    assert all(skill.only_by_name for skill in known if skill.name in names)
    again = [skill for skill in _run(skills((tmp_path,))) if skill.name == shipped.name]
    assert [skill.path for skill in again] == [str(own)]
    assert not again[0].only_by_name


def test_an_unknown_feature_has_no_session(books: FeatureSettings) -> None:
    async def asking() -> None:
        async with open_runtime(_plain(books)) as runtime:
            runtime.session("payroll", ACCOUNTANT)

    with pytest.raises(SetupError, match="books") as caught:
        _run(asking())
    assert caught.value.problem is SetupProblem.NO_FEATURE
    assert "Bekannt: books" in caught.value.message(Language.DE)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"database": "sample"}, SetupProblem.NO_SAMPLE),
        ({"database": "VERIDICAL_NOT_SET"}, SetupProblem.NO_VARIABLE),
        ({"database": "oracle://me:hidden@host/books"}, SetupProblem.NO_ENGINE),
        ({"database": "postgresql//me:hidden@host/books"}, SetupProblem.NO_VARIABLE),
        ({"pack": "payroll"}, SetupProblem.NO_PACK),
        (
            {"database": "postgresql://me:hidden@localhost:1/books?connect_timeout=2"},
            SetupProblem.NO_DATABASE,
        ),
    ],
)
def test_what_keeps_it_closed_is_told_without_secrets(
    books: FeatureSettings, changed: dict[str, str], problem: SetupProblem
) -> None:
    error = _refused(_plain(books.model_copy(update=changed)))
    assert error.problem is problem
    assert all("hidden" not in error.message(language) for language in Language)


def test_a_runtime_needs_features_and_a_model_that_can_be_reached(books: FeatureSettings) -> None:
    assert _refused(_plain()).problem is SetupProblem.NO_FEATURES
    nowhere = RuntimeSettings((books,), agent=AgentSettings(model="openai-compatible:some"))
    assert _refused(nowhere).problem is SetupProblem.NO_ADDRESS


def test_tools_of_the_embedding_program_are_offered_in_every_feature(
    books: FeatureSettings,
) -> None:
    async def names(settings: RuntimeSettings) -> tuple[str, ...]:
        async with open_runtime(settings) as runtime:
            return runtime.session("books", ACCOUNTANT).toolbox.names

    assert _run(names(replace(_plain(books), tools=(RATE,))))[-1] == RATE.name
    twice = replace(_plain(books), tools=(RATE, RATE))
    with pytest.raises(LoadError, match=RATE.name):
        _run(names(twice))
