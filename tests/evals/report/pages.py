"""A page read back as a browser would read it."""

from html.parser import HTMLParser

_VOID = {"meta", "br", "img", "input", "hr", "link"}
Attributes = dict[str, str]


class Page(HTMLParser):
    """The elements of a page in their order, and all text within each, by its name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[tuple[str, int]] = []
        self.feed(text)
        self.close()

    @property
    def unclosed(self) -> list[str]:
        """What was never closed."""
        return [tag for tag, _ in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            held = self.texts.setdefault(tag, [])
            self._open.append((tag, len(held)))
            held.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for tag, number in self._open:
            self.texts[tag][number] += data

    def values(self, attribute: str) -> list[str]:
        """Every value of an attribute."""
        return [held[attribute] for _, held in self.elements if attribute in held]
