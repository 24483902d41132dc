"""The tables around the journal as entities: parties, invoices, documents, reference data."""

from veridical.ontology.model import Entity, SemanticType
from veridical.packs.trustee import models
from veridical.packs.trustee.ontology.words import dimension, key, measure, moment, table, texts

COMPANY = table(
    models.TrusteeDataCompany,
    "Company",
    SemanticType.PARTY,
    texts("Firma, deren Bücher geführt werden", "company whose books these are", "账套所属公司"),
    {
        "name": dimension(),
        "legalForm": dimension(),
        "industry": dimension(),
        "canton": dimension(),
        "uidNumber": dimension("UID", "company id", "企业识别号"),
        "baseCurrency": dimension(),
    },
    synonyms=("Mandant", "Firma", "client", "客户公司"),
)

CONTACT = table(
    models.TrusteeDataContact,
    "Contact",
    SemanticType.PARTY,
    texts(
        "Kunden, Lieferanten, Personal, Behörden",
        "customers, suppliers, staff, authorities",
        "往来单位",
    ),
    {
        "id": key(),
        "name": dimension(),
        "contactType": dimension(),
        "street": dimension(),
        "postalCode": dimension(),
        "city": dimension(),
        "country": dimension(),
        "language": dimension(),
        "paymentTermDays": dimension("Zahlungsfrist in Tagen", "payment term in days", "付款天数"),
    },
    synonyms=("Kontakt", "Adresse", "联系人"),
)

COST_CENTER = table(
    models.TrusteeDataCostCenter,
    "CostCenter",
    SemanticType.CLASSIFICATION,
    texts("Kostenstelle", "cost center", "成本中心"),
    {"costCenter": key(), "label": dimension()},
    synonyms=("Kostenstelle", "成本中心"),
)

OPEN_ITEM = table(
    models.TrusteeDataOpenItem,
    "OpenItem",
    SemanticType.DOCUMENT,
    texts(
        "Rechnung mit offenem Betrag; paidAmount + openAmount = invoiceAmount",
        "invoice with what is unpaid; paidAmount + openAmount = invoiceAmount",
        "发票及未付金额；paidAmount + openAmount = invoiceAmount",
    ),
    {
        "id": key(),
        "itemType": dimension("Debitor oder Kreditor", "receivable or payable", "应收或应付"),
        "invoiceNumber": dimension(),
        "contactId": key(),
        "journalEntryId": key(),
        "invoiceDate": moment(),
        "dueDate": moment("Fälligkeit", "due", "到期日"),
        "paidDate": moment("leer = nicht ganz bezahlt", "empty = not fully paid", "空=未付清"),
        "invoiceAmount": measure("brutto", "gross", "含税"),
        "paidAmount": measure(),
        "openAmount": measure("noch offen", "still open", "未付"),
        "status": dimension(),
        "dunningLevel": dimension("Mahnstufe", "reminders sent", "催款级别"),
    },
    synonyms=("Rechnung", "offener Posten", "invoice", "发票"),
)

DOCUMENT = table(
    models.TrusteeDataDocument,
    "Document",
    SemanticType.DOCUMENT,
    texts("Abgelegter Beleg zu einer Buchung", "filed voucher of a booking", "凭证附件"),
    {
        "id": key(),
        "documentType": dimension(),
        "fileName": dimension(),
        "documentDate": moment(),
        "journalEntryId": key(),
        "contactId": dimension(),
    },
    synonyms=("Dokument", "附件"),
)

VAT_CODE = table(
    models.TrusteeDataVatCode,
    "VatCode",
    SemanticType.CLASSIFICATION,
    texts(
        "MWST-Sätze: bis 2023 7.7/3.7/2.5 %, ab 2024 8.1/3.8/2.6 %",
        "VAT rates: to 2023 7.7/3.7/2.5 %, from 2024 8.1/3.8/2.6 %",
        "增值税率：2023年前7.7/3.7/2.5%，2024年起8.1/3.8/2.6%",
    ),
    {
        "vatCode": key(),
        "label": dimension(),
        "direction": dimension("Umsatz- oder Vorsteuer", "output or input tax", "销项或进项"),
        "ratePercent": dimension(),
        "validFrom": moment(),
        "validTo": moment(),
    },
    synonyms=("MWST-Code", "Steuersatz", "税码"),
)

CURRENCY = table(
    models.TrusteeDataCurrency,
    "Currency",
    SemanticType.CLASSIFICATION,
    texts("Währungen", "currencies", "币种"),
    {"currency": key(), "label": dimension()},
    synonyms=("Währung",),
)

EXCHANGE_RATE = table(
    models.TrusteeDataExchangeRate,
    "ExchangeRate",
    SemanticType.CLASSIFICATION,
    texts(
        "Monatsendkurse: CHF je Einheit", "month-end rates: CHF per unit", "月末汇率：每单位瑞郎"
    ),
    {
        "rateDate": moment(),
        "periodMonth": dimension("Monat 1-12", "month 1-12", "月份1-12"),
        "rate": dimension("CHF je Einheit", "CHF per unit", "每单位瑞郎"),
    },
    synonyms=("Wechselkurs", "汇率"),
)

OFFICE_TABLES: tuple[Entity, ...] = (
    COMPANY,
    CONTACT,
    COST_CENTER,
    OPEN_ITEM,
    DOCUMENT,
    VAT_CODE,
    CURRENCY,
    EXCHANGE_RATE,
)
