"""Validators that ship with Veridical, to be named in a skill's front matter."""

import re

from veridical.messages import message
from veridical.skills.validation import Submission

_FIGURE = re.compile(r"\d{2,}")


def has_sources(submission: Submission) -> str | None:
    """An objection to an answer that states figures though no call stands behind it."""
    given = set(_FIGURE.findall(submission.question))
    own = set(_FIGURE.findall(submission.answer)) - given
    if submission.sources or not own:
        return None
    return message("skills.no_sources", submission.language)
