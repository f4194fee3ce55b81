#!/usr/bin/env python3
"""Runs `alcedo prefetch` or `alcedo check` on many machines with Apache Spark.

    spark-submit cluster/spark_prefetch.py urls.parquet -o hdfs:///facts
    python3 cluster/spark_prefetch.py --master 'local-cluster[2,1,1024]' urls.txt -o out -- --retries 1

Options behind -- go to alcedo. OUT gets:

    facts/run=N/status=S/*.parquet   one row for each URL that run N asked for
    failures.txt                     the URLs of the lists that still fail, as a list for alcedo or for this program
    summary.json                     counts by status and error, bytes, time, hosts

The same command again asks only for what is left. docs/cluster.md describes the details. Exit code: 0 all usable,
1 could not run, 2 usage error, 3 some failed, 4 nothing usable.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import heapq
import json
import math
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, NamedTuple

try:
    import pyspark
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame, Row, SparkSession
    from pyspark.sql import functions as F
    from pyspark.sql import types as T
except ImportError as error:
    sys.exit(f"alcedo on Spark needs PySpark: {error}. Install it: pip install -r cluster/requirements.txt")

URL_COLUMNS = ["url", "image_url", "img_url", "photo_image_url", "original_url"]
EXTENSIONS = {
    "txt": "text", "list": "text", "text": "text", "csv": "csv", "tsv": "tsv", "jsonl": "json", "ndjson": "json",
    "json": "json", "parquet": "parquet",
}
# Host of an address, without user, port and the dot at the end. Without a match the address is not an http one. alcedo
# must not see those: it would read a path from the executor's own disk.
HOST = r"(?i)^https?://(?:[^/?#]*@)?(\[[0-9a-f:.%]+\]|[^/?#:@\[\]\\]+?)\.?(?=[:/?#]|$)"
USABLE = ["hit", "fetched", "revalidated", "duplicate", "skipped"]
FAILED = ["failed", "cancelled"]
NORMAL_EXITS = (0, 3, 4)
# Options that would change which rows alcedo prints, or that this program sets.
OWN_OPTIONS = {
    "--json", "--shard", "--shard-by", "--where", "--report-where", "--jobs", "--per-host", "--rate", "--proxy", "--to",
    "--resume", "--no-resume", "--version", "--help", "-h",
}
MINIMUM_PART, MAXIMUM_PART = 500, 20_000

ERROR = T.StructType([
    T.StructField("kind", T.StringType()), T.StructField("code", T.IntegerType()),
    T.StructField("text", T.StringType()), T.StructField("retryable", T.BooleanType()),
])
COLOR = T.StructType([
    T.StructField("model", T.StringType()), T.StructField("bits", T.IntegerType()),
    T.StructField("profile", T.StringType()),
])
TIMES = T.StructType([
    T.StructField(name, T.LongType()) for name in ("queue", "dns", "tcp", "tls", "connect", "ttfb", "total", "decode", "store")
])
# The fields of an `item` line (docs/prefetch-events.schema.json), but for `list`, `line` and `key`, which belong to one
# process. `urlId` is the start of the SHA-256 of the whole address; `url` has no secrets.
FACTS = T.StructType([
    T.StructField("urlId", T.StringType(), False), T.StructField("url", T.StringType(), False),
    T.StructField("host", T.StringType()), T.StructField("status", T.StringType(), False),
    T.StructField("http", T.IntegerType()), T.StructField("error", ERROR), T.StructField("attempts", T.IntegerType()),
    T.StructField("bytes", T.LongType()), T.StructField("contentType", T.StringType()),
    T.StructField("format", T.StringType()), T.StructField("mismatch", T.StringType()),
    T.StructField("width", T.IntegerType()), T.StructField("height", T.IntegerType()),
    T.StructField("frames", T.IntegerType()), T.StructField("pages", T.IntegerType()),
    T.StructField("durationMs", T.LongType()), T.StructField("orientation", T.IntegerType()),
    T.StructField("alpha", T.BooleanType()),
    T.StructField("taken", T.StringType()), T.StructField("camera", T.StringType()),
    T.StructField("color", COLOR), T.StructField("verdict", T.StringType()), T.StructField("sha256", T.StringType()),
    T.StructField("phash", T.StringType()), T.StructField("etag", T.StringType()),
    T.StructField("lastModified", T.StringType()), T.StructField("fetchedAt", T.StringType()),
    T.StructField("from", T.StringType()), T.StructField("via", T.StringType()), T.StructField("proto", T.StringType()),
    T.StructField("ms", TIMES),
])


class Stop(Exception):
    """An error that the user can act on."""


# Options


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    own, extra = argv, []
    if "--" in argv:
        own, extra = argv[:argv.index("--")], argv[argv.index("--") + 1:]
    parser = argparse.ArgumentParser(
        description="Run alcedo prefetch or alcedo check on many machines with Apache Spark.",
        epilog="Options behind -- go to alcedo, as: … -o out -- --retries 1 --timeout 20s")
    parser.add_argument("lists", nargs="+", metavar="LIST", help="lists on any file system that Spark reads")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="folder for facts, failures and summary")
    parser.add_argument("--command", choices=["prefetch", "check"], default="prefetch")
    parser.add_argument("--format", choices=["text", "csv", "tsv", "json", "parquet"], help="default: by extension")
    parser.add_argument("--url-column", metavar="NAME", help=f"default: one of {', '.join(URL_COLUMNS)}")
    parser.add_argument("--earlier", action="append", default=[], metavar="PATH",
                        help="leave out what this earlier OUT or Parquet file settled; repeat for more")
    parser.add_argument("--retry-failed", action="store_true",
                        help="ask again for what failed for good in earlier results")
    parser.add_argument("--sample", type=fraction, default=1.0, metavar="SHARE",
                        help="run a share of the URLs, as 0.01")
    parser.add_argument("--per-host", type=positive, default=6, metavar="N",
                        help="connections to one host of the whole cluster (default: 6)")
    parser.add_argument("--rate", type=rate, metavar="R",
                        help="requests to one host of the whole cluster, as 10/s or 30/m (default: no limit)")
    parser.add_argument("--jobs", type=positive, default=32, metavar="N",
                        help="downloads at a time of one process (default: 32)")
    parser.add_argument("--proxy", metavar="URL", help="the shared HTTP cache, as http://cache:3128")
    parser.add_argument("--cache", metavar="FOLDER",
                        help="alcedo's cache on each executor; a relative one lies in the executor's working folder")
    parser.add_argument("--to", metavar="PLACE", help="alcedo's --to; tar:FOLDER gets a folder for each part")
    parser.add_argument("--alcedo", default=os.environ.get("ALCEDO", "alcedo"), metavar="PROGRAM",
                        help="alcedo on the executors (default: $ALCEDO, or alcedo in the PATH)")
    parser.add_argument("--parts", type=positive, metavar="N",
                        help="about this many parts (default: by the list's size)")
    parser.add_argument("--batches", type=positive, default=1, metavar="N",
                        help="run the list in N runs, one after the other; an interruption loses at most one")
    parser.add_argument("--dry-run", action="store_true", help="print the plan as JSON and fetch nothing")
    parser.add_argument("--master", metavar="MASTER", help="Spark's master, as local-cluster[2,1,1024]")
    options = parser.parse_args(own)
    for word in extra:
        if word.split("=")[0] in OWN_OPTIONS:
            parser.error(f"{word.split('=')[0]} cannot stand behind --: this program sets it, or it hides rows")
    if options.command == "check" and options.to:
        parser.error("--to is for prefetch: check stores nothing")
    options.extra = extra
    return options


def positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def fraction(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share above 0, at most 1")
    return value


def rate(text: str) -> float:
    """Returns requests per second."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)/([sm])", text)
    if not match or float(match[1]) <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a rate as 10/s or 30/m")
    return float(match[1]) / (60 if match[2] == "m" else 1)


