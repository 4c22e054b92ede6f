"""An evaluator that answers for another case, key or maturity than the run's: reported, never in silence."""

from pathlib import Path

import pytest

from opvalue.cli.console import Console
from opvalue.cli.regrade_text import summary
from tests.support.refusals import UNCONFINED
from tests.support.world import World

CASE = b"(.case // {issue: .config.issue}) as $case"
ROWS = [
    (CASE, b"{issue: 43} as $case", ["opportunityKey", "case"]),
    (b'"issue:\\($evidence.case.issue)",\n      case', b'"Issue:42",\n      case', ["opportunityKey"]),
    (b"14 * 86400", b"15 * 86400", ["maturesAt"]),
    (b".run.createdAt | seconds", b"now", ["maturesAt"]),
]


@pytest.mark.parametrize(("old", "new", "fields"), ROWS)
def test_drift_is_reported(
    tmp_path: Path, old: bytes, new: bytes, fields: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    world = World(tmp_path)
    changed = world.evaluator.replace(old, new)
    assert changed != world.evaluator
    world.adopt(changed)
    regraded = world.regrade(runner=UNCONFINED)
    assert [drift.field for drift in regraded.drift] == fields
    assert f'"field": "{fields[0]}"' in regraded.to_json()
    Console({}).lines(summary(regraded))
    assert f"drift        {fields[0]}: " in capsys.readouterr().out
