"""``code-search-recall``: reference files that the run looked at (reference 3.2).

Formula: distinct reference files among the resources of kind ``file`` / distinct reference files. A path is trimmed,
then one leading ``./`` and all leading slashes are dropped.
Source: resources and the reference patch's files.
Unavailable: no reference files; a blank or malformed path; malformed resources.
"""

from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import records
from opvalue.strictjson import JsonObject, JsonValue


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the share of reference files that were found."""
    patch = (projection.reference or {}).get("patch")
    files = patch.get("files") if isinstance(patch, dict) else None
    if not isinstance(files, list) or not files:
        raise Missing("the reference has no files")
    wanted = {_path(file) for file in files}
    resources = records(projection.resources, "resources")
    seen = {_path(resource.get("uri")) for resource in resources if resource.get("kind") == "file"}
    return len(wanted & seen) / len(wanted)


def _path(value: JsonValue) -> str:
    path = value.strip().removeprefix("./").lstrip("/") if isinstance(value, str) else ""
    if not path:
        raise Missing("the path of a file is blank or malformed")
    return path
