"""Pictures of water: waves, a lagoon, kelp, a jellyfish, a harbour that moves."""

import numpy as np

from .canvas import *


def quiet_waves(width=1500, height=950):
    x, y = grid(width, height)
    scene = ramp(y, (0, "2b3a7a"), (0.22, "c9679a"), (0.38, "ffb37a"), (0.5, "ffe6b0"))
    disc = np.hypot(x - 1.05, y - 0.37)
    scene = mix(scene, colour("fff6d8"), smooth(0.082, 0.079, disc)) + np.exp(-disc * 6)[..., None] * np.array([0.22, 0.14, 0.04])
    cloud = smooth(0.05, 0.9, fbm(x * 1.2 + 3, y * 9, 21, 5)) * smooth(0.46, 0.2, y)
    scene = mix(scene, colour("ffd9c2"), cloud * 0.6)
    for layer in range(9):
        near = layer / 8
        phase = x * (8.5 - 5.6 * near) + layer * 2.1
        lift = np.sin(phase + 0.55 * np.sin(phase)) + 0.4 * noise(x * 1.7, 0 * x + layer, layer)
        crest = 0.45 + 0.5 * near**1.35 - (0.008 + 0.042 * near) * lift
        body = ramp(np.full_like(x, near), "f0a07c", "b86a84", "6a5a94", "2f5a96", "14507c", "0a3a60", "072a48")
        under = (y - crest) / (0.05 + 0.12 * near)
        strand = ridged(phase * 0.6 + under * 0.8, under * 2.4 + layer, 90 + layer, 4)
        sheen = mix(body, colour("ffd8b0"), smooth(0.3, 0.0, under) * (0.42 - 0.25 * near))
        sheen = mix(sheen, colour("cfeef0"), smooth(1.25, 1.7, strand) * smooth(0.8, 0.1, under) * 0.4 * near)
        lip = smooth(0.012 + 0.03 * near, 0.0, (y - crest) - 0.006 * noise(x * 40, y * 40, layer)) * smooth(0.2, 0.9, lift) * near
        sheen = mix(sheen, colour("fff6ec"), lip * 0.9)
        scene = mix(scene, sheen, smooth(-0.0012, 0.0012, y - crest))
    path = np.exp(-((x - 1.05) / (0.03 + 0.16 * (y - 0.42).clip(0))) ** 2) * smooth(0.42, 0.47, y) * smooth(0.95, 0.5, y)
    glint = smooth(0.15, 0.6, noise(x * 16, y * 90, 3)) * path
    return mix(scene, colour("fff0c0"), glint * 0.75)


