"""Yes, no and nothing known: what a sentence says of a record's attributes."""

from collections.abc import Iterator

from veridical.contracts.proof import Standing
from veridical.gate.records.attribute import Attribute, Truth
from veridical.gate.records.held import Held
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.records.mention import Mention, PhraseIndex, mentions
from veridical.gate.records.passage import Passages
from veridical.gate.records.polarity import Stance, stance
from veridical.gate.records.word import Word
from veridical.gate.records.word_lists import word_list, word_set

_STANDS = {
    (Stance.AFFIRMED, Truth.YES): Standing.GROUNDED,
    (Stance.AFFIRMED, Truth.NO): Standing.CONTRADICTED,
    (Stance.AFFIRMED, Truth.UNKNOWN): Standing.UNGROUNDED,
    (Stance.DENIED, Truth.YES): Standing.CONTRADICTED,
    (Stance.DENIED, Truth.NO): Standing.GROUNDED,
    (Stance.DENIED, Truth.UNKNOWN): Standing.UNGROUNDED,
}
_INVERSE = {
    Stance.AFFIRMED: Stance.DENIED,
    Stance.DENIED: Stance.AFFIRMED,
    Stance.UNSAID: Stance.UNSAID,
}
_LONGEST_GAP = 8
_PLACING = word_set("placing")
_BETWEEN = _PLACING | word_set("between")
_PAST_ENDINGS = word_list("past_endings")


def held_truths(
    sentence: tuple[Word, ...], index: PhraseIndex, passages: Passages, lexicon: RecordLexicon
) -> Iterator[Held]:
    """Each attribute that the sentence affirms or denies, and how that stands."""
    found = [each for each in mentions(sentence, index) if not _is_named_place(sentence, each)]
    for mention in found:
        attribute = mention.attribute
        if not _is_meant(mention, found, sentence, lexicon):
            continue
        said = _said(sentence, mention, lexicon)
        if said is Stance.UNSAID or (attribute.members and _told_by_member(said, mention, found)):
            continue
        standing = _STANDS[said, attribute.truth]
        if said is Stance.AFFIRMED and _told_in_passages(attribute, passages):
            standing = Standing.GROUNDED
        start, end = sentence[mention.first].start, sentence[mention.last].end
        yield Held(start, end, standing, attribute.says)


def _said(sentence: tuple[Word, ...], mention: Mention, lexicon: RecordLexicon) -> Stance:
    said = stance(sentence, mention.first, mention.last, lexicon)
    return _INVERSE[said] if mention.inverted else said


def _is_named_place(sentence: tuple[Word, ...], mention: Mention) -> bool:
    """``Mill Street`` is an address, not a kind of parking."""
    first = mention.first
    return bool(
        mention.attribute.group
        and first
        and sentence[first].text[0].isupper()
        and sentence[first - 1].text[0].isupper()
    )


def _is_meant(
    mention: Mention, found: list[Mention], sentence: tuple[Word, ...], lexicon: RecordLexicon
) -> bool:
    """Whether the words speak of the attribute: a lot of people is no parking lot."""
    attribute = mention.attribute
    if attribute.members:
        whole = not attribute.quality and not _is_qualified(mention, found, sentence)
        return whole and not sentence[mention.last].low.endswith(_PAST_ENDINGS)
    if not attribute.group:
        return not attribute.quality or _is_styled(mention, sentence, lexicon)
    if attribute.quality:
        spoken = any(word.root in lexicon.quality_roots for word in sentence)
        return spoken and sentence[mention.first].low == attribute.key.casefold()
    if any(word.low in lexicon.placed for word in sentence[: mention.first]):
        return False
    return any(each.attribute.key == attribute.group for each in found)


def _is_styled(mention: Mention, sentence: tuple[Word, ...], lexicon: RecordLexicon) -> bool:
    """``a rustic atmosphere``, ``no ambience``: more than the praise that any record bears."""
    near = sentence[max(0, mention.first - 4) : mention.last + 5]
    named = any(word.low in lexicon.styles for word in near)
    return named or stance(sentence, mention.first, mention.last, lexicon) is Stance.DENIED


def _is_qualified(mention: Mention, found: list[Mention], sentence: tuple[Word, ...]) -> bool:
    """``valet parking``, ``parking in a garage``: only the kind is spoken of, not the group."""
    kinds = [each for each in found if each.attribute.group == mention.attribute.key]
    named = {each.attribute.key for each in kinds}
    for kind in kinds:
        ahead = kind.first < mention.first
        first, second = (kind, mention) if ahead else (mention, kind)
        gap = [word.low for word in sentence[first.last + 1 : second.first]]
        if not ahead and gap and not any(word in _PLACING for word in gap):
            continue
        between = all(not w.isalnum() or w in _BETWEEN or w in named for w in gap)
        if len(gap) <= _LONGEST_GAP and between:
            return True
    return False


def _told_by_member(said: Stance, mention: Mention, found: list[Mention]) -> bool:
    """``No parking on site, but street parking``: the sentence itself names the kind there is."""
    return said is Stance.DENIED and any(
        each.attribute.group == mention.attribute.key and each.attribute.truth is Truth.YES
        for each in found
    )


def _told_in_passages(attribute: Attribute, passages: Passages) -> bool:
    """Whether the record's own texts speak of what its attribute leaves open, or of a quality."""
    if attribute.quality and attribute.group:
        return attribute.key.casefold() in passages.forms
    if attribute.quality:
        return False
    if attribute.truth is not Truth.UNKNOWN:
        return False
    return any(passages.mention(phrase) for phrase in attribute.phrases)
