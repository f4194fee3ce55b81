"""Pictures of pattern: basalt, glass, feathers, fractals, opal, coral, a kingfisher."""

import numpy as np

from .canvas import *


def basalt_columns(width=960, height=680):
    x, y = grid(width, height)
    u, v = x * 7.4, (y * 0.62 + 0.2) * 13.5
    first, second, tag, px, py = cells(u, v, 12, 0.5, 0.5)
    edge = second - first
    level = tag * 0.65 + 0.35 * (0.5 + noise(px * 0.3, py * 0.3, 5))
    face = (x * 7.4 - px) * 0.12 - (v - py) * 0.16
    tint = ramp((level * 0.85 + face + 0.05 * fbm(x * 14, y * 14, 3, 4)).clip(0, 1), "12161c", "2b333c", "55606a", "8f9696", "c9c4b4")
    moss = smooth(0.1, 0.7, fbm(px * 0.35, py * 0.35, 9, 3) + 0.4 * fbm(x * 9, y * 9, 4, 4))
    tint = mix(tint, tint * np.array([0.75, 1.1, 0.4]) + colour("2a3a08") * 0.5, moss * 0.8)
    pool = smooth(0.24, 0.17, level)
    tint = mix(tint, ramp(0.5 + 2 * face, "0e3a4c", "2f8aa0", "9fe0e0"), pool)
    return tint * (0.16 + 0.84 * smooth(0.015, 0.085, edge))[..., None] + (smooth(0.12, 0.07, edge) * smooth(0.05, 0.08, edge) * 0.13)[..., None]


def stained_glass(width=900, height=900):
    x, y = grid(width, height)
    dx, dy = x - 0.5, y - 0.5
    r, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
    ring = np.floor(r * 11)
    count = np.array([1, 8, 8, 16, 16, 24, 24, 32, 32])[ring.clip(0, 8).astype(int)]
    turn = (angle / (2 * np.pi) + 0.5 * (ring % 2) / count) * count
    slot, across, down = np.floor(turn) % count, turn - np.floor(turn), r * 11 - ring
    lead = np.minimum(np.minimum(across, 1 - across) * 2 * np.pi * r / count, np.minimum(down, 1 - down) / 11)
    petal = np.abs(across - 0.5) * 2 - np.sqrt((1 - (2 * down - 1) ** 2).clip(0)) * 0.82
    inner = smooth(0.0, -0.01, petal) * (ring % 2 == 1)
    lead = np.where(ring % 2 == 1, np.minimum(lead, np.abs(petal) * np.pi * r / count * 0.9), lead)
    lead = np.where(ring == 0, 1 / 11 - r, lead)
    whim = lattice(slot, ring, 4)
    outer = ramp((ring * 0.137 + 0.25 * whim + 0.1) % 1, "123a8c", "1f7fc4", "0f9a8c", "5a2a9c", "c8285a", "f07a2a", "123a8c")
    light = ramp((ring * 0.23 + 0.18 * whim) % 1, "ffcf3f", "ff8a3c", "e83a6a", "4fd0e0", "ffe98a", "ffcf3f")
    first, second, tag, *_ = cells(x * 13, y * 13, 3)
    corner = ramp(tag, "0c2a5c", "15488a", "2a70b0", "0f5c6c")
    glass = mix(mix(outer, light, inner), corner, r > 0.4909)
    lead = np.where(r > 0.4909, np.minimum((second - first) / 26, r - 0.4909), lead)
    glow = 0.78 + 0.3 * np.exp(-r * 3) + 0.12 * fbm(x * 7, y * 7, 8, 3)
    glass = glass * glow[..., None]
    return mix(colour("0a0a10") + 0 * glass, glass, smooth(0.0022, 0.0042, lead))


