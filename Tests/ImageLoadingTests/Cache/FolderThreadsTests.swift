import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct FolderThreadsTests {
    private struct Failure: Error {}

    private func threads(_ ask: @escaping @Sendable () -> Void) -> FolderThreads {
        FolderThreads(path: "/x", probe: FolderProbe(ask: ask), patience: .milliseconds(100))
    }

    @Test func aResultAndAnErrorComeAsTheyAre() async throws {
        let threads = threads {}
        #expect(try await threads.run { 7 } == 7)
        await #expect(throws: Failure.self) { try await threads.run { throw Failure() } }
    }

    @Test func workThatTakesLongIsWaitedForWhileTheFolderAnswers() async throws {
        let questions = Mutex(0)
        let gate = Gate()
        let threads = threads { questions.withLock { $0 += 1 } }
        async let result = threads.run {
            await gate.pass()
            return 7
        }
        try await eventually("the looks") { questions.withLock { $0 > 2 } }
        await gate.open()
        #expect(try await result == 7)
    }

    @Test func whoeverWaitsForAFolderThatHangsIsToldAndTheNextAtOnce() async throws {
        let folder = HungFolder()
        let threads = threads(folder.ask)
        let ended = Recorder<Int>()
        // Given more work than there are threads, all of which hangs
        let works = (0..<8).map { number in
            Task {
                try await threads.run {
                    folder.ask()
                    ended.add(number)
                }
            }
        }
        // Then nobody waits for it for ever
        for work in works {
            await #expect(throws: CacheFolderProblem.silent("/x")) { try await work.value }
        }
        // And who comes later does not wait at all
        await #expect(throws: CacheFolderProblem.silent("/x")) { try await threads.run { ended.add(100) } }
        #expect(ended.all.isEmpty)
        // When the folder goes on, so does what was given up, and new work is done
        folder.goOn()
        try await eventually("the work") { ended.all.count == 8 }
        try await eventually("the answer") { (try? await threads.run { 7 }) == 7 }
    }

    @Test func aCancelReachesTheWork() async throws {
        let (threads, gate) = (threads {}, Gate())
        let work = Task {
            try await threads.run {
                await gate.pass()
                try Task.checkCancellation()
            }
        }
        await gate.untilArrived(1)
        work.cancel()
        await gate.open()
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test func aCacheWhoseFolderHangsWhileItIsUsedMissesRefusesAndGoesOnWhenThatDoes() async throws {
        // Given a cache with a picture, whose file system hangs from now on
        let (place, folder) = (try TemporaryFolder(), HungFolder())
        let hangs = Mutex(false)
        let path = place / "cache"
        let ask: @Sendable () -> Void = { if hangs.withLock(\.self) { folder.ask() } }
        let probe = FolderProbe(ask: ask)
        let disk = DiskStorage(
            recovering: CacheFolder(path: path), configuration: DiskStorage.Configuration(), now: { Date() },
            freeSpace: { _ in
                ask()
                return nil
            }, blobs: BlobStore(folder: CacheFolder(path: path).blobs), probe: probe,
            threads: FolderThreads(path: path, probe: probe, patience: .milliseconds(100)))
        let (old, new) = (CacheEntryKey(source: "old"), CacheEntryKey(source: "new"))
        try await disk.store(Data([1]), for: old, facts: CacheEntryFacts())
        hangs.withLock { $0 = true }
        // Then a store that hangs is refused, and everything else at once
        await #expect(throws: ImageError.self) { try await disk.store(Data([2]), for: new, facts: CacheEntryFacts()) }
        #expect(await disk.data(for: old) == nil)
        #expect(disk.problem == .silent(path))
        #expect(disk.standing != .usable)
        // When it goes on, what it has is found, and stores come through
        hangs.withLock { $0 = false }
        folder.goOn()
        try await eventually("the answer") { !probe.isSilent }
        #expect(await disk.data(for: old)?.data == Data([1]))
        try await disk.store(Data([2]), for: new, facts: CacheEntryFacts())
        #expect(disk.problem == nil && disk.standing == .usable)
    }
}
