"""Binds a model's proposal to the requirement: a part is kept where the requirement has it.

A model points, and the words are taken from the requirement itself. So no number, unit, actor or
condition can come from the model; what can still go wrong is where it points, and each place is
checked against the words that open and end such a part. An unbound part becomes a question.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from veridical.requirements.lexicon import Hit
from veridical.requirements.rewrite.proposal import Proposal
from veridical.requirements.rewrite.question import BENEFIT, EVENT, ROLE, STATE
from veridical.requirements.token import tokenise
from veridical.requirements.tokens import Tokens

CLAUSE = "clause"
_PAUSES = frozenset(",;:")
_MARKS = _PAUSES | frozenset(".!?")
_MOST_OF_A_ROLE = 4
"""Words of a role; more of them are a sentence."""


@dataclass(frozen=True)
class Binding:
    """The places of the kept parts, the rest for the clause, and the refused parts."""

    places: dict[str, range] = field(default_factory=dict[str, range])
    clause: range = range(0)
    refused: tuple[str, ...] = ()
    """The parts of the proposal that the requirement does not have like this."""
    roles: tuple[str, ...] = ()
    """Names in the requirement that the model takes for the role: offered, not trusted."""


def bind(proposal: Proposal, tokens: Tokens) -> Binding:
    """The parts of a proposal that the requirement has."""
    places: dict[str, range] = {}
    refused: list[str] = []
    for name, words in ((STATE, proposal.state), (EVENT, proposal.event)):
        if words.strip() and not _keep(places, _condition(words, tokens)):
            refused.append(name)
    if proposal.benefit.strip() and not _keep(places, _benefit(proposal.benefit, tokens)):
        refused.append(BENEFIT)
    rest = _rest(tokens, places)
    if rest is None or _is_exclusive(tokens, rest):
        refused.extend(each for each in (STATE, EVENT, BENEFIT) if each in places)
        places, rest = {}, range(len(tokens.all))
    if proposal.clause.strip() and not _says(proposal.clause, tokens, rest):
        refused.append(CLAUSE)
    roles = tuple(_roles(proposal.role, tokens))
    if proposal.role.strip() and not roles:
        refused.append(ROLE)
    return Binding(places, rest, tuple(refused), roles)


def _keep(places: dict[str, range], found: tuple[str, range] | None) -> bool:
    """Keeps a part that was found, unless there is one of its kind or in its place."""
    if found is None or found[0] in places:
        return False
    taken = {place for each in places.values() for place in each}
    if not taken.isdisjoint(found[1]):
        return False
    places[found[0]] = found[1]
    return True


def _condition(words: str, tokens: Tokens) -> tuple[str, range] | None:
    """The condition that these words are, by the word that opens it in the requirement: a model
    does not decide whether it is a state or an event."""
    openers = tokens.hits.get("CONDITION", ())
    for found in _matches(words, tokens):
        for hit in openers:
            part = range(max(hit.end, found.start), found.stop)
            opened = found.start in (hit.first, hit.end) and len(part) > 0
            if opened and _is_closed(tokens, hit, part) and not _holds(openers, part):
                return hit.group, part
    return None


def _benefit(words: str, tokens: Tokens) -> tuple[str, range] | None:
    """The purpose that these words are, with the word that opens it."""
    for found in _matches(words, tokens):
        for hit in tokens.hits.get("STOBENEFIT", ()):
            sure = hit.end - hit.first > 1 or tokens.low(hit.first - 1) in _PAUSES
            if sure and found.start in (hit.first, hit.end) and found.stop > hit.end:
                part = range(hit.first, found.stop)
                if hit.first and _ends(tokens, part.stop) and not _holds(_conditions(tokens), part):
                    return BENEFIT, part
    return None


def _conditions(tokens: Tokens) -> list[Hit]:
    return tokens.hits.get("CONDITION", [])


def _matches(words: str, tokens: Tokens) -> Iterator[range]:
    """The places where the requirement has these words in this order, without gaps."""
    wanted = tuple(token.low for token in tokenise(words))
    while wanted and wanted[-1] in _MARKS:
        wanted = wanted[:-1]
    if wanted:
        for start in range(len(tokens.lows) - len(wanted) + 1):
            if tokens.lows[start : start + len(wanted)] == wanted:
                yield range(start, start + len(wanted))


def _is_closed(tokens: Tokens, hit: Hit, part: range) -> bool:
    """True if a condition is whole: it begins the sentence and ends with a pause, or it ends the
    sentence; it has no demand, and no word before it ("only when", "not if") makes it another."""
    if not tokens.main.isdisjoint(part):
        return False
    if hit.first == 0:
        return tokens.low(part.stop) == ","
    before = tokens.low(hit.first - 1)
    if before in _PAUSES:
        before = tokens.low(hit.first - 2)
    turned = before in tokens.words.sets["adverbs"] or before in tokens.words.sets["only"]
    return _ends(tokens, part.stop) and not turned


def _ends(tokens: Tokens, place: int) -> bool:
    return all(low in _MARKS for low in tokens.lows[place:])


def _holds(openers: list[Hit] | tuple[Hit, ...], part: range) -> bool:
    return any(hit.first in part for hit in openers)


def _rest(tokens: Tokens, places: dict[str, range]) -> range | None:
    """The tokens left without the parts and the words that open them; none where there are none,
    or only pieces."""
    taken = {place for each in places.values() for place in each}
    for hit in _conditions(tokens):
        if any(hit.end == each.start for each in places.values()):
            taken.update(range(hit.first, hit.end))
    left = [place for place in range(len(tokens.all)) if place not in taken]
    while left and tokens.lows[left[-1]] in _MARKS:
        left.pop()
    while left and tokens.lows[left[0]] in _MARKS:
        left.pop(0)
    if not left or left[-1] - left[0] != len(left) - 1:
        return None
    return range(left[0], left[-1] + 1)


def _is_exclusive(tokens: Tokens, rest: range) -> bool:
    """True if an "only" is left out: "only if" must not become "if"."""
    whole = len(rest) == len(tokens.all)
    return not whole and any(tokens.at("only", rest))


def _says(words: str, tokens: Tokens, rest: range) -> bool:
    """True if these words are all that is left."""
    lows = [low for low in tokens.lows[rest.start : rest.stop] if low not in _MARKS]
    return lows == [token.low for token in tokenise(words) if token.low not in _MARKS]


def _roles(words: str, tokens: Tokens) -> Iterator[str]:
    for found in _matches(words, tokens):
        start = found.start
        while start < found.stop and tokens.is_in("determiners", start):
            start += 1
        if 0 < found.stop - start <= _MOST_OF_A_ROLE:
            yield tokens.text[tokens.all[start].start : tokens.all[found.stop - 1].end]
            return
