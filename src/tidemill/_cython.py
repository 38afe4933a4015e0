"""Stands in for `cython` where it is not installed, so that the compiled modules also run as plain Python.

Only what they use is here. Compiled, none of this is reached: Cython resolves the name `cython` by itself.
"""

from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")

compiled = False


class _CType:
    """A C type: as an annotation it means nothing, called it is a cast, subscripted an array or a pointer."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, value: object = 0) -> object:
        return value

    def __getitem__(self, item: object) -> "_CType":
        return self

    def __repr__(self) -> str:
        return f"cython.{self._name}"


def _type(name: str) -> Any:
    return _CType(name)


bint = _type("bint")
char = _type("char")
uchar = _type("uchar")
short = _type("short")
int = _type("int")
uint = _type("uint")
long = _type("long")
longlong = _type("longlong")
ulonglong = _type("ulonglong")
Py_ssize_t = _type("Py_ssize_t")
size_t = _type("size_t")
double = _type("double")
void = _type("void")
p_char = _type("p_char")
p_uchar = _type("p_uchar")
p_int = _type("p_int")
p_const_uchar = _type("p_const_uchar")
p_longlong = _type("p_longlong")
p_const_int = _type("p_const_int")
p_const_longlong = _type("p_const_longlong")


def _decorator(*_args: object, **_options: object) -> Callable[[_T], _T]:
    return lambda decorated: decorated


def _marker(decorated: _T) -> _T:
    return decorated


class _Lock:
    """`nogil` and `gil`: a decorator, and something to enter."""

    def __call__(self, decorated: _T) -> _T:
        return decorated

    def __enter__(self) -> None: ...

    def __exit__(self, *_exception: object) -> None: ...


nogil = gil = _Lock()
cclass = cfunc = ccall = inline = no_gc = final = _marker
locals = returns = exceptval = boundscheck = wraparound = cdivision = freelist = initializedcheck = _decorator


def declare(kind: object = None, value: object = None, **_names: object) -> object:
    return value


def cast(kind: object, value: Any, **_options: object) -> Any:
    """Only what changes a value: a fraction is cut off."""
    return value.__trunc__() if isinstance(value, float) and kind is not double else value
