import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import ImageLoading
import Raster
import Synchronization
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct PicturePresenterTests {
    private let presenter: PicturePresenter
    private let rect = Rect(column: 2, row: 1, columns: 4, rows: 2)
    private let size = PixelSize(width: 40, height: 40)

    init() { presenter = PicturePresenter() }

    private func picture(_ color: Color = .white, name: String = "a") -> DecodedPicture {
        DecodedPicture(PixelBuffer(size: size, filledWith: color), name: name)
    }

    private func placement(
        _ id: PictureID, step: Int = PicturePlacement.finished, playTime: Int = 0
    ) -> PicturePlacement {
        PicturePlacement(rect: rect, picture: id, transitionStep: step, playTime: playTime)
    }

    /// What the presenter gives when the condition first holds, asked again whenever something became ready.
    private func drawn(
        _ placement: PicturePlacement, by presenter: PicturePresenter? = nil,
        until condition: ([TerminalPicture]) -> Bool = { !$0.isEmpty }
    ) async -> [TerminalPicture] {
        let presenter = presenter ?? self.presenter
        let (ready, sink) = AsyncStream.makeStream(of: Void.self)
        presenter.onReady = { sink.yield() }
        var drawn = presenter.pictures(for: [placement], isBusy: false)
        while !condition(drawn), !Task.isCancelled {
            for await _ in ready { break }
            drawn = presenter.pictures(for: [placement], isBusy: false)
        }
        return drawn
    }

    @Test func `a picture is encoded when it is placed`() async throws {
        // Given a picture for a sixel terminal
        presenter.adopt(.drawing(.sixel))
        let id = presenter.add(picture())
        // When it is placed
        let first = presenter.pictures(for: [placement(id)], isBusy: false)
        let later = await drawn(placement(id))
        // Then it comes as soon as it is encoded, in its place
        #expect(first.isEmpty)
        #expect(later.map(\.rect) == [rect])
        #expect(later.first?.bytes.starts(with: Array("\u{1B}[2;3H\u{1B}P".utf8)) == true)
    }

    @Test func `without graphics a picture is drawn as blocks`() async {
        presenter.adopt(TerminalCapabilities())
        let id = presenter.add(picture())
        let bytes = await drawn(placement(id)).first?.bytes ?? []
        #expect(!bytes.isEmpty)
        #expect(!bytes.text.contains("\u{1B}P"))
    }

    @Test func `a kitty picture has a removal sequence of its own`() async throws {
        presenter.adopt(.drawing(.kitty))
        let white = presenter.add(picture())
        let one = try #require(await drawn(placement(white)).first)
        let black = presenter.add(picture(.black))
        let other = try #require(await drawn(placement(black)).first)
        #expect(one.bytes.text.contains("\u{1B}_Ga=T") && one.removal.text.contains("a=d"))
        #expect(one.removal != other.removal)
    }

    @Test func `changed terminal capabilities give the picture a new generation`() async {
        presenter.adopt(TerminalCapabilities())
        let id = presenter.add(picture())
        let blocks = await drawn(placement(id))
        presenter.adopt(.drawing(.sixel))
        let sixel = await drawn(placement(id))
        #expect(blocks.first?.generation != sixel.first?.generation)
    }

    @Test func `capabilities that do not affect the encoding keep the pictures`() async {
        presenter.adopt(.drawing(.sixel))
        let id = presenter.add(picture())
        let before = await drawn(placement(id))
        var known = TerminalCapabilities.drawing(.sixel)
        known.isComplete = true
        presenter.adopt(known)
        #expect(presenter.pictures(for: [placement(id)], isBusy: false) == before)
    }

    @Test func `onOutputChange is called once for each change of the encoding`() {
        var count = 0
        presenter.onOutputChange = { count += 1 }
        presenter.adopt(.drawing(.sixel))
        presenter.adopt(.drawing(.sixel))
        presenter.adopt(.drawing(.kitty))
        #expect(count == 2)
    }

    @Test func `a released picture is no longer drawn`() async {
        presenter.adopt(.drawing(.sixel))
        let id = presenter.add(picture())
        _ = await drawn(placement(id))
        presenter.release(id)
        #expect(presenter.pictures(for: [placement(id)], isBusy: false).isEmpty)
    }
}

// MARK: - Going back, looking ahead

extension PicturePresenterTests {
    @Test func `a picture shown before is not encoded again`() async {
        // Given a picture that was shown and released
        presenter.adopt(.drawing(.sixel))
        let first = presenter.add(picture())
        let before = await drawn(placement(first))
        presenter.release(first)
        // When it comes again
        let second = presenter.add(picture())
        let again = presenter.pictures(for: [placement(second)], isBusy: false)
        // Then its bytes are there at once
        #expect(again.map(\.bytes) == before.map(\.bytes))
        #expect(presenter.encodedCount == 1)
    }

