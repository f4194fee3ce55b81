"""Pictures of the ground: dunes, ice, rock, islands, forest."""

import numpy as np

from .canvas import *


def haze(picture, ground, tint, distance, sky):
    """The ground fades into the air with distance, and the sky stands behind it."""
    picture = mix(picture, colour(tint), 1 - np.exp(-ground.z / distance))
    return mix(picture, sky, ground.sky)


def dunes_at_noon(width=1500, height=1000):
    def field(x, z):
        bend = fbm(x * 0.16, z * 0.16, 3, 3) * 1.3
        u = z * 0.27 + x * 0.2 + bend
        t = u - np.floor(u)
        crest = np.where(t < 0.7, smooth(0, 0.95, t / 0.7 * 0.95), smooth(0, 1, (1 - t) / 0.3))
        return crest * (0.85 + 0.5 * noise(x * 0.13 + 9, z * 0.13, 8)) + 0.35 * noise(x * 0.09, z * 0.09, 5)

    x, y = grid(width, height)
    ground = Ground(width, height, field, eye=2.3, horizon=0.36, near=1.3, far=70)
    facing, _, free = ground.light((-0.75, 0.5, -0.25), reach=6)
    wave = np.sin((ground.z * 5 + ground.wx * 9 + 2.4 * fbm(ground.wx, ground.z, 4, 3)) * 4.2)
    ripple = wave * np.exp(-ground.z / 4) * 0.045
    glow = facing * (0.25 + 0.75 * free) + ripple
    sand = ramp(glow, (0, "4e2a33"), (0.2, "8c4a38"), (0.45, "d08a4c"), (0.72, "f2c070"), (1, "fff0c4"))
    sky = ramp(y / 0.4, "1f66b0", "5ba3da", "b5daee", "f6ead2")
    veil = smooth(0.1, 1.1, fbm(x * 1.1, y * 5 + x * 0.5, 11, 5)) * smooth(0.36, 0.06, y)
    return haze(sand, ground, "f0d3a6", 60, mix(sky, colour("ffffff"), veil * 0.75))


def glacier(width=1400, height=950):
    def valley(x, z):
        return np.abs(x + 0.9 * np.sin(z * 0.16)) / (1.0 + 0.03 * z)

    def field(x, z):
        side = smooth(0.9, 4.2, valley(x, z))
        return side * (0.5 + 1.75 * ridged(x * 0.21, z * 0.21, 21, 7, 0.48)) + 0.035 * z * (1 - side) * 0.9

    x, y = grid(width, height)
    ground = Ground(width, height, field, eye=1.25, horizon=0.42, near=0.8, far=34)
    facing, steep, free = ground.light((0.75, 0.42, 0.1), reach=7, fine=0.003)
    shine = facing * (0.1 + 0.9 * free)
    snow = ramp(shine, (0, "27436e"), (0.25, "6a93c4"), (0.55, "dfe9f2"), (0.8, "fff6e6"), (1, "ffffff"))
    rock = ramp(shine, (0, "141c2c"), (0.4, "54505a"), (1, "b39c88"))
    bare = smooth(0.42, 0.6, steep + 0.14 * fbm(ground.wx * 3, ground.z * 3, 5, 4))
    ice = smooth(1.25, 0.75, valley(ground.wx, ground.z))
    flow = ground.wx + 0.9 * np.sin(ground.z * 0.16)
    cracks = ridged(flow * 1.3, (ground.z - flow * flow * 1.2) * 4.2, 8, 4)
    deep = smooth(1.25, 1.7, cracks) * np.exp(-ground.z / 9)
    blue = ramp(deep, "ffffff", "8fd0ec", "1f7fb8", "0c4a80")
    surface = mix(mix(snow, rock, bare), blue * (0.55 + 0.45 * free * smooth(0, 0.5, facing))[..., None], ice)
    sky = ramp(y / 0.42, "0f3f86", "3f84c6", "a9d3ea", "f3e9dc")
    sky = mix(sky, colour("ffffff"), 0.8 * smooth(0.15, 1.0, fbm(x * 1.6 + 4, y * 4.5, 61, 6)) * smooth(0.4, 0.1, y))
    return haze(surface, ground, "c4dcec", 34, sky)


