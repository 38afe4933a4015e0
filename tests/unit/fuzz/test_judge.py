from collections.abc import Callable
from pathlib import Path

import pytest

from fuzz import findings, judge
from fuzz.judge import Judge, Ledger
from fuzz.target import Target


@pytest.fixture
def _findings_go_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "arm", lambda seconds: None)  # the timer would go on in the process of the tests
    monkeypatch.setattr(judge, "keep", lambda origin, data, report: findings.keep(origin, data, report, tmp_path / "findings"))


def judging(tmp_path: Path, run: Callable[[bytes], object]) -> Judge:
    return Judge(Target(name="t", run=run, refusals=(KeyError,), seeds=lambda: iter(())), "source", Ledger(tmp_path / "ledger"))


def bug(data: bytes) -> None:
    if data[:1] == b"r":
        raise KeyError
    if b"bug" in data:
        raise IndexError
    assert b"other" not in data


@pytest.mark.usefixtures("_findings_go_elsewhere")
def test_what_is_documented_is_no_finding(tmp_path: Path) -> None:
    judged = judging(tmp_path, bug)
    judged(b"refused")
    judged(b"fine")
    assert judged.places == {}
    assert judged.ledger.inputs == 2


@pytest.mark.usefixtures("_findings_go_elsewhere")
def test_each_place_is_kept_once_and_small(tmp_path: Path) -> None:
    judged = judging(tmp_path, bug)
    for data in (b"there is a bug in here", b"one more bug", b"and another: other"):
        judged(data)
    assert sorted(path.read_bytes() for path in judged.places.values()) == [b"bug", b"other"]


@pytest.mark.usefixtures("_findings_go_elsewhere")
def test_a_panic_of_a_library_in_rust_is_a_finding(tmp_path: Path) -> None:
    class PanicException(BaseException):  # what pyo3 raises is no Exception either
        pass

    def panic(data: bytes) -> None:
        raise PanicException

    judged = judging(tmp_path, panic)
    judged(b"x")
    assert len(judged.places) == 1


@pytest.mark.usefixtures("_findings_go_elsewhere")
def test_the_input_at_hand_outlives_the_process(tmp_path: Path) -> None:
    seen: list[bytes | None] = []

    def look(data: bytes) -> None:
        seen.append(Ledger(tmp_path / "ledger").at_hand)

    judging(tmp_path, look)(b"in hand")
    assert seen == [b"in hand"]
    assert Ledger(tmp_path / "ledger").at_hand is None
    assert Ledger(tmp_path / "ledger").inputs == 1


def test_a_ledger_that_was_never_written_has_nothing_at_hand(tmp_path: Path) -> None:
    assert Ledger(tmp_path / "ledger").at_hand is None
