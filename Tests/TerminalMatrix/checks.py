"""Checks of screenshots, and the scenarios that play keys before them.

A check raises Wrong with a sentence about the fault. `Play.expect` repeats a check until it passes twice in a row.
"""

import time

import numpy

import pictures
from pictures import AFTER_FRAMES, FAST_COUNT, FRAMES, PICTURES
from pixels import KNOWN, Box, Shot, runs

LARGE, WIDE, TALL, SQUARE = PICTURES[:4]
FIRST = pictures.fast(1)
# Allowed differences to the expected pixels, on average and in a small part; sixel may have only 16 colours.
ERROR, SMALL_ERROR, PART_ERROR = 6, 10, 24


class Wrong(Exception):
    """The screen does not show what it must show."""


class Stopped(Exception):
    """The run was interrupted."""


def number(picture):
    """Returns the number of a picture's colour in KNOWN."""
    return next(n for n, known in enumerate(KNOWN) if known and known.color == picture.color)


# One picture alone.


def alone(shot, picture):
    """Returns the box of a picture; raises Wrong if pixels of other pictures are on the screen."""
    boxes = shot.boxes()
    box = boxes.pop(number(picture), None)
    if box is None:
        there = ", ".join(f"{KNOWN[n].hue} at {b.left},{b.top}" for n, b in boxes.items())
        raise Wrong(f"{picture} is not on the screen" + (f"; there is {there}" if there else ""))
    for other, place in boxes.items():
        raise Wrong(f"pixels of {KNOWN[other]}, {place}, are left beside {picture}")
    return box


def inside(shot, picture, left, top, right, bottom, fills, slack=1):
    """Checks that a picture is alone in the middle of an area, has the right pixels and, if `fills`, fills the area."""
    width, height = shot.grid.cell
    box = alone(shot, picture)
    if box.left < left - 1 or box.right > right + 1 or box.top < top - 1 or box.bottom > bottom + 1:
        raise Wrong(f"{picture}, {box}, is beyond its area, {Box(left, top, right, bottom)}")
    x, y = box.x - (left + right) / 2, box.y - (top + bottom) / 2
    if abs(x) > width * slack:
        raise Wrong(f"{picture}, {box}, is {abs(x):.0f} px {'right' if x > 0 else 'left'} of the middle")
    if abs(y) > height * slack:
        raise Wrong(f"{picture}, {box}, is {abs(y):.0f} px {'below' if y > 0 else 'above'} the middle")
    shape = picture.size[0] / picture.size[1]
    if abs(box.width / shape - box.height) > max(2, 0.02 * box.height):
        raise Wrong(f"{picture}, {box}, has not its shape of {picture.size[0]}x{picture.size[1]}")
    if fills and right - left - box.width > 4 * width and bottom - top - box.height > 4 * height:
        raise Wrong(f"{picture}, {box}, does not fill its area, {Box(left, top, right, bottom)}")
    check_pixels(shot, picture, box, str(picture), ERROR)
    return box


def check_pixels(shot, picture, box, name, limit):
    error, part = shot.error(picture, box)
    if error > limit or part > PART_ERROR:
        raise Wrong(f"{name}, {box}, has wrong pixels: {error:.0f} of 255 on average, {part:.0f} in a part")


def pane(shot):
    """Returns the left edge of the preview pane, and for each of its rows of pixels whether it shows anything."""
    divider = shot.divider
    if divider is None:
        raise Wrong("there is no line between list and preview")
    left = (int(divider / shot.grid.cell[0]) + 1) * shot.grid.cell[0]
    return left, shot.lit()[:, left:].any(axis=1)


