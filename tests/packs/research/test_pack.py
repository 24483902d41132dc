"""The pack is complete: found by its name, on public names, its documents dated and readable."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import veridical
from veridical.contracts.language import Language
from veridical.ontology.pack import load_pack
from veridical.packs import research, trustee
from veridical.search.chunk import ChunkedDocument
from veridical.search.document_reading import IngestOptions, read_documents
from veridical.search.ingest import files_under
from veridical.skills import SkillMatch, load_skills, match_skill

ALLOWED = ("veridical.ontology.model", "veridical.contracts.", "veridical.packs")
FOLDER = Path(research.__file__).parent
ASKED = {
    "Entspricht unsere Restwertrichtlinie dem, was wir gebucht haben?": Language.DE,
    "Does our residual value policy match what we booked?": Language.EN,
    "账上的数字符合我们的残值规定吗？": Language.ZH,
}


def documents() -> list[ChunkedDocument]:
    assert research.pack.documents is not None
    files = files_under([research.pack.documents])
    return [
        each for path in files for each in read_documents(path, IngestOptions(trust_addresses=True))
    ]


def test_the_pack_is_found_by_its_name() -> None:
    found = load_pack("research")
    assert found is research.pack
    assert found.schema == trustee.pack.schema
    assert found.tenant_columns == trustee.pack.tenant_columns


def test_it_builds_on_public_names_only() -> None:
    for file in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "veridical":
                assert {name.name for name in node.names} <= set(veridical.__all__)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("veridical."):
                assert (node.module or "").startswith(ALLOWED), f"{file}: {node.module}"


def test_its_documents_have_dates_and_hosts_in_three_languages() -> None:
    found = documents()
    assert len(found) == 30
    assert all(each.origin.detected_date for each in found)
    assert len({each.origin.host for each in found}) == 2
    assert len({each.origin.source for each in found}) == 30
    languages = Counter(each.chunks[0].language for each in found)
    assert languages == dict.fromkeys(Language, 10)


def test_what_was_replaced_says_so_and_is_older_than_what_replaced_it() -> None:
    dates = {each.origin.source: each.origin.detected_date for each in documents()}
    replaced = [source for source in dates if re.search(r"/20\d\d/", source)]
    assert len(replaced) == 4
    for source in replaced:
        old, new = dates[source], dates[re.sub(r"/20\d\d/", "/", source)]
        assert old is not None
        assert new is not None
        assert old < new


@pytest.mark.parametrize("question", ASKED)
def test_its_skill_is_followed_where_books_and_a_document_are_compared(question: str) -> None:
    found = match_skill(question, load_skills(packs=[research.pack]), ASKED[question])
    assert isinstance(found, SkillMatch)
    assert found.skill.name == "policy-check"


def test_a_comparison_may_read_what_single_bookings_may_not() -> None:
    purposes = [each.name for each in research.pack.ontology.purposes]
    assert purposes[-1] == "comparison"
    for ours, theirs in zip(
        research.pack.ontology.constraints, trustee.pack.ontology.constraints, strict=True
    ):
        added = ("comparison",) if theirs.purposes else ()
        assert ours.purposes == (*theirs.purposes, *added)