# Lists


def read_lists(spark: SparkSession, options: argparse.Namespace) -> DataFrame:
    """Returns the column `url` with every address of the lists, spaces escaped, control characters removed."""
    result: DataFrame | None = None
    for path in options.lists:
        one = read_list(spark, path, options.format or format_of(path), options.url_column)
        result = one if result is None else result.unionAll(one)
    assert result is not None
    url = F.regexp_replace(F.trim(F.col("url")), r"[\x00-\x1f\x7f\ufeff]", "")
    return result.select(F.regexp_replace(F.trim(url), " ", "%20").alias("url")).where("url <> ''")


def format_of(path: str) -> str:
    name = re.sub(r"\.(gz|bz2)$", "", path.rstrip("/*").lower())
    found = EXTENSIONS.get(name.rpartition(".")[2])
    if not found:
        raise Stop(f"{path}: the name does not tell the format. Give it: --format text, csv, tsv, json or parquet")
    return found


def read_list(spark: SparkSession, path: str, form: str, column: str | None) -> DataFrame:
    try:
        if form == "text":
            lines = spark.read.text(path)
            address = F.split("value", "\t")[0]  # Behind it are alternatives.
            # Comments, and indented fields of the picture above.
            return lines.where(~F.col("value").rlike(r"^\s*#|^\s+[A-Za-z0-9-]+=")).select(address.alias("url"))
        if form == "json":
            table = spark.read.json(path)
        elif form == "parquet":
            table = spark.read.parquet(path)
        else:
            table = spark.read.csv(path, header=True, sep="\t" if form == "tsv" else ",", escape='"')
    except PySparkException as error:
        raise Stop(f"{path}: cannot be read as {form}: {first_line(error)}") from error
    if not table.columns and form == "json":
        return spark.createDataFrame([], "url string")
    wanted = [column] if column else URL_COLUMNS
    names = {name.lower(): name for name in reversed(table.columns)}
    name = next((names[word.lower()] for word in wanted if word.lower() in names), None)
    if name is None:
        raise Stop(f"{path}: no column {' or '.join(wanted)}; it has {', '.join(table.columns) or 'none'}. "
                   "Name the column with the addresses: --url-column NAME")
    if not isinstance(table.schema[name].dataType, T.StringType):
        raise Stop(f"{path}: the column {name} is {table.schema[name].dataType.simpleString()}, not text. "
                   "Name the column with the addresses: --url-column NAME")
    return table.select(F.col(f"`{name}`").alias("url")).where("url IS NOT NULL")


