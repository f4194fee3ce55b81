"""Runs a command within the terminal and reports to the test outside through files in a folder.

    inside.py FOLDER COMMAND [ARG...]

It paints every cell in one colour until the file `go` appears, so that the test finds the cells. Then it runs the
command. `size` holds rows, columns and pixels of the terminal, `pid` and `ended` the command's process and exit.
"""

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
import time

folder, command = sys.argv[1], sys.argv[2:]
GO_LIMIT, STAY_LIMIT = 30, 300
resized = True


def write(name, text):
    path = os.path.join(folder, name)
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


def tell_size(*_):
    global resized
    resized = True
    rows, columns, *_ = size = struct.unpack("HHHH", fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8))
    write("size", " ".join(map(str, size)))
    return rows, columns


def show(text):
    sys.stdout.write(text)
    sys.stdout.flush()


signal.signal(signal.SIGWINCH, tell_size)
signal.signal(signal.SIGINT, signal.SIG_IGN)
started = time.monotonic()
while not os.path.exists(os.path.join(folder, "go")):
    if resized:
        rows, columns = tell_size()
        resized = False
        show("\x1b[?25l\x1b[48;5;201m" + "".join(f"\x1b[{row + 1}H" + " " * columns for row in range(rows)) + "\x1b[m")
    if time.monotonic() - started > GO_LIMIT:
        sys.exit("nobody said go")
    time.sleep(0.02)
show("\x1b[m\x1b[H\x1b[2J\x1b[?25hBEFORE\r\n")
child = subprocess.Popen(command)
write("pid", str(child.pid))
status = child.wait()
show("PROMPT-BACK\r\n")
write("ended", str(status))
time.sleep(STAY_LIMIT)
