"""``GET /v1/models``: each feature as a model, as far as it is open to the caller."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Response

from veridical.server.asking import AsksHere
from veridical.server.openai.documented import errors
from veridical.server.openai.error import OpenAIRoute
from veridical.server.openai.naming import MODEL, as_feature, as_model
from veridical.server.openai.shape import Told
from veridical.server.plain import written
from veridical.server.services import Serving
from veridical.server.who import InLanguage, Reader

router = APIRouter(prefix="/v1/models", tags=["openai"], route_class=OpenAIRoute)

ModelName = Annotated[str, Path(alias="model", pattern=MODEL, examples=["veridical:trustee"])]


class ModelCard(Told):
    """A feature, as something to choose in a chat program."""

    id: str
    object: Literal["model"] = "model"
    created: int
    """When it was opened, in seconds since 1970."""
    owned_by: Literal["veridical"] = "veridical"


class ModelList(Told):
    """All that the caller may ask about."""

    object: Literal["list"] = "list"
    data: tuple[ModelCard, ...]


@router.get("", summary="List the models", response_model=ModelList, responses=errors())
async def models(identity: Reader, services: Serving, here: AsksHere) -> Response:
    """One for each feature that is open to the caller's tenant."""
    created = int(services.runtime.opened_at)
    cards = (ModelCard(id=as_model(name), created=created) for name in here.features(identity))
    return Response(written(ModelList(data=tuple(cards))), media_type="application/json")


@router.get(
    "/{model}", summary="Show a model", response_model=ModelCard, responses=errors(400, 404)
)
async def model(
    model: ModelName, identity: Reader, language: InLanguage, services: Serving, here: AsksHere
) -> Response:
    """One of the models that are listed."""
    as_feature(model, here.features(identity), language)
    card = ModelCard(id=model, created=int(services.runtime.opened_at))
    return Response(written(card), media_type="application/json")
