from collections.abc import Iterator
from pathlib import Path

from fuzz.engine import Engine, Unguided
from fuzz.judge import Judge, Ledger
from fuzz.target import Target


class Counting(Judge):
    """Only remembers; and covers one edge more for each letter of the word that an input begins with."""

    def __init__(self, target: Target, folder: Path) -> None:
        super().__init__(target, "source", Ledger(folder / "ledger"))
        self.inputs: list[bytes] = []
        self.covered: set[int] = set()

    def __call__(self, data: bytes) -> None:
        self.inputs.append(data)
        for number, (letter, wanted) in enumerate(zip(data, b"\x07\xff\x80", strict=False)):
            if letter != wanted:
                break
            self.covered.add(number)

    def begin(self) -> None:
        pass

    def edges(self) -> int:
        return len(self.covered)


def nothing(data: bytes) -> None:
    pass


def no_seeds() -> Iterator[bytes]:
    return iter(())


TARGET = Target(name="t", run=nothing, refusals=(), seeds=no_seeds)


def run(folder: Path, seed: int, guided: bool, inputs: int) -> Counting:
    folder.mkdir()
    judge = Counting(TARGET, folder)
    Engine(TARGET, judge, seed, judge if guided else Unguided(), folder).run(600, [b"abc", b"defgh"], most_inputs=inputs)
    return judge


def test_the_same_seed_gives_the_same_inputs(tmp_path: Path) -> None:
    first, again, other = (run(tmp_path / name, seed, True, 200).inputs for name, seed in (("1", 5), ("2", 5), ("3", 6)))
    assert first == again
    assert first != other
    assert sorted(first[:2]) == [b"abc", b"defgh"]


def test_coverage_guides_to_what_chance_would_not_find(tmp_path: Path) -> None:
    assert len(run(tmp_path / "guided", 431, True, 20_000).covered) == 3
    assert len(run(tmp_path / "unguided", 431, False, 20_000).covered) < 3


def test_what_covers_something_new_is_kept_for_the_next_round(tmp_path: Path) -> None:
    judge = run(tmp_path / "guided", 431, True, 20_000)
    kept = [path.read_bytes() for path in (tmp_path / "guided").iterdir() if path.name != "ledger"]
    assert len(kept) == len(judge.covered) == 3
    assert b"\x07\xff\x80" in {data[:3] for data in kept}
