"""The command line as a program: `kibitz`, or `python -m kibitz`."""


def main() -> None:
    """Run the command line. Ctrl-C is one line and status 130 at any moment.

    While commands are loaded, and when Python ends after them, there is nothing to clean up, and an exception could end
    anywhere in the code of others: the process ends at once. In between, a command may put things in order first.
    """
    try:
        import signal

        usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # `nohup` and scripts may have it ignored
        if usual:
            signal.signal(signal.SIGINT, _leave)
        from kibitz.cli import main as run

        try:
            if usual:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            run()
        finally:
            if usual:
                signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        _leave()


def _leave(*_: object) -> None:
    """End at once, and say why."""
    import os

    os.write(2, b"kibitz: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
