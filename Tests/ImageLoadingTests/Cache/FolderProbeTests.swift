import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct FolderProbeTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    @Test func aFolderAnswersAlsoOneThatIsMissing() {
        #expect(FolderProbe(path: place / "").answers())
        #expect(FolderProbe(path: place / "missing").answers())
        #expect(FolderProbe(path: "/proc/self/mem").answers())
    }

    @Test func aHungOneIsAskedOnceAndAgainWhenItHasAnswered() async throws {
        let folder = HungFolder()
        let probe = FolderProbe { folder.ask() }
        #expect(!probe.answers(within: .seconds(0)))
        #expect(!probe.answers())
        try await eventually("the question") { folder.questions.withLock(\.self) == 1 }
        folder.goOn()
        try await eventually("the answer") { probe.answers() }
    }

    @Test func aCacheOnAHungFileSystemMissesRefusesAndGoesOnWhenThatDoes() async throws {
        // Given a cache whose file system hangs
        let folder = HungFolder()
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let probe = FolderProbe { folder.ask() }
        #expect(!probe.answers(within: .seconds(0)))
        let path = place / "cache"
        let disk = DiskStorage(
            recovering: CacheFolder(path: path), configuration: DiskStorage.Configuration(),
            now: { clock.withLock(\.self) }, freeSpace: { _ in nil },
            blobs: BlobStore(folder: CacheFolder(path: path).blobs), probe: probe)
        #expect(disk.problem == .silent(path))
        // Then nothing waits for it
        let key = CacheEntryKey(source: "a")
        #expect(await disk.data(for: key) == nil)
        await #expect(throws: ImageError.self) { try await disk.store(Data([1]), for: key, facts: CacheEntryFacts()) }
        #expect(disk.standing != .usable)
        #expect(!FileManager.default.fileExists(atPath: path))
        // And when it answers again, a while later, the cache does its work
        folder.goOn()
        try await eventually("the answer") { probe.answers() }
        clock.withLock { $0 += 6 }
        try await disk.store(Data([1]), for: key, facts: CacheEntryFacts())
        #expect(await disk.data(for: key)?.data == Data([1]))
        #expect(disk.problem == nil && disk.standing == .usable)
    }
}
