"""Try the Kibitz that is installed, as somebody does who has a wheel and neither its source nor a compiler.

`python tools/try_wheel.py [SOURCE]`, in an environment where the wheel is installed. SOURCE is the source that it was
made of, by default this repository. Exits with an error if anything is missing.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OPENING = "4HPwATDgc/ABMA"


def kibitz(*words: str) -> str:
    """What a command prints; run in an empty folder, so that nothing of the source is found by chance."""
    line = [sys.executable, "-c", "from kibitz.cli import main; main()", *words]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", env=environment(), check=False)
    if done.returncode != 0:
        raise SystemExit(f"kibitz {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def environment() -> dict[str, str]:
    """Whatever the machine's settings are, texts are UTF-8 and folders of the user are left alone."""
    folder = str(Path.cwd() / "user")
    return {**os.environ, "PYTHONUTF8": "1", "XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder, "COLUMNS": "80"}


def expect(name: str, condition: bool) -> None:
    """Say that something is as it should be, or end."""
    if not condition:
        raise SystemExit(f"wrong: {name}")
    print(f"ok: {name}", flush=True)


def try_package() -> None:
    """The package is the installed one, and whole."""
    import kibitz

    home = Path(kibitz.__file__).resolve().parent
    expect(f"kibitz {kibitz.__version__} is in {home}", ROOT / "src" not in home.parents)
    print(f"    {kibitz.build_info()}")
    missing = [path for path in packed_files() if not (home / path).is_file()]
    expect(f"all files of the package are there ({len(missing)} missing: {missing[:5]})", not missing)
    manual = Path(sys.prefix) / "share" / "man" / "man1" / "kibitz.1"
    expect("the manual page is where man looks for it", os.name == "nt" or manual.is_file())
    expect("no compiler is needed", shutil.which("kibitz") is not None or os.name == "nt")


def packed_files() -> list[str]:
    """The files of the package in its source."""
    package = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT) / "src" / "kibitz"
    kinds = {".pyc", ".so", ".pyd"}
    files = [path for path in package.rglob("*") if path.is_file() and path.suffix not in kinds]
    return [path.relative_to(package).as_posix() for path in files]


def try_commands() -> None:
    """The commands of the README."""
    expect("kibitz --version", "." in kibitz("--version"))
    expect("kibitz show", OPENING in kibitz("show", OPENING))
    best = json.loads(kibitz("hint", OPENING, "31", "--json"))
    expect("kibitz hint finds 8/5 6/5", "8/5 6/5" in json.dumps(best))
    expect("kibitz cube", "no double" in kibitz("cube", OPENING).lower())
    expect("kibitz eval", bool(kibitz("eval", OPENING)))
    expect("kibitz explain", bool(kibitz("explain", OPENING, "31", "24/20")))
    expect("kibitz bearoff", bool(kibitz("bearoff", "suggest", "002220", "16")))
    expect("kibitz rollout", bool(kibitz("rollout", OPENING, "31", "--top", "2", "--trials", "36")))
    sample = str(ROOT / "examples" / "sample.mat")
    kibitz("analyze", sample, "-o", "report.html", "--level", "fast")
    expect("kibitz analyze writes a page", "<svg" in Path("report.html").read_text(encoding="utf-8"))
    kibitz("convert", sample, "sample.sgf")
    expect("kibitz convert", Path("sample.sgf").read_text(encoding="utf-8").startswith("(;"))


def try_answers() -> None:
    """All answers are the pinned ones."""
    pinned = (ROOT / "tests" / "signature.txt").read_text(encoding="ascii").split()[0]
    given = json.loads(kibitz("bench", "--repeats", "1", "--json"))["signature"]
    expect(f"the signature is {pinned} ({given})", given == pinned)


def opened(process: subprocess.Popen[str], wanted: float = 60) -> str:
    """The address that a server prints when it listens."""
    deadline = time.monotonic() + wanted
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return found[0]
        if time.monotonic() > deadline:
            break
    raise SystemExit("the server did not say where it listens")


def try_service() -> None:
    """The service answers, and the face is packed, where their extra is installed."""
    if importlib.util.find_spec("uvicorn") is None or importlib.util.find_spec("fastapi") is None:
        print("skipped: the service and the face, since the extra `web` is not installed")
        return
    line = [sys.executable, "-u", "-c", "from kibitz.cli import main; main()", "web", "--no-browser", "--port", "0"]
    line += ["--library", str(Path.cwd() / "library.db")]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.addheaders = [("Accept", "text/html, */*")]

    def fetched(address: str) -> str:
        with browser.open(address, timeout=30) as answer:
            return str(answer.read().decode("utf-8"))

    with subprocess.Popen(
        line, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    ) as process:
        try:
            address = opened(process)
            page = fetched(address)
            start = "/".join(address.split("/")[:3])
            parts = sorted(set(re.findall(r'"(/static/[^"]+)"', page)))
            expect(f"kibitz web serves its page and names {len(parts)} files", len(parts) > 5)
            expect("all of them are there", all(fetched(start + part) for part in parts))
            expect("the service answers beside it", "ok" in fetched(start + "/healthz"))
        finally:
            process.terminate()


def main() -> None:
    """Try everything in a folder of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        try:
            try_package()
            try_commands()
            try_answers()
            try_service()
        finally:
            os.chdir(ROOT)


if __name__ == "__main__":
    main()
