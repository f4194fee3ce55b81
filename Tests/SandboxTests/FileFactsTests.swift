import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs
@testable import AlcedoSandbox

@Suite(.timeLimit(.minutes(1))) struct FileFactsTests {
    /// A decoder with the default implementation of `facts`.
    private struct PlainDecoder: ImageDecoding {
        func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
            try CodecDecoder().header(of: data, limits: limits)
        }

        func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
            try CodecDecoder().decode(data, within: box, limits: limits)
        }
    }

    @Test(arguments: ["canyon.jpg", "kelp.jpg"])
    func `facts of a JPEG equal those of its colour picture except for a similar hash`(name: String) throws {
        let file = try Pictures.asset(name)
        var facts = try CodecDecoder().facts(of: file, .pixels, limits: .standard)
        let expected = try PlainDecoder().facts(of: file, .pixels, limits: .standard)
        let hashes = (try #require(facts.pixels?.hash), try #require(expected.pixels?.hash))
        #expect(hashes.0.distance(to: hashes.1) <= 2)
        facts.pixels?.hash = hashes.1
        #expect(facts == expected)
    }

    @Test(arguments: 1...8) func `the hash is that of the upright picture`(orientation: UInt8) throws {
        let file = try Self.turned(Pictures.asset("kelp.jpg"), orientation)
        let facts = try CodecDecoder().facts(of: file, .pixels, limits: .standard)
        let image = try CodecDecoder().decode(file, within: PictureCheck.box, limits: .standard)
        #expect(facts.orientation == Int(orientation) && facts.header.size == image.originalSize)
        #expect(try #require(facts.pixels?.hash).distance(to: #require(PerceptualHash(image.pixels))) <= 2)
    }

    @Test(arguments: [(2, 3), (63, 64), (64, 64), (65, 700), (2_000, 64)])
    func `a JPEG of any size has a hash`(width: Int, height: Int) throws {
        let file = try Self.jpeg(Pictures.noise(width, height))
        let facts = try CodecDecoder().facts(of: file, .pixels, limits: .standard)
        #expect(facts.header.size == PixelSize(width: width, height: height))
        #expect(facts.pixels?.hash != nil && facts.pixels?.hasAlpha == false && facts.damage == nil)
    }

    @Test(arguments: [0.3, 0.5, 0.9]) func `a cut JPEG is equally incomplete in grey and colour`(share: Double) throws {
        let file = try Pictures.asset("canyon.jpg")
        let cut = file.prefix(Int(Double(file.count) * share))
        let facts = try CodecDecoder().facts(of: cut, .pixels, limits: .standard)
        #expect(try facts.damage == PlainDecoder().facts(of: cut, .pixels, limits: .standard).damage)
        guard case .incomplete = facts.damage else {
            Issue.record("\(String(describing: facts.damage))")
            return
        }
    }

    @Test func `framing decodes the pixels only if the end mark is missing`() throws {
        let file = try Pictures.asset("canyon.jpg")
        let whole = try CodecDecoder().facts(of: file, .framing, limits: .standard)
        #expect(whole.pixels == nil && whole.damage == nil && whole.orientation == 1)
        let cut = try CodecDecoder().facts(of: file.dropLast(2), .framing, limits: .standard)
        #expect(cut.damage == .missingEnd && cut.pixels != nil)
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `framing is judged without a library only where the library has the same facts`(kind: SampleFiles.Kind) throws
    {
        let file = try SampleFiles.file(kind)
        var random = SeededRandom(seed: 7)
        var judged = 0
        for _ in 0..<400 {
            var changed = file
            // Most changes hit the header.
            let place = Int.random(
                in: 0..<min(file.count, Bool.random(using: &random) ? 700 : file.count), using: &random)
            changed[place] = UInt8.random(in: 0...255, using: &random)
            guard let facts = FileFacts.ofFraming(changed, limits: .standard) else { continue }
            judged += 1
            #expect(try CodecDecoder().facts(of: changed, .framing, limits: .standard) == facts, "byte \(place)")
        }
        #expect(
            (FileFacts.ofFraming(file, limits: .standard) != nil)
                == [.baselineJPEG, .progressiveJPEG, .png].contains(kind))
        #expect(judged > 0 || ![.baselineJPEG, .png].contains(kind))
    }

    @Test(arguments: ["canyon.jpg", "kelp.jpg"], 1...8)
    func `a turned JPEG needs no library for its framing`(name: String, orientation: UInt8) throws {
        let file = try Self.turned(Pictures.asset(name), orientation)
        let facts = try #require(FileFacts.ofFraming(file, limits: .standard))
        #expect(try facts == CodecDecoder().facts(of: file, .framing, limits: .standard))
        #expect(FileFacts.ofFraming(file.dropLast(2), limits: .standard) == nil)
        #expect(FileFacts.ofFraming(file, limits: DecodeLimits(pixels: 100)) == nil)
    }

    @Test func `a picture beyond the limits keeps the facts of its header`() throws {
        let facts = try CodecDecoder().facts(
            of: Pictures.asset("canyon.jpg"), .pixels, limits: DecodeLimits(pixels: 100))
        #expect(facts.pixels == nil && facts.header.format == .jpeg && facts.header.size.area > 100)
    }

    @Test(arguments: [PictureCheck.framing, .pixels, .thumbnail], SampleFiles.Kind.allCases)
    func `a helper process finds the same facts`(check: PictureCheck, kind: SampleFiles.Kind) throws {
        let file = try SampleFiles.file(kind)
        let facts = try SandboxedDecoder().facts(of: file, check, limits: .standard)
        var expected = try CodecDecoder().facts(of: file, check, limits: .standard)
        #expect(facts.thumbnail?.pixels == expected.thumbnail?.pixels)
        #expect((facts.thumbnail != nil) == (check == .thumbnail))
        expected.thumbnail = facts.thumbnail
        #expect(facts == expected)
    }

    @Test func `a file sent as a descriptor has the same facts as one sent inline`() throws {
        // Bytes after the end mark change no fact.
        let file = try SampleFiles.file(.baselineJPEG)
        let padding = Data(count: HelperRequest.largestInlineFile)
        let facts = try SandboxedDecoder().facts(of: file, .pixels, limits: .standard)
        #expect(try facts == SandboxedDecoder().facts(of: file + padding, .pixels, limits: .standard))
    }

    private static func jpeg(_ pixels: PixelBuffer) throws -> Data {
        try ImageEncoder.encode(Pictures.image(pixels), as: .jpeg)
    }

    /// Returns a JPEG with an EXIF segment that states the orientation.
    private static func turned(_ file: Data, _ orientation: UInt8) throws -> Data {
        let tiff: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
        ]
        let content = Array("Exif\0\0".utf8) + tiff
        return file.prefix(2) + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + file.dropFirst(2)
    }
}

