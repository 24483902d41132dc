"""A file of the review that can't be read: the baseline, or the dismissals."""

from pathlib import Path

from veridical.contracts.language import Language
from veridical.messages import message


class RecordFileError(ValueError):
    """The error, with the file, the line and the advice."""

    def __init__(self, kind: str, path: Path, line: int = 0) -> None:
        self._kind, self._path, self._line = kind, path, line
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The problem in a person's language."""
        return message(f"review.{self._kind}", language, path=self._path, line=self._line)