def preview(picture, fills=True):
    """Returns a check that the preview pane shows the picture between the text above and below."""

    def check(shot):
        left, lit = pane(shot)
        box = alone(shot, picture)
        above, below = numpy.flatnonzero(lit[: max(0, box.top - 2)]), numpy.flatnonzero(lit[box.bottom + 2 :])
        if not len(below):
            raise Wrong(f"there is no text below {picture}")
        # Whole rows of cells, because a rule is drawn in the middle of its row.
        height = shot.grid.cell[1]
        top = (above[-1] // height + 1) * height if len(above) else 0
        bottom = (box.bottom + 2 + below[0]) // height * height
        return inside(shot, picture, left, top, shot.width, bottom, fills)

    return check


def full(picture, fills=True):
    """Returns a check that the picture has the whole window except the last row."""

    def check(shot):
        inside(shot, picture, 0, 0, shot.width, shot.height - shot.grid.cell[1], fills)

    return check


# The grid.


def grid(count):
    """Returns a check that the first of `count` thumbnails are in rows and columns above their captions."""

    def check(shot):
        height = shot.grid.cell[1]
        boxes = {KNOWN[n].number: box for n, box in shot.boxes().items()}
        if len(boxes) < 2:
            raise Wrong(f"there are {len(boxes)} thumbnails")
        rows = _rows(boxes)
        captions = [_captions(shot, [boxes[n] for n in row]) for row in rows]
        columns, pitch = len(captions[0]), _pitch(captions[0])
        if columns < 2 or not pitch * columns <= shot.width + 1 < pitch * (columns + 1):
            raise Wrong(f"the first row has {columns} captions {pitch:.0f} px apart in a window of {shot.width} px")
        expected = min(count, len(rows) * columns)
        absent = [_name(n) for n in range(1, expected + 1) if n not in boxes]
        if absent:
            raise Wrong(f"of {expected} thumbnails {len(absent)} are missing: {', '.join(absent)}")
        if len(boxes) > expected:
            raise Wrong(f"there are {len(boxes)} thumbnails for {expected} places")
        tops = [numpy.median([boxes[n].y for n in row]) for row in rows]
        _check_places(shot, boxes, columns, (pitch, float(numpy.median(numpy.diff(tops)))), tops[0])
        for row, pieces in zip(rows, captions):
            _check_captions(shot, {n: boxes[n] for n in row}, pieces, captions[0][0] - boxes[1].x, pitch)
        free = shot.height - 3 * height - tops[-1] - (tops[1] - tops[0]) / 2
        if expected < count and free > tops[1] - tops[0]:
            raise Wrong(f"there is room for another row: {free:.0f} px")

    return check


def _name(n):
    return f"{n} ({PICTURES[n - 1].hue})"


def _rows(boxes):
    """Returns the numbers of the thumbnails of each row, from the top."""
    rows = []
    for n in sorted(boxes, key=lambda n: boxes[n].y):
        if rows and boxes[n].y < max(boxes[m].bottom for m in rows[-1]):
            rows[-1].append(n)
        else:
            rows.append([n])
    if len(rows) < 2:
        raise Wrong("there is one row of thumbnails only")
    return [sorted(row) for row in rows]


def _captions(shot, row):
    """Returns the right ends of the captions in the first line of text below a row of thumbnails.

    All captions have the same length; at their left end there may be a corner of the selection's frame.
    """
    width, height = shot.grid.cell
    bottom = max(box.bottom for box in row) + 1
    text = shot.bright()[bottom : bottom + 8 * height]
    lines = [line for line in runs(text.any(axis=1)) if line[1] - line[0] > height // 4]
    if not lines:
        raise Wrong(f"there is no text below the thumbnails at {bottom}")
    pieces = runs(text[slice(*lines[0])].any(axis=0), gap=round(2.5 * width))
    return [right for left, right in pieces if right - left > 5 * width]


def _pitch(ends):
    return float(numpy.median(numpy.diff(ends))) if len(ends) > 1 else 0.0


def _check_places(shot, boxes, columns, pitch, top):
    """Checks that the thumbnails have their shapes and pixels, in reading order, centred in equal cells."""
    width, height = shot.grid.cell
    left = (shot.width - columns * pitch[0]) / 2
    widest, highest = max(box.width for box in boxes.values()), max(box.height for box in boxes.values())
    if widest < 0.75 * pitch[0] or highest < 0.6 * pitch[1]:
        raise Wrong(f"the thumbnails, {widest}x{highest} at most, are small in cells of {pitch[0]:.0f}x{pitch[1]:.0f}")
    for n, box in boxes.items():
        picture = PICTURES[n - 1]
        row, column = divmod(n - 1, columns)
        x, y = box.x - (left + (column + 0.5) * pitch[0]), box.y - (top + row * pitch[1])
        if abs(x) > 1.5 * width:
            raise Wrong(f"thumbnail {_name(n)} is {abs(x):.0f} px {'right' if x > 0 else 'left'} of its place")
        if abs(y) > 1.5 * height:
            raise Wrong(f"thumbnail {_name(n)} is {abs(y):.0f} px {'below' if y > 0 else 'above'} its place")
        if abs(box.width * picture.size[1] / picture.size[0] - box.height) > max(3, 0.03 * box.height):
            raise Wrong(f"thumbnail {_name(n)}, {box}, has not its shape")
        if box.width < widest - 2 * width and box.height < highest - height:
            raise Wrong(f"thumbnail {_name(n)}, {box}, is smaller than its cell")
        check_pixels(shot, picture, box, f"thumbnail {_name(n)}", SMALL_ERROR)


def _check_captions(shot, row, ends, usual, pitch):
    """Checks that each thumbnail of a row has one caption below it, all at the same offset."""
    for n, box in row.items():
        own = [end for end in ends if abs(end - box.x) < pitch / 2]
        if len(own) != 1:
            raise Wrong(f"thumbnail {_name(n)} has {len(own)} captions below it")
        if abs(own[0] - box.x - usual) > 2.5 * shot.grid.cell[0]:
            raise Wrong(f"the caption of thumbnail {_name(n)} is {abs(own[0] - box.x - usual):.0f} px beside it")
    if len(ends) != len(row):
        raise Wrong(f"there are {len(ends)} captions below the {len(row)} thumbnails from {_name(min(row))} on")


# Screens without pictures.


def nothing(shot):
    """Checks that no pixel of a picture is left."""
    for n, box in shot.boxes(least=12).items():
        raise Wrong(f"pixels of {KNOWN[n]}, {box}, are left")


def help_text(shot):
    nothing(shot)
    left, _ = pane(shot)
    rows = runs(shot.lit(100)[:, left:].any(axis=1))
    if len(rows) < 8:
        raise Wrong(f"the pane has {len(rows)} lines of help")


def prompt(shot):
    """Checks that only the lines before and after the program are on the screen."""
    nothing(shot)
    rows = runs(shot.lit(100).any(axis=1))
    height = shot.grid.cell[1]
    if not rows:
        raise Wrong("there is no text after the program")
    if rows[-1][1] > 3.5 * height:
        raise Wrong(f"there is something at row {rows[-1][1] / height:.1f}")
    second = shot.lit(100)[round(height) : round(2 * height)].any(axis=0)
    width = shot.grid.cell[0]
    if not 8 * width < sum(b - a for a, b in runs(second, gap=width)) < 13 * width:
        raise Wrong("the line after the program is not there")


# Scenarios.


class Play:
    """One scenario in one terminal: presses keys and checks screenshots."""

    def __init__(self, driver, deadline, save, stopped):
        self.driver, self.deadline, self.save, self.stopped = driver, deadline, save, stopped
        self.last = None

    def keys(self, *names, delay=0.0):
        self.driver.keys(names, delay)

    def look(self):
        if self.stopped.is_set():
            raise Stopped
        if not self.driver.alive:
            raise Wrong(self.driver.ending)
        self.last = Shot(self.driver.shot(), self.driver.grid)
        return self.last

    def expect(self, check, step=None):
        """Repeats a check until it passes twice in a row."""
        end = time.monotonic() + self.deadline
        passes = 0
        while True:
            try:
                if self.driver.status is not None and check is not prompt:
                    raise Wrong(f"the program has ended with status {self.driver.status}")
                check(self.look())
                passes += 1
                if passes == 2:
                    self.save(self.last, step)
                    return
                time.sleep(0.25)
            except Wrong as wrong:
                passes = 0
                if time.monotonic() > end:
                    raise Wrong(f"{step}: {wrong}" if step else str(wrong)) from None
                time.sleep(0.05)


def play_preview(play):
    for picture, step in ((LARGE, "large"), (WIDE, "wide"), (TALL, "tall"), (SQUARE, "square")):
        play.expect(preview(picture), step)
        play.keys("j")


def play_grid(play):
    play.expect(preview(LARGE), "preview")
    play.keys("t")
    play.expect(grid(len(PICTURES)), "grid")


def play_full(play):
    play.expect(preview(LARGE), "preview")
    play.keys("Return")
    for picture, step in ((LARGE, "large"), (WIDE, "wide"), (TALL, "tall")):
        play.expect(full(picture), step)
        play.keys("j")


def play_animation(play):
    """Waits for one of the frames, then for the other within 3 s, at the same place."""
    seen = {}
    end = time.monotonic() + play.deadline
    while len(seen) < 2:
        shot = play.look()
        for frame in FRAMES:
            try:
                box = preview(frame, fills=False)(shot)
                if not seen:
                    end = time.monotonic() + 3
                seen[frame] = box
                play.save(shot, f"frame {FRAMES.index(frame) + 1}")
            except Wrong as wrong:
                reason = wrong
        if time.monotonic() > end:
            raise Wrong(f"{len(seen)} of 2 frames were seen; {reason}")
    first, second = seen.values()
    if not first.near(second, 2):
        raise Wrong(f"the frames stand at different places: {first} and {second}")
    play.keys("j")
    play.expect(preview(AFTER_FRAMES, fills=False), "after")


def play_fast(play):
    """Presses j 30 times a second for 3 s, then checks that the picture of the row is shown and no other is left."""
    play.expect(preview(FIRST, fills=False), "start")
    play.keys(*["j"] * 90, delay=1 / 30)
    play.expect(preview(pictures.fast(91), fills=False), "after 90 j")
    for burst in range(1, 6):
        play.keys(*["k"] * 9, delay=1 / 30)
        play.expect(preview(pictures.fast(91 - 9 * burst), fills=False), f"after burst {burst} of k")
    play.keys("G")
    play.expect(preview(pictures.fast(FAST_COUNT), fills=False), "end")
    play.keys("Home")
    play.expect(preview(FIRST, fills=False), "home")


def play_modes(play):
    play.expect(preview(LARGE), "preview")
    for key, check, step in (
        ("Return", full(LARGE), "full"), ("Return", preview(LARGE), "back"), ("t", grid(len(PICTURES)), "grid"),
        ("t", preview(LARGE), "back again")):
        play.keys(key)
        play.expect(check, step)
    play.keys("Return", "Return", "t", "t", delay=0.1)
    play.expect(preview(LARGE), "quickly")


def play_resize(play):
    play.expect(preview(LARGE), "before")
    for change, step in ((play.driver.bigger, "larger"), (play.driver.smaller, "smaller")):
        play.driver.resize(*change)
        play.expect(preview(LARGE), step)


def play_help(play):
    play.expect(preview(FIRST, fills=False), "before")
    play.keys("question")
    play.expect(help_text, "help")
    play.keys("Escape")
    play.expect(preview(FIRST, fills=False), "after")


def play_quit(play):
    play.expect(preview(FIRST, fills=False), "before")
    play.keys("q")
    play.expect(prompt, "after")
    if play.driver.status != 0:
        raise Wrong(f"the program ended with status {play.driver.status}")


# Name, folder of pictures and function of each scenario.
SCENARIOS = [
    ("preview", "all", play_preview),
    ("grid", "all", play_grid),
    ("full", "all", play_full),
    ("animation", "moving", play_animation),
    ("fast", "fast", play_fast),
    ("modes", "all", play_modes),
    ("resize", "all", play_resize),
    ("help", "fast", play_help),
    ("quit", "fast", play_quit),
]
