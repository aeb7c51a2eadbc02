"""Make what is published, and try it: `make dist`.

Into dist/ go the source archive, the wheel of this Python and, where CPython 3.12 or newer is found, the wheel for all
of these. Wheels are built from the source archive, so that nothing can be missing in it. Each is installed into an
empty environment without a compiler on its path, for every Python that was found, and tried there (try_wheel.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
WORK = ROOT / "build" / "dist"
STABLE = (3, 12)
"""The first Python of the stable ABI's wheel."""
ABI3AUDIT = "abi3audit==0.0.26"


def run(*line: str | Path, **environment: str) -> None:
    """Run a command from an empty folder; end with it if it fails."""
    print("+", *line, flush=True)
    subprocess.run([str(word) for word in line], check=True, cwd=WORK, env={**os.environ, **environment})


def version_of(python: str) -> tuple[int, int] | None:
    """The version of a CPython that can make environments; None if there is no such program."""
    code = "import ensurepip, sys, venv; print(sys.implementation.name, *sys.version_info[:2])"
    try:
        said = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return None
    return (int(said[1]), int(said[2])) if said[0] == "cpython" else None


def pythons() -> dict[tuple[int, int], str]:
    """This Python and whichever others are on the path or kept by pyenv, one of each version from 3.11 on."""
    kept = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python3"))
    names = [sys.executable, *(f"python3.{minor}" for minor in range(11, 20)), *map(str, kept)]
    found: dict[tuple[int, int], str] = {}
    for name in names:
        version = version_of(name)
        if version and version >= (3, 11):
            found.setdefault(version, name)
    return dict(sorted(found.items()))


def make_environment(python: str, name: str) -> Path:
    """An empty environment; its Python."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_source() -> Path:
    """The source archive, unpacked."""
    code = "import sys, scikit_build_core.build as build; build.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(DIST)], check=True, cwd=ROOT)
    (archive,) = DIST.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(WORK, filter="data")
    source = WORK / archive.name.removesuffix(".tar.gz")
    kept = subprocess.run(
        ["git", "ls-files", "src", "cpp", "bindings", "docs/kibitz.1"], cwd=ROOT, capture_output=True, text=True
    )
    missing = [name for name in kept.stdout.splitlines() if not (source / name).is_file()]
    if missing:
        raise SystemExit(f"not in the source archive: {', '.join(missing)}")
    return source


def build_wheel(python: str, source: Path) -> Path:
    """The wheel of a Python."""
    before = set(DIST.glob("*.whl"))
    run(python, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", DIST, source)
    (wheel,) = set(DIST.glob("*.whl")) - before
    return wheel


def try_wheel(python: str, version: tuple[int, int], wheel: Path, source: Path) -> None:
    """Install a wheel with the service's extra, and try it where no compiler is found."""
    inside = make_environment(python, f"try-{version[0]}.{version[1]}")
    run(inside, "-m", "pip", "install", "-q", f"{wheel}[web]")
    run(inside, ROOT / "tools" / "try_wheel.py", source, PATH=str(inside.parent), CC="", CXX="")


def main() -> None:
    """Everything, in the order in which it is needed."""
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    source = make_source()
    found = pythons()
    print("Pythons:", ", ".join(f"{major}.{minor}" for major, minor in found), flush=True)
    own = version_of(sys.executable)
    built: Path | None = None
    for version, python in found.items():
        if version < STABLE:
            if version == own:
                try_wheel(python, version, build_wheel(python, source), source)
            continue
        if built is None:
            built = build_wheel(python, source)
            auditor = make_environment(sys.executable, "audit")
            run(auditor, "-m", "pip", "install", "-q", ABI3AUDIT)
            run(auditor, "-m", "abi3audit", "--strict", "--verbose", built)
        try_wheel(python, version, built, source)
    if built is None:
        print("skipped: the wheel of the stable ABI, since no CPython from 3.12 on was found")
    print(
        "made:", *(f"{path.name} ({path.stat().st_size / 1e6:.1f} MB)" for path in sorted(DIST.iterdir())), sep="\n  "
    )


if __name__ == "__main__":
    main()
