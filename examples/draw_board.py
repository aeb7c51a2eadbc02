"""A board as a picture. Usage: draw_board.py [FILE.svg]"""

import sys
import tempfile
from pathlib import Path

from kibitz import parse

state = parse("XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10")
path = Path(sys.argv[1] if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "board.svg")
path.write_text(state._repr_svg_(), encoding="utf-8")  # what notebooks call
print(f"{path}: {path.stat().st_size} bytes")
