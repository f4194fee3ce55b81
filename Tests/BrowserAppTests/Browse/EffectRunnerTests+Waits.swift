import AlcedoBrowserCore
import AlcedoFileOperations
import AlcedoLists
import AlcedoScreen
import FaultServer
import Foundation
import ImageLoading
import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

/// Paused hosts, names that are taken, and what folders have.
extension EffectRunnerTests {
    /// Lets a runner work on two pictures of a host that answered the first with the wish for half a minute's pause.
    private func runPaused(_ body: (EffectRunner, FaultServer) async throws -> Void) async throws {
        let busy = FaultScript.status(429, headers: [("Retry-After", "30")])
        let server = try await FaultServer.start(["/a.png": busy, "/b.png": .picture(try Fixtures.png())])
        try await run([server.url("/a.png"), server.url("/b.png")]) { runner in
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            _ = await inbox.messages(until: isEnd)
            await clock.untilSleepers(2)
            clock.advance(by: .seconds(1))
            _ = await inbox.messages { if case .usageChanged = $0 { true } else { false } }
            try await body(runner, server)
        }
        await server.stop()
    }

    private func isParked(_ message: BrowseMessage) -> Bool {
        if case .statusChanged(second, .parked) = message { true } else { false }
    }

    @Test func `a row of a paused host that the prefetcher waits for stays paused when the selection leaves it`()
        async throws
    {
        try await runPaused { runner, server in
            // Given a picture that waits for its host, and is selected
            runner.run(.prefetch([second]))
            _ = await inbox.messages(until: isParked)
            runner.run(.load(RequestID(2), second, box: box, region: nil, reload: false))
            _ = await inbox.messages(until: isParked)
            // When the selection leaves it; the usage of the caches is told at the end of its load
            runner.run(.cancelLoad(RequestID(2)))
            await clock.untilSleepers(2)
            // Then it waits as before, and was not asked for
            #expect(statuses(of: second, in: inbox.drain()).isEmpty)
            #expect(await server.count(of: "/b.png") == 0)
        }
    }

    @Test(arguments: [429, 503])
    func `a row that waits for its next attempt keeps it when the selection leaves`(code: Int) async throws {
        let server = try await FaultServer.start(["/a.png": .status(code, headers: [("Retry-After", "20")])])
        try await run([server.url("/a.png")], retries: 3) { runner in
            // Given a picture whose next attempt follows in some seconds
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            _ = await inbox.messages { if case .statusChanged(first, .retrying) = $0 { true } else { false } }
            // When the selection leaves it, and the moment has passed in which others can join its load
            runner.run(.cancelLoad(request))
            await clock.untilSleepers(2)
            clock.advance(by: .milliseconds(300))
            // And its own load has ended, after which the usage of the caches is told
            await clock.untilSleepers(1)
            clock.advance(by: .seconds(1))
            let messages = await inbox.messages { if case .usageChanged = $0 { true } else { false } }
            // Then the prefetcher waits for that attempt
            #expect(!statuses(of: first, in: messages).contains(.waiting))
            #expect(await server.count(of: "/a.png") == 1)
        }
        await server.stop()
    }

    @Test func `a selection waits for a paused host, a retry asks it at once`() async throws {
        try await runPaused { runner, server in
            runner.run(.load(RequestID(2), second, box: box, region: nil, reload: false))
            _ = await inbox.messages(until: isParked)
            #expect(await server.count(of: "/b.png") == 0)
            runner.run(.cancelLoad(RequestID(2)))
            runner.run(.load(RequestID(3), second, box: box, region: nil, reload: true))
            let messages = await inbox.messages { if case .slotPicture(RequestID(3), _) = $0 { true } else { false } }
            #expect(pictures(in: messages).map(\.origin) == [.network])
            #expect(await server.count(of: "/b.png") == 1)
        }
    }

