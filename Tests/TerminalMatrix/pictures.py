"""The test pictures: distinguishable colours, each with a white line near its edge."""

import functools
import itertools
import os

import numpy
from PIL import Image, ImageDraw

LEVELS = (0, 85, 170, 255)
NOISE = 6
WHITE = (255, 255, 255)


# Colours of the terminals themselves, for text, the selected row and the cursor.
OTHERS = [c for c in itertools.product((0, 255), repeat=3)] + [(0, 170, 170), (85, 170, 170), (255, 255, 170)]


def _colors():
    """Returns 42 colours that differ by at least 85 in a channel; none is grey or dark."""
    usable = [
        c for c in itertools.product(LEVELS, repeat=3)
        if max(c) >= 170 and sum(c) >= 255 and len(set(c)) > 1 and c not in OTHERS]
    usable.sort(key=lambda c: min(c) - max(c))
    colors = usable[:42]
    # A step that is coprime to their number puts different colours beside each other.
    return [colors[i * 17 % len(colors)] for i in range(len(colors))]


class Picture:
    """One picture: its number (its place in the list, from 1), colour and size."""

    def __init__(self, number, color, size=(480, 320)):
        self.number, self.color, self.size = number, color, size
        self.hue = "".join("05af"[LEVELS.index(level)] for level in color)

    def __str__(self):
        return f"picture {self.number} ({self.hue})"

    def image(self, scale=1):
        width, height = size = tuple(round(side * scale) for side in self.size)
        image = Image.new("RGB", size, self.color)
        inset, line = round(min(size) / 16), max(2, round(min(size) / 32))
        outline = (inset, inset, width - 1 - inset, height - 1 - inset)
        ImageDraw.Draw(image).rectangle(outline, outline=WHITE, width=line)
        return image

    def save(self, path, scale=1):
        """Writes the picture, enlarged by a factor, with a little noise that remains when it is scaled down.

        What is all flat packs into so few bytes that a terminal takes it at once; photos do not.
        """
        pixels = numpy.asarray(self.image(scale))
        block = max(1, pixels.shape[1] // 750)
        height, width = (side // block + 1 for side in pixels.shape[:2])
        noise = numpy.random.default_rng(self.number).integers(-NOISE, NOISE + 1, (height, width, 3), numpy.int16)
        noise = noise.repeat(block, axis=0).repeat(block, axis=1)[: pixels.shape[0], : pixels.shape[1]]
        Image.fromarray(numpy.clip(pixels + noise, 0, 255).astype(numpy.uint8)).save(path, compress_level=1)

    @functools.cache
    def pixels(self, width, height):
        """Returns the pixels that the picture should have at a size."""
        image = self.image(LARGE_SCALE if width > self.size[0] else 1)
        return numpy.asarray(image.resize((width, height), Image.BOX, reducing_gap=2))


_ALL = _colors()
# The first four fill the window of any terminal but xterm-large, in four shapes. No more pixels than that: CI decodes
# them with a debug build.
_SIZES = [(1200, 800), (1290, 430), (270, 810), (810, 810), (240, 240), (240, 96), (96, 240)]
PICTURES = [Picture(n + 1, _ALL[n], (_SIZES + [(240, 160)] * 40)[n]) for n in range(40)]
# The enlargement of the first four in the folder `large`.
LARGE_SCALE = 1.375
# Two frames, and the picture after them in the list. They are small, so that even a busy machine draws one before the
# next one.
FRAMES = [Picture(1, _ALL[40], (480, 360)), Picture(1, _ALL[41], (480, 360))]
AFTER_FRAMES = Picture(2, PICTURES[0].color, (480, 320))
FAST_COUNT = 120


def fast(number):
    """Returns the picture in a row of the long list: one of 36 colours, large enough to keep a terminal busy."""
    twin = PICTURES[4 + (number - 1) % 36]
    return Picture(number, twin.color, (twin.size[0] * 2, twin.size[1] * 2))


def write(folder):
    """Writes the pictures into four folders: `all`, `large`, `moving` and `fast`."""

    def path(name, picture, digits=2, kind="png"):
        return os.path.join(folder, name, f"{picture.number:0{digits}}-{picture.hue}.{kind}")

    for name in ("all", "large", "moving", "fast"):
        os.makedirs(os.path.join(folder, name))
    for picture in PICTURES:
        picture.save(path("all", picture))
        if picture.number <= 4:
            picture.save(path("large", picture), LARGE_SCALE)
        else:
            os.link(path("all", picture), path("large", picture))
    first, second = [frame.image().quantize(16) for frame in FRAMES]
    first.save(path("moving", FRAMES[0], kind="gif"), save_all=True, append_images=[second], duration=200, loop=0)
    AFTER_FRAMES.save(path("moving", AFTER_FRAMES))
    for number in range(1, FAST_COUNT + 1):
        picture = fast(number)
        if number <= 36:
            picture.save(path("fast", picture, 3))
        else:
            os.link(path("fast", fast((number - 1) % 36 + 1), 3), path("fast", picture, 3))
