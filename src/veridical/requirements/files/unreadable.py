"""A file that holds no requirements as its name says."""

from veridical.contracts.language import Language
from veridical.limited_process.limits import LimitError
from veridical.messages import message


class UnreadableFileError(ValueError):
    """What is wrong, and where; the source is set by whoever knows it."""

    def __init__(self, kind: str, place: str = "", limit: LimitError | None = None) -> None:
        self.kind, self.place, self.source = kind, place, ""
        self.limit = limit
        """That reading it went beyond."""
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """What is wrong in a person's language."""
        key = f"requirements.file_{self.kind}"
        place = self.limit.message(language) if self.limit else self.place
        return message(key, language, source=self.source, place=place)