def plumage(width=1200, height=800):
    x, y = grid(width, height)
    scene, done = np.zeros((height, width, 3)), np.zeros((height, width), bool)
    size = 0.115
    for row in range(23, -2, -1):
        foot = 1.16 - row * size * 0.46
        column = np.floor(x / size + 0.5 * (row % 2))
        u = x / size + 0.5 * (row % 2) - column - 0.5 + 0.06 * noise(column * 3.1, 0 * x + row, 5)
        v = (foot - y) / size
        inside = (u / 0.56) ** 2 + ((v - 0.95).clip(-9, 0) / 0.95) ** 2 < 1
        new = inside & (v > 0) & (v < 2.4) & ~done
        place = (x - 0.35 * (1 - foot) + 0.1 * noise(column * 0.5, 0 * x + row * 0.5, 2)) / 1.5
        base = ramp(place + 0.07 * (lattice(column, 0 * column + row, 3) - 0.5),
                    (0.02, "c2451c"), (0.2, "f08a32"), (0.3, "fff0d6"), (0.38, "7fe6ea"), (0.52, "16b2dc"), (0.74, "1468c8"), (1, "2a2a8c"))
        barb = 0.5 + 0.5 * np.sin((v * 1.15 - np.abs(u) * 1.5) * 62 + 3 * noise(column, 0 * x + row, 4))
        rim = smooth(0.5, 1.0, np.sqrt((u / 0.56) ** 2 + ((v - 0.95).clip(-9, 0) / 0.95) ** 2))
        sheen = np.exp(-(((u + 0.14) / 0.16) ** 2)) * smooth(0.2, 1.0, v)
        feather = base * (0.62 + 0.2 * barb + 0.32 * rim)[..., None] + (sheen * 0.16)[..., None]
        feather = feather * (1 - 0.62 * smooth(0.2, 0.85, v))[..., None]
        shaft = np.exp(-(u / 0.018) ** 2) * smooth(0.1, 0.3, v)
        feather = mix(feather, feather * 0.45 + 0.1, shaft)
        scene = np.where(new[..., None], feather, scene)
        done |= new
    return scene


def julia_shell(width=1400, height=950):
    x, y = grid(width, height)
    z = ((x - width / height / 2) * 2.15 + 1j * (y - 0.5) * 2.15) * np.exp(0.5j)
    c, escape, trap = -0.7885 + 0.145j, np.full(x.shape, 300.0), np.full(x.shape, 9.0)
    alive = np.ones(x.shape, bool)
    for step in range(300):
        z = np.where(alive, z * z + c, z)
        size = np.abs(z)
        trap = np.where(alive, np.minimum(trap, np.abs(size - 0.42)), trap)
        gone = alive & (size > 40)
        escape[gone] = step + 1 - np.log2(np.log(size[gone]) / np.log(40))
        alive &= ~gone
    t = np.log(escape.clip(1)) / np.log(300)
    scene = ramp((t * 1.35 - 0.28).clip(0, 1), "061226", "0c3a5c", "1f8a94", "f2e0b0", "f0914c", "8c2a4c", "1c0c2c")
    return scene + (np.exp(-trap * 26) * 0.4)[..., None] * colour("ffe6b8")


def seahorse_valley(width=1500, height=950):
    x, y = grid(width, height)
    c = -0.7436447860 + 0.1318252536j + ((x - width / height / 2) + 1j * (y - 0.5)) * 0.0052
    z, slope = np.zeros_like(c), np.zeros_like(c)
    escape, shade = np.full(x.shape, -1.0), np.zeros(x.shape)
    alive = np.ones(x.shape, bool)
    for step in range(700):
        zz, ss, cc = z[alive], slope[alive], c[alive]
        ss, zz = 2 * zz * ss + 1, zz * zz + cc
        z[alive], slope[alive] = zz, ss
        gone = np.abs(zz) > 100
        if gone.any():
            where = np.flatnonzero(alive)[gone]
            escape.flat[where] = step + 1 - np.log2(np.log(np.abs(zz[gone])) / np.log(100))
            normal = zz[gone] / ss[gone]
            shade.flat[where] = (normal / np.abs(normal) * np.exp(-0.8j)).real
            alive.flat[where] = False
    cycle = (np.log(escape.clip(1)) * 1.55) % 1
    scene = ramp(cycle, "0b1440", "1c5a9c", "6fd0d8", "fff4d0", "ffb03c", "a83a2c", "3a1048", "0b1440")
    scene = scene * (0.72 + 0.34 * shade)[..., None]
    return np.where((escape < 0)[..., None], colour("05060f"), scene)


