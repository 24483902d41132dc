"""Adds to a YAML file that a person wrote: comments, order and spelling of the rest stay."""

import re
from io import StringIO
from typing import Any

from veridical.ontology.file_errors import FileMistake, FileMistakesError, FileProblem
from veridical.ontology.ontology_file import document_from

_INDENTED = re.compile(r"^[^\s#][^\n]*:[ ]*\n(?:[ ]*(?:#[^\n]*)?\n)*([ ]+)- ", re.M)
_WIDTH = 100


def with_item(text: str, key: str, item: dict[str, Any], source: str) -> str:
    """The text with one more item in the list under this key, which is started if it is missing.

    Raises ``FileMistakesError`` if the text can't be edited without changing its other content.
    """
    # Imported here because only rewriting files needs it.
    from ruamel.yaml import YAML

    before = document_from(text, source).value
    editor = YAML()
    editor.preserve_quotes = True
    editor.width = _WIDTH
    offset = len(found[1]) if (found := _INDENTED.search(text)) else 0
    editor.indent(mapping=2, sequence=offset + 2, offset=offset)
    document = editor.load(text)
    document.setdefault(key, []).append(item)
    written = StringIO()
    editor.dump(document, written)
    after = document_from(written.getvalue(), source).value
    if after != {**before, key: [*(before.get(key) or []), item]}:
        mistake = FileMistake(FileProblem.NOT_EDITABLE, 1, {"entry": key})
        raise FileMistakesError(source, (mistake,))
    return written.getvalue()
