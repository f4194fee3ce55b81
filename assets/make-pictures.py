#!/usr/bin/env python3
"""Paints the demo pictures into assets/pictures: make-pictures.py [NAME…]

Needs numpy, and from Debian: libjpeg-turbo-progs, webp, gifsicle, imagemagick.
"""

import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from painting import land, patterns, sea, sky

PICTURES = land.PICTURES | sea.PICTURES | sky.PICTURES | patterns.PICTURES
FOLDER = pathlib.Path(__file__).parent / "pictures"


def portable(image, deep=False):
    """The picture as PAM: 8 or 16 bits a sample, with or without alpha."""
    top = 65535 if deep else 255
    samples = np.rint(np.clip(image, 0, 1) * top).astype(">u2" if deep else "u1")
    depth = image.shape[2]
    kind = {1: "GRAYSCALE", 3: "RGB", 4: "RGB_ALPHA"}[depth]
    head = f"P7\nWIDTH {image.shape[1]}\nHEIGHT {image.shape[0]}\nDEPTH {depth}\nMAXVAL {top}\nTUPLTYPE {kind}\nENDHDR\n"
    return head.encode() + samples.tobytes()


def pixmap(image):
    return f"P6 {image.shape[1]} {image.shape[0]} 255\n".encode() + np.rint(np.clip(image, 0, 1) * 255).astype("u1").tobytes()


def run(command, data=None):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def turned(jpeg, orientation=6):
    """The JPEG with an EXIF block that says how to turn it."""
    tiff = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01" + bytes([0, orientation]) + b"\0\0\0\0\0\0"
    block = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block + jpeg[2:]


def jpeg(image, quality="80", *flags):
    if "turned" in flags:
        image = np.rot90(image)
    progressive = ["-progressive"] if "progressive" in flags else []
    data = run(["cjpeg", "-quality", quality, "-optimize", *progressive], pixmap(image))
    return turned(data) if "turned" in flags else data


def webp(image, quality="80", *flags):
    with tempfile.NamedTemporaryFile(suffix=".pam") as source:
        source.write(portable(image))
        source.flush()
        lossless = ["-near_lossless", quality] if "lossless" in flags else ["-q", quality]
        return run(["cwebp", "-quiet", "-m", "6", *lossless, source.name, "-o", "-"])


def png(image, *flags):
    colours = [flag for flag in flags if flag.isdigit()]
    palette = ["-dither", "FloydSteinberg", "-colors", *colours, "-define", "png:color-type=3"] if colours else []
    deep = "deep" in flags
    clean = ["-strip", "-define", "png:compression-level=9", "-define", "png:exclude-chunks=date,time"]
    return run(["/usr/bin/convert", "pam:-", *palette, *clean, "png:-"], portable(image, deep))


def gif(frames, colours="64", delay="8", *flags):
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/{index:03}.pam" for index in range(len(frames))]
        for name, frame in zip(names, frames):
            pathlib.Path(name).write_bytes(portable(frame))
        whole = run(["/usr/bin/convert", "-delay", delay, *names, "-dither", "None", "+map", "gif:-"])
        return run(["gifsicle", "-O3", "--colors", colours, "--lossy=45", "--loopcount=forever"], whole)


def paint(name):
    function, recipe = PICTURES[name]
    form, *rest = recipe.split()
    data = {"jpeg": jpeg, "webp": webp, "png": png, "gif": gif}[form](function(), *rest)
    (FOLDER / name).write_bytes(data)
    return name, len(data)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with ProcessPoolExecutor(2) as pool:
        for name, size in pool.map(paint, sys.argv[1:] or PICTURES):
            print(f"{size:9,}  {name}", flush=True)
