"""The plan alone: which host goes into which part, with which limits."""

from __future__ import annotations

import collections
import os
import re
import sys
import unittest

from support import ROOT

sys.path.insert(0, os.path.join(ROOT, "cluster"))
import spark_prefetch as program  # noqa: E402


class PlanTests(unittest.TestCase):
    def test_limits_of_a_host_hold_over_its_parts(self) -> None:
        for connections in range(1, 9):
            for count in (101, 250, 399, 5_000):
                plan = program.make_plan([("large", count)], count, 100, connections, 10.0)
                self.assertEqual(plan.shared, 0)
                self.assertEqual(sum(part.connections for part in plan.parts), connections)
                self.assertAlmostEqual(sum(part.rate or 0 for part in plan.parts), 10)
                self.assertTrue(all(part.connections >= 1 for part in plan.parts))
                self.assertEqual(len(plan.parts), plan.placed[0].parts)

    def test_only_parts_of_one_host_share_it(self) -> None:
        hosts = [(f"host{number}", 10 * number) for number in range(1, 50)]
        plan = program.make_plan(hosts, sum(count for _, count in hosts), 300, 6, None)
        owners: dict[int, list[str]] = collections.defaultdict(list)
        for one in plan.placed:
            for part in range(one.first, one.first + one.parts):
                owners[part].append(one.host)
        for one in plan.placed:
            if one.first >= plan.shared:
                self.assertTrue(all(owners[part] == [one.host] for part in range(one.first, one.first + one.parts)))
            else:
                self.assertEqual(one.parts, 1)
                self.assertEqual(plan.parts[one.first].connections, 6)
        loads = collections.Counter()
        for one in plan.placed:
            if one.first < plan.shared:
                loads[one.first] += dict(hosts)[one.host]
        self.assertLess(max(loads.values()), 1.3 * min(loads.values()))

    def test_nothing(self) -> None:
        self.assertEqual(program.make_plan([], 0, 500, 6, None).parts, [])

    def test_hosts(self) -> None:
        for url, host in {
            "http://a.example/x": "a.example", "HTTPS://A.example:8443": "A.example",
            "http://a.example.:80/": "a.example",
            "http://[::1]:8080/x": "[::1]", "http://name:word@b.example?x": "b.example",
            "http://a.example#x@c": "a.example",
            "http://n@m@b.example/": "b.example", "ftp://a/x": None, "/etc/passwd": None, "http://": None,
            "http:///x": None, "https://:80/x": None, "text http://a/x": None, "http://a b/x": "a b",
        }.items():
            found = re.match(program.HOST, url)
            self.assertEqual(found and found[1], host, url)
