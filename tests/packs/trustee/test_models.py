import pytest
from pydantic import ValidationError

from veridical.packs.trustee.models import (
    MODELS,
    TENANT,
    Row,
    TenantRow,
    TrusteeDataAccount,
    TrusteeDataAccountBalance,
)
from veridical.packs.trustee.schema import columns_of


@pytest.mark.parametrize("model", MODELS)
def test_names_are_camel_case_and_the_tenant_comes_first(model: type[Row]) -> None:
    columns = columns_of(model)
    assert model.__name__.startswith("TrusteeData")
    assert all(name[0].islower() and "_" not in name for name in columns)
    assert (columns[:2] == TENANT) is issubclass(model, TenantRow)


@pytest.mark.parametrize("model", MODELS)
def test_keys_and_references_name_columns(model: type[Row]) -> None:
    tables = {each.__name__: each for each in MODELS}
    assert set(model.key) <= set(columns_of(model))
    for foreign in model.references:
        assert set(foreign.columns) <= set(columns_of(model))
        assert set(foreign.target_columns) == set(tables[foreign.target].key)
        assert MODELS.index(tables[foreign.target]) < MODELS.index(model)


def test_a_row_is_refused_when_a_value_does_not_fit() -> None:
    row = {
        "mandateId": "m",
        "featureInstanceId": "f",
        "accountNumber": "1020",
        "periodYear": 2025,
        "periodMonth": 12,
        "openingBalance": "1.00",
        "debitTotal": "0",
        "creditTotal": "0",
        "closingBalance": "1.00",
        "currency": "CHF",
    }
    assert TrusteeDataAccountBalance.model_validate(row).periodMonth == 12
    wrongs = {"periodMonth": 13, "openingBalance": "1.001", "currency": "GBP", "accountNumber": "x"}
    for name, wrong in wrongs.items():
        with pytest.raises(ValidationError, match=name):
            TrusteeDataAccountBalance.model_validate({**row, name: wrong})


def test_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        TrusteeDataAccount.model_validate({"balance": 1})
