"""R18–R22: the front door of all strategies."""

import doctest
import subprocess
import sys
from importlib import import_module

import pytest

from tidemill.assignors import STRATEGIES, Assignor, assign

GROUP = [{"id": "a", "topics": ["t0"]}, {"id": "b", "topics": ["t0"]}]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_answers_in_one_form(strategy: str) -> None:
    found = assign(strategy, {"t0": 2}, GROUP)
    assert sorted(partition for topics in found.values() for partition in topics["t0"]) == [0, 1]
    assert list(found) == ["a", "b"]


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        ("stiky", "there is no assignment strategy 'stiky': did you mean 'sticky'?"),
        ("Cooperative_Sticky", "there is no assignment strategy 'Cooperative_Sticky': did you mean 'cooperative-sticky'?"),
        ("zzz", "there is no assignment strategy 'zzz': choose one of range, roundrobin, sticky, cooperative-sticky, server-range, "),
    ],
)
def test_an_unknown_strategy_suggests_a_known_one(strategy: str, message: str) -> None:
    with pytest.raises(ValueError, match="there is no assignment strategy") as error:
        assign(strategy, {"t0": 2}, GROUP)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("strategy", [None, 3, Assignor])
def test_what_is_no_strategy_is_refused(strategy: object) -> None:
    with pytest.raises(TypeError, match="strategy must be the name of one or an Assignor"):
        assign(strategy, {"t0": 2}, GROUP)  # type: ignore[arg-type]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_group_is_not_changed_by_assigning_it(strategy: str) -> None:
    owned = {"t0": [0, 1, 5], "gone": [3]}
    member = {"id": "a", "topics": ["t0"], "owned": owned, "assigned": owned, "user_data": {"owned": owned, "generation": 1}}
    found = assign(strategy, {"t0": 2}, [member, GROUP[1]])
    found["a"].setdefault("t0", []).append(99)
    assert owned == {"t0": [0, 1, 5], "gone": [3]}
    assert member["topics"] == ["t0"]


def test_only_the_strategy_that_is_asked_for_is_imported() -> None:
    program = """
import sys
from importlib import import_module
from tidemill.assignors import assign
before = set(sys.modules)
assign("sticky", {"t0": 2}, [{"id": "a", "topics": ["t0"]}])
print(*sorted(name.removeprefix("tidemill.assignors.") for name in set(sys.modules) - before if name.startswith("tidemill")))
"""
    imported = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert imported == ["sticky", "sticky_claims", "sticky_equal", "sticky_partitions"]


@pytest.mark.parametrize("module", ["base", "model", "user_data"])
def test_the_examples_of_a_module_run(module: str) -> None:
    result = doctest.testmod(import_module(f"tidemill.assignors.{module}"))
    assert result.attempted
    assert not result.failed
