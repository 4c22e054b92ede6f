"""The spelling of ``--evidence-at``, judged before anything is read."""

import pytest

from opvalue.identity import InstantRefused
from opvalue.regrade.instant import check_spelling


@pytest.mark.parametrize("text", ["now", "maturity", "2026-08-30T12:00:00Z"])
def test_a_time_and_the_two_words_pass(text: str) -> None:
    check_spelling(text)


@pytest.mark.parametrize("text", ["NOW", "yesterday", ""])
def test_a_refusal_names_the_two_words(text: str) -> None:
    with pytest.raises(InstantRefused) as caught:
        check_spelling(text)
    assert caught.value.code == "instant.refused"
    assert caught.value.expected == "an RFC 3339 instant with a zone, now or maturity"
    assert caught.value.found == repr(text)
