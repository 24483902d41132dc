"""Signs a page: a list of its parts with their digests, and a signature over that list."""

import json
from base64 import b64encode
from collections.abc import Mapping

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from veridical.signed_file.key import raw
from veridical.signed_file.parts import digest, parts_of

FORMAT = "veridical-signed-file-1"
BEGIN = '<script type="application/json" id="veridical-signature">'
"""Everything before it is signed as it stands."""
END = "</script>\n</body></html>\n"


def signed_page(page: str, key: Ed25519PrivateKey, about: Mapping[str, str]) -> str:
    """The page, which has no end yet, with its signature and its end."""
    parts = parts_of(page)
    names = [name for name, _ in parts]
    if BEGIN in page or len(set(names)) < len(names):
        raise ValueError("a page that can't be signed")
    listed = {
        "format": FORMAT,
        **about,
        "page": digest(page),
        "parts": [[name, digest(text)] for name, text in parts],
    }
    content = json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode()
    block = {
        "signed": b64encode(content).decode(),
        "signature": b64encode(key.sign(content)).decode(),
        "key": b64encode(raw(key.public_key())).decode(),
    }
    return f"{page}{BEGIN}{json.dumps(block)}{END}"
