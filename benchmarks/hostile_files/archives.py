"""Formats that are archives of XML: small files that unpack to large ones, or declare to."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.hostile_files.texts import REQIF, REQIF_AFTER, REQIF_BEFORE

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
    'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>{}</Types>'
)
_LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}'
    "</Relationships>"
)
_OFFICE = "application/vnd.openxmlformats-officedocument"


def _part(name: str, kind: str) -> str:
    return f'<Override PartName="{name}" ContentType="{_OFFICE}.{kind}+xml"/>'


_DOCX = {
    "[Content_Types].xml": _TYPES.format(
        _part("/word/document.xml", "wordprocessingml.document.main")
    ),
    "_rels/.rels": _LINKS.format(
        f'<Relationship Id="r1" Type="{_R}/officeDocument" Target="word/document.xml"/>'
    ),
}
_XLSX = {
    "[Content_Types].xml": _TYPES.format(
        _part("/xl/workbook.xml", "spreadsheetml.sheet.main")
        + _part("/xl/worksheets/sheet1.xml", "spreadsheetml.worksheet")
        + _part("/xl/sharedStrings.xml", "spreadsheetml.sharedStrings")
    ),
    "_rels/.rels": _LINKS.format(
        f'<Relationship Id="r1" Type="{_R}/officeDocument" Target="xl/workbook.xml"/>'
    ),
    "xl/workbook.xml": f'<workbook {_S} xmlns:r="{_R}"><sheets><sheet name="a" sheetId="1"'
    ' r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": _LINKS.format(
        f'<Relationship Id="r1" Type="{_R}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{_R}/sharedStrings" Target="sharedStrings.xml"/>'
    ),
    "xl/sharedStrings.xml": f"<sst {_S}><si><t>text</t></si></sst>",
}
_HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>text</t></is></c></row>'
_CELL = "<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>"


@dataclass(frozen=True, slots=True)
class Archive:
    """Parts of an archive, one of which has a fragment over and over."""

    fragments: tuple[str, ...]
    parts: Mapping[str, str]
    place: str
    before: str
    after: str
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


_DOC_FRAGMENTS = (
    "<w:p><w:r><w:t>a</w:t></w:r></w:p>",
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:p>',
    f"<w:tbl><w:tr>{_CELL}</w:tr></w:tbl>",
    f"<w:tbl><w:tr>{_CELL * 50}</w:tr></w:tbl>",
    "<w:tbl><w:tr><w:tc>",
    "<w:p>",
    "<w:sdt><w:sdtContent>",
    "<a/>",
    "&#50;",
)
_ROWS = (
    f"<w:tr>{_CELL * 20}</w:tr>",
    '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="100000"/></w:tcPr><w:p/></w:tc></w:tr>',
    "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr>",
    "<w:tr/>",
)
_BODY = f"<w:document {_W}><w:body>"
DOCX = (
    Archive(_DOC_FRAGMENTS, _DOCX, "word/document.xml", _BODY, "</w:body></w:document>"),
    Archive(_ROWS, _DOCX, "word/document.xml", f"{_BODY}<w:tbl>", "</w:tbl></w:body></w:document>"),
    Archive((" ", "0"), _DOCX, "word/document.xml", "<a>", "</a>", 1000),
    Archive((" ", "0"), _DOCX, "word/media/image1.png", "", "", 1000),
)
_SHEET_FRAGMENTS = (
    '<row><c t="inlineStr"><is><t>It shall ring.</t></is></c></row>',
    '<row><c t="s"><v>0</v></c></row>',
    '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    '<row r="99999999999"><c><v>1</v></c></row>',
    '<row r="2"><c r="XFD2" t="inlineStr"><is><t>a</t></is></c></row>',
    "<row>" + '<c r="A1"><v>1</v></c>' * 30 + "</row>",
    "<row/>",
    "<row><c>",
    "<c/>",
    '<row><c t="d"><v>2024-01-01</v></c></row>',
)
_AFTER = "</sheetData></worksheet>"


def _sheet(dimension: str) -> Archive:
    before = f'<worksheet {_S}><dimension ref="{dimension}"/><sheetData>{_HEAD}'
    return Archive(_SHEET_FRAGMENTS, _XLSX, "xl/worksheets/sheet1.xml", before, _AFTER)


XLSX = (
    _sheet("A1:A2"),
    _sheet("A1:XFD1048576"),
    Archive(
        ("<si><t>a</t></si>", "<si><r><t>", "<a>"),
        {**_XLSX, "xl/worksheets/sheet1.xml": f"<worksheet {_S}><sheetData>{_HEAD}{_AFTER}"},
        "xl/sharedStrings.xml",
        f"<sst {_S}>",
        "</sst>",
    ),
    Archive(
        ("<xf/>", "<font><b/></font>", "<numFmt/>"),
        {**_XLSX, "xl/worksheets/sheet1.xml": f"<worksheet {_S}><sheetData>{_HEAD}{_AFTER}"},
        "xl/styles.xml",
        f"<styleSheet {_S}><cellXfs>",
        "</cellXfs></styleSheet>",
    ),
    Archive((" ", "0"), _XLSX, "xl/worksheets/sheet1.xml", "<a>", "</a>", 1000),
)
REQIFZ = (
    Archive(REQIF, {}, "a.reqif", REQIF_BEFORE, REQIF_AFTER),
    Archive((" ", "0"), {}, "a.reqif", "<a>", "</a>", 1000),
)
