"""The error classes agree with the facts of Apache Kafka's own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tidemill import errors
from tidemill.errors import kafka

FACTS: list[dict[str, Any]] = json.loads((Path(__file__).parents[3] / "schemas" / "errors.json").read_text())["errors"]
CONSEQUENCES = [key for key, value in FACTS[0].items() if isinstance(value, bool)]


@pytest.mark.parametrize("fact", [fact for fact in FACTS if fact["code"] != 0], ids=lambda fact: str(fact["name"]))
def test_a_code_has_one_class_with_what_follows_from_it(fact: dict[str, Any]) -> None:
    error = errors.for_code(fact["code"])
    assert error.__name__ == "".join(part.capitalize() for part in fact["name"].split("_"))
    assert getattr(errors, error.__name__) is error
    assert (error.code, error.name) == (fact["code"], fact["name"])
    assert {key: getattr(error, key) for key in CONSEQUENCES} == {key: fact[key] for key in CONSEQUENCES}


def test_every_class_is_a_tidemill_error_and_needs_no_message() -> None:
    for error in kafka.BY_CODE.values():
        raised = error()
        assert isinstance(raised, errors.TidemillError)
        assert str(raised) == f"{error.name} (code {error.code})"
        assert (raised.fatal, raised.abort_required) == (False, False)


def test_an_unknown_code_is_an_unknown_server_error() -> None:
    assert errors.for_code(32_000) is errors.UnknownServerError


def test_success_has_no_error_class() -> None:
    with pytest.raises(ValueError, match="code 0 means success"):
        errors.for_code(0)


def test_the_documented_names() -> None:
    assert errors.TopicAuthorizationFailed.code == 29
    assert errors.CorruptMessage.code == 2
    assert errors.CorruptMessage.retriable
    assert not issubclass(errors.ProtocolError, errors.KafkaError)
