"""Writes all generated code and docs anew from schemas/, or tells with --check what is out of date.

python tools.generate            writes
python tools.generate --check    writes nothing; exits with 1 where a file differs
"""

import argparse
import sys
from pathlib import Path

from tools.generators import apis, errors, messages

ROOT = Path(__file__).resolve().parent.parent
GENERATORS = [apis.outputs, errors.outputs, messages.outputs]


def generated() -> dict[Path, str]:
    """Every generated file with the text it has to have."""
    return {ROOT / path: text for outputs in GENERATORS for path, text in outputs(ROOT / "schemas").items()}


def stale() -> list[Path]:
    """The generated files that are not what the generators make."""
    return [path for path, text in generated().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, exit with 1 where a file is out of date")
    args = parser.parse_args()
    if args.check:
        late = stale()
        for path in late:
            print(f"{path.relative_to(ROOT)} is out of date: run 'make generate'")
        return 1 if late else 0
    for path, text in generated().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
