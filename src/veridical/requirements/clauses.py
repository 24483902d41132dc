"""The tokens of the main clause: not in a condition, a relative clause or a purpose."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from veridical.requirements.token import Token

Sets = Mapping[str, frozenset[str]]
_PAUSES = frozenset(",;:()–—")
_VERB_ENDINGS = ("t", "n", "ss", "ll", "rf")


def main_clause(
    tokens: Sequence[Token], sentences: Iterable[range], sets: Sets, language: str
) -> frozenset[int]:
    """The places of the tokens that state the required action."""
    parts = _german if language == "de" else _english
    return frozenset(
        place for sentence in sentences for part in parts(tokens, sentence, sets) for place in part
    )


def _german(tokens: Sequence[Token], sentence: range, sets: Sets) -> Iterator[range]:
    """German puts a comma before and behind each clause."""
    parts = list(between_pauses(tokens, sentence))
    for place, part in enumerate(parts):
        if place == 0 and len(parts) > 1 and tokens[parts[1].start].low in sets["modals"]:
            continue  # the verb comes second: what stands before the comma is a condition
        lows = [tokens[place].low for place in part]
        opened = lows[0] in sets["subordinators"] and not _has_early_modal(lows, sets)
        if not opened and not _is_relative(tokens, part, sets):
            yield part


def _has_early_modal(lows: Sequence[str], sets: Sets) -> bool:
    """True if a word such as "bis" opens no clause: the modal stands early, not at the end."""
    modals = [place for place, low in enumerate(lows) if low in sets["modals"]]
    return bool(modals) and modals[0] < len(lows) - 2


def _is_relative(tokens: Sequence[Token], part: range, sets: Sets) -> bool:
    words = [tokens[place] for place in part if tokens[place].is_word]
    if len(words) < 3 or part.start == 0 or tokens[part.start - 1].text != ",":
        return False
    first, second, last = words[0].low, words[1].low, words[-1]
    pronoun = first in sets["relatives"] or (
        first in sets["prepositions"] and second in sets["relatives"] and words[2].text[0].islower()
    )
    if tokens[part.start - 2].low.endswith("n") and any(
        word.low in sets["joins"] for word in words
    ):
        return False  # one more verb of the same modal: "beenden, die Daten sichern und …"
    finite = last.text[0].islower() and last.low.endswith(_VERB_ENDINGS)
    return pronoun and finite and not _has_early_modal([word.low for word in words], sets)


def between_pauses(tokens: Sequence[Token], sentence: range) -> Iterator[range]:
    """The parts of a sentence between commas and brackets."""
    begun = sentence.start
    for place in sentence:
        if tokens[place].text in _PAUSES:
            if place > begun:
                yield range(begun, place)
            begun = place + 1
    if begun < sentence.stop:
        yield range(begun, sentence.stop)


def _english(tokens: Sequence[Token], sentence: range, sets: Sets) -> Iterator[range]:
    """English ends a clause with a comma, with "then", or with the modal of the main clause."""
    outside, begun = True, sentence.start
    for place in sentence:
        low = tokens[place].low
        if outside and _opens(tokens, place, sets):
            yield range(begun, place)
            outside = False
        elif not outside and (
            low in _PAUSES or low in sets["clause_closers"] or low in sets["imperatives"]
        ):
            outside, begun = True, place
    if outside:
        yield range(begun, sentence.stop)


def _opens(tokens: Sequence[Token], place: int, sets: Sets) -> bool:
    low = tokens[place].low
    before = tokens[place - 1].low if place else ""
    after = tokens[place + 1].low if place + 1 < len(tokens) else ""
    if low in sets["subordinators"]:
        return True
    if low in sets["relatives"]:
        return before not in sets["that_verbs"] and after not in sets["imperatives"]
    return f"{low} {after}" in sets["purposes"]
