"""Pictures of the sky: aurora, nebula, planets, a city under the moon."""

import numpy as np

from .canvas import *


def curtain(width, height, seed, base, sway, folds):
    """One band of northern lights: rays standing on a line that folds back on itself."""
    t = np.linspace(-0.2, 1.2, 5200)
    place = (t + folds * noise(t * 2.4, 0 * t, seed) + 0.04 * noise(t * 9, 0 * t, seed + 1)) * width
    foot = base + sway * noise(t * 1.9, 0 * t + 7, seed + 2) + 0.02 * noise(t * 8, 0 * t, seed + 3)
    rays = (0.32 + 0.5 * fbm(t * 26, 0 * t, seed + 4, 4)).clip(0.03) * smooth(-0.8, 0.4, noise(t * 2.1, 0 * t, seed + 5))
    tall = 0.15 + 0.12 * noise(t * 4, 0 * t + 3, seed + 6)
    y = (np.arange(height) + 0.5) / height
    light = np.zeros((width, height, 3))
    for column, low, ray, high in zip(place.astype(int), foot, rays, tall):
        if 0 <= column < width:
            up = (low - y) / high
            shape = np.exp(-up.clip(0) * 1.25) * smooth(-0.09, 0.05, up) * ray
            tint = ramp(up, (0, "58ff9e"), (0.5, "25e0a4"), (1.2, "2f9fd0"), (2.2, "8a4fd8"), (3.4, "c03aa0"))
            light[column] += shape[:, None] * tint
    return blur(light.transpose(1, 0, 2) * width / 5200, 1.5, 2.2)


def aurora_over_lake(width=1500, height=960):
    x, y = grid(width, height)
    shore = 0.68
    scene = ramp(y / shore, "030818", "071530", "0c2a48", "164a5c")
    scene = scene + stars(width, height, 2400, 12, 0.8) * 0.55
    glow = curtain(width, height, 5, 0.5, 0.2, 0.26) * 1.5 + curtain(width, height, 31, 0.36, 0.13, 0.2) * 0.85
    scene = scene + glow * 1.7 + blur(glow, 40) * 0.8
    for layer, (tint, base, tall) in enumerate((("14303f", 0.05, 0.13), ("0a1c28", 0.02, 0.09))):
        crest = shore - base - tall * ridged(x * (1.3 + layer), 0 * x + layer * 9, 17 + layer, 7) * (0.35 + 0.5 * noise(x * 0.9, 0 * x, layer) ** 2)
        snow = smooth(0.0, 0.9, ridged(x * 5, y * 7, 3, 5) - 0.6) * smooth(0.1, 0, y - crest) * (1 - layer)
        rock = mix(colour(tint) + 0 * scene, colour("7fc0b8"), snow * 0.42)
        scene = mix(scene, rock, smooth(-0.001, 0.001, y - crest))
    trees = shore - 0.012 - 0.03 * np.abs(noise(x * 60, 0 * x, 2)) - 0.022 * smooth(0, 0.6, noise(x * 3, 0 * x, 4))
    scene = mix(scene, colour("03090f"), smooth(-0.001, 0.001, y - trees))
    depth = (y - shore).clip(0)
    wobble = (noise(x * 4 / (0.06 + depth), 10 / (0.05 + depth), 7) + 0.5 * noise(x * 9, y * 160, 8)) * depth * 0.055
    rows = ((2 * shore - y + wobble) * height).clip(0, height - 1).astype(int)
    water = blur(scene, 7, 1)[rows, np.broadcast_to(np.arange(width), rows.shape)]
    water = water * np.array([0.62, 0.74, 0.82]) + ramp(depth, (0, "06141c"), (0.32, "020509"))
    scene = mix(scene, water, smooth(shore - 0.001, shore + 0.001, y))
    return 1 - np.exp(-scene * 1.35)


