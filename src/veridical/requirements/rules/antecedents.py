"""What a pronoun may stand for: the nouns before it, by gender and number."""

from collections.abc import Iterator

from veridical.requirements.tokens import Tokens

Kinds = frozenset[str]
_ANY: Kinds = frozenset({"m", "f", "n", "p"})


def genders_of(tokens: Tokens, place: int) -> Kinds:
    """What a pronoun agrees with: m, f, n, p(lural); in English s(ingular), p and r(ole)."""
    low, sets = tokens.low(place), tokens.words.sets
    return frozenset(kind for kind in sets["kinds"] if low in sets[f"pronouns_{kind}"])


def candidates(tokens: Tokens, place: int) -> Iterator[tuple[str, Kinds]]:
    """The nouns before a pronoun, each with what it may agree with."""
    return _german(tokens, place) if tokens.language == "de" else _english(tokens, place)


def _german(tokens: Tokens, place: int) -> Iterator[tuple[str, Kinds]]:
    for here in range(place):
        if not tokens.is_noun(here) or here in tokens.names:
            continue
        for before in (here - 1, here - 2):
            if tokens.is_in("articles", before):
                yield tokens.low(here), _gender(tokens, before)
                break


def _gender(tokens: Tokens, place: int) -> Kinds:
    """What an article tells; "der" after a noun or a preposition is not masculine."""
    low, sets = tokens.low(place), tokens.words.sets
    if low in sets["article_of_two"] and (
        tokens.is_noun(place - 1) or tokens.is_in("prepositions", place - 1)
    ):
        return frozenset({"f", "p"})
    return frozenset(kind for kind in sets["kinds"] if low in sets[f"articles_{kind}"])


def _english(tokens: Tokens, place: int) -> Iterator[tuple[str, Kinds]]:
    for here in range(place):
        if not tokens.is_in("determiners", here):
            continue
        head = _head(tokens, here + 1, place)
        if head is None:
            continue
        low = tokens.low(head)
        if low in tokens.words.sets["roles"] or low.endswith(tokens.words.endings["role_endings"]):
            yield low, frozenset({"r", "s"} if low in tokens.words.sets["systems"] else {"r"})
        else:
            yield low, frozenset("p" if low.endswith("s") and not low.endswith("ss") else "s")


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
    """Whether a word inside the phrase is the verb behind it: a third person, or a modal."""
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