def lagoon(width=1500, height=1000):
    x, y = grid(width, height)
    wx, wy = fbm(x * 1.1, y * 1.1, 3, 4), fbm(x * 1.1 + 8, y * 1.1, 5, 4)
    depth = fbm(x * 1.2 + 0.9 * wx, y * 1.5 + 0.9 * wy, 9, 6) + 1.5 * (x - 0.62) * 0.6 + 0.1
    channel = ridged(x * 1.0 + 0.6 * wx, y * 1.3 + 0.6 * wy, 31, 4)
    depth = depth + 0.35 * smooth(1.25, 1.75, channel)
    sand = ramp(depth, (-1.2, "fdf3d2"), (-0.55, "f6e2b0"), (-0.35, "d8eccb"), (-0.1, "8fe3d4"),
                (0.2, "3ccad0"), (0.6, "159fc4"), (1.1, "0d6aa6"), (1.8, "0a3f7e"))
    first, second, *_ = cells(x * 13 + 1.2 * wx + 0.6 * fbm(x * 6, y * 6, 1, 3), y * 13 + 1.2 * wy + 0.6 * fbm(x * 6, y * 6, 2, 3), 8)
    net = np.exp(-(second - first) * 7) * smooth(-0.4, -0.05, depth) * smooth(1.0, 0.2, depth)
    scene = sand + (net * 0.2)[..., None] * np.array([0.8, 1.0, 0.92])
    ripple = np.sin((depth * 26 + fbm(x * 3, y * 3, 8, 3) * 5)) * smooth(-0.2, -0.5, depth) * smooth(-1.2, -0.6, depth)
    scene = scene * (1 + 0.035 * ripple)[..., None]
    reef = smooth(0.45, 0.85, fbm(x * 7, y * 7, 77, 4)) * smooth(0.05, 0.3, depth) * smooth(1.2, 0.6, depth)
    scene = mix(scene, colour("0f5f6e"), reef * 0.6)
    foam = smooth(0.03, 0, np.abs(depth + 0.36 + 0.04 * fbm(x * 9, y * 9, 4, 4)))
    scene = mix(scene, colour("ffffff"), foam * 0.75)
    dx, dy = (x - 0.99) * 0.8 + (y - 0.34) * 0.6, -(x - 0.99) * 0.6 + (y - 0.34) * 0.8
    hull = lambda ox, oy: smooth(0.0012, -0.0012, np.abs(dy - oy) - 0.012 * (1 - ((dx - ox) / 0.048) ** 2).clip(0) ** 0.6) * (np.abs(dx - ox) < 0.048)
    scene = mix(scene, scene * 0.35, hull(0.012, 0.034) * 0.8)
    wake = np.exp(-np.abs(np.abs(dy) - (dx - 0.04) * 0.26) * 240) * smooth(0.04, 0.06, dx) * smooth(0.34, 0.08, dx)
    scene = mix(scene, colour("ffffff"), (wake * 0.7).clip(0, 1))
    scene = mix(scene, colour("ffffff"), hull(0, 0))
    return mix(scene, colour("d0543c"), (np.abs(dy) < 0.0045) & (np.abs(dx) < 0.026))


def kelp(width=1000, height=1300):
    x, y = grid(width, height)
    scene = ramp(y, "c8f4dc", "5fcfb8", "1f9a98", "0f6476", "083a52", "052338")
    angle = np.arctan2(x - 0.42, y + 0.35)
    rays = smooth(-0.3, 0.8, fbm(angle * 9, 0 * x + 2, 5, 4)) * np.exp(-y * 2.1)
    scene = scene + rays[..., None] * np.array([0.3, 0.4, 0.3])
    rng = np.random.default_rng(11)
    for layer in range(4):
        near = layer / 3
        for _ in range(7 - layer):
            root, phase = rng.uniform(-0.05, 0.82), rng.uniform(0, 6)
            stem = root + (0.03 + 0.03 * near) * np.sin(y * 4.5 + phase) + 0.05 * np.sin(y * 1.7 + phase * 2)
            scale, top = 0.5 + 0.75 * near, rng.uniform(-0.1, 0.35)
            mask = smooth(0.0015, -0.0015, np.abs(x - stem) - 0.0042 * scale) * (y > top)
            shade = np.zeros_like(x)
            for step in np.arange(top, 1.1, 0.095 * scale):
                for side in (-1, 1):
                    foot = np.interp(step, y[:, 0], stem[:, 0])
                    u = ((x - foot) * side * 0.86 - (y - step) * 0.5) / scale
                    v = ((y - step) * 0.86 + (x - foot) * side * 0.5) / scale - 0.5 * u + 0.004 * np.sin(u * 60 + phase)
                    t = u / 0.125
                    edge = 0.019 * np.sqrt((t * (1 - t)).clip(0)) * (1.6 - t)
                    leaf = smooth(0.0012, -0.0012, np.abs(v) - edge) * (t > 0) * (t < 1)
                    bulb = smooth(0.0015, -0.0015, np.hypot(u - 0.006, v) - 0.0075)
                    mask = np.maximum(mask, np.maximum(leaf, bulb))
                    shade = np.maximum(shade, leaf * (0.5 + 30 * v) + bulb * 0.6)
            light = ramp((shade * 0.5 + 0.9 * (1 - y) * 0.7).clip(0, 1), "0c2a20", "2f5a20", "8a8a1f", "e0c04a")
            water = ramp(y, "6fd6bc", "127a84", "073a50")
            scene = mix(scene, mix(water, light, 0.22 + 0.78 * near), mask)
    for _ in range(46):
        cx, cy, size = rng.uniform(0, 0.77), rng.uniform(0.05, 0.95), rng.uniform(0.002, 0.007)
        scene = scene + (smooth(size, size * 0.7, np.hypot(x - cx, y - cy)) * 0.22)[..., None]
    for _ in range(24):
        cx, cy = 0.42 + rng.normal(0, 0.13), 0.33 + rng.normal(0, 0.05)
        u, v = (x - cx) / 0.018, (y - cy) / 0.0062
        fish = smooth(1.1, 0.9, np.hypot(u, v)) + smooth(0.06, 0, np.abs(v) - (u - 0.7)) * (u > 0.7) * (u < 1.5)
        scene = mix(scene, ramp(v * 0.5 + 0.5, "134a58", "c8f0e4"), fish.clip(0, 1) * 0.75)
    return scene


