"""What came of asking a second model to write references into an answer's text."""

from veridical.contracts.wire import Wire


class Annotation(Wire):
    """The annotator's part in a verdict, for the trace."""

    model: str
    accepted: bool
    """Whether its annotation proves the text; else the verdict is what it was without."""
    reason: str = ""
    """Why not: the code of a failure, or what was wrong with its last attempt."""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    elapsed_ms: float = 0.0
