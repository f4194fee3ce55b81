# Prints what the tasks of a hung Swift program wait for. Run it in gdb:
#
#     gdb -p PID --batch -x .ci/async-tasks.py | swift demangle --compact
#
# It finds tasks in memory by their metadata, the newest last, and prints the functions in which each would continue. The
# offsets in a task and its context are those of the Swift 6 runtime (swift/ABI/Task.h).
import struct

import gdb

RESUME, CONTEXT, DEPTH = 7, 8, 12


def symbol(address):
    text = gdb.execute("info symbol %d" % address, to_string=True)
    return None if text.startswith("No symbol") else text.split(" in section")[0]


def words(address, count):
    return struct.unpack("<%dQ" % count, bytes(gdb.selected_inferior().read_memory(address, 8 * count)))


def regions():
    for line in open("/proc/%d/maps" % gdb.selected_inferior().pid):
        fields = line.split()
        if "rw" in fields[1] and (len(fields) < 6 or fields[5] == "[heap]"):
            yield [int(end, 16) for end in fields[0].split("-")]


def tasks():
    metadata = int(gdb.parse_and_eval("*(unsigned long *)&_swift_concurrency_debug_asyncTaskMetadata"))
    pattern = struct.pack("<Q", metadata)
    for start, end in regions():
        memory = bytes(gdb.selected_inferior().read_memory(start, end - start))
        place = memory.find(pattern)
        while place >= 0:
            if place % 16 == 0:
                yield start + place
            place = memory.find(pattern, place + 1)


def frames(context):
    for _ in range(DEPTH):
        parent, resume = words(context, 2)
        name = symbol(resume)
        if name is None:
            return
        yield name
        context = parent


def show(task):
    fields = words(task, 12)
    references, identifier = fields[1], fields[4] >> 32
    # The high half counts references beyond the first; a finished task has none.
    if symbol(fields[RESUME]) is None or references & 0xFFFFFFFF != 3:
        return None
    return identifier, [name for name in frames(fields[CONTEXT])]


found = []
for task in tasks():
    try:
        shown = show(task)
    except gdb.error:
        continue
    if shown and shown[1]:
        found.append(shown)
for identifier, names in sorted(found):
    print("task %d" % identifier)
    for name in names:
        print("    " + name)
