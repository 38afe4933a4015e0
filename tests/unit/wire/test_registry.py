"""Finding messages, and not importing more than is asked for."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tidemill.errors import ProtocolError
from tidemill.wire import registry
from tidemill.wire.messages import MODULES

SCHEMA = json.loads((Path(__file__).resolve().parents[3] / "schemas" / "messages.json").read_text(encoding="utf-8"))


def test_every_message_of_the_schema_has_a_class() -> None:
    names = [message["name"] for section in ("rpc", "other") for message in SCHEMA[section]]
    assert sorted(MODULES) == sorted(names)
    assert [registry.message_class(name).NAME for name in names] == names


def test_types_of_records_find_their_classes() -> None:
    key, value = registry.coordinator_record_classes("__consumer_offsets", 2)
    assert (key.NAME, value.NAME) == ("GroupMetadataKey", "GroupMetadataValue")
    assert registry.metadata_record_class(3).NAME == "PartitionRecord"
    with pytest.raises(ProtocolError, match="__consumer_offsets has no records of type 9"):
        registry.coordinator_record_classes("__consumer_offsets", 9)
    with pytest.raises(ProtocolError, match="no records of type 6"):
        registry.metadata_record_class(6)


def test_a_module_of_messages_is_imported_when_it_is_asked_for() -> None:
    program = (
        "import sys; from tidemill import wire; early = 'tidemill.wire.json_form' in sys.modules;"
        "wire.decode('HeartbeatResponse', 0, bytes(2));"
        "print([name for name in sorted(sys.modules) if name.startswith('tidemill.wire.messages.')], early)"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.split() == ["['tidemill.wire.messages.heartbeat']", "False"]


def test_what_is_declared_for_the_compiler_is_compiled() -> None:
    root = Path(__file__).resolve().parents[3]
    declared = {".".join(path.relative_to(root / "src").with_suffix("").parts) for path in (root / "src/tidemill/wire").rglob("*.pxd")}
    listed = set(re.findall(r'^    "(tidemill\.wire[a-z._]*)",$', (root / "setup.py").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert declared == listed