def jellyfish(width=1000, height=1250):
    x, y = grid(width, height)
    scene = ramp(y + 0.1 * fbm(x * 2, y * 2, 3, 4), "0b2f6e", "0a1f56", "0a1038", "060820")
    scene = scene + (np.exp(-np.hypot(x - 0.42, y - 0.3) * 3.2) * 0.35)[..., None] * colour("5f7cff")
    light = np.zeros_like(scene)
    rng = np.random.default_rng(6)

    def medusa(cx, cy, size, strength):
        u, v = (x - cx) / size, (y - cy) / size
        ripple = 0.035 * np.sin(u * 17) * smooth(0.4, 1, np.abs(u))
        bell = np.hypot(u, v * np.where(v < 0, 1.22, 3.4) - ripple * 3)
        inside = smooth(1.01, 0.985, bell)
        rim = np.exp(-np.abs(bell - 0.97) * 17) * inside
        ribs = (0.5 + 0.5 * np.cos(np.arcsin(np.clip(u / np.sqrt((1 - (v * 1.1) ** 2).clip(0.05)), -1, 1)) * 15)) ** 3
        glow = inside * (0.16 + 0.34 * smooth(0.3, 1, bell)) + rim * 0.85 + inside * ribs * 0.2 * smooth(1, 0.35, bell)
        tint = ramp(0.5 + v * 0.6 + 0.1 * u, "ffd0f4", "ff86d0", "b06aff", "6a8cff")
        clover = sum(np.exp(-(np.abs(np.hypot((u - a * 0.27) / 1.0, (v + 0.38) / 0.62) - 0.17) * 26)) for a in (-1, 0, 1))
        out = glow[..., None] * tint + (clover * inside * 0.5)[..., None] * colour("ffe0a8")
        for index in range(26):
            start, phase = rng.uniform(-0.9, 0.9), rng.uniform(0, 6)
            reach = rng.uniform(1.2, 3.0)
            path = start * (1 - 0.08 * v) + 0.09 * np.sin(v * 3.1 + phase) * v.clip(0) ** 0.8 + 0.14 * np.sin(v * 1.3 + phase * 3) * v.clip(0)
            thread = np.exp(-((u - path) / 0.011) ** 2) * smooth(0.12, 0.3, v) * smooth(reach, 0.3, v)
            out = out + (thread * 0.55)[..., None] * colour("ff9ee0" if index % 3 else "9fc4ff")
        for index in range(5):
            start, phase = (index - 2) * 0.13, index * 1.7
            path = start + 0.12 * np.sin(v * 2.6 + phase) * v.clip(0)
            frill = np.abs(u - path) - (0.075 + 0.035 * np.sin(v * 28 + phase * 5)) * smooth(2.3, 0.2, v)
            arm = smooth(0.02, -0.03, frill) * smooth(0.1, 0.3, v) * smooth(2.3, 1.2, v)
            out = out + (arm * (0.12 + 0.32 * np.exp(-np.abs(frill) * 40)))[..., None] * colour("ffc4e8")
        return out * strength

    light = medusa(0.43, 0.33, 0.235, 1.0) + medusa(0.13, 0.74, 0.075, 0.42) + medusa(0.69, 0.12, 0.055, 0.3)
    motes = np.zeros((height, width))
    motes[rng.integers(0, height, 500), rng.integers(0, width, 500)] = rng.uniform(0.5, 6, 500)
    scene = scene + light + blur(light, 16) * 0.7 + (blur(motes, 1.3) * 0.6)[..., None] * colour("9fd0ff")
    return 1 - np.exp(-scene * 1.25)