def with_identity(urls: DataFrame) -> DataFrame:
    """Adds `urlId`, and `host`, which is empty if alcedo must not get the address."""
    return urls.withColumn("urlId", url_id("url")).withColumn("host", F.lower(F.regexp_extract("url", HOST, 1)))


def url_id(column: str) -> Any:
    return F.substring(F.sha2(F.col(column), 256), 1, 32)


def settled(facts: DataFrame, asks_failed_again: bool) -> DataFrame:
    """Returns the ids of those that need no other run: usable ones, and ones that failed for good."""
    done = F.col("status").isin(USABLE)
    if not asks_failed_again:
        done |= (F.col("status") == "rejected") | ((F.col("status") == "failed") & ~F.col("error.retryable"))
    return facts.where(done).select("urlId")


# Results of earlier runs


class Folder:
    """A folder on any file system that Hadoop knows."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self.path, self._jvm = path.rstrip("/") or "/", spark._jvm
        root = self._at("")
        self._files = root.getFileSystem(spark._jsc.hadoopConfiguration())
        self._files.setWriteChecksum(False)

    def _at(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"{self.path}/{name}" if name else self.path)

    def exists(self, name: str = "") -> bool:
        return self._files.exists(self._at(name))

    def names(self, name: str = "") -> list[str]:
        if not self.exists(name):
            return []
        return [status.getPath().getName() for status in self._files.listStatus(self._at(name))]

    def delete(self, name: str) -> None:
        self._files.delete(self._at(name), True)

    def read(self, name: str) -> str:
        stream = self._files.open(self._at(name))
        try:
            return bytes(stream.readAllBytes()).decode()
        finally:
            stream.close()

    def write(self, name: str, lines: Iterable[str]) -> None:
        """Writes a file through another name, so that it is never half there."""
        stream = self._files.create(self._at(f".{name}.new"), True)
        chunk: list[str] = []
        for line in lines:
            chunk.append(line + "\n")
            if len(chunk) == 10_000:
                stream.write(bytearray("".join(chunk).encode()))
                chunk = []
        stream.write(bytearray("".join(chunk).encode()))
        stream.close()
        self.delete(name)
        self._files.rename(self._at(f".{name}.new"), self._at(name))


class Results:
    """What an OUT folder holds: the facts of its finished runs."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self.spark, self.folder = spark, Folder(spark, path)
        self.runs = sorted(
            int(name[4:]) for name in self.folder.names("facts")
            if re.fullmatch(r"run=\d+", name) and self.folder.exists(f"facts/{name}/_SUCCESS"))

    def prepare(self, command: str) -> None:
        """Checks that the folder is new or one of the same command, and removes what an interrupted run left."""
        names = [name for name in self.folder.names() if not name.startswith(".")]
        foreign = sorted(set(names) - {"facts", "failures.txt", "summary.json"})
        if foreign:
            raise Stop(f"{self.folder.path}: has other files ({', '.join(foreign[:3])}). "
                       "Give a new folder, or one of an earlier run")
        if "summary.json" in names:
            earlier = json.loads(self.folder.read("summary.json")).get("command")
            if earlier != command:
                raise Stop(f"{self.folder.path}: has the results of alcedo {earlier}. "
                           f"Give another folder for {command}")
        for name in self.folder.names("facts"):
            if re.fullmatch(r"run=\d+", name) and int(name[4:]) not in self.runs:
                say(f"removing {name}, which an interrupted run left unfinished")
                self.folder.delete(f"facts/{name}")

    def facts(self, runs: list[int] | None = None) -> DataFrame | None:
        """Returns all rows of some runs; nil if there is no run."""
        chosen = self.runs if runs is None else runs
        if not chosen:
            return None
        place = f"{self.folder.path}/facts"
        read = self.spark.read.schema(T.StructType(FACTS.fields + [T.StructField("run", T.IntegerType())]))
        return read.option("basePath", place).parquet(*[f"{place}/run={run}" for run in chosen])

    def current(self) -> DataFrame | None:
        """Returns the newest row of each URL: a URL is asked again only if it failed."""
        facts = self.facts()
        if facts is None or len(self.runs) == 1:
            return facts
        usable = facts.where(F.col("status").isin(USABLE))
        rest = facts.where(~F.col("status").isin(USABLE)).groupBy("urlId").agg(
            F.max_by(F.struct(*facts.columns), "run").alias("row")).select("row.*")
        later = usable.where(F.col("run") > self.runs[0]).select("urlId")
        return usable.unionByName(rest.join(later, "urlId", "left_anti"))


