"""An answer as a signed file: opens without a network, and every change is found and named."""

import json
import re
import subprocess
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, expect
from typer.testing import CliRunner

from tests.console.chromium import window
from tests.console.pages import signed_in, visitor
from tests.console.test_answer_files import COURSE, asked
from tests.server.standing import ACME, BOOKS, Standing
from veridical.cli.main import app
from veridical.server.identity import Role
from veridical.signed_file.key import as_pem, signing_key
from veridical.signed_file.sign import BEGIN, END, signed_page

pytestmark = pytest.mark.postgres
CLI = CliRunner(env={"COLUMNS": "400"})
Edit = Callable[[str], str]


@pytest.fixture(scope="module")
def signed(console: Standing, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an answer, with the key beside it."""
    folder = tmp_path_factory.mktemp("signed")
    trace = asked(console, COURSE)
    with signed_in(console, Role.VIEWER) as client:
        response = client.get(f"/console/runs/{trace}/signed.html")
    assert response.status_code == 200
    (folder / "answer.html").write_bytes(response.content)
    with visitor(console) as client:
        (folder / "key.pem").write_bytes(client.get("/console/signing-key.pem").content)
    return folder


def _verified(folder: Path, text: str, tmp_path: Path, *options: str) -> tuple[int, str]:
    changed = tmp_path / "changed.html"
    changed.write_text(text, "utf-8", newline="")
    given = ["verify", str(changed), "--key", str(folder / "key.pem"), *options]
    found = CLI.invoke(app, given)
    return found.exit_code, found.output


def _text(folder: Path) -> str:
    return (folder / "answer.html").read_text("utf-8")


def test_it_is_valid_with_the_published_key(signed: Path, tmp_path: Path) -> None:
    code, printed = _verified(signed, _text(signed), tmp_path)
    assert code == 0, printed
    assert printed.startswith("✓ Valid: ")
    alone = CLI.invoke(app, ["verify", str(signed / "answer.html"), "--language", "de"])
    assert alone.exit_code == 0
    assert "Vergleichen Sie ihn mit dem Schlüssel des Ausstellers" in alone.output


def test_no_id_of_the_tenant_leaves_the_house(signed: Path) -> None:
    page = _text(signed)
    block = json.loads(page.partition(BEGIN)[2].partition("<")[0])
    listed = b64decode(block["signed"]).decode()
    for each in BOOKS[ACME]:
        assert each not in page
        assert each not in listed
    query = page[page.index('data-part="query/1"') :]
    assert "&#34;mandateId&#34; = [tenant]" in query
    assert "stands for an id of the tenant" in page
    assert json.loads(listed)["tenant"] == ACME  # whose books these are is signed


def _one_digit(part: str) -> Edit:
    """Another digit within a part, and nothing else."""

    def edit(page: str) -> str:
        at = page.index(f'data-part="{part}')
        at = page.index(">", at) + 1
        found = re.compile(r"\d(?=[^<>]*<)").search(page, at)
        assert found is not None
        other = str((int(found[0]) + 1) % 10)
        return f"{page[: found.start()]}{other}{page[found.end() :]}"

    return edit


def _without_fact(page: str) -> str:
    return re.sub(r'<li id="fact-f?\w+".*?</li>', "", page, count=1, flags=re.S)


def _twice(page: str) -> str:
    item = re.search(r'<li id="fact-\w+".*?</li>', page, re.S)
    assert item is not None
    return page.replace(item[0], item[0] * 2)


CHANGES: list[tuple[str, Edit, str]] = [
    ("a sentence", _one_digit("sentence/1"), "Changed: sentence 1, now “"),
    ("a cell", _one_digit("cell/1/3/2"), "Changed: result 1, row 3, column 2 (closingBalance)"),
    ("a cell of the lead", _one_digit("table/2/2"), "Changed: the answer's table, row 2, column 2"),
    ("an exact sentence", _one_digit("fact/"), "Changed: fact "),
    ("its cells", _one_digit("grounds/"), "Changed: the cells of fact "),
    ("the query", _one_digit("query/1"), "Changed: the query of result 1"),
    ("the receipt", _one_digit("receipt/1"), "Changed: the receipt of result 1"),
    ("the question", _one_digit("question"), "Changed: the question"),
    ("a removed fact", _without_fact, "Removed: fact "),
    ("a fact twice", _twice, "Added: fact "),
    ("a new sentence", lambda page: page.replace("<h2", "<p>It will rise.</p><h2", 1), "beside"),
    ("a style", lambda page: page.replace("</style>", ".lead{display:none}</style>", 1), "beside"),
    ("what follows", lambda page: f"{page}<p>Paid.</p>", "beside"),
]


@pytest.mark.parametrize(("name", "edit", "told"), CHANGES, ids=[name for name, *_ in CHANGES])
def test_what_was_changed_is_named(
    signed: Path, tmp_path: Path, name: str, edit: Edit, told: str
) -> None:
    before = _text(signed)
    after = edit(before)
    assert after != before
    code, printed = _verified(signed, after, tmp_path)
    assert code == 1
    assert told in printed
    assert printed.startswith("✗ Not valid")
    named = len(re.findall("Changed|Removed|Added", printed))
    assert named == (0 if told == "beside" else 2 if " fact" in name else 1)  # and its cells


def test_the_list_can_not_be_signed_again_by_somebody_else(signed: Path, tmp_path: Path) -> None:
    page = _one_digit("sentence/1")(_text(signed)).partition(BEGIN)[0]
    forged = signed_page(page, Ed25519PrivateKey.generate(), {"signedAt": "", "tenant": "acme"})
    code, printed = _verified(signed, forged, tmp_path)
    assert code == 1
    assert "another key" in printed


def test_a_changed_list_does_not_fit_its_signature(signed: Path, tmp_path: Path) -> None:
    page, begin, block = _text(signed).partition(BEGIN)
    other = signed_page(page.replace("acme", "acne"), Ed25519PrivateKey.generate(), {})
    mixed = re.search(r'"signed": "([^"]+)"', other)
    assert mixed is not None
    block = re.sub(r'"signed": "[^"]+"', mixed[0], block)
    code, printed = _verified(signed, page + begin + block, tmp_path)
    assert code == 1
    assert "does not fit" in printed


@pytest.mark.parametrize("text", ["", "<p>Hello.</p>", f"<p>{BEGIN}{{}}{END}", f"{BEGIN}[1]{END}"])
def test_what_is_not_signed_is_said(signed: Path, tmp_path: Path, text: str) -> None:
    code, printed = _verified(signed, text, tmp_path)
    assert code == 2
    assert "is not a signed file" in printed


def test_openssl_verifies_it_too(signed: Path, tmp_path: Path) -> None:
    script = """
    field() { grep -o "\\"$1\\": \\"[^\\"]*\\"" answer.html | cut -d '"' -f 4 | base64 -d; }
    field signed > signed.json
    field signature > signature
    openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed.json -sigfile signature
    """
    done = subprocess.run(["sh", "-ec", script], cwd=signed, capture_output=True, text=True)
    assert "Signature Verified Successfully" in done.stdout, done.stderr


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    first = signing_key(path)
    assert as_pem(signing_key(path).public_key()) == as_pem(first.public_key())
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


SHOWN = {"de": "Genaue Sätze", "en": "Exact sentences", "zh": "精确表述"}
ASKED = {
    "de": "Wie hoch war der Saldo von Konto 1020 Ende 2024?",
    "en": COURSE,
    "zh": "2024年末1020账户的余额是多少？",
}


@pytest.fixture(scope="module")
def in_each_language(
    console: Standing, signed: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """A file by the language of its answer; whoever downloads it reads English."""
    folder = tmp_path_factory.mktemp("languages")
    files = {"en": signed / "answer.html"}
    with signed_in(console, Role.VIEWER) as client:
        for language in ("de", "zh"):
            trace = asked(console, ASKED[language], language)
            files[language] = folder / f"{language}.html"
            files[language].write_bytes(client.get(f"/console/runs/{trace}/signed.html").content)
    return files


@pytest.mark.parametrize("language", SHOWN)
def test_it_opens_offline_in_the_language_of_the_answer(
    in_each_language: dict[str, Path], browser: Browser, language: str
) -> None:
    context = window(browser, offline=True, java_script_enabled=False, locale="fr")
    page = context.new_page()
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    address = in_each_language[language].as_uri()
    page.goto(address)
    assert page.locator("html").get_attribute("lang") == language
    for chosen in (language, *(SHOWN.keys() - {language})):  # and can be read in the others
        if chosen != language:
            page.check(f"#in-{chosen}")
        facts = page.locator("#facts")
        expect(facts).to_have_text(SHOWN[chosen], use_inner_text=True)
    if language == "en":
        expect(page.locator("svg.course circle")).to_have_count(12)
    assert asked_for == [address]
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    context.close()
