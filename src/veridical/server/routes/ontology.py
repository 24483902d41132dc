"""``/v1/ontology``: what the data means, as far as the caller may know of it."""

from fastapi import APIRouter, Response

from veridical.contracts.wire import Wire
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.visible import visible_ontology
from veridical.server.asking import AsksHere
from veridical.server.parameters import FeatureName
from veridical.server.plain import written
from veridical.server.responses import problems
from veridical.server.services import Serving
from veridical.server.who import InLanguage, Reader

router = APIRouter(prefix="/v1/ontology", tags=["ontology"])


class FeatureCard(Wire):
    """One body of data that the caller may ask about."""

    name: str
    ontology_hash: str
    """Under which prompt, rules and tools were compiled."""


class FeatureList(Wire):
    """All that the caller may ask about."""

    features: tuple[FeatureCard, ...]


class FeatureOntology(FeatureCard):
    """What one body of data means."""

    ontology: OntologyDescriptor


@router.get("", summary="List what may be asked about", responses=problems())
async def features(identity: Reader, services: Serving, here: AsksHere) -> FeatureList:
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
    identity: Reader,
    language: InLanguage,
    services: Serving,
    here: AsksHere,
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