def opal(width=1300, height=950):
    x, y = grid(width, height)
    ax, ay = fbm(x * 1.1, y * 1.1, 1, 3, 0.4), fbm(x * 1.1 + 4, y * 1.1, 2, 3, 0.4)
    bx, by = fbm(x + 1.1 * ax, y + 1.1 * ay, 5, 3, 0.4), fbm(x + 1.1 * ay + 7, y + 1.1 * ax, 6, 3, 0.4)
    film = fbm(x * 0.9 + 1.2 * bx, y * 0.9 + 1.2 * by, 9, 3, 0.4)
    hue = film * 1.5 + bx * 0.9 + 0.15
    wave = np.stack([0.5 + 0.5 * np.cos(2 * np.pi * (hue + shift)) for shift in (0.02, 0.36, 0.62)], -1)
    milk = smooth(-0.5, 1.0, ay + 0.5 * by)
    scene = wave * 0.62 + 0.3
    scene = mix(scene, colour("f6f0ff") + 0 * scene, milk * 0.55)
    dy, dx = np.gradient(film + 0.4 * bx)
    shine = (-dx - dy) * height * 0.035
    return (scene * (0.92 + shine.clip(-0.4, 0.5))[..., None]) + (smooth(0.28, 0.7, shine) * 0.3)[..., None]


def ripples(width=700, height=500):
    x, y = grid(width, height)
    wave = np.zeros_like(x)
    for cx, cy, rate, size in ((0.38, 0.36, 92, 1.0), (1.02, 0.6, 78, 0.9), (0.75, 1.1, 120, 0.45)):
        r = np.hypot(x - cx, y - cy)
        wave = wave + size * np.sin(r * rate) * np.exp(-r * 2.1)
    dy, dx = np.gradient(wave)
    light = 0.5 + (dx * 0.7 + dy) * 2.6
    bed = ramp(y * 0.75 + 0.15 * wave, "ffd9a0", "f08a6c", "8a4a8c", "23306e", "0c1a44")
    scene = mix(bed, colour("fff6e0") + 0 * bed, smooth(0.72, 1.1, light)) * (0.72 + 0.4 * light.clip(0, 1))[..., None]
    return np.rint(scene * 63) / 63


