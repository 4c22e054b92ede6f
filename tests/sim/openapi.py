"""GitHub's own description of its API, as published in the npm package ``@octokit/openapi``, for checks in tests.

``python -m tests.sim.openapi`` fetches it with npm into ``build/openapi``; the tests do so too when it is not there.
The version is pinned and the package's digest is compared. Nothing of the package is executed.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator, FormatChecker

from opvalue.identity import Instant, InstantRefused

PACKAGE: Final = "@octokit/openapi"
VERSION: Final = "23.0.2"
SHA512: Final = (
    "a55f0cecbf46636dc0c9b36f4e6a369f28e6a669edebedac444fedaabd192d07"
    "0f4b8967c3bbb979918d9b044d9010b70fb8195db171e401f32d455105718386"
)
DESCRIPTIONS: Final = ("api.github.com", "ghes-3.17")
FOLDER: Final = Path(__file__).resolve().parents[2] / "build" / "openapi" / VERSION
_SECONDS: Final = 240


def available() -> bool:
    """Tell whether the descriptions are there, or can be had."""
    return _is_complete() or shutil.which("npm") is not None


def fetch() -> None:
    """Bring the descriptions into ``FOLDER``, unless they are there."""
    if _is_complete():
        return
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            [shutil.which("npm") or "npm", "pack", "--silent", f"{PACKAGE}@{VERSION}"],
            cwd=place,
            check=True,
            capture_output=True,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
        )
        packed = next(Path(place).glob("*.tgz"))
        if hashlib.sha512(packed.read_bytes()).hexdigest() != SHA512:
            raise RuntimeError(f"{PACKAGE} {VERSION} is not the package it was")
        FOLDER.mkdir(parents=True, exist_ok=True)
        with tarfile.open(packed) as package:
            for name in DESCRIPTIONS:
                member = package.extractfile(f"package/generated/{name}.json")
                if member is None:
                    raise RuntimeError(f"{PACKAGE} {VERSION} has no description of {name}")
                _place(FOLDER / f"{name}.json", member.read())


def _place(target: Path, content: bytes) -> None:
    # Two test workers may fetch at once: each moves a whole file into place.
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(content)
    # Another user may run the tests next.
    Path(file.name).chmod(0o644)
    os.replace(file.name, target)  # noqa: PTH105 - the name is a string


def _is_complete() -> bool:
    return all((FOLDER / f"{name}.json").is_file() for name in DESCRIPTIONS)


class Description:
    """One server's API: which paths and queries it has, and what each answers."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._paths = [(_pattern(path), path) for path in document["paths"]]

    def path(self, path: str) -> str:
        """Return the described path that ``path`` is an example of."""
        matching = [described for pattern, described in self._paths if pattern.fullmatch(path)]
        # The one with the fewest variables is meant: .../artifacts/{id}/zip is also .../{id}/{format}.
        return str(min(matching, key=lambda described: described.count("{")))

    def queries(self, path: str) -> set[str]:
        """Return the names of the query arguments the path knows."""
        parameters = map(self._resolve, self._document["paths"][path]["get"]["parameters"])
        return {parameter["name"] for parameter in parameters if parameter["in"] == "query"}

    def statuses(self, path: str) -> set[int]:
        """Return the statuses described for the path."""
        return {int(status) for status in self._document["paths"][path]["get"]["responses"]}

    def findings(self, path: str, status: int, answer: object) -> Iterator[str]:
        """Yield what of ``answer`` is not as described."""
        response = self._resolve(self._document["paths"][path]["get"]["responses"][str(status)])
        schema = self._converted(response["content"]["application/json"]["schema"])
        for error in _validator(schema).iter_errors(answer):
            yield f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"

    def _resolve(self, value: Any) -> Any:
        while isinstance(value, dict) and "$ref" in value:
            _, section, name = value["$ref"].split("/", 1)[1].split("/")
            value = self._document["components"][section][name]
        return value

    def _converted(self, schema: Any) -> Any:
        """Return an OpenAPI 3.0 schema as JSON Schema: references laid open, ``nullable`` spelled out."""
        schema = self._resolve(schema)
        plain = {key: self._converted_rule(key, value) for key, value in schema.items() if key not in _NOT_RULES}
        return {"anyOf": [{"type": "null"}, plain]} if schema.get("nullable") is True else plain

    def _converted_rule(self, keyword: str, value: Any) -> Any:
        if keyword == "properties":
            return {name: self._converted(one) for name, one in value.items()}
        if keyword in _LISTS_OF_SCHEMAS:
            return [self._converted(one) for one in value]
        return self._converted(value) if keyword in _SCHEMAS and isinstance(value, dict) else value


_NOT_RULES: Final = frozenset({"example", "examples", "description", "title", "nullable", "deprecated"})
_LISTS_OF_SCHEMAS: Final = frozenset({"allOf", "anyOf", "oneOf"})
_SCHEMAS: Final = frozenset({"additionalProperties", "items", "not"})
_FORMATS: Final = FormatChecker(formats=())


@_FORMATS.checks("date-time", raises=InstantRefused)
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or Instant.parse(value) is not None


def _validator(schema: Any) -> Draft202012Validator:
    return Draft202012Validator(schema, format_checker=_FORMATS)


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(
        "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]+\})", path))
    )


@cache
def description(name: str) -> Description:
    """Return one of ``DESCRIPTIONS``, fetched if need be."""
    fetch()
    return Description(json.loads((FOLDER / f"{name}.json").read_bytes()))


if __name__ == "__main__":
    fetch()
    sys.stdout.write(f"{FOLDER}\n")
