import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// The reasons that are given for damaged files.
@Suite(.timeLimit(.minutes(1)))
struct DamageReportTests {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let end = PNGFile.chunk("IEND", [])

    /// A header of 2×2 grey pixels.
    private static let header = PNGFile.chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 0])
    private static let good = PNGFile.chunk("IDAT", PNGFile.zlib([0, 1, 2, 0, 3, 4]))

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

    @Test(
        arguments: [
            (header + good, nil),
            (broken(header) + good, "the checksum of the header is wrong"),
            (header + broken(good), "the checksum of IDAT at byte 33 is wrong"),
            (
                PNGFile.chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, 9, 0, 0, 0]) + good,
                "its header says colour type 9 with 8 bits, which no PNG has"
            ),
            (
                PNGFile.chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 7, 0]) + good,
                "its header says an unknown method of compression, filtering or interlacing"
            ),
            (PNGFile.chunk("IHDR", [0, 0, 0, 0, 0, 0, 0, 2, 8, 0, 0, 0, 0]) + good, "its picture is empty"),
        ] as [([UInt8], String?)])
    func `header faults and wrong checksums of a PNG are reported`(chunks: [UInt8], expected: String?) {
        #expect(reason(Self.signature + chunks + Self.end) == expected)
    }

    @Test func `a PNG with complete chunks is not reported as truncated`() {
        let file = Data(Self.signature + Self.header + Self.good + Self.end)
        for message in ["IDAT data too short", "Truncated data", "libpng read error", nil] {
            #expect(DamageReport.reason(for: message, in: file, of: .png) == "its compressed pixels are damaged")
        }
        let empty = Data(Self.signature + Self.header + Self.end)
        #expect(DamageReport.reason(for: nil, in: empty, of: .png) == "there are no pixels in it")
        #expect(DamageReport.reason(for: "Missing PLTE", in: Data(), of: .png) == "Missing PLTE")
    }

    @Test func `a GIF, JPEG or WebP without a decoder message has damaged pixels`() throws {
        for format in [ImageFormat.jpeg, .gif, .webP] {
            #expect(DamageReport.reason(for: nil, in: Data(), of: format) == "its compressed pixels are damaged")
            #expect(DamageReport.reason(for: "Bogus marker", in: Data(), of: format) == "Bogus marker")
        }
    }
}
