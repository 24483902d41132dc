"""A small insurer in the ACME files' formats: a script without semicolons, CSV, Turtle, dbt."""

import json
from collections.abc import Iterator
from pathlib import Path

_SCRIPT = """\
CREATE TABLE Payment
(
    Payment_Identifier int  NOT NULL ,
    Claim_Identifier int  NOT NULL ,
    Payment_Amount decimal(15,2)  NULL ,
     PRIMARY KEY (Payment_Identifier ASC),
     FOREIGN KEY (Claim_Identifier) REFERENCES Claim(Claim_Identifier),
 FOREIGN KEY (Payment_Identifier) REFERENCES Ledger(Payment_Identifier)
)

CREATE TABLE Claim
(
    Claim_Identifier int  NOT NULL ,
    Claim_Number varchar(20)  NULL ,
    Open_Date datetime  NULL ,
    Close_Date datetime  NULL ,
    Status_Code varchar(5)  NOT NULL ,
     PRIMARY KEY (Claim_Identifier ASC),
 FOREIGN KEY (Claim_Identifier) REFERENCES Claim(Claim_Identifier)
)
"""
_CLAIMS = """\
Claim_Number,Claim_Identifier,Open_Date,Close_Date,Status_Code
C-7,1,2021-03-01,2021-03-11,
C-8,2,2021-05-02,2021-05-07,
C-9,3,2022-01-04,,
"""
_PAYMENTS = "Payment_Identifier,Claim_Identifier,Payment_Amount\n1,1,250.50\n2,1,49.5\n3,2,700\n"
_PREFIXES = """\
@prefix QandA: <http://example.org/QandA#> .
@prefix dct:   <http://example.org/terms/> .
"""
_SETTLED = 'avg(DATE_DIFF(open_date, close_date, "day"))'
Inquiry = tuple[str, str, tuple[str, ...]]
"""The question, its kind, and the statements that answer it."""
_INQUIRIES: dict[str, Inquiry] = {
    "aaaaaaaa01": (
        " How many claims\ndo we have?",
        "HQLS: Claim",
        ("SELECT COUNT(*) AS Claims\nFROM claim",),
    ),
    "bbbbbbbb02": (
        "How long did it take to settle each claim?",
        "HQHS: settled",
        (
            f"select claim_number,\n#  status_code,\n  {_SETTLED}\nfrom claim"
            "\nwhere close_date is not null\ngroup by claim_number",
            f"select claim_number, {_SETTLED} from claim"
            " where close_date is not null group by claim_number",
        ),
    ),
    "cccccccc03": (
        "What has been paid by claim id, and when was it opened?",
        "LQHS: Claim - Payment",
        (
            "select claim.claim_identifier as ClaimId, open_date, sum(payment_amount) from claim"
            " join payment on claim.claim_identifier = payment.claim_identifier"
            " group by claim.claim_identifier, open_date",
        ),
    ),
    "dddddddd04": (
        "Which claims were opened in 1999?",
        "LQLS: Claim",
        ("select claim_number from claim where open_date <= '1999-12-31'",),
    ),
}
_OTHER_LANGUAGE = 'select ?c where { ?c a in:Claim; in:number "x" . }'


_CLAIM_MODEL = """\
semantic_models:
  - name: claim
    model: ref('claim')
    description: What somebody wants to be paid.
    defaults: {agg_time_dimension: open_date}
    entities:
      - {name: claim, type: primary, expr: claim_identifier}
    dimensions:
      - {name: claim_no, type: categorical, expr: claim_number}
      - {name: open_date, type: time, type_params: {time_granularity: day}}
    measures:
      - name: days_to_settle
        expr: DATEDIFF('day', open_date, close_date)
        agg: average
        create_metric: true
"""
_PAYMENT_MODEL = """\
semantic_models:
  - name: payment
    model: ref('payment')
    defaults: {agg_time_dimension: paid_on}
    entities:
      - {name: payment, type: primary, expr: payment_identifier}
      - {name: claim, type: foreign, expr: claim_identifier}
    dimensions:
      - {name: paid_on, type: time, type_params: {time_granularity: day}}
    measures:
      - {name: paid, agg: sum, expr: payment_amount, create_metric: true}
"""
_BROKER_MODEL = """\
semantic_models:
  - name: broker
    model: ref('broker')
    defaults: {agg_time_dimension: since}
    entities:
      - {name: broker, type: primary, expr: broker_identifier}
      - {name: claim, type: foreign, expr: claim_identifier}
    dimensions:
      - {name: since, type: time, type_params: {time_granularity: day}}
    measures:
      - {name: fees, agg: sum, expr: fee, create_metric: true}
metrics:
  - name: paid_with_fees
    type: derived
    label: Paid with fees
    type_params:
      expr: paid + fees
      metrics: [{name: paid}, {name: fees}]
  - name: paid_twice
    type: derived
    label: Paid twice
    type_params:
      expr: paid * 2
      metrics: [{name: paid}]
"""
CLAIMS_FILE = "acme_dataworld/ACME_Insurance/data/Claim.csv"
QUESTIONS_FILE = "acme_dataworld/ACME_Insurance/investigation/acme-benchmark.ttl"
_MODELS = "acme_dbt/semantic_project/models/omg_semantics"


def write_insurer(folder: Path, more: int = 0) -> Path:
    """The files below this folder, with so many more questions for the number of claims."""
    inquiries = dict(_INQUIRIES)
    for number in range(more):
        inquiries[f"{number:08}05"] = inquiries["aaaaaaaa01"]
    parts = {
        "acme_dataworld/ACME_Insurance/DDL/ACME_small.ddl": _SCRIPT,
        CLAIMS_FILE: _CLAIMS,
        "acme_dataworld/ACME_Insurance/data/Payment.csv": _PAYMENTS,
        QUESTIONS_FILE: "\n".join([_PREFIXES, *_sentences(inquiries)]),
        f"{_MODELS}/claim.yaml": _CLAIM_MODEL,
        f"{_MODELS}/payment.yaml": _PAYMENT_MODEL,
        f"{_MODELS}/broker.yaml": _BROKER_MODEL,
    }
    for name, text in parts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def _sentences(inquiries: dict[str, Inquiry]) -> Iterator[str]:
    """Each question with its statements, and one statement that is not SQL."""
    for key, (question, title, statements) in inquiries.items():
        names = [f"dwt:query-{key}-{number}" for number in range(len(statements) + 1)]
        yield (
            f"dwt:IQ_{key}\n        rdf:type       QandA:Inquiry ;\n"
            f"        QandA:expects  {' , '.join(names)} ;\n"
            f"        QandA:prompt   {json.dumps(question)} .\n"
        )
        languages = ["QandA:SPARQL", *["QandA:SQL"] * len(statements)]
        texts = [_OTHER_LANGUAGE, *statements]
        for name, language, text in zip(names, languages, texts, strict=True):
            yield (
                f"{name}\n        QandA:inLanguage  {language} ;\n"
                f"        QandA:queryText   {json.dumps(text)} ;\n"
                f"        dct:title         {json.dumps(title)} .\n"
            )
