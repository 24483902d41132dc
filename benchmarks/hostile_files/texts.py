"""Formats that are text: something before, a fragment over and over, something after."""

from dataclasses import dataclass

from benchmarks.data import data_beside

_DATA = data_beside(__file__)


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A fragment over and over between a beginning and an end."""

    fragments: tuple[str, ...]
    before: str = ""
    after: str = ""
    encoding: str = "utf-8"

    def made(self, fragment: str, size: int) -> bytes:
        """At most so many bytes."""
        ends = len(self._encoded(self.before + self.after))
        many = max(1, (size - ends) // max(1, len(self._encoded(fragment))))
        return self._encoded(f"{self.before}{fragment * many}{self.after}")[:size]

    def _encoded(self, text: str) -> bytes:
        is_for_all = self.encoding.startswith("utf")
        return text.encode(self.encoding, "surrogatepass" if is_for_all else "replace")


def _fragments(listed: list[str]) -> tuple[str, ...]:
    found: list[str] = []
    for each in listed:
        found += _fragments(_DATA[each[1:]]) if each.startswith("@") else [each]
    return tuple(found)


def _ends(text: str) -> str:
    for name in ("entities", "reqif_before", "reqif_after"):
        text = text.replace(f"@{name}", _DATA[name])
    return text


def _wrapped(kind: str) -> dict[str, tuple[Wrapped, ...]]:
    return {
        ending: tuple(
            Wrapped(
                _fragments(each["fragments"]),
                _ends(each.get("before", "")),
                _ends(each.get("after", "")),
                each.get("encoding", "utf-8"),
            )
            for each in made
        )
        for ending, made in _DATA[kind].items()
    }


ANY = _fragments(["@any"])
"""Fragments for whatever is read as text."""
REQIF = _fragments(["@reqif"])
REQIF_BEFORE, REQIF_AFTER = _ends("@reqif_before"), _ends("@reqif_after")
DOCUMENTS = _wrapped("documents")
"""What is ingested for search, by ending."""
REQUIREMENTS = _wrapped("requirements")
"""What is reviewed as requirements, by ending."""
