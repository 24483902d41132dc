import json
from typing import Any

import pytest

from tests.ontology.small import ONTOLOGY
from veridical.check.arguments import argument_names
from veridical.check.from_call import AGGREGATES, OPERATORS
from veridical.contracts.call import TABLE_TOOLS, MetricCall
from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.ontology.compile import compile_catalog
from veridical.ontology.enums import compile_enums
from veridical.tools.calculate import CalculateArguments
from veridical.tools.files import AnalyzeArguments, InspectArguments
from veridical.tools.toolbox import tool_schemas

MODELS: dict[str, type[Wire]] = {
    **TABLE_TOOLS,
    "queryMetrics": MetricCall,
    "inspectFile": InspectArguments,
    "analyzeDataframe": AnalyzeArguments,
    "calculate": CalculateArguments,
}
ENUMS = compile_enums(compile_catalog(None, ONTOLOGY), AGGREGATES, OPERATORS)


def parameters(name: str) -> dict[str, Any]:
    return tool_schemas(ENUMS, (name,), files=("a.csv",))[0]["function"]["parameters"]


@pytest.mark.parametrize("name", MODELS)
def test_a_schema_has_the_arguments_that_the_tool_reads(name: str) -> None:
    model = MODELS[name]
    schema = parameters(name)
    assert set(schema["properties"]) == set(argument_names(model))
    needed = {
        field.alias or key for key, field in model.model_fields.items() if field.is_required()
    }
    assert needed <= set(schema["required"])
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("name", MODELS)
def test_a_description_explains_error_details(name: str, language: Language) -> None:
    function = tool_schemas(ENUMS, (name,), language)[0]["function"]
    assert "errorDetails {code, field, suggestion, hint}" in function["description"]
    assert all(each["description"] for each in function["parameters"]["properties"].values())


def test_names_operators_and_aggregates_are_closed_lists() -> None:
    schema = parameters("aggregateTable")["properties"]
    assert schema["tableName"]["enum"] == ["ShopArticle", "ShopSale", "ShopStock"]
    assert schema["aggregate"]["enum"] == list(AGGREGATES)
    assert "closingBalance" in schema["field"]["enum"]
    assert schema["filters"]["items"]["properties"]["op"]["enum"] == list(OPERATORS)
    assert parameters("inspectFile")["properties"]["fileName"]["enum"] == ["a.csv"]
    assert parameters("queryMetrics")["properties"]["metrics"]["items"]["enum"] == ["revenue"]


def test_it_is_plain_json_of_a_bearable_size() -> None:
    assert len(json.dumps(tool_schemas(ENUMS, MODELS))) < 10_000


def test_lean_schemas_keep_the_short_lists_and_leave_out_the_fields() -> None:
    full, lean = (tool_schemas(ENUMS, ("aggregateTable",), lean=lean) for lean in (False, True))
    schema = lean[0]["function"]["parameters"]["properties"]
    assert schema["tableName"]["enum"] == ["ShopArticle", "ShopSale", "ShopStock"]
    assert schema["aggregate"]["enum"] == list(AGGREGATES)
    assert schema["filters"]["items"]["properties"]["op"]["enum"] == list(OPERATORS)
    assert "unitPrice" in json.dumps(full)
    assert "unitPrice" not in json.dumps(lean)
