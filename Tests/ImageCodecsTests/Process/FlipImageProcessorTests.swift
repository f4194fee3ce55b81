import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct FlipImageProcessorTests {
    @Test func `a horizontal flip swaps left and right`() throws {
        for picture in Probes.all {
            let result = try FlipImageProcessor(.horizontal).pixels(of: picture)
            #expect(result.size == picture.size)
            for y in 0..<picture.size.height {
                for x in 0..<picture.size.width { #expect(result[x, y] == picture[picture.size.width - 1 - x, y]) }
            }
        }
    }

    @Test func `a vertical flip swaps top and bottom`() throws {
        for picture in Probes.all {
            let result = try FlipImageProcessor(.vertical).pixels(of: picture)
            for y in 0..<picture.size.height {
                for x in 0..<picture.size.width { #expect(result[x, y] == picture[x, picture.size.height - 1 - y]) }
            }
        }
    }
}
