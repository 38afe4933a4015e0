"""What `import tidemill` alone gives."""

import subprocess
import sys


def test_nothing_is_imported_before_it_is_used() -> None:
    script = """
import sys, tidemill
print(sorted(name for name in sys.modules if name.startswith("tidemill.") and name != "tidemill._pure"))
print(tidemill.wire.decode("HeartbeatResponse", 0, bytes(2)), tidemill.records.decode(b""), tidemill.errors.for_code(3).name)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.stdout.splitlines() == ["[]", "{'errorCode': 0} [] UNKNOWN_TOPIC_OR_PARTITION"], ended.stderr


def test_a_name_that_is_not_there_is_an_error() -> None:
    ended = subprocess.run([sys.executable, "-c", "import tidemill; tidemill.nonsense"], capture_output=True, text=True)
    assert "module 'tidemill' has no attribute 'nonsense'" in ended.stderr