    @Test func `different pixels under the same name are encoded again`() async {
        presenter.adopt(.drawing(.sixel))
        let first = presenter.add(picture(.white))
        let before = await drawn(placement(first))
        let second = presenter.add(picture(.black))
        let after = await drawn(placement(second))
        #expect(before.map(\.bytes) != after.map(\.bytes))
    }

    @Test func `a prepared picture is drawn at once`() async {
        presenter.adopt(.drawing(.sixel))
        await presenter.prepare(picture())
        let id = presenter.add(picture())
        #expect(presenter.pictures(for: [placement(id)], isBusy: false).count == 1)
        #expect(presenter.encodedCount == 1)
    }

    @Test func `isReady is true only for encoded pictures`() async {
        presenter.adopt(.drawing(.sixel))
        #expect(!presenter.isReady(picture()))
        await presenter.prepare(picture())
        #expect(presenter.isReady(picture()))
        #expect(!presenter.isReady(picture(.black)))
    }

    @Test func `the old picture stays until its replacement is encoded`() async {
        // Given a stand-in on the screen
        presenter.adopt(.drawing(.sixel))
        let id = presenter.add(DecodedPicture(picture().pixels, name: "placeholder", role: .placeholder))
        let before = await drawn(placement(id))
        // When another takes its name
        presenter.replace(id, with: DecodedPicture(picture(.black).pixels, name: "placeholder", role: .placeholder))
        // Then nothing is empty in between
        #expect(presenter.pictures(for: [placement(id)], isBusy: false) == before)
        #expect(await drawn(placement(id)) { $0 != before }.count == 1)
    }

    @Test func `both pictures of a frame are encoded`() async {
        presenter.adopt(.drawing(.sixel))
        let placements = [presenter.add(picture()), presenter.add(picture(.black, name: "b"))].map { placement($0) }
        let (ready, sink) = AsyncStream.makeStream(of: Void.self)
        presenter.onReady = { sink.yield() }
        while presenter.pictures(for: placements, isBusy: false).count < 2, !Task.isCancelled {
            for await _ in ready { break }
        }
        #expect(presenter.encodedCount == 2)
    }

    /// Nothing else may happen on the screen that would ask for it again.
    @Test(.timeLimit(.minutes(1))) func `a strip is encoded while the terminal is busy`() async {
        presenter.adopt(.drawing(.sixel))
        let id = presenter.name()
        presenter.replace(id, with: DecodedPicture(picture().pixels, name: "strip", role: .strip))
        let (ready, sink) = AsyncStream.makeStream(of: Void.self)
        presenter.onReady = { sink.yield() }
        #expect(presenter.pictures(for: [placement(id)], isBusy: true).isEmpty)
        for await _ in ready { break }
        #expect(presenter.pictures(for: [placement(id)], isBusy: true).count == 1)
    }

    @Test func `without cache budget every picture is encoded again`() async {
        let presenter = PicturePresenter(budget: 10)
        presenter.adopt(.drawing(.sixel))
        await presenter.prepare(picture())
        await presenter.prepare(picture())
        #expect(presenter.encodedCount == 2)
    }
}

// MARK: - What moves

