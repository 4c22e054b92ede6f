"""The reference page is what the program says of itself, so every command, code, status and variable is in it."""

from scripts.reference import TARGET, reference


def test_the_page_is_up_to_date() -> None:
    assert TARGET.read_text(encoding="utf-8") == reference(), "run: make docs"
