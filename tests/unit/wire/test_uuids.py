"""Kafka's uuids and their text."""

import pytest

from tidemill.wire.uuids import ZERO_UUID, Uuid


def test_text_is_kafkas() -> None:
    value = Uuid.from_text("u5ZOqHzVdYdamqorsHHV1Q")
    assert str(value) == "u5ZOqHzVdYdamqorsHHV1Q"
    assert value == bytes.fromhex("bb964ea87cd575875a9aaa2bb071d5d5")
    assert str(ZERO_UUID) == "A" * 22
    assert eval(repr(value), {"Uuid": Uuid}) == value


@pytest.mark.parametrize("text", ["", "A", "A" * 21, "A" * 23, "A" * 24, "!" * 22, "A" * 21 + "B", "u5ZOqHzVdYda qorsHHV1Q", "ü" * 22])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a uuid"):
        Uuid.from_text(text)
