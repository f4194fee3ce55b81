"""The recipes of docs/cluster.md, as they stand there."""

from __future__ import annotations

import collections
import datetime
import glob
import json
import math
import os
import re
import signal
import subprocess
import sys

from support import ALCEDO, ROOT, Origin, environment
from test_spark import Place

COUNT = 500


class RecipeTests(Place):
    def run_recipe(self, name: str, program: list[str]) -> tuple[Origin, list[dict]]:
        """Runs a recipe beside a list.txt of some failing URLs; returns the rows that it wrote."""
        with open(os.path.join(ROOT, "docs/cluster.md")) as file:
            recipe = re.search(rf"<!-- recipe: {name} -->\n```\w+\n(.*?)```", file.read(), re.S)
        assert recipe, f"docs/cluster.md has no recipe {name}"
        origin = self.origin(hosts=20)
        self.write("list.txt", [origin.url(number, "missing/x.png" if number < 3 else None) for number in range(COUNT)])
        os.makedirs(self.path("bin"))
        os.symlink(ALCEDO, self.path("bin/alcedo"))
        variables = environment(self.folder)
        variables["PATH"] = f"{self.path('bin')}:{variables['PATH']}"
        variables["HOME"] = self.folder
        # A session of its own, to end all that the recipe may leave.
        process = subprocess.Popen([*program, recipe[1]], cwd=self.folder, env=variables, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            text = process.communicate(timeout=240)[0]
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assertEqual(process.returncode, 0, text)
        rows = []
        for path in glob.glob(self.path("*.jsonl")):
            with open(path) as lines:
                rows += [row for row in map(json.loads, lines) if row["type"] == "item"]
        return origin, rows

    def check(self, origin: Origin, rows: list[dict]) -> None:
        self.assertEqual(sorted(row["line"] for row in rows), list(range(1, COUNT + 1)))
        self.assertEqual(collections.Counter(row["status"] for row in rows), {"fetched": COUNT - 3, "failed": 3})
        counts = origin.counts()
        self.assertEqual({url: count for url, count in counts.items() if count > 1}, {}, "requested more than once")
        self.assertEqual(len(counts), COUNT)

    def test_parallel(self) -> None:
        self.check(*self.run_recipe("parallel", ["bash", "-c"]))

    def test_ray(self) -> None:
        self.check(*self.run_recipe("ray", [sys.executable, "-c"]))

    def test_dask(self) -> None:
        self.check(*self.run_recipe("dask", [sys.executable, "-c"]))


class ListTests(Place):
    """Lists that alcedo itself reads through pyarrow."""

    def plan(self, name: str) -> subprocess.CompletedProcess[str]:
        variables = environment(self.folder)
        variables["PATH"] = f"{os.path.dirname(sys.executable)}:{variables['PATH']}"
        return subprocess.run([ALCEDO, "prefetch", "--dry-run", "--json", self.path(name)], cwd=self.folder, text=True,
                              env=variables, capture_output=True, timeout=60)

    def test_parquet(self) -> None:
        import pyarrow
        import pyarrow.parquet as parquet
        count = 9000
        table = pyarrow.table({
            "url": [f"http://127.0.0.1:9/{number}.jpg" for number in range(count)],
            "TEXT": [f"caption {number} é" for number in range(count)],
            "width": [math.nan if number == 0 else number / 2 for number in range(count)],
            "taken": [datetime.date(2026, 7, 14)] * count, "image": [b"\xff\xd8"] * count,
            "boxes": [[{"x": math.inf}]] * count})
        parquet.write_table(table, self.path("list.parquet"), compression="zstd")
        # A module of that name in the working folder is not imported.
        self.write("pyarrow.py", ["raise SystemExit('the wrong module')"])
        result = self.plan("list.parquet")
        rows = [row for row in map(json.loads, result.stdout.splitlines()) if row["type"] == "item"]
        self.assertEqual((result.returncode, len(rows)), (0, count), result.stderr)
        self.assertEqual([row["line"] for row in rows], list(range(1, count + 1)))
        self.assertEqual(rows[0]["columns"], {"TEXT": "caption 0 é", "taken": "2026-07-14", "boxes": [{"x": None}]})
        self.assertEqual((rows[8999]["url"], rows[8999]["columns"]["width"]), ("http://127.0.0.1:9/8999.jpg", 4499.5))

    def test_cut_parquet(self) -> None:
        with open(self.path("cut.parquet"), "wb") as file:
            file.write(b"PAR1\x15\x04\x15" + bytes(100))
        result = self.plan("cut.parquet")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cut.parquet: cannot be read: pyarrow: ArrowInvalid", result.stderr)
