"""What the records of a run's graders are called, wherever they are."""

from typing import Final

MANIFEST_FILE: Final = "grader_manifest.json"
RESULTS_FILE: Final = "grader_results.json"
