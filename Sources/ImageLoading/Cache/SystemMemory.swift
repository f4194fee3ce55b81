import Foundation

/// The memory that this process may use, as the kernel's files tell it: proc(5), cgroups(7).
public enum SystemMemory {
    /// The memory tier's cost limit when none is given, in bytes: 256 MiB, or an eighth of what the process may use
    /// where that is less.
    ///
    /// Asked of the system once.
    public static let standardCostLimit = costLimit { try? String(contentsOfFile: $0, encoding: .utf8) }

    /// `file` gives the text of a file, nil when it cannot be read.
    static func costLimit(reading file: (String) -> String?) -> Int {
        min(256 << 20, (usable(reading: file) ?? .max) / 8)
    }

    /// The least of the machine's memory and the limits of the process's control groups; nil when nothing is known.
    static func usable(reading file: (String) -> String?) -> Int? {
        let groups = groupFolders(file("/proc/self/cgroup") ?? "").compactMap { file($0).flatMap(number) }
        return ([file("/proc/meminfo").flatMap(total)].compactMap(\.self) + groups).min()
    }

    /// `MemTotal:       24684092 kB`, where a kB is 1,024 bytes.
    private static func total(meminfo: String) -> Int? {
        let line = meminfo.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        guard let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ number(String($0)) }) else {
            return nil
        }
        let (bytes, isTooMany) = kibibytes.multipliedReportingOverflow(by: 1024)
        return isTooMany ? nil : bytes
    }

    /// The limit files of every group the process is in: lines such as `0::/user/app` (version 2) and
    /// `4:memory:/app` (version 1).
    ///
    /// A group's limit holds for the groups below it. Within a container the path may be that of the host, while the
    /// container's own group is the root of what it sees, which is among the files too.
    private static func groupFolders(_ membership: String) -> [String] {
        membership.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            if fields[1].isEmpty { return ancestors(fields[2]).map { "/sys/fs/cgroup\($0)/memory.max" } }
            guard fields[1].split(separator: ",").contains("memory") else { return [] }
            return ancestors(fields[2]).map { "/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes" }
        }
    }

    /// `/a/b`, `/a` and the root, which is empty.
    private static func ancestors(_ path: Substring) -> [String] {
        let parts = path.split(separator: "/")
        guard !parts.contains("..") else { return [""] }
        return (0...parts.count).reversed().map { parts.prefix($0).map { "/\($0)" }.joined() }
    }

    /// A count of bytes; `max` is none.
    private static func number(_ text: String) -> Int? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? Int(words[0]).flatMap { $0 < 0 ? nil : $0 } : nil
    }
}
