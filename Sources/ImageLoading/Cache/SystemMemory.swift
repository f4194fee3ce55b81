import Foundation

/// The memory that this process may use, from the kernel's files: proc(5), cgroups(7).
@usableFromInline
package enum SystemMemory {
    /// The default cost limit of the memory tier, in bytes: 256 MiB, or an eighth of the usable memory if that is less.
    ///
    /// The value is computed once.
    @usableFromInline package static let standardCostLimit = costLimit {
        try? String(contentsOfFile: $0, encoding: .utf8)
    }

    /// Returns the cost limit in bytes; `file` returns the text of a file, or nil if it cannot be read.
    static func costLimit(reading file: (String) -> String?) -> Int {
        min(256 << 20, (usable(reading: file) ?? .max) / 8)
    }

    /// Returns the least of the machine's memory and the control groups' limits, in bytes; nil if none is known.
    static func usable(reading file: (String) -> String?) -> Int? {
        let groups = groupFolders(file("/proc/self/cgroup") ?? "").compactMap { file($0).flatMap(number) }
        return ([file("/proc/meminfo").flatMap(total)].compactMap(\.self) + groups).min()
    }

    /// Parses the line `MemTotal:       24684092 kB`, where a kB is 1,024 bytes; returns bytes.
    private static func total(meminfo: String) -> Int? {
        let line = meminfo.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        guard let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ number(String($0)) }) else {
            return nil
        }
        let (bytes, isTooMany) = kibibytes.multipliedReportingOverflow(by: 1024)
        return isTooMany ? nil : bytes
    }

    /// Returns the limit files of all groups that contain the process.
    ///
    /// Lines look like `0::/user/app` (version 2) and `4:memory:/app` (version 1). A group's limit also applies to the
    /// groups below it. In a container the path may be the host's, while the container's own group is the visible root;
    /// the root is therefore included.
    private static func groupFolders(_ membership: String) -> [String] {
        membership.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            if fields[1].isEmpty { return ancestors(fields[2]).map { "/sys/fs/cgroup\($0)/memory.max" } }
            guard fields[1].split(separator: ",").contains("memory") else { return [] }
            return ancestors(fields[2]).map { "/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes" }
        }
    }

    /// Returns a path and its parents, `/a/b`, `/a` and the root, which is empty.
    private static func ancestors(_ path: Substring) -> [String] {
        let parts = path.split(separator: "/")
        guard !parts.contains("..") else { return [""] }
        return (0...parts.count).reversed().map { parts.prefix($0).map { "/\($0)" }.joined() }
    }

    /// Parses a number of bytes; returns nil for other text, such as `max`.
    private static func number(_ text: String) -> Int? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? Int(words[0]).flatMap { $0 < 0 ? nil : $0 } : nil
    }
}
