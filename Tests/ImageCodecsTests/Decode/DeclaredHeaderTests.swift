import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct DeclaredHeaderTests {
    @Test(arguments: SampleFiles.Kind.allCases)
    func `the declared size equals that of the decoder`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let header = try CodecDecoder().header(of: data, limits: .standard)
        #expect(DeclaredHeader.read(data)?.size == header.size && DeclaredHeader.read(data)?.format == header.format)
    }

    @Test(arguments: ["coral.jpg", "bubbles.webp", "eclipse.png", "harbour.gif"])
    func `the declared size of real files is correct`(name: String) throws {
        let data = try Pictures.asset(name)
        let header = try CodecDecoder().header(of: data, limits: .standard)
        #expect(DeclaredHeader.read(data)?.size == header.size)
    }

    @Test(arguments: [
        LibrarySamples.avif, LibrarySamples.jpeg2000, LibrarySamples.jpeg2000WithOffset,
    ])
    func `the declared size of formats of other libraries is correct`(data: Data) {
        #expect(DeclaredHeader.read(data)?.size == PixelSize(width: 4, height: 3))
        for count in 0..<data.count { _ = DeclaredHeader.read(data.prefix(count)) }
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `a truncated file has the right size or none`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let size = DeclaredHeader.read(data)?.size
        for count in 0..<data.count {
            let header = DeclaredHeader.read(data.prefix(count))
            #expect(header == nil || header?.size == size)
        }
    }
}
