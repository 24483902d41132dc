"""Every kind of file becomes text, with the title and date that it states."""

import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from docx import Document
from hypothesis import given
from hypothesis import strategies as st

from veridical.search.documents.parsed import ParsedDocument, UnreadableError, read_date
from veridical.search.documents.registry import PARSERS, parse
from veridical.search.origins import domain_type, origin_of, url_of

_PAGE = b"""<!doctype html><html><head><title>Rules</title>
<meta property="article:published_time" content="2024-06-01T09:00:00+02:00"></head>
<body><nav>Home About Contact</nav><article><h1>Rules of residency</h1>
<p>Employee data stays in the country where the employee works, unless the works council and the
data protection officer agree to a transfer in writing.</p>
<p>Transfers are logged, and the log is kept for six years.</p></article>
<script>alert(1)</script></body></html>"""
_FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<item><title>One</title><link>https://www.bund.de/one</link><description>First entry.</description>
<pubDate>Sat, 01 Jun 2024 09:00:00 +0200</pubDate></item>
<item><title>Two</title><link>https://example.com/two</link><description>Second.</description></item>
</channel></rss>"""
_MOMENT = datetime(2024, 6, 1, 7, tzinfo=UTC)


def only(name: str, content: bytes) -> ParsedDocument:
    (parsed,) = parse(Path(name), content)
    return parsed


def _text(parsed: ParsedDocument) -> str:
    return "\n".join(section.text for section in parsed.sections)


def test_markdown_keeps_headings_and_front_matter() -> None:
    content = (
        b"---\ntitle: Guide\ndate: 2024-06-01T07:00:00Z\nurl: https://a.org/guide\n---\nIntro [link](https://x.y).\n"
        b"# A\ntext a\n## B\n```\n# not a heading\n```\n# C\ntext c\n"
    )
    parsed = only("a.md", content)
    assert (parsed.title, parsed.detected_date) == ("Guide", _MOMENT)
    assert parsed.source == "https://a.org/guide"
    assert [section.heading for section in parsed.sections] == ["", "A", "A › B", "C"]
    assert parsed.sections[0].text == "Intro link."
    assert "# not a heading" in parsed.sections[2].text


def test_a_page_is_its_main_text() -> None:
    parsed = only("a.html", _PAGE)
    assert "unless the works council and the data protection officer" in _text(parsed)
    assert not any(word in _text(parsed) for word in ("alert", "Contact"))
    assert [section.heading for section in parsed.sections] == ["Rules of residency"]
    assert (parsed.title, parsed.detected_date) == ("Rules", _MOMENT)


def test_a_page_without_paragraphs_is_all_its_text() -> None:
    assert _text(only("a.html", b"<div>one<div>two</div></div>")) == "one\ntwo"
    assert only("a.html", b"<html><body></body></html>").sections == ()


def test_a_feed_is_one_document_for_each_entry() -> None:
    one, two = parse(Path("a.rss"), _FEED)
    assert (one.title, _text(one), one.detected_date) == ("One", "First entry.", _MOMENT)
    origin = origin_of(Path("a.rss"), one, "v1", ("public",), is_believed=True)
    assert origin.source == "https://www.bund.de/one"
    assert (origin.host, origin.domain_type) == ("www.bund.de", "government")
    assert (origin.version, origin.policy_tags) == ("v1", ("public",))
    assert origin_of(Path("a.rss"), two, is_believed=True).domain_type == "commercial"


def test_json_is_one_document_for_each_object() -> None:
    lines = "\n".join(
        json.dumps({"id": n, "text": f"text {n}", "date": "2024-06-01"}) for n in "ab"
    )
    for content in (lines, "[" + lines.replace("\n", ",") + "]"):
        one, two = parse(Path("a.jsonl"), content.encode())
        assert (_text(one), _text(two)) == ("text a", "text b")
        assert one.detected_date == datetime(2024, 6, 1, tzinfo=UTC)
        assert origin_of(Path("f/a.jsonl"), two).source == "f/a.jsonl#b"
    with pytest.raises(UnreadableError):
        list(parse(Path("a.json"), b"{not json"))


def test_word_documents_have_paragraphs_and_tables() -> None:
    made = Document()
    made.core_properties.title = "Contract"
    made.add_heading("Notice", 1)
    made.add_paragraph("Three months.")
    table = made.add_table(1, 2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "fee", "12 EUR"
    file = BytesIO()
    made.save(file)
    parsed = only("a.docx", file.getvalue())
    assert parsed.title == "Contract"
    assert [section.heading for section in parsed.sections] == ["Notice"]
    assert _text(parsed) == "Three months.\nfee | 12 EUR"


def test_a_pdf_has_a_section_for_each_page() -> None:
    stream = b"BT /F1 12 Tf 72 700 Td (The notice period is three months.) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    made, places = b"%PDF-1.4\n", list[int]()
    for number, each in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    made += b"xref\n0 6\n0000000000 65535 f \n%btrailer\n<< /Size 6 /Root 1 0 R >>\n" % table
    made += b"startxref\n%d\n%%%%EOF" % made.index(b"xref")
    parsed = only("a.pdf", made)
    assert _text(parsed) == "The notice period is three months."
    assert parsed.sections[0].heading == "1"


def test_text_of_any_encoding_is_read() -> None:
    text = "Die Kündigungsfrist beträgt drei Monate. Über Änderungen wird früh informiert."
    for encoding in ("utf-8", "utf-8-sig", "cp1252"):
        assert _text(only("a.txt", text.encode(encoding))) == text


@given(st.binary(max_size=300), st.sampled_from(sorted(PARSERS)))
def test_no_bytes_break_a_parser(content: bytes, suffix: str) -> None:
    try:
        found = list(parse(Path("a" + suffix), content))
    except UnreadableError:
        return
    assert all(isinstance(each, ParsedDocument) for each in found)


def test_what_has_no_parser_is_refused() -> None:
    with pytest.raises(UnreadableError):
        list(parse(Path("a.png"), b""))


@pytest.mark.parametrize(
    ("stated", "read"),
    [
        ("2024-06-01T09:00:00+02:00", _MOMENT),
        ("2024-06-01T07:00:00Z", _MOMENT),
        ("2024-06-01T07:00:00", _MOMENT),
        ("Sat, 01 Jun 2024 09:00:00 +0200", _MOMENT),
        ("2024", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_dates_have_a_time_zone(stated: str | None, read: datetime | None) -> None:
    assert read_date(stated) == read


def test_kinds_of_hosts() -> None:
    hosts = ("www.bsi.bund.de", "arxiv.org", "mit.edu", "", "unknown.example")
    assert [domain_type(host) for host in hosts] == [
        "government",
        "academic",
        "academic",
        "internal",
        "",
    ]


def test_local_files_have_addresses_too() -> None:
    (one,) = parse(Path("/srv/a b/c.md"), b"# One\n\nText.\n")
    origin = origin_of(Path("/srv/a b/c.md"), one)
    assert (origin.source, url_of(origin)) == ("/srv/a b/c.md", "file:///srv/a%20b/c.md")
    feed, _ = parse(Path("a.rss"), _FEED)
    believed = origin_of(Path("a.rss"), feed, is_believed=True)
    assert url_of(believed) == "https://www.bund.de/one"
