"""The evaluator's environment, built from nothing (BS-05, HB-07, AW-03, GT-05).

No variable of the caller's is passed on: no start-up hook, exported function, colour switch, git or GitHub variable, no
credential. ``GH_TOKEN`` is a placeholder, for scripts that insist on one.
"""

import os
from collections.abc import Mapping
from typing import Final, NamedTuple

from opvalue.evaluator.tools import Tools
from opvalue.identity import Host
from opvalue.process import SYSTEM_FOLDERS

PLACEHOLDER_TOKEN: Final = "placeholder-not-a-credential"  # noqa: S105 - says what it is
"""The value of ``GH_TOKEN``. It opens nothing."""


class Folders(NamedTuple):
    """Where the evaluator finds things, as it sees them."""

    tree: str
    """The script and its siblings at their repository paths."""
    stand_in: str
    tools: str
    """Links to the tools found, so that the ones whose versions are recorded are the ones that run."""
    home: str
    scratch: str
    """Working folder and place for temporary files."""


def environment(
    folders: Folders, tools: Tools, host: Host, *, workspace: bool, added: Mapping[str, str]
) -> dict[str, str]:
    """Return the whole environment. ``workspace`` says whether ``GITHUB_WORKSPACE`` points at the tree."""
    found = {
        **added,
        "PATH": _search_path(folders, tools),
        "HOME": folders.home,
        "TMPDIR": folders.scratch,
        "LC_ALL": "C",
        "TZ": "UTC",
        "GH_HOST": host.name,
        "GH_TOKEN": PLACEHOLDER_TOKEN,
        "GITHUB_SERVER_URL": host.server_url,
        "GITHUB_API_URL": host.api_url,
        "GITHUB_GRAPHQL_URL": host.graphql_url,
    }
    if workspace:
        found["GITHUB_WORKSPACE"] = folders.tree
    return found


def _search_path(folders: Folders, tools: Tools) -> str:
    beside = (str(tool.parent) for tool in tools)
    return os.pathsep.join(dict.fromkeys((folders.stand_in, folders.tools, *SYSTEM_FOLDERS, *beside)))
