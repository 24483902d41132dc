"""``veridical skill``: list, show, match and check skills."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from veridical.cli.error_reporting import REFUSED, UsageError, as_cell, out, print_models
from veridical.cli.options import In
from veridical.contracts.language import Language, in_language
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.messages import message
from veridical.ontology.nearest import nearest
from veridical.ontology.pack import load_pack, pack_names
from veridical.reading.language import language_of
from veridical.skills.fault import SkillError
from veridical.skills.lint import Lint, Surroundings, lint
from veridical.skills.load import (
    configured_folders,
    configured_sets,
    load_skill,
    load_skills,
    skill_files,
)
from veridical.skills.match import match_skill
from veridical.skills.skill import Skill, words_in
from veridical.tools.registry import TOOL_NAMES

app = typer.Typer(no_args_is_help=True, help="List, show, check skills; tell which one fits.")


class Format(StrEnum):
    """Output format."""

    TEXT = "text"
    JSON = "json"


Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--skills", help=f"A folder of skills of your own, beside those of {SETTINGS_FILE}."
    ),
]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", help="An installed set of skills to look at too, such as examples."),
]
As = Annotated[Format, typer.Option("--format", help="text or json.")]


@app.command("list")
def list_command(
    skills: Folders = None,
    sets: Sets = None,
    language: In = Language.EN,
    as_format: As = Format.TEXT,
) -> None:
    """List the skills of the installed packs, of named sets, and your own."""
    found = _skills(skills, sets, language)
    if as_format is Format.JSON:
        out.print_json(data=[_as_json(skill) for skill in found])
        return
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    for skill in found:
        description = in_language(skill.description, language)
        table.add_row(as_cell(skill.name), as_cell(description))
    out.print(table)


@app.command("show")
def show_command(
    name: Annotated[str, typer.Argument(help="The skill's name.")],
    skills: Folders = None,
    sets: Sets = None,
    language: In = Language.EN,
    as_format: As = Format.TEXT,
) -> None:
    """Show one skill: when it applies, what it needs, its instructions."""
    found = {skill.name: skill for skill in _skills(skills, sets, language)}
    if name not in found:
        text = message("skills.unknown_skill", language, name=name, known=", ".join(found))
        if perhaps := nearest(name, found):
            text += f" {message('skills.did_you_mean', language, name=perhaps)}"
        raise UsageError(text)
    if as_format is Format.JSON:
        shown = {**_as_json(found[name]), "instructions": found[name].instructions}
        out.print_json(data=shown)
        return
    for label, value in _facts(found[name], language):
        out.print(f"{message(f'skills.{label}', language)}: ", style="bold", end="")
        out.print(value)
    typer.echo(f"\n{found[name].instructions}")


@app.command("match")
def match_command(
    request: Annotated[str, typer.Argument(help="What a user asks for.")],
    skills: Folders = None,
    sets: Sets = None,
    language: In = Language.EN,
) -> None:
    """Show which skill a request matches, and by which words. Exit code 1: none, or several."""
    request_language = language_of(request, language)
    found = match_skill(request, _skills(skills, sets, language), request_language)
    typer.echo(found.explain(language) if found else message("skills.no_match", language))
    if not found or found.is_open:
        raise typer.Exit(REFUSED)


@app.command("check")
def check_command(
    path: Annotated[Path, typer.Argument(help="A SKILL.md, its folder, or a folder of skills.")],
    tools: Annotated[
        list[str] | None, typer.Option("--tool", help="A tool of your own that exists too.")
    ] = None,
    imports: Annotated[
        bool, typer.Option("--import", help="Import the validators too: this runs their code.")
    ] = False,
    language: In = Language.EN,
    as_format: As = Format.TEXT,
) -> None:
    """Check skills before they are used. Exit code 1: something is wrong; 2: can't be read."""
    checked = _checked(path, language)
    beside = _beside(checked, language)
    known = (*TOOL_NAMES, *(tools or ()))
    around = Surroundings(known, (*checked, *beside), language, imports)
    found = [each for skill in checked for each in lint(skill, around)]
    if as_format is Format.JSON:
        print_models(found)
    else:
        _print_lint(found, len(checked), language)
    if any(not each.kind.is_note for each in found):
        raise typer.Exit(REFUSED)


def _skills(
    folders: list[Path] | None, sets: list[str] | None, language: Language
) -> tuple[Skill, ...]:
    """All skills that this project has, and those of the sets that are named."""
    named = [*configured_sets(SETTINGS_FILE), *(sets or ())]
    own = [*configured_folders(SETTINGS_FILE), *(folders or ())]
    try:
        return load_skills(own, (load_pack(name) for name in pack_names()), named)
    except SkillError as error:
        raise UsageError(error.text(language)) from error


def _checked(path: Path, language: Language) -> tuple[Skill, ...]:
    """The skills at this path; every fault of every file at once."""
    found: list[Skill] = []
    faults: list[str] = []
    try:
        files = skill_files(path)
    except SkillError as error:
        raise UsageError(error.text(language)) from error
    for file in files:
        try:
            found.append(load_skill(file))
        except SkillError as error:
            faults.append(error.text(language))
    if faults:
        raise UsageError("\n".join(faults))
    return tuple(found)


def _beside(checked: tuple[Skill, ...], language: Language) -> tuple[Skill, ...]:
    """The skills that will be there too. Raises ``UsageError`` for a name that is taken."""
    here = {Path(skill.path).resolve() for skill in checked}
    names = {skill.name: skill for skill in checked}
    others = tuple(
        skill for skill in _skills(None, None, language) if Path(skill.path).resolve() not in here
    )
    for other in others:
        if other.name in names:
            values = {"name": other.name, "other": other.path}
            text = message("skills.duplicate", language, **values)
            raise UsageError(f"{names[other.name].path}: {text}")
    return others


def _as_json(skill: Skill) -> dict[str, Any]:
    return skill.model_dump(mode="json", by_alias=True, exclude={"instructions"})


def _facts(skill: Skill, language: Language) -> Iterator[tuple[str, str]]:
    yield "skill", f"{skill.name} - {in_language(skill.description, language)}"
    facts = {
        "tools": skill.tools,
        "required": skill.required_tools,
        "keywords": words_in(skill.intent.keywords, language),
        "disambiguation": words_in(skill.intent.disambiguation_keywords, language),
        "gate": [f"{code} {mode}" for code, mode in skill.gate.modes.items()],
        "validators": [f"{each.path} ({each.mode})" for each in skill.validators],
        "languages": skill.languages,
        "file": (skill.path,),
    }
    for label, values in facts.items():
        if values:
            yield label, ", ".join(values)


def _print_lint(found: list[Lint], skills: int, language: Language) -> None:
    for each in found:
        out.print(each.kind.value, style="yellow" if each.kind.is_note else "red", end=" ")
        out.print(f"{each.skill}: {each.text}")
    notes = sum(each.kind.is_note for each in found)
    typer.echo(
        message(
            "skills.lint_summary", language, skills=skills, errors=len(found) - notes, notes=notes
        )
    )
