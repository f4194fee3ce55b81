#!/usr/bin/env python3
"""duplicates.py FOLDER ALCEDO PICTURE…: what `alcedo dups`, imagehash and czkawka find of planted copies.

FOLDER should lie on tmpfs. Large pictures are cut into tiles of 640 × 480; 140 pictures get 15 copies each, other tiles get
none. Needs the packages pillow, imagehash and czkawka. The table stands in docs/decisions/0046-duplicates-by-one-hash.md.
"""
import collections
import glob
import json
import os
import random
import subprocess
import sys

import numpy
from PIL import Image, ImageEnhance, ImageOps, ImageStat

folder, alcedo, sources = sys.argv[1], sys.argv[2], sorted(sys.argv[3:])
ORIGINALS = 140


def cut(image, part):
    width, height = image.size
    across, down = round(width * part), round(height * part)
    return image.crop((across, down, width - across, height - down))


def scaled(image, divisor):
    return image.resize((image.width // divisor, image.height // divisor), Image.LANCZOS)


def framed(image, part, index):
    return ImageOps.expand(image, round(min(image.size) * part), "white" if index % 2 else "black")


def lit(image, factor):
    return ImageEnhance.Brightness(image).enhance(factor)


# The change of a picture, and the quality of its JPEG.
KINDS = {
    "q30": (lambda image, _: image, 30),
    "q60": (lambda image, _: image, 60),
    "half": (lambda image, _: scaled(image, 2), 90),
    "quarter": (lambda image, _: scaled(image, 4), 90),
    "bright": (lambda image, _: lit(image, 1.2), 90),
    "dark": (lambda image, _: lit(image, 0.8), 90),
    "cut5": (lambda image, _: cut(image, 0.05), 90),
    "cut10": (lambda image, _: cut(image, 0.10), 90),
    "cut20": (lambda image, _: cut(image, 0.20), 90),
    "frame2": (lambda image, index: framed(image, 0.02, index), 90),
    "frame5": (lambda image, index: framed(image, 0.05, index), 90),
    "frame10": (lambda image, index: framed(image, 0.10, index), 90),
    "turn3": (lambda image, _: image.rotate(3, Image.BICUBIC), 90),
    "mirror": (lambda image, _: ImageOps.mirror(image), 90),
    "turn90": (lambda image, _: image.transpose(Image.ROTATE_90), 90),
}


def plant():
    whole, tiles = [], []
    for path in sources:
        image = Image.open(path).convert("RGB")
        if max(image.size) <= 1600:
            whole.append(image)
            continue
        whole.append(image.resize((1280, round(1280 * image.height / image.width)), Image.LANCZOS))
        for y in range(0, image.height - 479, 480):
            for x in range(0, image.width - 639, 640):
                tile = image.crop((x, y, x + 640, y + 480))
                if ImageStat.Stat(tile.convert("L")).stddev[0] > 12:
                    tiles.append(tile)
    random.Random(56).shuffle(tiles)
    pictures = whole + tiles
    for index, image in enumerate(pictures[:ORIGINALS]):
        path = f"{folder}/{index:03d}-original.jpg"
        image.save(path, quality=92)
        image = Image.open(path).convert("RGB")
        for kind, (change, quality) in KINDS.items():
            change(image, index).save(f"{folder}/{index:03d}-{kind}.jpg", quality=quality)
    for index, image in enumerate(pictures[ORIGINALS:]):
        image.save(f"{folder}/x{index:03d}-other.jpg", quality=92)


os.makedirs(folder, exist_ok=True)
if not glob.glob(folder + "/*.jpg"):
    plant()
files = sorted(os.path.basename(path) for path in glob.glob(folder + "/*.jpg"))
places = {name: place for place, name in enumerate(files)}
origins = [name.split("-")[0] for name in files]
kinds = [name.split("-")[1][:-4] for name in files]
totals = collections.Counter(kinds)


def row(name, found, pairs):
    """Prints the copies found of each kind, of all kinds, and the pairs that are copies, in per cent."""
    right = sum(origins[left] == origins[right] for left, right in pairs)
    cells = [100 * sum(kinds[place] == kind for place in found) / max(1, totals[kind]) for kind in KINDS]
    every = 100 * len(found) / sum(totals[kind] for kind in KINDS)
    print(f"{name:24}", *(f"{cell:6.0f}" for cell in cells), f"{every:6.0f} {100 * right / max(1, len(pairs)):6.1f}")


def by_pairs(name, pairs):
    both = [pair for left, right in pairs for pair in ((left, right), (right, left))]
    row(name, {b for a, b in both if kinds[a] == "original" and origins[a] == origins[b]}, pairs)


def by_groups(*options):
    run = subprocess.run([alcedo, "dups", folder, "--json", *options], stdout=subprocess.PIPE, text=True)
    found, pairs, best = set(), [], collections.Counter()
    for line in run.stdout.splitlines():
        members = [(places[os.path.basename(p["path"])], p["keep"]) for p in json.loads(line)["pictures"]]
        originals = {origins[place] for place, _ in members if kinds[place] == "original"}
        found |= {place for place, _ in members if kinds[place] in KINDS and origins[place] in originals}
        pairs += [(members[0][0], place) for place, stays in members[1:] if not stays]
        best[kinds[members[0][0]]] += 1
    row("alcedo " + " ".join(options), found, pairs)
    print(" " * 24, "kept as the best:", dict(best))


print(" " * 24, *(f"{kind[:6]:>6}" for kind in KINDS), "   all  right")
for distance in ("8", "10"):
    by_groups("--like", distance)
    by_groups("--like", distance, "--turned")
try:
    import imagehash
    from czkawka import ImageSimilarity
except ImportError:
    sys.exit("imagehash and czkawka are not installed")
ones = numpy.array([bin(byte).count("1") for byte in range(256)])
for method in ("phash", "dhash", "whash"):
    hashes = [getattr(imagehash, method)(Image.open(f"{folder}/{name}")).hash.flatten() for name in files]
    rows = numpy.packbits(numpy.array(hashes, dtype=bool), axis=1)
    bits = [ones[rows[place + 1 :] ^ rows[place]].sum(1) for place in range(len(rows))]
    for distance in (8, 10):
        near = [numpy.nonzero(line <= distance)[0] for line in bits]
        by_pairs(f"imagehash {method} {distance}", [(i, i + 1 + j) for i, line in enumerate(near) for j in line])
for distance in (5, 15):
    finder = ImageSimilarity()
    finder.set_directories([folder])
    finder.set_similarity(distance)
    groups = finder.find_similar_with_distances()
    pairs = {tuple(places[os.path.basename(str(path))] for path in pair[:2]) for group in groups for pair in group}
    by_pairs(f"czkawka {distance}", list(pairs))
