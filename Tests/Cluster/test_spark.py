"""spark_prefetch.py on executors of `local-cluster`, against a server that logs every request."""

from __future__ import annotations

import collections
import contextlib
import datetime
import decimal
import hashlib
import io
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

import pyarrow
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet
import webdataset

from support import ALCEDO, ROOT, SCRIPT, Origin, Squid, environment, is_alive, kill, kill_one_executor, until

URLS = int(os.environ.get("URLS", 20_000))
JOBS = 16


class Place(unittest.TestCase):
    """A test with a folder of its own, whose servers end with it."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="alcedo-cluster-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def origin(self, **options: object) -> Origin:
        origin = Origin(self.folder, **options)
        self.addCleanup(origin.stop)
        return origin

    def write(self, name: str, lines: list[str]) -> str:
        with open(self.path(name), "w") as file:
            file.writelines(line + "\n" for line in lines)
        return self.path(name)

    def facts(self, out: str, run: int | None = None) -> list[dict]:
        place = f"{out}/facts" + (f"/run={run}" if run else "")
        return pyarrow.dataset.dataset(place, format="parquet", partitioning="hive").to_table().to_pylist()

    def summary(self, out: str) -> dict:
        with open(f"{out}/summary.json") as file:
            return json.load(file)


class SparkTests(Place):
    """The program as users start it."""

    def start(self, *arguments: str, executors: int = 2) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, SCRIPT, "--master", f"local-cluster[{executors},1,1024]", "--jobs", str(JOBS), *arguments],
            env=environment(self.folder), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(kill, process)
        return process

    def end(self, process: subprocess.Popen) -> tuple[int, str]:
        text = process.communicate(timeout=600)[0]
        return process.returncode, text

    def test_two_executors_and_squid(self) -> None:
        """Each URL reaches the server once and has one row; a second run asks for nothing; failures can be fed back."""
        origin, squid = self.origin(), Squid()
        self.addCleanup(squid.stop)
        missing = [origin.url(number, f"missing/{number}.png?token=secret{number}") for number in range(20)]
        urls = [origin.url(number) for number in range(URLS)]
        # The first 100 are there twice.
        arguments = [self.write("list.txt", ["# pictures", *urls, *missing, *urls[:100]]), "-o", self.path("out"),
                     "--proxy", squid.url, "--cache", "cache"]
        code, text = self.end(self.start(*arguments))
        self.assertEqual(code, 3, text)
        self.assertNotIn("secret", text)

        counts = origin.counts()
        self.assertEqual(len(counts), len(urls) + len(missing))
        self.assertEqual(set(counts.values()), {1})
        rows = self.facts(self.path("out"))
        self.assertEqual(len(rows), len(urls) + len(missing))
        self.assertEqual(len({row["urlId"] for row in rows}), len(rows))
        self.assertEqual(collections.Counter(row["status"] for row in rows),
                         {"fetched": len(urls), "failed": len(missing)})
        self.assertFalse([row for row in rows if "secret" in str(row)])
        one = next(row for row in rows if row["url"] == urls[0])
        self.assertEqual((one["format"], one["width"], one["host"], one["http"]), ("PNG", 8, "127.1.0.1", 200))
        summary = self.summary(self.path("out"))
        self.assertEqual(summary["listed"] - summary["distinct"], 100)
        self.assertEqual(summary["errors"], {"status": len(missing)})

        with open(self.path("out/failures.txt")) as file:
            failures = file.read()
        self.assertEqual({line for line in failures.splitlines() if line[0] != "#"}, set(missing))
        self.assertIn("# 404 Not Found", failures)

        code, text = self.end(self.start(*arguments))
        self.assertEqual(code, 3, text)
        self.assertEqual(origin.size(), sum(counts.values()))
        self.assertEqual(self.summary(self.path("out"))["asked"], 0)
        self.assertEqual(self.summary(self.path("out"))["status"], summary["status"])

        # The list of failures is a list for alcedo.
        again = subprocess.run([ALCEDO, "prefetch", self.path("out/failures.txt"), "--json"], capture_output=True,
                               text=True, env=environment(self.folder))
        self.assertEqual(json.loads(again.stdout.splitlines()[-1])["failed"], len(missing))

    def test_killed_executor(self) -> None:
        """The job ends, each URL has one row, and at most what was in flight reaches the server twice."""
        origin, squid = self.origin(latency=0.01), Squid()
        self.addCleanup(squid.stop)
        urls = [origin.url(number) for number in range(URLS)]
        process = self.start(self.write("list.txt", urls), "-o", self.path("out"), "--proxy", squid.url,
                             "--cache", "cache")
        until(lambda: origin.size() >= URLS // 2 or process.poll() is not None, "half of the list", 300)
        below = kill_one_executor(process.pid)
        until(lambda: not any(is_alive(one) for one in below), "its workers are gone", 20)
        code, text = self.end(process)
        self.assertEqual(code, 0, text)
        self.assertIn("Lost executor", text)
        rows = self.facts(self.path("out"))
        self.assertEqual(len(rows), URLS)
        self.assertEqual(len({row["urlId"] for row in rows}), URLS)
        self.assertTrue(all(row["status"] in ("fetched", "hit") for row in rows))
        counts = origin.counts()
        self.assertEqual(len(counts), URLS)
        self.assertLessEqual(sum(counts.values()) - URLS, JOBS)
        print(f"{sum(counts.values()) - URLS} asked for twice … ", end="", file=sys.stderr, flush=True)


class SessionTests(Place):
    """Many small jobs in one session of four executors."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.home = tempfile.mkdtemp(prefix="alcedo-cluster-")
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        saved = dict(os.environ)
        cls.addClassCleanup(lambda: (os.environ.clear(), os.environ.update(saved)))
        os.environ.clear()
        os.environ.update(environment(cls.home))
        # A file system that is not the local one, though its files lie there.
        os.environ["PYSPARK_SUBMIT_ARGS"] = (
            f"--conf spark.hadoop.fs.viewfs.mounttable.test.linkFallback=file://{cls.home} pyspark-shell")
        sys.path.insert(0, os.path.join(ROOT, "cluster"))
        import spark_prefetch

        cls.program = spark_prefetch
        cls.spark = spark_prefetch.session(
            spark_prefetch.parse_arguments(["x.txt", "-o", "x", "--master", "local-cluster[4,1,1024]"]))
        cls.addClassCleanup(cls.spark.stop)
        cls.spark.sparkContext.setLogLevel("OFF")
        cls.spark.sparkContext.addPyFile(SCRIPT)

    def run_program(self, *arguments: str) -> int:
        with contextlib.redirect_stderr(io.StringIO()):
            return self.program.run(self.spark, self.program.parse_arguments(list(arguments)))

    def message(self, *arguments: str) -> str:
        """Returns the error of a run that cannot do its work."""
        with self.assertRaises(self.program.Stop) as caught:
            self.run_program(*arguments)
        return str(caught.exception)

    def samples(self, shards: str) -> list[dict]:
        """Returns what WebDataset reads in the tar files of a folder."""
        files = sorted(str(file) for file in pathlib.Path(shards).rglob("*.tar"))
        return list(webdataset.WebDataset(files, shardshuffle=False))

    def test_limits_of_one_host(self) -> None:
        """Four executors on one host stay within its connections and its rate."""
        origin = self.origin(hosts=1, latency=0.03)
        path = self.write("list.txt", [origin.url(number) for number in range(900)])
        self.assertEqual(self.run_program(path, "-o", self.path("out"), "--per-host", "5", "--cache", "own",
                                          "--parts", "4"), 0)
        requests = origin.requests()
        self.assertEqual(self.summary(self.path("out"))["parts"], 4)
        self.assertEqual(len(requests), 900)
        self.assertLessEqual(max(int(running) for *_, running, _ in requests), 5)
        self.assertGreater(max(int(running) for *_, running, _ in requests), 2)

    def test_rate_of_one_host(self) -> None:
        origin = self.origin(hosts=1)
        path = self.write("list.txt", [origin.url(number) for number in range(200)])
        self.assertEqual(self.run_program(path, "-o", self.path("out"), "--rate", "50/s", "--cache", "rate",
                                          "--parts", "4"), 0)
        times = sorted(float(seconds) for seconds, *_ in origin.requests())
        most = max(sum(1 for other in times if 0 <= other - start < 1) for start in times)
        self.assertLessEqual(most, 60)

    def test_forms_of_lists(self) -> None:
        """Parquet, CSV, TSV and JSON lines have the same pictures; odd lines get rows, too."""
        origin = self.origin(hosts=3)
        urls = [origin.url(number) for number in range(9)] + [origin.url(1)]
        pyarrow.parquet.write_table(pyarrow.table({"id": list(range(10)), "picture": urls}), self.path("a.parquet"))
        self.write("b.csv", ["id,URL", *(f'{number},"{url}"' for number, url in enumerate(urls))])
        self.write("c.tsv", ["image_url\tid", *(f"{url}\t{number}" for number, url in enumerate(urls))])
        self.write("d.jsonl", [json.dumps({"url": url, "n": number}) for number, url in enumerate(urls)])
        for name, extra in {"a.parquet": ["--url-column", "picture"], "b.csv": [], "c.tsv": [], "d.jsonl": []}.items():
            out = self.path(f"out-{name}")
            self.assertEqual(self.run_program(self.path(name), "-o", out, "--cache", "forms", *extra), 0, name)
            self.assertEqual({row["url"] for row in self.facts(out)}, set(urls), name)
            self.assertEqual(self.summary(out)["listed"], 10, name)
        self.assertIn("--url-column", self.message(self.path("a.parquet"), "-o", self.path("x")))
        self.assertIn("id, URL", self.message(self.path("b.csv"), "-o", self.path("x"), "--url-column", "link"))
        self.assertIn("not text", self.message(self.path("a.parquet"), "-o", self.path("x"), "--url-column", "id"))
        self.assertIn("--format", self.message(self.path("list"), "-o", self.path("x")))
        self.assertIn("absent.txt", self.message(self.path("absent.txt"), "-o", self.path("x")))

    def test_tar_files(self) -> None:
        """WebDataset reads each picture once, with its facts."""
        origin = self.origin(hosts=5)
        path = self.write("list.txt", [origin.url(number) for number in range(400)] + [origin.url(7, "missing/7.png")])
        out, shards = self.path("out"), self.path("shards")
        self.assertEqual(self.run_program(path, "-o", out, "--cache", "tars", "--to", f"tar:{shards}"), 3)
        samples = self.samples(shards)
        digests = {row["url"]: row["sha256"] for row in self.facts(out) if row["status"] == "fetched"}
        self.assertEqual(len(samples), 400)
        self.assertEqual({json.loads(sample["json"])["url"]: hashlib.sha256(sample["png"]).hexdigest()
                          for sample in samples}, digests)
        self.assertEqual(len({sample["__key__"] for sample in samples}), 400)

    def test_columns(self) -> None:
        """Columns keep their types, also if they are named like those of the results; shards have the captions."""
        origin = self.origin(hosts=2)
        time = datetime.datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=datetime.timezone.utc)
        columns = {
            "caption": ["line one\nline \"two\"", None, "refused"], "id": [2**53 + 1, -(2**63), None],
            "status": ["mine", "x", None], "url": ["not this", None, "nor this"], "a.b `c`": [0.1, math.nan, None],
            "n": [{"k": [1, None], "m": {"deep": None}}, None, {"k": None, "m": {"deep": "d"}}],
            "price": [decimal.Decimal("12345678901234567.89"), None, None], "time": [time, None, None],
            "bytes": [b"\x00\xff", None, None], "link": ["see http://name:word@h/x?id=3", None, None],
        }
        urls = [origin.url(0), origin.url(1), "ftp://name:word@h/x.png"]
        pyarrow.parquet.write_table(pyarrow.table({"picture": urls, **columns}), self.path("a.parquet"))
        out, shards = self.path("out"), self.path("shards")
        self.assertEqual(self.run_program(self.path("a.parquet"), "-o", out, "--cache", "columns", "--url-column",
                                          "picture", "--to", f"tar:{shards}"), 3)
        rows = {row["url"]: row for row in self.facts(out)}
        columns["link"][0] = "see http://h/x?id=3"
        for place, url in enumerate([*urls[:2], "ftp://h/x.png"]):
            expected = {name: values[place] for name, values in columns.items()}
            found = dict(rows[url]["columns"])
            for one in (found, expected):  # NaN differs from itself.
                one["a.b `c`"] = str(one["a.b `c`"])
                one["time"] = one["time"] and one["time"].timestamp()
            self.assertEqual(found, expected)
        self.assertEqual(rows["ftp://h/x.png"]["status"], "rejected")
        samples = {json.loads(sample["json"])["url"]: sample for sample in self.samples(shards)}
        self.assertEqual(samples[urls[0]]["txt"].decode(), columns["caption"][0])
        self.assertNotIn("txt", samples[urls[1]])
        self.assertEqual(json.loads(samples[urls[0]]["json"])["columns"]["id"], 2**53 + 1)

    def test_choice_of_columns(self) -> None:
        origin = self.origin(hosts=1)
        first = self.write("a.csv", ["url,caption,label,id", f"{origin.url(0)},one,cat,1",
                                     f"{origin.url(1, 'missing/1.png')},two,dog,2"])
        cow = {"url": origin.url(2), "id": 3, "label": "cow", "sha256": "0" * 64}
        second = self.write("b.jsonl", [json.dumps(cow)])
        plain = self.write("c.txt", [origin.url(0), origin.url(3)])
        out, shards = self.path("out"), self.path("shards")
        self.assertEqual(self.run_program(first, second, plain, "-o", out, "--cache", "choice", "--columns", "id",
                                          "--caption-column", "label", "--to", f"tar:{shards}"), 3)
        rows = {row["url"]: row for row in self.facts(out)}
        # A text list has no columns. A column with numbers in one list and text in another is text.
        self.assertEqual({row["columns"] and row["columns"]["id"] for row in rows.values()}, {"1", "2", "3", None})
        self.assertEqual(rows[origin.url(2)]["status"], "failed")  # Another digest.
        self.assertEqual({sample.get("txt") for sample in self.samples(shards)}, {b"cat", None})
        with open(f"{out}/failures.txt") as file:
            self.assertIn('\n  columns={"', file.read())
        message = self.message(first, second, "-o", self.path("x"), "--columns", "id,author")
        self.assertIn("no column author; the columns beside the address are caption, label, id, sha256", message)
        other = self.write("d.csv", ["url,Label", "http://h/x,y"])
        self.assertIn("spell a column as label and Label. Rename", self.message(first, other, "-o", self.path("x")))
        self.assertIn("no column Caption", self.message(first, "-o", self.path("x"), "--caption-column", "Caption"))

    def test_filters_and_processing(self) -> None:
        """Pictures are left out, rejected, processed and encoded; the rows say so."""
        origin = self.origin(hosts=2)
        path = self.write("list.csv", ["url,caption", *(f"{origin.url(number, name)},text {number}" for number, name in
                                                        enumerate(["a.png", "b.png", "left.png", "bad.png"]))])
        out = self.path("out")
        self.assertEqual(self.run_program(
            path, "-o", out, "--cache", "filters", "--command", "download", "--to", f"folder:{self.path('files')}",
            "--", "--keep", "!left", "--reject", "bad", "--process", "resize(4x4)", "--encode", "jpg:80", "--name",
            "{column:caption}{ext}"), 3)
        rows = {row["url"].rpartition("/")[2]: row for row in self.facts(out)}
        self.assertEqual({name: row["status"] for name, row in rows.items()},
                         {"a.png": "fetched", "b.png": "fetched", "left.png": "skipped", "bad.png": "failed"})
        self.assertEqual((rows["left.png"]["because"], rows["a.png"]["because"]), ("!left", None))
        self.assertEqual(rows["bad.png"]["error"]["text"], "rejected: bad")
        written = rows["a.png"]["written"]
        self.assertEqual((written["format"], written["width"], written["height"]), ("JPEG", 4, 4))
        self.assertEqual((rows["a.png"]["format"], rows["a.png"]["width"]), ("PNG", 8))
        files = {str(file.relative_to(self.path("files"))) for file in pathlib.Path(self.path("files")).rglob("*.jpg")}
        self.assertEqual(files, {rows["a.png"]["file"], rows["b.png"]["file"]})
        self.assertEqual(os.path.getsize(self.path("files/" + rows["a.png"]["file"])), written["bytes"])
        self.assertIn("text 0.jpg", rows["a.png"]["file"])
        # Nothing is asked for again.
        self.assertEqual(self.run_program(path, "-o", out, "--command", "download", "--to", "folder:x"), 3)
        self.assertEqual(self.summary(out)["asked"], 0)
        self.assertIn("--encode needs a folder", self.message(path, "-o", self.path("x"), "--", "--encode", "jpg"))

    def test_pictures_on_another_file_system(self) -> None:
        """Hadoop copies what parts wrote; it gets its name when the run ends, and an interrupted run is repeated."""
        origin = self.origin(hosts=2)
        path = self.write("list.txt", [origin.url(number) for number in range(40)])
        out, place = self.path("out"), f"viewfs://test/{os.path.basename(self.folder)}"
        real = f"{self.home}/{os.path.basename(self.folder)}"
        arguments = [path, "-o", out, "--cache", self.path("cache"), "--to", f"tar:{place}", "--", "--encode", "jpg"]
        self.assertEqual(self.run_program(*arguments), 0)
        self.assertEqual([sample["jpg"][:2] for sample in self.samples(real)], [b"\xff\xd8"] * 40)
        self.assertEqual([name for name in os.listdir(f"{real}/run-1") if not name.isdigit()], [])
        self.assertFalse(os.path.exists(f"{out}/.unfinished"))
        # The driver was killed before the folders got their names.
        os.rename(f"{real}/run-1/00000", f"{real}/run-1/.00000.x")
        self.write("out/.unfinished", [f"{place}/run-1"])
        self.assertEqual(self.run_program(*arguments), 0)
        self.assertEqual((self.summary(out)["runs"], len(self.samples(real))), ([1], 40))
        self.assertEqual(set(origin.counts().values()), {1})
        # Pictures of other results stay.
        text = self.message(path, "-o", self.path("other"), "--to", f"tar:{place}")
        self.assertIn(f"{place}/run-1: is there already", text)
        self.assertEqual(len(self.samples(real)), 40)
        text = self.message(path, "-o", self.path("other"), "--to", "folder:unknown://x/y")
        self.assertIn("unknown://x/y/run-1: its file system cannot be used: ", text)

    def test_pictures_that_cannot_be_copied(self) -> None:
        sink = self.program.Sink("tar", "viewfs://nobody/x", types.SimpleNamespace(value="<configuration/>"), None)
        os.makedirs(self.path("part"))
        with self.assertRaisesRegex(RuntimeError, "^pictures cannot be copied from .* to viewfs://nobody/x: put: "):
            sink.copy(self.folder, "viewfs://nobody/x")

    def test_odd_lines(self) -> None:
        origin = self.origin(hosts=2)
        port = origin.port
        odd = ["ftp://name:word@host/x.png?key=1", "/etc/passwd", "file:///etc/passwd", "no address", "http://",
               "http:///x.png", "http://host:99999/x.png"]
        good = [f"HTTP://127.1.0.1:{port}/a b.png", f"http://name:word@127.1.0.2:{port}/c.png?sig=abc",
                f"http://127.1.0.2:{port}/d.png\thttp://elsewhere/d.png", f"  http://127.1.0.2:{port}/e.png  "]
        refused = ["http://[::1]:1/x.png", f"http://127.1.0.1:{port}/broken/1.png"]
        path = self.write("list.txt", ["# a comment", "", *odd, *good, "  title=A boat", *refused])
        out = self.path("out")
        self.assertEqual(self.run_program(path, "-o", out, "--cache", "odd", "--", "--retries", "0"), 3)
        rows = self.facts(out)
        status = collections.Counter(row["status"] for row in rows)
        self.assertEqual(status, {"rejected": len(odd), "fetched": len(good), "failed": len(refused)})
        self.assertFalse([row["url"] for row in rows if "word" in row["url"] or "abc" in row["url"]])
        with open(f"{out}/failures.txt") as file:
            self.assertEqual({line.strip() for line in file if line[0] != "#"}, set(refused))
        # What may succeed later is asked again, and has a row for each run; the rest is not.
        self.assertEqual(self.run_program(path, "-o", out, "--cache", "odd", "--", "--retries", "0"), 3)
        self.assertEqual([row["host"] for row in self.facts(out, 2)], ["[::1]"])
        self.assertEqual(self.summary(out)["status"], status)

    def test_earlier_results_sample_and_batches(self) -> None:
        origin = self.origin(hosts=3)
        path = self.write("list.txt", [origin.url(number) for number in range(300)])
        first, second = self.path("first"), self.path("second")
        self.assertEqual(self.run_program(path, "-o", first, "--command", "check", "--sample", "0.3"), 0)
        asked = self.summary(first)["asked"]
        self.assertTrue(40 < asked < 150, asked)
        self.assertEqual(self.facts(first)[0]["verdict"], "unchecked")
        self.assertEqual(self.run_program(path, "-o", second, "--command", "check", "--earlier", first,
                                          "--batches", "2"), 0)
        self.assertEqual(self.summary(second)["asked"], 300 - asked)
        self.assertEqual(self.summary(second)["runs"], [1, 2])
        self.assertEqual(set(origin.counts().values()), {1})
        # An interrupted run leaves a folder without _SUCCESS.
        os.remove(f"{second}/facts/run=2/_SUCCESS")
        lost = len(self.facts(second, 2))
        self.assertEqual(self.run_program(path, "-o", second, "--command", "check", "--earlier", first), 0)
        self.assertEqual(self.summary(second)["asked"], lost)
        self.assertIn("results of alcedo check", self.message(path, "-o", second))

    def test_clear_errors(self) -> None:
        path = self.write("list.txt", ["http://127.0.0.1:1/a.png"])
        os.makedirs(self.path("full"))
        self.write("full/thesis.txt", ["text"])
        self.assertIn("thesis.txt", self.message(path, "-o", self.path("full")))
        text = self.message(path, "-o", self.path("out"), "--alcedo", "/nowhere/alcedo")
        self.assertIn("/nowhere/alcedo", text)
        self.assertIn("--alcedo", text)
        self.assertIn("--retry", self.message(path, "-o", self.path("out"), "--", "--retry", "x"))
        self.assertFalse(os.path.exists(self.path("out/facts")))

    def test_empty_list(self) -> None:
        path = self.write("list.txt", ["# nothing"])
        self.assertEqual(self.run_program(path, "-o", self.path("out")), 0)
        self.assertEqual(self.summary(self.path("out"))["asked"], 0)

    def test_plan_of_100_000_hosts(self) -> None:
        """The driver does not hold the hosts, and no part is much larger than others."""
        hosts = self.spark.range(100_000).selectExpr("concat('http://h', id, '.example/a.png') AS url")
        large = self.spark.range(20_000).selectExpr("concat('https://LARGE.example:444/', id) AS url")
        urls = self.program.with_identity(hosts.unionAll(large))
        options = self.program.parse_arguments(["x.txt", "-o", "x", "--parts", "20"])
        plan, amounts = self.program.plan_for(urls, 4, options)
        self.assertEqual((amounts.urls, amounts.hosts), (120_000, 100_001))
        self.assertEqual([tuple(one) for one in plan.placed], [("large.example", 17, 4)])
        parts = self.program.assign(self.spark, urls, plan).groupBy("part").count().collect()
        sizes = {row["part"]: row["count"] for row in parts}
        self.assertEqual(len(sizes), len(plan.parts))
        self.assertLess(max(sizes.values()), 1.7 * 120_000 / 20)
