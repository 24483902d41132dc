"""Candidates that are proposed for a collection, and their documents: exactly what was shown.

Addresses are never fetched. A proposed text is stored under its address with a part of its
content's hash behind it, so that it never replaces a document that is there; a file is stored under
its path, as by any ingest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_ingest import IngestTask
from veridical.messages import message
from veridical.search.chunk import ChunkedDocument, Origin
from veridical.search.document_reading import IngestOptions, chunked, read_documents
from veridical.search.documents.parsed import ParsedDocument, Section, UnreadableError
from veridical.search.ingest import files_under
from veridical.search.origins import domain_type, url_of
from veridical.search.score.address import address
from veridical.search.score.settings import ScoreSettings
from veridical.search.score.summaries import key_points

MOST_PROPOSED = 200
"""Candidates of one run."""
_HASH_SHOWN = 16


@dataclass(frozen=True, slots=True)
class ProposedFile:
    """A document of a file, as a candidate."""

    path: str
    candidate: SearchCandidate


class ChangedSourceError(Exception):
    """A source is no longer what was approved."""


def options_of(task: IngestTask) -> IngestOptions:
    """The options for the files of a task."""
    return IngestOptions(task.language, task.version, task.policy_tags, task.trust_addresses)


def proposed_texts(given: Iterable[SearchCandidate]) -> tuple[SearchCandidate, ...]:
    """The candidates of a request, by their own texts: what they state about the store and about
    texts that nobody is shown does not count."""
    unstated = {"stored": False, "content_hash": None}
    return tuple(each.model_copy(update=unstated) for each in given)


def proposed_files(
    task: IngestTask, question: str, settings: ScoreSettings, language: Language
) -> tuple[list[ProposedFile], dict[str, str]]:
    """The documents of all files, each with its key points for the question; for each file that
    can't be read, why."""
    found: list[ProposedFile] = []
    failed: dict[str, str] = {}
    for path in files_under(map(Path, task.paths)):
        if len(found) >= MOST_PROPOSED:
            failed[str(path)] = message("collect.too_many", language, most=MOST_PROPOSED)
            continue
        try:
            documents = read_documents(path, options_of(task))
        except UnreadableError as error:
            failed[str(path)] = error.message(language) or type(error).__name__
        except OSError as error:
            failed[str(path)] = str(error) or type(error).__name__
        else:
            room = MOST_PROPOSED - len(found)
            proposed = (_proposed(each, question, settings) for each in documents[:room])
            found += [ProposedFile(str(path), each) for each in proposed]
    return found, failed


def _proposed(document: ChunkedDocument, question: str, settings: ScoreSettings) -> SearchCandidate:
    origin = document.origin
    text = "\n".join(chunk.text for chunk in document.chunks)
    points = key_points(text, question, settings.min_key_points, settings.max_key_points)
    return SearchCandidate(
        id=origin.source,
        title=origin.title,
        snippet="\n".join(points),
        url=url_of(origin),
        domain_type=origin.domain_type or None,
        detected_date=origin.detected_date,
        version=origin.version or None,
        content_hash=document.content_hash,
    )


def current_hashes(files: Sequence[ProposedFile], task: IngestTask) -> dict[str, str]:
    """The hashes of these documents as their files are now; those that are gone are left out."""
    found: dict[str, str] = {}
    for path in dict.fromkeys(each.path for each in files):
        try:
            documents = read_documents(Path(path), options_of(task))
        except (UnreadableError, OSError):
            continue
        found |= {each.origin.source: each.content_hash for each in documents}
    return {
        each.candidate.id: found[name] for each in files if (name := each.candidate.id) in found
    }


def file_document(file: ProposedFile, task: IngestTask, approved: str) -> ChunkedDocument:
    """The document of a file, with the content that was approved. Raises ``ChangedSourceError``,
    ``UnreadableError`` and ``OSError``."""
    for each in read_documents(Path(file.path), options_of(task)):
        if each.origin.source == file.candidate.id and each.content_hash == approved:
            return each
    raise ChangedSourceError


def source_of(candidate: SearchCandidate) -> str:
    """The name that a proposed text is stored under."""
    url = candidate.url or f"proposed:{candidate.id}"
    return f"{url}{'-' if '#' in url else '#'}{candidate.fingerprint[:_HASH_SHOWN]}"


def text_document(candidate: SearchCandidate, fallback: Language) -> ChunkedDocument:
    """The document of a proposed text. Raises ``UnreadableError`` where there is no text."""
    parsed = ParsedDocument((Section(candidate.snippet),), candidate.title)
    chunks = tuple(each for each in chunked(parsed, fallback) if each.text)
    if not chunks:
        raise UnreadableError("no text")
    host = address(candidate.url).host if "://" in candidate.url else ""
    origin = Origin(
        source=source_of(candidate),
        title=candidate.title,
        host=host,
        domain_type=domain_type(host),
        detected_date=candidate.detected_date,
        version=candidate.version or "",
    )
    return ChunkedDocument(origin, candidate.fingerprint, chunks)
