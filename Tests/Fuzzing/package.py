#!/usr/bin/env python3
"""Prints the manifest of the fuzzed package: targets of the project and what they need, built with coverage.

Usage: swift package dump-package | package.py FOLDER; links the targets' folders into FOLDER/Sources.
"""
import json, os, sys

ROOTS = ["AlcedoImageCodecs", "AlcedoSandbox", "AlcedoLists", "AlcedoHTTPRequests", "AlcedoScreen", "TerminalGraphics"]
FEATURES = ["ExistentialAny", "NonisolatedNonsendingByDefault", "MemberImportVisibility"]


def dependencies(target):
    return [(d.get("byName") or d.get("target"))[0] for d in target["dependencies"]]


targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
needed, waiting = {}, list(ROOTS)
while waiting:
    name = waiting.pop()
    if name not in needed:
        needed[name] = targets[name]
        waiting += dependencies(targets[name])

rows = [f'.target(name: "Pieces", dependencies: {json.dumps(sorted(n for n in needed if not n.startswith("AlcedoC")))}'
        ', swiftSettings: settings)']
for name, target in sorted(needed.items()):
    path = target.get("path") or f"Sources/{name}"
    link = os.path.join(sys.argv[1], path)
    os.makedirs(os.path.dirname(link), exist_ok=True)
    os.symlink(os.path.abspath(path), link)
    head = f'name: "{name}"'
    if target["type"] == "system":
        config = f', pkgConfig: "{target["pkgConfig"]}"' if target.get("pkgConfig") else ""
        rows.append(f'.systemLibrary({head}, path: "{path}"{config})')
    else:
        swift = "" if path.startswith("Sources/C/") else ", swiftSettings: settings"
        rows.append(f'.target({head}, dependencies: {json.dumps(dependencies(target))}, path: "{path}"{swift})')
features = ", ".join(f'.enableUpcomingFeature("{feature}")' for feature in FEATURES)
print(f"""// swift-tools-version: 6.2
import PackageDescription
let settings: [SwiftSetting] = [{features}, .unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"])]
let package = Package(name: "fuzz", products: [
    .library(name: "Parsers", type: .static, targets: {json.dumps(ROOTS + ["Pieces"])})], targets: [
    {(","+chr(10)+"    ").join(rows)}])""")