def coral(width=1200, height=900):
    small = (height // 3, width // 3)
    rng = np.random.default_rng(2)
    a, b = np.ones(small), np.zeros(small)
    for _ in range(70):
        row, column = rng.integers(0, small[0] - 8), rng.integers(0, small[1] - 8)
        b[row:row + 8, column:column + 8] = 0.5
    sx, sy = np.meshgrid(np.arange(small[1]) / small[0], np.arange(small[0]) / small[0])
    feed = 0.034 + 0.02 * smooth(-0.7, 0.7, noise(sx * 1.6, sy * 1.6, 4))
    kill = feed * 0.18 + 0.0545
    around = lambda f: 0.2 * sum(np.roll(f, 1 if s else -1, d) for s in (0, 1) for d in (0, 1)) + 0.05 * sum(
        np.roll(np.roll(f, s, 0), t, 1) for s in (-1, 1) for t in (-1, 1)) - f
    for _ in range(5200):
        react = a * b * b
        a, b = a + 1.0 * around(a) - react + feed * (1 - a), b + 0.5 * around(b) + react - (kill + feed) * b
    x, y = grid(width, height)
    rise = np.repeat(np.repeat(b, 3, 0), 3, 1)
    rise = blur(rise, 2.6)
    dy, dx = np.gradient(rise)
    light = (0.5 - (dx * 0.8 + dy) * 16).clip(0, 1.2)
    tone = smooth(0.06, 0.34, rise)
    hue = 0.5 + 0.5 * noise(x * 1.4, y * 1.4, 12)
    body = mix(ramp(tone, "0a2a44", "0f5a70", "f07a6a", "ffd0a8"), ramp(tone, "0a2040", "1a3f7c", "e0508c", "ffc0e0"), hue)
    gloss = smooth(0.82, 1.1, light) * tone
    return body * (0.5 + 0.62 * light)[..., None] + (gloss * 0.35)[..., None]


def bubbles(width=760, height=760):
    x, y = grid(width, height)
    rng = np.random.default_rng(17)
    scene, alpha = np.zeros((height, width, 3)), np.zeros((height, width))
    taken = []
    while len(taken) < 17:
        size = rng.choice([0.17, 0.12, 0.085, 0.055, 0.035]) if taken else 0.21
        cx, cy = rng.uniform(size + 0.01, 0.99 - size, 2)
        if all(np.hypot(cx - px, cy - py) > size + ps + 0.006 for px, py, ps in taken):
            taken.append((cx, cy, size))
    for cx, cy, size in taken:
        u, v = (x - cx) / size, (y - cy) / size
        r = np.hypot(u, v)
        inside = smooth(1.0, 1.0 - 0.006 / size, r)
        film = 1.5 * r**3 + 0.5 * noise(u * 1.4 + cx * 9, v * 1.4, 3) + 0.35 * v
        tint = np.stack([0.55 + 0.45 * np.cos(2 * np.pi * (film + shift)) for shift in (0, 0.33, 0.62)], -1)
        solid = (0.1 + 0.85 * r.clip(0, 1) ** 5)
        glare = np.exp(-(((u + 0.42) * 0.8 + (v + 0.48) * 0.6) ** 2 / 0.03 + ((v + 0.48) * 0.8 - (u + 0.42) * 0.6) ** 2 / 0.006))
        back = np.exp(-(((u - 0.5) ** 2 + (v - 0.5) ** 2) / 0.012)) * 0.6
        white = (glare + back).clip(0, 1)
        here = inside > 0
        scene = np.where(here[..., None], mix(tint, colour("ffffff") + 0 * tint, white), scene)
        alpha = np.where(here, inside * np.maximum(solid, white), alpha)
    return np.rint(np.dstack([scene, alpha]) * 63) / 63


def rounded(mask, reach):
    """Light on a shape as if it bulged towards us, from above and the left: about -1 to 1."""
    dy, dx = np.gradient(blur(mask, reach))
    return (dx * 0.55 + dy) * reach * 1.6


def kingfisher(width=1400, height=1050):
    x, y = grid(width, height)
    rng = np.random.default_rng(3)
    scene = ramp(y + 0.2 * x + 0.25 * fbm(x * 1.2, y * 1.2, 5, 3), "0c4a44", "1f7a5c", "7fae5c", "2f7a6a", "0a3440")
    for _ in range(60):
        cx, cy, size = rng.uniform(0, 1.33), rng.uniform(0, 1), rng.uniform(0.02, 0.085)
        tint = colour(("d8f0a0", "8fe0c0", "fff0b8", "4fb8a0")[rng.integers(0, 4)])
        disc = smooth(size, size * 0.86, np.hypot(x - cx, y - cy)) * rng.uniform(0.04, 0.2)
        scene = mix(scene, tint, disc)
    scene = blur(scene, 5)
    down = 0.842 - 0.07 * (x - 0.6) + 0.02 * np.sin(x * 5) + 0.008 * fbm(x * 7, 0 * x, 3, 4)
    thick = 0.03 + 0.012 * (x - 0.5) + 0.003 * noise(x * 22, 0 * x, 9)
    wood = (y - down) / thick
    bark = ramp(0.55 - 0.42 * wood + 0.22 * fbm(x * 12, y * 60, 6, 5), "1c120e", "4c3426", "8a6a4a", "cdb088")
    branch = smooth(1.02, 0.98, np.abs(wood))

    def shape(points):
        return fill(curve(points), width, height)

    def barbs(angle, fine, seed):
        u, v = x * np.cos(angle) + y * np.sin(angle), -x * np.sin(angle) + y * np.cos(angle)
        return fbm(u * 9, v * fine, seed, 4)

    def lay(mask, tint, reach=22, fluff=0.0):
        nonlocal scene
        shade = 1 + rounded(mask, reach)
        scene = mix(scene, tint * np.clip(shade + fluff, 0.35, 1.5)[..., None], mask)

    plain = lambda text: colour(text) + np.zeros((height, width, 3))
    lay(shape([(0.79, 0.69), (0.87, 0.72), (0.955, 0.90), (0.958, 0.955), (0.915, 0.945), (0.80, 0.79)]), ramp(y, (0.68, "1a6fc0"), (0.95, "0c2a66")), 14, 0.3 * barbs(1.05, 70, 3))
    scene = mix(scene, bark, branch)
    belly = shape([(0.56, 0.34), (0.512, 0.45), (0.497, 0.56), (0.522, 0.68), (0.59, 0.775), (0.69, 0.815), (0.79, 0.79), (0.83, 0.66), (0.79, 0.48), (0.71, 0.36)])
    lay(belly, ramp(y + 0.3 * x, (0.55, "ffb45c"), (0.75, "f5822c"), (0.95, "d9581c"), (1.05, "b8441a")), 46, 0.2 * barbs(1.2, 55, 5))
    lay(shape([(0.68, 0.33), (0.76, 0.40), (0.835, 0.55), (0.885, 0.73), (0.865, 0.80), (0.80, 0.70), (0.72, 0.52)]), ramp(y, (0.33, "2fd0ee"), (0.55, "6ff0ff"), (0.8, "1a9ae0")), 20, 0.28 * barbs(1.15, 60, 6))
    wing = shape([(0.655, 0.44), (0.70, 0.425), (0.755, 0.47), (0.81, 0.575), (0.865, 0.72), (0.915, 0.865), (0.885, 0.86), (0.80, 0.775), (0.705, 0.69), (0.65, 0.585), (0.638, 0.50)])
    turned = x * 0.5 + y * 0.87
    quill = smooth(0.2, 0.9, np.sin((-x * 0.87 + y * 0.5) * 190 + 8 * (turned - 0.9) ** 2 * 10)) * smooth(0.86, 1.0, turned)
    lay(wing, ramp(turned, (0.70, "1fb4c8"), (0.85, "168ac0"), (1.0, "145aa6"), (1.2, "0c2c6c")), 26, 0.14 * barbs(1.05, 60, 8) - 0.22 * quill)
    spot = lattice(np.floor(x * 44 + 0.5 * (np.floor(y * 44) % 2)), np.floor(y * 44), 4)
    sx, sy = (x * 44 + 0.5 * (np.floor(y * 44) % 2)) % 1 - 0.5, (y * 44) % 1 - 0.5
    dots = smooth(0.3, 0.16, np.hypot(sx * 1.0, sy * 1.5)) * (spot > 0.35)
    scene = mix(scene, colour("8ff4ff"), dots * wing * smooth(0.98, 0.84, turned) * 0.85)
    head = shape([(0.497, 0.302), (0.525, 0.245), (0.575, 0.203), (0.635, 0.193), (0.70, 0.222), (0.738, 0.29), (0.745, 0.375), (0.715, 0.43), (0.66, 0.43), (0.60, 0.44), (0.55, 0.42), (0.512, 0.37)])
    crown = ramp(y, (0.19, "1f8ad8"), (0.32, "1560b8"), (0.43, "1a86c8"))
    lay(head, crown, 30, 0.12 * barbs(0.35, 60, 9))
    sx, sy = (x * 62 + 0.5 * (np.floor(y * 62) % 2)) % 1 - 0.5, (y * 62) % 1 - 0.5
    bars = smooth(0.36, 0.2, np.hypot(sx * 0.8, sy * 1.7))
    scene = mix(scene, colour("6fe4ff"), bars * head * 0.6)
    lay(shape([(0.505, 0.362), (0.545, 0.375), (0.60, 0.405), (0.64, 0.44), (0.605, 0.475), (0.55, 0.47), (0.51, 0.43), (0.50, 0.39)]), plain("fff4e4"), 16, 0.1 * barbs(0.8, 60, 2))
    lay(shape([(0.51, 0.348), (0.57, 0.372), (0.63, 0.392), (0.682, 0.425), (0.675, 0.455), (0.63, 0.438), (0.565, 0.402), (0.51, 0.37)]), crown, 12, 0.15 * barbs(0.5, 60, 7))
    lay(shape([(0.585, 0.325), (0.635, 0.325), (0.668, 0.35), (0.664, 0.385), (0.625, 0.387), (0.575, 0.365)]), plain("f08430"), 12, 0.2 * barbs(0.5, 70, 1))
    lay(shape([(0.505, 0.308), (0.535, 0.297), (0.548, 0.31), (0.535, 0.326), (0.508, 0.328)]), plain("f49a48"), 8)
    lay(shape([(0.668, 0.352), (0.70, 0.355), (0.728, 0.395), (0.715, 0.43), (0.685, 0.42), (0.668, 0.388)]), plain("fff6ea"), 12, 0.12 * barbs(0.9, 60, 4))
    upper = fill(np.array([(0.525, 0.300), (0.43, 0.314), (0.235, 0.361), (0.43, 0.345), (0.525, 0.342)]), width, height)
    lower = fill(np.array([(0.525, 0.338), (0.43, 0.343), (0.245, 0.362), (0.43, 0.364), (0.525, 0.366)]), width, height)
    lay(lower, ramp(x, (0.24, "201c22"), (0.4, "4a2a24"), (0.53, "b0522c")), 8)
    lay(upper, ramp(y, (0.30, "4a4c5a"), (0.33, "20202a"), (0.36, "101016")), 8)
    eye = np.hypot(x - 0.568, y - 0.307)
    scene = mix(scene, colour("0a1424"), smooth(0.0285, 0.0265, eye))
    scene = mix(scene, ramp(y, (0.285, "0a0606"), (0.33, "4a2412")), smooth(0.0235, 0.022, eye))
    scene = mix(scene, colour("ffffff"), smooth(0.0072, 0.0056, np.hypot(x - 0.560, y - 0.298)))
    scene = mix(scene, colour("9fd0e8"), smooth(0.004, 0.002, np.hypot(x - 0.577, y - 0.317)) * 0.7)
    for foot in (0.615, 0.69):
        for toe in (-0.022, 0.0, 0.022):
            u, v = (x - foot - toe) / 0.0125, (y - 0.822 + 0.05 * (foot - 0.6) + 0.1 * abs(toe)) / 0.022
            lay(smooth(1.05, 0.95, np.hypot(u, v)), plain("e0502c"), 5)
    return scene


PICTURES = {
    "basalt-columns.png": (basalt_columns, "png 64"),
    "stained-glass.png": (stained_glass, "png 48"),
    "plumage.jpg": (plumage, "jpeg 70 progressive"),
    "julia-shell.jpg": (julia_shell, "jpeg 76"),
    "seahorse-valley.webp": (seahorse_valley, "webp 50"),
    "opal.jpg": (opal, "jpeg 80 progressive"),
    "ripples.webp": (ripples, "webp 40 lossless"),
    "coral.jpg": (coral, "jpeg 78"),
    "bubbles.webp": (bubbles, "webp 60 lossless"),
    "kingfisher.webp": (kingfisher, "webp 84"),
}
