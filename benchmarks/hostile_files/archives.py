"""Formats that are archives of XML: small files that unpack to large ones, or declare to."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.data import data_beside
from benchmarks.hostile_files.texts import REQIF, REQIF_AFTER, REQIF_BEFORE

_DATA = data_beside(__file__)


@dataclass(frozen=True, slots=True)
class Archive:
    """Parts of an archive, one of which has a fragment over and over."""

    fragments: tuple[str, ...]
    parts: Mapping[str, str]
    place: str
    before: str = ""
    after: str = ""
    growth: int = 200
    """How much larger the part is than the archive, at most."""

    def made(self, fragment: str, size: int) -> bytes:
        """As near to this size as its compression lets it."""
        many = max(1, size * self.growth // max(1, len(fragment)))
        while len(packed := self.packed(fragment * many)) > size and many > 1:
            many = many * 3 // 4
        return packed[:size]

    def packed(self, many: str) -> bytes:
        """The archive with this in its part."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in self.parts.items():
                if name != self.place:
                    archive.writestr(name, text)
            text = f"{self.before}{many}{self.after}"
            archive.writestr(self.place, text.encode("utf-8", "surrogatepass"))
        return file.getvalue()


def _archives(kind: str) -> tuple[Archive, ...]:
    return tuple(
        Archive(
            **each | {"fragments": tuple(each["fragments"]), "parts": _DATA["parts"][each["parts"]]}
        )
        for each in _DATA[kind]
    )


DOCX = _archives("docx")
XLSX = _archives("xlsx")
REQIFZ = (
    Archive(REQIF, {}, "a.reqif", REQIF_BEFORE, REQIF_AFTER),
    Archive((" ", "0"), {}, "a.reqif", "<a>", "</a>", 1000),
)
