"""Cases come with the language that they are written under."""

from pathlib import Path

from veridical.contracts.language import Language
from veridical.testing.cases import by_language


def test_each_line_has_the_language_of_its_section(tmp_path: Path) -> None:
    file = tmp_path / "cases.txt"
    file.write_text("first\n\n# a remark\n[de]\nzweite\n[zh]\n第三\n", "utf-8")
    assert list(by_language(file)) == [
        (Language.EN, "first"),
        (Language.DE, "zweite"),
        (Language.ZH, "第三"),
    ]
