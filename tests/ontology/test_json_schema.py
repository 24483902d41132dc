from veridical.ontology.json_schema import file_models, key_texts, ontology_schema


def test_every_key_of_every_model_is_explained() -> None:
    models = {
        name: {field.alias for field in model.model_fields.values()}
        for name, model in file_models().items()
    }
    assert {name: set(texts) for name, texts in key_texts().items()} == models


def test_editors_know_keys_and_closed_lists() -> None:
    schema = ontology_schema()
    assert schema["required"] == ["featureCode"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["entities"]["description"]
    assert "SEMI_ADDITIVE_OVER" in schema["$defs"]["ConstraintRule"]["enum"]
