"""Reads the fields of a form."""

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs

from fastapi import Request

MOST_FIELDS = 1_000
Form = Mapping[str, Sequence[str]]


async def form_of(request: Request) -> Form:
    """The fields of a form that was sent with this request, without what can't be stored."""
    body = (await request.body()).decode("utf-8", "replace").replace("\x00", "")
    return parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)


def field(form: Form, name: str, most: int = 4_000) -> str:
    """One field, shortened; empty where it is missing."""
    values = form.get(name, ())
    return values[0].replace("\x00", "").strip()[:most] if values else ""
