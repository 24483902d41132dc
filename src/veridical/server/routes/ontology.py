"""``/v1/ontology``: the ontologies that the caller may see."""

from fastapi import APIRouter, Response

from veridical.contracts.wire import Wire
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.visible import visible_ontology
from veridical.server.answerer import AnswererDep
from veridical.server.auth import ReadAccess, RequestLanguage
from veridical.server.body_types import written
from veridical.server.openapi import problems
from veridical.server.parameters import FeatureName
from veridical.server.services import ServicesDep

router = APIRouter(prefix="/v1/ontology", tags=["ontology"])


class FeatureCard(Wire):
    """One body of data that the caller may ask about."""

    name: str
    ontology_hash: str
    """The hash of the ontology from which prompt, rules and tools were compiled."""


class FeatureList(Wire):
    """All that the caller may ask about."""

    features: tuple[FeatureCard, ...]


class FeatureOntology(FeatureCard):
    """The ontology of one feature."""

    ontology: OntologyDescriptor


@router.get("", summary="List the features", responses=problems())
async def features(identity: ReadAccess, services: ServicesDep, here: AnswererDep) -> FeatureList:
    """The features that are open to the caller's tenant."""
    known = services.runtime.features
    return FeatureList(
        features=tuple(
            FeatureCard(name=name, ontology_hash=known[name].ontology_hash)
            for name in here.features(identity)
        )
    )


@router.get(
    "/{feature}",
    summary="Show what the data means",
    response_model=FeatureOntology,
    responses=problems(404),
)
async def show(
    feature: FeatureName,
    identity: ReadAccess,
    language: RequestLanguage,
    services: ServicesDep,
    here: AnswererDep,
) -> Response:
    """The ontology without what the caller may not see."""
    caller = here.caller(identity, feature, language)
    opened = services.runtime.feature(feature)
    shown = FeatureOntology(
        name=feature,
        ontology_hash=opened.ontology_hash,
        ontology=visible_ontology(opened.ontology, caller.permissions),
    )
    return Response(written(shown), media_type="application/json")
