"""The words of the sets' domains, which the gate itself does not know, and the policy with them."""

from functools import partial
from pathlib import Path

from veridical import gate
from veridical.gate.policy import ProofPolicy

POLICY = gate.Policy(
    lexicons=tuple(str(path) for path in sorted(Path(__file__).parent.glob("*.toml"))),
    policy=ProofPolicy.WORDINGS,
)
check = partial(gate.check, policy=POLICY)
"""The gate with the lexicons of all domains."""
