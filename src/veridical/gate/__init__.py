"""The answer gate: holds every claim of an answer against the evidence. No model is asked, but by
``gate.explain``, which has one name the facts behind a text.

``gate.check(answer, rows)`` gives a ``Proof``: a verdict, each claim with the cell it rests on, and
what is wrong; a ``gate.Chunk`` is a stretch of a document as evidence. ``gate.prepare`` reads
evidence once for several answers, ``gate.friendly`` says to a user what happened,
``gate.trace_arguments`` looks at the values of a tool call before it runs. Each name is loaded when
it is first used.
"""

from typing import TYPE_CHECKING, Any

from veridical.contracts.lazy_names import lazy_names

if TYPE_CHECKING:
    from veridical.contracts.chunk import Chunk
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
    "Untraced",
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
    "Chunk": "veridical.contracts.chunk",
    "DEFAULT": "policy",
    "Explanation": "explanation",
    "KnownValues": "known_values",
    "Policy": "policy",
    "PolicyError": "policy",
    "Untraced": "arguments",
    "as_html": "proof_html",
    "as_page": "proof_html",
    "as_text": "proof_text",
    "check": "verdict",
    "citing_instruction": "quotations.instruction",
    "explain": "explanation",
    "friendly": "wording",
    "prepare": "verdict",
    "proven_exhibits": "carried",
    "read_policy": "policy",
    "trace_arguments": "arguments",
    "with_marks": "proof_marks",
    "with_words": "proof_view",
}

if not TYPE_CHECKING:  # a type checker is to report a name that there is not
    _loaded = lazy_names(__name__, _HOMES)

    def __getattr__(name: str) -> Any:
        found = _loaded(name)
        globals()[name] = found  # from now on it is there at once
        return found
