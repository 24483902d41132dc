"""Rules that are a list of phrases, some with a condition on what stands around a phrase."""

from collections.abc import Callable, Iterator

from veridical.requirements.form import Form
from veridical.requirements.lexicon import Hit
from veridical.requirements.rules.comparison import is_possible_degree
from veridical.requirements.rules.mark import Mark, in_main, is_quantified, overlaps, phrases
from veridical.requirements.rules.obligation import is_permission
from veridical.requirements.tokens import Tokens

_WINDOW = 6


def by_phrases(
    rule: str, counts: Callable[[Tokens, Hit], bool] = lambda _tokens, _hit: True
) -> Callable[[Tokens], Iterator[Mark]]:
    """The rule that finds the phrases of its list, those that count."""

    def find(tokens: Tokens) -> Iterator[Mark]:
        return (Mark(hit.first, hit.end) for hit in phrases(tokens, rule) if counts(tokens, hit))

    return find


def is_open_point(tokens: Tokens, hit: Hit) -> bool:
    """TBD: "offen" only where it ends a clause and describes no thing."""
    after, before = tokens.low(hit.first + 1), tokens.low(hit.first - 1)
    alone = (not after or after in ".,;)") and (not before or before in ":(,-–")
    return hit.group != "open" or alone


def is_vague_time(tokens: Tokens, hit: Hit) -> bool:
    """TMP: a time that no figure settles; not the order of two steps."""
    return hit.group != "order" and not is_quantified(tokens, hit)


def is_escape(tokens: Tokens, hit: Hit) -> bool:
    """ESC: no reference to a norm and no degree ("möglichst leise")."""
    if hit.group == "reference":
        return False
    degree = hit.group == "degree" and is_possible_degree(tokens, hit.first)
    return not degree and not overlaps(tokens, hit, "TMP", "OPN")


def is_weak_modal(tokens: Tokens, hit: Hit) -> bool:
    """MODW: leaves open whether it obliges; "may" only where it permits nothing to a role."""
    sentence = tokens.sentence_of(hit.first)
    opens_condition = (  # Should the link fail, …
        hit.first == sentence.start and "," in tokens.lows[hit.first : sentence.stop]
    )
    if opens_condition or tokens.is_defined(hit.first):
        return False
    if hit.group == "may" and is_permission(tokens, hit.first):
        return False
    return hit.group != "own" or hit.first in tokens.main


def is_unknown_actor(tokens: Tokens, hit: Hit) -> bool:
    """MAN: "one" where a verb follows; no abbreviation such as MAN."""
    word = tokens.all[hit.first].text
    if word.isupper() and len(word) > 1:
        return False
    if hit.group != "one":
        return True
    after = tokens.low(hit.first + 1)
    sets = tokens.words.sets
    opened = tokens.is_in("subordinators", hit.first - 1)  # when one presses the key
    return after in sets["modals"] or after in sets["after_one"] or (opened and after[-1:] == "s")


def is_vague_quantity(tokens: Tokens, hit: Hit) -> bool:
    """QNT: not "at most", "as many as" or "so viele"."""
    sets = tokens.words.sets
    before, after = tokens.low(hit.first - 1), tokens.low(hit.end)
    if before in sets["before_quantity"] or after in sets["after_quantity"]:
        return False
    if tokens.is_in("comparative_quantities", hit.first) and before not in sets["genitive"]:
        return False  # weniger Wasser; but: innerhalb weniger Minuten
    return not (overlaps(tokens, hit, "SUP", "ESC", "TMP", "OPN") or after[:1].isdigit())


def is_absolute(tokens: Tokens, hit: Hit) -> bool:
    """ABS: what nothing attains; 100 % and zero only where they demand a quality."""
    if hit.group in {"whole", "zero"} and not _demands_quality(tokens, hit.first, hit.end):
        return False
    whenever = tokens.words.sets["whenever"]
    after = hit.end + (tokens.low(hit.end) == ",")
    return tokens.low(after) not in whenever


def _demands_quality(tokens: Tokens, first: int, end: int) -> bool:
    near = tokens.lows[max(0, first - _WINDOW) : end + _WINDOW]
    qualities = tokens.words.sets["absolute_qualities"]
    scale = any(
        low in tokens.words.sets["scale_words"] for low in tokens.lows[max(0, first - 3) : first]
    )
    return not scale and any(low in qualities for low in near)


def is_ability(tokens: Tokens, hit: Hit) -> bool:
    """INF: an ability in a main clause; German "können" behind another modal."""
    if not in_main(tokens, hit):
        return False
    if hit.group != "can" or tokens.form is Form.STORY:
        return True
    before = range(tokens.sentence_of(hit.first).start, hit.first)
    return any(place in tokens.main for place in tokens.at("modals", before))
