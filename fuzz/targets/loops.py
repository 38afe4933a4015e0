"""The compiled loops of record batches by themselves, with the arguments that callers compute from bytes.

Each is run beside its own source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from struct import Struct
from struct import error as struct_error
from types import ModuleType

from fuzz.batches import HEADER, reshape_records, split_section
from fuzz.mutation import NUMBERS, Step, varint
from fuzz.script import Script
from fuzz.seeds import golden
from fuzz.target import Target, after_settings, exactly
from fuzz.twin import agree, uncompiled
from tidemill.errors import InvalidRecord, MessageTooLarge
from tidemill.records import _columns, _judging, _loops, _writing, compression, decode

_SECTION = Struct(">Bi")
_LAY_OUT = Struct(">BBiiqHH")
LARGEST_SEED = 3000
MOST_APPENDS = 30

SOURCE = uncompiled("tidemill.records")
NUMBERS_IN_64_BITS = [number for number in NUMBERS if -(2**63) <= number < 2**63]


def section(data: bytes) -> None:
    """Finds the records of a section, and makes objects of them. The section lies somewhere in a larger buffer."""
    settings, stated = _SECTION.unpack(data[: _SECTION.size].ljust(_SECTION.size, b"\0"))
    before, after = settings & 3, settings >> 2 & 3
    body = data[_SECTION.size :]
    count = stated if stated >= 0 or settings & 0x80 else len(split_section(body))
    view = exactly(b"\xff" * before + body + b"\xff" * after)
    numbers = Random(len(body)).sample(NUMBERS_IN_64_BITS, 2)

    def run(loops: ModuleType) -> object:
        found = loops.Section(view, before, before + len(body), count, sized=not settings & 0x10)
        append_time = numbers[0] if settings & 0x20 else None
        records = found.records(numbers[0], numbers[1], settings % 3 - 1, append_time, bool(settings & 0x40))
        return bytes(found.layout), found.header_total, bytes(found.headers()), [values(record) for record in records]

    agree(run, _loops, SOURCE["tidemill.records._loops"], (InvalidRecord,))


def values(record: _loops.Record) -> tuple[object, ...]:
    return record.offset, record.timestamp, record.key, record.value, record.headers, record.sequence, record.control_type


def judge(data: bytes) -> None:
    """What a leader asks of the records of a section, with every number at the edge of its range."""
    settings, picks, body = data[:1].ljust(1, b"\0")[0], data[1 : 1 + 6].ljust(6, b"\0"), data[7:]
    base_offset, base_timestamp, append_time, now, before, after = (NUMBERS_IN_64_BITS[pick % len(NUMBERS_IN_64_BITS)] for pick in picks)
    found = _loops.Section(exactly(body), 0, len(body), len(split_section(body)))

    def run(judging: ModuleType) -> object:
        return judging.judge(
            found.layout,
            found.count,
            base_offset,
            base_timestamp,
            append_time if settings & 1 else None,
            bool(settings & 2),
            bool(settings & 4),
            now,
            before,
            after,
        )

    agree(run, _judging, SOURCE["tidemill.records._judging"])


def value(script: Script) -> object:
    """What somebody may give for a key or a value: mostly bytes."""
    choice = script.byte()
    content = script.content() * (20 if choice % 16 == 15 else 1)
    kinds = (None, content, content, bytearray(content), memoryview(content), "text", choice, [content])
    return kinds[choice % 8 if choice > 0xF0 else choice % 4]


def number(script: Script) -> object:
    choice = script.byte()
    return choice if choice < 0xA0 else (*NUMBERS, True, 1.5, "1", None)[choice % (len(NUMBERS) + 4)]


def headers(script: Script) -> object:
    choice = script.byte()
    if choice < 0x80:
        return None
    names = ("h", "", "\ud800", "naïve", 7, None) if choice > 0xF0 else ("h", "", "\ud800", "naïve")
    return [(script.one_of(names), value(script)) for _ in range(choice % 4)]


def build(data: bytes) -> None:
    """Appends records as the input says, right and wrong ones, and reads the batch back."""

    def run(writing: ModuleType) -> tuple[list[object], int, int, int, bytes]:
        script = Script(data)
        writer = writing.Writer(script.byte() * script.byte(), 0.5 + script.byte() / 200)
        happened: list[object] = []
        while len(happened) < MOST_APPENDS and not script.ended():
            arguments = (number(script), value(script), value(script), headers(script))
            try:
                happened.append(writer.append(*arguments))
            except (TypeError, ValueError, MessageTooLarge) as refusal:
                happened.append((type(refusal), str(refusal)))
        return happened, writer.count, writer.base_timestamp, writer.max_timestamp, bytes(writer.take()[HEADER:])

    _, count, base_timestamp, max_timestamp, content = agree(run, _writing, SOURCE["tidemill.records._writing"])
    records = _loops.Section(content, 0, len(content), count).records(0, base_timestamp)
    assert [record.offset for record in records] == list(range(count))
    assert max((record.timestamp for record in records), default=-1) == max_timestamp


def lay_out(data: bytes) -> None:
    """Arrow's offsets, right and wrong, to a layout; then the values are copied by it."""
    head = data[: _LAY_OUT.size].ljust(_LAY_OUT.size, b"\0")
    flags, bits, first, count, limit, validity_size, content_size = _LAY_OUT.unpack(head)
    rest = data[_LAY_OUT.size :]
    validity, offsets = exactly(rest[: validity_size % 64]), exactly(rest[validity_size % 64 :])
    content = exactly(bytes(content_size % 4096))
    limit = min(limit, len(content)) if flags & 4 else len(content)

    def run(columns: ModuleType) -> object:
        layout = columns.lay_out(validity, offsets, first, count, limit, bool(flags & 1), bool(flags & 2))
        base = first_offset(offsets, first, count, bool(flags & 2))
        times = 1 + bits % 3
        size = columns.total_size(layout, 0, count)
        room = (
            memoryview(bytearray(4 * (times * count + 1))).cast("i"),
            bytearray(times * size - bits // 128),
            bytearray(times * count // 8 + 1),
        )
        column = columns.Binary(*room)
        for _ in range(times):
            column.append(content[base:], 0, layout, 0, count)
        return bytes(layout), *map(bytes, room), column.count, column.null_count

    agree(run, _columns, SOURCE["tidemill.records._columns"], (ValueError,))


def first_offset(offsets: memoryview, first: int, count: int, wide: bool) -> int:
    """Where the data of the first value begin, from where a layout counts."""
    if count == 0:
        return 0
    try:
        found: int = Struct("=q" if wide else "=i").unpack_from(offsets, first * (8 if wide else 4))[0]
    except struct_error:
        return 0
    return max(found, 0)


def reshape_section(data: bytes, random: Random, step: Step) -> bytes:
    records = split_section(data)
    if not records or random.random() < 0.3:
        return step(data)
    reshape_records(records, random, step)
    return b"".join(varint(len(record)) + record for record in records)


def section_seeds(settings: Sequence[bytes]) -> Iterator[bytes]:
    """The sections of the golden batches, unpacked."""
    number = 0
    for line in golden("records.jsonl"):
        data = bytes.fromhex(line["hex"])
        for batch in decode(data):
            if batch.magic == 2:
                packed = data[batch.position + HEADER : batch.position + batch.size]
                content = bytes(compression.decompress(batch.attributes & 7, packed))
                if len(content) <= LARGEST_SEED:
                    number += 1
                    yield settings[number % len(settings)] + content


def script_seeds() -> Iterator[bytes]:
    random = Random(431)
    for size in (10, 40, 100, 300):
        for _ in range(10):
            yield b"\xff\x10\x80" + random.randbytes(size)


def lay_out_seeds() -> Iterator[bytes]:
    for wide in (False, True):
        offsets = Struct("=6q" if wide else "=6i").pack(2, 2, 5, 9, 9, 40)
        for first, count in ((0, 5), (1, 3), (5, 0)):
            for nullable in (0, 1):
                yield _LAY_OUT.pack(nullable | wide << 1, 1, first, count, 0, 1, 50) + b"\x15" + offsets


SECTION_SETTINGS = [_SECTION.pack(flags, -1) for flags in (0, 0x11, 0x22, 0x44, 0x0D)]
JUDGE_SETTINGS = [bytes((flags, flags, 1, 2, 3 * flags, 4, 25)) for flags in range(8)]

TARGETS = (
    Target(
        name="section",
        run=section,
        refusals=(InvalidRecord,),
        seeds=lambda: section_seeds(SECTION_SETTINGS),
        shape=after_settings(_SECTION.size, reshape_section),
    ),
    Target(
        name="judge",
        run=judge,
        refusals=(InvalidRecord,),
        seeds=lambda: section_seeds(JUDGE_SETTINGS),
        shape=after_settings(7, reshape_section),
    ),
    Target(name="builder", run=build, refusals=(), seeds=script_seeds, shape=after_settings(3)),
    Target(name="columns", run=lay_out, refusals=(ValueError,), seeds=lay_out_seeds, shape=after_settings(_LAY_OUT.size), weight=0.5),
)
