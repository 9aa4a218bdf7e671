"""Files that are read and written: regular ones, of limited size; places are tried before the work starts."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

from verifier.errors import InputError, MachineError

MOST_BYTES = 64 << 20
"""Largest number of bytes of a file, where its reader sets no other limit."""
MOST_OF_A_HEADER = 1 << 12
"""The bytes at the beginning of a certificate that hold its first keys."""
FULL = {errno.ENOSPC, errno.EDQUOT}
"""The error numbers of a disk, or of a quota, that is full."""
FAILING = {*FULL, errno.EFBIG, errno.EIO}
"""The error numbers by which the machine fails, whatever file was asked for."""
UNSYNCED = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}
"""The error numbers of a file system that cannot be asked to write through."""


def bytes_of(path: str | Path, wanted: str, *, most: int, tip: str = "", large: str = "") -> bytes:
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
    refuse_large(content, where, most=most, large=large)
    return content


def refuse_large(content: bytes, where: str, *, most: int, large: str = "") -> None:
    """Refuse the content of a file that has more than `most` bytes.

    Raises:
        InputError: where it has more.

    """
    if len(content) > most:
        raise InputError(f"the file has more than {most:,} bytes", where=where, wanted=f"at most {most:,}", tip=large)


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
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a FIFO",
        stat.S_IFSOCK: "a socket",
        stat.S_IFLNK: "a link to itself",
    }
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
            problem = (
                f"{path.parent} is not a folder" if path.parent.exists() else f"the folder {path.parent} is not there"
            )
            raise InputError(problem, where=option, wanted="a file in a folder that exists")
        home = Path(os.path.realpath(path))
        if home.is_symlink():
            raise InputError(f"{path} is {_kind(stat.S_IFLNK)}", where=option, wanted="a regular file, or a free name")
        _try(home.parent)
    except (OSError, ValueError) as error:
        raise _refused(error, path, option, "a file that can be written") from None


def refuse_taken(path: Path, option: str, *, wanted: str = "a free name", tip: str) -> None:
    """Check that nothing stands at a path, not even a link to nowhere; `option` names it in an error.

    Raises:
        InputError: where something does.

    """
    if os.path.lexists(path):
        raise InputError(f"{path} is there already", where=option, wanted=wanted, tip=tip)


def holds_certificate(path: Path) -> bool:
    """Whether a file that is there may be replaced by a certificate: it is one, as its first keys say, or empty."""
    with path.open("rb") as stream:
        begin = stream.read(MOST_OF_A_HEADER)
    answers = rb'\s*({\s*"schema":\s*1,\s*"version"|\[\s*{\s*"distribution":.*"acceptable")'
    if re.match(rb'\s*{\s*"kind":\s*"(worst|exchange)', begin) or re.match(answers, begin, re.DOTALL):
        return True
    return not begin or (begin.lstrip().startswith(b"{") and all(key in begin for key in (b'"format"', b'"kind"')))


def refuse_folder(path: Path | None, option: str) -> None:
    """Check that files can be written in a folder, or in its nearest ancestor that exists.

    Raises:
        InputError: where they cannot be written, or where the path is not a folder.
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
    if isinstance(error, OSError) and error.errno in FAILING:
        return MachineError(f"cannot write {path}: {error.strerror}", where=option, tip=_tip(error))
    reason = error.strerror if isinstance(error, OSError) else error
    return InputError(f"cannot write {path}: {reason}", where=option, wanted=wanted)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, with the folders that it is in.

    It is made under a free name in its folder and then takes its place: so a reader sees the old file or the new one,
    also while others write it, and no other file is touched. A link stays a link; a new file has the permissions that
    the system gives one, and a file that was there keeps its own. In a text, what is not UTF-8 (the name of a file)
    stands as its escape, which JSON reads.

    Raises:
        InputError: where something stands there that is no regular file.
        MachineError: where it cannot be written.

    """
    written = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    home = Path(os.path.realpath(path))
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        mode = _mode_of(home)
        if mode is not None:
            _refuse_irregular(mode, str(path), "a file that can be written", "")
        part, descriptor = _free(home.parent)
        try:
            with open(descriptor, "wb") as stream:  # noqa: PTH123  # the file that was just made
                if mode is not None:
                    part.chmod(stat.S_IMODE(mode))
                stream.write(written)
                stream.flush()
                _through(descriptor)
            part.replace(home)
        except BaseException:  # an interruption leaves nothing, too
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise MachineError(f"the file cannot be written ({error.strerror})", where=str(path), tip=_tip(error)) from None


def _mode_of(path: Path) -> int | None:
    """The mode of what stands at a place, itself and not what it links to; None where nothing does."""
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return None


def _free(folder: Path) -> tuple[Path, int]:
    """A new file under a name that no other has, opened to write; it has the permissions of any new file."""
    kind = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    while True:
        part = folder / f".pkdp-{os.urandom(8).hex()}.part"
        try:
            return part, os.open(part, kind, 0o666)
        except FileExistsError:
            continue


def _through(descriptor: int) -> None:
    """Wait until the content is on the disk: a file takes its place once it is whole there."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNSYNCED:
            raise


def _tip(error: OSError) -> str:
    """The hint of a file that cannot be written; only a disk that is full has one."""
    return "is the disk full?" if error.errno in FULL else ""
