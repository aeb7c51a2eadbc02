"""A match file in other formats, and what each of them cannot hold."""

import tempfile
from pathlib import Path

import kibitz

match = kibitz.load(Path(__file__).with_name("sample.mat"))
with tempfile.TemporaryDirectory() as folder:
    for name in ("match.sgf", "match.json", "match.mat"):
        path = Path(folder) / name
        dropped = kibitz.save(match, path)
        again = kibitz.load(path)
        print(f"{name}: {path.stat().st_size} bytes, {len(again.games)} games; lost: {', '.join(dropped) or 'nothing'}")
