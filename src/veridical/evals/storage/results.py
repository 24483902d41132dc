"""Results file (JSON Lines): appended as runs end, so that a killed process loses none."""

import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from veridical.evals.scoring.record import RunKey, RunRecord
from veridical.evals.storage.write import write
from veridical.ontology.errors import LoadError


class Results:
    """The results file of one folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, record: RunRecord) -> None:
        """Write one run down, in one go."""
        line = record.model_dump_json(by_alias=True).encode() + b"\n"
        write(self.path, line, os.O_APPEND)

    def drop_torn_line(self) -> None:
        """Take away what a killed process wrote of its last line: that run is made again."""
        if not self.path.exists():
            return
        with self.path.open("r+b") as file:
            content = file.read()
            whole = content.rfind(b"\n") + 1
            if whole < len(content):
                file.truncate(whole)
                os.fsync(file.fileno())

    def read(self) -> tuple[RunRecord, ...]:
        """The runs so far, as they ended. Raises ``LoadError`` for a line that is no run."""
        return tuple(self._records()) if self.path.exists() else ()

    def keys(self) -> frozenset[RunKey]:
        """The runs that need not be made again."""
        return frozenset(record.key for record in self.read())

    def _records(self) -> Iterator[RunRecord]:
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                yield RunRecord.model_validate_json(line)
            except ValidationError as error:
                raise LoadError(f"{self.path}, line {number} is no run") from error
