#!/usr/bin/env python3
"""Runs a program without output and prints its seconds, the seconds of processor time of it and of all its descendants,
the most MiB of memory of one process, and its exit status."""
import ctypes
import os
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
silence = os.open(os.devnull, os.O_RDWR)
start = time.monotonic()
program = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, silence, descriptor) for descriptor in range(3)])
seconds, processor, memory, status = 0, 0, 0, 1
while True:
    try:
        process, wait_status, usage = os.wait4(-1, 0)
    except ChildProcessError:
        break
    if process == program:
        seconds, status = time.monotonic() - start, os.waitstatus_to_exitcode(wait_status)
    processor += usage.ru_utime + usage.ru_stime
    memory = max(memory, usage.ru_maxrss / 1024)
print(f"{seconds:.4f} {processor:.4f} {memory:.1f} {status}")
