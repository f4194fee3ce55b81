"""Drivers of the terminals: starting, pressing keys, resizing, screenshots. One class per terminal."""

import glob
import mmap
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import time

import numpy

from wayland import Keyboard

FONT = "DejaVu Sans Mono"
HERE = os.path.dirname(os.path.abspath(__file__))


class Trouble(Exception):
    """The terminal does not do what the test needs."""


def wait_for(what, condition, limit=20.0, step=0.03):
    """Returns the first true result of the condition; fails if there is none in time."""
    end = time.monotonic() + limit
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Trouble(f"no {what} within {limit:.0f} s")
        time.sleep(step)


def end(process, limit=3.0):
    """Ends a process that was started here, and its session."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        try:
            os.killpg(process.pid, sign)
            process.wait(limit)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass


class Grid:
    """The cells on the screen: the upper left pixel, the size of a cell and the number of cells."""

    def __init__(self, left, top, cell, columns, rows):
        self.left, self.top, self.cell, self.columns, self.rows = left, top, cell, columns, rows

    @property
    def width(self):
        return round(self.columns * self.cell[0])

    @property
    def height(self):
        return round(self.rows * self.cell[1])


class Driver:
    """The common part of all terminals; a subclass starts one, presses keys and reads its pixels."""

    name = ""
    needs = ()
    pictures = "all"  # the folder whose pictures fill its window
    # A second and a third size, in cells: larger than the first, and smaller.
    bigger, smaller = (24, 6), (-20, -8)

    def __init__(self, folder):
        self.folder = folder
        self.home = os.path.join(folder, "home")
        os.makedirs(self.home)
        self.terminal = None
        self.grid = None
        self.log = open(os.path.join(folder, "log"), "ab")

    # The display that all windows of a terminal share.

    def open_display(self):
        raise NotImplementedError

    def close_display(self):
        raise NotImplementedError

    def screen(self):
        """Returns all pixels of the screen: an array of rows, columns and red, green, blue."""
        raise NotImplementedError

    def keys(self, names, delay=0.0):
        """Presses keys by their X names, one after another."""
        raise NotImplementedError

    def _resize(self, width, height):
        raise NotImplementedError

    def command_line(self, command):
        raise NotImplementedError

    # One window.

    def start(self, command, environment):
        """Opens a window that runs the command, and waits until the command runs in it."""
        self.exchange = os.path.join(self.folder, f"window-{time.monotonic_ns()}")
        os.mkdir(self.exchange)
        inner = ["/usr/bin/env"] + [f"{k}={v}" for k, v in environment.items()]
        inner += [sys.executable, os.path.join(HERE, "inside.py"), self.exchange] + command
        self.terminal = self.spawn(self.command_line(inner))
        wait_for("window", self._size)
        self._focus()
        self.grid = wait_for("terminal full of cells", self._calibrated, step=0.1)
        open(os.path.join(self.exchange, "go"), "w").close()
        wait_for("running program", lambda: self._read("pid"))

    def spawn(self, arguments, **options):
        options.setdefault("stdout", self.log)
        return subprocess.Popen(
            arguments, env=self.environment(), stdin=subprocess.DEVNULL, stderr=self.log, start_new_session=True,
            **options)

    def environment(self):
        keep = {k: os.environ[k] for k in ("PATH", "TERMINFO") if k in os.environ}
        return keep | {"HOME": self.home, "LANG": "C.UTF-8", "LIBGL_ALWAYS_SOFTWARE": "1"}

    def close(self):
        """Closes the window and ends what ran in it."""
        if self.terminal is None:
            return
        pid = self._read("pid")
        if pid and not self._read("ended"):
            # An orderly end takes longer and is not tested here.
            os.kill(int(pid), signal.SIGKILL)
        end(self.terminal)
        self.terminal = None

    @property
    def alive(self):
        return self.terminal is not None and self.terminal.poll() is None

    @property
    def ending(self):
        return f"{self.name} has ended with status {self.terminal and self.terminal.poll()}"

    @property
    def status(self):
        """The exit status of the program; None while it runs."""
        ended = self._read("ended")
        return int(ended) if ended else None

    def shot(self):
        """Returns the pixels of the cells."""
        grid = self.grid
        pixels = self.screen()[grid.top : grid.top + grid.height, grid.left : grid.left + grid.width]
        return numpy.ascontiguousarray(pixels)

    def resize(self, columns, rows):
        """Makes the window wider and higher by a number of cells."""
        grid = self.grid
        want = (grid.columns + columns, grid.rows + rows)
        before = self._size()
        self._resize(*self._pixels(*want))
        size = wait_for("new size", lambda: (s := self._size()) != before and s)
        if abs(size[1] - want[0]) > 2 or abs(size[0] - want[1]) > 2:
            raise Trouble(f"the window has {size[1]}x{size[0]} cells instead of {want[0]}x{want[1]}")
        self.grid = Grid(grid.left, grid.top, grid.cell, size[1], size[0])

    def _pixels(self, columns, rows):
        """The size of a window with a number of cells and the current margins."""
        width, height = self._window_size()
        grid = self.grid
        return (
            round(width + (columns - grid.columns) * grid.cell[0]), round(height + (rows - grid.rows) * grid.cell[1]))

    def _window_size(self):
        raise NotImplementedError

    def _focus(self):
        pass

    def _read(self, name):
        try:
            with open(os.path.join(self.exchange, name)) as file:
                return file.read()
        except FileNotFoundError:
            return None

    def _size(self):
        """Rows and columns, as the terminal reports them to programs."""
        if not self.alive:
            raise Trouble(self.ending)
        text = self._read("size")
        return tuple(map(int, text.split()))[:2] if text else None

    def _calibrated(self):
        first = self._marked()
        time.sleep(0.1)
        return first if first and (second := self._marked()) and vars(first) == vars(second) else None

    def _marked(self):
        """The cells, found by the colour that inside.py gives them: magenta."""
        rows, columns = self._size()
        screen = self.screen()
        marked = (screen[:, :, 0] > 239) & (screen[:, :, 1] < 16) & (screen[:, :, 2] > 239)
        ys, xs = numpy.flatnonzero(marked.any(axis=1)), numpy.flatnonzero(marked.any(axis=0))
        if not len(ys) or not len(xs):
            return None
        left, top, width, height = xs[0], ys[0], xs[-1] + 1 - xs[0], ys[-1] + 1 - ys[0]
        if not marked[top : top + height, left : left + width].all():
            return None
        cell = (width / columns, height / rows)
        if cell != (round(cell[0]), round(cell[1])):
            return None
        return Grid(int(left), int(top), (int(cell[0]), int(cell[1])), columns, rows)


class XDriver(Driver):
    """A terminal on an X server without a screen; its pixels are read from the server's memory."""

    window_class = ""
    extra = ()
    display = None

    def open_display(self):
        memory = os.path.join(self.folder, "screen")
        os.makedirs(memory)
        read, write = os.pipe()
        self.server = self.spawn(
            ["Xvfb", "-displayfd", str(write), "-noreset", "-br", "-nolisten", "tcp", "-fbdir", memory, "-screen", "0",
             "2400x1600x24", *self.extra], pass_fds=(write,), stdout=self.log)
        os.close(write)
        self.display = ":" + self._display_number(read)
        with open(os.path.join(memory, "Xvfb_screen0"), "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        header = struct.unpack(">25I", self.memory[:100])
        self.shape = (header[5], header[12] // 4, 4)
        self.offset = header[0] + header[19] * 12
        # The pointer is part of the pixels.
        self._xdotool("mousemove", "2399", "1599")

    def _display_number(self, read):
        with os.fdopen(read, "rb") as file:
            text = b""
            while not text.endswith(b"\n"):
                if not select.select([file], [], [], 20)[0]:
                    raise Trouble("Xvfb named no display")
                part = os.read(file.fileno(), 16)
                if not part:
                    raise Trouble("Xvfb does not start")
                text += part
        return text.decode().strip()

    def close_display(self):
        end(self.server)

    def environment(self):
        result = super().environment()
        return result | {"DISPLAY": self.display} if self.display else result

    def screen(self):
        count = self.shape[0] * self.shape[1] * 4
        pixels = numpy.frombuffer(self.memory, numpy.uint8, count, self.offset).reshape(self.shape)
        return pixels[:, :, 2::-1]

    def keys(self, names, delay=0.0):
        # xdotool also waits this long between press and release.
        self._xdotool("key", "--delay", str(round(delay * 1000)), *names)

    def _xdotool(self, *arguments):
        result = subprocess.run(
            ["xdotool", *arguments], env=self.environment(), stdout=subprocess.PIPE, stderr=self.log, timeout=60)
        return result.stdout.decode()

    def _focus(self):
        found = wait_for(
            "window of the terminal",
            lambda: self._xdotool("search", "--onlyvisible", "--class", self.window_class).split())
        self.window = found[-1]
        self._xdotool("windowfocus", self.window)

    def _window_size(self):
        text = self._xdotool("getwindowgeometry", "--shell", self.window)
        values = dict(line.split("=") for line in text.split())
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def _resize(self, width, height):
        self._xdotool("windowsize", self.window, str(width), str(height))


class XTerm(XDriver):
    """xterm with Debian's settings as a VT340: 16 colour registers, pictures of at most 1000 x 1000 pixels."""

    name = "xterm"
    window_class = "xterm"
    needs = ("Xvfb", "xdotool", "xterm")
    size = "160x45"
    options = ()

    def command_line(self, command):
        return [
            "xterm", "-ti", "vt340", "-tn", "xterm-256color", "-fa", FONT, "-fs", "10", "-bg", "black", "-fg", "white",
            "-geometry", self.size + "+0+0", *self.options, "-e", *command]


class XTermLarge(XTerm):
    """xterm with its largest number of colours and its largest picture size."""

    name = "xterm-large"
    size = "200x60"
    pictures = "large"
    options = ("-xrm", "XTerm*numColorRegisters: 256", "-xrm", "XTerm*maxGraphicSize: 4000x4000")


class MLTerm(XDriver):
    name = "mlterm"
    window_class = "mlterm"
    needs = ("Xvfb", "xdotool", "mlterm")

    def command_line(self, command):
        return [
            "mlterm", "--sbmod=none", "--im=none", "--restart=false", "--logmsg=false", "--type=xft", "-w", "13",
            "--lsp=3", f"--deffont={FONT}", "-b", "black", "-f", "white", "-g", "160x45+0+0", "-e", *command]


class Kitty(XDriver):
    name = "kitty"
    window_class = "kitty"
    needs = ("Xvfb", "xdotool", "kitty")
    extra = ("+extension", "GLX")

    def command_line(self, command):
        return [
            "kitty", "--config", "NONE", "-o", "initial_window_width=1200", "-o", "initial_window_height=800", "-o",
            "remember_window_size=no", "-o", "update_check_interval=0", "-o", f"font_family={FONT}", *command]


class Konsole(XDriver):
    name = "konsole"
    window_class = "konsole"
    needs = ("Xvfb", "xdotool", "konsole", "dbus-run-session")

    def environment(self):
        run = os.path.join(self.folder, "run")
        os.makedirs(run, mode=0o700, exist_ok=True)
        return super().environment() | {"XDG_RUNTIME_DIR": run, "QT_QPA_PLATFORM": "xcb"}

    def command_line(self, command):
        return [
            "dbus-run-session", "--", "konsole", "--nofork", "--hide-menubar", "--hide-tabbar", "--geometry",
            "1200x800+0+0", "-e", *command]


class Foot(Driver):
    """foot in a sway without a screen. sway refuses root and runs as nobody; foot and its programs do not."""

    name = "foot"
    needs = ("sway", "swaymsg", "grim", "foot")
    display = control = keyboard = None

    def open_display(self):
        self.run = os.path.join(self.folder, "run")
        os.makedirs(self.run, mode=0o700)
        config = os.path.join(self.run, "config")
        with open(config, "w") as file:
            file.write(
                "xwayland disable\noutput HEADLESS-1 resolution 2000x1400\ndefault_border none\n"
                'default_floating_border none\nfor_window [app_id="foot"] floating enable, move position 0 0\n')
        command = ["sway", "-c", config]
        if os.geteuid() == 0:
            # Other users need access up to the folder; only its owner may enter it.
            os.chown(self.run, 65534, 65534)
            os.chown(config, 65534, 65534)
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        self.server = self.spawn(command)
        self.display = os.path.basename(wait_for("sway", lambda: self._socket("wayland-?")))
        self.control = wait_for("sway's control", lambda: self._socket("sway-ipc.*.sock"))
        self.keyboard = Keyboard(os.path.join(self.run, self.display))

    def _socket(self, pattern):
        if self.server.poll() is not None:
            raise Trouble("sway does not start")
        return next(iter(glob.glob(os.path.join(self.run, pattern))), None)

    def close_display(self):
        if self.keyboard:
            self.keyboard.close()
        end(self.server)

    def environment(self):
        result = super().environment() | {
            "XDG_RUNTIME_DIR": self.run, "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
            "WLR_LIBINPUT_NO_DEVICES": "1", "LIBSEAT_BACKEND": "noop"}
        # sway creates its socket at SWAYSOCK, even if that path is wrong.
        sockets = {"WAYLAND_DISPLAY": self.display, "SWAYSOCK": self.control}
        return result | {name: value for name, value in sockets.items() if value}

    def command_line(self, command):
        return [
            "foot", "--config=/dev/null", "-o", "main.initial-window-size-pixels=1190x780", "-o",
            f"main.font={FONT}:size=9", *command]

    def screen(self):
        options = {"env": self.environment(), "stdout": subprocess.PIPE, "stderr": self.log, "timeout": 20}
        data = subprocess.run(["grim", "-t", "ppm", "-"], **options).stdout
        if not data:
            raise Trouble("grim pictures nothing")
        _, width, height, _ = data[:40].split(maxsplit=4)[:4]
        width, height = int(width), int(height)
        return numpy.frombuffer(data, numpy.uint8, width * height * 3, len(data) - width * height * 3).reshape(
            height, width, 3)

    def keys(self, names, delay=0.0):
        for name in names:
            self.keyboard.press(name)
            time.sleep(delay)

    def _window_size(self):
        return self.grid.width, self.grid.height

    def _resize(self, width, height):
        self._swaymsg(f'[app_id="foot"] resize set width {width} px height {height} px, move position 0 0')

    def _swaymsg(self, text):
        options = {"env": self.environment(), "stdout": self.log, "stderr": self.log, "timeout": 20}
        subprocess.run(["swaymsg", text], **options, check=True)


ALL = [Kitty, Konsole, MLTerm, Foot, XTerm, XTermLarge]


def missing(driver):
    return [tool for tool in driver.needs if not shutil.which(tool)]
