"""Sales from a file, connected as the browser does it; somebody has edited their ontology."""

from pathlib import Path

from veridical.contracts.language import Language
from veridical.engines.data_file import parse_data_file
from veridical.onboarding.budget import Budget
from veridical.onboarding.connection import connect, keep_files

SALES = "\n".join(
    (
        "sale_id,sold_on,shop,state,amount",
        *(
            f"{number},2024-{number % 12 + 1:02}-15,{('North', 'South')[number % 2]},"
            f"{('open', 'paid', 'void')[number % 3]},{number}.50"
            for number in range(1, 201)
        ),
    )
)
NOTE = "# Ask Ada before you change this."


def connect_shop(folder: Path) -> Path:
    """Connects the sales to the settings of a folder; the file of their ontology."""
    connection = keep_files(folder, "sales", [parse_data_file("sales.csv", SALES.encode())])
    connect(connection, Budget(), lambda done, tables: None, Language.EN)
    ontology = connection.project / "ontology.yaml"
    ontology.write_text(f"{NOTE}\n{ontology.read_text()}")
    return ontology
