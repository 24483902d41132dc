"""What a look left unread, in words."""

from collections.abc import Iterator

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.onboarding.look import Look
from veridical.onboarding.wording import sample_of

_MOST_NAMED = 8


def unread(look: Look, language: Language) -> Iterator[str]:
    """What nobody read of the data: a line for each sampled table, and one for the uncounted."""
    for each in look.sampled[:_MOST_NAMED]:
        yield f"{each.name}: {sample_of(each.seen, each.rows, language)}"
    if more := look.sampled[_MOST_NAMED:]:
        yield message("onboarding.more_sampled", language, count=len(more))
    missing = sorted(each.name for each in look.tables.values() if not each.counted)
    if missing:
        shown = ", ".join(missing[:_MOST_NAMED]) + (" …" if len(missing) > _MOST_NAMED else "")
        yield message("onboarding.not_read", language, tables=shown)
