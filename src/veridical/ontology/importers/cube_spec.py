"""The parts of a Cube data model in YAML."""

import re
from typing import Any

from pydantic import Field

from veridical.ontology.importers.lenient import Lenient

_MEMBER = re.compile(r"\$?\{\s*([\w.]+)\s*\}")
_FILTERED = re.compile(
    r"\$\{[^}]*\.filter\(|\$?\{[^}]*(?:security_?context|user_?attributes)", re.IGNORECASE
)


def plain_sql(text: str, cube: str) -> str:
    """Cube's SQL without braces: ``{CUBE}.id = {users.id}`` is ``orders.id = users.id``."""
    return _MEMBER.sub(lambda found: _own(found.group(1), cube), text)


def members_in(text: str, cube: str) -> tuple[str, ...]:
    """The members that a text puts in braces, each as ``cube.member``."""
    found = (_own(name, cube) for name in _MEMBER.findall(text))
    qualified = (name if "." in name else f"{cube}.{name}" for name in found if name != cube)
    return tuple(dict.fromkeys(qualified))


def _own(name: str, cube: str) -> str:
    return re.sub(r"^CUBE\b", cube, name)


def is_by_user(text: str) -> bool:
    """True for SQL that has the user's rights in it."""
    return _FILTERED.search(text) is not None


class CubeFilter(Lenient):
    """A condition on the rows of a measure."""

    sql: str


class CubeMeasure(Lenient):
    """One aggregate, or a figure over other measures."""

    name: str
    type: str = "number"
    sql: str | None = None
    title: str | None = None
    description: str = ""
    filters: tuple[CubeFilter, ...] = ()
    rolling_window: dict[str, Any] | None = None
    drill_members: tuple[Any, ...] = ()
    format: Any = None
    public: bool = True


class CubeDimension(Lenient):
    """A dimension."""

    name: str
    type: str = "string"
    sql: str | None = None
    title: str | None = None
    description: str = ""
    primary_key: bool = False
    public: bool = True
    format: Any = None


class CubeJoin(Lenient):
    """A join to another cube."""

    name: str
    relationship: str
    sql: str = ""


class Cube(Lenient):
    """One cube."""

    name: str
    sql_table: str | None = None
    sql: str | None = None
    extends: str | None = None
    title: str | None = None
    description: str = ""
    joins: tuple[CubeJoin, ...] = ()
    dimensions: tuple[CubeDimension, ...] = ()
    measures: tuple[CubeMeasure, ...] = ()
    public: bool = True
    data_source: str | None = None


class CubeViewPart(Lenient):
    """The members that a view takes from one cube."""

    join_path: str
    includes: Any = ()
    excludes: tuple[str, ...] = ()
    prefix: bool = False
    alias: str | None = None


class CubeView(Lenient):
    """Members of several cubes under one name."""

    name: str
    description: str = ""
    cubes: tuple[CubeViewPart, ...] = ()
    folders: tuple[Any, ...] = ()
    public: bool = True


class Computed(Lenient):
    """A part that a program makes."""

    path: str
    code: str


class CubeFile(Lenient):
    """One file of a data model."""

    cubes: tuple[Cube, ...] = Field(default=())
    views: tuple[CubeView, ...] = Field(default=())
    computed: tuple[Computed, ...] = ()
    rewrites: tuple[str, ...] = ()
    """Programs that change each query before it runs."""
