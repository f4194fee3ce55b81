import AlcedoBrowserCore
import AlcedoScreen
import ImageLoading
import Raster
import TerminalGraphics
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

/// The library's options of the screen, as the browser goes by them.
@Suite(.timeLimit(.minutes(1)))
struct BrowseOptionsDisplayTests {
    private let picture = Image(
        pixels: PixelBuffer(size: PixelSize(width: 2, height: 2), filledWith: .white),
        originalSize: PixelSize(width: 2, height: 2), format: .png, frameCount: 1, byteCount: 9)

    private func facts(_ image: Image) -> ShownPicture {
        ShownPicture(
            picture: PictureID(7), size: image.size, originalSize: image.size, format: "PNG", bytes: 9, frames: 1,
            origin: .memory, milliseconds: 0, processor: "")
    }

    private func adopted(_ items: [ImageOptionsItem]) -> BrowseOptions {
        var options = BrowseOptions()
        options.adopt(ImageOptions(items).display, hold: facts)
        return options
    }

    @Test func `the transition duration is that of the option, and zero without one`() {
        #expect(adopted([.transition(.fade(0.35))]).slot.transitionDuration == 350)
        #expect(adopted([]).slot.transitionDuration == 0)
        #expect(adopted([.forceTransition]).slot.forcesTransition)
        #expect(!adopted([]).slot.forcesTransition)
    }

    @Test func `options decide whether the current picture is kept or held for a frame`() {
        #expect(adopted([.keepCurrentImageWhileLoading]).slot.keepsCurrent)
        #expect(adopted([.loadDiskFileSynchronously]).slot.holdDuration == 16)
        #expect(adopted([]).slot.holdDuration == 0)
    }

    @Test func `onFailureImage chooses between the card, nothing and a picture`() {
        #expect(adopted([]).slot.failure == .card)
        #expect(adopted([.onFailureImage(nil)]).slot.failure == .nothing)
        #expect(adopted([.onFailureImage(picture)]).slot.failure == .picture(facts(picture)))
    }
}
