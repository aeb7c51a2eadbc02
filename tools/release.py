"""Make a version: `python -m tools.release 1.0.0` (docs/releasing.md)."""

from __future__ import annotations

import re
import sys
from datetime import date

from tools.pages import ROOT


def released(changelog: str, version: str, day: str) -> str:
    """A changelog whose unreleased section has become a version, with a new one before it."""
    if f"\n## {version} (" in changelog:
        raise SystemExit(f"the changelog has a section {version} already")
    _, found, rest = changelog.partition("\n## Unreleased\n")
    if not found or not rest.split("\n## ")[0].strip():
        raise SystemExit("the changelog has no section Unreleased, or nothing stands in it")
    return changelog.replace("\n## Unreleased\n", f"\n## Unreleased\n\n## {version} ({day})\n", 1)


def replaced(text: str, pattern: str, by: str) -> str:
    """A text whose one line that begins so says something else."""
    text, count = re.subn(pattern, by, text, count=1, flags=re.MULTILINE)
    if count != 1:
        raise SystemExit(f"there is no line like {pattern}")
    return text


def main(version: str) -> None:
    """Set the version everywhere, or nowhere."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        raise SystemExit(f"{version!r} is no version such as 1.0.0 or 1.1.0rc1")
    day = date.today().isoformat()
    names = ("CHANGELOG.md", "pyproject.toml", "CITATION.cff")
    changelog, project, citation = ((ROOT / name).read_text(encoding="utf-8") for name in names)
    changelog = released(changelog, version, day)
    project = replaced(project, r'^version = ".*"', f'version = "{version}"')
    citation = replaced(citation, r"^version: .*", f"version: {version}")
    citation = replaced(citation, r"^date-released: .*", f'date-released: "{day}"')
    for name, text in zip(names, (changelog, project, citation), strict=True):
        (ROOT / name).write_text(text, encoding="utf-8")
    print(f"Kibitz {version}, {day}. Next: read the diff, make install, commit, and git tag -s v{version}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tools.release VERSION")
    main(sys.argv[1])
