"""Fuzzers over every decoder: `python -m fuzz --minutes 1`, or `make endurance MINUTES=10 ROUNDS=1 SEED=431`.

A *target* (`targets`) is a function of bytes that returns, or raises one of the errors it documents. Every target is run in two *forms*:

    source   the .py files, under atheris, which is guided by what the Python code covers and compares
    asan     the compiled modules, under AddressSanitizer and UBSan, guided by what the C code covers (`engine`, `native`)

A `judge` watches each input: what else is raised, what takes too long or too much memory, and what kills the process is a *finding*. It
is kept in fuzz/findings, and replayed with `python -m fuzz --replay FILE`. The inputs come from golden vectors (`seeds`) by mutations
that know the formats (`mutation`, and each target's own): without a repaired checksum a fuzzer of batches would test the checksum alone.
"""
