"""A model's words about a table: a description and other names, in three languages, as drafts."""

from veridical.contracts.language import Language, Text
from veridical.contracts.wire import Wire
from veridical.ontology.model import Entity, Field, Gender, Noun, OntologyDescriptor
from veridical.ontology.printed import Nouns

_LONGEST = 300
_LONGEST_NAME = 60
_MOST_NAMES = 4


class Described(Wire):
    """One sentence in each language."""

    de: str = ""
    en: str = ""
    zh: str = ""

    @property
    def text(self) -> Text:
        """The text for an ontology; empty without any words."""
        texts = {each: getattr(self, each.value).strip()[:_LONGEST] for each in Language}
        return {language: text for language, text in texts.items() if text} or ""


class Named(Wire):
    """Other names in each language."""

    de: tuple[str, ...] = ()
    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, each once."""
        names = (name for each in Language for name in getattr(self, each.value)[:_MOST_NAMES])
        fitting = (name.strip() for name in names if len(name) <= _LONGEST_NAME)
        return tuple(dict.fromkeys(filter(None, fitting)))


class ColumnWords(Wire):
    """What a model says about a column."""

    name: str
    label: Described = Described()
    description: Described = Described()
    synonyms: Named = Named()


class TableWords(Wire):
    """What a model says about a table and its columns."""

    table: str = ""
    description: Described = Described()
    synonyms: Named = Named()
    one: Described = Described()
    """The noun for one row."""
    many: Described = Described()
    gender: Gender | None = None
    """Of the German noun."""
    columns: tuple[ColumnWords, ...] = ()


def with_words(ontology: OntologyDescriptor, words: dict[str, TableWords]) -> OntologyDescriptor:
    """The ontology with drafts where it has no words; ``drafts`` lists them."""
    drafts: list[str] = []
    entities = tuple(
        _entity(each, words[each.name], drafts) if each.name in words else each
        for each in ontology.entities
    )
    return ontology.model_copy(update={"entities": entities, "drafts": tuple(drafts)})


def _entity(entity: Entity, words: TableWords, drafts: list[str]) -> Entity:
    changes = _filled(entity, words)
    nouns = _nouns(words)
    if nouns:
        changes["noun"] = {**nouns, **entity.noun}
    if changes:
        drafts.append(entity.name)
    columns = {each.name: each for each in words.columns}
    fields: list[Field] = []
    for field in entity.fields:
        changed = _filled(field, columns[field.name]) if field.name in columns else {}
        label = columns[field.name].label.text if field.name in columns else ""
        if label and isinstance(field.label, str):  # at most its name, made readable
            changed["label"] = label
        if changed:
            drafts.append(f"{entity.name}.{field.name}")
        fields.append(field.model_copy(update=changed))
    return entity.model_copy(update={**changes, "fields": tuple(fields)})


def _nouns(words: TableWords) -> Nouns:
    """The nouns for the rows, in the languages that have them."""
    found: Nouns = {}
    for language in Language:
        one, many = (getattr(each, language.value).strip() for each in (words.one, words.many))
        german = language is Language.DE
        if one and len(one) <= _LONGEST_NAME and (words.gender or not german):
            gender = words.gender if german else None
            found[language] = Noun(one=one, many=many[:_LONGEST_NAME], gender=gender)
    return found


def _filled(thing: Entity | Field, words: TableWords | ColumnWords) -> dict[str, object]:
    """The words for the missing parts of a thing."""
    changes: dict[str, object] = {}
    if not thing.description and words.description.text:
        changes["description"] = words.description.text
    if not thing.synonyms and words.synonyms.names:
        changes["synonyms"] = words.synonyms.names
    return changes
