"""Kafka's JSON form: what it leaves out, what it insists on, and which field an error names. The values are in the golden vectors."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.messages import RandomMessages, every_version
from tidemill import wire
from tidemill.errors import ProtocolError
from tidemill.wire.messages.fetch import FetchRequest, ReplicaState

FETCH: dict[str, Any] = {
    "maxWaitMs": 500,
    "minBytes": 1,
    "maxBytes": 1_000,
    "isolationLevel": 0,
    "sessionId": 0,
    "sessionEpoch": -1,
    "topics": [
        {
            "topicId": "u5ZOqHzVdYdamqorsHHV1Q",
            "partitions": [
                {
                    "partition": 0,
                    "currentLeaderEpoch": -1,
                    "fetchOffset": 0,
                    "lastFetchedEpoch": -1,
                    "logStartOffset": -1,
                    "partitionMaxBytes": 1_000,
                }
            ],
        }
    ],
    "forgottenTopicsData": [],
    "rackId": "",
}


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    """The request above, with another value at one place; without it, if the value is `...`."""

    def copy(data: Any, steps: list[Any]) -> Any:
        if not steps:
            return value
        step, *rest = steps
        if isinstance(data, list):
            return [copy(element, rest) if index == step else element for index, element in enumerate(data)]
        result = {key: copy(element, rest) if key == step else element for key, element in data.items()}
        if step not in data:
            result[step] = value
        return {key: element for key, element in result.items() if element is not ...}

    result: dict[str, Any] = copy(FETCH, path)
    return result


def test_the_sample_is_sound() -> None:
    assert wire.decode("FetchRequest", 17, wire.encode("FetchRequest", 17, FETCH)) == FETCH


PARTITION = ["topics", 0, "partitions", 0]


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        (["minBytes"], 2**31, "minBytes: 2147483648 is out of range"),
        (["minBytes"], "1", "minBytes: a number is needed, not str"),
        (["minBytes"], True, "minBytes: a number is needed, not bool"),
        (["minBytes"], None, "minBytes: null is not allowed"),
        (["minBytes"], ..., "minBytes: is missing, and has to be there in this version"),
        (["rackId"], 5, "rackId: a string is needed, not int"),
        (["topics"], None, "topics: null is not allowed"),
        (["topics"], {"a": 1}, "topics: a list is needed, not dict"),
        (["topics", 0], 3, r"topics\[0\]: a mapping is needed, not int"),
        (["topics", 0, "topicId"], "short", r"topics\[0\].topicId: 'short': .*22 characters"),
        (["topics", 0, "topicId"], 7, r"topics\[0\].topicId: base64 text is needed, not int"),
        ([*PARTITION, "fetchOffset"], 2**63, r"topics\[0\].partitions\[0\].fetchOffset: .* out of range"),
        ([*PARTITION, "fetchOffset"], ..., r"topics\[0\].partitions\[0\].fetchOffset: is missing"),
        ([*PARTITION, "fetchOfset"], 1, r"topics\[0\].partitions\[0\].fetchOfset: there is no such field: do you mean 'fetchOffset'\?"),
        ([*PARTITION, "highWatermark"], 5, None),
        (["replicaId"], -1, None),
        (["replicaId"], 5, "replicaId: 5 would be lost, as this version has no such field"),
        (["clusterId"], "a", None),
        (["clusterId"], None, None),
    ],
)
def test_what_does_not_fit_names_the_field(path: list[Any], value: Any, error: str | None) -> None:
    if error is None:
        assert wire.encode("FetchRequest", 17, changed(path, value))
    else:
        with pytest.raises(ProtocolError, match=error):
            wire.encode("FetchRequest", 17, changed(path, value))


@pytest.mark.parametrize("text", ["!", "a", "YQ", "YQ==\n"])
def test_base64_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError, match="authBytes: "):
        wire.encode("SaslAuthenticateRequest", 0, {"authBytes": text})


@pytest.mark.parametrize(
    ("name", "version", "error"),
    [
        ("FetchRequst", 4, "there is no message 'FetchRequst': do you mean 'FetchRequest'?"),
        ("fetchrequest", 4, "do you mean 'FetchRequest'?"),
        ("Zzz", 4, "there is no message 'Zzz': the names are those of Apache Kafka"),
        ("FetchRequest", 3, "FetchRequest has versions 4 to 18, not 3"),
        ("FetchRequest", 19, "FetchRequest has versions 4 to 18, not 19"),
        ("FetchRequest", "4", "the version of FetchRequest has to be a number, not '4'"),
        ("FetchRequest", True, "has to be a number, not True"),
        ("LeaderAndIsrRequest", 0, "LeaderAndIsrRequest was removed from the protocol"),
    ],
)
def test_unknown_names_and_versions(name: str, version: Any, error: str) -> None:
    for call in (lambda: wire.decode(name, version, b""), lambda: wire.encode(name, version, {})):
        with pytest.raises(ProtocolError) as caught:
            call()
        assert error in str(caught.value)


def test_bytes_after_the_message_are_an_error() -> None:
    with pytest.raises(ProtocolError, match="it ends at byte 6, of 7"):
        wire.decode("HeartbeatResponse", 1, bytes(7))


@pytest.mark.parametrize("data", ["text", None, 7, [1]])
def test_what_is_not_bytes_is_refused(data: Any) -> None:
    with pytest.raises(ProtocolError, match="bytes are needed"):
        wire.decode("HeartbeatResponse", 1, data)


@pytest.mark.parametrize("mapping", [None, [], "text", 5])
def test_what_is_not_a_mapping_is_refused(mapping: Any) -> None:
    with pytest.raises(ProtocolError, match="a mapping is needed"):
        wire.encode("HeartbeatResponse", 1, mapping)


def test_tagged_fields_at_their_default_are_absent() -> None:
    new = wire.decode("FetchRequest", 17, FetchRequest().encode(17))
    assert new.keys().isdisjoint({"clusterId", "replicaState", "replicaId"})
    follower = wire.decode("FetchRequest", 17, FetchRequest(replica_state=ReplicaState(replica_id=1)).encode(17))
    assert follower["replicaState"] == {"replicaId": 1, "replicaEpoch": -1}


@pytest.mark.parametrize(
    ("number", "text"), [("7ff8000000000000", "NaN"), ("7ff0000000000000", "Infinity"), ("fff0000000000000", "-Infinity")]
)
def test_numbers_that_json_has_none_for_are_words(number: str, text: str) -> None:
    data = bytes.fromhex("01026b" + number + "0000")
    plain = wire.decode("ClientQuotaRecord", 0, data)
    assert plain["value"] == text
    assert wire.encode("ClientQuotaRecord", 0, plain) == data
    with pytest.raises(ProtocolError, match="value: a float is needed, not str"):
        wire.encode("ClientQuotaRecord", 0, plain | {"value": text.lower()})


@given(st.sampled_from(every_version()), st.randoms(use_true_random=False))
def test_random_messages_survive_the_json_form(name_and_version: tuple[str, int], random: Random) -> None:
    name, version = name_and_version
    data = RandomMessages(random, unknown_tags=False).message(name, version).encode(version)
    assert wire.encode(name, version, wire.decode(name, version, data)) == data
