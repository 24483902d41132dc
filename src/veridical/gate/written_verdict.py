"""The verdict on an answer that a canonical pattern wrote: its pieces evaluated, the same rules."""

import logging
from collections.abc import Sequence

from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.contracts.result import ToolRun
from veridical.contracts.written import Written
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.log import note_interception
from veridical.gate.policy import Policy
from veridical.gate.rules import OF_EVALUATED
from veridical.gate.rules.gate_facts import GateFacts, conversation
from veridical.gate.verdict import judged
from veridical.gate.written import UndecidedError, evaluated

_LOGGER = logging.getLogger("veridical.gate")


def check_written(
    written: Written,
    source: Source,
    exhibit: Exhibit,
    *,
    question: str,
    earlier: str = "",
    language: Language,
    policy: Policy,
    runs: Sequence[ToolRun],
    required_tools: Sequence[str] = (),
) -> Proof | None:
    """The proof of an answer about one result, from its pieces; none where it must be read.

    The exhibit is the evidence of the source. Never raises: after an error the answer is read.
    """
    try:
        facts = GateFacts(
            text=written.text,
            bounds=evaluated(written, source, exhibit, conversation(earlier, question), language),
            exhibits=(exhibit,),
            policy=policy,
            question=question,
            earlier=earlier,
            runs=tuple(runs),
            required_tools=tuple(required_tools),
        )
        proof = judged(facts, (), language, OF_EVALUATED)
        if proof.findings:
            note_interception(proof, policy, language)
        return proof
    except UndecidedError:
        return None
    except Exception:
        _LOGGER.exception("the pieces of an answer could not be evaluated")
        return None
