import AlcedoSQLite
import Foundation
import Glibc
import ImageLoading
import Raster

/// The cache's figures, in a folder of its own; the file system's caches are warm.
enum CacheFigures {
    private static let folder = FileManager.default.temporaryDirectory
        .appending(path: "alcedo-cache-figures-\(getpid())").path(percentEncoded: false)
    private static let clock = ContinuousClock()

    /// Runs the cases that are named, all when none is: `memory`, `stores`, `hits`, `opening`, `eviction`, `sharing`.
    ///
    /// `worker` is what `sharing` starts, and none of them.
    static func run(_ names: some Collection<String>) async throws {
        if names.first == "worker" { return try await CacheSharing.work(Array(names.dropFirst())) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let isMeant = { (name: String) in names.isEmpty || names.contains(name) }
        // Nothing is removed before the end: for five seconds ext4 makes new files ten times slower after that.
        if isMeant("memory") { memoryHit() }
        if isMeant("stores") { try await storing() }
        if isMeant("hits") { for entries in [1_000, 100_000] { try await diskHit(entries: entries) } }
        if isMeant("eviction") { for entries in [10_000, 100_000] { try await evicting(entries: entries) } }
        if isMeant("opening") { try await opening(rows: 1_000_000) }
        if isMeant("sharing") {
            try await CacheSharing(folder: "\(folder)/sharing", limit: 1 << 30).run()
            try await CacheSharing(folder: "\(folder)/tight", limit: 64 << 20).run()
        }
    }

    private static func address(_ number: Int) -> String {
        "https://pictures.example.org/albums/\(number % 97)/photo-\(number).jpg?width=640"
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

    /// In batches of 100, so that asking for the time does not count.
    private static func memoryHit() {
        let pixels = PixelBuffer(size: PixelSize(width: 16, height: 16), filledWith: .black)
        let image = Image(pixels: pixels, originalSize: pixels.size, format: .png, frameCount: 1, byteCount: 0)
        let cache = ImageCache(disk: nil)
        let keys = (0..<10_000).map(address)
        for key in keys { cache.memory.store(image, forKey: key, cost: image.cost) }
        var (values, hits, place) = ([Double](), 0, 0)
        for _ in 0..<5_000 {
            let time = clock.measure {
                for _ in 0..<100 {
                    place = (place + 7_919) % keys.count
                    if cache.retrieveImageInMemoryCache(forKey: keys[place]) != nil { hits += 1 }
                }
            }
            values.append(seconds(time) * 1e6 / 100)
        }
        precondition(hits == 500_000)
        Report.line("memory hit, 10,000 entries", unit: "µs", values, goal: "≤ 1")
    }

    private static func content(_ number: Int, bytes: Int = 16 << 10) -> Data {
        var data = Data(repeating: UInt8(truncatingIfNeeded: number), count: bytes)
        withUnsafeBytes(of: number) { data.replaceSubrange(0..<8, with: $0) }
        return data
    }

    private static func open(_ name: String) throws -> DiskStorage {
        try DiskStorage(folder: CacheFolder(path: "\(folder)/\(name)"))
    }

    /// Stores so many contents of 16 KiB, 32 at a time, as downloads would.
    private static func fill(_ storage: DiskStorage, _ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // As many as a prefetch has jobs.
            for worker in 0..<32 {
                group.addTask {
                    for number in stride(from: worker, to: count, by: 32) {
                        try await storage.store(
                            content(number), for: CacheEntryKey(source: address(number)),
                            facts: CacheEntryFacts(format: .jpeg, url: address(number), host: "pictures.example.org"))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Index and content, in no order; the first read of each content checks its digest.
    ///
    /// Off the main thread, where loads run.
    @concurrent
    private static func diskHit(entries: Int) async throws {
        let storage = try open("hits-\(entries)")
        try await fill(storage, entries)
        var (values, place) = ([Double](), 0)
        for _ in 0..<5_000 {
            place = (place + 7_919) % entries
            let key = CacheEntryKey(source: address(place))
            let start = clock.now
            let hit = await storage.data(for: key)
            values.append(seconds(start.duration(to: clock.now)) * 1e6)
            precondition(hit?.data.count == 16 << 10)
        }
        await storage.flush()
        let name = "disk hit of 16 KiB, \(entries) entries, not decoded"
        Report.line(name, unit: "µs", values, goal: "≤ 100")
    }

    private static func storing() async throws {
        var (values, costs) = ([Double](), [Double]())
        for run in 0..<5 {
            let storage = try open("stores-\(run)")
            let (start, cpu) = (clock.now, processorSeconds())
            try await fill(storage, 10_000)
            await storage.flush()
            values.append(10_000 / seconds(start.duration(to: clock.now)))
            costs.append((processorSeconds() - cpu) * 1e6 / 10_000)
        }
        Report.line("storing 10,000 × 16 KiB, 32 at a time", unit: "a second", values, goal: "≥ 8000")
        Report.line("the same in processor time a store", unit: "µs", costs, goal: "≤ 250, 8000 a second on 2 cores")
    }

    /// What this process has used of the processors, by getrusage(2): a crowded machine does not change it much.
    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let whole = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let parts = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return Double(whole) + Double(parts) / 1e6
    }

    private static func evicting(entries: Int) async throws {
        let storage = try open("eviction-\(entries)")
        try await fill(storage, entries)
        try await evict(from: storage, "evicting 2 % of \(entries) entries, an entry")
    }

    /// The least recently used tenth goes; what an entry of it costs must hardly depend on how many there are.
    private static func evict(from storage: DiskStorage, _ name: String) async throws {
        let bytes = try await storage.totalBytes()
        var values: [Double] = []
        for run in 1...5 {
            let start = clock.now
            let gone = try await storage.prune(CachePruning(sizeLimit: bytes / 50 * (50 - run)))
            values.append(seconds(start.duration(to: clock.now)) * 1e6 / Double(max(1, gone.entries)))
        }
        Report.line(name, unit: "µs", values, goal: "the same for all, but for log n")
    }

    /// From nothing to the first look-up's answer; then what the totals cost, and what memory all that took.
    private static func opening(rows: Int) async throws {
        let small = try await memoryOfLookUps(in: "index-small", rows: 1_000)
        let large = try await memoryOfLookUps(in: "index", rows: rows)
        Report.line("memory of 20,000 look-ups among 1,000 rows", unit: "MiB", [small], goal: "the same for both")
        Report.line("memory of 20,000 look-ups among \(rows) rows", unit: "MiB", [large], goal: "the same for both")
        var (values, sums) = ([Double](), [Double]())
        for _ in 0..<11 {
            let start = clock.now
            let storage = try open("index")
            let entry = await storage.entry(for: known)
            values.append(seconds(start.duration(to: clock.now)) * 1e3)
            precondition(entry != nil)
            let question = clock.now
            let count = try await storage.statistics().entries
            sums.append(seconds(question.duration(to: clock.now)) * 1e6)
            precondition(count == rows + 1)
        }
        Report.line("opening an index of 1,000,000 rows, first look-up", unit: "ms", values, goal: "≤ 200")
        Report.line("the totals of 1,000,000 rows", unit: "µs", sums, goal: "O(1)")
        try await evict(from: try open("index"), "evicting 2 % of \(rows) rows, an entry")
    }

    private static let known = CacheEntryKey(source: "source 77")

    /// By how much the process grows with look-ups of what is there and of what is not.
    private static func memoryOfLookUps(in name: String, rows: Int) async throws -> Double {
        try await fillIndex(name, rows: rows)
        let storage = try open(name)
        let before = residentMemory()
        for number in 0..<20_000 {
            _ = await storage.entry(for: CacheEntryKey(source: "source \(number)"))
        }
        return max(0, residentMemory() - before)
    }

    /// In MiB, by /proc/self/statm.
    private static func residentMemory() -> Double {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(getpagesize()) / 1_048_576
    }

    /// One entry as others are stored, and rows without contents straight into the file.
    private static func fillIndex(_ name: String, rows: Int) async throws {
        let storage = try open(name)
        try await storage.store(Data([1]), for: known, facts: CacheEntryFacts())
        let database = try Database(path: storage.folder.path + "/v3/index.sqlite", busyTimeout: .seconds(5))
        try database.transaction {
            try database.run(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                INSERT INTO content (number, name, size) SELECT n + 100, lower(hex(randomblob(32))), 16384 FROM number
                """, [rows])
            try database.execute(
                """
                INSERT INTO entry (source, variant, processor, kind, content, length, url, host, cost, stored,
                    accessed, life)
                SELECT randomblob(16), x'', '', 'original', number, 16384, 'https://example.org/' || number,
                    'example.org', 100, 1800000000 + number, 1800000000 + number, -1
                FROM content WHERE number > 100
                """)
        }
    }
}
