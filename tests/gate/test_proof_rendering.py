import re
from html.parser import HTMLParser

import pytest

from veridical import gate
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.gate.log import proof_id
from veridical.gate.proof_text import padded, width

ROWS = [{"city": "Bern <b>", "sales": 1200.5}, {"city": "Basel", "sales": 900.0}]
ANSWER = "Sales of Basel & co: 900 <script>alert()</script>, and 7,777.77 elsewhere."
PROOF = gate.check(ANSWER, ROWS, language=Language.EN)


def test_the_text_aligns_claims_and_cells() -> None:
    lines = gate.as_text(PROOF).splitlines()
    assert lines[0] == "WARNING"
    arrows = {line.index("→") for line in lines if "→" in line}
    assert len(arrows) == 1
    at = next(n for n, line in enumerate(lines) if "✓ 900" in line)
    assert lines[at].endswith("→ sales of Basel")
    assert lines[at + 1].strip() == "r1: sales[Basel] = 900"
    assert any("? 7,777.77" in line for line in lines)


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
    assert 'title="✓ sales of Basel\nr1: sales[Basel] = 900"' in page
    assert 'class="open"' in page


def test_chinese_takes_two_columns() -> None:
    assert width("销售额") == 6
    assert padded("额", 4) == "额  "


SHOPS = [
    {"shop": "Harbour", "revenue_eur": 48210.5, "waste_pct": 4.1},
    {"shop": "Old Town", "revenue_eur": 61877.25, "waste_pct": 2.9},
    {"shop": "Station", "revenue_eur": 55340.0, "waste_pct": 6.3},
]
SAID = "Old Town took €61,877.25, 37.4% of the total. Nobody sold 4,711 rolls."


@pytest.mark.parametrize("policy", ["marked", "off"])
def test_every_policy_is_shown_alike(policy: str) -> None:
    proof = gate.check(SAID, SHOPS, policy=policy, language=Language.EN)
    text = gate.as_text(proof, Language.EN, SAID)
    assert "took €61,877.25 [✓2]" in text
    assert "r1: revenue_eur[Old Town] = 61,877.25 EUR" in text
    for number, claim in enumerate(proof.claims, 1):
        assert re.search(rf"[✓?✗]{number}\b", text), claim
    page = gate.as_html(proof, SAID)
    assert page.count("<mark ") == page.count("<details ") == len(proof.claims)
    for binding in (each.binding for each in gate.with_words(proof).claims):
        assert binding is None or binding.words


def test_an_expression_names_its_operation_columns_and_rows() -> None:
    proof = gate.check(SAID, SHOPS)
    lines = gate.as_text(proof, answer=SAID)
    assert "share: revenue of Old Town in sum of revenue over all 3 rows (shop)" in lines
    total = sum(float(str(row["revenue_eur"])) for row in SHOPS)
    assert f"61,877.25 / {total:,} = " in lines


def test_a_contradiction_shows_what_the_evidence_has() -> None:
    answer = "Station: revenue €51,000.00."
    proof = gate.check(answer, SHOPS)
    (finding,) = proof.findings
    assert "55,340" in finding.hint
    assert "✗1" in gate.as_text(proof, answer=answer)
    assert "r1: revenue_eur[Station] = 55,340 EUR" in gate.as_text(proof, answer=answer)


def test_many_cells_are_counted_and_not_shown() -> None:
    rows = [{"city": f"Ort {n}", "visits": 1000 + n * n} for n in range(40)]
    total = sum(row["visits"] for row in rows if isinstance(row["visits"], int))
    proof = gate.check(f"The total of visits is {total:,}.", rows)
    (binding,) = (each.binding for each in proof.claims if each.text == f"{total:,}")
    assert binding is not None
    assert len(binding.cells) + binding.cells_left_out == len(rows)
    assert f"and {binding.cells_left_out} more cells" in gate.as_text(proof)


def test_claims_in_one_place_share_a_mark() -> None:
    proof = gate.check(SAID, SHOPS)
    first = proof.claims[0]
    twice = proof.model_copy(update={"claims": (first, first, *proof.claims[1:])})
    assert "[✓1 ✓2]" in gate.as_text(twice, answer=SAID)
    page = gate.as_html(twice, SAID)
    assert page.count("<mark ") == len(proof.claims)
    assert page.count("<details ") == len(proof.claims) + 1


def test_links_of_two_proofs_on_one_page_stay_apart() -> None:
    one, other = (gate.as_html(gate.check(x, SHOPS), x) for x in (SAID, SAID[:30]))
    ids = [set(re.findall(r'id="([^"]+)"', page)) for page in (one, other)]
    assert not ids[0] & ids[1]
    assert set(re.findall(r'href="#([^"]+)"', one)) == ids[0]


def test_words_and_cells_leave_a_proof_the_same() -> None:
    assert proof_id(gate.with_words(PROOF)) == proof_id(PROOF)
    assert Proof.model_validate_json(gate.with_words(PROOF).model_dump_json(by_alias=True))
