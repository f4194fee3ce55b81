import Foundation
import Raster
import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

/// The reasons that are given for damaged files.
@Suite(.timeLimit(.minutes(1)))
struct DamageReportTests {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let end = PNGFile.chunk("IEND", [])

    /// A header of 2×2 pixels, unless said otherwise.
    private static func header(
        width: UInt8 = 2, depth: UInt8 = 8, type: UInt8 = 0, method: UInt8 = 0, interlace: UInt8 = 0
    ) -> [UInt8] {
        PNGFile.chunk("IHDR", [0, 0, 0, width, 0, 0, 0, 2, depth, type, method, 0, interlace])
    }

    private static func pixels(_ bytes: [UInt8]) -> [UInt8] { PNGFile.chunk("IDAT", PNGFile.zlib(bytes)) }

    private static func broken(_ chunk: [UInt8]) -> [UInt8] { chunk.dropLast() + [chunk[chunk.count - 1] ^ 1] }

    /// The reason that the whole decoder gives.
    private func reason(_ file: [UInt8]) -> String? {
        do throws(CodecError) {
            _ = try CodecDecoder().decode(Data(file), within: nil, limits: .standard)
            return nil
        } catch {
            switch error {
            case .processor(.decodingFailed(_, let why)), .processor(.damaged(_, .corrupt(let why))),
                .processor(.damaged(_, .incomplete(let why))):
                return why
            default: return error.title
            }
        }
    }

    private static let good = pixels([0, 1, 2, 0, 3, 4])

    @Test(
        arguments: [
            (header() + good, nil),
            (broken(header()) + good, "the checksum of the header is wrong"),
            (header(width: 0) + good, "its header says 0×2 pixels"),
            (header(depth: 3) + good, "its header says colour type 0 with 3 bits"),
            (header(type: 5) + good, "its header says colour type 5 with 8 bits"),
            (header(method: 1) + good, "its header names an unknown method"),
            (header(interlace: 2) + good, "its header names an unknown method"),
            (header() + broken(good), "the checksum of IDAT at byte 33 is wrong"),
            (header() + header() + good, "its header is not the first chunk"),
            (header(type: 3) + good, "its palette is missing"),
            (header(type: 3) + PNGFile.chunk("PLTE", [1, 2, 3, 4]) + good, "its palette has 4 bytes"),
            (header(), "there are no pixels in it"),
            (header() + PNGFile.chunk("ABCD", []) + good, "its chunk ABCD is critical and not known"),
            (header() + PNGFile.chunk("IDAT", [1, 2, 3]), "its compressed pixels are damaged"),
            (header() + pixels([0, 1, 2]), "its pixels end after 3 of 6 bytes"),
            (header() + pixels([0, 1, 2, 9, 3, 4]), "row 2 has the unknown filter 9"),
        ] as [([UInt8], String?)])
    func `the first fault of a PNG is named`(chunks: [UInt8], expected: String?) {
        #expect(reason(Self.signature + chunks + Self.end) == expected)
    }

    @Test func `a GIF, JPEG or WebP whose decoder says nothing has damaged pixels`() throws {
        for format in [ImageFormat.jpeg, .gif] {
            #expect(DamageReport.reason(for: nil, in: Data(), of: format) == "its compressed pixels are damaged")
            #expect(DamageReport.reason(for: "Bogus marker", in: Data(), of: format) == "Bogus marker")
        }
    }

    @Test func `what is wrong with a WebP is looked up where its decoder does not tell`() {
        let start = Array("RIFF\u{7F}\u{0}\u{0}\u{0}WEBP".utf8)
        func reason(_ rest: [UInt8], _ message: String? = "unable to parse image") -> String {
            DamageReport.reason(for: message, in: Data(start + rest), of: .webP)
        }
        let size: [UInt8] = [10, 0, 0, 0]
        #expect(
            reason(Array("VP8 ".utf8) + size + [UInt8](repeating: 0, count: 10))
                == "the header of its pixels is damaged")
        #expect(reason(Array("VP8L".utf8) + size + [0x2F]) == "a chunk at byte 12 is longer than the file")
        #expect(
            reason(Array("ABCD".utf8) + size + [UInt8](repeating: 0, count: 10))
                == "its first chunk is none of VP8, VP8L and VP8X")
        #expect(reason(Array("VP8X".utf8) + size + [UInt8](repeating: 0, count: 10)) == "there are no pixels in it")
        #expect(reason([], "bad image dimensions") == "bad image dimensions")
    }
}