def harbour(width=520, height=340, count=24):
    """One turn of a lighthouse beam over boats at anchor; the last frame joins the first."""
    x, y = grid(width, height)
    rng = np.random.default_rng(5)
    shore = 0.62
    lamps = [(rng.uniform(0, 0.95), shore - rng.uniform(0.012, 0.11), rng.integers(0, 4)) for _ in range(34)]
    still = ramp(y / shore, "0a1030", "16245a", "3a3f80", "b0648a")
    hills = shore - 0.04 - 0.15 * ridged(x * 1.2, 0 * x, 6, 5) * smooth(1.3, 0.1, x)
    still = mix(still, colour("141a3e"), smooth(-0.002, 0.002, y - hills))
    for left in np.arange(0, 0.95, 0.045):
        wide, tall = rng.uniform(0.03, 0.05), rng.uniform(0.035, 0.1)
        roof = shore - tall - 0.02 * (1 - np.abs((x - left) / wide * 2 - 1)).clip(0)
        still = mix(still, colour(("1c1838", "221a3c", "171530")[int(left * 100) % 3]), (x > left) & (x < left + wide) & (y > roof))
    tower = (np.abs(x - 1.27) < 0.017 + 0.012 * (y - 0.3)) & (y > 0.31) & (y < shore)
    still = mix(still, colour("d8d0e0"), tower)
    still = mix(still, colour("c0405a"), tower & (((y - 0.31) % 0.124) < 0.055))
    rock = (y > shore - 0.05 * (1 - ((x - 1.27) / 0.19) ** 2).clip(0) ** 0.6) & (np.abs(x - 1.27) < 0.19)
    still = mix(still, colour("0b0c1e"), rock)
    frames = []
    for index in range(count):
        turn = index / count * 2 * np.pi
        scene = still.copy()
        dx, dy = x - 1.27, y - 0.29
        for spin in (turn, turn + np.pi):
            aim, facing = np.cos(spin), np.sin(spin)
            along = dx * np.sign(aim)
            wedge = np.exp(-(dy / (0.006 + 0.1 * along.clip(0))) ** 2) * smooth(0, 0.02, along)
            beam = wedge * np.abs(aim) ** 0.7 * smooth(1.5 * np.abs(aim) + 0.05, 0.0, along) * 0.6
            scene = mix(scene, colour("fff0b8"), (beam * (y < shore)).clip(0, 1))
            scene = mix(scene, colour("fffbe0"), np.exp(-np.hypot(dx, dy) / (0.012 + 0.05 * max(facing, 0) ** 3)).clip(0, 1))
        scene = mix(scene, colour("2a1c30"), (np.abs(dx) < 0.022) & (y > 0.3) & (y < 0.315))
        for lx, ly, kind in lamps:
            twinkle = 0.85 + 0.15 * np.sin(turn * (1 + kind) + lx * 40)
            scene = mix(scene, colour(("ffd27a", "ffb050", "ffe8b8", "ff8a6a")[kind]), np.exp(-np.hypot(x - lx, y - ly) * 130) * twinkle)
        depth = (y - shore).clip(0)
        wave = 0.011 * np.sin(y * 120 / (0.5 + y) - turn * 2 + 3 * np.sin(x * 7)) + 0.008 * np.sin(x * 23 + y * 60 + turn * 3)
        rows = ((2 * shore - y + wave * (0.3 + depth * 5)) * height).clip(0, height * shore - 1).astype(int)
        columns = (np.arange(width)[None] + wave * height * (0.2 + depth * 3)).clip(0, width - 1).astype(int)
        water = blur(scene, 3.5, 0.7)[rows, columns] * np.array([0.66, 0.7, 0.86]) + colour("060c22") * 0.5
        scene = mix(scene, water, y > shore)
        for bx, by, size, hull in ((0.34, 0.76, 0.1, "b03a48"), (0.78, 0.7, 0.065, "2f7a8a"), (0.98, 0.87, 0.14, "e8dcc8")):
            sway = 0.07 * np.sin(turn + bx * 9)
            rise = 0.05 * size * np.sin(turn * 2 + bx * 5)
            u = ((x - bx) * np.cos(sway) + (y - by - rise) * np.sin(sway)) / size
            v = (-(x - bx) * np.sin(sway) + (y - by - rise) * np.cos(sway)) / size
            scene = mix(scene, scene * 0.45, smooth(1.0, 0.6, np.hypot(u, (v - 0.38) * 4.5)) * 0.8)
            scene = mix(scene, colour("1a1626"), (np.abs(u) < 0.022) & (v < 0) & (v > -1.75))
            sail = (u > 0.05) & (u < 0.05 + 0.75 * (v + 1.65) / 1.5) & (v < -0.15) & (v > -1.65)
            jib = (u < -0.05) & (u > -0.05 - 0.6 * (v + 1.45) / 1.3) & (v < -0.15) & (v > -1.45)
            scene = mix(scene, ramp(v + 1.65, "efe4ea", "b8a4c4"), sail | jib)
            body = (v > 0) & (v < 0.32) & (np.abs(u) < 1 - 0.9 * v.clip(0)**1.3) & (v < 0.34)
            scene = mix(scene, colour(hull) * 0.82, body)
            scene = mix(scene, colour("fff0c8"), np.exp(-np.hypot(u, v + 1.78) * 16))
        frames.append(scene.clip(0, 1))
    return frames