def earlier_ids(spark: SparkSession, options: argparse.Namespace, own: Results) -> DataFrame | None:
    """Returns the ids of the addresses that earlier results settled."""
    found = [settled(facts, options.retry_failed) for facts in [own.facts()] if facts is not None]
    for path in options.earlier:
        results = Results(spark, path)
        try:
            facts = results.facts() if results.runs else spark.read.parquet(path)
            if facts is None or not {"status", "error"} <= set(facts.columns):
                raise Stop(f"{path}: has no columns status and error. --earlier needs an OUT of this program")
        except PySparkException as error:
            raise Stop(f"{path}: is not an earlier result: {first_line(error)}") from error
        found.append(settled(facts if "urlId" in facts.columns else facts.withColumn("urlId", url_id("url")),
                             options.retry_failed))
    if not found:
        return None
    result = found[0]
    for other in found[1:]:
        result = result.unionAll(other)
    return result


# The plan: which host goes into which part


class Part(NamedTuple):
    """The limits of one process."""

    connections: int
    rate: float | None


class Placed(NamedTuple):
    """A host that has `parts` parts from `first`."""

    host: str
    first: int
    parts: int


@dataclass
class Plan:
    """Parts for all hosts. The many small hosts are not listed: the hash of each is its part, below `shared`."""

    shared: int
    placed: list[Placed]
    parts: list[Part]
    connections: int