    @Test(arguments: [
        (ConflictAnswer.skip, ["a.png": 1], "exported 0 pictures", ", 1 skipped"),
        (.keepBoth, ["a-2.png": 0, "a.png": 1], "exported 1 picture", ""),
        (.replace, ["a.png": 0], "exported 1 picture", ""),
    ])
    func `names that are taken where pictures are saved are asked about`(
        answer: ConflictAnswer, names: [String: Int], start: String, end: String
    ) async throws {
        // Given a picture, and a file of another that has its name in the folder
        let file = try place.write("a.png", try Fixtures.png())
        try place.write("out/a.png", [1])
        try await run([file], process: "") { runner in
            // When it is saved there
            runner.run(.export([first], path: place / "out/"))
            let asked = await inbox.messages { if case .files(.planned) = $0 { true } else { false } }
            guard case .files(.planned(let plan, [first]))? = asked.last else { throw CancellationError() }
            #expect(plan.isExport && plan.conflicts.map(\.there.path) == [place / "out/a.png"])
            #expect(try Data(contentsOf: URL(filePath: place / "out/a.png")).count == 1)
            // And the question is answered
            runner.run(.export([first], path: place / "out/", answers: ["a.png": answer]))
            let told = await inbox.messages {
                if case .notice(let text) = $0 { text.hasPrefix("exported") } else { false }
            }
            // Then the answer is followed
            guard case .notice(let text)? = told.last else { throw CancellationError() }
            #expect(text.hasPrefix(start) && text.hasSuffix("out\(end)"))
            for (name, isOld) in names {
                #expect((try Data(contentsOf: URL(filePath: place / "out/\(name)")).count == 1) == (isOld == 1))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: place / "out").count == names.count)
        }
    }

    @Test func `undo after a picture was saved in place of another file brings that one back`() async throws {
        let file = try place.write("a.png", try Fixtures.png())
        try place.write("out/a.png", [1])
        try await run([file], process: "") { runner in
            runner.run(.export([first], path: place / "out/", answers: ["a.png": .replace]))
            _ = await inbox.messages { if case .notice(let text) = $0 { text.hasPrefix("exported 1") } else { false } }
            runner.run(.undoFiles)
            let told = await inbox.messages { $0 == .files(.changing(nil, isLong: false)) }
            // It runs from its start to its outcome.
            #expect(told.contains(.files(.changing("files are changed", isLong: false))))
            #expect(told.contains(.notice("undone: a.png replaced")))
            #expect(FileManager.default.contents(atPath: place / "out/a.png")?.count == 1)
        }
    }

    @Test(arguments: [0, 1])
    func `a list that is shown while files are changed for the one before it knows that`(count: Int) async throws {
        let files = FileHistory(home: place / "home", dataHome: nil)
        files.countRunning(count)
        try await run([], files: files) { _ in }
    }

    @Test func `a file that was to be replaced may be gone by then`() async throws {
        let file = try place.write("a.png", try Fixtures.png())
        try await run([file], process: "") { runner in
            runner.run(.export([first], path: place / "out/", answers: ["a.png": .replace]))
            let told = await inbox.messages {
                switch $0 {
                case .notice(let text): text.hasPrefix("exported ")
                case .warning: true
                default: false
                }
            }
            guard case .notice(let text)? = told.last else { throw CancellationError() }
            #expect(text.hasPrefix("exported 1 picture"))
        }
    }

    @Test(arguments: [
        ("full", ["a.png", "deep/b.png"], ["1 picture", "1 folder"]), ("trip", ["deep/b.png"], ["1 folder"]),
        ("none", ["notes.txt"], ["0 pictures"]),
    ])
    func `a folder without pictures of its own is told by its folders`(
        name: String, files: [String], texts: [String]
    ) throws {
        for file in files { try place.write("\(name)/\(file)") }
        #expect(try FolderSummary(of: place / name, first: 0).texts == texts)
    }

    @Test func `pictures of one name are numbered where they are saved, others keep their names`() async throws {
        for (index, name) in ["x/a.png", "y/a.png", "x/b.png"].enumerated() {
            try place.write("in/\(index)" + name, try Fixtures.png())
        }
        try await run([place / "in"], process: "") { runner in
            runner.run(.export([first, second, ItemID(2)], path: place / "out/"))
            _ = await inbox.messages { if case .notice(let text) = $0 { text.hasPrefix("exported 3") } else { false } }
            let saved = try FileManager.default.contentsOfDirectory(atPath: place / "out")
            #expect(saved.sorted() == ["a-2.png", "a.png", "b.png"])
        }
    }
}
