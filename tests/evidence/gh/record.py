"""``python -m tests.evidence.gh.record``: write ``table.json`` and ``programs.json`` anew.

What the real gh of this machine can do is taken from it, the rest from the stand-in, to be looked at by a person.
"""

import json
import tempfile
from pathlib import Path

from tests.evidence.gh import programs
from tests.evidence.gh.compare import by_gh, by_stand_in, files, program_by_gh
from tests.evidence.gh.laid import real_gh, standing_in
from tests.evidence.gh.table import GOLDEN, ROWS
from tests.evidence.gh.world import world


def main() -> None:
    """Write both."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with standing_in(world(), folder / "ours") as ours, real_gh(world(), folder / "gh") as gh:
            with files(ours.folder / "scratch"), files(gh.folder):
                table = {row.name: by_stand_in(ours, row) if row.differs else by_gh(gh, row) for row in ROWS}
            tried = [*programs.listed(programs.TEXT), *programs.listed(programs.DIFFERING)]
            outcomes = [[*one, *program_by_gh(gh, *one)] for one in tried]
    GOLDEN.write_text(_written([[name, *golden] for name, golden in table.items()]), "utf-8")
    programs.GOLDEN.write_text(_written(outcomes), "utf-8")


def _written(rows: list[list[object]]) -> str:
    """Return a JSON array, a row a line, so that changes show."""
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


if __name__ == "__main__":
    main()