def lighthouse(width=900, height=1350):
    x, y = grid(width, height)
    scene = ramp(y, "27407e", "6f6fb0", "e59a9a", "ffd0a0")
    cloud = fbm(x * 1.7 + 0.5 * fbm(x * 2, y * 3, 4, 4), y * 4.2, 15, 6)
    scene = mix(scene, ramp(y + 0.2 * cloud, "8a86c0", "f0a8b0", "ffe0c0"), smooth(0.05, 0.9, cloud) * 0.9)
    sea = 0.73
    swell = fbm(x * 3 / (0.12 + (y - sea).clip(0)), 7 / (0.05 + (y - sea).clip(0)), 7, 4)
    water = ramp((y - sea) / 0.27, "f0b0a0", "7a78a8", "2d4f86", "153260") + 0.07 * swell[..., None]
    scene = mix(scene, water, smooth(sea - 0.001, sea + 0.001, y))
    cliff = sea + 0.05 - 0.17 * smooth(0.02, 0.3, x) ** 0.7 - 0.035 * fbm(x * 5, 0 * x, 8, 6)
    cliff = np.where(x > 0.08, cliff, cliff + (0.08 - x) * 4)
    rock = ramp(0.5 + 0.4 * fbm(x * 9 + y * 3, y * 22, 9, 6) - (y - cliff) * 0.8, "141726", "3a3448", "84665e", "d8a888")
    grass = ramp(0.5 + 0.5 * fbm(x * 30, y * 50, 5, 4), "2f5a3a", "8a9a4c")
    rock = mix(rock, grass, smooth(0.035, 0.01, y - cliff + 0.012 * noise(x * 20, y * 20, 1)))
    scene = mix(scene, rock, smooth(-0.001, 0.001, y - cliff))
    foam = np.exp(-np.abs(y - 0.93 - 0.05 * fbm(x * 4, 0 * x, 4, 4)) * 60) * (0.5 + 0.6 * fbm(x * 14, y * 30, 3, 5)).clip(0)
    base = smooth(0.9, 0.95, y + 0.05 * fbm(x * 4, 0 * x, 4, 4))
    scene = mix(scene, ramp(swell * 0.5 + 0.5, "12305a", "3f6a98"), base)
    scene = mix(scene, colour("ffffff"), (foam * 0.95).clip(0, 1))
    cx, top, foot = 0.4, 0.235, 0.595
    half = 0.034 + 0.024 * ((y - top) / (foot - top)).clip(0, 1)
    tower = smooth(0.001, -0.001, np.abs(x - cx) - half) * (y > top) * (y < foot)
    round_ = ((x - cx) / half).clip(-1, 1)
    light = (0.38 + 0.62 * smooth(1.05, -0.6, round_))[..., None]
    stripe = ((y - top) // 0.0721).astype(int) % 2 == 0
    paint = np.where(stripe[..., None], colour("fff4e6"), colour("d63a3c"))
    scene = mix(scene, paint * light, tower)
    for wx, wy in ((0.4, 0.34), (0.405, 0.455), (0.398, 0.56)):
        scene = mix(scene, colour("2a2238"), (np.abs(x - wx) < 0.006) & (np.abs(y - wy) < 0.012))
    scene = mix(scene, colour("2a2438"), (np.abs(x - cx) < 0.046) & (y > 0.226) & (y < 0.237))
    room = (np.abs(x - cx) < 0.026) & (y > 0.178) & (y <= 0.226)
    scene = mix(scene, ramp((y - 0.178) / 0.05, "fff8d0", "ffd880"), room)
    scene = mix(scene, colour("2a2438"), room & (np.abs((x - cx) % 0.0173 - 0.0086) < 0.0012))
    dome = (np.hypot((x - cx) / 0.031, (y - 0.179) / 0.034) < 1) & (y < 0.179) | (np.abs(x - cx) < 0.0016) & (y > 0.12) & (y < 0.18)
    scene = mix(scene, colour("b02c34"), dome)
    along, across = np.abs(x - cx), y - 0.202
    beam = np.exp(-(across / (0.008 + 0.11 * along)) ** 2) * np.exp(-along * 2.6) * (along > 0.026)
    scene = mix(scene, colour("fff3c4"), (beam * 0.6).clip(0, 1))
    scene = scene + (np.exp(-np.hypot(x - cx, across) * 13) * 0.45)[..., None] * colour("ffe8a8")
    for bx, by, size in ((0.14, 0.3, 0.02), (0.2, 0.26, 0.014), (0.1, 0.24, 0.011), (0.58, 0.4, 0.015)):
        u, v = np.abs(x - bx) / size, (y - by) / size
        wing = smooth(0.11, 0.03, np.abs(v + 0.5 * np.sin(u.clip(0, 1) * 2.6) - 0.1 * u)) * (u < 1)
        scene = mix(scene, colour("fffaf2"), wing)
    return scene


PICTURES = {
    "quiet-waves.jpg": (quiet_waves, "jpeg 80"),
    "lagoon.jpg": (lagoon, "jpeg 76 progressive"),
    "kelp.jpg": (kelp, "jpeg 78"),
    "jellyfish.webp": (jellyfish, "webp 80"),
    "harbour.gif": (harbour, "gif 80 8"),
    "lighthouse.jpg": (lighthouse, "jpeg 80 turned"),
}
