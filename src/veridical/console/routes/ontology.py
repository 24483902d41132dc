"""``/console/ontology``: the meaning of the data, and the rules that protect each measure."""

from fastapi import APIRouter, Request, Response

from veridical.console.maintenance import is_maintainer
from veridical.console.ontology_changes import editable_file
from veridical.console.ontology_view import WIDTH, graph_of, measures_of
from veridical.console.page import language_of, page
from veridical.ontology.tokens import estimate_tokens
from veridical.ontology.visible import visible_ontology
from veridical.server.answerer import AnswererDep
from veridical.server.auth import ReadAccess
from veridical.server.services import ServicesDep

router = APIRouter(prefix="/console/ontology")

_PROMPT_TOKENS = 8_000


@router.get("")
async def show(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    here: AnswererDep,
    feature: str = "",
    q: str = "",
) -> Response:
    """One feature's ontology, as far as the reader may see it."""
    features = here.features(identity)
    chosen = here.chosen_feature(identity, feature)
    if not chosen:
        return page(request, "ontology.html", features=(), chosen="", shown=None)
    language = language_of(request)
    caller = here.caller(identity, chosen, language)
    opened = services.runtime.feature(chosen)
    shown = visible_ontology(opened.ontology, caller.permissions)
    file = editable_file(services, identity, here, chosen)
    prompt = opened.context(caller, q[:4_000], _PROMPT_TOKENS)
    return page(
        request,
        "ontology.html",
        features=features,
        chosen=chosen,
        shown=shown,
        ontology_hash=opened.ontology_hash,
        graph=graph_of(shown),
        width=WIDTH,
        measures=measures_of(shown),
        prompt=prompt,
        tokens=estimate_tokens(prompt),
        question=q[:4_000],
        maintains=is_maintainer(services, identity),
        is_editable=file is not None,
    )
