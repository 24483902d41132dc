"""``veridical gate``: verify an answer against the results behind it; state answers in facts."""

import json
import re
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ValidationError
from typer.core import TyperGroup

from veridical.cli.error_reporting import REFUSED, UsageError, print_models, printable
from veridical.cli.options import AsJson
from veridical.cli.trace_store import TraceStoreOption, opened_traces, shown_store
from veridical.contracts.facts_answer import StatedAnswer
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof, Verdict
from veridical.contracts.settings_file import SETTINGS_FILE, contents
from veridical.contracts.source_kind import SourceKind
from veridical.evidence.read import read_tables
from veridical.facts.instruction import instruction
from veridical.facts.listing import list_results
from veridical.facts.record import report_answer
from veridical.gate.log import VARIABLE, log_path, report_false_block, tallies
from veridical.gate.policy import DEFAULT, Policy, PolicyError, ProofPolicy, read_name, read_policy
from veridical.gate.proof_html import as_page
from veridical.gate.proof_text import as_text
from veridical.gate.proof_view import with_words
from veridical.gate.verdict import check
from veridical.messages import message
from veridical.reading.language import language_of
from veridical.trace.held_back import held_back_answer

_CHECK = "check"
_LONGEST_NAME = 255
_FILE_NAME = re.compile(
    r"[^\s]*[^\s\d.][^\s]*\.(?:txt|md|json|jsonl|html|csv|log|yaml|toml)|~?\.{0,2}/[^\s]+"
)
"""An argument that can only be a file name."""


class _CheckByDefault(TyperGroup):
    """``veridical gate ANSWER`` is ``veridical gate check ANSWER``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert ``check`` if the first argument names no command."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [_CHECK, *args]
        return super().parse_args(ctx, args)


class Format(StrEnum):
    """Output format of a proof."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


app = typer.Typer(
    cls=_CheckByDefault,
    no_args_is_help=True,
    help="Hold an answer against its evidence; report what was held back wrongly.",
)

PolicyFile = Annotated[
    Path | None, typer.Option(help="A veridical.toml or a JSON file with the gate's policy.")
]
LogFile = Annotated[
    Path | None, typer.Option("--log", help=f"The log; else {VARIABLE}, then the policy.")
]
PolicyNamed = Annotated[
    str,
    typer.Option(
        "--policy",
        help=f"How claims are judged ({', '.join(ProofPolicy)}), "
        "or a veridical.toml or a JSON file with the gate's policy.",
    ),
]
In = Annotated[Language | None, typer.Option(help="The language of the texts.")]


@app.command(_CHECK)
def check_command(
    answer: Annotated[str, typer.Argument(help="The answer: a file, - for input, or the text.")],
    evidence: Annotated[
        list[str] | None, typer.Option(help="A result as JSON, CSV or text: a file. Repeatable.")
    ] = None,
    question: Annotated[str, typer.Option(help="The question that was asked.")] = "",
    language: In = None,
    policy: PolicyNamed = "",
    require: Annotated[
        list[str] | None, typer.Option(help="A tool that must have succeeded. Repeatable.")
    ] = None,
    source: Annotated[
        SourceKind | None, typer.Option(help="What the data comes from; its tools must have run.")
    ] = None,
    log: LogFile = None,
    form: Annotated[Format, typer.Option("--format", help="How to print the proof.")] = Format.TEXT,
) -> None:
    """Check one answer. Exit code 0: it may be shown; 1: blocked; 2: invalid command."""
    output_language = language or Language.EN
    if not evidence:
        raise UsageError(message("gate.needs_evidence", output_language))
    text = _answer(answer, output_language)
    output_language = language or language_of(text, Language.EN)
    rules = _named(policy, output_language)
    if log is not None:
        rules = rules.model_copy(update={"log": str(log)})
    results = _evidence(evidence, output_language)
    proof = check(
        text,
        results,
        question=question,
        language=language,
        policy=rules,
        required_tools=require or (),
        source=source,
    )
    typer.echo(_shown(proof, text, output_language, form), nl=form is not Format.HTML)
    if proof.verdict is Verdict.BLOCK:
        raise typer.Exit(REFUSED)


