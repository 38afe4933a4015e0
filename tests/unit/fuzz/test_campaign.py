"""Campaigns with short workers in place of the real one, and one real one."""

import sys
from pathlib import Path

import pytest

from fuzz import campaign, findings
from fuzz.campaign import Campaign, Workers
from fuzz.findings import Origin
from fuzz.target import Target
from fuzz.targets import target_named

DIES = """
import os, sys
from pathlib import Path
from fuzz.judge import Ledger
ledger = Ledger(Path(sys.argv[1]))
ledger.begin(b"fine")
ledger.end()
ledger.begin({at_hand!r})
print("what a sanitizer says", flush=True)
os.abort()
"""
BREAKS = "raise SystemExit('the fuzzer is broken')"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "findings"
    monkeypatch.setattr(campaign, "WORK", tmp_path / "work")
    monkeypatch.setattr(campaign, "FOLDER", folder)
    monkeypatch.setattr(campaign, "keep", lambda origin, data, report: findings.keep(origin, data, report, folder))


def use_worker(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(campaign, "worker_command", lambda origin, ledger, *more: [sys.executable, "-c", code, str(ledger)])


def target() -> Target:
    return Target(name="t", run=lambda data: None, refusals=(), seeds=lambda: iter([b"seed"]))


def test_what_kills_a_worker_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    use_worker(monkeypatch, DIES.format(at_hand=b"the bug"))
    outcome = Campaign(target(), "source", 431, "built-in", Workers()).run(0)
    (path,) = outcome.findings
    assert path.read_bytes() == b"the bug"
    assert "what a sanitizer says" in path.with_name(path.name + ".txt").read_text()
    assert outcome.inputs == 2
    assert outcome.trouble == ""


def test_what_is_found_again_is_a_finding_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run told that nothing was wrong when the finding of the run before was still there."""
    use_worker(monkeypatch, DIES.format(at_hand=b"the bug"))
    first, second = (Campaign(target(), "source", 431, "built-in", Workers()).run(0) for _ in range(2))
    assert first.findings == second.findings != []


def test_a_worker_that_breaks_by_itself_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    use_worker(monkeypatch, BREAKS)
    outcome = Campaign(target(), "source", 431, "built-in", Workers()).run(0)
    assert outcome.findings == []
    assert "the fuzzer is broken" in outcome.trouble


def test_a_real_worker_tries_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    without_atheris = [sys.executable, "-c", "import sys; sys.modules['atheris'] = None; from fuzz.worker import main; main()"]
    usual = campaign.worker_command
    monkeypatch.setattr(campaign, "worker_command", lambda origin, ledger, *more: [*without_atheris, *usual(origin, ledger, *more)[3:]])
    monkeypatch.setenv("PYTHONPATH", str(findings.ROOT))
    outcome = Campaign(target_named("aborted-index"), "source", 431, "built-in", Workers()).run(0.2)
    assert outcome.trouble == ""
    assert outcome.findings == []
    assert outcome.inputs > 10


def test_a_finding_is_replayed(tmp_path: Path) -> None:
    sound = tmp_path / "records.source.1"
    sound.write_bytes(b"")
    assert campaign.replay(sound, Origin("records", "source"))


def test_stopping_ends_the_workers_and_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers()
    workers.stop()
    use_worker(monkeypatch, "import threading; threading.Event().wait()")
    outcome = Campaign(target(), "source", 431, "built-in", workers).run(0)
    assert outcome.findings == []
    assert outcome.trouble == ""


def test_a_worker_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "OVERTIME", 0.01)
    use_worker(monkeypatch, "import threading; threading.Event().wait()")
    outcome = Campaign(target(), "source", 431, "built-in", Workers()).run(0)
    assert "did not end in time" in outcome.trouble
