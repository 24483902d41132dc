"""A question that no pattern knows, the call that answers it, and an answer that is made up."""

QUESTION = "Erkläre mir bitte den Stand von Konto 1020 per Ende 2024 in eigenen Worten"
CALL = (
    "queryTable",
    {
        "tableName": "TrusteeDataAccountBalance",
        "fields": ["accountNumber", "periodYear", "currency", "closingBalance"],
        "filters": [
            {"field": "accountNumber", "op": "=", "value": "1020"},
            {"field": "periodYear", "op": "=", "value": 2024},
            {"field": "periodMonth", "op": "=", "value": 0},
        ],
    },
)
INVENTED = "Konto 1020 stand Ende 2024 bei CHF 987'654.32."
