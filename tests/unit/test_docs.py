"""What the documentation shows is what happens: its examples run, its links lead somewhere, every requirement has its proof."""

import ast
import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
PUBLIC = ["errors", "wire", "records", "assignors", "partitioners", "placement"]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_examples_of_a_page_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, optionflags=OPTIONS, encoding="utf-8")
    assert result.failed == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_of_a_module_run(name: str) -> None:
    module = importlib.import_module(f"tidemill.{name}")
    assert doctest.testmod(module, optionflags=OPTIONS).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    missing = [target for target in targets if target and not (page.parent / target).exists()]
    assert missing == []


def test_python_examples_are_doctests() -> None:
    """A block that only looks like code would rot: each python block is a doctest, so that it runs."""
    fenced = re.compile(r"```(?:python|pycon)\n(.*?)```", flags=re.DOTALL)
    blocks = [(name_of(page), block) for page in PAGES for block in fenced.findall(page.read_text(encoding="utf-8"))]
    assert [(page, block) for page, block in blocks if ">>>" not in block] == []


def requirements_promised() -> set[str]:
    return set(re.findall(r"^- \*\*(R\d+)\*\*", (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8"), flags=re.MULTILINE))


def requirements_shown() -> set[str]:
    """The R numbers that stand in the docstrings of tests and of test modules."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path == Path(__file__):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
                found |= set(re.findall(r"\bR\d+\b", ast.get_docstring(node) or ""))
    return found


def test_every_guarantee_has_a_test_that_names_it() -> None:
    assert sorted(requirements_promised() - requirements_shown()) == []


def test_every_requirement_that_a_test_names_is_in_the_guarantees() -> None:
    assert sorted(requirements_shown() - requirements_promised()) == []
