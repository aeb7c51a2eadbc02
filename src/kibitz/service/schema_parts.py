"""What schemas are written with: a few words for numbers, lists and objects of JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

Schema = dict[str, Any]

NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
ANYTHING: Schema = {"type": "object"}
TIME: Schema = {"type": "string", "format": "date-time"}


def named(name: str) -> Schema:
    """A reference to one of these."""
    return {"$ref": f"#/components/schemas/{name}"}


def maybe(schema: Schema) -> Schema:
    """Or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def several(schema: Schema, count: int | None = None) -> Schema:
    """A list, of so many."""
    return {"type": "array", "items": schema} | ({} if count is None else {"minItems": count, "maxItems": count})


def one_of(values: type[StrEnum] | Iterable[str]) -> Schema:
    """One of these words."""
    words = [str(one.value if isinstance(one, StrEnum) else one) for one in values]
    return {"type": "string", "enum": words}


def each(schema: Schema, *names: str) -> dict[str, Schema]:
    """Members that are all alike."""
    return dict.fromkeys(names, schema)


def record(*words: str, **members: Schema) -> Schema:
    """An object with exactly these members, and words about it."""
    schema: Schema = {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}
    return schema | ({"description": words[0]} if words else {})
