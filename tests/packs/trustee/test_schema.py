from veridical.contracts.schema import ValueType
from veridical.packs.trustee import schema
from veridical.packs.trustee.models import MODELS


def test_types_come_from_the_annotations() -> None:
    tables = schema.physical_schema().tables
    columns = {each.name: each for each in tables["TrusteeDataJournalLine"].columns}
    assert columns["debitAmount"].type is ValueType.NUMBER
    assert not columns["debitAmount"].nullable
    assert columns["foreignAmount"].nullable
    entry = {each.name: each.type for each in tables["TrusteeDataJournalEntry"].columns}
    assert entry["bookingDate"] is ValueType.INTEGER
    assert entry["text"] is ValueType.TEXT


def test_money_is_numeric_18_2_and_dates_are_bigint() -> None:
    ddl = "\n".join(schema.create_tables())
    for name in ("closingBalance", "debitAmount", "openAmount", "foreignAmount"):
        assert f'"{name}" numeric(18,2)' in ddl
    for name in ("bookingDate", "dueDate", "validFrom"):
        assert f'"{name}" bigint' in ddl


def test_every_table_gets_a_primary_key() -> None:
    keyed = [statement for statement in schema.create_keys() if "PRIMARY KEY" in statement]
    assert len(keyed) == len(MODELS)


def test_a_table_has_a_tenant_or_is_shared() -> None:
    assert schema.shared_tables() == {
        "TrusteeDataCurrency",
        "TrusteeDataExchangeRate",
        "TrusteeDataVatCode",
    }
    assert schema.tenant_columns().keys() | schema.shared_tables() == {
        model.__name__ for model in MODELS
    }
