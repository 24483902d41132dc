"""The lexicons of the answer benchmark, for cases from their domains."""

from pathlib import Path

from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.records.lexicon_file import load_record_lexicon

FOLDER = Path(__file__).parents[2] / "benchmarks" / "answer_gate" / "lexicons"
GENERAL = load_record_lexicon()


def domain(*names: str) -> RecordLexicon:
    """The general lexicon with these domains."""
    return load_record_lexicon(tuple(str(FOLDER / f"{name}.toml") for name in names))
