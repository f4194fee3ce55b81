"""Colour, noise, shapes and ray-marched ground: the few tools every picture is painted with."""

import numpy as np


def grid(width, height):
    """Pixel centres: y runs 0 to 1 downwards, x from 0 to the aspect ratio."""
    y, x = np.mgrid[0:height, 0:width]
    return (x + 0.5) / height, (y + 0.5) / height


def colour(text):
    return np.array([int(text[i:i + 2], 16) for i in (0, 2, 4)]) / 255


def smooth(low, high, value):
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def mix(under, over, amount):
    amount = np.asarray(amount)
    if np.ndim(under) == 3 or np.ndim(over) == 3 or (np.ndim(over) == 1 and amount.ndim == 2):
        amount = amount[..., None]
    return under + (over - under) * amount


def ramp(value, *stops):
    """A gradient through evenly spaced hex colours, or through (place, colour) pairs."""
    if isinstance(stops[0], str):
        stops = [(i / (len(stops) - 1), stop) for i, stop in enumerate(stops)]
    places = [place for place, _ in stops]
    channels = np.array([colour(text) for _, text in stops]).T
    return np.stack([np.interp(value, places, channel) for channel in channels], -1)


def lattice(ix, iy, seed):
    """A repeatable random number from 0 to 1 for each whole-number place."""
    n = (ix.astype(np.int64) * 374761393 + iy.astype(np.int64) * 668265263 + seed * 974711) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    n = ((n ^ (n >> 15)) * 2246822519) & 0xFFFFFFFF
    return (n ^ (n >> 16)) / 4294967296


