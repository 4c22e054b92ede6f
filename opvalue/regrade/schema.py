"""The published JSON Schema of the regrade document, made from its models (style: descriptions from the source).

Pydantic can gather attribute docstrings itself, but does so when the models are built, which every regrade would pay
for. Here they are read from the module's source when somebody asks for the schema. Not published as a file: a schema
that is made cannot differ from the models.
"""

import ast
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

from pydantic.alias_generators import to_camel

from opvalue.regrade.document import Document
from opvalue.strictjson import JsonObject

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TITLE: Final = "Regrade document: a run regraded as of a given time"
_NULL: Final = {"type": "null"}


def regrade_schema() -> JsonObject:
    """Return the schema, draft 2020-12. Fields of ``execution`` that may differ between machines carry ``x-varies``."""
    schema = Document.model_json_schema(by_alias=True)
    models: dict[str, Any] = {**schema["$defs"], Document.__name__: schema}
    for name, texts in _descriptions().items():
        if name in models:
            _describe(models[name], texts)
    return {"$schema": _DIALECT, **schema, "title": _TITLE}


def _describe(model: dict[str, Any], texts: dict[str, str]) -> None:
    for name, field in model["properties"].items():
        field.pop("title", None)
        field["description"] = texts[name]
        if name not in model["required"]:
            _make_absent_not_null(field)


def _make_absent_not_null(field: dict[str, Any]) -> None:
    """Say of an optional field that it is left out: the models use ``None`` for that, the document never null."""
    del field["default"]
    (kept,) = (choice for choice in field.pop("anyOf") if choice != _NULL)
    field.update(kept)


def _descriptions() -> dict[str, dict[str, str]]:
    source = files("opvalue.regrade").joinpath("document.py").read_text("utf-8")
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    return {node.name: dict(_attribute_docstrings(node)) for node in classes}


def _attribute_docstrings(model: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, text in zip(model.body, model.body[1:], strict=False):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                yield to_camel(name), " ".join(words.split())
