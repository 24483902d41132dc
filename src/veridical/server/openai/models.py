"""``GET /v1/models``: each feature that the caller may use, listed as a model."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Response

from veridical.server.answerer import AnswererDep
from veridical.server.authorization import ReadAccess, RequestLanguage
from veridical.server.body_types import written
from veridical.server.openai.error import OpenAIRoute
from veridical.server.openai.model_names import MODEL, as_feature, as_model
from veridical.server.openai.openapi_errors import errors
from veridical.server.openai.wire_models import ResponseModel
from veridical.server.services import ServicesDep

router = APIRouter(prefix="/v1/models", tags=["openai"], route_class=OpenAIRoute)

ModelName = Annotated[str, Path(alias="model", pattern=MODEL, examples=["veridical:trustee"])]


class ModelCard(ResponseModel):
    """A feature, listed as a model."""

    id: str
    object: Literal["model"] = "model"
    created: int
    """When it was opened, in seconds since 1970."""
    owned_by: Literal["veridical"] = "veridical"


class ModelList(ResponseModel):
    """The models that the caller may use."""

    object: Literal["list"] = "list"
    data: tuple[ModelCard, ...]


@router.get("", summary="List the models", response_model=ModelList, responses=errors())
async def models(identity: ReadAccess, services: ServicesDep, here: AnswererDep) -> Response:
    """One for each feature that is open to the caller's tenant."""
    created = int(services.runtime.opened_at)
    cards = (ModelCard(id=as_model(name), created=created) for name in here.features(identity))
    return Response(written(ModelList(data=tuple(cards))), media_type="application/json")


@router.get(
    "/{model}", summary="Show a model", response_model=ModelCard, responses=errors(400, 404)
)
async def model(
    model: ModelName,
    identity: ReadAccess,
    language: RequestLanguage,
    services: ServicesDep,
    here: AnswererDep,
) -> Response:
    """One of the models that are listed."""
    as_feature(model, here.features(identity), language)
    card = ModelCard(id=model, created=int(services.runtime.opened_at))
    return Response(written(card), media_type="application/json")
