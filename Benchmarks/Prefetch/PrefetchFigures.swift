import Foundation
import Glibc

/// Whole processes that fetch a list into the same file system, side by side: alcedo checks and indexes what it fetches.
enum PrefetchFigures {
    private struct Load {
        let name: String
        let count, bytes: Int
    }

    /// Where what is fetched is put.
    private struct Target {
        let folder: URL
        let isDisk: Bool
    }

    private static let loads = [
        Load(name: "small", count: 2000, bytes: 20 << 10), Load(name: "large", count: 176, bytes: 1_000_000),
    ]
    private static let roundTrip = Duration.milliseconds(40)

    /// Runs the cases that are named, all when none is: `near`, `far`, `small`, `large`, `plain`, `tls`; a number is how
    /// many runs there are, 7 by default.
    static func run(_ names: some Collection<String>) throws {
        let folder = Figures.folder.appending(path: "prefetch")
        var seed: UInt64 = 88_172_645_463_325_252
        for load in loads {
            try PictureServer.fill(folder.appending(path: load.name), count: load.count, bytes: load.bytes, seed: &seed)
        }
        let server = try PictureServer(folder: folder, ports: (plain: 18_490, tls: 18_491))
        let far = (
            plain: try DelayRelay(to: server.ports.plain, roundTrip: roundTrip).port,
            tls: try DelayRelay(to: server.ports.tls, roundTrip: roundTrip).port
        )
        // Far away the disk decides nothing, and gigabytes need not be written to it.
        let disk = Target(folder: folder, isDisk: true)
        let memory = Target(folder: URL(filePath: "/dev/shm/alcedo-benchmarks"), isDisk: false)
        defer { try? FileManager.default.removeItem(at: memory.folder) }
        let runs = names.lazy.compactMap { Int($0) }.first ?? 7
        let isMeant = { (name: String, other: String) in names.contains(name) || !names.contains(other) }
        print("whole process, \(Fetcher.jobs) at a time, medians of \(runs) alternating runs, files a second")
        let fetchers = Fetcher.all.filter(\.isInstalled)
        print(row("", fetchers.map(\.name) + fetchers.dropFirst().map { "alcedo / \($0.name)" }))
        for (place, ports) in [("near", server.ports), ("far", far)]
        where isMeant(place, place == "near" ? "far" : "near") {
            for (kind, port) in [("plain", ports.plain), ("tls", ports.tls)]
            where isMeant(kind, kind == "plain" ? "tls" : "plain") {
                for load in loads where isMeant(load.name, load.name == "small" ? "large" : "small") {
                    let title =
                        "\(load.count) × \(load.bytes >> 10) KiB, \(kind == "tls" ? "HTTP/2, TLS" : "HTTP/1.1"), "
                        + (place == "near" ? "loopback" : "40 ms")
                    let list = try write(load, port: port, kind: kind, in: folder)
                    let target = place == "near" ? disk : memory
                    print(row(title, try measure(fetchers, list, load, runs: runs, in: target)))
                }
            }
        }
        withExtendedLifetime(server) {}
    }

    private static func write(_ load: Load, port: Int, kind: String, in folder: URL) throws -> URL {
        let scheme = kind == "tls" ? "https" : "http"
        let addresses = (0..<load.count).map { "\(scheme)://127.0.0.1:\(port)/\(load.name)/\($0).png" }
        let list = folder.appending(path: "\(load.name)-\(port).txt")
        try (addresses.joined(separator: "\n") + "\n").write(to: list, atomically: true, encoding: .utf8)
        let config = addresses.map { "url = \"\($0)\"\nremote-name\n" }.joined()
        try config.write(
            to: list.deletingPathExtension().appendingPathExtension("curl"), atomically: true, encoding: .utf8)
        return list
    }

    /// They take turns, so that whatever else the machine does falls on all; each run has a folder of its own.
    ///
    /// On a disk nothing is removed before the end: for five seconds ext4 makes new files ten times slower after that.
    private static func measure(
        _ fetchers: [Fetcher], _ list: URL, _ load: Load, runs: Int, in target: Target
    ) throws -> [String] {
        var times: [String: [Double]] = [:]
        for _ in 0..<runs {
            for fetcher in fetchers {
                let place = target.folder.appending(path: UUID().uuidString)
                if let time = try fetcher.seconds(list, into: place), bytes(in: place) >= load.count * load.bytes {
                    times[fetcher.name, default: []].append(time)
                }
                if target.isDisk { sync() } else { try FileManager.default.removeItem(at: place) }
            }
        }
        let medians = times.compactMapValues { $0.count == runs ? $0.sorted()[runs / 2] : nil }
        let rates = fetchers.map { medians[$0.name].map { String(format: "%.0f", Double(load.count) / $0) } ?? "fails" }
        let ratios = fetchers.dropFirst().map { peer -> String in
            guard let own = medians["alcedo"], let other = medians[peer.name] else { return "–" }
            return String(format: "%.2f", other / own)
        }
        return rates + ratios
    }

    /// Of all files: small contents share some.
    private static func bytes(in folder: URL) -> Int {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return (all?.compactMap { $0 as? URL } ?? []).reduce(0) { sum, file in
            sum + ((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
        }
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        name.padding(toLength: 46, withPad: " ", startingAt: 0)
            + cells.map { String(repeating: " ", count: max(0, 15 - $0.count)) + $0 }.joined()
    }
}
