"""The part of Wayland's protocol that the test needs."""

import os
import socket
import struct
import time


class Keyboard:
    """A keyboard for a Wayland compositor, by zwp_virtual_keyboard_v1.

    wtype creates and removes its keyboard for each key, and the terminal loses some keys.
    """

    KEYMAP = (
        'xkb_keymap { xkb_keycodes { include "evdev" }; xkb_types { include "complete" }; '
        'xkb_compat { include "complete" }; xkb_symbols { include "pc+us" }; };\0').encode()
    CODES = {
        "Return": 28, "Escape": 1, "q": 16, "t": 20, "g": 34, "j": 36, "k": 37, "period": 52, "Home": 102, "End": 107}
    SHIFTED = {"question": 53, "G": 34}

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(path)
        self.received = b""
        self._send(1, 1, struct.pack("I", 2))
        found = {}
        for sender, event, body in self._until_synced(3):
            if (sender, event) == (2, 0):
                name, length = struct.unpack_from("II", body)
                found[body[8 : 7 + length].decode()] = name
        for new, interface in ((4, "wl_seat"), (5, "zwp_virtual_keyboard_manager_v1")):
            text = interface.encode() + b"\0"
            text = struct.pack("I", len(text)) + text + b"\0" * (-len(text) % 4)
            self._send(2, 0, struct.pack("I", found[interface]) + text + struct.pack("II", 1, new))
        self._send(5, 0, struct.pack("II", 4, 6))
        file = os.memfd_create("keymap")
        os.write(file, self.KEYMAP)
        self._send(6, 0, struct.pack("II", 1, len(self.KEYMAP)), [file])
        os.close(file)
        for _ in self._until_synced(7):
            pass

    def press(self, name):
        code = self.SHIFTED.get(name) or self.CODES[name]
        if name in self.SHIFTED:
            self._send(6, 2, struct.pack("IIII", 1, 0, 0, 0))
        for state in (1, 0):
            self._send(6, 1, struct.pack("III", time.monotonic_ns() // 1_000_000 & 0xFFFFFFFF, code, state))
        if name in self.SHIFTED:
            self._send(6, 2, struct.pack("IIII", 0, 0, 0, 0))

    def close(self):
        self.socket.close()

    def _send(self, receiver, request, body, files=()):
        message = struct.pack("II", receiver, (8 + len(body)) << 16 | request) + body
        socket.send_fds(self.socket, [message], list(files))

    def _until_synced(self, number):
        """Yields events until the compositor has handled all requests."""
        self._send(1, 0, struct.pack("I", number))
        while True:
            while len(self.received) < 8 or len(self.received) < struct.unpack_from("II", self.received)[1] >> 16:
                part = self.socket.recv(65536)
                if not part:
                    raise ConnectionError("sway ends the connection of the keyboard")
                self.received += part
            sender, word = struct.unpack_from("II", self.received)
            body, self.received = self.received[8 : word >> 16], self.received[word >> 16 :]
            if (sender, word & 0xFFFF) == (1, 0):
                raise ConnectionError(f"sway refuses the keyboard: {body[12:-1].decode(errors='replace')}")
            if sender == number:
                return
            yield sender, word & 0xFFFF, body