def nebula(width=1400, height=1000):
    x, y = grid(width, height)
    wx, wy = fbm(x * 1.5, y * 1.5, 2, 5), fbm(x * 1.5 + 5, y * 1.5, 7, 5)
    gas = smooth(-0.6, 1.0, fbm(x * 1.6 + wx * 0.9, y * 1.6 + wy * 0.9, 14, 7))
    dust = smooth(0.0, 1.0, fbm(x * 2 - wy * 1.1, y * 2 + wx * 1.1, 23, 7))
    middle = np.exp(-(((x - 0.72) * 1.0) ** 2 + (y - 0.48) ** 2) * 5.5)
    warm = ramp(gas * (0.35 + 0.75 * middle), "05040f", "1c0c38", "6b1a5e", "d0405c", "ff9a5c", "fff0c8")
    cold = ramp(smooth(-0.5, 0.9, fbm(x * 1.3 + wy, y * 1.3, 44, 6)) * (1.1 - middle), "02040e", "082448", "0f6a8c", "5fd0d8")
    scene = warm + cold * 0.75
    scene = scene * (1 - 0.72 * dust * smooth(0.0, 0.5, gas))[..., None]
    scene = scene + stars(width, height, 2600, 3, 0.75) * (1 - 0.6 * dust)[..., None] * 0.7
    for sx, sy, light in ((0.62, 0.42, 1.0), (0.86, 0.6, 0.6), (0.3, 0.75, 0.5), (1.2, 0.2, 0.7)):
        dx, dy = np.abs(x - sx), np.abs(y - sy)
        spike = np.exp(-dx * 420 - dy * 30) + np.exp(-dy * 420 - dx * 30) + np.exp(-np.hypot(dx, dy) * 150) * 2
        scene = scene + (spike * light)[..., None] * np.array([0.9, 0.95, 1.0])
    return 1 - np.exp(-scene * 1.25)


def planet_with_rings(width=1500, height=950):
    x, y = grid(width, height)
    scene = ramp(y + 0.2 * x, "070514", "120b28", "1d1236") + stars(width, height, 1500, 9, 0.8) * 0.6
    px, py = (x - 0.8) / 0.3, (y - 0.5) / 0.3
    tilt = 0.42
    u, v = px * np.cos(tilt) + py * np.sin(tilt), -px * np.sin(tilt) + py * np.cos(tilt)
    sphere = 1 - u * u - v * v
    z = np.sqrt(sphere.clip(0))
    band = v + 0.035 * fbm(u * 2.5, v * 9, 4, 5) + 0.02 * noise(u * 6 + 3 * v, v * 22, 2)
    skin = ramp(0.5 + 0.5 * np.sin(band * 13 + 2.2 * np.sin(band * 5)), "a86f4e", "d9a474", "f3dcb4", "c98d63", "efe0c6")
    storm = np.hypot((u - 0.25) / 0.2, (v - 0.33) / 0.085)
    skin = mix(skin, ramp(storm, "fff0dc", "b5492c", "d98a58"), smooth(1.1, 0.8, storm))
    away = np.hypot(u, v / 0.28)
    ring = smooth(1.28, 1.3, away) * smooth(2.3, 2.27, away)
    grain = 0.55 + 0.45 * noise(away * 26, 0 * away, 8) + 0.25 * noise(away * 90, 0 * away, 3)
    gap = smooth(0.0, 0.02, np.abs(away - 1.93) - 0.035) * (0.35 + 0.65 * smooth(1.45, 1.6, away))
    ring = ring * (grain * gap).clip(0, 1)
    sun = np.array([-0.72, -0.3, 0.62])
    lit = (u * sun[0] + v * sun[1] + z * sun[2]).clip(0)
    shadow = smooth(0.02, 0.05, np.abs(v - 0.1 - 0.09 * (1 - u * u)) - 0.012)
    globe = skin * (lit ** 0.8 * (0.45 + 0.55 * shadow) * 1.15)[..., None] + (np.exp(-z * 5) * lit)[..., None] * colour("ffcf9a") * 0.4
    ice = ramp(away / 2.3, "6d5a4c", "cdb595", "f5e6c8", "b79f86", "e8d8bf")
    behind = smooth(0.02, -0.02, np.hypot(u, v) - 0.98) * (v < 0)
    dark = 1 - 0.93 * smooth(1.03, 0.98, np.abs(v * 3.3 + u * 0.15)) * (u > 0.35) * (u < 1.75) * smooth(1.9, 1.0, u) * (v < 0.3)
    rings = ice * dark[..., None]
    scene = mix(scene, rings, ring * (v < 0) * (1 - behind))
    scene = mix(scene, globe, smooth(-0.006, 0.006, sphere))
    scene = mix(scene, rings, ring * (v >= 0))
    moon = 1 - ((x - 1.38) ** 2 + (y - 0.22) ** 2) / 0.035**2
    shade = ((x - 1.38) * -0.72 + (y - 0.22) * -0.3) / 0.035 + np.sqrt(moon.clip(0)) * 0.62
    rock = ramp(0.5 + 0.5 * fbm(x * 60, y * 60, 6, 4), "8d93a8", "d5d8e4") * shade.clip(0)[..., None]
    return mix(scene, rock, smooth(-0.03, 0.03, moon))