def noise(x, y, seed=0):
    """Gradient noise, about -1 to 1."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    ix, iy = np.floor(x), np.floor(y)
    fx, fy = x - ix, y - iy
    u, v = (f * f * f * (f * (f * 6 - 15) + 10) for f in (fx, fy))

    def corner(dx, dy):
        angle = lattice(ix + dx, iy + dy, seed) * 2 * np.pi
        return np.cos(angle) * (fx - dx) + np.sin(angle) * (fy - dy)

    top = corner(0, 0) * (1 - u) + corner(1, 0) * u
    bottom = corner(0, 1) * (1 - u) + corner(1, 1) * u
    return (top * (1 - v) + bottom * v) * 1.5


def fbm(x, y, seed=0, octaves=5, gain=0.5):
    total, size = 0, 1.0
    for octave in range(octaves):
        total = total + noise(x * 2**octave, y * 2**octave, seed + octave) * size
        size *= gain
    return total


def ridged(x, y, seed=0, octaves=5, gain=0.5):
    """Noise folded at zero: sharp crests, 0 to about 1.9."""
    total, size = 0, 1.0
    for octave in range(octaves):
        fold = 1 - np.abs(noise(x * 2**octave, y * 2**octave, seed + octave))
        total = total + fold * fold * size
        size *= gain
    return total


def cells(x, y, seed=0, jitter=1.0, shear=0.0):
    """Voronoi cells: distance to the nearest and second point, the cell's random number, the nearest point.

    A shear of a half moves each row by half a cell: near-regular hexagons."""
    iy = np.floor(y)
    ix = np.floor(x - shear * iy)
    first, second = np.full(x.shape, 9.0), np.full(x.shape, 9.0)
    tag, px, py = np.zeros(x.shape), np.zeros(x.shape), np.zeros(x.shape)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1) if shear == 0 else (-2, -1, 0, 1, 2):
            cx, cy = ix + dx, iy + dy
            qx = cx + shear * cy + 0.5 + jitter * (lattice(cx, cy, seed) - 0.5)
            qy = cy + 0.5 + jitter * (lattice(cx, cy, seed + 1) - 0.5)
            away = np.hypot(x - qx, y - qy)
            nearer = away < first
            second = np.where(nearer, first, np.minimum(second, away))
            first = np.where(nearer, away, first)
            tag = np.where(nearer, lattice(cx, cy, seed + 2), tag)
            px, py = np.where(nearer, qx, px), np.where(nearer, qy, py)
    return first, second, tag, px, py


def blur(image, radius, across=None):
    """Gaussian blur in pixels (downwards, and across when that differs), wrapping at the edges."""
    across = radius if across is None else across
    height, width = image.shape[:2]
    fy, fx = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None]
    kernel = np.exp(-2 * np.pi**2 * ((radius * fy) ** 2 + (across * fx) ** 2))
    planes = image.reshape(height, width, -1)
    done = [np.fft.irfft2(np.fft.rfft2(planes[..., i]) * kernel, (height, width)) for i in range(planes.shape[2])]
    return np.stack(done, -1).reshape(image.shape)


def stars(width, height, count, seed, size=0.9):
    """Points of light of many sizes, a few of them blue or amber, most faint."""
    random = np.random.default_rng(seed)
    sky = np.zeros((height, width, 3))
    tints = np.array([colour(text) for text in ("ffffff", "cfe0ff", "ffe2c4", "b9d2ff")])
    place = (random.integers(0, height, count), random.integers(0, width, count))
    light = random.pareto(1.6, count).clip(0.15, 14) * 2.2
    np.add.at(sky, place, tints[random.integers(0, 4, count)] * light[:, None])
    return blur(sky, size) + blur(sky.clip(6) - 6, size * 3) * 2


def curve(points, steps=24):
    """A smooth closed outline through the points (Catmull-Rom)."""
    p = np.array(points, float)
    a, b, c, d = np.roll(p, 1, 0), p, np.roll(p, -1, 0), np.roll(p, -2, 0)
    t = np.linspace(0, 1, steps, endpoint=False)[:, None, None]
    path = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
    return path.transpose(1, 0, 2).reshape(-1, 2)


def fill(outline, width, height, soft=0.0):
    """How much of each pixel lies inside the outline (x and y as `grid` has them): 0 to 1."""
    fine = 3
    rows = (np.arange(height * fine) + 0.5) / (height * fine)
    inside = np.zeros((height * fine, width * fine + 1))
    for (x0, y0), (x1, y1) in zip(outline, np.roll(outline, -1, 0)):
        low, high = sorted((y0, y1))
        hit = np.nonzero((rows >= low) & (rows < high))[0]
        if len(hit):
            x = x0 + (rows[hit] - y0) * (x1 - x0) / (y1 - y0)
            column = np.clip(np.ceil(x * height * fine - 0.5), 0, width * fine).astype(int)
            np.add.at(inside, (hit, column), 1 if y1 > y0 else -1)
    mask = (np.cumsum(inside, 1)[:, :-1] != 0).astype(float)
    mask = mask.reshape(height, fine, width, fine).mean((1, 3))
    return blur(mask, soft * height) if soft else mask


class Ground:
    """A height field seen from a camera: each pixel's place on the ground, and how it is lit."""

    def __init__(self, width, height, field, eye=1.0, horizon=0.4, near=0.6, far=40.0, lens=1.0, steps=900):
        x, y = grid(width, height)
        self.field, self.x = field, x[0] - width / height / 2
        self.deep = near * (far / near) ** np.linspace(0, 1, steps)
        heights = field(self.x[None] * self.deep[:, None] / lens, np.repeat(self.deep[:, None], width, 1))
        screen = horizon + (eye - heights) / self.deep[:, None] * lens
        top = np.minimum.accumulate(screen, 0)
        index = np.empty((height, width))
        for column in range(width):
            rising = -top[:, column] + np.arange(steps) * 1e-12
            index[:, column] = np.interp(-y[:, column], rising, np.arange(steps))
        self.sky = 1 - smooth(top[-1] - 0.7 / height, top[-1] + 0.7 / height, y)
        self.z = np.interp(index, np.arange(steps), self.deep)
        self.wx = self.x[None] * self.z / lens
        self.h = field(self.wx, self.z)

    def light(self, sun=(0.6, 0.5, 0.2), reach=4.0, steps=28, fine=0.004):
        """The cosine to the sun, the slope's steepness, and how free of shadow each place is."""
        sun = np.array(sun) / np.linalg.norm(sun)
        step = self.z * fine
        dx = (self.field(self.wx + step, self.z) - self.h) / step
        dz = (self.field(self.wx, self.z + step) - self.h) / step
        length = np.sqrt(dx * dx + dz * dz + 1)
        facing = (-dx * sun[0] + sun[1] - dz * sun[2]) / length
        free = np.ones_like(self.h)
        for t in (np.arange(1, steps + 1) / steps) ** 2 * reach:
            above = self.h + sun[1] * t - self.field(self.wx + sun[0] * t, self.z + sun[2] * t)
            free = np.minimum(free, smooth(-0.06 * t, 0.06 * t, above))
        return facing.clip(0), 1 - 1 / length, free
