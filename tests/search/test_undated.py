"""Half of the passages have no date: they are flagged, and the result is as useful as before."""

from collections.abc import Iterator

import pytest

from tests.search.evidence.library import stored
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import ScoreRequest, ScoreResultsData
from veridical.contracts.search_context import FreshnessMode, ScoringContext, as_meta
from veridical.contracts.search_result import HybridResult
from veridical.search.evidence import EvidenceSearch
from veridical.search.score.ranking import UNDATED
from veridical.search.score.settings import ScoreSettings
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

QUESTION = "How long is the notice period of a lease?"
HALF = 5


@pytest.fixture(scope="module")
def search(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EvidenceSearch]:
    folder = tmp_path_factory.mktemp("half")
    for number in range(2 * HALF):
        dated = "---\ndate: 2026-10-01\n---\n" if number % 2 else ""
        text = f"# Lease {number}\n\nThe notice period of lease {number} is {number} months.\n"
        (folder / f"{number}.md").write_text(dated + text, "utf-8")
    stored(store, "acme", "half", folder)
    made = EvidenceSearch(store.tenant, ScoreSettings())
    yield made
    made.close()


def ranked(search: EvidenceSearch, mode: FreshnessMode) -> tuple[HybridResult, set[str], set[str]]:
    """The result, all that is flagged as undated, and all that really has no date."""
    asked = ScoringContext(question=QUESTION, freshness_mode=mode)
    request = ScoreRequest(data=ScoreResultsData(query=QUESTION), meta=as_meta(asked))
    found = search.wait(search.scored(request, "acme", ("half",), Language.EN))
    flagged = {each.candidate_id for each in found.result.ranked if UNDATED in each.risk_flags}
    undated = {name for name, each in found.passages.items() if each.origin.detected_date is None}
    return found.result, flagged, undated


@pytest.mark.parametrize("mode", [FreshnessMode.STANDARD, FreshnessMode.SOFTWARE_DOCS_STRICT])
def test_what_has_no_date_is_flagged_and_kept(search: EvidenceSearch, mode: FreshnessMode) -> None:
    result, flagged, undated = ranked(search, mode)
    assert len(undated) == HALF
    assert flagged == undated
    assert len(result.ranked) == 2 * HALF
    assert result.flags.debug.pre_filter.dropped == ()
    assert len(result.top_k) == ScoreSettings().top_k
    assert all(each.score > 0 and each.reason for each in result.top_k)


def test_where_age_does_not_matter_nothing_is_flagged(search: EvidenceSearch) -> None:
    result, flagged, _ = ranked(search, FreshnessMode.LAW_EVERGREEN)
    assert (len(result.ranked), flagged) == (2 * HALF, set())