def spiral_galaxy(width=1400, height=1000):
    x, y = grid(width, height)
    px, py = x - 0.7, (y - 0.5)
    u, v = px * 0.93 + py * 0.37, (-px * 0.37 + py * 0.93) / 0.52
    r, angle = np.hypot(u, v) + 1e-6, np.arctan2(v, u)
    turn = angle - 3.5 * np.log(r + 0.06) + 0.45 * fbm(u * 5, v * 5, 3, 5)
    arm = (0.5 + 0.5 * np.cos(2 * turn)) ** 2.2
    lane = (0.5 + 0.5 * np.cos(2 * (turn + 0.42))) ** 6
    disc = np.exp(-r * 4.4) * smooth(0.95, 0.2, r)
    clump = (0.55 + 0.75 * fbm(u * 11, v * 11, 5, 6)).clip(0)
    blue = disc * arm * clump * 5.2
    scene = ramp(y, "02030a", "050818") + blue[..., None] * colour("7fa8ff") + (disc * 0.7)[..., None] * colour("b48fd0")
    pink = smooth(0.5, 0.95, noise(u * 30, v * 30, 9)) * arm * disc * smooth(0.06, 0.2, r)
    scene = scene + (pink * 5)[..., None] * colour("ff5a86")
    core = np.exp(-(r / 0.085) ** 1.1)
    scene = scene + (core * 2.1)[..., None] * colour("ffdca0")
    dust = lane * smooth(0.03, 0.12, r) * smooth(0.75, 0.3, r) * (0.6 + 0.6 * fbm(u * 14, v * 14, 2, 5)).clip(0, 1)
    scene = scene * (1 - 0.8 * dust[..., None] * np.array([0.75, 0.9, 1.0]))
    return 1 - np.exp(-(scene + stars(width, height, 3200, 77, 0.72) * 0.55) * 1.2)


def eclipse(width=640, height=480):
    x, y = grid(width, height)
    dx, dy = x - width / height / 2, y - 0.5
    r, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
    ray = 0.6 + 0.4 * fbm(np.cos(angle) * 2.3, np.sin(angle) * 2.3, 8, 3) + 0.5 * np.cos(2 * angle) ** 2
    glow = (np.exp(-(r - 0.2).clip(0) / (0.055 * ray)) * 0.8 + np.exp(-(r - 0.2).clip(0) / 0.012)) * smooth(0.197, 0.202, r)
    bead = np.exp(-np.hypot(dx - 0.142, dy + 0.142) * 75) * 2.2 + np.exp(-np.hypot(dx - 0.142, dy + 0.142) * 14) * 0.32
    scene = glow[..., None] * np.array([1.0, 0.93, 0.86]) + bead[..., None] * np.array([1.0, 0.9, 0.75])
    rim = np.exp(-np.abs(r - 0.2) / 0.004) * smooth(0.2, 0.8, noise(angle * 3.2, 0 * angle, 6))
    scene = scene + rim[..., None] * np.array([0.9, 0.16, 0.25]) + ramp(r, "05060c", "070a16", "04050a")
    return np.rint((1 - np.exp(-scene)) * 1023) / 1023


