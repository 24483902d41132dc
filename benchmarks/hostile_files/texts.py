"""Formats that are text: something before, a fragment over and over, something after."""

from dataclasses import dataclass

ANY = (
    "a", " ", "\n", "\t", "\0", "(", "[", "{", "<", "&", "`", "*", "#", "- ", "1. ", "| ", "!", ".",
    '"', "'", "\\", "é", "余", "\u2028", "\u200b", "a b ", "![](", "[a](", "](a) ", "**", "__",
    "```\n", "A-1 ", ":a: ", "...", "..:: ", "> ", "\r", "a\n", "Das System muss. ", "9" * 400,
)  # fmt: skip
"""Fragments for whatever is read as text."""
_TAGS = (
    "<div>", "<div><p>", "<p>", "<p>a</p>", "<article>a", "<main><article>", "<h1>a</h1>", "<li>",
    "<table><tr><td>", "<b>", "<a href=a>", "<!--", "<script>", "<svg>", "<template>", "<form>",
    "<nav><p>", "<link rel=canonical href=http://a.b/>", "<meta name=date content=2024-01-01>",
    "&amp;", "&#50;", "<x a='1' ", "<title>", "<select><option>", "<div aria-hidden=true>", "</p>",
    "<table>", "<dl><dt>", "<pre>\n",
)  # fmt: skip
_ENTITIES = '<!DOCTYPE a [<!ENTITY e0 "ha">' + "".join(
    f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9)
)


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


_ITEM = "<item><title>a</title><link>http://a.b/</link><description>a</description></item>"
_FEED = (*_TAGS, _ITEM, "<item>", "<item><description>&lt;div&gt;&lt;p&gt;", "<![CDATA[", "&e9;")
_YAML = ("a: b\n", "- ", "? ", "[", "{a: ", "&a ", "*a ", "a: &a [*a]\n", "!!python/a ", "a: |\n ")
_NEED = '"A": {"id": "A", "content": "It shall ring."}, '
_OBJECT = (
    '<SPEC-OBJECT IDENTIFIER="a" LAST-CHANGE="2024-01-01T00:00:00Z"><TYPE><SPEC-OBJECT-TYPE-REF>t'
    "</SPEC-OBJECT-TYPE-REF></TYPE></SPEC-OBJECT>"
)
REQIF_BEFORE = (
    '<?xml version="1.0" encoding="UTF-8"?><REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/'
    'reqif.xsd"><CORE-CONTENT><REQ-IF-CONTENT><DATATYPES/><SPEC-TYPES/><SPEC-OBJECTS>'
)
REQIF_AFTER = "</SPEC-OBJECTS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>"
REQIF = (_OBJECT, "<SPEC-OBJECT>", "<a>", "<a/>", "<!-- a -->", "&lt;", 'a="', "<VALUES><a>")

DOCUMENTS: dict[str, tuple[Wrapped, ...]] = {
    ".md": (
        Wrapped((*ANY, *_TAGS, "# a\n", "[a](b) ", '[a](b "')),
        Wrapped(_YAML, "---\n", "\n---\na"),
        Wrapped(("---\n", "---\r\n"), "---\n"),
    ),
    ".html": (
        Wrapped((*_TAGS, *ANY)),
        Wrapped(_TAGS, "<html><body><main>"),
        Wrapped(_TAGS, encoding="utf-16"),
    ),
    ".xml": (
        Wrapped(_FEED, '<rss version="2.0"><channel>', "</channel></rss>"),
        Wrapped(_FEED, '<feed xmlns="http://www.w3.org/2005/Atom"><entry><content type="html">'),
        Wrapped(
            ("&e9;",), f"{_ENTITIES}]><rss><channel><item><title>", "</title></item></channel>"
        ),
        Wrapped(("/dev/zero", "/etc/passwd", "http://localhost/", "file:///dev/zero")),
        Wrapped((*_TAGS, *ANY)),
    ),
    ".json": (
        Wrapped((*ANY, "[", '{"a":', "1,", '"\\ud800",', "1e5", "NaN,")),
        Wrapped(('{"text": "a"},', "1,", "[1],", '"a",', "[[", "9" * 4000 + ","), "[", "1]"),
        Wrapped(('{"text": "a", "url": "http://a.b/"}\n', "[]\n", "{}\n", "1\n")),
    ),
    ".txt": (
        Wrapped(ANY),
        Wrapped(("ä", "é ü "), encoding="cp1252"),
        Wrapped(("余额", "a"), encoding="utf-16"),
        Wrapped(("\x80", "\x80\xff", "a\x9d", "\xfe\xff"), encoding="latin-1"),
    ),
}
"""What is ingested for search, by ending."""
REQUIREMENTS: dict[str, tuple[Wrapped, ...]] = {
    ".md": (Wrapped((*ANY, "- [ ] a\n", "A-1: ", "***A-", "|a|\n", "1) ")),),
    ".txt": (Wrapped(ANY),),
    ".jsonl": (Wrapped(('"a"\n', '{"text": "a"}\n', "[", '{"a":', "1\n", "\n", '"' + "9" * 400)),),
    ".sdoc": (
        Wrapped(
            (
                "[REQUIREMENT]\nSTATEMENT: a\n",
                "STATEMENT: >>>\na\n<<<\n",
                "[[A]]\n",
                "A:\n",
                "[A",
                *ANY,
            ),
            "[DOCUMENT]\n",
        ),
    ),
    ".json": (
        Wrapped((_NEED, "[", '{"a":', '"\n"', '"a": {\n', *ANY), '{"versions": {"1": {"needs": {'),
        Wrapped((_NEED,), '{"versions": {"1": {"needs": {', '"B": {}}}}}'),
    ),
    ".rst": (
        Wrapped((".. req:: a\n", "   :id: A\n", " ", ".. a::\n ", ":a:`b <", "``a``", *ANY)),
        Wrapped((":a:", "`a ", "<", ":a:`", "a <"), ".. req:: a\n\n   "),
    ),
    ".csv": (
        Wrapped(("a,", "a;b\n", '"', '""', '"\n', "a\n", "\t", *ANY), "text,id\n"),
        Wrapped(ANY),
    ),
    ".reqif": (
        Wrapped(REQIF, REQIF_BEFORE, REQIF_AFTER),
        Wrapped(("<a>", "<a ", "&a;")),
        Wrapped(("&e9;",), f"{_ENTITIES}]><REQ-IF>", "</REQ-IF>"),
    ),
    ".yml": (
        Wrapped((*_YAML, *ANY)),
        Wrapped(
            ("*b20, ",),
            "text: It shall ring.\nb0: &b0 [x]\n"
            + "".join(f"b{n + 1}: &b{n + 1} [{', '.join([f'*b{n}'] * 10)}]\n" for n in range(20))
            + "c: [",
            "]\n",
        ),
    ),
}
"""What is reviewed as requirements, by ending."""
