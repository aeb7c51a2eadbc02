"""The command line as a program: `kibitz`, or `python -m kibitz`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. It takes a moment to load, and Ctrl-C may come then."""
    try:
        from kibitz.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("kibitz: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