def city_at_night(width=1500, height=950):
    x, y = grid(width, height)
    rng = np.random.default_rng(21)
    shore = 0.74
    scene = ramp(y / shore, "0a0f2c", "1b1f52", "4a2f6e", "a8497c", "f08a6a")
    scene = scene + stars(width, height, 700, 2) * smooth(0.4, 0, y)[..., None] * 0.4
    disc = np.hypot(x - 1.16, y - 0.22)
    seas = 0.92 + 0.1 * fbm(x * 14, y * 14, 5, 4)
    scene = mix(scene, colour("fff2dc") * seas[..., None], smooth(0.0855, 0.0845, disc))
    scene = scene + np.exp(-disc * 8)[..., None] * colour("f0a8c0") * 0.35
    cloud = smooth(0.1, 1.0, fbm(x * 1.5, y * 8, 12, 5)) * smooth(0.62, 0.3, y)
    scene = mix(scene, colour("c46a8a"), cloud * 0.4)
    for layer in range(4):
        near, left = layer / 3, -0.02
        while left < width / height:
            wide, tall = rng.uniform(0.032, 0.085), rng.gamma(3.2, 0.052 + 0.006 * layer) + 0.06
            tall = min(tall, 0.52) * (0.62 + 0.5 * np.exp(-((left - 0.72) / 0.4) ** 2))
            top = shore - tall
            body = (x >= left) & (x < left + wide) & (y > top) & (y < shore)
            crown = rng.integers(0, 5)
            if crown == 0:
                body |= (np.abs(x - left - wide / 2) < (y - top + 0.07) * wide / 0.14) & (y > top - 0.07) & (y <= top)
            elif crown == 1:
                body |= (np.abs(x - left - wide / 2) < 0.0016) & (y > top - 0.08) & (y <= top)
            elif crown == 2:
                body |= (np.abs(x - left - wide / 2) < wide * 0.3) & (y > top - 0.03) & (y <= top)
            tint = ramp(np.full_like(x, near), "6a3a70", "3a2658", "1c163c", "0b0a20")
            side = (0.86 + 0.3 * smooth(0, 1, (x - left) / wide))[..., None]
            scene = np.where(body[..., None], tint * side + smooth(top, shore, y)[..., None] * colour("d86a70") * 0.16 * (1 - near), scene)
            across, down = (x - left) / 0.0088, (y - top) / 0.0125
            pane = (across % 1 > 0.34) & (down % 1 > 0.42) & (x > left + 0.005) & (x < left + wide - 0.004) & (y > top + 0.008)
            lamp = lattice(np.floor(across), np.floor(down), int(left * 9000) + layer * 77)
            on = (pane & body & (lamp > 0.62 - 0.1 * near)) * (0.35 + 0.75 * near)
            warm = ramp(lattice(np.floor(across), np.floor(down), 5 + layer), "ffcf7a", "ffe6b0", "ffb45c", "a8d8ff")
            scene = mix(scene, warm, on * smooth(0.62, 0.95, lamp + 0.15))
            left += wide + rng.uniform(-0.012, 0.014)
    depth = (y - shore).clip(0)
    wobble = (noise(x * 14, y * 120, 4) + noise(x * 5, y * 50, 9)) * (0.006 + depth * 0.05)
    rows = ((2 * shore - y - depth * 0.35 + wobble) * height).clip(0, height - 1).astype(int)
    columns = (np.arange(width)[None] + wobble * height * 0.35).clip(0, width - 1).astype(int)
    water = blur(scene, 5, 0.8)[rows, columns] * np.array([0.62, 0.6, 0.75])
    return mix(scene, water * (1 - 0.9 * depth)[..., None], y > shore)


def sunrise_poster(width=900, height=1200):
    x, y = grid(width, height)
    dx, dy = x - 0.375, y - 0.43
    scene = ramp(y, (0, "1d1147"), (0.3, "5a1e78"), (0.52, "e0457b"), (0.64, "ffa35c"))
    sun = smooth(0.2515, 0.2485, np.hypot(dx, dy))
    slit = smooth(0.0, 0.004, np.abs((y - 0.45) % 0.042 - 0.021) - 0.0022 - 0.016 * smooth(0.42, 0.7, y)) + (y < 0.44)
    scene = mix(scene, ramp((dy + 0.25) / 0.5, "fff3a0", "ffc04d", "ff6f61", "d83a7c"), sun * slit.clip(0, 1))
    for index, tint in enumerate(("7b2d7e", "4d1f66", "2c1450", "150a33")):
        crest = 0.62 + 0.075 * index - 0.1 * ridged(x * (1.5 + 0.4 * index), 0 * x + index * 4, 60 + index, 3 + index) * (0.75 - 0.1 * index)
        scene = mix(scene, colour(tint), smooth(-0.0008, 0.0008, y - crest))
    ax, ay = np.abs(x - 0.375) - 0.375 + 0.06, np.abs(y - 0.5) - 0.5 + 0.06
    edge = np.hypot(ax.clip(0), ay.clip(0)) + np.minimum(np.maximum(ax, ay), 0) - 0.045
    scene = mix(scene, colour("fff0d8"), smooth(-0.013, -0.0115, edge))
    return np.dstack([np.rint(scene * 127) / 127, smooth(0.0008, -0.0008, edge)])


PICTURES = {
    "aurora-over-lake.jpg": (aurora_over_lake, "jpeg 82 progressive"),
    "nebula.jpg": (nebula, "jpeg 76 progressive"),
    "planet-with-rings.jpg": (planet_with_rings, "jpeg 82"),
    "spiral-galaxy.webp": (spiral_galaxy, "webp 76"),
    "eclipse.png": (eclipse, "png deep"),
    "city-at-night.webp": (city_at_night, "webp 78"),
    "sunrise-poster.png": (sunrise_poster, "png"),
}
