"""What the data means, as resources: for each feature, whole or as far as a question needs it."""

from urllib.parse import parse_qs, urlsplit

from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, ReadResourceResult, Resource, ResourceTemplate
from mcp.types import TextResourceContents as Text

from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.ontology.prompt import DEFAULT_BUDGET
from veridical.server.mcp.visitor import Visitor
from veridical.server.plain import LONGEST_TEXT

_PREFIX = "veridical://ontology/"
_MARKDOWN = "text/markdown"
_QUESTION = "question"


def resources_of(visitor: Visitor) -> list[Resource]:
    """One for each feature."""
    return [
        Resource(
            name=f"ontology-{feature}",
            uri=f"{_PREFIX}{feature}",
            description=message("mcp.ontology", visitor.language, feature=feature),
            mime_type=_MARKDOWN,
        )
        for feature in visitor.features
    ]


def templates_of(visitor: Visitor) -> list[ResourceTemplate]:
    """The slice that a question needs."""
    return [
        ResourceTemplate(
            name="ontology-slice",
            uri_template=f"{_PREFIX}{{feature}}{{?{_QUESTION}}}",
            description=message("mcp.ontology_slice", visitor.language),
            mime_type=_MARKDOWN,
        )
    ]


def read_resource(runtime: Runtime, visitor: Visitor, uri: str) -> ReadResourceResult:
    """The text of a resource. What there is but not for them is told like what there is not."""
    place = urlsplit(uri)
    feature = place.path.strip("/")
    if not uri.startswith(_PREFIX) or feature not in visitor.callers:
        known = ", ".join(each.uri for each in resources_of(visitor)) or "-"
        raise MCPError(INVALID_PARAMS, message("mcp.no_resource", visitor.language, known=known))
    question = parse_qs(place.query).get(_QUESTION, [""])[0][:LONGEST_TEXT]
    told = runtime.feature(feature).context(visitor.callers[feature], question, DEFAULT_BUDGET)
    return ReadResourceResult(contents=[Text(uri=uri, mime_type=_MARKDOWN, text=told)])
