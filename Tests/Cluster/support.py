"""The server, the shared cache and the list of the cluster's tests."""

from __future__ import annotations

import collections
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Callable

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ALCEDO = os.path.abspath(os.environ.get("ALCEDO") or os.path.join(ROOT, ".build/release/alcedo"))
SCRIPT = os.path.join(ROOT, "cluster/spark_prefetch.py")


def until(condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.05)


def kill(process: subprocess.Popen) -> None:
    """Ends a process of ours and waits for it."""
    if process.poll() is None:
        process.kill()
    process.wait()


class Origin:
    """The server of origin.py, as a process."""

    def __init__(self, folder: str, hosts: int = 50, latency: float = 0, size: int = 1000) -> None:
        self.hosts, self.path = hosts, tempfile.mkstemp(prefix="origin-", suffix=".log", dir=folder)[1]
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, "Tests/Cluster/origin.py"), "--hosts", str(hosts), "--log", self.path,
             "--latency", str(latency), "--size", str(size)],
            stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())

    def url(self, number: int, path: str | None = None) -> str:
        return f"http://127.1.0.{number % self.hosts + 1}:{self.port}/{path or f'p/{number}.png'}"

    def requests(self) -> list[list[str]]:
        """Returns the log, once it has no new lines: seconds, host, path, requests and connections of the host."""
        size = -1
        while size != os.path.getsize(self.path):
            size = os.path.getsize(self.path)
            time.sleep(0.3)
        with open(self.path) as log:
            return [line.split() for line in log]

    def counts(self) -> collections.Counter[str]:
        return collections.Counter(f"{host}{path}" for _, host, path, _, _ in self.requests())

    def size(self) -> int:
        with open(self.path) as log:
            return sum(1 for _ in log)

    def stop(self) -> None:
        kill(self.process)
        if self.process.stdout:
            self.process.stdout.close()


class Squid:
    """squid as docs/shared-cache/squid.conf sets it up, but for port and folders."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="alcedo-squid-", dir="/tmp")
        os.chmod(self.folder, 0o777)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        with open(os.path.join(ROOT, "docs/shared-cache/squid.conf")) as file:
            text = file.read()
        for old, new in {
            "http_port 3128": f"http_port 127.0.0.1:{self.port}", "/var/spool/squid": f"{self.folder}/spool",
            "/var/log/squid/access.log": f"{self.folder}/access.log",
        }.items():
            assert old in text, f"squid.conf does not say {old}"
            text = text.replace(old, new)
        text += (f"\npid_filename {self.folder}/squid.pid\ncache_log {self.folder}/cache.log\n"
                 f"coredump_dir {self.folder}\nvisible_hostname localhost\nshutdown_lifetime 0 seconds\n"
                 "dns_nameservers 127.0.0.1\npinger_enable off\n")
        file = os.path.join(self.folder, "squid.conf")
        with open(file, "w") as output:
            output.write(text)
        subprocess.run(["/usr/sbin/squid", "-N", "-z", "-f", file], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process = subprocess.Popen(
            ["/usr/sbin/squid", "-N", "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self.listens, "squid listens")
        self.url = f"http://127.0.0.1:{self.port}"

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        kill(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)


def spark_home(folder: str) -> str:
    """Returns a copy of the pip package's Spark by links: executors of `local-cluster` work below SPARK_HOME."""
    import pyspark

    source, home = os.path.dirname(pyspark.__file__), os.path.join(folder, "spark")
    os.makedirs(os.path.join(home, "work"))
    for name in os.listdir(source):
        if name != "work":
            os.symlink(os.path.join(source, name), os.path.join(home, name))
    return home


def environment(folder: str) -> dict[str, str]:
    """Returns an environment whose folders are below the test's own; ends alcedo's own settings and proxies."""
    result = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    result.pop("ALCEDO_CACHE_DIR", None)
    home = os.path.join(folder, "spark")
    result.update(
        ALCEDO=ALCEDO, SPARK_HOME=home if os.path.exists(home) else spark_home(folder), SPARK_LOCAL_IP="127.0.0.1",
        XDG_CACHE_HOME=os.path.join(folder, "cache"), XDG_STATE_HOME=os.path.join(folder, "state"),
        XDG_CONFIG_HOME=os.path.join(folder, "config"), PYSPARK_PYTHON=sys.executable,
        # Short jobs end before the code of the second compiler is worth its time.
        JAVA_TOOL_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    return result


def children(process: int) -> list[tuple[int, str]]:
    """Returns the processes below a process with their command lines."""
    parents: dict[int, list[int]] = {}
    lines: dict[int, str] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(name))
            with open(f"/proc/{name}/cmdline", "rb") as file:
                lines[int(name)] = file.read().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, IndexError):
            continue
    found, todo = [], [process]
    while todo:
        for child in parents.get(todo.pop(), []):
            todo.append(child)
            found.append((child, lines.get(child, "")))
    return found


def is_alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill_one_executor(driver: int) -> list[int]:
    """Kills one executor that runs alcedo with SIGKILL; returns the processes that it had."""
    busy: list[int] = []

    def is_busy() -> bool:
        busy[:] = [process for process, line in children(driver)
                   if "CoarseGrainedExecutorBackend" in line and any(ALCEDO in one for _, one in children(process))]
        return bool(busy)

    until(is_busy, "an executor runs alcedo")
    executor = busy[0]
    below = [process for process, _ in children(executor)]
    os.kill(executor, signal.SIGKILL)
    return below
