"""Pronouns that may stand for two things named before them (PRO)."""

from collections.abc import Iterator

from veridical.requirements.morphology import is_infinitive, lemma
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens

Kinds = frozenset[str]
_SHORT = 3
_REACH = 200
"""Tokens before a pronoun: no reader relates it to a noun further away."""


def genders_of(tokens: Tokens, place: int) -> Kinds:
    """The genders a pronoun agrees with: m, f, n, p(lural); in English s(ingular), p and r(ole)."""
    low, sets = tokens.low(place), tokens.words.sets
    return frozenset(kind for kind in sets["kinds"] if low in sets[f"pronouns_{kind}"])


def candidates(tokens: Tokens, place: int) -> Iterator[tuple[int, Kinds]]:
    """The places of the nouns before a pronoun, each with what it may agree with."""
    return (
        _german_nouns(tokens, place) if tokens.language == "de" else _english_nouns(tokens, place)
    )


def _before(place: int) -> range:
    return range(max(0, place - _REACH), place)


def _german_nouns(tokens: Tokens, place: int) -> Iterator[tuple[int, Kinds]]:
    for here in _before(place):
        if not tokens.is_noun(here) or here in tokens.names:
            continue
        for before in (here - 1, here - 2):
            if tokens.is_in("articles", before):
                yield here, _gender(tokens, before)
                break


def _gender(tokens: Tokens, place: int) -> Kinds:
    """The genders an article shows; "der" after a noun or a preposition is not masculine."""
    low, sets = tokens.low(place), tokens.words.sets
    behind = tokens.is_noun(place - 1) and not _opens_condition(tokens, place - 1)
    if low in sets["article_of_two"] and (behind or tokens.is_in("prepositions", place - 1)):
        return frozenset({"f", "p"})
    return frozenset(kind for kind in sets["kinds"] if low in sets[f"articles_{kind}"])


def _opens_condition(tokens: Tokens, place: int) -> bool:
    """True if the sentence begins with this verb: Meldet der Sensor einen Fehler, …"""
    begins = tokens.sentence_of(place).start == place
    return begins and is_infinitive(lemma(tokens.all[place].text, "de"))


def _english_nouns(tokens: Tokens, place: int) -> Iterator[tuple[int, Kinds]]:
    """Noun phrases behind a determiner, and plurals without one."""
    heads = {
        head
        for here in _before(place)
        if tokens.is_in("determiners", here)
        and (head := _head(tokens, here + 1, place)) is not None
    }
    heads.update(here for here in _before(place) if _is_bare_plural(tokens, here, place))
    for head in sorted(heads):
        yield head, _number(tokens, head)


def _number(tokens: Tokens, head: int) -> Kinds:
    low, sets = tokens.low(head), tokens.words.sets
    if low in sets["roles"] or low.endswith(tokens.words.endings["role_endings"]):
        return frozenset({"r", "s"} if low in sets["systems"] else {"r"})
    if low in sets["plurals"]:
        return frozenset({"s", "p"})  # data is, data are
    plural = low.endswith("s") and not low.endswith("ss") and not tokens.all[head].text.isupper()
    return frozenset("p" if plural else "s")


def _is_bare_plural(tokens: Tokens, here: int, place: int) -> bool:
    """True if a plural ends its phrase here: before a preposition, a mark or the pronoun."""
    low, sets = tokens.low(here), tokens.words.sets
    plural = low in sets["plurals"] or (
        low.endswith("s") and len(low) > _SHORT and low != lemma(low, "en")
    )
    if not plural or low in sets["phrase_ends"] or low in sets["pronouns"]:
        return False
    after = tokens.low(here + 1)
    return here + 1 == place or after in sets["phrase_ends"] or not after[:1].isalpha()


def _head(tokens: Tokens, start: int, end: int) -> int | None:
    """The last word of the noun phrase that begins here."""
    sets = tokens.words.sets
    last = None
    for here in range(start, min(start + 5, end)):
        token = tokens.all[here]
        if not token.is_word or token.low in sets["phrase_ends"] or _is_verb(tokens, here, start):
            break
        last = here
    return last


def _is_verb(tokens: Tokens, here: int, start: int) -> bool:
    """True if a word inside the phrase is the verb behind it: a third person, or a modal."""
    low, sets = tokens.low(here), tokens.words.sets
    if here == start:
        return False
    stem = low[:-2] if low.endswith("es") and low[:-1] not in sets["action_verbs"] else low[:-1]
    return (
        low.endswith("s")
        and stem in sets["action_verbs"]
        and not (
            tokens.low(here + 1) in sets["phrase_ends"] and tokens.low(here + 1) in sets["modals"]
        )
    )


_FEWEST = 2


def ambiguous_pronouns(tokens: Tokens) -> Iterator[Mark]:
    """Pronouns with two nouns or more before them that agree."""
    for place in tokens.at("pronouns", range(len(tokens.all))):
        if place in tokens.names or _is_empty(tokens, place) or _determines(tokens, place):
            continue
        if _opens(tokens, place) or len(_agreeing(tokens, place)) >= _FEWEST:
            yield Mark(place, place + 1)


def _agreeing(tokens: Tokens, place: int) -> set[str]:
    """The nouns that agree; those of the same sentence, unless it has none."""
    wanted = genders_of(tokens, place)
    begun = tokens.sentence_of(place).start
    nouns = [
        (tokens.low(at), at >= begun) for at, kinds in candidates(tokens, place) if kinds & wanted
    ]
    here = {noun for noun, same in nouns if same}
    return here or {noun for noun, _ in nouns}


def _opens(tokens: Tokens, place: int) -> bool:
    """True if the requirement begins with it: what it stands for is in another one."""
    return place == 0 and tokens.is_in("opening_pronouns", place)


def _is_empty(tokens: Tokens, place: int) -> bool:
    """it is possible, es gibt."""
    sets = tokens.words.sets
    if tokens.low(place) not in sets["empty"]:
        return False
    near = tokens.lows[place + 1 : place + 4]
    return any(low in sets["expletive_after"] for low in near)


def _determines(tokens: Tokens, place: int) -> bool:
    """True if a demonstrative stands before its noun: "this message", "diese Meldung"."""
    sets = tokens.words.sets
    if tokens.low(place) not in sets["demonstratives"]:
        return False
    if tokens.language == "de":
        return tokens.is_noun(place + 1) or (
            tokens.is_noun(place + 2) and not tokens.is_in("determiners", place + 1)
        )
    return tokens.low(place + 1) not in sets["after_demonstratives"]
