"""Reading of typed texts and paths without the library that Typer uses for all other types, because that library is slow to load.

If this version of Typer differs from the expected one, or an existing path cannot be read, Typer's own way is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_args, get_origin

_AS_READ: dict[Any, Callable[[Any], Any]] = {str: str, Path: Path, int: int}
_PLACE = "_runtime_param"
"""Where Typer keeps how a parameter is read; it has none that is meant for its users."""


class Plain:
    """A reader for the words of one parameter: texts and paths directly, other types in Typer's own way."""

    def __init__(self, kind: Any) -> None:
        self._read, self._kind = _AS_READ.get(kind), kind

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return what the words mean, as Typer does."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        words = value if several else [value]
        if self._read is None or not isinstance(words, (list, tuple)) or not all(map(self._is_plain, words)):
            setattr(param, _PLACE, None)  # so that Typer makes its own
            return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
        read = [self._read(word) for word in words]
        return read if several else read[0]

    def _is_plain(self, word: object) -> bool:
        if self._kind is int:
            return type(word) is int  # nobody typed it
        if self._kind is Path:
            return isinstance(word, (str, Path)) and (not os.path.exists(word) or os.access(word, os.R_OK))  # noqa: PTH110
        return isinstance(word, str)


def read_plainly(params: Iterable[Any]) -> None:
    """Have those parameters of a command that are texts or paths read here."""
    for param in params:
        if getattr(param, _PLACE, param) is not None or not hasattr(param, "get_runtime_param"):
            continue  # it is set already, or this Typer reads in another way
        info, kind = param.type_descriptor.parameter_info, param.type_descriptor.annotation
        kind = get_args(kind)[0] if get_origin(kind) is list else kind
        checked = info.parser or info.exists or info.resolve_path or info.allow_dash or info.path_type
        setattr(param, _PLACE, Plain(None if checked else kind))
