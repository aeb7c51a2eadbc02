"""The OpenAPI document as a page to read: plain HTML with nothing to run and nothing to fetch."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
body{background:#fff}h2{margin-top:2.5rem}h3{margin:1.8rem 0 .2rem}
code,pre{font:14px/1.4 ui-monospace,monospace}a{color:#0550ae}
pre{overflow-x:auto;background:#f4f4f4;padding:.6rem}table{border-collapse:collapse}td,th{padding:.1rem .8rem .1rem 0;
text-align:left;vertical-align:top}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#262626}a{color:#79b8ff}}"""
_METHODS = ("get", "post", "put", "patch", "delete")


def handbook(document: dict[str, Any]) -> str:
    """All operations by their rooms, then all schemas."""
    info = document["info"]
    rooms: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                operation = methods[method]
                rooms.setdefault(operation["tags"][0], []).append("".join(_operation(method, path, operation)))
    schemas = "".join(_schema(name, schema) for name, schema in document["components"]["schemas"].items())
    parts = "".join(f'<h2 id="{escape(room)}">{escape(room)}</h2>{"".join(told)}' for room, told in rooms.items())
    links = " · ".join(f'<a href="#{escape(room)}">{escape(room)}</a>' for room in (*rooms, "schemas"))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(info["title"])}</title>'
        '<meta name="viewport" content="width=device-width"><style>' + _STYLE + "</style>"
        f"<h1>{escape(info['title'])}</h1><p>{escape(info['description'])}</p>"
        f'<p>The same for programs: <a href="/openapi.json">openapi.json</a></p><nav>{links}</nav>'
        f'{parts}<h2 id="schemas">schemas</h2>{schemas}</html>'
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h3><code>{method.upper()} {escape(path)}</code></h3><p>{escape(operation['description'])}</p>"
    rows = [
        (one["name"], one["in"], _words(one.get("schema", {})), one.get("description", ""))
        for one in operation.get("parameters", ())
    ]
    rows += [("", "body", _words(one["schema"], media), "") for media, one in _contents(operation.get("requestBody"))]
    for status, answer in operation["responses"].items():
        contents = _contents(answer) or [("", {"schema": {}})]
        rows += [("", status, _words(one.get("schema", {}), media), "") for media, one in contents]
    yield "<table>"
    for name, place, kind, words in rows:
        yield f"<tr><td><code>{escape(name)}</code><td>{escape(place)}<td>{kind}<td>{escape(words)}</tr>"
    yield "</table>"


def _contents(holder: dict[str, Any] | None) -> list[tuple[str, dict[str, Any]]]:
    return list((holder or {}).get("content", {}).items())


def _words(schema: dict[str, Any], media: str = "") -> str:
    """What a value is, with a link to its schema."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        told = f'<a href="#{escape(name)}">{escape(name)}</a>'
    elif choices := schema.get("anyOf", schema.get("oneOf")):
        told = " or ".join(_words(one) for one in choices)
    elif "enum" in schema or "const" in schema:
        told = ", ".join(f"<code>{escape(str(one))}</code>" for one in schema.get("enum", [schema.get("const")]))
    elif "contentSchema" in schema:
        told = "JSON: " + _words(schema["contentSchema"])
    elif schema.get("type") == "array":
        told = "list of " + _words(schema.get("items", {}))
    elif schema.get("properties"):
        told = "; ".join(f"<code>{escape(name)}</code>: {_words(one)}" for name, one in schema["properties"].items())
    else:
        told = escape(str(schema.get("type", "anything" if not media else "")))
    return f"{told} ({escape(media)})" if media and media != "application/json" else told


def _schema(name: str, schema: dict[str, Any]) -> str:
    words = escape(str(schema.get("description", "")))
    rows = "".join(
        f"<tr><td><code>{escape(member)}</code><td>{_words(one)}<td>{escape(str(one.get('description', '')))}</tr>"
        for member, one in schema.get("properties", {}).items()
    )
    told = f"<table>{rows}</table>" if rows else f"<p>{_words(schema)}</p>"
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{words}</p>{told}'
