"""Why a grader record is refused. The archive room adds the causes that concern its files (missing, too large)."""

from opvalue.errors import Kind, OpvalueError


class ManifestMalformed(OpvalueError):
    """``grader_manifest.json`` is not strict JSON, has no version above zero, or a field has the wrong type."""

    code = "records.manifest-malformed"
    kind = Kind.ARTIFACT
    advice = "Download the artifact again. If it stays so, the run's manifest cannot be used."


class ResultsMalformed(OpvalueError):
    """``grader_results.json`` is not strict JSON, has no version above zero, no results, or a field of a wrong type."""

    code = "records.results-malformed"
    kind = Kind.ARTIFACT
    advice = "Download the artifact again. If it stays so, the run's results cannot be used."


class VersionUnsupported(OpvalueError):
    """A manifest or results file of a version that the reader was not asked to read."""

    code = "records.version-unsupported"
    kind = Kind.ARTIFACT
    advice = "Use the release of opvalue that knows this version."

    def __init__(self, what: str, version: int, read: frozenset[int]) -> None:
        """Say that the file ``what`` states ``version`` while only the versions ``read`` can be read."""
        known = " or ".join(str(known) for known in sorted(read))
        super().__init__(f"{what} has version {version}", expected=f"version {known}", found=str(version))
        self.version = version
