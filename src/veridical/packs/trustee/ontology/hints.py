"""The same knowledge as free text, for runs without the ontology."""

from veridical.contracts.language import Language
from veridical.packs.trustee.data import text

HINTS: dict[Language, str] = {
    language: text(f"hints.{language}.md").strip() for language in Language
}
