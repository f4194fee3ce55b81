#!/usr/bin/env python3
"""Runs `alcedo prefetch`, `download` or `check` on many machines with Apache Spark.

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
import collections
import contextlib
import ctypes
import functools
import heapq
import itertools
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
import uuid
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, NamedTuple

try:
    import pyspark
    from py4j.protocol import Py4JJavaError
    from pyspark import Accumulator, Broadcast, SparkFiles
    from pyspark.accumulators import AddingAccumulatorParam
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
    "--output", "-o", "--url-column", "--columns", "--caption-column", "--resume", "--no-resume", "--version", "--help",
    "-h",
}
# Columns that say how alcedo loads a picture (docs/lists.md). They are read even if --columns does not name them.
FIELDS = "key title alternatives low_data low-data headers priority ttl process sha256 pin tags".split()
CAPTIONS = ["caption", "text", "title", "alt"]
UNFINISHED = ".unfinished"
MINIMUM_PART, MAXIMUM_PART = 500, 20_000
TEXT, INT, LONG, FLAG = T.StringType(), T.IntegerType(), T.LongType(), T.BooleanType()


def struct(**fields: T.DataType) -> T.StructType:
    return T.StructType([T.StructField(name, kind) for name, kind in fields.items()])


# The fields of an `item` line (docs/prefetch-events.schema.json), but for `list`, `line` and `key`, which belong to one
# process, and for `columns`, whose type is that of the lists. `urlId` is the start of the SHA-256 of the whole address;
# `url` has no secrets.
FACTS = struct(
    urlId=TEXT, url=TEXT, host=TEXT, status=TEXT, http=INT,
    error=struct(kind=TEXT, code=INT, text=TEXT, retryable=FLAG), because=TEXT, attempts=INT, bytes=LONG,
    contentType=TEXT, format=TEXT, mismatch=TEXT, width=INT, height=INT, frames=INT, pages=INT, durationMs=LONG,
    orientation=INT, alpha=FLAG, taken=TEXT, camera=TEXT, color=struct(model=TEXT, bits=INT, profile=TEXT),
    verdict=TEXT, sha256=TEXT, phash=TEXT, etag=TEXT, lastModified=TEXT, fetchedAt=TEXT, **{"from": TEXT}, via=TEXT,
    proto=TEXT, file=TEXT, written=struct(format=TEXT, width=INT, height=INT, bytes=LONG, recipe=TEXT),
    ms=struct(**dict.fromkeys("queue dns tcp tls connect ttfb total decode store".split(), LONG)))


class Stop(Exception):
    """An error that the user can act on."""


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    end = argv.index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(
        description="Run alcedo prefetch, download or check on many machines with Apache Spark.",
        epilog="Options behind -- go to alcedo, as: … -o out -- --retries 1 --timeout 20s")
    add = parser.add_argument
    count = number(r"(\d+)", "a number from 1", int)
    add("lists", nargs="+", metavar="LIST", help="lists on any file system that Spark reads")
    add("-o", "--output", required=True, metavar="OUT", help="folder for facts, failures and summary")
    add("--command", choices=["prefetch", "download", "check"], default="prefetch")
    add("--format", choices=["text", "csv", "tsv", "json", "parquet"], help="default: by extension")
    add("--url-column", metavar="NAME", help=f"default: one of {', '.join(URL_COLUMNS)}")
    add("--columns", type=lambda text: text.split(","), metavar="NAMES",
        help="columns that go with the pictures, as license,author (default: all)")
    add("--caption-column", metavar="NAME", help=f"column of captions for tar files (default: {', '.join(CAPTIONS)})")
    add("--earlier", action="append", default=[], metavar="PATH",
        help="leave out what this earlier OUT or Parquet file settled; repeat for more")
    add("--retry-failed", action="store_true", help="ask again for what failed for good in earlier results")
    add("--sample", type=number(r"(0?\.\d+|1)", "a share above 0, at most 1"), default=1.0, metavar="SHARE",
        help="run a share of the URLs, as 0.01")
    add("--per-host", type=count, default=6, metavar="N", help="connections of the cluster to one host (default: 6)")
    add("--rate", type=number(r"(\d+(?:\.\d+)?)/[sm]", "a rate as 10/s or 30/m"), metavar="R",
        help="requests of the cluster to one host, as 10/s or 30/m (default: no limit)")
    add("--jobs", type=count, default=32, metavar="N", help="downloads at a time of one process (default: 32)")
    add("--proxy", metavar="URL", help="the shared HTTP cache, as http://cache:3128")
    add("--cache", metavar="FOLDER", help="alcedo's cache on each executor; a relative one is in its working folder")
    add("--to", metavar="PLACE",
        help="disk, memory+disk, or tar:FOLDER or folder:FOLDER on any file system that Spark writes (default: disk)")
    add("--alcedo", default=os.environ.get("ALCEDO", "alcedo"), metavar="PROGRAM",
        help="alcedo on the executors (default: $ALCEDO, or alcedo in the PATH)")
    add("--parts", type=count, metavar="N", help="about this many parts (default: by the list's size)")
    add("--batches", type=count, default=1, metavar="N",
        help="run the list in N runs, one after the other; an interruption loses at most one")
    add("--dry-run", action="store_true", help="print the plan as JSON and fetch nothing")
    add("--master", metavar="MASTER", help="Spark's master, as local-cluster[2,1,1024]")
    options = parser.parse_args(argv[:end])
    options.extra = argv[end + 1:]
    for word in options.extra:
        if word.split("=")[0] in OWN_OPTIONS:
            parser.error(f"{word.split('=')[0]} cannot stand behind --: this program sets it, or it hides rows")
    options.sink = re.fullmatch(r"(tar|folder):(.+)", options.to or "")
    if options.command == "check" and options.to:
        parser.error("--to is for prefetch and download: check stores nothing")
    if options.command == "download" and (not options.sink or options.sink[1] != "folder"):
        parser.error("--command download needs a folder: --to folder:FOLDER")
    return options


def number(pattern: str, form: str, kind: type = float) -> Any:
    """Returns a reader of numbers above 0; what is given per minute becomes per second."""

    def read(text: str) -> Any:
        match = re.fullmatch(pattern, text)
        if not match or float(match[1]) <= 0:
            raise argparse.ArgumentTypeError(f"{text!r} is not {form}")
        return kind(match[1]) / 60 if text.endswith("/m") else kind(match[1])

    return read


def read_lists(spark: SparkSession, options: argparse.Namespace) -> tuple[DataFrame, T.StructType]:
    """Returns `url` and `columns`, a JSON object or null, of each row of the lists, and the types of the columns."""
    lists = [read_list(spark, path, options) for path in options.lists]
    kinds: dict[str, T.DataType] = {}
    for _, kept in lists:
        for field in kept.fields:
            # A column that lists have in several types becomes text.
            kinds[field.name] = field.dataType if kinds.get(field.name, field.dataType) == field.dataType else TEXT
    missing = [name for name in [*(options.columns or []), options.caption_column] if name and name not in kinds]
    if missing:
        raise Stop(f"{', '.join(options.lists)}: no column {' or '.join(missing)}; the columns beside the address are "
                   f"{', '.join(kinds) or 'none'}. Name one of these: --columns NAMES, --caption-column NAME")
    shown = [T.StructField(name, kind) for name, kind in kinds.items()
             if (name in options.columns if options.columns else name.lower() != "headers")]
    twice = [one.name for one in shown if [other.name.lower() for other in shown].count(one.name.lower()) > 1]
    if twice:  # Spark could not read such facts.
        raise Stop(f"{', '.join(options.lists)}: the lists spell a column as {' and '.join(twice)}. Rename it in one "
                   "of them, or choose other columns: --columns NAMES")
    result = functools.reduce(DataFrame.unionAll, [table for table, _ in lists])
    url = F.regexp_replace(F.trim(F.col("url")), r"[\x00-\x1f\x7f\ufeff]", "")
    result = result.select(F.regexp_replace(F.trim(url), " ", "%20").alias("url"), "columns").where("url <> ''")
    return result, T.StructType(shown)


def read_list(spark: SparkSession, path: str, options: argparse.Namespace) -> tuple[DataFrame, T.StructType]:
    """Returns the addresses of a list with their columns as JSON, and the types of the columns."""
    form = options.format or EXTENSIONS.get(re.sub(r"\.(gz|bz2)$", "", path.rstrip("/*").lower()).rpartition(".")[2])
    if not form:
        raise Stop(f"{path}: the name does not tell the format. Give it: --format text, csv, tsv, json or parquet")
    nothing = F.lit(None).cast("string").alias("columns")
    try:
        if form == "text":
            lines = spark.read.text(path)
            address = F.split("value", "\t")[0]  # Behind it are alternatives.
            # Comments, and indented fields of the picture above.
            lines = lines.where(~F.col("value").rlike(r"^\s*#|^\s+[A-Za-z0-9-]+="))
            return lines.select(address.alias("url"), nothing), T.StructType()
        if form == "json":
            table = spark.read.json(path)
        elif form == "parquet":
            table = spark.read.parquet(path)
        else:
            table = spark.read.csv(path, header=True, sep="\t" if form == "tsv" else ",", escape='"')
    except PySparkException as error:
        raise Stop(f"{path}: cannot be read as {form}: {first_line(error)}") from error
    if not table.columns and form == "json":
        return spark.createDataFrame([], "url string, columns string"), T.StructType()
    wanted = [options.url_column] if options.url_column else URL_COLUMNS
    places = {name.lower(): place for place, name in reversed(list(enumerate(table.columns)))}
    own = next((places[word.lower()] for word in wanted if word.lower() in places), None)
    if own is None:
        raise Stop(f"{path}: no column {' or '.join(wanted)}; it has {', '.join(table.columns) or 'none'}. "
                   "Name the column with the addresses: --url-column NAME")
    fields = table.schema.fields
    if not isinstance(fields[own].dataType, T.StringType):
        raise Stop(f"{path}: the column {fields[own].name} is {fields[own].dataType.simpleString()}, not text. "
                   "Name the column with the addresses: --url-column NAME")
    others = [field for field in fields if field != fields[own] and field.name != "_corrupt_record"]
    chosen = options.columns and [*options.columns, *([options.caption_column] if options.caption_column else CAPTIONS)]
    members = [F.col(f"c{place}").cast(as_json(field.dataType)).alias(field.name) for place, field in enumerate(fields)
               if field in others and (not chosen or field.name in chosen or field.name.lower() in FIELDS)]
    columns = F.to_json(F.struct(*members)).alias("columns") if members else nothing
    table = table.toDF(*[f"c{place}" for place in range(len(fields))])  # Names may have dots and quotes.
    return table.select(F.col(f"c{own}").alias("url"), columns).where("url IS NOT NULL"), T.StructType(others)


def as_json(kind: T.DataType) -> T.DataType:
    """Returns the type with text in place of what JSON does not have, such as times and long decimal numbers."""
    if isinstance(kind, T.StructType):
        return struct(**{field.name: as_json(field.dataType) for field in kind.fields})
    if isinstance(kind, T.ArrayType):
        return T.ArrayType(as_json(kind.elementType))
    if isinstance(kind, T.MapType):
        return T.MapType(TEXT, as_json(kind.valueType))
    same = (T.StringType, T.IntegralType, T.FloatType, T.DoubleType, T.BooleanType, T.BinaryType)
    return kind if isinstance(kind, same) else TEXT


def with_identity(urls: DataFrame) -> DataFrame:
    """Adds `urlId`, and `host`, which is empty if alcedo must not get the address."""
    return urls.withColumn("urlId", url_id("url")).withColumn("host", F.lower(F.regexp_extract("url", HOST, 1)))


def url_id(column: str) -> Any:
    return F.substring(F.sha2(F.col(column), 256), 1, 32)


class Folder:
    """A folder on any file system that Hadoop knows."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self.path, self._jvm = path.rstrip("/") or "/", spark._jvm
        try:
            self._files = self._at("").getFileSystem(spark._jsc.hadoopConfiguration())
        except Py4JJavaError as error:
            raise Stop(f"{path}: its file system cannot be used: {first_line(error)}. Give another folder, or give "
                       "spark-submit its library and settings: --packages, --conf spark.hadoop.…") from error
        self.uri = self._files.makeQualified(self._at("")).toString()
        self._files.setWriteChecksum(False)

    def _at(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"{self.path}/{name}" if name else self.path)

    def make(self) -> None:
        self._files.mkdirs(self._at(""))

    def exists(self, name: str = "") -> bool:
        return self._files.exists(self._at(name))

    def names(self, name: str = "") -> list[str]:
        found = self._files.listStatus(self._at(name)) if self.exists(name) else []
        return [status.getPath().getName() for status in found]

    def delete(self, name: str) -> None:
        self._files.delete(self._at(name), True)

    def rename(self, name: str, other: str) -> None:
        if not self._files.rename(self._at(name), self._at(other)):
            raise Stop(f"{self.path}: {name} cannot be renamed to {other}. Run again")

    def read(self, name: str) -> str:
        with contextlib.closing(self._files.open(self._at(name))) as stream:
            return bytes(stream.readAllBytes()).decode()

    def write(self, name: str, lines: Iterable[str]) -> None:
        """Writes a file through another name, so that it is never half there."""
        rest = iter(lines)
        with contextlib.closing(self._files.create(self._at(f".{name}.new"), True)) as stream:
            while chunk := list(itertools.islice(rest, 10_000)):
                stream.write(bytearray("".join(f"{line}\n" for line in chunk).encode()))
        self.delete(name)
        self.rename(f".{name}.new", name)


