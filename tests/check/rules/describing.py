"""Small ontologies, said in few words."""

from pathlib import Path

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.model import Cardinality, Entity, Field, Relation, Role, SemanticType


def entity(name: str, key: tuple[str, ...], **fields: ValueType) -> Entity:
    """A table with its key and its fields; numbers with fractions are measures."""
    return Entity(
        name=name,
        table=name,
        semantic_type=SemanticType.OBJECT,
        keys=(key,),
        fields=tuple(
            Field(
                name=each,
                type=kind,
                role=Role.MEASURE if kind is ValueType.NUMBER else Role.DIMENSION,
            )
            for each, kind in fields.items()
        ),
    )


def belongs(child: str, parent: str, via: str) -> Relation:
    """Each row of the one table belongs to one of the other."""
    many = Cardinality.MANY_TO_ONE
    return Relation(from_entity=child, to_entity=parent, cardinality=many, via=(via,))


def cases(path: Path) -> list[str]:
    """The lines of a file that are no remarks."""
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def assert_passes(checker: Checker, sql: str) -> None:
    """Nothing at all is said of a right statement."""
    verdict = checker.check(SqlCall(sql=sql))
    assert isinstance(verdict, CheckedQuery), verdict
    assert verdict.warnings == ()


def assert_refused(checker: Checker, case: str) -> None:
    """``CODE | statement``: it is refused for this."""
    code, _, sql = (part.strip() for part in case.partition("|"))
    verdict = checker.check(SqlCall(sql=sql))
    assert isinstance(verdict, Refusal), verdict
    assert Code(code) in {each.code for each in verdict.violations}
