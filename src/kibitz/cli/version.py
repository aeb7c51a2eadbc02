"""kibitz version: which Kibitz this is, and on what it runs."""

from __future__ import annotations

from kibitz.cli.common import JsonOption, print_json


def version_line() -> str:
    """The version with the compiler and the instruction set, in one line."""
    from kibitz import build_info

    info = build_info()
    return f"kibitz {info['version']} ({info['instruction_set']}, {info['compiler']})"


def version(json: JsonOption = False) -> None:
    """Print the version, and what this Kibitz runs on: Python, instruction set, cores, nets and folders."""
    import platform

    from kibitz import build_info
    from kibitz.cli.settings import config_file
    from kibitz.cores import usable_cores
    from kibitz.engine.networks import SHIPPED
    from kibitz.folders import cache_folder

    info = build_info()
    nets = sorted(path.stem for path in SHIPPED.glob("*.net"))
    facts = {
        "version": info["version"],
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "instruction_set": info["instruction_set"],
        "compiler": info["compiler"],
        "cores": usable_cores(),
        "nets": nets,
        "config": str(config_file()),
        "cache": str(cache_folder()),
    }
    if json:
        print_json(facts)
        return
    print(f"kibitz {facts.pop('version')}")
    for name, value in facts.items():
        lines = value if isinstance(value, list) else [value]
        print(f"  {name.replace('_', ' '):16}" + f"\n{'':18}".join(map(str, lines)))
