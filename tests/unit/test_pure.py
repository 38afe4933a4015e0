"""`TIDEMILL_PURE` runs the compiled modules from their source; `tidemill.compiled` tells which is running."""

import os
import subprocess
import sys

import pytest

from tidemill.records import _loops

WHERE = "import tidemill, tidemill.records._loops as loops; print(tidemill.compiled, loops.__file__.endswith('.py'))"


def run(environment: dict[str, str]) -> str:
    plain = {name: value for name, value in os.environ.items() if name != "TIDEMILL_PURE"}
    return subprocess.run([sys.executable, "-c", WHERE], env=plain | environment, capture_output=True, text=True, check=True).stdout.strip()


def test_the_environment_forces_the_source() -> None:
    assert run({"TIDEMILL_PURE": "1"}) == "False True"


def test_compiled_tells_what_is_running() -> None:
    assert run({}) in ("True False", "False True")


@pytest.mark.skipif(not os.environ.get("TIDEMILL_REQUIRE_COMPILED"), reason="only where a build must have compiled modules")
def test_a_build_that_must_be_compiled_is() -> None:
    assert _loops.COMPILED