class Results:
    """What an OUT folder holds: the facts of its finished runs."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self.spark, self.folder = spark, Folder(spark, path)
        # The folder of the pictures of a run that has not ended.
        self.unfinished = self.folder.read(UNFINISHED).strip() if self.folder.exists(UNFINISHED) else ""
        self.runs = sorted(
            int(name[4:]) for name in self.folder.names("facts")
            if re.fullmatch(r"run=\d+", name) and self.folder.exists(f"facts/{name}/_SUCCESS")
            and not self.unfinished.endswith(f"/run-{name[4:]}"))

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
                raise Stop(f"{self.folder.path}: has the results of alcedo {earlier}. Give another folder")
        for name in self.folder.names("facts"):
            if re.fullmatch(r"run=\d+", name) and int(name[4:]) not in self.runs:
                say(f"removing {name}, which an interrupted run left unfinished")
                self.folder.delete(f"facts/{name}")
        if self.unfinished:
            say(f"removing {self.unfinished}, which an interrupted run left unfinished")
            Folder(self.spark, self.unfinished).delete("")
            self.folder.delete(UNFINISHED)

    def facts(self, runs: list[int]) -> DataFrame:
        """Returns all rows of some runs, without the columns of the lists."""
        place = f"{self.folder.path}/facts"
        read = self.spark.read.schema(T.StructType(FACTS.fields + [T.StructField("run", T.IntegerType())]))
        return read.option("basePath", place).parquet(*[f"{place}/run={run}" for run in runs])

    def current(self) -> DataFrame | None:
        """Returns the newest row of each URL: a URL is asked again only if it failed. None if there is no run."""
        facts = self.facts(self.runs) if self.runs else None
        if facts is None or len(self.runs) == 1:
            return facts
        usable = facts.where(F.col("status").isin(USABLE))
        rest = facts.where(~F.col("status").isin(USABLE)).groupBy("urlId").agg(
            F.max_by(F.struct(*facts.columns), "run").alias("row")).select("row.*")
        later = usable.where(F.col("run") > self.runs[0]).select("urlId")
        return usable.unionByName(rest.join(later, "urlId", "left_anti"))


def earlier_ids(spark: SparkSession, options: argparse.Namespace, own: Results) -> DataFrame | None:
    """Returns the ids of the addresses that need no other run: usable ones, and ones that failed for good."""
    found = [own.facts(own.runs)] if own.runs else []
    for path in options.earlier:
        results = Results(spark, path)
        try:
            facts = results.facts(results.runs) if results.runs else spark.read.parquet(path)
        except PySparkException as error:
            raise Stop(f"{path}: is not an earlier result: {first_line(error)}") from error
        if not {"status", "error"} <= set(facts.columns):
            raise Stop(f"{path}: has no columns status and error. --earlier needs an OUT of this program")
        found.append(facts if "urlId" in facts.columns else facts.withColumn("urlId", url_id("url")))
    done = F.col("status").isin(USABLE)
    if not options.retry_failed:
        done |= (F.col("status") == "rejected") | ((F.col("status") == "failed") & ~F.col("error.retryable"))
    ids = [facts.where(done).select("urlId") for facts in found]
    return functools.reduce(DataFrame.unionAll, ids) if ids else None


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
    joined = urls.join(F.broadcast(placed), "host", "left").select(part.cast("int").alias("part"), *urls.columns)
    return joined.repartitionById(len(plan.parts), "part")


# On the executors


@dataclass
class Sink:
    """The folder of a run, with a folder for each part, on any file system that Hadoop knows."""

    kind: str
    uri: str
    # Hadoop's settings, as XML.
    settings: Broadcast
    # Names of the hidden folders that parts wrote. Only those of attempts that Spark counts get here.
    written: Accumulator

    @contextlib.contextmanager
    def folder(self, index: int) -> Iterator[str]:
        """Gives a local folder for a part, which lies in a hidden folder of the sink at the end."""
        name = f".{index:05}.{uuid.uuid4().hex}"
        if self.uri.startswith("file:"):
            yield f"/{self.uri[5:].lstrip('/')}/{name}"
        else:
            with scratch() as folder:
                yield f"{folder}/part"
                self.copy(folder, f"{self.uri}/{name}")
        self.written.add((name,))

    def copy(self, folder: str, target: str) -> None:
        with open(f"{folder}/core-site.xml", "w") as file:
            file.write(self.settings.value)
        spark = os.environ.get("SPARK_HOME") or os.path.dirname(pyspark.__file__)
        # On YARN Spark's jars are in CLASSPATH; those of --packages and --jars are among Spark's files.
        jars = [folder, f"{spark}/jars/*", f"{SparkFiles.getRootDirectory()}/*", os.environ.get("CLASSPATH", "")]
        java = f"{os.environ['JAVA_HOME']}/bin/java" if os.environ.get("JAVA_HOME") else "java"
        shell = [java, "-Xmx512m", "-XX:+UseSerialGC", "-cp", ":".join(jars), "org.apache.hadoop.fs.FsShell"]
        with tempfile.TemporaryFile() as errors:
            process = start([*shell, "-put", f"{folder}/part", target], subprocess.DEVNULL, errors,
                            "Install Java 17 on every executor, or set JAVA_HOME there")
            process.communicate()
            if process.returncode:
                reason = re.search(r"put: .*|\S+(?:Exception|Error): .*|$", text := end_of(errors))
                raise RuntimeError(f"pictures cannot be copied from {socket.gethostname()} to {target}: "
                                   f"{reason and reason[0] or text}. Correct that, and run again")


def scratch() -> tempfile.TemporaryDirectory[str]:
    """Makes a folder on this machine where Spark has its own."""
    place = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    return tempfile.TemporaryDirectory(prefix="alcedo-", dir=place if os.path.isdir(place) else None)


def start(command: list[str], lines: Any, errors: Any, hint: str, **environment: str) -> subprocess.Popen[bytes]:
    library = ctypes.CDLL(None)

    def die_with_parent() -> None:
        # Spark kills Python workers; their alcedo must not go on while another executor repeats the part.
        library.prctl(1, signal.SIGKILL)

    try:
        return subprocess.Popen(
            command, stdin=lines, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **environment},
            preexec_fn=die_with_parent if sys.platform == "linux" else None)
    except OSError as error:
        raise RuntimeError(
            f"{command[0]} cannot be started on {socket.gethostname()}: {error.strerror}. {hint}") from error


def end_of(errors: Any) -> str:
    errors.seek(max(0, errors.seek(0, os.SEEK_END) - 1000))
    return errors.read().decode(errors="replace").strip() or "no message"


@dataclass
class Worker:
    """Runs alcedo for one part. It travels to the executors."""

    program: str
    arguments: list[str]
    parts: list[Part]
    cache: str | None
    sink: Sink | None

    def rows(self, index: int, rows: Iterable[Row]) -> Iterator[str]:
        """Returns the facts of each URL of a part."""
        urls = list(rows)
        if not urls:
            return
        target = self.sink.folder(index) if self.sink else contextlib.nullcontext()
        # Files without names: a pipe could block both sides, and a killed task leaves no list with secrets behind.
        with target as folder, tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as errors:
            for row in urls:
                # The address is the first member: alcedo takes another `url` for a column.
                others = (row.columns or "{}")[1:]
                lines.write(f'{{"url":{json.dumps(row.url)}{"," if others != "}" else ""}{others}\n'.encode())
            lines.seek(0)
            process = self.start(self.parts[index], lines, errors, folder)
            has_row = bytearray(len(urls) + 1)
            stopped = None
            try:
                assert process.stdout
                for text in process.stdout:
                    event = json.loads(text)
                    line = event.get("line", 0)
                    if event["type"] in ("item", "rejected") and 0 < line <= len(urls) and not has_row[line]:
                        has_row[line] = 1
                        if self.sink and "file" in event:
                            event["file"] = f"{os.path.basename(self.sink.uri)}/{index:05}/{event['file']}"
                        yield facts(event, urls[line - 1])
                    elif event["type"] == "summary":
                        stopped = event.get("stopped")
                code = process.wait()
            finally:
                process.kill()
                process.wait()
            if code not in NORMAL_EXITS:
                raise RuntimeError(self.failure(code, errors))
            for line, row in enumerate(urls, 1):
                if not has_row[line]:
                    reason = f"not asked for: alcedo stopped early ({stopped or 'no reason given'})"
                    error = {"kind": "cancelled", "text": reason, "retryable": True}
                    yield facts({"status": "cancelled", "error": error}, row)

    def start(self, part: Part, lines: Any, errors: Any, folder: str | None) -> subprocess.Popen[bytes]:
        command = [self.program, *self.arguments, "--per-host", str(part.connections)]
        if part.rate:
            command += ["--rate", f"{part.rate:.6g}/s"]
        if self.sink and folder:
            command += ["-o", folder] if "download" in self.arguments[:1] else ["--to", f"{self.sink.kind}:{folder}"]
        environment = {"ALCEDO_CACHE_DIR": os.path.abspath(self.cache)} if self.cache else {}
        return start(command, lines, errors,
                     "Install alcedo on every executor, or give its place there: --alcedo PROGRAM", **environment)

    def failure(self, code: int, errors: Any) -> str:
        end = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"alcedo ended with {end} on {socket.gethostname()}: {end_of(errors)}"

    def preflight(self) -> str | None:
        """Runs alcedo on an empty list; returns what is wrong."""
        try:
            with tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as errors, scratch() as folder:
                process = self.start(Part(1, None), lines, errors, f"{folder}/part")
                process.communicate()
                return None if process.returncode in NORMAL_EXITS else self.failure(process.returncode, errors)
        except RuntimeError as error:
            return str(error)


def facts(event: dict[str, Any], row: Row) -> str:
    """Returns the facts of an `item` or `rejected` line as JSON."""
    if event.get("type") == "rejected":
        event = {"status": "rejected", "error": {"kind": "rejected", "text": event["reason"], "retryable": False}}
    # As alcedo shows them: without the credentials of addresses.
    columns = re.sub(r"""(?<=[/:]/)[^/?#\s"']*:[^/?#\s"']*@""", "", row.columns or "{}")
    shown = event.get("url") or re.sub(r"[?#].*", "?…", re.sub(r"//[^/?#]*@", "//", row.url))[:2000]
    return json.dumps({**event, "urlId": row.urlId, "url": shown, "host": row.host, "columns": json.loads(columns)})


def run(spark: SparkSession, options: argparse.Namespace) -> int:
    started = time.monotonic()
    results = Results(spark, options.output)
    results.prepare(options.command)
    lines, columns = read_lists(spark, options)
    listed = lines.count()
    slots = max(spark.sparkContext.defaultParallelism, 2)
    # Spark's 200 tasks for each shuffle take longer than a short list.
    spark.conf.set("spark.sql.shuffle.partitions", str(max(slots, min(2000, math.ceil(listed / 50_000)))))
    # Of the columns of equal addresses those of one are kept, the same ones in each run.
    urls = lines.groupBy("url").agg(F.min("columns").alias("columns")) if columns.fields else lines.distinct()
    if options.sample < 1:
        # By hash: a later run of the whole list contains the sample.
        urls = urls.where(F.pmod(F.xxhash64("url"), F.lit(1_000_000)) < int(options.sample * 1_000_000))
    urls = with_identity(urls).persist(pyspark.StorageLevel.DISK_ONLY)
    distinct = urls.count()
    done = earlier_ids(spark, options, results)
    left = urls if done is None else urls.join(done, "urlId", "left_anti")

    asked = hosts = parts = 0
    for batch in range(options.batches):
        some = left.where(F.pmod(F.xxhash64("urlId"), F.lit(options.batches)) == batch) if options.batches > 1 else left
        plan, amounts = plan_for(some, slots, options)
        if options.dry_run:
            split = {one.host: one.parts for one in plan.placed if one.first >= plan.shared}
            print(json.dumps({
                "urls": amounts.urls, "hosts": amounts.hosts, "rejected": amounts.refused, "parts": len(plan.parts),
                "sharedParts": plan.shared, "placedHosts": len(plan.placed) - len(split), "splitHosts": split,
            }, indent=2))
            continue
        if amounts.urls + amounts.refused:
            write_facts(options, results, plan, some, columns)
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
    failed = sum(number for name, number in summary["status"].items() if name not in USABLE)
    return 0 if not failed else 3 if failed < sum(summary["status"].values()) else 4


def write_facts(
    options: argparse.Namespace, results: Results, plan: Plan, urls: DataFrame, columns: T.StructType,
) -> None:
    """Runs the plan and writes its facts, and its pictures if there is a sink, as the next run."""
    spark, number = results.spark, max(results.runs, default=0) + 1
    context, sink, pictures = spark.sparkContext, None, None
    if options.sink:
        kind, place = options.sink.groups()
        pictures = Folder(spark, f"{place}/run-{number}")
        if pictures.exists():
            raise Stop(f"{pictures.path}: is there already, with the pictures of other results. "
                       "Remove it, or give another folder in --to")
        settings = spark._jvm.java.io.StringWriter()
        spark._jsc.hadoopConfiguration().writeXml(settings)
        written = context.accumulator((), AddingAccumulatorParam(()))
        sink = Sink(kind, pictures.uri, context.broadcast(settings.toString()), written)
    worker = Worker(options.alcedo, alcedo_arguments(options), plan.parts, options.cache, sink)
    if plan.parts:
        wrong = context.parallelize([0], 1).map(lambda _: worker.preflight()).first()
        if wrong:
            raise Stop(wrong)
    if pictures:
        results.folder.write(UNFINISHED, [pictures.uri])
        pictures.make()
    expected = urls.count()
    say(f"run {number}: {expected} URLs in {len(plan.parts)} parts")
    # alcedo does not get lines without a host.
    refusal = {"type": "rejected", "reason": "not an http or https address with a host"}
    rows = urls.where("host = ''").rdd.map(lambda row: facts(refusal, row))
    if plan.parts:
        rows = assign(spark, urls.where("host <> ''"), plan).rdd.mapPartitionsWithIndex(worker.rows).union(rows)
    schema = T.StructType([*FACTS.fields, T.StructField("columns", as_json(columns))])
    table = spark.createDataFrame(rows, "string").select(F.from_json("value", schema).alias("row")).select("row.*")
    table = table.withColumn("columns", F.col("columns").cast(columns)) if columns.fields else table.drop("columns")
    place = f"{results.folder.path}/facts/run={number}"
    table.write.partitionBy("status").mode("overwrite").parquet(place)
    found = results.facts([number]).count()
    if found != expected:
        raise Stop(f"{place}: has {found} rows for {expected} URLs; the list or the results changed during the run. "
                   "Remove the folder and run again")
    if sink and pictures:
        for name in sink.written.value:
            pictures.rename(name, name.split(".")[1])
        for name in pictures.names():
            if name.startswith("."):  # An attempt that was repeated wrote it.
                pictures.delete(name)
        results.folder.delete(UNFINISHED)
    results.runs.append(number)


def alcedo_arguments(options: argparse.Namespace) -> list[str]:
    # A part is a list of its own: its journal could only be that of another part.
    result = [options.command, "-", "--json", "--no-resume", "--jobs", str(options.jobs)]
    for name, value in {"--proxy": options.proxy, "--columns": options.columns and ",".join(options.columns),
                        "--caption-column": options.caption_column,
                        "--to": None if options.sink else options.to}.items():
        result += [name, value] if value else []
    return result + options.extra


def write_failures(results: Results, urls: DataFrame) -> None:
    """Writes the addresses of these lists that still fail, whole, as `alcedo prefetch --failed` does."""
    facts = results.current()
    rows: Iterable[Row] = ()
    if facts is not None:
        failed = facts.where(F.col("status").isin(FAILED)).select("urlId", "error.text")
        rows = urls.join(failed, "urlId").select("url", "text", "columns").toLocalIterator()
    results.folder.write("failures.txt", (
        line for row in rows for line in ("# " + " ".join((row.text or "failed").split()), row.url,
                                          *([f"  columns={row.columns}"] if row.columns else []))))


def totals(results: Results) -> dict[str, Any]:
    """Returns the counts of the newest row of each URL."""
    facts, rows = results.current(), []
    status, errors = collections.Counter(), collections.Counter()
    if facts is not None:
        rows = facts.groupBy("status", F.col("error.kind").alias("kind")).agg(
            F.count("*").alias("number"), F.coalesce(F.sum("bytes"), F.lit(0)).alias("bytes")).collect()
    for row in rows:
        status[row.status] += row.number
        errors[row.kind or ""] += row.number
    del errors[""]
    return {"status": status, "errors": errors, "bytes": sum(row.bytes for row in rows if row.status in USABLE),
            "bytesFetched": sum(row.bytes for row in rows if row.status == "fetched")}


def say(text: str) -> None:
    print(f"spark_prefetch: {text}", file=sys.stderr, flush=True)


def first_line(error: Exception) -> str:
    text = error.java_exception.toString() if isinstance(error, Py4JJavaError) else str(error).strip()
    return (text or type(error).__name__).splitlines()[0]


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
        reason = re.search(r"RuntimeError: ([^\n]*)", str(error))
        say(reason[1] if reason else f"{type(error).__name__}: {first_line(error)} (ALCEDO_TRACE=1 shows where)")
        if os.environ.get("ALCEDO_TRACE"):
            raise
    finally:
        if spark:
            spark.stop()
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
