import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct SystemMemoryTests {
    private static let mebibyte = 1 << 20

    private func usable(_ files: [String: String]) -> Int? { SystemMemory.usable { files[$0] } }

    private func meminfo(mebibytes: Int) -> String {
        "MemTotal:       \(mebibytes * 1024) kB\nMemFree:        12 kB\nMemAvailable:   14 kB\n"
    }

    @Test func `without control groups the usable memory is that of the machine`() {
        #expect(usable(["/proc/meminfo": meminfo(mebibytes: 512)]) == 512 * Self.mebibyte)
    }

    @Test(arguments: [
        ("0::/user/app\n", "/sys/fs/cgroup/user/app/memory.max"), ("0::/user/app\n", "/sys/fs/cgroup/user/memory.max"),
        ("0::/\n", "/sys/fs/cgroup/memory.max"), ("0::/../../app\n", "/sys/fs/cgroup/memory.max"),
        ("4:memory:/app\n0::/\n", "/sys/fs/cgroup/memory/app/memory.limit_in_bytes"),
        ("4:cpu,memory:/docker/x\n", "/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        ("3:cpu:/\n4:memory:/a:b\n", "/sys/fs/cgroup/memory/a:b/memory.limit_in_bytes"),
    ])
    func `the limit of a control group is used`(membership: String, file: String) {
        let files = [
            "/proc/meminfo": meminfo(mebibytes: 512), "/proc/self/cgroup": membership, file: "104857600\n",
        ]
        #expect(usable(files) == 100 * Self.mebibyte)
    }

    @Test func `the lowest limit of the group and its ancestors is used`() {
        let files = [
            "/proc/meminfo": meminfo(mebibytes: 512), "/proc/self/cgroup": "0::/user/app\n",
            "/sys/fs/cgroup/user/app/memory.max": "209715200\n", "/sys/fs/cgroup/user/memory.max": "104857600\n",
        ]
        #expect(usable(files) == 100 * Self.mebibyte)
    }

    @Test(arguments: ["max\n", "9223372036854771712\n", "", "-1\n", "99999999999999999999999\n"])
    func `an unlimited or invalid group limit is ignored`(text: String) {
        let files = [
            "/proc/meminfo": meminfo(mebibytes: 512), "/proc/self/cgroup": "0::/\n",
            "/sys/fs/cgroup/memory.max": text,
        ]
        #expect(usable(files) == 512 * Self.mebibyte)
    }

    @Test(arguments: ["", "MemTotal:\n", "MemTotal: many kB\n", "MemTotal: 9223372036854775807 kB\n"])
    func `an invalid meminfo gives no limit`(meminfo: String) {
        #expect(usable(["/proc/meminfo": meminfo, "/proc/self/cgroup": "nonsense\n:\n0::\n"]) == nil)
    }

    @Test(arguments: [(16_384, 256), (2_048, 256), (1_024, 128), (64, 8)])
    func `the memory limit is an eighth of the machine, at most 256 MiB`(machine: Int, limit: Int) {
        let text = meminfo(mebibytes: machine)
        #expect(SystemMemory.costLimit { $0 == "/proc/meminfo" ? text : nil } == limit * Self.mebibyte)
    }

    @Test func `with unknown memory the limit is 256 MiB`() {
        #expect(SystemMemory.costLimit { _ in nil } == 256 * Self.mebibyte)
    }
}
