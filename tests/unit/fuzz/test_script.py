from fuzz.script import Script


def test_bytes_become_choices() -> None:
    script = Script(b"\x05\x02hi\x01")
    assert script.one_of("abc") == "c"
    assert script.content() == b"hi"
    assert not script.ended()
    assert script.byte() == 1
    assert script.ended()


def test_an_ended_script_goes_on_with_zeros() -> None:
    script = Script(b"\x09ab")
    assert script.content() == b"ab"
    assert script.byte() == 0
    assert script.one_of(["first", "second"]) == "first"
