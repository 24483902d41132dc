"""The error for a file that can't be read as requirements."""

from veridical.contracts.language import Language
from veridical.limited_process.limits import LimitError
from veridical.messages import message


class UnreadableFileError(ValueError):
    """A file that can't be read: why, and where; the caller that knows the source sets it."""

    def __init__(self, kind: str, place: str = "", limit: LimitError | None = None) -> None:
        self.kind, self.place, self.source = kind, place, ""
        self.limit = limit
        """The limit that reading it exceeded."""
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The problem in a person's language."""
        key = f"requirements.file_{self.kind}"
        place = self.limit.message(language) if self.limit else self.place
        return message(key, language, source=self.source, place=place)
