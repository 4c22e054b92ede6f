from datetime import UTC, datetime, timedelta, timezone

import pytest
from freezegun import freeze_time
from hypothesis import given
from hypothesis import strategies as st

from opvalue.errors import Kind
from opvalue.identity import Instant, InstantRefused

NOON = "2026-08-30T12:00:00.000Z"

# The one table of `--evidence-at` spellings.
ACCEPTED = [
    ("2026-08-30T12:00:00Z", NOON),
    ("2026-08-30t12:00:00z", NOON),
    ("2026-08-30T12:00:00.0Z", NOON),
    ("2026-08-30T12:00:00.00Z", NOON),
    ("2026-08-30T12:00:00.000Z", NOON),
    ("2026-08-30T12:00:00+00:00", NOON),
    ("2026-08-30T14:00:00+02:00", NOON),
    ("2026-08-30T14:00:00.000+02:00", NOON),
    ("2026-08-30T05:00:00-07:00", NOON),
    ("2026-08-30T17:45:00+05:45", NOON),
    ("2026-08-31T11:59:00+23:59", NOON),
    ("2026-08-29T12:01:00-23:59", NOON),
    ("2026-08-30T12:00:00.5Z", "2026-08-30T12:00:00.500Z"),
    ("2026-08-30T12:00:00.05Z", "2026-08-30T12:00:00.050Z"),
    ("2026-08-30T12:00:00.123+00:00", "2026-08-30T12:00:00.123Z"),
    ("2026-08-30T00:00:00Z", "2026-08-30T00:00:00.000Z"),
    ("2028-02-29T23:59:59.999Z", "2028-02-29T23:59:59.999Z"),
    ("2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00.000Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
]

REFUSED = [
    ("2026-08-30T12:00:00", "without a time zone"),
    ("2026-08-30T12:00:00.000", "without a time zone"),
    ("2026-08-30T12:00:00-00:00", "-00:00"),
    ("2026-08-30T12:00:00.000-00:00", "-00:00"),
    ("2016-12-31T23:59:60Z", "leap second"),
    ("2026-08-30T12:00:60Z", "leap second"),
    ("2017-01-01T00:59:60+01:00", "leap second"),
    ("2026-08-30T12:00:00.0000Z", "finer than a millisecond"),
    ("2026-08-30T12:00:00.000000Z", "finer than a millisecond"),
    ("2026-08-30T12:00:00.123456789Z", "finer than a millisecond"),
    ("2026-08-30T24:00:00Z", "no such date or time"),
    ("2026-08-30T12:60:00Z", "no such date or time"),
    ("2026-08-30T12:00:61Z", "no such date or time"),
    ("2026-02-29T12:00:00Z", "no such date or time"),
    ("2026-13-01T12:00:00Z", "no such date or time"),
    ("2026-00-01T12:00:00Z", "no such date or time"),
    ("2026-08-00T12:00:00Z", "no such date or time"),
    ("0000-01-01T12:00:00Z", "no such date or time"),
    ("0001-01-01T00:00:00+00:01", "no such date or time"),
    ("9999-12-31T23:59:59-00:01", "no such date or time"),
    ("2026-08-30T12:00:00+24:00", "an offset that does not exist"),
    ("2026-08-30T12:00:00+02:60", "an offset that does not exist"),
    *[
        (text, "not a date and time")
        for text in (
            "",
            "now",
            "2026-08-30",
            "2026-08-30Z",
            "2026-08",
            "12:00:00Z",
            "2026-08-30 12:00:00Z",
            "2026-08-30_12:00:00Z",
            "2026-08-30T12:00Z",
            "2026-08-30T12Z",
            "20260830T120000Z",
            "2026-242T12:00:00Z",
            "2026-W35-7T12:00:00Z",
            "2026-8-30T12:00:00Z",
            "26-08-30T12:00:00Z",
            "+2026-08-30T12:00:00Z",
            "-2026-08-30T12:00:00Z",
            "12026-08-30T12:00:00Z",
            "2026-08-30T12:00:00.Z",
            "2026-08-30T12:00:00,000Z",
            "2026-08-30T12:00:00 Z",
            "2026-08-30T12:00:00 +02:00",
            "2026-08-30T12:00:00+0200",
            "2026-08-30T12:00:00+02",
            "2026-08-30T12:00:00+2:00",
            "2026-08-30T12:00:00\u221202:00",
            "2026-08-30T12:00:00UTC",
            "2026-08-30T12:00:00ZZ",
            "2026-08-30T12:00:00Z[UTC]",
            "2026-08-30T12:00:00Z\n",
            "\n2026-08-30T12:00:00Z",
            " 2026-08-30T12:00:00Z",
            "2026-08-30T12:00:00Z ",
            "2026-08-30T12:00:00Z\x00",
            "\u0662\u0660\u0662\u0666-08-30T12:00:00Z",
            "2026-08-30T12:00:0\uff10Z",
            "1788091200",
            "1788091200000",
            "2026/08/30T12:00:00Z",
            "Sun, 30 Aug 2026 12:00:00 GMT",
            "9" * 10_000,
        )
    ],
]


@pytest.mark.parametrize(("text", "normal"), ACCEPTED)
def test_accepted_spellings(text: str, normal: str) -> None:
    assert str(Instant.parse(text)) == normal


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_refused_spellings(text: str, why: str) -> None:
    with pytest.raises(InstantRefused, match=why) as caught:
        Instant.parse(text)
    assert caught.value.code == "instant.refused"
    assert caught.value.kind is Kind.USAGE
    assert "2026-08-30T12:00:00Z" in caught.value.hint
    assert len(caught.value.diagnostics()) < 500


def test_spellings_of_one_instant_are_one_identity() -> None:
    spellings = [text for text, normal in ACCEPTED if normal == NOON]
    assert len(spellings) >= 3
    assert len({Instant.parse(text) for text in spellings}) == 1
    assert len({("1", "digest", str(Instant.parse(text))) for text in spellings}) == 1


def test_order_and_cuts() -> None:
    earlier, later = Instant.parse("1969-12-31T23:59:59.999Z"), Instant.parse("1970-01-01T00:00:00.999Z")
    assert earlier < later
    assert (earlier.milliseconds, earlier.seconds) == (-1, -1)
    assert (later.milliseconds, later.seconds) == (999, 0)


UTC_ACCEPTED = ["2026-08-30T12:00:00Z", "2026-08-30T12:00:00.000Z", "1970-01-01T00:00:00Z"]
UTC_REFUSED: list[object] = [
    None,
    1788091200,
    True,
    [],
    b"2026-08-30T12:00:00Z",
    "",
    "2026-08-30T12:00:00.0Z",
    "2026-08-30T12:00:00.00Z",
    "2026-08-30T12:00:00.0000Z",
    "2026-08-30T12:00:00+00:00",
    "2026-08-30t12:00:00Z",
    "2026-08-30T12:00:00z",
    "2026-08-30T12:00:00Z\n",
    "2026-08-30",
    "2026-02-30T12:00:00Z",
    "2016-12-31T23:59:60Z",
    "\u0662\u0660\u0662\u0666-08-30T12:00:00Z",
]


@pytest.mark.parametrize("text", UTC_ACCEPTED)
def test_utc_stamps(text: str) -> None:
    assert Instant.parse_utc(text) == Instant.parse(text)


@pytest.mark.parametrize("text", UTC_REFUSED)
def test_no_utc_stamps(text: object) -> None:
    assert Instant.parse_utc(text) is None


def test_from_datetime_cuts_to_the_millisecond() -> None:
    moment = datetime(2026, 8, 30, 14, 0, 0, 123_999, tzinfo=timezone(timedelta(hours=2)))
    assert str(Instant.from_datetime(moment)) == "2026-08-30T12:00:00.123Z"


@freeze_time("2001-01-01")
def test_no_clock_is_read() -> None:
    assert str(Instant.parse(NOON)) == NOON


_INSTANTS = st.datetimes(timezones=st.just(UTC)).map(Instant.from_datetime)


@given(_INSTANTS)
def test_the_printed_form_reads_back(moment: Instant) -> None:
    assert Instant.parse(str(moment)) == moment
    assert Instant.parse_utc(str(moment)) == moment


@given(_INSTANTS, _INSTANTS)
def test_the_printed_form_sorts_as_the_instants_do(one: Instant, other: Instant) -> None:
    assert (one < other) == (str(one) < str(other))


@given(
    st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - bounds are naive by contract
    st.integers(-23 * 60 - 59, 23 * 60 + 59),
)
def test_any_offset_gives_the_same_instant(moment: datetime, minutes: int) -> None:
    local = moment.astimezone(timezone(timedelta(minutes=minutes)))
    text = local.isoformat(timespec="milliseconds")
    if minutes == 0:
        text = text.replace("+00:00", "Z")
    assert Instant.parse(text) == Instant.from_datetime(moment)


@given(st.text(alphabet="0123456789-+:.TtZz \n", max_size=30) | st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        moment = Instant.parse(text)
    except InstantRefused:
        return
    assert Instant.parse(str(moment)) == moment


@pytest.mark.parametrize(("length", "shown"), [(40, "x" * 40), (41, "x" * 40 + "..."), (100_000, "x" * 40 + "...")])
def test_a_refusal_repeats_the_beginning_of_a_long_text(length: int, shown: str) -> None:
    with pytest.raises(InstantRefused) as refused:
        Instant.parse("x" * length)
    assert refused.value.found == repr(shown)
    assert refused.value.message == f"{shown!r} is not a date and time"