def canyon(width=1500, height=950):
    def field(x, z):
        river = np.abs(x + 1.5 * np.sin(z * 0.33) + 0.8 * np.sin(z * 0.12 + 1))
        raw = smooth(0.35, 4.6, river + 0.9 * fbm(x * 0.5, z * 0.5, 14, 5)) * 3.2
        steps = raw * 2.4
        shelf = np.floor(steps) + smooth(0.55, 1, steps - np.floor(steps))
        return shelf / 2.4 + 0.05 * fbm(x * 2, z * 2, 6, 3)

    x, y = grid(width, height)
    ground = Ground(width, height, field, eye=4.3, horizon=0.24, near=1.2, far=60)
    facing, steep, free = ground.light((-0.8, 0.36, 0.05), reach=7, fine=0.002)
    bands = ground.h * 2.1 + 0.14 * fbm(ground.wx, ground.z, 2, 3)
    layer = 0.5 + 0.5 * np.sin(bands * 14) * np.cos(bands * 5.3 + 1)
    stone = ramp(layer, "7d2f25", "b8492c", "dc7a3e", "f0b070", "9c3b2c")
    top = ramp(0.5 + 0.5 * fbm(ground.wx * 4, ground.z * 4, 9, 4), "a8683c", "d9a263", "8f8a4c")
    stone = mix(top, stone, smooth(0.06, 0.3, steep))
    water = smooth(0.1, 0.02, ground.h)
    stone = mix(stone, colour("3fa9a4"), water)
    lit = facing * free
    stone = stone * (ramp(lit, "3a3560", "b3806c", "ffe0b0") * 1.18)
    sky = ramp(y / 0.3, "2c4f94", "7f8fc0", "f0b898", "ffdfa6")
    cloud = smooth(0.0, 0.9, fbm(x * 1.3, y * 9, 33, 5)) * smooth(0.3, 0.02, y)
    return haze(stone, ground, "f0b793", 40, mix(sky, colour("fff0dc"), cloud * 0.8))


def island(width=1500, height=1000):
    def land(x, z):
        away = np.hypot(x * 0.9 - 0.2, z - 9.2) / 4.1
        base = 1 - away + 0.42 * fbm(x * 0.42, z * 0.42, 12, 6)
        reef = 0.2 * np.exp(-((away - 1.32) / 0.09) ** 2) * smooth(-0.3, 0.4, noise(x * 0.5, z * 0.5, 3))
        peak = 1.9 * np.exp(-(((x - 0.5) ** 2 + (z - 9.6) ** 2) / 1.6)) * (0.6 + 0.3 * ridged(x * 0.8, z * 0.8, 4, 5))
        return base * 0.9 + peak + reef

    def field(x, z):
        return np.maximum(land(x, z), 0)

    x, y = grid(width, height)
    ground = Ground(width, height, field, eye=4.4, horizon=0.1, near=2.6, far=90)
    h = land(ground.wx, ground.z)
    facing, steep, free = ground.light((-0.7, 0.55, -0.2), reach=4, fine=0.002)
    tree = fbm(ground.wx * 7, ground.z * 7, 7, 4)
    green = ramp(0.45 + 0.4 * tree + 0.12 * h, "0d3a22", "1f6a33", "5c9a3c", "a9c05a")
    rock = ramp(0.5 + 0.5 * tree, "5b4a42", "9a8672")
    dry = mix(colour("f7e4b4") + 0 * green, green, smooth(0.1, 0.2, h + 0.05 * tree))
    dry = mix(dry, rock, smooth(0.36, 0.55, steep + 0.1 * tree) * smooth(0.6, 1.2, h))
    dry = dry * ramp(facing * (0.2 + 0.8 * free), "3c4a78", "c0b6a0", "fff4d8") * 1.12
    sea = ramp(-h + 0.08 * fbm(ground.wx, ground.z, 6, 5),
               (0, "c9f6e2"), (0.12, "6fe0d2"), (0.35, "22b3c4"), (0.8, "0e74a8"), (1.6, "0a4684"), (5, "0a3a74"))
    swell = fbm(ground.wx * 2.2, ground.z * 6, 10, 4) * np.exp(-ground.z / 16)
    sea = sea * (1 + 0.13 * swell)[..., None]
    foam = smooth(0.035, 0.0, np.abs(h + 0.03 + 0.03 * fbm(ground.wx * 4, ground.z * 4, 2, 3)))
    sea = mix(sea, colour("ffffff"), foam * 0.85)
    sky = ramp(y / 0.13, "6fb4e4", "cfe8f2", "fdf0dc")
    scene = haze(mix(sea, dry, smooth(-0.004, 0.006, h)), ground, "cfe6f0", 75, sky)
    drift = smooth(0.35, 1.1, fbm(x * 2 + 5, y * 3.4, 17, 6))
    return mix(scene, colour("ffffff"), drift * 0.7 * smooth(0.5, 0.0, y))


