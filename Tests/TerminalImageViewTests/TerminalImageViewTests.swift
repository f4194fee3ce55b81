import Foundation
import Raster
import TerminalImageView
import TestSupport
import Testing

/// A view of 10 × 4 cells on a screen of 20 × 8, drawn as sixel.
@MainActor @Suite(.timeLimit(.minutes(1))) struct TerminalImageViewTests {
    private final class Screen {
        var model = ScreenModel(columns: 20, rows: 8)
        var updates: [[UInt8]] = []
    }

    private struct Card: Placeholder {
        func content(for context: PlaceholderContext) -> PlaceholderContent { .text(["wait", "", context.name]) }
    }

    private struct Percentage: Indicator {
        func frame(_ context: IndicatorContext) -> PlaceholderContent {
            .text(["\(context.received) of \(context.total ?? 0)"])
        }
    }

    /// Delivers a picture when it is told to, after announcing 40 of 80 bytes.
    private struct SlowProvider: ImageDataProvider {
        let cacheKey: String
        let gate: AsyncStream<Data>
        var contentURL: URL?

        func data() async throws -> Data { try await data { _, _ in } }

        func data(onProgress: @escaping @Sendable (Int, Int?) -> Void) async throws -> Data {
            onProgress(40, 80)
            for await data in gate { return data }
            throw CancellationError()
        }
    }

    private let screen = Screen()
    private let clock = ManualClock()
    private let red = Pictures.make(40, 20) { _, _ in Color(red: 255, green: 0, blue: 0) }

    private func view(
        _ clock: any Clock<Duration> = ManualClock(advancesItself: true), placeholder: any Placeholder = Card(),
        indicator: any Indicator = NoIndicator(), defaults: ImageOptions = ImageOptions()
    ) -> TerminalImageView {
        let screen = screen
        return TerminalImageView(
            in: Rect(column: 2, row: 1, columns: 10, rows: 4), encoder: PictureEncoder(protocol: .sixel(SixelLimits())),
            pipeline: ImagePipeline(cache: ImageCache(disk: nil), defaultOptions: defaults), placeholder: placeholder,
            indicator: indicator, clock: clock
        ) { bytes in
            screen.model.feed(bytes)
            screen.updates.append(bytes)
        }
    }

    private func source(_ pixels: PixelBuffer, _ key: String = "a") throws -> Source {
        .provider(RawImageDataProvider(data: try pixels.pngData(), cacheKey: key))
    }

    @Test func `an image is drawn in the centre of the view only`() async throws {
        let view = view()
        let result = try await view.setImage(with: try source(red))
        #expect(result.image.size == red.size && view.image?.pixels == red && !view.isLoading)
        // 40 × 20 pixels are 4 × 1 cells of 10 × 20.
        for row in 0..<8 {
            for column in 0..<20 {
                let isInside = (5..<9).contains(column) && row == 2
                #expect((screen.model.pieces[row][column] != nil) == isInside, "\(column), \(row)")
            }
        }
        #expect(screen.model.strays.isEmpty)
    }

    @Test func `a large image is scaled down to the view`() async throws {
        let view = view()
        let large = Pictures.make(400, 400) { _, _ in Color(red: 0, green: 200, blue: 0) }
        let result = try await view.setImage(with: try source(large))
        #expect(result.image.size == PixelSize(width: 80, height: 80))
    }

    @Test func `while loading the placeholder and then the indicator are shown`() async throws {
        let view = view(clock, indicator: Percentage())
        let (gate, opener) = AsyncStream<Data>.makeStream()
        let load = Task { try await view.setImage(with: .provider(SlowProvider(cacheKey: "s", gate: gate))) }
        await clock.untilSleepers()
        #expect(screen.updates.isEmpty)
        clock.advance(by: .milliseconds(16))
        await clock.untilSleepers()
        // The placeholder's line above the indicator's, which is redrawn every 100 ms.
        #expect(screen.model.contains("wait") && screen.model.contains("of"))
        while !screen.model.contains("40 of 80") {
            clock.advance(by: .milliseconds(100))
            await clock.untilSleepers()
        }
        opener.yield(try red.pngData())
        _ = try await load.value
        #expect(!screen.model.lines.joined().contains("40 of 80") && !screen.model.lines.joined().contains("wait"))
    }

    @Test func `a newer request replaces an older one, whose result is not shown`() async throws {
        let view = view(clock)
        let (gate, _) = AsyncStream<Data>.makeStream()
        let old = Task { () -> ImageError? in
            do throws(ImageError) {
                try await view.setImage(with: .provider(SlowProvider(cacheKey: "s", gate: gate)))
                return nil
            } catch { return error }
        }
        await clock.untilSleepers()
        try await view.setImage(with: try source(red))
        #expect(await old.value == .imageSetting(.notCurrentSourceTask))
        #expect(view.image?.pixels == red)
    }

    @Test func `a URL, a resource and a provider are sources, too`() async throws {
        let folder = try TemporaryFolder()
        let file = try red.pngData()
        let url: URL? = URL(filePath: folder / "red.png")
        try file.write(to: try #require(url))
        let resource = ImageResource(downloadURL: try #require(url), cacheKey: "red")
        let view = view()
        #expect(try await view.setImage(with: url).image.pixels == red)
        #expect(try await view.setImage(with: resource).source?.cacheKey == "red")
        let provider = RawImageDataProvider(data: file, cacheKey: "raw")
        #expect(try await view.setImage(with: provider, options: [.forceRefresh]).source?.cacheKey == "raw")
        await #expect(throws: ImageError.imageSetting(.emptySource)) { try await view.setImage(with: nil as URL?) }
    }

    @Test func `a nil source removes the image and is an error`() async throws {
        let view = view()
        try await view.setImage(with: try source(red))
        await #expect(throws: ImageError.imageSetting(.emptySource)) { try await view.setImage(with: nil) }
        #expect(view.image == nil)
        #expect(screen.model.contains("wait"))
    }

    @Test func `keepCurrentImageWhileLoading keeps the old image until the new one is ready`() async throws {
        let view = view(clock)
        try await view.setImage(with: try source(red))
        let (gate, opener) = AsyncStream<Data>.makeStream()
        let load = Task {
            try await view.setImage(
                with: .provider(SlowProvider(cacheKey: "s", gate: gate)), options: [.keepCurrentImageWhileLoading])
        }
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(16))
        await clock.untilSleepers()
        #expect(view.image?.pixels == red)
        #expect(!screen.model.lines.joined().contains("wait"))
        opener.yield(try red.pngData())
        _ = try await load.value
    }

    @Test func `a transition draws its frames and ends with the image`() async throws {
        let view = view()
        try await view.setImage(with: try source(red), options: [.transition(.fade(0.16))])
        // Ten steps of 16 ms and the image itself; the placeholder may come before them.
        #expect(screen.updates.count >= 11)
    }

    @Test func `a cached image has no transition`() async throws {
        let view = view()
        try await view.setImage(with: try source(red))
        let before = screen.updates.count
        try await view.setImage(with: try source(red), options: [.transition(.fade(0.16))])
        #expect(screen.updates.count - before < 5)
    }

    @Test func `after a failure the failure image is shown`() async throws {
        let view = view()
        let failed = Image(pixels: red, originalSize: red.size, format: .png, frameCount: 1, byteCount: 0)
        let broken = Source.provider(RawImageDataProvider(data: Data("no picture".utf8), cacheKey: "b"))
        await #expect(throws: ImageError.self) {
            try await view.setImage(with: broken, options: [.onFailureImage(failed)])
        }
        #expect(view.image == failed)
        await #expect(throws: ImageError.self) {
            try await view.setImage(with: broken, options: [.onFailureImage(nil)])
        }
        #expect(view.image == nil && screen.model.lines.joined().isEmpty)
    }

    @Test func `cancelling ends the load with a cancellation`() async throws {
        let view = view(clock)
        let (gate, _) = AsyncStream<Data>.makeStream()
        let load = Task { try await view.setImage(with: .provider(SlowProvider(cacheKey: "s", gate: gate))) }
        await clock.untilSleepers()
        #expect(view.isLoading)
        view.cancelDownloadTask()
        await #expect(throws: ImageError.cancelled) { try await load.value }
    }

    @Test func `a hostile name cannot control the terminal`() async throws {
        let view = view(clock)
        let url = try #require(URL(string: "http://127.0.0.1:9/%1B%5B2J%0A%9B.png"))
        let (gate, _) = AsyncStream<Data>.makeStream()
        let hostile = SlowProvider(cacheKey: "h", gate: gate, contentURL: url)
        let load = Task { try? await view.setImage(with: .provider(hostile)) }
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(16))
        await clock.untilSleepers()
        #expect(screen.model.strays.isEmpty && screen.model.contains("wait"))
        load.cancel()
        _ = await load.value
    }

    /// Delivers a picture after a gate, and counts how often it is read.
    private struct CountedProvider: ImageDataProvider {
        let cacheKey = "counted"
        let reads: Recorder<Int>
        let gate: Gate
        let file: Data

        func data() async throws -> Data { try await data { _, _ in } }

        func data(onProgress: @escaping @Sendable (Int, Int?) -> Void) async throws -> Data {
            reads.add(1)
            onProgress(0, file.count)
            await gate.pass()
            return file
        }
    }

    @Test func `a second request for the same source joins the first one's transfer`() async throws {
        let view = view()
        let (reads, gate) = (Recorder<Int>(), Gate())
        let source = Source.provider(CountedProvider(reads: reads, gate: gate, file: try red.pngData()))
        let first = Task { try await view.setImage(with: source) }
        await gate.untilArrived()
        let second = Task { try await view.setImage(with: source) }
        // A load hears of the progress when it joins the transfer.
        await until { view.request == 2 && view.progress.total != nil }
        await gate.open()
        #expect(try await second.value.image.pixels == red)
        await #expect(throws: ImageError.imageSetting(.notCurrentSourceTask)) { try await first.value }
        #expect(reads.all.count == 1)
    }

    @Test func `a view of another size needs no second transfer`() async throws {
        let folder = try TemporaryFolder()
        let cache = try ImageCache(name: "view", in: CacheFolder(path: folder / "cache"))
        let (reads, gate) = (Recorder<Int>(), Gate())
        await gate.open()
        let large = Pictures.make(400, 400) { _, _ in Color(red: 0, green: 200, blue: 0) }
        let source = Source.provider(CountedProvider(reads: reads, gate: gate, file: try large.pngData()))
        for columns in [4, 10] {
            let view = TerminalImageView(
                in: Rect(column: 0, row: 0, columns: columns, rows: 4),
                encoder: PictureEncoder(protocol: .sixel(SixelLimits())), pipeline: ImagePipeline(cache: cache)
            ) { _ in }
            let size = try await view.setImage(with: source).image.size
            #expect(size.width == min(columns * 10, 80))
        }
        #expect(reads.all.count == 1)
    }

    @Test(arguments: [(FitMode?.none, 4, 1), (.fit, 10, 3), (.fill, 10, 4), (.stretch, 10, 4)])
    func `the content mode says how a small image fills the view`(
        mode: FitMode?, columns: Int, rows: Int
    ) async throws {
        let view = view()
        view.contentMode = mode
        try await view.setImage(with: try source(red))
        let cells = screen.model.pieces.map { $0.count { $0 != nil } }
        // 40 × 20 pixels in 100 × 80.
        #expect(cells.max() == columns && cells.count { $0 > 0 } == rows)
        #expect(screen.model.strays.isEmpty)
    }

    @Test func `an image may be loaded into a view without cells`() async throws {
        let view = view()
        view.resize(to: Rect(column: 2, row: 1, columns: 0, rows: 0))
        #expect(try await view.setImage(with: try source(red)).image.size == red.size)
        view.resize(to: Rect(column: 2, row: 1, columns: 4, rows: 1))
        await until { screen.model.pieces[1][2] != nil }
    }

    @Test func `the events of the newest request are told`() async throws {
        let view = view(clock)
        var events: [DownloadProgress] = []
        view.onEvent = { event in if case .progress(let progress) = event { events.append(progress) } }
        let (gate, opener) = AsyncStream<Data>.makeStream()
        let load = Task { try await view.setImage(with: .provider(SlowProvider(cacheKey: "s", gate: gate))) }
        await until { !events.isEmpty }
        #expect(events.first?.received == 40 && events.first?.total == 80)
        opener.yield(try red.pngData())
        _ = try await load.value
    }

    @Test func `an image can be set, hidden, moved and removed`() async throws {
        let view = view()
        view.isHidden = true
        view.isHidden = false
        view.resize(to: view.rect)
        #expect(screen.updates.isEmpty)
        view.image = Image(pixels: red, originalSize: red.size, format: .png, frameCount: 1, byteCount: 0)
        #expect(view.image?.pixels == red)
        await until { screen.model.pieces[2][5] != nil }
        view.isHidden = true
        #expect(screen.model.pieces[2][5] == nil)
        view.isHidden = false
        await until { screen.model.pieces[2][5] != nil }
        view.resize(to: Rect(column: 0, row: 4, columns: 4, rows: 3))
        await until { screen.model.pieces[5][0] != nil }
        #expect(screen.model.pieces[2][5] == nil && view.rect.row == 4)
        view.image = nil
        #expect(view.image == nil && screen.model.pieces[5][0] == nil)
        view.backgroundColor = .red
        let painted = screen.updates.last.map { String(decoding: $0, as: UTF8.self) }
        #expect(painted?.contains("\u{1B}[48;2;255;0;0m    \u{1B}[49m") == true)
        view.isHidden = true
        #expect(screen.updates.last.map { String(decoding: $0, as: UTF8.self) }?.contains("48;2") == false)
    }

    @Test func `an animation plays until the view is cleared`() async throws {
        let view = view(clock)
        let file = try Pictures.asset("harbour.gif")
        try await view.setImage(with: .provider(RawImageDataProvider(data: file, cacheKey: "g")))
        let before = screen.updates.count
        for _ in 0..<3 {
            await clock.untilSleepers()
            clock.advance(by: .seconds(1))
        }
        await clock.untilSleepers()
        #expect(screen.updates.count > before)
        view.clear()
        await clock.untilNoSleepers()
        #expect(screen.model.lines.joined().isEmpty)
    }

    @Test func `an indicator is made from the bytes of a GIF`() async throws {
        let indicator = try await PictureIndicator(
            imageData: try Pictures.asset("harbour.gif"), within: PixelSize(width: 20, height: 20))
        #expect(indicator.frames.count > 1 && indicator.interval != nil)
        await #expect(throws: CodecError.self) { try await PictureIndicator(imageData: Data("GIF89a".utf8)) }
    }
}
