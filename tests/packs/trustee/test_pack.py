import ast
import subprocess
import sys
from pathlib import Path

import veridical
from veridical.ontology.pack import load_pack
from veridical.packs import trustee

ALLOWED = ("veridical.ontology.model", "veridical.contracts.", "veridical.packs.trustee")
FOLDER = Path(trustee.__file__).parent


def test_the_pack_is_found_by_its_name() -> None:
    found = load_pack("trustee")
    assert found is trustee.pack
    assert found.tenant_columns["TrusteeDataJournalLine"] == ("mandateId", "featureInstanceId")
    assert found.shared_tables.isdisjoint(found.tenant_columns)
    assert found.domain_hints == found.ontology.domain_hints


def test_a_pack_builds_on_public_names_only() -> None:
    for file in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "veridical":
                assert {name.name for name in node.names} <= set(veridical.__all__)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("veridical."):
                assert node.module is not None
                is_allowed = node.module == "veridical.ontology" or node.module.startswith(ALLOWED)
                assert is_allowed, f"{file}: {node.module}"


def test_loading_the_pack_needs_no_driver() -> None:
    code = (
        "import sys; import veridical.packs.trustee; print({'psycopg', 'duckdb'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_pack_brings_its_skills() -> None:
    assert trustee.pack.skills is not None
    assert {path.parent.name for path in trustee.pack.skills.glob("*/SKILL.md")} == {
        "balance-sheet-explained",
        "month-end-close",
        "open-items-review",
        "vat-check",
    }
