"""Models and mechanisms that are Python code: only this module runs a file that a user wrote.

It runs only a file that ends in `.py` and that the command line itself names. What the code prints goes to standard
error, so that the answer is all there is on standard output.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from importlib.abc import SourceLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from verifier.cli.reading import PYTHON
from verifier.cli.waiting import notice, until_the_end
from verifier.errors import InputError, PkdpError
from verifier.machine.files import bytes_of
from verifier.model import Model
from verifier.model.explicit import called_within, line_of
from verifier.model.keys import meant
from verifier.numbers import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType, TracebackType

NAME = "model"
"""The name of the model that is meant where a file makes several."""
TIP = "write model = verifier.build(…) at the top level of the file"
MOST_BYTES = 4 << 20


def own_model(argument: str) -> Model:
    """Run a Python file, and return the model that it makes: the named one, else `model`, else the only one.

    Raises:
        InputError: where the file cannot be read, raises an error, or makes no such model, or several.

    """
    from dataclasses import replace

    namespace, name = _namespace(argument)
    return replace(_chosen_model(namespace, argument, name), path=argument)


def own_function(argument: str) -> Callable[..., object]:
    """Run a Python file, and return the function of it that is named: FILE.py:NAME.

    Raises:
        InputError: where the file cannot be read, raises an error, or has no function of that name.

    """
    namespace, name = _namespace(argument)
    found = namespace.get(name or "")
    if not callable(found):
        problem = f"`{name}` is {_kind(found)}" if name in namespace else f"the file has no `{shorten(name)}`"
        known = [key for key, value in namespace.items() if callable(value) and not key.startswith("_")]
        raise InputError(problem, where=argument, wanted=f"a function: {', '.join(known)}", tip=meant(str(name), known))
    return found


def _namespace(argument: str) -> tuple[dict[str, object], str | None]:
    """What a Python file defines, after it was run, and the name that the argument has."""
    matched = PYTHON.fullmatch(argument)
    if matched is None:
        raise InputError(f"{shorten(argument)} does not name a Python file", wanted="FILE.py, or FILE.py:NAME")
    file = matched["file"]
    source = bytes_of(file, "a Python file that makes a model", most=MOST_BYTES, tip=TIP)
    notice(f"running the Python code of {file}")
    return vars(_run(file, source, argument)), matched["name"]


class _Loader(SourceLoader):
    """Compiles the text that was read, and keeps no compiled file beside the user's."""

    def __init__(self, file: str, source: bytes) -> None:
        self._file, self._source = file, source

    def get_filename(self, fullname: str) -> str:
        """Return the path as the user wrote it; messages and tracebacks show it."""
        del fullname
        return self._file

    def get_data(self, path: str | bytes) -> bytes:
        """Return the text of the file that was read; no compiled file exists."""
        if path != self._file:
            raise FileNotFoundError
        return self._source


def _run(file: str, source: bytes, argument: str) -> ModuleType:
    """Run the text as a module, and return it; messages name the argument of the command.

    Raises:
        InputError: where the code raises an error, or ends the program, with the line.

    """
    module_name = f"own_model_{re.sub(r'[^0-9A-Za-z_]', '_', Path(file).stem)}"
    loader = _Loader(file, source)
    spec = spec_from_loader(module_name, loader, origin=file)
    if spec is None:
        raise InputError("the file is not a Python module", where=argument, wanted="a model", tip=TIP)
    module = module_from_spec(spec)
    until_the_end(_importable(module_name, module, str(Path(file).absolute().parent)))
    until_the_end(called_within(_prints_beside))
    try:
        with _prints_beside():
            loader.exec_module(module)
    except SyntaxError as error:
        location = f"{argument}: line {error.lineno}" if error.filename == file and error.lineno else argument
        raise InputError(f"the code is not valid Python: {error.msg}", where=location, wanted="a Python file") from None
    except PkdpError as error:
        raise error.within(_location(argument, file, error.__traceback__)) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a user's code raises is printed as a message
        location = _location(argument, file, error.__traceback__)
        raise InputError(_error_text(error), where=location, wanted="code that makes a model") from None
    return module


@contextmanager
def _prints_beside() -> Iterator[None]:
    """Send the output of the code, and of the processes that it starts, to standard error."""
    with redirect_stdout(sys.stderr), ExitStack() as restored:
        with suppress(OSError, ValueError):  # where standard output is no file of the system
            output, errors = _descriptor(sys.__stdout__), _descriptor(sys.stderr)
            original = os.dup(output)
            restored.callback(os.close, original)
            restored.callback(os.dup2, original, output)
            os.dup2(errors, output)
        yield


def _descriptor(stream: TextIO | None) -> int:
    """Return the system's number of an open file."""
    if stream is None:
        raise OSError
    return stream.fileno()


@contextmanager
def _importable(name: str, module: ModuleType, folder: str) -> Iterator[None]:
    """Let the code import itself, as its dataclasses do, and the modules in its folder, after all other modules."""
    before = sys.modules.get(name)
    sys.modules[name] = module
    sys.path.append(folder)
    try:
        yield
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
        if before is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = before


def _location(argument: str, file: str, trace: TracebackType | None) -> str:
    """Return the argument of the command, with the last line of its file in the traceback."""
    while trace is not None and trace.tb_frame.f_code.co_filename != file:
        trace = trace.tb_next
    line = line_of(trace).rpartition(", ")[2]
    return f"{argument}: {line}" if line else argument


def _error_text(error: BaseException) -> str:
    """Return the error that the code raised, as a message."""
    if isinstance(error, SystemExit):
        return f"the code ended the program: sys.exit({'' if error.code is None else repr(error.code)})"
    return f"the code raised {type(error).__name__}{f': {error}' if str(error) else ''}"


def _chosen_model(namespace: dict[str, object], argument: str, name: str | None) -> Model:
    """Return the model of that name, else the model called `model`, else the only one.

    Raises:
        InputError: where there is no such model, or several.

    """
    models = {key: value for key, value in namespace.items() if isinstance(value, Model)}
    if name is not None:
        if name in models:
            return models[name]
        problem = (
            f"`{shorten(name)}` is {_kind(namespace[name])}" if name in namespace else f"the file makes no `{name}`"
        )
        known = ", ".join(models) or "verifier.build(…)"
        raise InputError(problem, where=argument, wanted=f"a model: {known}", tip=meant(name, models))
    if NAME in models or len({id(model) for model in models.values()}) == 1:
        return models[NAME] if NAME in models else next(iter(models.values()))
    if models:
        first = next(iter(models))
        raise InputError(
            f"the file makes {len(models)} models: {', '.join(models)}",
            where=argument,
            wanted=f"one, or one of the name `{NAME}`",
            tip=f"{argument}:{first} names one",
        )
    problem = f"`{NAME}` is {_kind(namespace[NAME])}" if NAME in namespace else "the file makes no model"
    raise InputError(problem, where=argument, wanted="a model at its top level", tip=TIP)


def _kind(value: object) -> str:
    """Return the type of a value, as words of a message."""
    return f"of the type {type(value).__name__}"