def fjord(width=1500, height=950):
    x, y = grid(width, height)
    shore, aspect = 0.64, width / height
    scene = ramp(y / shore, "2d4f86", "6f7fb2", "e0a3a0", "ffd2a0", "fff0cc")
    sun = np.hypot(x - 0.86, y - 0.43)
    scene = scene + np.exp(-sun * 7)[..., None] * np.array([0.5, 0.32, 0.14]) + smooth(0.034, 0.028, sun)[..., None] * 0.5
    flanks = [(0.5, 0.9, 0.13), (1.3, 0.8, 0.2), (0.35, 0.7, 0.3), (1.5, 0.55, 0.42), (0.05, 0.62, 0.5), (1.75, 0.5, 0.66)]
    for layer, (peak, reach, tall) in enumerate(flanks):
        near = layer / 5
        rise = tall * smooth(reach, 0, np.abs(x - peak)) ** 1.15
        crag = (0.05 + 0.07 * near) * (ridged(x * (2.6 - near) + layer * 7, 0 * x + layer, 40 + layer, 7) - 0.6)
        crest = shore + 0.008 - rise - crag * smooth(0.0, 0.16, rise)
        tint = ramp(np.full_like(x, near), "d9a6a4", "9f8bb0", "5a6797", "2b4270", "14284c", "0a1730")
        mist = smooth(crest, shore + 0.02, y) * (0.75 - 0.5 * near)
        rock = mix(tint, colour("ffe0c0"), mist)
        grainy = fbm(x * 9, y * 14, layer, 4) * 0.035 * near
        scene = mix(scene, rock + grainy[..., None], smooth(-0.0012, 0.0012, y - crest))
    depth = (y - shore).clip(0)
    wobble = noise(x * 5 / (0.05 + depth), 9 / (0.06 + depth), 71) * depth * 0.05
    rows = ((2 * shore - y + wobble) * height).clip(0, height - 1).astype(int)
    columns = (np.arange(width)[None] + wobble * height * 0.7).clip(0, width - 1).astype(int)
    water = blur(scene, 1.2, 0.6)[rows, columns]
    water = mix(water * np.array([0.72, 0.8, 0.92]), colour("16365c"), smooth(0, 0.5, depth) * 0.55)
    scene = mix(scene, water, smooth(shore - 0.001, shore + 0.001, y))
    fog = np.exp(-(((y - shore) / 0.03) ** 2)) * (0.5 + 0.5 * fbm(x * 2.5, y * 14, 3, 4))
    return mix(scene, colour("ffe6cf"), fog.clip(0, 1) * 0.75)


def forest_in_mist(width=1000, height=1400):
    x, y = grid(width, height)
    scene = ramp(y, "e9efe6", "cfe0da", "9fc3c2", "6f9da4")
    scene = scene + np.exp(-np.hypot(x - 0.5, (y - 0.2) * 1.1) * 3.6)[..., None] * np.array([0.35, 0.27, 0.1])
    random = np.random.default_rng(8)
    for layer in range(6):
        near = layer / 5
        base = 0.36 + 0.13 * layer + 0.05 * noise(x[0] * 2.2 + layer * 5, 0 * x[0], layer)
        mask = np.zeros_like(x)
        for _ in range(int(64 - 8.4 * layer)):
            middle, tall = random.uniform(-0.05, 0.77), random.uniform(0.6, 1.25) * (0.09 + 0.055 * layer)
            foot = np.interp(middle, x[0], base) + 0.03
            down = (y - (foot - tall)) / tall
            branch = 0.55 + 0.45 * np.abs(((down * (13 + 3 * random.random()) + 0.3 * noise(x * 30, y * 30, layer)) % 1))
            wide = tall * 0.21 * down.clip(0, 1.4) ** 0.8 * branch
            wide = wide + tall * 0.012
            mask = np.maximum(mask, smooth(0.0015, -0.0015, np.abs(x - middle) - wide) * (down > 0))
        mask = np.maximum(mask, smooth(-0.002, 0.002, y - base[None]))
        tint = ramp(np.full_like(x, near), "a9c8c6", "78a5a6", "467c80", "235558", "0f3436", "071c1e")
        fade = smooth(0.0, 0.26, y - base[None] + 0.06) * (0.9 - 0.6 * near)
        wisps = 0.7 + 0.3 * fbm(x * 3, y * 6, 50 + layer, 4)
        scene = mix(scene, mix(tint, colour("e4eeea"), (fade * wisps).clip(0, 1)), mask)
    return scene


