"""What differs between two bundles."""

from opvalue.evidence.bundle import Bundle, Profile
from opvalue.evidence.bundle.compare import compare
from opvalue.identity import Instant
from tests.evidence.bundle.made import bundle, exchange, exchanges, header


def test_the_same_evidence_recorded_at_other_times_is_the_same() -> None:
    later = Bundle.of(header(profile=Profile("9", "9")), [one._replace(observed_at=Instant(0)) for one in exchanges()])
    found = compare(bundle(), later)
    assert found.same
    assert (found.only_a, found.only_b, found.different) == ((), (), ())
    assert [field for field, _, _ in found.header] == ["profile"]


def test_what_only_one_has_and_what_both_have_differently() -> None:
    a = Bundle.of(header(), [exchange("/a"), exchange("/b", 1), exchange("/c")])
    b = Bundle.of(header(attempt=2), [exchange("/b", 2), exchange("/c"), exchange("/d")])
    found = compare(a, b)
    assert not found.same
    assert found.digests == (a.digest, b.digest)
    assert [one.request.path for one in found.only_a] == ["/a"]
    assert [one.request.path for one in found.only_b] == ["/d"]
    assert [(one.request.path, one.changes) for one in found.different] == [("/b", ("the whole: 1 -> 2",))]
    assert found.header == (("attempt", "1", "2"),)


def changes(a: object, b: object) -> tuple[str, ...]:
    found = compare(Bundle.of(header(), [exchange("/x", a)]), Bundle.of(header(), [exchange("/x", b)]))
    return found.different[0].changes


def test_the_places_that_differ_are_named() -> None:
    assert changes({"a": [1, {"b/c~d": None}]}, {"a": [1, {"b/c~d": 0}]}) == ("/a/1/b~1c~0d: null -> 0",)
    assert changes({"a": 1, "b": 2}, {"b": 2, "c": "x" * 99}) == (
        "/a: 1 -> absent",
        f'/c: absent -> "{"x" * 56}...',
    )
    assert changes([1], [1, 2, 3]) == ("the whole: of length 1 -> 3",)
    assert changes({"a": []}, {"a": [0]}) == ("/a: of length 0 -> 1",)
    assert changes({"a": {}}, {"a": []}) == ("/a: {} -> []",)
    assert changes(list(range(9)), [0, *range(9, 17)])[-1] == "..."
    assert len(changes(list(range(9)), [0, *range(9, 17)])) == 6


def test_another_spelling_of_the_same_json_has_no_place_that_differs() -> None:
    a, b = exchange("/x", body=b'{"a":1}'), exchange("/x", body=b'{ "a": 1.0 }')
    assert compare(Bundle.of(header(), [a]), Bundle.of(header(), [b])).different[0].changes == ()


def test_bodies_that_are_no_json_are_not_looked_into() -> None:
    a, b = exchange("/x", body=b"a"), exchange("/x", body=b"\xff")
    assert compare(Bundle.of(header(), [a]), Bundle.of(header(), [b])).different[0].changes == ()
