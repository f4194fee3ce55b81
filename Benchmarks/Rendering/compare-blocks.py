#!/usr/bin/env python3
"""Compares block pictures with chafa's: compare-blocks.py [--columns N] [--runs N] [--alcedo COMMAND]

Each picture is given to both programs as a PNG file with 20 x 40 pixels a cell. What they write is drawn again with 8 x
16 pixels a cell: block elements by the area that they cover, other characters with the font DejaVu Sans Mono. The figure
is the PSNR in dB after a Gaussian blur with sigma = 1.5 of both pictures. The times are the medians
of whole processes.

COMMAND writes one block picture; {file}, {columns}, {rows} and {colors} (full, 256, 16) stand for what it shall draw.
Needs numpy and Pillow, and from Debian: chafa, fonts-dejavu-core, mate-backgrounds, gnome-backgrounds,
lomiri-wallpapers-16.04.
"""

import argparse
import fcntl
import functools
import os
import pathlib
import pty
import re
import statistics
import subprocess
import tempfile
import termios
import threading
import time

import numpy as np
from PIL import Image, ImageDraw, ImageFont

ROOT = pathlib.Path(__file__).parents[2]
SHARE = pathlib.Path("/usr/share/backgrounds")
PICTURES = [
    ROOT / "assets/pictures/aurora-over-lake.jpg", ROOT / "assets/pictures/kingfisher.webp",
    SHARE / "mate/nature/Dune.jpg", SHARE / "mate/nature/Garden.jpg", SHARE / "mate/nature/FreshFlower.jpg",
    SHARE / "mate/abstract/Elephants_3840x2160.jpg", SHARE / "sunset_by_Aitzol_Berasategi.jpg",
    SHARE / "friends_by_Aitzol_Berasategi.jpg", SHARE / "Wine_by_Jakkub_Mede.jpg", SHARE / "gnome/adwaita-l.webp",
]
MODES = ["full", "256", "16"]
CELL = (8, 16)
FONT = ImageFont.truetype("DejaVuSansMono.ttf", 13)
# xterm's defaults of color0 to color15, the cube and the greys.
NAMED = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
]
LEVELS = [0, 95, 135, 175, 215, 255]
PALETTE = NAMED + [(r, g, b) for r in LEVELS for g in LEVELS for b in LEVELS] + [(8 + 10 * n,) * 3 for n in range(24)]
# The quarters that U+2596 to U+259F cover: upper left, upper right, lower left, lower right.
QUARTERS = ["2", "3", "0", "023", "03", "012", "013", "1", "12", "123"]


