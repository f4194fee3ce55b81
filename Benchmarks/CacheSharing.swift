import Foundation
import Glibc
import ImageLoading

/// Four processes that store the same 10,000 keys in one cache, one of which is killed every 0.7 s and begun anew.
///
/// Nothing that a process was told is stored may be lost but by eviction, every content that is served must be right,
/// the limit must hold but for what is in flight, and the cache must be sound in the end.
struct CacheSharing {
    let folder: String
    /// In bytes; 10,000 × 16 KiB are 156 MiB.
    let limit: Int

    private static let keys = 10_000
    private static let workers = 4
    private static let rounds = 12
    /// What all workers together may have stored but not yet trimmed: 16 contents each, of the largest kind.
    private static let inFlight = workers * 16 * 40 << 10

    private var cache: String { "\(folder)/cache" }
    private var reports: String { "\(folder)/reports" }

    func run() async throws {
        try FileManager.default.createDirectory(atPath: reports, withIntermediateDirectories: true)
        let storage = try DiskStorage(folder: CacheFolder(path: cache), configuration: .init(sizeLimit: limit))
        var children = try (0..<Self.workers).map { try start($0) }
        var most = 0
        for round in 0..<Self.rounds {
            for _ in 0..<7 {
                try await Task.sleep(for: .milliseconds(100))
                most = max(most, try await storage.totalBytes())
            }
            let victim = round % Self.workers
            kill(children[victim].processIdentifier, SIGKILL)
            children[victim].waitUntilExit()
            children[victim] = try start(victim + (round + 1) * Self.workers)
        }
        for child in children { kill(child.processIdentifier, SIGTERM) }
        for child in children { child.waitUntilExit() }
        try await judge(storage, most)
    }

    private func judge(_ storage: DiskStorage, _ most: Int) async throws {
        let check = try await storage.verify(isFull: true)
        let (stored, wrong) = try readReports()
        var lost = 0
        for key in stored where await storage.data(for: Self.key(key))?.data != Self.content(key) { lost += 1 }
        let evictions = try await storage.statistics().life.evictions.values.reduce(0, +)
        let name = "4 processes, one killed every 0.7 s, limit \(limit >> 20) MiB"
        print("\(name): \(stored.count) keys stored, \(evictions) evicted")
        print("  sound \(check.isSound)  wrong \(wrong)  lost \(lost)  most \(most) of \(limit) bytes")
        for finding in check.findings.prefix(5) { print("  \(finding)") }
        fflush(nil)
        precondition(check.isSound)
        precondition(wrong == 0)
        precondition(evictions > 0 || lost == 0)
        precondition(most <= limit + Self.inFlight)
    }

    private func start(_ number: Int) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["cache", "worker", cache, "\(limit)", "\(number)", "\(reports)/\(number)"]
        try process.run()
        return process
    }

    /// Which keys were stored, and how many contents were served wrong; a last line may be cut short by a kill.
    private func readReports() throws -> (stored: Set<Int>, wrong: Int) {
        var (stored, wrong) = (Set<Int>(), 0)
        for file in try FileManager.default.contentsOfDirectory(atPath: reports) {
            let text = try String(contentsOfFile: "\(reports)/\(file)", encoding: .utf8)
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1) {
                if line.hasPrefix("wrong") { wrong += 1 } else if let key = Int(line) { stored.insert(key) }
            }
        }
        return (stored, wrong)
    }

    private static func key(_ number: Int) -> CacheEntryKey { CacheEntryKey(source: "https://host/\(number).jpg") }

    /// Of 16 KiB, some larger than what shares files; the same in every process.
    private static func content(_ number: Int) -> Data {
        var data = Data(repeating: UInt8(truncatingIfNeeded: number), count: number % 20 == 0 ? 40 << 10 : 16 << 10)
        withUnsafeBytes(of: number) { data.replaceSubrange(0..<8, with: $0) }
        return data
    }
}

// MARK: - A worker

extension CacheSharing {
    /// Stores and reads keys until it is killed; writes down what was stored once it is, and what came back wrong.
    static func work(_ arguments: [String]) async throws {
        guard arguments.count == 4, let limit = Int(arguments[1]), let number = Int(arguments[2]) else { return }
        let storage = try DiskStorage(
            folder: CacheFolder(path: arguments[0]), configuration: .init(sizeLimit: limit, minimumFreeSpace: 0))
        let report = open(arguments[3], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(report) }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var place = number &* 2_654_435_761 &+ task &* 40_503
                    while true { await step(&place, storage, report) }
                }
            }
        }
    }

    private static func step(_ place: inout Int, _ storage: DiskStorage, _ report: Int32) async {
        place = (place &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
        let number = (place >> 8) % keys
        if let hit = await storage.data(for: key(number)) {
            if hit.data != content(number) { say("wrong \(number)", report) }
            return
        }
        let stored = try? await storage.store(content(number), for: key(number), facts: CacheEntryFacts())
        if stored != nil { say("\(number)", report) }
    }

    /// In one write, so that lines of several tasks stay whole.
    private static func say(_ line: String, _ report: Int32) {
        let bytes = Array((line + "\n").utf8)
        _ = write(report, bytes, bytes.count)
    }
}
