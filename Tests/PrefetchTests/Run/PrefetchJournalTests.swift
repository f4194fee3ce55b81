import AlcedoLists
import Foundation
import ImageLoading
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct PrefetchJournalTests {
    private let place: TemporaryFolder
    private let now = Date()

    init() throws { place = try TemporaryFolder() }

    private func work(_ number: Int) -> String {
        ListEntry(line: 1, location: "https://host/\(number).png").pictureName
    }

    private func journal(_ run: String = "run", resumes: Bool = true, after time: TimeInterval = 0) throws
        -> PrefetchJournal
    {
        try #require(
            PrefetchJournal(
                folder: place / "state/prefetch", run: run, resumes: resumes, now: now.addingTimeInterval(time)))
    }

    /// A run that was killed when it had done two pictures.
    private func leaveJournal() throws {
        let journal = try journal()
        journal.record(work(1))
        journal.record(work(2), code: 2105)
    }

    private var file: String {
        get throws {
            let folder = place / "state/prefetch"
            return folder + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first))
        }
    }

    @Test func `the next run knows the outcomes of an interrupted run`() throws {
        try leaveJournal()
        let next = try journal()
        #expect(next.outcome(of: work(1)) == .usable)
        #expect(next.outcome(of: work(2)) == .failed(code: 2105))
        #expect(next.outcome(of: work(3)) == nil)
        #expect(next.earlierCount == 2)
    }

    @Test func `a journal is continued after a second interruption`() throws {
        try leaveJournal()
        try journal().record(work(3))
        #expect(try journal().outcome(of: work(3)) == .usable)
        #expect(try journal().outcome(of: work(1)) == .usable)
    }

    @Test func `an incomplete last record is ignored`() throws {
        try leaveJournal()
        let handle = try #require(FileHandle(forWritingAtPath: try file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.close()
        do {
            let next = try journal()
            #expect(next.earlierCount == 2)
            next.record(work(3))
        }
        #expect(try journal().outcome(of: work(3)) == .usable)
    }

    @Test func `starting anew empties the journal`() throws {
        try leaveJournal()
        #expect(try journal(resumes: false).earlierCount == 0)
        #expect(try journal().earlierCount == 0)
    }

    @Test func `another run has its own journal`() throws {
        try leaveJournal()
        #expect(try journal("other").earlierCount == 0)
        #expect(try journal().earlierCount == 2)
    }

    @Test func `an old journal is ignored, and expired journals of other runs are removed`() throws {
        try leaveJournal()
        #expect(try journal(after: 8 * 86_400).earlierCount == 0)
        _ = try journal("other", after: 16 * 86_400)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place / "state/prefetch").count == 1)
    }

    @Test func `the journal of a refreshing run expires earlier`() throws {
        try leaveJournal()
        let night = PrefetchJournal.refreshingLife + 1
        let reopened = { (life: Double) in
            PrefetchJournal(
                folder: self.place / "state/prefetch", run: "run", resumes: true,
                now: self.now.addingTimeInterval(night),
                life: life)?.earlierCount
        }
        #expect(reopened(PrefetchJournal.longestLife) == 2)
        #expect(reopened(PrefetchJournal.refreshingLife) == 0)
    }

    @Test func `a second concurrent run gets no journal`() throws {
        let first = try journal()
        #expect(PrefetchJournal(folder: place / "state/prefetch", run: "run", resumes: true, now: now) == nil)
        first.record(work(1))
    }

    @Test func `a finished run removes its journal`() throws {
        let journal = try journal()
        journal.record(work(1))
        journal.finish(isComplete: true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place / "state/prefetch").isEmpty)
    }

    @Test func `a damaged journal is recreated`() throws {
        try leaveJournal()
        try Data(repeating: 0xFF, count: 10_000).write(to: URL(filePath: try file))
        do {
            let next = try journal()
            #expect(next.earlierCount == 0)
            next.record(work(7))
        }
        #expect(try journal().outcome(of: work(7)) == .usable)
    }

    @Test func `only the owner may read the file`() throws {
        try leaveJournal()
        let attributes = try FileManager.default.attributesOfItem(atPath: try file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `without a writable folder there is no journal`() {
        #expect(PrefetchJournal(folder: "/proc/nowhere", run: "run", resumes: true, now: now) == nil)
    }

    @Test func `an error that other options or another list may avoid is not final`() {
        let cured: [ImageError] = [
            .response(.tooLarge(limit: 1)), .response(.digestMismatch), .processor(.limitExceeded("")),
            .processor(.processingFailed(identifier: "", "")), .response(.transport(.reset)),
        ]
        #expect(cured.filter(\.isFinal).isEmpty)
        #expect(ImageError.response(.notAnImage("HTML")).isFinal)
        #expect(ImageError.response(.invalidHTTPStatusCode(404, retryAfter: nil)).isFinal)
    }
}