@functools.cache
def coverage(character):
    """Returns how much of each pixel of a cell the character covers, 0 to 1."""
    width, height = CELL
    cover, code = np.zeros((height, width)), ord(character)
    if code == 0x2580:
        cover[: height // 2] = 1
    elif 0x2581 <= code <= 0x2588:
        cover[height - height * (code - 0x2580) // 8 :] = 1
    elif 0x2589 <= code <= 0x258F:
        cover[:, : width * (0x2590 - code) // 8] = 1
    elif code == 0x2590:
        cover[:, width // 2 :] = 1
    elif 0x2591 <= code <= 0x2593:
        cover[:] = (code - 0x2590) / 4
    elif code == 0x2594:
        cover[: height // 8] = 1
    elif code == 0x2595:
        cover[:, width - width // 8 :] = 1
    elif 0x2596 <= code <= 0x259F:
        for part in map(int, QUARTERS[code - 0x2596]):
            cover[part // 2 * 8 : part // 2 * 8 + 8, part % 2 * 4 : part % 2 * 4 + 4] = 1
    elif character != " ":
        image = Image.new("L", CELL)
        ImageDraw.Draw(image).text((0, 12), character, font=FONT, fill=255, anchor="ls")
        cover = np.asarray(image) / 255
    return cover[..., None]


def color(numbers):
    """Takes what follows 38 or 48 from the list."""
    if numbers.pop(0) == 5:
        return PALETTE[numbers.pop(0)]
    return tuple(numbers.pop(0) for _ in range(3))


def drawn(text, columns, rows):
    """Draws what a program wrote, as an array of pixels."""
    canvas = np.zeros((rows * CELL[1], columns * CELL[0], 3))
    front, back, inverse, row, column = PALETTE[7], PALETTE[0], False, 0, 0
    for match in re.finditer(r"\x1b\[\??([\d;]*)([a-zA-Z])|(\n)|(.)", text.replace("\r", "")):
        parameters, command, newline, character = match.groups()
        if newline:
            row, column = row + 1, 0
        elif character and row < rows and column < columns:
            top, left = row * CELL[1], column * CELL[0]
            cover = coverage(character)
            first, second = (back, front) if inverse else (front, back)
            canvas[top : top + CELL[1], left : left + CELL[0]] = cover * first + (1 - cover) * np.array(second)
            column += 1
        elif command == "m":
            numbers = [int(number or 0) for number in parameters.split(";")]
            while numbers:
                number = numbers.pop(0)
                if number == 0:
                    front, back, inverse = PALETTE[7], PALETTE[0], False
                elif number == 7:
                    inverse = True
                elif number in (38, 48):
                    chosen = color(numbers)
                    front, back = (chosen, back) if number == 38 else (front, chosen)
                elif 30 <= number <= 37 or 90 <= number <= 97:
                    front = NAMED[number - 30 if number < 90 else number - 82]
                elif 40 <= number <= 47 or 100 <= number <= 107:
                    back = NAMED[number - 40 if number < 100 else number - 92]
    return canvas


def blurred(pixels):
    """Returns the pixels after a Gaussian blur with sigma = 1.5, the edges repeated."""
    weights = np.exp(-np.arange(-6, 7) ** 2 / (2 * 1.5**2))
    weights /= weights.sum()
    for axis in (0, 1):
        padded = np.pad(pixels, [(6, 6) if axis == place else (0, 0) for place in range(3)], mode="edge")
        length = pixels.shape[axis]
        pixels = sum(weight * padded.take(range(at, at + length), axis) for at, weight in enumerate(weights))
    return pixels


def ratio(first, second):
    """Returns the PSNR of the blurred pictures in dB."""
    return 10 * np.log10(255**2 / np.mean((blurred(first) - blurred(second)) ** 2))


def answer(terminal):
    """Answers the question that ends all questions, as a terminal without pixels does."""
    asked = b""
    try:
        while True:
            asked += os.read(terminal, 4096)
            if b"\x1b[c" in asked:
                os.write(terminal, b"\x1b[?62;22c")
                asked = b""
    except OSError:
        pass  # The program has closed the terminal.


def run(command, colors):
    """Runs the command with a terminal that has so many colours; returns its output and the time in milliseconds."""
    name = "xterm-16color" if colors == "16" else "xterm-256color"
    environment = dict(os.environ, TERM=name, COLORTERM="truecolor" if colors == "full" else "")
    terminal, line = pty.openpty()

    def begin():
        os.setsid()
        fcntl.ioctl(line, termios.TIOCSCTTY, 0)

    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, preexec_fn=begin
    )
    os.close(line)
    threading.Thread(target=answer, args=[terminal], daemon=True).start()
    output = process.communicate()[0].decode()
    milliseconds = (time.perf_counter() - start) * 1000
    os.close(terminal)
    return output, milliseconds


def commands(alcedo, values):
    """Returns the programs' commands by name."""
    chafa = ["chafa", "-f", "symbols", "--stretch", "-c", values["colors"], "-s", "{columns}x{rows}".format(**values)]
    return {
        "alcedo": [word.format(**values) for word in alcedo.split()],
        "chafa": chafa + [values["file"]],
        "chafa block": chafa + ["--symbols", "block", values["file"]],
    }


def compare(picture, options, folder):
    """Prints the figures of a picture, a line for each number of colours; the programs take turns."""
    image = Image.open(picture).convert("RGB")
    rows = max(1, round(options.columns * image.height / image.width / 2))
    file = f"{folder}/{picture.stem}.png"
    image = image.resize((options.columns * 20, rows * 40), Image.Resampling.BOX)
    image.save(file)
    wanted = np.asarray(image.resize((options.columns * CELL[0], rows * CELL[1]), Image.Resampling.BOX), float)
    for colors in MODES:
        values = {"file": file, "columns": options.columns, "rows": rows, "colors": colors}
        programs = commands(options.alcedo, values)
        times = {name: [] for name in programs}
        for _ in range(options.runs):
            for name, command in programs.items():
                text, milliseconds = run(command, colors)
                times[name].append(milliseconds)
                if len(times[name]) == 1:
                    times[name, "dB"] = ratio(drawn(text, options.columns, rows), wanted)
        cells = "".join(f"{times[name, 'dB']:8.2f} dB{statistics.median(times[name]):5.0f} ms" for name in programs)
        gain = times["alcedo", "dB"] - times["chafa", "dB"]
        print(f"{picture.stem[:24]:25}{colors:>7}{cells}{gain:+13.2f} dB", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--alcedo",
        default=f"{ROOT}/.build/release/alcedo show --no-cache --format blocks --cells {{columns}}x{{rows}} {{file}}",
    )
    options = parser.parse_args()
    print(f"{'picture':25}{'colours':>7}{'alcedo':>19}{'chafa':>19}{'chafa block':>19}{'alcedo − chafa':>16}")
    with tempfile.TemporaryDirectory() as folder:
        for picture in PICTURES:
            compare(picture, options, folder)


if __name__ == "__main__":
    main()
