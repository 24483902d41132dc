"""OpenAI-compatible chat completions: any chat client can ask, and gets proofs."""

from veridical.server.openai.completions import router as completions
from veridical.server.openai.models import router as models

__all__ = ["completions", "models"]
