"""The answer gate: checks every claim of an answer against the evidence. Only ``gate.explain``
calls a model, which names the facts behind a text.

``gate.check(answer, rows)`` returns a ``Proof``: a verdict, each claim with the cell it rests on,
and the findings; a ``gate.Chunk`` is a passage of a document as evidence. ``gate.prepare`` reads
evidence once for several answers, ``gate.friendly`` explains the outcome to a user,
``gate.trace_arguments`` checks the values of a tool call before it runs. Each name is loaded when
it is first used.
"""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical.contracts.chunk import Chunk
    from veridical.contracts.facts_answer import StatedAnswer
    from veridical.contracts.proof import Proof, Verdict
    from veridical.gate.arguments import Untraced, trace_arguments
    from veridical.gate.carried import proven_exhibits
    from veridical.gate.explanation import Explanation, explain
    from veridical.gate.known_values import KnownValues
    from veridical.gate.policy import DEFAULT, Policy, PolicyError, read_policy
    from veridical.gate.proof_html import as_html, as_page
    from veridical.gate.proof_marks import with_marks
    from veridical.gate.proof_text import as_text
    from veridical.gate.proof_view import with_words
    from veridical.gate.quotations.instruction import citing_instruction
    from veridical.gate.verdict import check, prepare
    from veridical.gate.wording import friendly

__all__ = [
    "DEFAULT",
    "Chunk",
    "Explanation",
    "KnownValues",
    "Policy",
    "PolicyError",
    "Proof",
    "StatedAnswer",
    "Untraced",
    "Verdict",
    "as_html",
    "as_page",
    "as_text",
    "check",
    "citing_instruction",
    "explain",
    "friendly",
    "prepare",
    "proven_exhibits",
    "read_policy",
    "trace_arguments",
    "with_marks",
    "with_words",
]

_HOMES = {
    "veridical.contracts.chunk": "Chunk",
    "policy": "DEFAULT Policy PolicyError read_policy",
    "explanation": "Explanation explain",
    "known_values": "KnownValues",
    "arguments": "Untraced trace_arguments",
    "proof_html": "as_html as_page",
    "proof_text": "as_text",
    "verdict": "check prepare",
    "quotations.instruction": "citing_instruction",
    "wording": "friendly",
    "carried": "proven_exhibits",
    "proof_marks": "with_marks",
    "proof_view": "with_words",
    "veridical.contracts.proof": "Proof Verdict",
    "veridical.contracts.facts_answer": "StatedAnswer",
}

if not TYPE_CHECKING:  # type checkers shall report unknown names
    __getattr__ = lazy_names(__name__, _HOMES)
