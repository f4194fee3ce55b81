import Foundation
import Raster
import TestSupport
import Testing

@testable import ImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct DeclaredHeaderTests {
    @Test(arguments: SampleFiles.Kind.allCases)
    func `the declared size is the decoder's`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let header = try CodecDecoder().header(of: data, limits: .standard)
        #expect(DeclaredHeader.read(data)?.size == header.size && DeclaredHeader.read(data)?.format == header.format)
    }

    @Test(arguments: ["coral.jpg", "bubbles.webp", "eclipse.png", "harbour.gif"])
    func `it is that of real files`(name: String) throws {
        let data = try Pictures.asset(name)
        let header = try CodecDecoder().header(of: data, limits: .standard)
        #expect(DeclaredHeader.read(data)?.size == header.size)
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `a file cut anywhere has a size or none`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let size = DeclaredHeader.read(data)?.size
        for count in 0..<data.count {
            let header = DeclaredHeader.read(data.prefix(count))
            #expect(header == nil || header?.size == size)
        }
    }
}