def share_of(total: int, slots: int, wanted: int | None) -> int:
    """Returns the number of URLs of one part: small enough for a repeat, large enough to be worth a process."""
    if wanted:
        return max(1, math.ceil(total / wanted))
    parts = max(4 * slots, math.ceil(total / MAXIMUM_PART))
    return max(MINIMUM_PART, math.ceil(total / parts))


def make_plan(hosts: list[tuple[str, int]], total: int, share: int, connections: int, per_second: float | None) -> Plan:
    """Divides hosts over parts.

    A host with more than a share gets parts of its own, at most one per connection. Each has some of the connections
    and the same portion of the rate and of the URLs. All other parts have whole hosts: the larger ones are bin-packed,
    the largest first into the emptiest part; the others are left to their hash.
    """
    large = [(host, count) for host, count in hosts if count > share]
    others = sorted(((count, host) for host, count in hosts if count <= share), reverse=True)
    rest = total - sum(count for _, count in large)
    shared = math.ceil(rest / share)
    parts = [Part(connections, per_second) for _ in range(shared)]
    placed: list[Placed] = []
    loads = [(0, part) for part in range(shared)]
    for count, host in others:
        load, part = heapq.heappop(loads)
        heapq.heappush(loads, (load + count, part))
        placed.append(Placed(host, part, 1))
    for host, count in large:
        number = min(connections, math.ceil(count / share))
        placed.append(Placed(host, len(parts), number))
        for index in range(number):
            own = sum(1 for slot in range(connections) if slot * number // connections == index)
            parts.append(Part(own, per_second and per_second * own / connections))
    return Plan(shared, placed, parts, connections)


@dataclass
class Amounts:
    """Numbers of URLs for alcedo, of their hosts, and of lines that are not for alcedo."""

    urls: int
    hosts: int
    refused: int


def plan_for(urls: DataFrame, slots: int, options: argparse.Namespace) -> tuple[Plan, Amounts]:
    """Returns the plan for the URLs. The driver sees at most 64 hosts for each part."""
    counts = urls.groupBy("host").count().persist()
    try:
        is_host, number = F.col("host") != "", F.col("count")
        amounts = Amounts(*counts.agg(
            F.coalesce(F.sum(F.when(is_host, number)), F.lit(0)), F.count_if(is_host),
            F.coalesce(F.sum(F.when(~is_host, number)), F.lit(0))).collect()[0])
        share = share_of(amounts.urls, slots, options.parts)
        listed = [(row[0], row[1]) for row in counts.where(is_host & (number > share // 64)).collect()]
    finally:
        counts.unpersist()
    return make_plan(listed, amounts.urls, share, options.per_host, options.rate), amounts


def assign(spark: SparkSession, urls: DataFrame, plan: Plan) -> DataFrame:
    """Adds `part` to each URL and lays the URLs of part N into partition N."""
    placed = spark.createDataFrame(plan.placed or [Placed("", 0, 1)], "host string, first int, parts int")
    slot = F.pmod(F.xxhash64("url"), F.lit(plan.connections))
    own = F.col("first") + F.floor(slot * F.col("parts") / plan.connections)
    part = F.when(F.col("first").isNull(), F.pmod(F.xxhash64("host"), F.lit(max(1, plan.shared)))).otherwise(own)
    joined = urls.join(F.broadcast(placed), "host", "left").select(part.cast("int").alias("part"), "url", "host")
    return joined.repartitionById(len(plan.parts), "part")


# On the executors


@dataclass
class Worker:
    """Runs alcedo for one part. It travels to the executors."""

    program: str
    arguments: list[str]
    parts: list[Part]
    cache: str | None
    to: str | None

    def rows(self, index: int, rows: Iterable[Row]) -> Iterator[tuple[Any, ...]]:
        """Returns one row of facts for each URL of a part, as alcedo prints them."""
        urls = [(row.url, row.host) for row in rows]
        if urls:
            yield from self.run(index, urls)

    def run(self, index: int, urls: list[tuple[str, str]]) -> Iterator[tuple[Any, ...]]:
        # Files without names: a pipe could block both sides, and a killed task leaves no list with secrets behind.
        with tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as errors:
            for url, _ in urls:
                lines.write(json.dumps({"url": url}).encode() + b"\n")
            lines.seek(0)
            process = self.start(self.command(self.parts[index], index), lines, errors)
            has_row = bytearray(len(urls) + 1)
            stopped = None
            try:
                assert process.stdout
                for text in process.stdout:
                    event = json.loads(text)
                    line = event.get("line", 0)
                    if event["type"] in ("item", "rejected") and 0 < line <= len(urls) and not has_row[line]:
                        has_row[line] = 1
                        yield facts_row(event, *urls[line - 1])
                    elif event["type"] == "summary":
                        stopped = event.get("stopped")
                code = process.wait()
            finally:
                process.kill()
                process.wait()
            if code not in NORMAL_EXITS:
                raise RuntimeError(self.failure(code, errors))
            for line, (url, host) in enumerate(urls, 1):
                if not has_row[line]:
                    reason = f"not asked for: alcedo stopped early ({stopped or 'no reason given'})"
                    event = {"status": "cancelled", "error": {"kind": "cancelled", "text": reason, "retryable": True}}
                    yield facts_row(event, url, host)

    def command(self, part: Part, index: int) -> list[str]:
        result = [self.program, *self.arguments, "--per-host", str(part.connections)]
        if part.rate:
            result += ["--rate", f"{part.rate:.6g}/s"]
        if self.to:
            result += ["--to", f"{self.to}/{index:05}" if self.to.startswith("tar:") else self.to]
        return result

    def start(self, command: list[str], lines: Any, errors: Any) -> subprocess.Popen[bytes]:
        environment = dict(os.environ)
        if self.cache:
            environment["ALCEDO_CACHE_DIR"] = os.path.abspath(self.cache)
        library = ctypes.CDLL(None)

        def die_with_parent() -> None:
            # Spark kills Python workers; their alcedo must not go on while another executor repeats the part.
            library.prctl(1, signal.SIGKILL)

        try:
            return subprocess.Popen(
                command, stdin=lines, stdout=subprocess.PIPE, stderr=errors, env=environment,
                preexec_fn=die_with_parent if sys.platform == "linux" else None)
        except OSError as error:
            raise RuntimeError(
                f"alcedo cannot be started on {socket.gethostname()} as {self.program}: {error.strerror}. "
                "Install it on every executor, or give its place there: --alcedo PROGRAM") from error

    def failure(self, code: int, errors: Any) -> str:
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - 1000))
        text = errors.read().decode(errors="replace").strip()
        end = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"alcedo ended with {end} on {socket.gethostname()}: {text or 'no message'}"

    def preflight(self) -> str | None:
        """Runs alcedo on an empty list; returns what is wrong."""
        try:
            with tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as errors:
                process = Worker(self.program, self.arguments, self.parts, self.cache, None).start(
                    self.command(Part(1, None), 0), lines, errors)
                process.communicate()
                return None if process.returncode in NORMAL_EXITS else self.failure(process.returncode, errors)
        except RuntimeError as error:
            return str(error)


def facts_row(event: dict[str, Any], url: str, host: str) -> tuple[Any, ...]:
    """Returns a row of FACTS from an `item` or `rejected` line."""
    if event.get("type") == "rejected":
        event = {"status": "rejected", "error": {"kind": "rejected", "text": event["reason"], "retryable": False}}
    values = dict(event, urlId=identity(url), url=event.get("url") or redacted(url), host=host)
    return tuple(value_of(values.get(field.name), field.dataType) for field in FACTS.fields)


def value_of(value: Any, kind: T.DataType) -> Any:
    if isinstance(kind, T.StructType) and value is not None:
        return tuple(value.get(field.name) for field in kind.fields)
    return value


def identity(url: str) -> str:
    """Returns what `url_id` computes in Spark."""
    return hashlib.sha256(url.encode()).hexdigest()[:32]


def redacted(url: str) -> str:
    return re.sub(r"[?#].*", "?…", re.sub(r"//[^/?#]*@", "//", url))


# The job


def run(spark: SparkSession, options: argparse.Namespace) -> int:
    started = time.monotonic()
    results = Results(spark, options.output)
    results.prepare(options.command)
    lines = read_lists(spark, options)
    listed = lines.count()
    slots = max(spark.sparkContext.defaultParallelism, 2)
    # Spark's 200 tasks for each shuffle take longer than a short list.
    spark.conf.set("spark.sql.shuffle.partitions", str(max(slots, min(2000, math.ceil(listed / 50_000)))))
    urls = lines.distinct()
    if options.sample < 1:
        # By hash: a later run of the whole list contains the sample.
        urls = urls.where(F.pmod(F.xxhash64("url"), F.lit(1_000_000)) < int(options.sample * 1_000_000))
    urls = with_identity(urls).persist(pyspark.StorageLevel.DISK_ONLY)
    distinct = urls.count()
    done = earlier_ids(spark, options, results)
    left = urls if done is None else urls.join(done, "urlId", "left_anti")

    asked = hosts = parts = 0
    for batch in range(options.batches):
        some = left
        if options.batches > 1:
            some = left.where(F.pmod(F.xxhash64("urlId"), F.lit(options.batches)) == batch)
        plan, amounts = plan_for(some, slots, options)
        if options.dry_run:
            print(json.dumps(description(plan, amounts), indent=2))
            continue
        if amounts.urls + amounts.refused:
            write_facts(spark, options, results, plan, some, amounts)
        asked += amounts.urls + amounts.refused
        hosts, parts = max(hosts, amounts.hosts), parts + len(plan.parts)
    if options.dry_run:
        return 0
    say("writing summary.json and failures.txt")
    write_failures(results, urls)
    summary = {
        "v": 1, "command": options.command, "listed": listed, "distinct": distinct, "asked": asked,
        "leftOut": distinct - asked, "hosts": hosts, "parts": parts, "runs": results.runs, **totals(results),
        "seconds": round(time.monotonic() - started, 1),
    }
    results.folder.write("summary.json", [json.dumps(summary, indent=2, ensure_ascii=False)])
    say(json.dumps(summary, ensure_ascii=False))
    return exit_code(summary["status"])


def write_facts(
    spark: SparkSession, options: argparse.Namespace, results: Results, plan: Plan, urls: DataFrame, amounts: Amounts,
) -> None:
    """Runs the plan and writes its facts as the next run."""
    number = max(results.runs, default=0) + 1
    expected = amounts.urls + amounts.refused
    facts = refused_facts(urls.where("host = ''")) if amounts.refused else None
    if plan.parts:
        worker = Worker(
            options.alcedo, alcedo_arguments(options), plan.parts, options.cache,
            f"{options.to}/run-{number}" if (options.to or "").startswith("tar:") else options.to)
        wrong = spark.sparkContext.parallelize([worker], 1).map(lambda one: one.preflight()).first()
        if wrong:
            raise Stop(wrong)
        say(f"run {number}: {expected} URLs in {len(plan.parts)} parts")
        rows = assign(spark, urls.where("host <> ''"), plan).rdd.mapPartitionsWithIndex(worker.rows)
        fetched = spark.createDataFrame(rows, FACTS, verifySchema=False)
        facts = fetched.unionByName(facts) if facts else fetched
    assert facts is not None
    place = f"{results.folder.path}/facts/run={number}"
    facts.write.partitionBy("status").mode("overwrite").parquet(place)
    written = results.facts([number])
    found = written.count() if written is not None else 0
    if found != expected:
        raise Stop(f"{place}: has {found} rows for {expected} URLs; the list or the results changed during the run. "
                   "Remove the folder and run again")
    results.runs.append(number)


def alcedo_arguments(options: argparse.Namespace) -> list[str]:
    # A part is a list of its own: its journal could only be that of another part.
    result = [options.command, "-", "--json", "--no-resume", "--jobs", str(options.jobs)]
    if options.proxy:
        result += ["--proxy", options.proxy]
    return result + options.extra


def refused_facts(rejected: DataFrame) -> DataFrame:
    """Returns the facts of lines that are not for alcedo."""
    shown = F.regexp_replace(F.regexp_replace("url", r"//[^/?#]*@", "//"), r"[?#].*", "?…")
    error = F.struct(
        F.lit("rejected").alias("kind"), F.lit(None).cast("int").alias("code"),
        F.lit("not an http or https address with a host").alias("text"), F.lit(False).alias("retryable"))
    known = {"urlId": F.col("urlId"), "url": F.substring(shown, 1, 2000), "status": F.lit("rejected"), "error": error}
    return rejected.select(*[
        known.get(field.name, F.lit(None)).cast(field.dataType).alias(field.name) for field in FACTS.fields
    ])


def write_failures(results: Results, urls: DataFrame) -> None:
    """Writes the addresses of these lists that still fail, whole, as `alcedo prefetch --failed` does."""
    facts = results.current()
    lines: Iterable[Row] = ()
    if facts is not None:
        failed = facts.where(F.col("status").isin(FAILED)).select("urlId", "error.text")
        lines = urls.select("urlId", "url").join(failed, "urlId").select("url", "text").toLocalIterator()
    results.folder.write("failures.txt", (
        line for row in lines for line in ("# " + " ".join((row.text or "failed").split()), row.url)))


def totals(results: Results) -> dict[str, Any]:
    """Returns the counts of the newest row of each URL."""
    facts = results.current()
    status: dict[str, int] = {}
    errors: dict[str, int] = {}
    size = fetched = 0
    if facts is not None:
        for row in facts.groupBy("status", F.col("error.kind").alias("kind")).agg(
                F.count("*").alias("number"), F.coalesce(F.sum("bytes"), F.lit(0)).alias("bytes")).collect():
            status[row.status] = status.get(row.status, 0) + row.number
            if row.kind:
                errors[row.kind] = errors.get(row.kind, 0) + row.number
            size += row.bytes if row.status in USABLE else 0
            fetched += row.bytes if row.status == "fetched" else 0
    return {"status": status, "errors": errors, "bytes": size, "bytesFetched": fetched}


def description(plan: Plan, amounts: Amounts) -> dict[str, Any]:
    split = [one for one in plan.placed if one.first >= plan.shared]
    return {
        "urls": amounts.urls, "hosts": amounts.hosts, "rejected": amounts.refused, "parts": len(plan.parts),
        "sharedParts": plan.shared,
        "placedHosts": len(plan.placed) - len(split), "splitHosts": {one.host: one.parts for one in split},
    }


def exit_code(status: dict[str, int]) -> int:
    usable = sum(status.get(name, 0) for name in USABLE)
    if sum(status.values()) == usable:
        return 0
    return 3 if usable else 4


def say(text: str) -> None:
    print(f"spark_prefetch: {text}", file=sys.stderr, flush=True)


def first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def session(options: argparse.Namespace) -> SparkSession:
    builder = SparkSession.builder.appName(f"alcedo {options.command}")
    if options.master:
        builder = builder.master(options.master)
    if not os.environ.get("SPARK_HOME"):
        # `local-cluster` starts workers from there.
        os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    if (options.master or "local").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return (
        builder
        # A second copy of a part would ask its hosts twice at the same time.
        .config("spark.speculation", "false")
        # Rows are written as they come, without a sort by status.
        .config("spark.sql.maxConcurrentOutputFileWriters", "16")
        .config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
        .getOrCreate())


def main(argv: list[str]) -> int:
    options = parse_arguments(argv)
    spark = None
    try:
        spark = session(options)
        spark.sparkContext.setLogLevel("ERROR")
        return run(spark, options)
    except Stop as stop:
        say(str(stop))
    except Exception as error:  # Every error becomes one sentence.
        reason = re.search(r"RuntimeError: (alcedo [^\n]*)", str(error))
        say(reason[1] if reason else f"{type(error).__name__}: {first_line(error)} (ALCEDO_TRACE=1 shows where)")
        if os.environ.get("ALCEDO_TRACE"):
            raise
    finally:
        if spark:
            spark.stop()
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
