"""PDF: objects that contain themselves, streams that unpack without end, pages without number."""

import zlib
from dataclasses import dataclass

_FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_PAGE = (
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources"
    " << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>"
)
_USUAL = {
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    3: _PAGE,
    5: _FONT,
}


@dataclass(frozen=True, slots=True)
class Pdf:
    """A document whose fourth object is a stream with a fragment over and over."""

    fragments: tuple[str, ...]
    objects: dict[int, str]
    before: str = ""
    after: str = ""
    is_packed: bool = True
    trailer: str = ""
    stream: int = 4
    about: str = ""

    def made(self, fragment: str, size: int) -> bytes:
        """As near to this size as its compression lets it."""
        many = max(1, size * (200 if self.is_packed else 1) // max(1, len(fragment)))
        while len(file := self._written(fragment * many)) > size and many > 1:
            many = many * 3 // 4
        return file[:size]

    def _written(self, many: str) -> bytes:
        data = f"{self.before}{many}{self.after}".encode("latin-1", "replace")
        filters = ""
        if self.is_packed:
            data, filters = zlib.compress(data), " /Filter /FlateDecode"
        stream = b"<< /Length %d%b%b >>\nstream\n%b\nendstream" % (
            len(data), filters.encode(), self.about.encode(), data
        )  # fmt: skip
        objects = {number: each.encode() for number, each in {**_USUAL, **self.objects}.items()}
        objects[self.stream] = stream
        file, places = b"%PDF-1.7\n", dict[int, int]()
        for number, each in objects.items():
            places[number] = len(file)
            file += b"%d 0 obj\n%b\nendobj\n" % (number, each)
        begun, last = len(file), max(objects)
        file += b"xref\n0 %d\n" % (last + 1)
        file += b"".join(
            b"%010d %05d %c \n" % (places.get(each, 0), 0, b"nf"[each not in places])
            for each in range(last + 1)
        )
        trailer = f"trailer\n<< /Size {last + 1} /Root 1 0 R {self.trailer} >>\nstartxref\n"
        return file + f"{trailer}{begun}\n%%EOF".encode()


_TEXTS = (
    "BT /F1 12 Tf 72 700 Td (a) Tj ET\n", "(a) Tj ", "[(a) -500 (b)] TJ ", "q ", "q Q ", "BT ",
    "[", "<<", "(", "1 0 0 1 0 0 cm ", "/X Do ", "T* ", "/F1 1 Tf ", "BI ID EI ", "% a\n", "1 ",
    "(\\000) ' ", "<41> Tj ",
)  # fmt: skip
_RECURSIVE = (
    "<< /Type /XObject /Subtype /Form /Length 12 /Resources << /XObject << /X 6 0 R >> >> >>\n"
    "stream\n/X Do /X Do \nendstream"
)
_UNICODE = (
    "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 4 0 R"
    " /DescendantFonts [] >>"
)
_PAGE_OF_7 = _PAGE.replace("4 0 R", "7 0 R")
_SHORT = "<< /Length 32 >>\nstream\nBT /F1 12 Tf 72 700 Td (ab) Tj ET\nendstream"
PDF = (
    Pdf(_TEXTS, {}),
    Pdf(_TEXTS, {}, is_packed=False),
    Pdf(("/X Do ",), {6: _RECURSIVE}),
    Pdf(
        (
            "<0000> <FFFF> <0000>\n",
            "<0041> <0042>\n",
            "1 beginbfrange ",
            "<0000> <FFFFFF> [<0041>]\n",
        ),
        {3: _PAGE_OF_7, 5: _UNICODE, 7: _SHORT},
        "/CIDInit begincmap 1 beginbfrange\n",
        "endbfrange endcmap",
    ),
    Pdf(("3 0 R ", "2 0 R ", "8 0 R "), {2: "<< /Type /Pages /Kids 4 0 R /Count 99999999 >>"}),
    Pdf(("a",), {2: "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 99999999 >>"}),
    Pdf(("a",), {2: "<< /Type /Pages /Kids [" + "3 0 R " * 5_000 + "] /Count 5000 >>"}),
    Pdf(("a", "<<", "[", "(", "/a "), {1: "[" * 5_000}),
    Pdf(("a",), {}, trailer="/Prev 0"),
    Pdf(("a",), {}, trailer="/Prev 9 /XRefStm 9 /Encrypt 4 0 R"),
    Pdf(("BT (a) Tj ET ",), {}, about=" /DecodeParms << /Predictor 12 /Columns 99999999 >>"),
    Pdf(("a", "~>", "z"), {}, is_packed=False, about=" /Filter [" + "/ASCII85Decode " * 50 + "]"),
    Pdf(
        ("a", "\x80a", "\x81ab"),
        {},
        is_packed=False,
        about=" /Filter [/LZWDecode /RunLengthDecode]",
    ),
    Pdf(
        ("1 0 ", "9 9 "),
        {1: "<< /Type /Catalog /Pages 10 0 R >>"},
        about=" /Type /ObjStm /N 99999999 /First 9",
    ),
    Pdf(("\0", "\1\0\0"), {}, about=" /Type /XRef /W [1 2 1] /Size 99999999 /Root 1 0 R"),
)
"""Documents, most of which are hostile in another object than the one that repeats."""
