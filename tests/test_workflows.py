"""The workflows of GitHub do what `.ci/run` does, on three systems, by actions that nobody can exchange."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_whole_and_its_actions_are_pinned_by_commit(path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert found["permissions"]["contents"] == "read"
    for job in found["jobs"].values():
        assert job["steps"]
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
    uses = re.findall(r"uses: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert uses
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in uses)


def test_an_action_has_one_version_in_all_workflows() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    named = set(re.findall(r"uses: ([\w/-]+)@(\w+)", text))
    assert len({name for name, _ in named}) == len(named)


def test_three_systems_are_tried() -> None:
    for path in WORKFLOWS:
        if path.stem in ("ci", "release"):
            text = path.read_text(encoding="utf-8")
            assert all(system in text for system in ("ubuntu-", "macos-", "windows-"))
    assert ".ci/run" in (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")


def test_parts_of_the_run_fail_it_but_for_a_lack_of_time(tmp_path: Path) -> None:
    """Given the function of `.ci/run` with a budget of its own; when parts pass, fail, are late or too long."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    function = re.search(r"^report=\(\).*?^}$", text, re.MULTILINE | re.DOTALL)
    assert function is not None
    for words, failures, said in (
        ('part "x" 1 true', 0, "passed: x"),
        ('part "x" 1 false', 1, "failed: x"),
        ('part "x" 1 sh -c "exit 124"', 1, "failed: x"),
        ('part "x" 100 false', 0, "left out: x"),
        ('part "x" 1 sleep 60', 0, "stopped: x"),
    ):
        script = f'set -euo pipefail\nALL=3\n{function[0]}\n{words}\nprintf "%s\\n" "${{report[@]}}"\nexit $failures\n'
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert (done.returncode, said in done.stdout) == (failures, True), done
