"""Files that are read and written: regular ones, of limited size; places are tried before the work starts."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from verifier.errors import InputError, MachineError

MOST_BYTES = 64 << 20
"""Largest number of bytes of a file, where its reader sets no other limit."""
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""The error numbers of a disk that is full or broken."""
PART = ".part"
"""The ending of a file's name while the file is written."""


def bytes_of(path: str | Path, wanted: str, *, most: int = MOST_BYTES, tip: str = "", large: str = "") -> bytes:
    """The content of a regular file.

    A FIFO or a device is not opened: it may have no end, or nobody may write to it. `tip` is for a file that cannot be
    read, `large` for one that is too large.

    Raises:
        InputError: where there is no such file, it is not regular, or it is larger than `most` bytes.

    """
    where = str(path)
    try:
        _refuse_irregular(os.stat(path).st_mode, where, wanted, tip)  # noqa: PTH116  # a str or a Path
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as stream:  # noqa: PTH123
            _refuse_irregular(os.fstat(stream.fileno()).st_mode, where, wanted, tip)
            content = stream.read(most + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"the file cannot be read ({reason})", where=where, wanted=wanted, tip=tip) from None
    if len(content) > most:
        raise InputError(f"the file has more than {most:,} bytes", where=where, wanted=f"at most {most:,}", tip=large)
    return content


def text_of(path: str | Path, wanted: str, *, most: int = MOST_BYTES, tip: str = "", large: str = "") -> str:
    """The text of a regular file.

    Raises:
        InputError: as `bytes_of`, and where it is not UTF-8.

    """
    try:
        return bytes_of(path, wanted, most=most, tip=tip, large=large).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where=str(path), wanted="a UTF-8 text file") from None


def _refuse_irregular(mode: int, where: str, wanted: str, tip: str) -> None:
    if not stat.S_ISREG(mode):
        raise InputError(f"this is {_kind(mode)}", where=where, wanted=f"{wanted}, in a regular file", tip=tip)


def _kind(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def refuse_file(path: Path | None, option: str) -> None:
    """Check that a file can be written, without changing it; `option` names it in an error.

    Raises:
        InputError: where its folder does not exist or cannot be written, or where the path is no regular file.
        MachineError: where the disk is full.

    """
    if path is None:
        return
    try:
        if path.exists():
            mode = path.stat().st_mode
            if not stat.S_ISREG(mode):
                raise InputError(f"{path} is {_kind(mode)}", where=option, wanted="a regular file, or a free name")
            with path.open("ab"):
                pass
        elif not path.parent.is_dir():
            raise InputError(
                f"the folder {path.parent} is not there", where=option, wanted="a file in a folder that exists"
            )
        _try(path.parent)
        path.with_name(path.name + PART).exists()  # a name that is too long is refused here
    except (OSError, ValueError) as error:
        raise _refused(error, path, option, "a file that can be written") from None


def refuse_folder(path: Path | None, option: str) -> None:
    """Check that files can be written in a folder, or in its nearest ancestor that exists.

    Raises:
        InputError: where they cannot be written, or where the path is no folder.
        MachineError: where the disk is full.

    """
    if path is None:
        return
    try:
        folder = next(
            ancestor for ancestor in (path, *path.absolute().parents) if ancestor.exists() or ancestor.is_symlink()
        )
        if not folder.is_dir():
            mode = folder.stat().st_mode
            file_kind = "a file" if stat.S_ISREG(mode) else _kind(mode)
            raise InputError(f"{folder} is {file_kind}", where=option, wanted="a folder")
        _try(folder)
    except (OSError, ValueError) as error:
        raise _refused(error, path, option, "a folder that can be written") from None


def _try(folder: Path) -> None:
    import tempfile  # which loads slowly, and most questions write nothing

    with tempfile.TemporaryFile(dir=folder) as attempt:
        attempt.write(b"pkdp")
        attempt.flush()


def _refused(error: OSError | ValueError, path: Path, option: str, wanted: str) -> InputError | MachineError:
    if isinstance(error, InputError):
        return error
    if isinstance(error, OSError) and error.errno in FULL:
        return MachineError(f"cannot write {path}: {error.strerror}", where=option, tip="is the disk full?")
    reason = error.strerror if isinstance(error, OSError) else error
    return InputError(f"cannot write {path}: {reason}", where=option, wanted=wanted)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all, with the folders that it is in.

    Raises:
        MachineError: where it cannot be written.

    """
    home = Path(os.path.realpath(path))  # a link stays a link
    part = home.with_name(home.name + PART)
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(home)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise MachineError(
            f"the file cannot be written ({error.strerror})", where=str(path), tip="is the disk full?"
        ) from None
