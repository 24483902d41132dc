"""Implementation of ``veridical eval profile``: measures a model's mistakes for a simulated
model."""

from pathlib import Path

from veridical.cli.error_reporting import out
from veridical.cli.eval_options import refuse_data
from veridical.contracts.language import Language
from veridical.evals.execution.inputs import open_inputs
from veridical.evals.simulated.measured import profile_from
from veridical.evals.storage.folder import RunFolder
from veridical.messages import message
from veridical.ontology.errors import LoadError
from veridical.testing.sample_folder import sample_folder


def write_profile(folder: Path, to: Path, data: Path | None, language: Language) -> None:
    """Write how often the model of these runs made each mistake. Raises ``LoadError``."""
    runs = RunFolder(folder)
    setup, records = runs.setup(), runs.results.read()
    if not records:
        raise LoadError(f"no runs in {folder} yet")
    if data is not None:
        refuse_data(setup.gold, language)
    with open_inputs(setup.gold, data, sample_folder()) as ground:
        profile = profile_from(
            setup.header.model,
            records,
            runs.all_traces(),
            ground.golds,
            runs.truths(),
            ground.stage,
        )
    to.write_text(profile.model_dump_json(by_alias=True, indent=2) + "\n", "utf-8")
    written = message("evals.profile_written", language, path=to, source=profile.source)
    out.print(written, highlight=False, markup=False, soft_wrap=True)
