import AlcedoBrowserCore
import AlcedoFileOperations
import AlcedoScreen
import FaultServer
import Foundation
import ImageLoading
import ProgramTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct EffectRunnerTests {
    let place: TemporaryFolder
    let inbox = Inbox<BrowseMessage>()
    private let screen = FakeScreen()
    private let presenter = PicturePresenter()
    let clock = ManualClock()
    let box = PixelSize(width: 40, height: 40)
    let first = ItemID(0)
    let second = ItemID(1)
    let request = RequestID(1)

    init() throws { place = try TemporaryFolder() }

    /// Lets a runner work on lists that were read to their end.
    func run(
        _ lists: [String], prefetches: Bool = true, process: String = "blur(6)", retries: Int = 0,
        files: FileHistory? = nil,
        _ body: (EffectRunner) async throws -> Void
    ) async throws {
        var settings = BrowserSettings()
        settings[.prefetches] = prefetches
        settings[.process] = process
        settings.environment = ["XDG_DATA_HOME": place / "data"]
        var services = Fixtures.library(in: place)
        services[.retries] = retries
        let library = ImageServices(settings: services)
        let runner = EffectRunner(
            library: library, settings: settings, listLoader: BrowserListLoader(lists: lists, inbox: inbox),
            inbox: inbox, presenter: presenter, screen: screen, files: files, clock: clock)
        runner.start()
        let begun = await inbox.messages { $0 == .listFinished(skipped: 0) }
        if let files {
            let text = files.countRunning() > 0 ? "files are changed" : nil
            #expect(begun.contains(.files(.changing(text, isLong: false))))
        }
        var problem: (any Error)?
        do { try await body(runner) } catch { problem = error }
        await runner.stop()
        await library.close()
        if let problem { throw problem }
    }

    func pictures(in messages: [BrowseMessage]) -> [ShownPicture] {
        messages.compactMap { if case .slotPicture(_, let facts) = $0 { facts } else { nil } }
    }

    func statuses(of item: ItemID, in messages: [BrowseMessage]) -> [ItemStatus] {
        messages.compactMap { if case .statusChanged(item, let status) = $0 { status } else { nil } }
    }

    func isEnd(_ message: BrowseMessage) -> Bool {
        switch message {
        case .statusChanged(_, .inMemory), .statusChanged(_, .failed), .statusChanged(_, .onDisk): true
        default: false
        }
    }

    @Test func `a load delivers the picture exactly once`() async throws {
        // Given a file that is larger than the box
        let file = try place.write("a.png", try Fixtures.png(width: 80, height: 40))
        try await run([file]) { runner in
            // When it is loaded
            #expect(runner.run(.load(request, first, box: box, region: nil, reload: false)) == .proceed)
            let messages = await inbox.messages(until: isEnd)
            // Then one picture comes, scaled down, with what is known of it
            let facts = try #require(pictures(in: messages).first)
            #expect(pictures(in: messages).count == 1)
            #expect(facts.size == PixelSize(width: 40, height: 20))
            #expect(facts.originalSize == PixelSize(width: 80, height: 40))
            #expect(facts.origin == .file && facts.format == "PNG" && facts.processor == "blur(6)")
            #expect(statuses(of: first, in: messages).last == .inMemory(bytes: facts.bytes))
        }
    }

    /// The thumbnails of the first item that are shown, one after the other.
    private func thumbnails(of file: String, within box: PixelSize) async throws -> [(
        size: PixelSize, pixels: PixelBuffer
    )] {
        var found: [(PixelSize, PixelBuffer)] = []
        try await run([file], prefetches: false, process: "") { runner in
            runner.run(.thumbnails([first], box: box, visible: 1))
            for case .thumbnail(first, box, let facts) in await inbox.messages(until: isEnd) {
                found.append((facts.originalSize, try #require(presenter.pixels(of: facts.picture))))
            }
        }
        return found
    }

    @Test func `a camera's preview is shown before the thumbnail, and neither is made again`() async throws {
        // Given a red photo with a green preview
        let bytes = try EmbeddedPreviewTests.photo(800, 600, preview: (160, 120))
        let file = try place.write("a.jpg", bytes)
        // When its thumbnail is requested
        let first = try await thumbnails(of: file, within: PixelSize(width: 200, height: 200))
        // Then the preview comes first, in the size of the thumbnail that follows
        #expect(first.map { $0.pixels.bytes[1] > 200 } == [true, false])
        #expect(first.map(\.pixels.size) == [PixelSize(width: 200, height: 150), PixelSize(width: 200, height: 150)])
        #expect(first.map(\.size) == [PixelSize(width: 800, height: 600), PixelSize(width: 800, height: 600)])
        // And the next session shows the kept thumbnail at once
        let next = try await thumbnails(of: file, within: PixelSize(width: 100, height: 100))
        #expect(next.map { $0.pixels.bytes[1] > 200 } == [false])
        #expect(next.map(\.size) == [PixelSize(width: 800, height: 600)])
    }

    @Test func `a shell command tells which files it removed and changed`() async throws {
        let files = try ["a.png", "b.png", "c.png"].map { try place.write($0, try Fixtures.png(width: 2, height: 2)) }
        try await run(files, prefetches: false) { runner in
            runner.run(.runCommand("rm \(files[0]); echo >> \(files[1]); :", [first, second, ItemID(2)]))
            let messages = await inbox.messages { if case .fileChanged(second, _) = $0 { true } else { false } }
            #expect(messages.contains { if case .notice(let text) = $0 { text.hasPrefix("done: rm") } else { false } })
            let changes = messages.filter { if case .fileChanged = $0 { true } else { false } }
            #expect(changes == [.fileChanged(first, isThere: false), .fileChanged(second, isThere: true)])
        }
    }

    private func verdict(of item: ItemID, in messages: [BrowseMessage]) -> PictureVerdict? {
        messages.compactMap { if case .factsKnown(item, let facts) = $0 { facts.verdict } else { nil } }.last
    }

    @Test func `inspecting an item reports whether its picture is damaged`() async throws {
        // Given a whole picture, and one whose pixels are damaged
        var damaged = try Fixtures.png(width: 80, height: 40)
        damaged[damaged.count - 20] ^= 0xFF
        let files = [
            try place.write("a.png", try Fixtures.png(width: 80, height: 40)), try place.write("b.png", damaged),
        ]
        try await run(files, prefetches: false) { runner in
            // When the filter asks for their verdicts
            #expect(runner.run(.inspect([first, second])) == .proceed)
            let messages = await inbox.messages { $0 == .inspected }
            // Then both are known
            #expect(verdict(of: first, in: messages) == .whole)
            #expect(verdict(of: second, in: messages) == .corrupt)
        }
    }

    @Test func `a truncated picture refused by the prefetcher gets a verdict`() async throws {
        // Given a file that ends within its pixels
        let file = try place.write("a.png", try Fixtures.png(width: 80, height: 40).dropLast(20))
        try await run([file]) { runner in
            // When it is prefetched
            #expect(runner.run(.prefetch([first])) == .proceed)
            let messages = await inbox.messages(until: isEnd)
            // Then it fails, and its verdict is known
            #expect(verdict(of: first, in: messages) == .incomplete)
        }
    }

    @Test func `a comparison shows both pictures side by side and reports their difference`() async throws {
        let files = [
            try place.write("a.png", try Fixtures.png(width: 80, height: 40)),
            try place.write("b.png", try Fixtures.png(width: 40, height: 20)),
        ]
        try await run(files) { runner in
            let screen = PixelSize(width: 100, height: 60)
            let comparison = PictureComparison(
                first: first, second: second, view: .beside, part: PixelSize(width: 48, height: 60))
            runner.run(.compare(request, comparison, box: screen, region: nil))
            let messages = await inbox.messages { if case .compared = $0 { true } else { false } }
            #expect(pictures(in: messages).map(\.size) == [screen])
            guard case .compared(let facts) = messages.last else { throw CancellationError() }
            #expect(facts.firstSize == PixelSize(width: 80, height: 40))
            #expect(facts.secondSize == PixelSize(width: 40, height: 20))
            #expect(facts.psnr > 20 && facts.ssim > 0.5)
        }
    }

    @Test func `a comparison with a missing file fails`() async throws {
        let file = try place.write("a.png", try Fixtures.png(width: 80, height: 40))
        try await run([file, file + ".gone.png"]) { runner in
            let comparison = PictureComparison(first: first, second: second, view: .difference, part: box)
            runner.run(.compare(request, comparison, box: box, region: nil))
            let messages = await inbox.messages { if case .slotFailed = $0 { true } else { false } }
            #expect(pictures(in: messages).isEmpty)
            guard case .slotFailed(request, let facts) = messages.last else { throw CancellationError() }
            #expect(facts.title.hasPrefix("B: ") && facts.title.count > 3)
        }
    }

    @Test func `loading an unknown item fails at once`() async throws {
        try await run([]) { runner in
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            #expect(
                inbox.drain() == [
                    .slotFailed(
                        request, FailureFacts(title: "no source", detail: "The item is gone.", attempts: 0))
                ])
        }
    }

    @Test func `a failure is reported to the slot and to the list`() async throws {
        let server = try await FaultServer.start(["/a.png": .status(404)])
        try await run([server.url("/a.png")]) { runner in
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            let messages = await inbox.messages(until: isEnd)
            let failures = messages.compactMap { if case .slotFailed(request, let facts) = $0 { facts } else { nil } }
            #expect(failures.map(\.title) == ["404 Not Found"] && failures.map(\.attempts) == [1])
            #expect(statuses(of: first, in: messages).last == .failed(reason: "404 Not Found"))
        }
        await server.stop()
    }

    @Test func `a removed picture leaves both cache tiers and is not prefetched again`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        try await run([server.url("/a.png")]) { runner in
            // Given a picture in both tiers
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            _ = await inbox.messages(until: isEnd)
            // When it is removed
            runner.run(.removeFromCache([first]))
            let messages = await inbox.messages { $0 == .notice("removed from the cache: r loads it again") }
            // Then the list says so, and only a new choice brings it back
            #expect(messages.contains(.removedFromCaches([first])))
            // A second time there is nothing to remove
            runner.run(.removeFromCache([first]))
            let second = await inbox.messages { $0 == .notice("nothing cached") }
            #expect(!second.contains(.removedFromCaches([first])))
            runner.run(.load(RequestID(2), first, box: box, region: nil, reload: false))
            #expect(pictures(in: await inbox.messages(until: isEnd)).map(\.origin) == [.network])
            #expect(await server.count(of: "/a.png") == 2)
        }
        await server.stop()
    }

    @Test func `the description of an item lists its last answer, host and cache entry`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        try await run([server.url("/a.png")]) { runner in
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            _ = await inbox.messages(until: isEnd)
            runner.run(.describe(first, picture: nil))
            let messages = await inbox.messages { if case .described = $0 { true } else { false } }
            guard case .described(let item, let lines, _)? = messages.last else { return }
            #expect(item == first)
            #expect(lines.first { $0.label == "answer" }?.value == "200 OK")
            #expect(lines.first { $0.label == "host" }?.value.hasSuffix(", no trouble") == true)
            #expect(lines.contains { $0.label == "cached" && $0.group == .file })
            #expect(lines.contains { $0.label == "transfer" && $0.value.hasPrefix("HTTP/1.1, name ") })
        }
        await server.stop()
    }

    @Test func `only a reload skips the caches`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        try await run([server.url("/a.png")]) { runner in
            // Given an item that was loaded, and again
            var origins: [PictureOrigin] = []
            for (number, reload) in [false, false, true].enumerated() {
                runner.run(.load(RequestID(number), first, box: box, region: nil, reload: reload))
                origins += pictures(in: await inbox.messages(until: isEnd)).map(\.origin)
            }
            // Then the second load needed no transfer, and the reload did
            #expect(origins == [.network, .memory, .network])
            #expect(await server.count(of: "/a.png") == 2)
        }
        await server.stop()
    }

    @Test func `a picture in memory is delivered at once`() async throws {
        let file = try place.write("a.png", try Fixtures.png())
        try await run([file]) { runner in
            // Given a picture that was shown
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            _ = await inbox.messages(until: isEnd)
            // When it is wanted again, and nobody waits
            runner.run(.load(RequestID(2), first, box: box, region: nil, reload: false))
            // Then it is there
            #expect(pictures(in: inbox.drain()).map(\.origin) == [.memory])
            #expect(presenter.encodedCount <= 1)
        }
    }

    @Test func `items passed while moving quickly are not loaded`() async throws {
        let files = try ["a.png", "b.png", "c.png"].map { try place.write($0, try Fixtures.png()) }
        try await run(files, prefetches: false) { runner in
            // Given three choices at once
            for number in 0..<3 {
                if number > 0 { runner.run(.cancelLoad(RequestID(number - 1))) }
                runner.run(.load(RequestID(number), ItemID(number), box: box, region: nil, reload: false))
            }
            await clock.untilSleepers(2)
            #expect(pictures(in: inbox.drain()).isEmpty)
            // When the last of them has stood for a moment
            clock.advance(by: .milliseconds(60))
            // Then it alone is there; the first was on its way and given up
            let messages = await inbox.messages(until: isEnd)
            #expect(pictures(in: messages).count == 1)
            #expect(statuses(of: second, in: messages).isEmpty)
            // Now and then one chooses at leisure: that is loaded at once
            runner.run(.load(RequestID(3), second, box: box, region: nil, reload: false))
            #expect(!pictures(in: await inbox.messages(until: isEnd)).isEmpty)
        }
    }

    @Test func `a prepared picture is already decoded and encoded when it is loaded`() async throws {
        let file = try place.write("a.png", try Fixtures.png())
        try await run([file]) { runner in
            // Given a picture made ready
            runner.run(.prepare([first], box: box))
            await until { presenter.encodedCount > 0 }
            // When it is wanted
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            // Then it costs no decode and no encode
            let facts = try #require(pictures(in: inbox.drain()).first)
            let rect = Rect(column: 0, row: 0, columns: 1, rows: 1)
            #expect(facts.origin == .memory)
            #expect(
                presenter.pictures(for: [PicturePlacement(rect: rect, picture: facts.picture)], isBusy: false).count
                    == 1)
        }
    }

    @Test func `preparing makes no network request`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let file = try place.write("b.png", try Fixtures.png())
        try await run([server.url("/a.png"), file]) { runner in
            runner.run(.prepare([first, second], box: box))
            await until { presenter.encodedCount > 0 }
            #expect(await server.count(of: "/a.png") == 0)
        }
        await server.stop()
    }

    @Test func `an animation reports its frame interval`() async throws {
        let gif = MovingPicture.gif([.white, .black], size: PixelSize(width: 8, height: 8), delay: 7)
        let file = try place.write("a.gif", gif)
        try await run([file]) { runner in
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            let facts = try #require(pictures(in: await inbox.messages(until: isEnd)).first)
            #expect(facts.frames == 2 && facts.frameInterval == 70 && facts.playLength == nil)
        }
    }

    @Test func `a cancelled load is continued by the prefetcher`() async throws {
        let picture = try Fixtures.png()
        let server = try await FaultServer.start(["/a.png": [.stall, .picture(picture)]])
        try await run([server.url("/a.png")]) { runner in
            // Given a transfer that hangs
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            await server.arrival(of: "/a.png")
            // When its load is cancelled
            runner.run(.cancelLoad(request))
            let messages = await inbox.messages(until: isEnd)
            // Then the slot hears nothing of it, and the item is fetched in the background
            #expect(statuses(of: first, in: messages).contains(.waiting))
            #expect(statuses(of: first, in: messages).last == .onDisk(bytes: picture.count))
            #expect(!messages.contains { if case .slotFailed = $0 { true } else { false } })
            #expect(pictures(in: messages).isEmpty)
        }
        await server.stop()
    }

    @Test(arguments: [true, false])
    func `a running transfer is reused by the prefetcher or for another size`(isForPrefetcher: Bool) async throws {
        let (picture, gate) = (try Fixtures.png(), FaultGate())
        let server = try await FaultServer.start(["/a.png": .pauseInBody(picture, after: 40, until: gate)])
        try await run([server.url("/a.png")]) { runner in
            // Given a transfer of which something has come
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            var messages = await inbox.messages { if case .slotProgress = $0 { true } else { false } }
            // When its load is left, for another item or for another size
            runner.run(.cancelLoad(request))
            if !isForPrefetcher {
                runner.run(.load(RequestID(2), first, box: PixelSize(width: 9, height: 9), region: nil, reload: false))
            }
            await clock.untilSleepers(2)
            clock.advance(by: .milliseconds(300))
            gate.open()
            messages += await inbox.messages {
                if case .slotPicture(RequestID(2), _) = $0 { true } else { isForPrefetcher && isEnd($0) }
            }
            // Then it ends well, and is the only one
            #expect(!statuses(of: first, in: messages).contains(.waiting))
            #expect(await server.count(of: "/a.png") == 1)
        }
        await server.stop()
    }

    @Test func `a transfer that the user cancelled is not started again`() async throws {
        let server = try await FaultServer.start(["/a.png": .stall, "/b.png": .picture(try Fixtures.png())])
        try await run([server.url("/a.png"), server.url("/b.png")]) { runner in
            // Given a transfer that hangs
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            await server.arrival(of: "/a.png")
            // When the user gives it up, and the next item is fetched
            runner.run(.cancelItem(first))
            runner.run(.cancelLoad(request))
            let given = await inbox.messages { $0 == .statusChanged(first, .waiting) }
            runner.run(.prefetch([second]))
            let later = await inbox.messages(until: isEnd)
            // Then the one given up was not begun again
            #expect(statuses(of: first, in: given + later).filter { $0 == .connecting }.count == 1)
            #expect(await server.count(of: "/a.png") == 1)
        }
        await server.stop()
    }

    @Test func `a prefetched picture is fetched once and then loaded from disk`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        try await run([server.url("/a.png")]) { runner in
            runner.run(.prefetch([first]))
            _ = await inbox.messages(until: isEnd)
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            #expect(pictures(in: await inbox.messages(until: isEnd)).map(\.origin) == [.disk])
            #expect(await server.count(of: "/a.png") == 1)
        }
        await server.stop()
    }

    @Test func `orders given while the prefetcher is paused run after it resumes`() async throws {
        let picture = try Fixtures.png()
        let server = try await FaultServer.start(["/a.png": .picture(picture), "/b.png": .picture(picture)])
        try await run([server.url("/a.png"), server.url("/b.png")]) { runner in
            // Given a pause, and an order that came in it
            runner.run(.setPrefetchPaused(true))
            runner.run(.prefetch([second]))
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            _ = await inbox.messages(until: isEnd)
            #expect(await server.count(of: "/b.png") == 0)
            // When the pause ends
            runner.run(.setPrefetchPaused(false))
            // Then the order is done
            let messages = await inbox.messages { $0 == .statusChanged(second, .onDisk(bytes: picture.count)) }
            #expect(!statuses(of: second, in: messages).isEmpty)
        }
        await server.stop()
    }

    @Test func `redraw and suspend reach the screen once each`() async throws {
        try await run([]) { runner in
            #expect(runner.run(.redraw) == .proceed && runner.run(.suspend) == .proceed)
            #expect(screen.invalidations == 1 && screen.suspensions == 1)
            #expect(runner.run(.quit) == .quit(0) && runner.run(.abort) == .quit(130))
            #expect(screen.closings == 0)
        }
    }

    @Test func `cache usage is reported at most three times a second`() async throws {
        let file = try place.write("a.png", try Fixtures.png())
        try await run([file]) { runner in
            // Given a report that waits for its time since the start
            await clock.untilSleepers()
            // When a load wants another one
            runner.run(.load(request, first, box: box, region: nil, reload: false))
            let before = await inbox.messages(until: isEnd)
            // The report still, and the choice, which has yet to stand for a moment.
            await clock.untilSleepers(2)
            #expect(clock.sleeperCount == 2)
            clock.advance(by: .milliseconds(330))
            // Then both become one, which knows of the picture
            let isUsage = { (message: BrowseMessage) in if case .usageChanged = message { true } else { false } }
            let after = await inbox.messages(until: isUsage)
            #expect(!before.contains(where: isUsage))
            guard case .usageChanged(let usage) = after.first(where: isUsage) else { return }
            #expect(usage.memoryBytes > 0 && usage.diskLimit > 0)
        }
    }
}
