"""An answer as one signed HTML file: its sentences, facts, cells, queries and receipts, readable
without a network. Its labels are there in every language of the console, the answer's first."""

import json
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from markupsafe import Markup

from veridical.console.answer_view import AnswerView, SourceView
from veridical.console.page import LANGUAGES, part, visible
from veridical.console.turns import TurnView
from veridical.console.withheld import Withheld
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.signed_file.key import fingerprint, raw
from veridical.signed_file.sign import signed_page


def signed_answer(
    turn: TurnView, view: AnswerView, key: Ed25519PrivateKey, tenant: str, withheld: Withheld
) -> str:
    """The file. It opens in the language of the answer, whoever downloads it."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    page = part(
        view.answer.language,
        "signed.html",
        t=_in_every_language,
        names=LANGUAGES,
        turn=turn,
        view=view,
        results=[
            _result(source, shown, withheld)
            for source, shown in zip(view.answer.sources, view.sources, strict=True)
        ],
        withheld=withheld,
        signed_at=now,
        tenant=tenant,
        fingerprint=fingerprint(raw(key.public_key())),
    )
    about = {"signedAt": now, "tenant": tenant, "run": turn.trace_id, "question": turn.question}
    return signed_page(page, key, about)


def _in_every_language(key: str, **values: Any) -> Markup:
    """A text of the catalogue in each language: the page's style shows the chosen one."""
    stage, _, name = key.rpartition(".")
    found = {
        each: visible(message(f"{stage or 'console'}.{name}", each, **values)) for each in Language
    }
    if len(set(found.values())) == 1:
        return Markup("{}").format(found[Language.EN])
    one = Markup('<span lang="{}" class="in">{}</span>')
    return Markup("").join(one.format(each, text) for each, text in found.items())


def _result(source: Source, shown: SourceView, withheld: Withheld) -> dict[str, Any]:
    """One result as others may see it."""
    dialect = shown.dialect
    return {
        "rows": withheld.rows(source, dialect),
        "query": withheld.sql(shown.sql, dialect),
        "call": _json(withheld.call(source.arguments, dialect)),
        "receipt": _json(withheld.receipt(source, dialect)),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
