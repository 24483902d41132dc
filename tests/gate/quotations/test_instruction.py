import re

from tests.gate.strictly import strictly
from veridical import gate

CHUNKS = (
    gate.Chunk(
        id="doc-417#2", text="Costs fell by 12 percent because energy was cheaper than before."
    ),
    gate.Chunk(id="c1", text="One."),
    gate.Chunk(id="c3", text="Three."),
)


def test_the_examples_of_the_instruction_are_proven() -> None:
    examples = re.findall(r": (\S[^:]*\[doc-417#2\])\.$", gate.citing_instruction(), re.MULTILINE)
    assert len(examples) == 3
    for example in examples:
        proof = strictly(f"{example}.", CHUNKS)
        assert proof.ok, (example, proof.findings)
        assert proof.claims
