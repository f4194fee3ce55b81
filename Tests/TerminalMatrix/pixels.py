"""Analysis of a screenshot: boxes of colours, text, the line between list and preview."""

import numpy

import pictures

# Every picture, by the number of its colour in `Shot.codes`; 0 is no picture.
KNOWN = [None] + pictures.PICTURES + pictures.FRAMES


def _table():
    """For each colour of 5 bits a channel, the number of the picture that it belongs to."""
    levels = numpy.arange(32) * 8 + 4
    colors = numpy.stack(numpy.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)
    table = numpy.zeros(len(colors), numpy.uint8)
    for number, picture in enumerate(KNOWN):
        if picture:
            # Less than half of the least difference: edges between a colour and white come near other colours.
            table[numpy.abs(colors - picture.color).max(axis=1) <= 20] = number
    return table


_TABLE = _table()


class Box:
    """A rectangle of pixels; right and bottom are exclusive."""

    def __init__(self, left, top, right, bottom):
        self.left, self.top, self.right, self.bottom = int(left), int(top), int(right), int(bottom)

    @property
    def width(self):
        return self.right - self.left

    @property
    def height(self):
        return self.bottom - self.top

    @property
    def x(self):
        return (self.left + self.right) / 2

    @property
    def y(self):
        return (self.top + self.bottom) / 2

    def __str__(self):
        return f"{self.width}x{self.height} at {self.left},{self.top}"

    def near(self, other, distance):
        return all(abs(getattr(self, k) - getattr(other, k)) <= distance for k in ("left", "top", "right", "bottom"))


def runs(flags, gap=1):
    """Returns the ranges of true values; ranges with fewer than `gap` false values between them are joined."""
    places = numpy.flatnonzero(flags)
    if not len(places):
        return []
    breaks = numpy.flatnonzero(numpy.diff(places) > gap)
    starts, ends = numpy.r_[places[0], places[breaks + 1]], numpy.r_[places[breaks], places[-1]] + 1
    return list(zip(starts.tolist(), ends.tolist()))


class Shot:
    """The cells of a terminal at one moment."""

    def __init__(self, pixels, grid):
        self.pixels, self.grid = pixels, grid
        self.height, self.width = pixels.shape[:2]
        p = (pixels >> 3).astype(numpy.uint16)
        self.codes = _TABLE[p[:, :, 0] << 10 | p[:, :, 1] << 5 | p[:, :, 2]]
        # Blocks of 2 x 2 pixels of one colour, which letters rarely have.
        code = self.codes[1:, 1:]
        others = self.codes[:-1, :-1], self.codes[:-1, 1:], self.codes[1:, :-1]
        self.solid = numpy.where(numpy.logical_and.reduce([other == code for other in others]), code, 0)

    def boxes(self, least=40):
        """Returns the box of each picture's colour, by its number in KNOWN, without specks."""
        counts = numpy.bincount(self.solid.ravel(), minlength=len(KNOWN))
        return {n: box for n in range(1, len(KNOWN)) if counts[n] >= least and (box := self._box(n))}

    def _box(self, number):
        solid = self.solid == number
        xs = numpy.flatnonzero(solid.sum(axis=0) >= 3)
        ys = numpy.flatnonzero(solid.sum(axis=1) >= 3)
        if not len(xs) or not len(ys):
            return None
        return Box(xs[0], ys[0], xs[-1] + 2, ys[-1] + 2)

    def lit(self, level=60):
        """Returns which pixels are brighter than a level in any channel."""
        p = self.pixels
        return (p[:, :, 0] > level) | (p[:, :, 1] > level) | (p[:, :, 2] > level)

    def bright(self):
        """Returns which pixels look bright: letters, but not backgrounds, even pure blue ones."""
        return self.pixels @ numpy.array([0.25, 0.625, 0.125], numpy.float32) > 90

    @property
    def divider(self):
        """The x of the line between list and preview, or None."""
        # Every third row of pixels is enough.
        lit = self.lit(40)[self.height // 10 : self.height * 6 // 10 : 3].mean(axis=0)
        half = max(2, round(self.grid.cell[0] * 0.4))
        for x in range(self.width // 5, self.width * 4 // 5):
            if lit[x] > 0.7 and max(lit[x - half], lit[x + half]) < 0.3:
                return x
        return None

    def error(self, picture, box):
        """Returns the difference between the box and the picture, 0 to 255: the average, and the worst 8 x 8 pixels."""
        want = picture.pixels(box.width, box.height).astype(numpy.int16)
        wrong = numpy.abs(self.pixels[box.top : box.bottom, box.left : box.right] - want).mean(axis=2)
        rows, columns = box.height // 8, box.width // 8
        blocks = wrong[: rows * 8, : columns * 8].reshape(rows, 8, columns, 8).mean(axis=(1, 3))
        return float(wrong.mean()), float(blocks.max(initial=0))
