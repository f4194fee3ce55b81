"""The recipes of docs/cluster.md, as they stand there."""

from __future__ import annotations

import collections
import glob
import json
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
