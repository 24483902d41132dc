"""The questions about one feature that are answered as they are, without a model."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import zip_longest

from fastapi import Request

from veridical.console.page import language_of
from veridical.ontology.model import Asks, PeriodKind
from veridical.server.answerer import Answerer
from veridical.server.identity import Identity
from veridical.server.services import Services
from veridical.tools.suggested_questions import Suggestion, all_questions


def known_questions(
    request: Request, identity: Identity, here: Answerer, feature: str
) -> tuple[Suggestion, ...]:
    """Those that this person may ask; none without a feature."""
    if not feature:
        return ()
    language = language_of(request)
    services: Services = request.app.state.services
    caller = here.caller(identity, feature, language)
    known = services.runtime.feature_of(feature, caller).repertoire(caller)
    if known is None:
        return ()
    return all_questions(known, language, datetime.now(UTC).date())


SHOWN_FIRST = 8
"""Questions that are offered at first; the others are folded."""
Groups = Mapping[str, tuple[Suggestion, ...]]
"""Questions by the name of their group, a message of the catalogue."""
_NAMES = ("on_a_date", "figures", "how_many", "lists")
_DATES = frozenset({PeriodKind.DAY, PeriodKind.MONTH_END, PeriodKind.YEAR_END})


def grouped(known: Iterable[Suggestion]) -> tuple[Groups, Groups]:
    """Those to offer first, some of each group, and all others. A question is one that can be asked
    as it stands."""
    groups: dict[str, list[Suggestion]] = {name: [] for name in _NAMES}
    for each in known:
        if each.ask:
            groups[_group(each)].append(each)
    in_turn = [each for row in zip_longest(*groups.values()) for each in row if each]
    first = {each.ask for each in in_turn[:SHOWN_FIRST]}
    return _those(groups, first, among=True), _those(groups, first, among=False)


def _those(groups: Mapping[str, list[Suggestion]], first: set[str], *, among: bool) -> Groups:
    parts = {
        name: tuple(each for each in found if (each.ask in first) is among)
        for name, found in groups.items()
    }
    return {name: found for name, found in parts.items() if found}


def _group(suggestion: Suggestion) -> str:
    pattern = suggestion.about
    if pattern is None:
        return "figures"
    if pattern.asks is Asks.WHICH:
        return "lists"
    if pattern.asks is Asks.HOW_MANY:
        return "how_many"
    return "on_a_date" if pattern.period in _DATES else "figures"
