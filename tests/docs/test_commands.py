"""Every command that a document names exists, with its options: also those that are not run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.commands import unknown_in
from tests.docs.markdown import documents, fences, name_of

_CALL = re.compile(r"(?:\S*/)?veridical (.*)")


def _commands(document: Path) -> Iterator[list[str]]:
    """The words after the program, for each time that a shell block calls it."""
    for fence in fences(document):
        if fence.language != "sh":
            continue
        for line in fence.content.replace("\\\n", " ").splitlines():
            for part in re.split(r"&&|\|\|?|;|>", line):
                if call := _CALL.fullmatch(part.strip()):
                    yield shlex.split(call[1], comments=True)


@pytest.mark.parametrize(
    "document", [each for each in documents() if any(_commands(each))], ids=name_of
)
def test_commands_exist(document: Path) -> None:
    wrong = [" ".join(words) for words in _commands(document) if unknown_in(words) is not None]
    assert wrong == []
