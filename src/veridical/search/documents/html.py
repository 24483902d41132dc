"""Web pages: the main text by its headings, without menus and scripts, and the date they state."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from veridical.search.documents.parsed import ParsedDocument, Section, read_date

_NOT_TEXT = [
    "script",
    "style",
    "noscript",
    "template",
    "svg",
    "iframe",
    "form",
    "button",
    "nav",
    "header",
    "footer",
    "aside",
    "[role=navigation]",
    "[role=banner]",
    "[role=contentinfo]",
    "[aria-hidden=true]",
]
_MAIN = ("main article", "article", "main", "[role=main]", "body")
"""Where the text is, the narrowest first."""
_DATES = (
    ('meta[property="article:modified_time"]', "content"),
    ('meta[property="article:published_time"]', "content"),
    ('meta[itemprop="dateModified"]', "content"),
    ('meta[itemprop="datePublished"]', "content"),
    ('meta[name="date"]', "content"),
    ('meta[name="dcterms.modified"]', "content"),
    ("time[datetime]", "datetime"),
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | frozenset(
    {"p", "li", "pre", "blockquote", "td", "th", "dt", "dd", "figcaption"}
)
_BETWEEN = " › "


def parse_html(content: bytes) -> ParsedDocument:
    """The sections of a page; where no paragraph is marked as one, all of its text."""
    page = LexborHTMLParser(content)
    title, address = _title(page), _attribute(page, 'link[rel="canonical"]', "href")
    stated = (read_date(_attribute(page, place, name)) for place, name in _DATES)
    date = next((each for each in stated if each is not None), None)
    for place in _NOT_TEXT:
        for node in page.css(place):
            node.decompose()
    main = _main(page)
    sections = tuple(_sections(main)) if main is not None else ()
    if not sections and main is not None:
        text = main.text(separator="\n", strip=True)
        sections = (Section(text),) if text else ()
    return ParsedDocument(sections, title, date, address)


def _main(page: LexborHTMLParser) -> LexborNode | None:
    """The only node of its kind with text: a page of many articles is none of them."""
    for place in _MAIN:
        with_text = (node for node in page.css(place) if node.text(strip=True))
        found = next(with_text, None)
        if found is not None and next(with_text, None) is None:
            return found
    return page.body


def _sections(main: LexborNode) -> Iterator[Section]:
    headings: list[tuple[str, str]] = []
    blocks: list[str] = []
    for node in _outer_blocks(main):
        text = " ".join(node.text(separator=" ", strip=True).split())
        if node.tag not in _HEADINGS:
            blocks += [text] if text else []
            continue
        yield from _section(blocks, headings)
        blocks = []
        headings = [each for each in headings if each[0] < str(node.tag)] + [(node.tag, text)]
    yield from _section(blocks, headings)


def _outer_blocks(main: LexborNode) -> Iterator[LexborNode]:
    """The blocks in their order, without those whose text belongs to a block around them."""
    node = main.child
    while node is not None:
        if node.tag in _BLOCKS:
            yield node
        elif (first := node.child) is not None:
            node = first
            continue
        node = _following(node, main)


def _following(node: LexborNode, main: LexborNode) -> LexborNode | None:
    """The next node behind all that is in this one."""
    here: LexborNode | None = node
    while here is not None and here.mem_id != main.mem_id:
        if (following := here.next) is not None:
            return following
        here = here.parent
    return None


def _section(blocks: list[str], headings: list[tuple[str, str]]) -> Iterator[Section]:
    if blocks:
        yield Section("\n\n".join(blocks), _BETWEEN.join(title for _, title in headings if title))


def _title(page: LexborHTMLParser) -> str:
    named = page.css_first("title") or page.css_first("h1")
    return " ".join(named.text().split()) if named is not None else ""


def _attribute(page: LexborHTMLParser, place: str, name: str) -> str:
    found = page.css_first(place)
    return (found.attributes.get(name) or "") if found is not None else ""
