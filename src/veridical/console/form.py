"""Reads the fields of a form."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs

from fastapi import Request
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

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


MULTIPART = "multipart/form-data"
MOST_UPLOADS = 10
"""Files of one form."""
_MOST_FIELDS = 20
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file; empty where none was chosen."""

    name: str = ""
    content: bytes = b""


async def parse_upload(headers: Headers, body: bytes) -> tuple[Form, Upload]:
    """The fields and the one file of a form; neither for other content."""
    fields, uploads = await parse_uploads(headers, body, 1)
    return fields, uploads[0] if uploads else Upload()


async def parse_uploads(
    headers: Headers, body: bytes, most: int
) -> tuple[Form, tuple[Upload, ...]]:
    """The fields and the files of a form; neither for other content, or for more files."""
    parser = MultiPartParser(headers, _once(body), max_files=most, max_fields=_MOST_FIELDS)
    try:
        parsed = await parser.parse()
    except (MultiPartException, KeyError, ValueError):
        return {}, ()
    fields: dict[str, list[str]] = {}
    uploads: list[Upload] = []
    for name, value in parsed.multi_items():
        if not isinstance(value, UploadFile):
            fields.setdefault(name, []).append(value)
        elif value.filename:
            uploads.append(Upload(_plain_name(value.filename), await value.read()))
    await parsed.close()
    return fields, tuple(uploads)


def _plain_name(name: str) -> str:
    """The name without the folders that some browsers name, and without what can't be stored."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(filter(str.isprintable, last))[-_LONGEST_NAME:]


async def _once(body: bytes) -> AsyncGenerator[bytes]:
    yield body