@app.command("report-false-block")
def report_false_block_command(
    proof: Annotated[
        str,
        typer.Argument(help="The proof as JSON: a file, or - for input; or a run's trace id."),
    ],
    note: Annotated[str, typer.Option(help="Why the answer should have passed.")] = "",
    language: In = None,
    policy: PolicyFile = None,
    log: LogFile = None,
    store: TraceStoreOption = None,
) -> None:
    """Report that an answer was blocked wrongly."""
    output_language = language or Language.EN
    path = _log(log, policy, output_language)
    held_back, of_answer = _held_back(proof, store, output_language)
    in_language = language or of_answer or _of_hints(held_back)
    entry = report_false_block(path, held_back, in_language, note)
    typer.echo(message("gate.reported", output_language, id=entry.id))


def _held_back(named: str, store: str | None, language: Language) -> tuple[Proof, Language | None]:
    """The proof of a file, or of a run with the language of its answer."""
    is_run = named != "-" and not Path(named).suffix and not Path(named).exists()
    if is_run or store is not None:
        return _of_run(named, store, language)
    source = sys.stdin.read() if named == "-" else _read(named, language)
    try:
        return Proof.model_validate_json(source), None
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
        text = message("gate.not_a_proof", language, source=named, reason=reason)
        raise UsageError(text) from error


def _of_run(trace_id: str, store: str | None, language: Language) -> tuple[Proof, Language | None]:
    with opened_traces(store, language) as traces:
        trace = traces.load(trace_id)
    if trace is None:
        place = shown_store(store)
        text = message("runs.unknown", language, trace_id=trace_id, store=place)
        raise UsageError(printable(text))
    found = held_back_answer(trace)
    if found is None:
        raise UsageError(printable(message("gate.nothing_held", language, id=trace_id)))
    answer, proof = found
    return proof, answer.language


@app.command("report")
def report_command(
    language: In = None, policy: PolicyFile = None, log: LogFile = None, as_json: AsJson = False
) -> None:
    """Count blocked answers by reason and language, and how many were blocked wrongly."""
    output_language = language or Language.EN
    if log is not None and not log.is_file():  # a misspelt name is not "nothing held back"
        raise UsageError(message("cli.no_file", output_language, source=log))
    found = tallies(_log(log, policy, output_language))
    if as_json:
        print_models(found)
    elif not found:
        typer.echo(message("gate.report_none", output_language))
    else:
        rows = [message("gate.report_head", output_language).split("\t")]
        rows += [[x.code, x.language, str(x.count), str(x.false_blocks)] for x in found]
        for row in rows:
            typer.echo(f"{row[0]:<24}{row[1]:<10}{row[2]:>7}{row[3]:>12}")


def _shown(proof: Proof, answer: str, language: Language, form: Format) -> str:
    match form:
        case Format.TEXT:
            return printable(as_text(proof, language, answer))
        case Format.JSON:
            return with_words(proof, language).model_dump_json(by_alias=True, indent=2)
        case Format.HTML:
            return as_page(proof, answer, language)


def _answer(source: str, language: Language) -> str:
    if source == "-":
        return sys.stdin.read()
    if len(source) <= _LONGEST_NAME and "\n" not in source and Path(source).is_file():
        return _read(source, language)
    if _FILE_NAME.fullmatch(source):  # as a text it would claim nothing, and pass
        raise UsageError(message("cli.no_file", language, source=source))
    return source


def _evidence(sources: list[str], language: Language) -> Any:
    """One result, or a tuple of several."""
    read = tuple(_result(each, language) for each in sources)
    return read[0] if len(read) == 1 else read


def _result(source: str, language: Language) -> Any:
    """The content of a file; text that is no JSON stays text, unless the file is named .json."""
    text = _read(source, language)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if source.endswith(".json"):
            raise _unreadable(source, str(error), language) from error
        return text


