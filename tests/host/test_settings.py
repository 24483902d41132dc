from pathlib import Path

import pytest

from veridical.contracts.person import NO_APPROVALS
from veridical.gate.policy import ProofPolicy
from veridical.host.settings import FeatureSettings, read_runtime_settings
from veridical.ontology.errors import LoadError

WHOLE = """
model = "openai:some"
prompt_tokens = 900

[gate]
allow = ["ACME"]
policy = "off"

[skills]
paths = ["skills"]

[[features]]
name = "books"
pack = "trustee"
database = "BOOKS_URL"
connections = 9
approvals = { evidence = true, calls = ["executeSqlSafe"] }
gate.policy = "marked"

[features.cost]
most_rows_read = 1000

[features.cost.tenants.acme]
most_rows_read = 10

[[features]]
name = "trustee"
database = "sample"
"""


def _file(folder: Path, text: str) -> Path:
    path = folder / "veridical.toml"
    path.write_text(text, "utf-8")
    return path


def test_one_file_sets_up_the_whole_runtime(tmp_path: Path) -> None:
    settings = read_runtime_settings(_file(tmp_path, WHOLE), {"VERIDICAL_DISABLE_ONTOLOGY": "1"})
    books, trustee = settings.features
    assert (books.pack_name, books.connections, books.on_sample) == ("trustee", 9, False)
    assert (books.approvals.evidence, books.approvals.calls) == (True, ("executeSqlSafe",))
    assert trustee.approvals == NO_APPROVALS
    assert (trustee.pack_name, trustee.on_sample) == ("trustee", True)
    assert settings.agent.prompt_tokens == 900
    assert settings.policy.allow == ("ACME",)
    assert settings.policy.policy is ProofPolicy.OFF
    assert (books.gate.policy, trustee.gate.policy) == (ProofPolicy.MARKED, None)
    assert [books.cost.of(name).most_rows_read for name in ("acme", "other")] == [10, 1000]
    assert not trustee.cost.is_set
    assert settings.skill_folders == (tmp_path / "skills",)
    assert settings.without_ontology


def test_without_a_file_there_is_nothing_to_ask_about(tmp_path: Path) -> None:
    settings = read_runtime_settings(tmp_path / "veridical.toml", {})
    assert settings.features == ()
    assert not settings.without_ontology


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[[features]]\nname = 'books'", "database"),
        ("[[features]]\nname = 'books'\ndatabase = 'x'\ngate.policy = 'lenient'", "policy"),
        ("[gate]\npolicy = 'lenient'", "policy"),
        ("[[features]]\nname = 'no name'\ndatabase = 'sample'", "0.name"),
        ("[[features]]\nname = 'a'\ndatabase = 'sample'\nrols = 'x'", "rols"),
        ("[[features]]\nname = 'a'\ndatabase = 'x'\n[[features]]\nname='a'\ndatabase='y'", "'a'"),
        ("features = 3", "features"),
        ("[gate]\nallow = 3", "allow"),
        ("[[features", "veridical.toml"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(LoadError, match=named):
        read_runtime_settings(_file(tmp_path, text), {})


def test_an_address_is_not_shown_by_mistake() -> None:
    feature = FeatureSettings(name="books", database="postgresql://me:hidden@host/books")
    assert "hidden" not in repr(feature)


def test_a_data_file_beside_the_settings_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    (project / "shop.db").touch()
    (project / "sample").touch()
    (elsewhere / "other.db").touch()
    names = ("shop.db", "other.db", "SHOP_URL", "sample")
    lines = (f'[[features]]\nname = "n{at}"\ndatabase = "{each}"' for at, each in enumerate(names))
    monkeypatch.chdir(elsewhere)
    settings = read_runtime_settings(_file(project, "\n".join(lines)))
    found = [each.database for each in settings.features]
    assert found == [str(project / "shop.db"), "other.db", "SHOP_URL", "sample"]
