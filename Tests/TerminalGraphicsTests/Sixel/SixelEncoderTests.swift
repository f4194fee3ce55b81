import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

/// What holds for both encoders: two independent decoders give back every pixel.
@Suite(.timeLimit(.minutes(1))) struct SixelEncoderTests {
    typealias Encoder = @Sendable (IndexedPicture) async -> [UInt8]?

    static let encoders: [Encoder] = [
        { await BandSixelEncoder().encode($0) }, { await LibsixelEncoder().encode($0) },
    ]

    @Test(arguments: 0..<2, 1...13)
    func `every height is encoded and decoded exactly`(encoder: Int, height: Int) async throws {
        for width in [1, 2, 7, 161, 331] {
            try await expectRoundTrip(Self.encoders[encoder], Pictures.indexed(width, height, colors: 5))
        }
    }

    @Test(arguments: 0..<2, [2, 3, 16, 17, 255, 256])
    func `noise with any number of colours is encoded exactly`(encoder: Int, colors: Int) async throws {
        try await expectRoundTrip(Self.encoders[encoder], Pictures.indexed(241, 151, colors: colors))
    }

    @Test(arguments: 0..<2)
    func `a single colour is encoded exactly`(encoder: Int) async throws {
        try await expectRoundTrip(Self.encoders[encoder], Pictures.indexed(1000, 20, colors: 1))
        try await expectRoundTrip(Self.encoders[encoder], Pictures.indexed(1, 1, colors: 1))
    }

    @Test(arguments: 0..<2)
    func `long and short runs are encoded exactly`(encoder: Int) async throws {
        let size = PixelSize(width: 700, height: 25)
        let indices = (0..<size.area).map { (place: Int) -> UInt8 in
            let x = place % 700
            return UInt8(x % (1 + x / 40))
        }
        let picture = IndexedPicture(size: size, trusted: Pictures.gridColors(20), indices: indices)
        try await expectRoundTrip(Self.encoders[encoder], picture)
    }

    @Test(arguments: 0..<2)
    func `pictures taller than one task are encoded exactly`(encoder: Int) async throws {
        let indexed = await Quantizer().quantize(Pictures.slopes(173, 401))
        try await expectRoundTrip(Self.encoders[encoder], indexed)
    }

    @Test(arguments: 0..<2)
    func `an empty picture has no bytes`(encoder: Int) async {
        let empty = IndexedPicture(size: .zero, trusted: [.black], indices: [])
        #expect(await Self.encoders[encoder](empty)?.isEmpty == true)
    }

    @Test(arguments: 0..<2)
    func `registers are defined without gaps up to the highest used`(encoder: Int) async throws {
        let size = PixelSize(width: 8, height: 6)
        let picture = IndexedPicture(
            size: size, trusted: Pictures.gridColors(9), indices: [UInt8](repeating: 4, count: 48))
        let stream = String(decoding: try #require(await Self.encoders[encoder](picture)), as: UTF8.self)
        #expect(stream.matches(of: /#(\d+);2;/).map(\.1) == ["0", "1", "2", "3", "4"])
    }

    private func expectRoundTrip(
        _ encoder: Encoder, _ picture: IndexedPicture, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let stream = try #require(await encoder(picture))
        let decoded = try SixelReader.decode(stream)
        #expect(decoded == picture.pixels, sourceLocation: sourceLocation)
        #expect(ReferenceDecoder.decode(stream) == picture.pixels, sourceLocation: sourceLocation)
    }
}
