"""The raw logs of one made-up run, as ``docs/sessions.md`` shows what becomes of them."""

import shutil
from pathlib import Path
from typing import Final

SAMPLE: Final = Path(__file__).parents[2] / "docs" / "samples" / "run-123"


def put(folder: Path) -> None:
    """Copy the logs of the run to ``folder``, beside what is there."""
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
