"""Implementation of ``veridical eval run --fast``: seconds, without a model; everything must be
right."""

import asyncio

from veridical.cli.error_reporting import err, out
from veridical.contracts.language import Language
from veridical.evals.execution.fast import mistakes, run_fast
from veridical.evals.execution.inputs import open_inputs
from veridical.messages import message
from veridical.testing.sample_folder import sample_folder

_GOLD = "pack:trustee"


def run_fast_gold(language: Language) -> bool:
    """Make the runs; true when all are right."""
    with open_inputs([_GOLD], books=sample_folder()) as ground:
        found = asyncio.run(run_fast(ground.stage, ground.golds))
    wrong = mistakes(found)
    for name, reason in wrong.items():
        err.print(f"✗ {name}: {reason}", style="red", markup=False, highlight=False)
    right = sum(run.is_right for run in found)
    out.print(message("evals.fast", language, right=right, count=len(found)), highlight=False)
    return not wrong
