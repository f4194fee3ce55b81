"""The test pictures: colours that can be told apart on a screen, each with a white line near its edge."""

import functools
import itertools
import os

import numpy
from PIL import Image, ImageDraw

LEVELS = (0, 85, 170, 255)
NOISE = 6
WHITE = (255, 255, 255)


# What terminals use themselves, for text, the chosen row and the cursor.
OTHERS = [c for c in itertools.product((0, 255), repeat=3)] + [(0, 170, 170), (85, 170, 170), (255, 255, 170)]


def _colors():
    """Lists 42 colours that differ by 85 in a channel at least; none is grey or dark."""
    usable = [
        c for c in itertools.product(LEVELS, repeat=3)
        if max(c) >= 170 and sum(c) >= 255 and len(set(c)) > 1 and c not in OTHERS]
    usable.sort(key=lambda c: min(c) - max(c))
    colors = usable[:42]
    # A step without a common factor with their number puts different colours beside each other.
    return [colors[i * 17 % len(colors)] for i in range(len(colors))]


class Picture:
    """One picture: its number (its place in the list, from 1), colour and size."""

    def __init__(self, number, color, size=(480, 320)):
        self.number, self.color, self.size = number, color, size
        self.hue = "".join("05af"[LEVELS.index(level)] for level in color)

    def __str__(self):
        return f"picture {self.number} ({self.hue})"

    def image(self):
        image = Image.new("RGB", self.size, self.color)
        inset, line = min(self.size) // 16, max(2, min(self.size) // 32)
        outline = (inset, inset, self.size[0] - 1 - inset, self.size[1] - 1 - inset)
        ImageDraw.Draw(image).rectangle(outline, outline=WHITE, width=line)
        return image

    def save(self, path):
        """Writes the picture with a little noise, which stays when it is shown smaller.

        What is all flat packs into so few bytes that a terminal takes it at once; photos do not.
        """
        block = max(1, max(self.size) // 750)
        width, height = (side // block + 1 for side in self.size)
        noise = numpy.random.default_rng(self.number).integers(-NOISE, NOISE + 1, (height, width, 3), numpy.int16)
        noise = noise.repeat(block, axis=0).repeat(block, axis=1)[: self.size[1], : self.size[0]]
        pixels = numpy.clip(numpy.asarray(self.image()) + noise, 0, 255).astype(numpy.uint8)
        Image.fromarray(pixels).save(path, compress_level=1)

    @functools.cache
    def pixels(self, width, height):
        """Returns the pixels that the picture should have at a size."""
        return numpy.asarray(self.image().resize((width, height), Image.BOX, reducing_gap=2))


_ALL = _colors()
# The first four are as large as any window, of four shapes; not larger, since a debug build decodes slowly.
_SIZES = [(1650, 1100), (1650, 550), (370, 1110), (1110, 1110), (480, 480), (600, 240), (240, 600)]
PICTURES = [Picture(n + 1, _ALL[n], (_SIZES + [(480, 320)] * 40)[n]) for n in range(40)]
# Two frames, and the picture that follows them in the list. They are small, so that a busy machine too has drawn one
# before the other comes.
FRAMES = [Picture(1, _ALL[40], (480, 360)), Picture(1, _ALL[41], (480, 360))]
AFTER_FRAMES = Picture(2, PICTURES[0].color, PICTURES[0].size)
FAST_COUNT = 120


def fast(number):
    """Returns the picture in a row of the long list."""
    twin = PICTURES[4 + (number - 1) % 36]
    return Picture(number, twin.color, twin.size)


def write(folder):
    """Writes the pictures into three folders: `all`, `moving` and `fast`."""
    for name in ("all", "moving", "fast"):
        os.makedirs(os.path.join(folder, name))
    paths = {}
    for picture in PICTURES:
        path = paths[picture.hue] = os.path.join(folder, "all", f"{picture.number:02}-{picture.hue}.png")
        picture.save(path)
    first, second = [frame.image().quantize(16) for frame in FRAMES]
    moving = os.path.join(folder, "moving", "01-moving.gif")
    first.save(moving, save_all=True, append_images=[second], duration=200, loop=0)
    os.link(paths[AFTER_FRAMES.hue], os.path.join(folder, "moving", f"02-{AFTER_FRAMES.hue}.png"))
    for number in range(1, FAST_COUNT + 1):
        hue = fast(number).hue
        os.link(paths[hue], os.path.join(folder, "fast", f"{number:03}-{hue}.png"))
