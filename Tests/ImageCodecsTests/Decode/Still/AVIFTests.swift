import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// Still AVIF files, which libavif decodes.
@Suite(.timeLimit(.minutes(1)))
struct AVIFTests {
    private let decoder = CodecDecoder(formats: Set(ImageFormat.allCases))

    private func decode(_ bytes: [UInt8]) throws(CodecError) -> Image {
        try decoder.decode(Data(bytes), within: nil, limits: .standard)
    }

    @Test func `grey of limited range reaches black and white`() throws {
        let image = try decode(Array(LibrarySamples.avifGrey))
        #expect((0..<4).map { image.pixels[$0, 0].red } == [0, 64, 128, 255])
        #expect(image.color == ColorFacts(.grey, bits: 8))
    }

    @Test func `alpha that states no size is applied`() throws {
        let image = try decode(Array(LibrarySamples.avifAlphaWithoutSize))
        #expect((0..<4).map { image.pixels[$0, 0].alpha } == [0, 64, 128, 255])
        #expect(image.pixels[3, 0] == Color(red: 220, green: 30, blue: 40))
    }

    @Test(arguments: [UInt8(0), 1]) func `the tiles of a grid are no pages`(hidden: UInt8) throws {
        var file = LibrarySamples.avifGrid
        for place in file.ranges(of: Data("infe".utf8) + [2, 0, 0, 1]) { file[place.upperBound - 1] = hidden }
        let image = try decode(Array(file))
        #expect(image.size == PixelSize(width: 128, height: 64) && image.pageCount == 1)
        #expect(image.pixels[10, 10].red > 200 && image.pixels[100, 10].blue > 180)
        #expect(try decoder.header(of: file, limits: .standard).pageCount == 1)
    }

    /// The rotations of `irot`, counter-clockwise, and the mirroring of `imir` after them.
    @Test(
        arguments: [
            (0, nil, [0, 64, 128, 255]), (2, nil, [255, 128, 64, 0]), (0, 1, [255, 128, 64, 0]),
            (0, 0, [0, 64, 128, 255]), (2, 1, [0, 64, 128, 255]), (1, nil, [255, 255, 255]), (3, nil, [0, 0, 0]),
            (1, 0, [0, 0, 0]), (3, 0, [255, 255, 255]), (1, 1, [255, 255, 255]),
        ] as [(UInt8, UInt8?, [UInt8])])
    func `an AVIF is turned and mirrored as its properties say`(angle: UInt8, mode: UInt8?, row: [UInt8]) throws {
        var file = LibrarySamples.avifGrey
        let mirror: [UInt8] = mode.map { [0, 0, 0, 9] + Array("imir".utf8) + [$0] } ?? []
        let added = [0, 0, 0, 9] + Array("irot".utf8) + [angle] + mirror
        let links: [UInt8] = mode == nil ? [5 | 0x80] : [5 | 0x80, 6 | 0x80]
        // The properties follow the others in `ipco`, and are linked in `ipma`.
        let end = try #require(file.firstRange(of: Data("ipma".utf8))).lowerBound - 4
        let list = try #require(file.firstRange(of: [0, 1, 4, 1, 2, 0x83, 4]))
        file.insert(contentsOf: links, at: list.upperBound)
        file[list.lowerBound + 2] += UInt8(links.count)
        file.insert(contentsOf: added, at: end)
        for (box, growth) in [
            ("meta", added.count + links.count), ("iprp", added.count + links.count), ("ipco", added.count),
            ("ipma", links.count),
        ] {
            let place = try #require(file.firstRange(of: Data(box.utf8))).lowerBound - 1
            let (sum, isOver) = file[place].addingReportingOverflow(UInt8(growth))
            file[place] = sum
            if isOver { file[place - 1] += 1 }
        }
        // The pixels moved by as much: the offset in `iloc` is 0x114.
        let offset = try #require(file.firstRange(of: [0, 0, 1, 0x14, 0, 0, 0, 0x1C])).lowerBound
        file[offset + 3] += UInt8(added.count + links.count)
        let image = try decode(Array(file))
        #expect((0..<row.count).map { image.pixels[$0, 0].red } == row)
        #expect(image.size.width == row.count && image.size.area == 12)
    }

    /// The box `mdat` with the pixels before `meta`, which then may reach to the end of the file.
    @Test(arguments: [true, false]) func `the last box of an AVIF may state no size`(hasSize: Bool) throws {
        let file = LibrarySamples.avif
        let place = try #require(file.firstRange(of: Data("meta".utf8))).lowerBound - 4
        let end = try #require(file.firstRange(of: Data("mdat".utf8))).lowerBound - 4
        var moved = Array(file[..<place] + file[end...] + file[place..<end])
        let offset = try #require(moved.firstRange(of: [0, 0, 1, 0x1A, 0, 0, 0, 0x21])).lowerBound
        moved.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, UInt8(place + 8)])
        let meta = place + file.count - end
        if !hasSize { moved.replaceSubrange(meta..<meta + 4, with: [0, 0, 0, 0]) }
        #expect(try decode(moved).pixels == decode(Array(file)).pixels)
    }
}