@Suite(.timeLimit(.minutes(1))) struct HelperFactsTests {
    private let header = ImageHeader(format: .gif, size: PixelSize(width: 7, height: 5), frameCount: 3)

    private func read(_ reply: HelperReply, to check: PictureCheck) throws -> HelperReply {
        try HelperReply(bytes: reply.bytes, to: HelperRequest(.facts(check), limits: .standard))
    }

    @Test func `facts are encoded and decoded unchanged`() throws {
        for hash in [nil, 0, UInt64.max, 1 << 63] {
            var facts = FileFacts(header: header, orientation: 8, damage: .incomplete("here"))
            facts.pixels = FileFacts.Pixels(
                hash: hash.map(PerceptualHash.init(bits:)), hasAlpha: true, duration: .milliseconds(1_250))
            let reply = HelperReply.facts(.init(facts: facts, thumbnail: PixelSize(width: 128, height: 1)))
            #expect(try read(reply, to: .thumbnail) == reply)
        }
    }

    @Test(arguments: [(129, 1), (0, 5), (1, 1 << 40)])
    func `a thumbnail of the wrong size is refused`(width: Int, height: Int) {
        let reply = HelperReply.facts(
            .init(facts: FileFacts(header: header), thumbnail: PixelSize(width: width, height: height)))
        #expect(throws: MessageReader.Malformed.self) { try read(reply, to: .thumbnail) }
    }

    @Test func `unrequested pixels are refused`() {
        let reply = HelperReply.facts(
            .init(facts: FileFacts(header: header), thumbnail: PixelSize(width: 8, height: 8)))
        #expect(throws: MessageReader.Malformed.self) { try read(reply, to: .pixels) }
    }

    @Test func `a reply of another kind than requested is refused`() {
        #expect(throws: MessageReader.Malformed.self) { try read(.header(header), to: .pixels) }
        #expect(throws: MessageReader.Malformed.self) {
            try HelperReply(
                bytes: HelperReply.facts(.init(facts: FileFacts(header: header))).bytes,
                to: HelperRequest(.header, limits: .standard))
        }
    }
}
