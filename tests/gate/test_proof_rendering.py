import re
from html.parser import HTMLParser

import pytest

from veridical import gate
from veridical.contracts.language import Language
from veridical.gate.width import padded, width

ROWS = [{"city": "Bern <b>", "sales": 1200.5}, {"city": "Basel", "sales": 900.0}]
ANSWER = "Sales of Basel & co: 900 <script>alert()</script>, and 7,777.77 elsewhere."
PROOF = gate.check(ANSWER, ROWS, language=Language.EN)


def test_the_text_aligns_claims_and_cells() -> None:
    lines = gate.as_text(PROOF).splitlines()
    assert lines[0] == "BLOCKED"
    arrows = {line.index("→") for line in lines if "→" in line}
    assert len(arrows) == 1
    assert any(line.startswith("  ✓ 900") and "sales[Basel] = 900" in line for line in lines)
    assert any(line.startswith("  ✗ 7,777.77") for line in lines)
    assert re.search(r"% of made-up figures would also have passed", lines[-1])


@pytest.mark.parametrize("language", Language)
def test_every_language_is_spoken(language: Language) -> None:
    assert gate.as_text(PROOF, language)
    assert f'lang="{language}"' in gate.as_page(PROOF, ANSWER, language)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_escaped_closed_and_self_contained() -> None:
    page = gate.as_page(PROOF, ANSWER)
    tags = _Tags()
    tags.feed(page)
    assert tags.open == []
    assert not {"script", "b", "link", "img"} & set(tags.seen)
    assert "<script>alert()</script>" in tags.text
    assert "http" not in page.replace("http-equiv", "")
    assert "prefers-color-scheme:dark" in page


def test_every_claim_is_marked_with_its_binding() -> None:
    page = gate.as_html(PROOF, ANSWER)
    assert page.count("<mark ") == len(PROOF.claims)
    assert 'title="✓ sales[Basel] = 900"' in page
    assert "✗" in page


def test_chinese_takes_two_columns() -> None:
    assert width("销售额") == 6
    assert padded("额", 4) == "额  "
