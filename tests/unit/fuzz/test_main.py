import argparse
from pathlib import Path

import pytest

from fuzz.__main__ import conclude
from fuzz.campaign import Outcome
from fuzz.findings import Origin
from fuzz.report import markdown, table


def outcome(findings: int = 0, trouble: str = "") -> Outcome:
    return Outcome(
        origin=Origin("records", "asan"),
        seed=431,
        engine="built-in",
        inputs=120_000,
        seconds=60.0,
        edges=4000,
        findings=[Path(f"/f/records.asan.{number}") for number in range(findings)],
        trouble=trouble,
    )


def options(report: Path | None = None) -> argparse.Namespace:
    return argparse.Namespace(minutes=1.0, rounds=1, seed=431, report=report)


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([outcome()], 0),
        ([outcome(), outcome(findings=1)], 1),
        ([outcome(trouble="no gcc")], 2),
        ([outcome(findings=1), outcome(trouble="no gcc")], 1),
    ],
)
def test_the_exit_code_tells_what_happened(outcomes: list[Outcome], code: int) -> None:
    assert conclude(outcomes, options()) == code


def test_a_finding_is_told_with_the_command_that_replays_it(capsys: pytest.CaptureFixture[str]) -> None:
    conclude([outcome(findings=1)], options())
    assert "python -m fuzz --replay /f/records.asan.0" in capsys.readouterr().err


def test_the_table_says_what_was_done() -> None:
    assert table([outcome()]).splitlines() == [
        "target   form  engine    seed  minutes   inputs  inputs/s  edges  findings",
        "records  asan  built-in   431      1.0  120,000     2,000  4,000         0",
    ]
    assert table([outcome(trouble="no gcc")]).endswith("did not run")


def test_the_report_is_for_the_documentation(tmp_path: Path) -> None:
    conclude([outcome()], options(tmp_path / "report.md"))
    text = (tmp_path / "report.md").read_text()
    assert text.startswith("`make endurance MINUTES=1 ROUNDS=1 SEED=431` on CPython ")
    assert "| records | asan | built-in | 431 | 1.0 | 120,000 | 2,000 | 4,000 | 0 |" in text
    assert markdown([], "x").startswith("`x` on ")
