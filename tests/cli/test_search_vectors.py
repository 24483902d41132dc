"""``veridical search`` with an embedder: by meaning, with an outage, and after a change."""

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner, Result

from tests.search.embeddings.serving import EmbeddingServer, embedding_server
from veridical.cli.main import app
from veridical.contracts.search_result import HybridResult
from veridical.search import embed
from veridical.search.store.vector_index import index_name
from veridical.store.migrate import upgrade

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
QUESTION = "Which vehicle may be used?"


@pytest.fixture(scope="module")
def url(postgres_url: str) -> str:
    upgrade(postgres_url)
    with psycopg.connect(postgres_url) as connection:
        connection.execute(
            "INSERT INTO veridical.tenants (id, name, scope) VALUES ('acme', 'acme', '{}')"
        )
    return postgres_url


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """Set as the embedder of the folder that commands run in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    for name, text in (
        ("fleet", "An automobile of the firm is booked in advance."),
        ("leave", "Each employee has 25 days of leave."),
        ("invoice", "Every invoice is paid within a month."),
    ):
        (tmp_path / "texts" / f"{name}.md").write_text(f"# {name}\n\n{text}\n", "utf-8")
    with embedding_server() as running:
        set_embedder(running, "m")
        yield running


def set_embedder(server: EmbeddingServer, model: str) -> None:
    Path("veridical.toml").write_text(
        f'[search.embedder]\nmodel = "{model}"\nendpoint = "{server.address}"\n', "utf-8"
    )


def run(url: str, command: str, *arguments: str, collection: str) -> Result:
    place = ["--collection", collection, "--tenant", "acme", "--database", url]
    return CliRunner().invoke(app, ["search", command, *arguments, *place])


def test_what_shares_no_word_with_the_question_is_found(url: str, server: EmbeddingServer) -> None:
    done = run(url, "ingest", "texts", collection="meaning")
    assert done.exit_code == 0, done.output
    assert "3 chunks were given vectors of m" in done.stdout
    found = run(url, "find", QUESTION, "--json", collection="meaning")
    assert found.exit_code == 0, found.output
    first = json.loads(found.stdout)[0]
    assert first["source"].endswith("fleet.md")
    assert (first["legs"]["vector"]["rank"], found.stderr) == (1, "")
    explained = run(url, "find", QUESTION, "--explain", "--json", collection="meaning")
    result = HybridResult.model_validate_json(explained.stdout)
    assert result.flags.lexical_only is None
    drawn = run(url, "find", QUESTION, "--explain", collection="meaning")
    assert "vector 1" in drawn.stdout


def test_an_outage_costs_vectors_and_nothing_else(url: str, server: EmbeddingServer) -> None:
    server.is_away = True
    done = run(url, "ingest", "texts", collection="outage")
    assert done.exit_code == 0, done.output
    assert "3 of 3 files ingested" in done.stdout
    assert "could not be reached" in done.stdout
    assert "3 chunks are still without a vector" in done.stdout
    found = run(url, "find", "automobile", "--json", collection="outage")
    assert found.exit_code == 0, found.output
    assert list(json.loads(found.stdout)[0]["legs"]) == ["lexical"]
    assert "could not be reached" in found.stderr
    explained = run(url, "find", "automobile", "--explain", "--json", collection="outage")
    assert HybridResult.model_validate_json(explained.stdout).flags.lexical_only is True
    drawn = run(url, "find", "automobile", "--explain", collection="outage")
    assert "could not be reached" in drawn.stdout
    embedded = run(url, "embed", collection="outage")
    assert embedded.exit_code == 1, embedded.output

    server.is_away = False
    bare = run(url, "find", "automobile", collection="outage")
    assert "has no vectors of m" in bare.stderr
    again = run(url, "ingest", "texts", "--json", collection="outage")
    told = json.loads(again.stdout)
    assert told["summary"]["ingestedCount"] == 3
    assert told["vectors"] == {
        "embeddedCount": 3,
        "missingCount": 0,
        "gap": None,
        "otherModels": [],
        "vectorWeight": None,
    }
    assert json.loads(run(url, "embed", "--json", collection="outage").stdout) == {
        **told["vectors"],
        "embeddedCount": 0,
    }
    assert run(url, "find", "automobile", collection="outage").stderr == ""


def test_a_change_of_the_embedder_is_told(url: str, server: EmbeddingServer) -> None:
    run(url, "ingest", "texts", collection="changed")
    set_embedder(server, "other")
    bare = run(url, "find", "automobile", collection="changed")
    assert "has no vectors of other" in bare.stderr
    done = run(url, "embed", collection="changed")
    assert "also has vectors of m" in done.stdout
    server.size = 9
    sized = run(url, "find", "automobile", "--language", "de", collection="changed")
    assert sized.exit_code == 0, sized.output
    assert "fleet.md" in sized.stdout.replace("\n", "")
    assert "einer anderen Länge" in sized.stderr
    renewed = run(url, "embed", "--renew", collection="changed")
    assert renewed.exit_code == 0, renewed.output
    assert "also has" not in renewed.stdout
    assert run(url, "find", QUESTION, collection="changed").stderr == ""


def test_the_index_is_built_and_a_broken_one_replaced(url: str, server: EmbeddingServer) -> None:
    run(url, "ingest", "texts", collection="indexed")
    name = index_name("m", server.size)
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(2):
            built = CliRunner().invoke(app, ["search", "index", "--database", url])
            assert built.exit_code == 0, built.output
            assert f"{server.size} dimensions" in built.stdout
            valid = connection.execute(
                "SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass",
                (f"veridical.{name}",),
            ).fetchone()
            assert valid == (True,)
            # as a build that was interrupted leaves it
            connection.execute(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass",
                (f"veridical.{name}",),
            )


def test_what_is_missing_is_told(
    url: str, tmp_path: Path, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.is_away = True
    away = CliRunner().invoke(app, ["search", "index", "--database", url])
    assert away.exit_code == 2
    assert "does not answer" in away.output
    Path("veridical.toml").write_text('[search.embedder]\nmodel = "m"\n', "utf-8")
    for command in (("embed",), ("find", "car"), ("find", "car", "--explain")):
        mistaken = run(url, *command, collection="missing")
        assert mistaken.exit_code == 2
        assert "either endpoint or onnx" in mistaken.output
    Path("veridical.toml").unlink()
    bare = run(url, "embed", collection="missing")
    assert bare.exit_code == 2
    assert "search.embedder" in bare.output


def test_what_the_vectors_weigh_is_measured_and_told(
    url: str, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "SENTENCES", embed.LEAST_SENTENCES)
    rules = (
        f"## Rule {number}\n\nThe {('automobile', 'invoice', 'holiday')[number % 3]} of"
        f" floor {number} is written down.\n"
        for number in range(embed.LEAST_CHUNKS)
    )
    Path("texts", "rules.md").write_text("\n".join(rules), "utf-8")
    done = run(url, "ingest", "texts", "--json", collection="weighed")
    weight = json.loads(done.stdout)["vectors"]["vectorWeight"]
    assert 0 < weight < 1
    assert f"vectors weigh {weight:.2f}" in run(url, "embed", collection="weighed").stdout
    found = run(url, "find", "The vehicle of floor 7", "--json", collection="weighed")
    best = json.loads(found.stdout)[0]
    assert {"rank", "score"} == set(best["legs"]["vector"])
    assert best["hybrid"]["vector"]["weight"] == pytest.approx(weight, abs=1e-6)
    assert best["hybrid"]["lexical"]["weight"] == pytest.approx(1 - weight, abs=1e-6)
    explained = run(url, "find", "vehicle of floor 7", "--explain", "--json", collection="weighed")
    result = HybridResult.model_validate_json(explained.stdout)
    parts = result.flags.debug.fusion.rrf_components[result.ranked[0].candidate_id]
    assert parts.ranks == {"hybrid": 1}
    assert parts.hybrid
    assert parts.hybrid["vector"].weight == pytest.approx(weight, abs=1e-6)
    drawn = run(url, "find", "vehicle of floor 7", "--explain", collection="weighed")
    assert f"× {weight:.2f}" in drawn.stdout