def _read(source: str, language: Language) -> str:
    try:
        return Path(source).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise _unreadable(source, reason, language) from error


def _unreadable(source: str, reason: str | None, language: Language) -> UsageError:
    return UsageError(message("gate.unreadable", language, source=source, reason=reason))


def _named(policy: str, language: Language) -> Policy:
    """The settings' policy, under the name that is given; or that of a file."""
    if policy and policy not in list(ProofPolicy):
        path = Path(policy)
        if not path.suffix and not path.exists():  # a name that is misspelt, no file
            known = ", ".join(ProofPolicy)
            raise UsageError(message("gate.no_policy", language, name=policy, known=known))
        return _policy(path)
    found = _policy(None)
    return found.model_copy(update={"policy": read_name(policy).policy}) if policy else found


def _policy(path: Path | None) -> Policy:
    """The given policy; else that of the settings file, where there is one."""
    if path is None and not SETTINGS_FILE.is_file():
        return DEFAULT
    try:
        policy = read_policy(path or SETTINGS_FILE)
    except PolicyError as error:
        raise UsageError(str(error)) from error
    if path is None:
        contents(SETTINGS_FILE)  # a misspelt table would leave the policy as it is
    return policy


def _log(given: Path | None, policy: Path | None, language: Language) -> Path:
    rules = _policy(policy) if policy is not None or given is None else DEFAULT
    path = given or log_path(rules)
    if path is None:
        raise UsageError(message("gate.no_log", language))
    return path


def _of_hints(proof: Proof) -> Language:
    return language_of(" ".join(each.hint for each in proof.findings), Language.EN)


class _Line(BaseModel):
    """One answer with its evidence; other fields of a line are ignored."""

    id: str = ""
    language: Language | None = None
    question: str = ""
    evidence: Any
    answer: Any = None


@app.command("facts")
def facts_command(
    file: Annotated[
        str, typer.Argument(help="Lines {id, language, question, evidence, answer}; - for input.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, a line for each.")] = False,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="Print what a model is shown, and no answer.")
    ] = False,
) -> None:
    """State facts: the text and its exact sentences. Exit code 1: an answer was refused."""
    refused = False
    for number, line in _lines(file):
        if prompt:
            typer.echo(printable(_prompt(line)))
            continue
        name = line.id or str(number)
        stated = _stated(line)
        refused = refused or not stated.accepted
        typer.echo(_as_json(name, stated) if as_json else printable(_as_text(name, stated)))
    if refused:
        raise typer.Exit(REFUSED)


def _lines(file: str) -> Iterator[tuple[int, _Line]]:
    text = sys.stdin.read() if file == "-" else _read(file, Language.EN)
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield number, _Line.model_validate_json(line)
        except ValidationError as error:
            reason = error.errors(include_input=False)[0]["msg"]
            raise _unreadable(f"{file}:{number}", reason, Language.EN) from error


def _prompt(line: _Line) -> str:
    return "\n\n".join((instruction(), list_results(read_tables(line.evidence)), line.question))


def _stated(line: _Line) -> StatedAnswer:
    language = line.language or language_of(line.question, Language.EN)
    return report_answer(line.answer, read_tables(line.evidence), line.question, language)


def _as_json(name: str, stated: StatedAnswer) -> str:
    data = {"id": name, **stated.model_dump(mode="json", by_alias=True)}
    return json.dumps(data, ensure_ascii=False)


def _as_text(name: str, stated: StatedAnswer) -> str:
    lines = [f"# {name}"]
    if stated.text:
        lines += [stated.text, ""]
    lines += [f"  {{{fact}}} {each.sentence}" for fact, each in stated.facts.items()]
    lines += [f"  ? {mark.why}" for each in stated.sentences for mark in each.marks]
    lines += [f"  ✗ {each.hint}" for each in stated.refused]
    return "\n".join((*lines, ""))
