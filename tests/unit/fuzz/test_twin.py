import sys
from types import ModuleType

import pytest

import tidemill
from fuzz.twin import Disagreement, agree, uncompiled
from tidemill import records


def test_the_source_stands_beside_what_is_in_use() -> None:
    found = uncompiled("tidemill.records")
    assert found["tidemill.records._loops"].COMPILED is False
    assert sys.modules["tidemill.records._loops"].COMPILED is tidemill.compiled
    assert tidemill.records is records is sys.modules["tidemill.records"]


def test_where_nothing_is_compiled_there_is_one_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidemill, "compiled", False, raising=False)
    assert uncompiled("tidemill.records")["tidemill.records._loops"] is sys.modules["tidemill.records._loops"]


def run(module: ModuleType) -> object:
    if module.__name__.startswith("refuses"):
        raise ValueError(module.__name__[-1])
    return module.__name__[-1]


@pytest.mark.parametrize(("one", "other"), [("a1", "b1"), ("a1", "a1")])
def test_the_same_is_agreed_on(one: str, other: str) -> None:
    assert agree(run, ModuleType(one), ModuleType(other)) == "1"


def test_a_refusal_of_both_is_raised() -> None:
    with pytest.raises(ValueError, match="1"):
        agree(run, ModuleType("refuses1"), ModuleType("refuses 1"), (ValueError,))


@pytest.mark.parametrize(("one", "other"), [("a1", "a2"), ("a1", "refuses1"), ("refuses1", "a1"), ("refuses1", "refuses2")])
def test_a_difference_is_a_disagreement(one: str, other: str) -> None:
    with pytest.raises(Disagreement, match=r"compiled: .*\nsource: "):
        agree(run, ModuleType(one), ModuleType(other), (ValueError,))
