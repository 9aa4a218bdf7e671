"""Firefox without a window, driven through its Marionette protocol over a socket: no driver is installed for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection, socket
from time import monotonic, sleep
from typing import Any

from browser.harness import PATIENCE

NAMES = ("firefox-esr", "firefox")
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
"""What it would ask of other machines by itself, and a new profile's first page."""


def executable() -> str | None:
    """The path of Firefox."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """One window. Scripts run in the page, with their arguments as `arguments`."""

    def __init__(self, connection: socket) -> None:
        """Begin a session on a connection to Marionette."""
        self._socket, self._number = connection, 0
        self._receive()  # it says hello
        self.ask("WebDriver:NewSession")
        self.ask("WebDriver:SetTimeouts", script=4 * PATIENCE, pageLoad=4 * PATIENCE)

    def ask(self, name: str, **fields: Any) -> Any:
        """The result of a command.

        Raises:
            RuntimeError: with what Firefox says is wrong.

        """
        self._number += 1
        text = json.dumps([0, self._number, name, fields])
        self._socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, number, error, result = self._receive()
        if number != self._number or error is not None:
            raise RuntimeError(f"{name}: {error}")
        return result

    def open(self, address: str) -> None:
        """Go to an address; another fragment alone loads nothing again."""
        self.ask("WebDriver:Navigate", url=address)

    def run(self, script: str, *arguments: object) -> Any:
        """The value that a script returns."""
        return self.ask("WebDriver:ExecuteScript", script=script, args=arguments)["value"]

    def until(self, script: str, *arguments: object) -> None:
        """Wait until a script returns a true value."""
        end = monotonic() + 4 * PATIENCE / 1000
        while not self.run(script, *arguments):
            if monotonic() > end:
                raise TimeoutError(f"never came true: {script}")
            sleep(0.05)

    def _receive(self) -> Any:
        """One message: its length, a colon, JSON."""
        head = b""
        while not head.endswith(b":"):
            head += self._bytes(1)
        return json.loads(self._bytes(int(head[:-1])))

    def _bytes(self, count: int) -> bytes:
        content = b""
        while len(content) < count:
            part = self._socket.recv(count - len(content))
            if not part:
                raise ConnectionError("Firefox has ended the connection")
            content += part
        return content


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A Firefox whose new profile lies in a folder."""
    lines = {**PREFERENCES, "marionette.port": 0}  # any free one, which it then writes down
    (folder / "user.js").write_text(
        "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in lines.items()),
        encoding="utf-8",
    )
    command = [str(executable()), "--headless", "--marionette", "--no-remote", "--profile", str(folder), "about:blank"]
    environment = {**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(command, env=environment, stdout=said, stderr=said)
    try:
        with _connected(folder / "MarionetteActivePort", process) as connection:
            yield Firefox(connection)
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _connected(port: Path, process: subprocess.Popen[bytes]) -> socket:
    """The connection to Marionette, as soon as it listens; Firefox writes the number of its port into a file."""
    end = monotonic() + 4 * PATIENCE / 1000
    while True:
        try:
            return create_connection(("127.0.0.1", int(port.read_text())), timeout=4 * PATIENCE / 1000)
        except (OSError, ValueError):  # there is no such file yet, or nothing in it
            if process.poll() is not None or monotonic() > end:
                raise
            sleep(0.1)
