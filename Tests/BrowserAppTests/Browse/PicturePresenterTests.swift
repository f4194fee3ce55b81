import BrowserCore
import Raster
import Terminal
import Testing

@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct PicturePresenterTests {
    private let presenter = PicturePresenter()
    private let rect = Rect(column: 2, row: 1, columns: 4, rows: 2)
    private let picture = PixelBuffer(size: PixelSize(width: 40, height: 40), filledWith: .white)

    private var sixelTerminal: TerminalCapabilities {
        var capabilities = TerminalCapabilities()
        capabilities.sixel = true
        capabilities.graphics = GraphicsDecision(method: .sixel, reason: "test")
        return capabilities
    }

    private func placement(_ id: PictureID, step: Int = PicturePlacement.finished) -> PicturePlacement {
        PicturePlacement(rect: rect, picture: id, transitionStep: step)
    }

    /// Asks for a placement until it can be drawn.
    private func drawn(_ placement: PicturePlacement) async -> [TerminalPicture] {
        let (ready, sink) = AsyncStream.makeStream(of: Void.self)
        presenter.onReady = { sink.yield() }
        var drawn = presenter.pictures(for: [placement], isBusy: false)
        while !drawn.contains(where: { $0.generation % 128 == placement.transitionStep }) {
            for await _ in ready { break }
            drawn = presenter.pictures(for: [placement], isBusy: false)
        }
        return drawn
    }

    @Test func aPictureIsEncodedOnceItIsWanted() async throws {
        // Given a picture for a sixel terminal
        presenter.adopt(sixelTerminal)
        let id = presenter.add(picture)
        // When it is placed
        let first = presenter.pictures(for: [placement(id)], isBusy: false)
        let later = await drawn(placement(id))
        // Then it comes as soon as it is encoded, in its place
        #expect(first.isEmpty)
        #expect(later.map(\.rect) == [rect])
        #expect(later.first?.bytes.starts(with: Array("\u{1B}[2;3H\u{1B}P".utf8)) == true)
    }

    @Test func withoutSixelItComesAsBlocks() async {
        presenter.adopt(TerminalCapabilities())
        let id = presenter.add(picture)
        let bytes = await drawn(placement(id)).first?.bytes ?? []
        #expect(!bytes.isEmpty)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{1B}P"))
    }

    @Test func anotherTerminalMeansAnotherEncoding() async {
        presenter.adopt(TerminalCapabilities())
        let id = presenter.add(picture)
        let blocks = await drawn(placement(id))
        presenter.adopt(sixelTerminal)
        let sixel = await drawn(placement(id))
        #expect(blocks.first?.generation != sixel.first?.generation)
    }

    @Test func aReleasedPictureIsGone() async {
        presenter.adopt(sixelTerminal)
        let id = presenter.add(picture)
        _ = await drawn(placement(id))
        presenter.release(id)
        #expect(presenter.pictures(for: [placement(id)], isBusy: false).isEmpty)
    }

    @Test func aTransitionShowsTheNewestFrameThatIsReady() async {
        // Given a transition whose first frame is ready
        presenter.adopt(sixelTerminal)
        let id = presenter.add(picture)
        let first = await drawn(placement(id, step: 8))
        // When a later frame is asked for that is not made yet
        let later = presenter.pictures(for: [placement(id, step: 30)], isBusy: false)
        // Then the one before stays, and neither is the picture itself
        let whole = await drawn(placement(id))
        #expect(!first.isEmpty && later == first)
        #expect(whole != first)
    }

    @Test func aBusyTerminalGetsNoNewTransitionFrames() {
        presenter.adopt(sixelTerminal)
        let id = presenter.add(picture)
        var isReady = false
        presenter.onReady = { isReady = true }
        #expect(presenter.pictures(for: [placement(id, step: 10)], isBusy: true).isEmpty)
        #expect(!isReady)
    }
}
