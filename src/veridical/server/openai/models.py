"""``GET /v1/models``: each feature that the caller may use, listed as a model."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Response

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.answerer import AnswererDep
from veridical.server.auth import ReadAccess, RequestLanguage
from veridical.server.body_types import written
from veridical.server.openai.error import BadRequestError, OpenAIRoute, errors
from veridical.server.openai.wire_models import ResponseModel
from veridical.server.services import ServicesDep

PREFIX = "veridical:"
MODEL = r"^[A-Za-z0-9_.:/-]{1,200}$"


def as_model(feature: str) -> str:
    """The feature as a model."""
    return f"{PREFIX}{feature}"


def as_feature(model: str, known: Sequence[str], language: Language) -> str:
    """The feature that this model is. Raises ``BadRequestError``, naming those that there are."""
    feature = model.removeprefix(PREFIX)
    if feature == model or feature not in known:
        names = ", ".join(map(as_model, known)) or "-"
        text = message("openai.no_model", language, model=model[:80], known=names)
        raise BadRequestError(text, "model", "model_not_found", 404)
    return feature


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
