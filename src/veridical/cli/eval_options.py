"""Validates option combinations of ``veridical eval run``: none is silently ignored."""

import typer

from veridical.cli.error_reporting import UsageError
from veridical.contracts.language import Language
from veridical.messages import message

REPLAY = "replay:"
_TYPED = "COMMANDLINE"
_OF_A_MODEL = frozenset(
    {"repeats", "seeds", "timeout_factor", "concurrency", "cache", "no_cache",
     "database", "ontology"}
)  # fmt: skip
"""A replay asks no model: what was recorded says how often, in what words and how fast."""


def given(context: typer.Context) -> frozenset[str]:
    """The options that were given explicitly."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(name for name, source in sources.items() if source and source.name == _TYPED)


def refuse_ignored(typed: frozenset[str], model: str, language: Language) -> None:
    """Raises ``UsageError`` for options that have no effect beside the others."""
    if model.startswith(REPLAY):
        _refuse(typed & _OF_A_MODEL, f"--model {REPLAY}…", language)
    if "no_cache" in typed:
        _refuse(typed & {"cache"}, "--no-cache", language)
    if "baseline" not in typed:
        alone = typed & {"max_drop", "exact"}
        if alone:
            raise UsageError(message("evals.needs_baseline", language, options=_named(alone)))


def _refuse(ignored: frozenset[str], beside: str, language: Language) -> None:
    if ignored:
        text = message("evals.ignored", language, options=_named(ignored), beside=beside)
        raise UsageError(text)


def _named(options: frozenset[str]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in sorted(options))
