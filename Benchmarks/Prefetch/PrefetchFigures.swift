import Foundation
import Glibc
import Raster

/// Whole processes that fetch a list side by side: alcedo checks and indexes what it fetches.
///
/// Everything is written to memory: on a disk, the order of deletions would decide.
enum PrefetchFigures {
    private struct Load {
        let name: String
        let count: Int
        let size: PixelSize
        /// The number of different pictures; the others differ from them behind the end of the picture.
        let originals: Int

        /// Writes the files; returns their bytes.
        func write(to folder: URL) throws -> Int {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let files = try (0..<originals).map { try PhotoFile.make(size, seed: UInt64($0) + 1) }
            var bytes = 0
            for number in 0..<count {
                var file = files[number % originals]
                if number >= originals { file += Data("\(number)".utf8) }
                try file.write(to: folder.appending(path: "\(number).jpg"))
                bytes += file.count
            }
            return bytes
        }
    }

    private static let loads = [
        Load(name: "small", count: 2000, size: PixelSize(width: 400, height: 300), originals: 200),
        Load(name: "large", count: 176, size: PixelSize(width: 2_700, height: 2_000), originals: 8),
    ]
    private static let roundTrip = Duration.milliseconds(40)

    /// Runs the cases that are named, all when none is: `near`, `far`, `small`, `large`, `plain`, `tls`; a number is how
    /// many runs there are, 7 by default.
    static func run(_ names: some Collection<String>) throws {
        let folder = URL(filePath: "/dev/shm/alcedo-benchmarks-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var bytes: [String: Int] = [:]
        for load in loads { bytes[load.name] = try load.write(to: folder.appending(path: load.name)) }
        let server = try PictureServer(folder: folder, ports: (plain: 18_490, tls: 18_491))
        let far = (
            plain: try DelayRelay(to: server.ports.plain, roundTrip: roundTrip).port,
            tls: try DelayRelay(to: server.ports.tls, roundTrip: roundTrip).port
        )
        let runs = names.lazy.compactMap { Int($0) }.first ?? 7
        let isMeant = { (name: String, other: String) in names.contains(name) || !names.contains(other) }
        print(
            "whole process, \(Fetcher.jobs) at a time, medians of \(runs) alternating runs; µs: processor time a picture, "
                + "with all processes")
        for (place, ports) in [("near", server.ports), ("far", far)]
        where isMeant(place, place == "near" ? "far" : "near") {
            for (kind, port) in [("plain", ports.plain), ("tls", ports.tls)]
            where isMeant(kind, kind == "plain" ? "tls" : "plain") {
                for load in loads where isMeant(load.name, load.name == "small" ? "large" : "small") {
                    let total = bytes[load.name] ?? 0
                    print(
                        "\n\(load.count) × \((total / load.count) >> 10) KiB, "
                            + (kind == "tls" ? "HTTP/2, TLS" : "HTTP/1.1")
                            + (place == "near" ? ", loopback" : ", 40 ms"))
                    let list = try write(load, port: port, kind: kind, in: folder)
                    try printRows(list, load, bytes: total, runs: runs, in: folder)
                }
            }
        }
        withExtendedLifetime(server) {}
    }

    private static func write(_ load: Load, port: Int, kind: String, in folder: URL) throws -> URL {
        let scheme = kind == "tls" ? "https" : "http"
        let addresses = (0..<load.count).map { "\(scheme)://127.0.0.1:\(port)/\(load.name)/\($0).jpg" }
        let list = folder.appending(path: "\(load.name)-\(port).txt")
        try (addresses.joined(separator: "\n") + "\n").write(to: list, atomically: true, encoding: .utf8)
        let config = addresses.map { "url = \"\($0)\"\nremote-name\n" }.joined()
        try config.write(
            to: list.deletingPathExtension().appendingPathExtension("curl"), atomically: true, encoding: .utf8)
        return list
    }

    /// Measures all programs in turn, so that whatever else the machine does falls on all, and prints a row for each.
    private static func printRows(_ list: URL, _ load: Load, bytes: Int, runs: Int, in folder: URL) throws {
        let fetchers = Fetcher.all.filter(\.isInstalled)
        var results: [String: [Fetcher.Run]] = [:]
        for _ in 0..<runs {
            for fetcher in fetchers {
                let place = folder.appending(path: "run")
                if let run = try fetcher.run(list, into: place), Self.bytes(in: place) >= bytes {
                    results[fetcher.name, default: []].append(run)
                }
                try FileManager.default.removeItem(at: place)
            }
        }
        print(row("", ["files/s", "µs", "MiB", "÷ wget2", "÷ curl"]))
        let rates = results.compactMapValues { $0.count == runs ? Double(load.count) / median($0.map(\.seconds)) : nil }
        for fetcher in fetchers {
            guard let rate = rates[fetcher.name], let all = results[fetcher.name] else {
                print(row(fetcher.name, ["fails"]))
                continue
            }
            let times = median(all.map(\.processor)) / Double(load.count) * 1e6
            let ratios = ["wget2", "curl"].map { name in rates[name].map { String(format: "%.2f", rate / $0) } ?? "–" }
            let cells = [String(format: "%.0f", rate), String(format: "%.0f", times)]
            print(row(fetcher.name, cells + [String(format: "%.0f", median(all.map(\.memory)))] + ratios))
        }
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Of all files: small contents share some.
    private static func bytes(in folder: URL) -> Int {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return (all?.compactMap { $0 as? URL } ?? []).reduce(0) { sum, file in
            sum + ((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
        }
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        name.padding(toLength: 18, withPad: " ", startingAt: 0)
            + cells.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined()
    }
}
