"""What is generated is what the generators make today."""

from tools import generate


def test_generated_code_and_docs_are_current() -> None:
    late = [str(path.relative_to(generate.ROOT)) for path in generate.stale()]
    assert late == [], "run 'make generate'"