extension PicturePresenterTests {
    /// Three frames of 100 ms each: red, green, blue.
    private func moving() -> DecodedPicture {
        let colors = [
            Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 255, blue: 0), Color(red: 0, green: 0, blue: 255),
        ]
        let animation = Animation(
            file: MovingPicture.gif(colors, size: size), delays: Array(repeating: .milliseconds(100), count: 3),
            loopCount: nil, canvasSize: size)
        let playback = AnimationPlayback(animation, within: size, size: size, processor: DefaultImageProcessor())
        return DecodedPicture(PixelBuffer(size: size, filledWith: colors[0]), name: "moving", playback: playback)
    }

    /// A second later every time one looks.
    private static func passingTime() -> @Sendable () -> Duration {
        let ticks = Counter()
        return { .seconds(ticks.next()) }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    private func registers(_ picture: [TerminalPicture]) -> String {
        picture.first.map { $0.bytes.text.firstMatch(of: /#0;2;\d+;\d+;\d+/).map { String($0.0) } ?? "" } ?? ""
    }

    /// More colours than a palette has, around one.
    private func scene(_ color: Color, seed: UInt64) -> PixelBuffer {
        var random = SeededRandom(seed: seed)
        var pixels = PixelBuffer(size: PixelSize(width: 40, height: 40), filledWith: color)
        for x in 0..<40 {
            for y in 0..<40 {
                pixels[x, y] = Color(
                    red: color.red ^ .random(in: 0..<64, using: &random),
                    green: color.green ^ .random(in: 0..<64, using: &random), blue: color.blue)
            }
        }
        return pixels
    }

    @Test func `the frames of a scene share a palette and the next scene has its own`() async throws {
        // Given two frames of one scene and one of another
        let (red, blue) = (Color(red: 192, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255))
        let frames = [scene(red, seed: 1), scene(red, seed: 2), scene(blue, seed: 3)]
        let playback = try #require(moving().playback)
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits()))

        // When each is given colours
        var palettes: [Palette] = []
        for (index, pixels) in frames.enumerated() {
            palettes.append(try #require(await playback.palette(of: index, pixels, encoder)))
        }

        // Then
        #expect(palettes[0] == palettes[1] && palettes[1] != palettes[2])
        #expect(palettes[2].meanDistance(to: frames[2]) < 8)
    }

    @Test func `the frame shown follows from the play time`() async {
        let presenter = PicturePresenter(now: Self.passingTime())
        presenter.adopt(.drawing(.sixel))
        for (playTime, register) in [(0, "#0;2;100;0;0"), (250, "#0;2;0;0;100"), (400, "#0;2;0;100;0")] {
            let id = presenter.add(moving())
            let shown = await drawn(placement(id, playTime: playTime), by: presenter) { registers($0) == register }
            #expect(shown.count == 1)
            presenter.release(id)
        }
    }

    @Test func `a busy terminal keeps the current frame`() async {
        // Given a moving picture whose first frame is shown, at a time when the next is due
        let presenter = PicturePresenter(now: Self.passingTime())
        presenter.adopt(.drawing(.sixel))
        let id = presenter.add(moving())
        let first = await drawn(placement(id), by: presenter)
        // When the terminal still works on it
        let later = presenter.pictures(for: [placement(id, playTime: 150)], isBusy: true)
        // Then it stays, and no other one is made
        #expect(later == first)
        #expect(presenter.encodedCount == 1)
    }

    @Test func `a transition shows the newest encoded frame`() async {
        // Given a transition whose first frame is ready
        presenter.adopt(.drawing(.sixel))
        let id = presenter.add(picture())
        let first = await drawn(placement(id, step: 8))
        // When a later frame is asked for that is not made yet
        let later = presenter.pictures(for: [placement(id, step: 30)], isBusy: false)
        // Then the one before stays, and neither is the picture itself
        let whole = await drawn(placement(id)) { $0 != first && !$0.isEmpty }
        #expect(!first.isEmpty && later == first)
        #expect(whole.map(\.bytes) != first.map(\.bytes))
    }

    @Test func `the old picture stays until the first transition step is encoded`() async {
        // Given a picture that stands alone
        presenter.adopt(.drawing(.sixel))
        let old = presenter.add(picture())
        let before = await drawn(placement(old))
        // When the transition to another one begins
        let new = presenter.add(picture(.black, name: "b"))
        let first = presenter.pictures(for: [placement(new, step: 8)], isBusy: false)
        // Then the old one stays, until there is a step to show
        #expect(first == before)
        let next = await drawn(placement(new, step: 8)) { $0 != before }
        #expect(next.map(\.picture) == [new])
    }

    @Test func `a transition does not start from a released picture`() async {
        presenter.adopt(.drawing(.sixel))
        let old = presenter.add(picture())
        _ = await drawn(placement(old))
        presenter.release(old)
        let new = presenter.add(picture(.black, name: "b"))
        #expect(presenter.pictures(for: [placement(new, step: 8)], isBusy: false).isEmpty)
    }

    @Test func `a busy terminal gets no new transition frames`() {
        presenter.adopt(.drawing(.sixel))
        let id = presenter.add(picture())
        var isReady = false
        presenter.onReady = { isReady = true }
        #expect(presenter.pictures(for: [placement(id, step: 10)], isBusy: true).isEmpty)
        #expect(!isReady)
    }

    @Test func `a multiplexer gets the final picture without transition steps`() async {
        var capabilities = TerminalCapabilities.drawing(.sixel)
        capabilities.multiplexer = .tmux
        presenter.adopt(capabilities)
        await presenter.prepare(picture())
        let id = presenter.add(picture())
        let shown = presenter.pictures(for: [placement(id, step: 10)], isBusy: false)
        #expect(shown.count == 1)
        #expect(presenter.encodedCount == 1)
    }
}

extension TerminalCapabilities {
    /// Of a terminal that draws in one way.
    static func drawing(_ method: GraphicsMethod) -> TerminalCapabilities {
        var capabilities = TerminalCapabilities()
        capabilities.graphics = GraphicsDecision(method: method, reason: "test")
        return capabilities
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}
