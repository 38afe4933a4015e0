"""The shape of the source: who may import whom, and how large a module or a function may grow.

The lists of exceptions may only shrink.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "tidemill"
GENERATED = {"wire.messages", "errors.kafka"}

# Package (or top-level module) → what of tidemill it may import besides itself. What is not listed is denied, siblings included.
ALLOWED: dict[str, set[str]] = {
    "__init__": {"_pure", "errors", "wire", "records", "assignors", "partitioners", "placement"},
    "_cython": set(),
    "_pure": set(),
    "errors": set(),
    "wire": {"errors", "_cython"},
    "records": {"errors", "_cython"},
    "assignors": {"errors", "_cython", "_hashes", "_java"},
    "partitioners": {"errors", "_cython", "_hashes"},
    "_hashes": {"_cython"},
    "_java": set(),
    "placement": {"errors", "_hashes", "_java"},
}

# What may be imported from outside the standard library, and where.
THIRD_PARTY: dict[str, set[str]] = {
    "records": {"crc32c", "cramjam", "pyarrow"},
}
STANDARD_IN_LOGIC_DENIED = {"socket", "asyncio", "threading", "selectors", "subprocess", "random", "uuid"}
LOGIC = {"wire", "records", "assignors", "partitioners", "placement", "errors"}

MODULE_LINES = 400
FUNCTION_LINES = 70
LARGE_MODULES: dict[str, int] = {}
LARGE_FUNCTIONS: dict[str, int] = {}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def dotted(path: Path) -> str:
    """`wire.messages.fetch` for src/tidemill/wire/messages/fetch.py; a package by its own name."""
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    return name.removesuffix(".__init__") if name != "__init__" else name


def is_generated(name: str) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in GENERATED)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, wherever in it, by its full name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            if node.module == "tidemill":
                for alias in node.names:
                    yield node.lineno, f"tidemill.{alias.name}"
            elif node.module is not None:
                yield node.lineno, node.module


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_a_module_imports_only_what_its_package_may(path: Path) -> None:
    package = dotted(path).split(".")[0]
    assert package in ALLOWED, f"say in ALLOWED what {package} may import"
    wrong = []
    for line, module in imports(path):
        root, _, rest = module.partition(".")
        if root == "tidemill":
            target = rest.split(".")[0]
            if target and target != package and target not in ALLOWED[package]:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
        elif root in STANDARD_IN_LOGIC_DENIED and package in LOGIC:
            wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}: logic has no clock, chance or network of its own")
        elif not is_standard(root) and root != "cython" and root not in THIRD_PARTY.get(package, set()):
            wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    assert wrong == []


def is_standard(root: str) -> bool:
    import sys

    return root in sys.stdlib_module_names


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}{node.name}"
            if not isinstance(node, ast.ClassDef):
                yield name, (node.end_lineno or node.lineno) - node.lineno + 1
            yield from functions(node, f"{name}.")


@pytest.mark.parametrize("path", [path for path in modules() if not is_generated(dotted(path))], ids=dotted)
def test_modules_and_functions_stay_small(path: Path) -> None:
    name, text = dotted(path), path.read_text(encoding="utf-8")
    lines = text.count("\n")
    assert lines <= LARGE_MODULES.get(name, MODULE_LINES), f"{name} has {lines} lines: which concept is missing?"
    for function, size in functions(ast.parse(text)):
        limit = LARGE_FUNCTIONS.get(f"{name}.{function}", FUNCTION_LINES)
        assert size <= limit, f"{name}.{function} has {size} lines: split it"


def test_every_exception_is_still_needed() -> None:
    names = {dotted(path): path.read_text(encoding="utf-8") for path in modules()}
    small = [name for name, limit in LARGE_MODULES.items() if names.get(name, "").count("\n") <= MODULE_LINES or limit <= MODULE_LINES]
    sizes = {f"{name}.{function}": size for name, text in names.items() for function, size in functions(ast.parse(text))}
    small += [name for name in LARGE_FUNCTIONS if sizes.get(name, 0) <= FUNCTION_LINES]
    assert small == [], "take these off the list"


def test_packages_of_the_allow_list_exist() -> None:
    there = {dotted(path).split(".")[0] for path in modules()}
    assert set(ALLOWED) - there == set(), "take these off the list"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_lazy_names_are_not_hidden_from_type_checkers(path: Path) -> None:
    """A checker that sees `__getattr__` takes any name for one of the module: a misspelt import passed."""
    seen = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)]
    assert "__getattr__" not in [function.name for function in seen]
