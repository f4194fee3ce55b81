import Foundation
import Retrying
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NetlinkMonitorTests {
    /// What sysfs says of the interfaces, which is another way to the same knowledge.
    private var hasLink: Bool {
        let folder = URL(filePath: "/sys/class/net")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.contains { name in
            let text = try? String(contentsOf: folder.appending(path: "\(name)/flags"), encoding: .utf8)
            let carrier = try? String(contentsOf: folder.appending(path: "\(name)/carrier"), encoding: .utf8)
            guard let text, let flags = UInt32(text.dropFirst(2).prefix { $0.isHexDigit }, radix: 16) else {
                return false
            }
            return flags & 0x9 == 0x1 && carrier?.hasPrefix("1") == true
        }
    }

    @Test func `the first element is the state of the system`() async {
        #expect(await NetlinkMonitor().updates().first { _ in true } == hasLink)
    }

    @Test func `many sequences do not leak sockets`() async {
        let monitor = NetlinkMonitor()
        for _ in 0..<2000 { _ = await monitor.updates().first { _ in true } }
        // With a limit of usually 1,024 open files, 2,000 kept sockets would have made opening fail.
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        #expect((1..<500).contains(open.count))
    }
}
