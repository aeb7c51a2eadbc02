"""kibitz web: the face in the browser."""

from __future__ import annotations

from typing import Annotated

import typer


def web(
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser, or only say where.")
    ] = True,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 for a free one.")] = 0,
    library: Annotated[
        str | None, typer.Option("--library", metavar="FILE|URL", help="Where matches and jobs are kept.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=0, help="Cores to use; 0 for all.")] = 0,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every request.")] = False,
) -> None:
    """Open Kibitz in the browser: positions, matches, play, library and study, all on this machine."""
    import logging
    import threading
    import webbrowser

    from kibitz.service import check_extra

    check_extra()
    from kibitz.service.server import serve
    from kibitz.service.settings import Settings
    from kibitz.web.face import make_face_app

    def ready(address: str) -> None:
        if browser:  # on a thread: some browsers keep their caller waiting
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    serve(
        Settings(port=port, library=library, threads=threads, job_threads=threads),
        make=make_face_app,
        ready=ready,
        log_level=logging.INFO if verbose else logging.WARNING,
    )