def volcano(width=1400, height=950):
    x, y = grid(width, height)
    rng = np.random.default_rng(4)
    scene = ramp(y, "070a1c", "16163c", "432250", "8a2f44", "d8603a")
    scene = scene + stars(width, height, 900, 5) * smooth(0.55, 0.1, y)[..., None] * 0.5
    dx = x - 0.74
    plume = fbm(x * 2.4 + 0.8 * fbm(x * 3, y * 3, 9, 4), y * 2.6, 31, 6)
    rise = (0.36 - y).clip(0)
    column = smooth(0.16 + rise * 0.85, 0, np.abs(dx - rise * 0.45 + 0.03 * plume)) * smooth(0.42, 0.3, y)
    billow = smooth(-0.35, 0.9, plume) * column
    lit = np.exp(-np.hypot(dx, y - 0.36) * 4.6)
    smoke = ramp(lit + 0.3 * plume * lit, "120f20", "3a2233", "a83c22", "ff9a3c", "ffe08a")
    scene = mix(scene, smoke, smooth(0.05, 0.6, column * 0.75 + billow * 0.5))
    crest = 0.36 + (np.abs(dx) - 0.055).clip(0) ** 0.86 * (0.68 + 0.05 * np.sign(dx)) + 0.014 * fbm(x * 9, y * 2, 12, 5)
    cone = smooth(-0.0015, 0.0015, y - crest)
    rock = ramp(0.35 + 0.3 * fbm(x * 7, y * 7 - np.abs(dx) * 9, 6, 6), "07060d", "1c1422", "3a2026")
    heat = np.zeros_like(x)
    for _ in range(15):
        start, lean = rng.normal(0, 0.03), rng.normal(0, 0.45)
        down = (y - 0.36).clip(0)
        path = start + lean * down + 0.05 * noise(down * 7, 0 * x + rng.random() * 90, 5) * smooth(0, 0.2, down)
        reach = rng.uniform(0.18, 0.6)
        heat = heat + smooth(0.011 * (1.3 - down), 0, np.abs(dx - path)) * smooth(reach, reach * 0.4, down)
    heat = (heat * (0.75 + 0.5 * fbm(x * 22, y * 22, 2, 4))).clip(0, 1.4) * cone
    glow = blur(heat, 20) * 1.6 + blur(heat, 6) * 0.6
    scene = mix(scene, rock + glow[..., None] * np.array([0.9, 0.26, 0.06]), cone)
    scene = mix(scene, ramp(heat, "5a0d08", "e0380e", "ff9a24", "fff0a8"), smooth(0.15, 0.6, heat))
    sparks = np.zeros_like(x)
    for _ in range(240):
        angle, speed, t = rng.normal(0, 0.42), rng.uniform(0.25, 1), rng.random()
        px, py = 0.74 + np.sin(angle) * speed * t * 0.5, 0.35 - np.cos(angle) * speed * t * 0.62 + 0.3 * t * t
        row, column = int(py * height), int(px * height)
        if 0 <= row < height and 0 <= column < width:
            sparks[row, column] += rng.uniform(4, 26)
    light = blur(sparks, 1.1) + blur(sparks, 5) * 1.5
    return scene + light[..., None] * np.array([1.0, 0.5, 0.16])


PICTURES = {
    "dunes-at-noon.jpg": (dunes_at_noon, "jpeg 80"),
    "glacier.jpg": (glacier, "jpeg 78 progressive"),
    "canyon.jpg": (canyon, "jpeg 74 progressive"),
    "island.jpg": (island, "jpeg 76"),
    "fjord.webp": (fjord, "webp 82"),
    "forest-in-mist.jpg": (forest_in_mist, "jpeg 80"),
    "volcano.jpg": (volcano, "jpeg 80 progressive"),
}
