"""The constraints of an ontology by the entities and fields that they apply to."""

from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatchcase

from veridical.ontology.model import Constraint, ConstraintRule, Entity, OntologyDescriptor


class Demands:
    """The constraints by what they apply to: exact names in a dictionary, globs in a list."""

    def __init__(self, ontology: OntologyDescriptor) -> None:
        self._exact: defaultdict[str, list[Constraint]] = defaultdict(list)
        self._globs: list[Constraint] = []
        for constraint in ontology.constraints:
            if any(sign in constraint.applies_to for sign in "*?["):
                self._globs.append(constraint)
            else:
                self._exact[constraint.applies_to].append(constraint)

    def on_entity(self, entity: Entity, rule: ConstraintRule) -> Iterator[Constraint]:
        """The constraints of this rule on reading this entity."""
        names = {entity.name, entity.table or entity.name}
        for name in sorted(names):
            yield from (each for each in self._exact[name] if each.rule is rule)
        for constraint in self._globs:
            pattern = constraint.applies_to
            on_entities = "." not in pattern and constraint.rule is rule
            if on_entities and any(fnmatchcase(name, pattern) for name in names):
                yield constraint

    def on_field(self, entity: Entity, field: str) -> Iterator[Constraint]:
        """The constraints on this field; its own come last, so that they override globs."""
        paths = {f"{owner}.{field}" for owner in (entity.name, entity.table or entity.name)}
        for constraint in self._globs:
            pattern = constraint.applies_to
            if "." not in pattern:
                pattern = f"*.{pattern}"
            if any(fnmatchcase(path, pattern) for path in paths):
                yield constraint
        for path in sorted(paths):
            yield from self._exact[path]
