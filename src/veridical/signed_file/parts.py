"""The named parts of a page: the texts of its elements with ``data-part``."""

from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

ATTRIBUTE = "data-part"
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)


def parts_of(page: str) -> list[tuple[str, str]]:
    """Each part with its text, in the order of the page."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return [(name, "".join(reader.texts[at])) for at, name in enumerate(reader.names)]


def digest(text: str) -> str:
    """What stands for a text in the list that is signed."""
    return b64encode(sha256(text.encode()).digest()).decode().rstrip("=")


class _Reader(HTMLParser):
    """Collects the text of each part, with that of the elements within."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.names: list[str] = []
        self.texts: list[list[str]] = []
        self._open: list[tuple[str, int | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens an element."""
        if tag in _VOID:
            return
        name = dict(attrs).get(ATTRIBUTE)
        if name is not None:
            self.names.append(name)
            self.texts.append([])
        self._open.append((tag, None if name is None else len(self.names) - 1))

    def handle_endtag(self, tag: str) -> None:
        """Closes it, with whatever was left open within."""
        tags = [each for each, _ in self._open]
        if tag in tags:
            del self._open[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        """Text belongs to every part around it."""
        for _, part in self._open:
            if part is not None:
                self.texts[part].append(data)
