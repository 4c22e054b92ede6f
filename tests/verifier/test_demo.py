"""The demo's evaluator is an example to follow: the verifier has nothing against it."""

from pathlib import Path

import opvalue.demo
from opvalue.evaluator import Runner
from verifier.load import load_subject
from verifier.rule import Profile
from verifier.settings import Settings
from verifier.subject import Asked
from verifier.verify import verify


def test_nothing_is_found_in_it() -> None:
    path = Path(opvalue.demo.__file__).parent / "files" / "issue-triage-operational-value.sh"
    subject = load_subject(path, root=None, asked=Asked())
    found = verify(subject, Profile.DEFAULT, settings=Settings(), runner=Runner())
    assert [(finding.rule, finding.message) for finding in found.findings] == []
