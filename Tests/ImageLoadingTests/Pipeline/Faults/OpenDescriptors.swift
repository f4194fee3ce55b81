import Foundation

/// What this process holds open, as far as one test is concerned: others run beside it.
enum OpenDescriptors {
    /// Files and folders below a path.
    static func files(below path: String) -> [String] { targets.filter { $0.hasPrefix(path) } }

    /// Our ends of IPv4 connections to a port, made or being made.
    static func sockets(to port: Int) -> Int {
        let sockets = sockets(inTableTo: port)
        return targets.count { sockets.contains($0) }
    }

    private static var targets: [String] {
        let folder = "/proc/self/fd/"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0) }
    }

    /// As descriptors name them, by the table of proc_net(5).
    private static func sockets(inTableTo port: Int) -> Set<String> {
        // Read piece by piece: the size of such a file is not known before.
        let file = FileHandle(forReadingAtPath: "/proc/self/net/tcp")
        let table = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        let there = rows.filter { row in
            row.count > 9 && Int(row[2].suffix(4), radix: 16) == port
        }
        return Set(there.map { "socket:[\($0[9])]" })
    }
}
