import pytest

from veridical.gate.quotations.quoted import find_quoted, inner_text


@pytest.mark.parametrize(
    ("answer", "inner"),
    [
        ("a “b c” d", ["b c"]),
        ("a „b c“ d „e“", ["b c", "e"]),
        ("«b» »c« 「d」", ["b", "c", "d"]),
        ('He said "no" and "yes"', ["no", "yes"]),
        ('"He said "no" twice"', ['He said "no" twice']),
        ("“He said ‘no’ twice”", ["He said ‘no’ twice"]),
        ("don’t and ‘don’t go’", ["don’t go"]),
        ('a 5" pipe', []),
        ("it's 'b c', the dogs' bowl, rock 'n' roll", ["b c", "n"]),
        ("a <q>b c</q> and ``d e'' <blockquote>f</blockquote>", ["b c", "d e", "f"]),
        ("“never closed\n\nnext “one”", ["never closed", "one"]),
        ('```\n{"a": "b"}\n```', []),
    ],
)
def test_marks_are_paired(answer: str, inner: list[str]) -> None:
    assert [inner_text(answer, each) for each in find_quoted(answer)] == inner


def test_a_block_is_one_quotation() -> None:
    answer = "It says:\n> one\n> two\n\nand > three"
    (block,) = find_quoted(answer)
    assert block.is_block
    assert inner_text(answer, block).split() == ["one", "two"]
