import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// Colours of PNG files without a colour profile; the expected values were computed with NumPy.
@Suite(.timeLimit(.minutes(1)))
struct PNGColorSpaceTests {
    private static let row: [UInt8] = [0, 64, 128, 255, 200, 100, 50, 128, 255, 0, 0, 255, 255, 255, 255, 0]

    /// Four pixels behind the given chunks.
    private func file(_ chunks: [(String, [UInt8])], depth: UInt8 = 8, isInterlaced: Bool = false) -> Data {
        let row = depth == 16 ? Self.row.flatMap { [$0, $0] } : Self.row
        let file = PNGFile(
            width: 4, height: 1, depth: depth, type: .colourAlpha, isInterlaced: isInterlaced, rows: [row]
        ).data
        // The header ends at byte 33.
        return file.prefix(33) + chunks.flatMap { PNGFile.chunk($0.0, $0.1) } + file.dropFirst(33)
    }

    /// Decodes a file with both decoders, also interlaced and with 16 bits, and expects the same pixels.
    private func pixels(_ chunks: [(String, [UInt8])]) throws -> [UInt8] {
        let data = file(chunks)
        let bytes = try CodecDecoder().decode(data, within: nil, limits: .standard).pixels.bytes
        #expect(try VipsDecoder().decode(data, within: nil, limits: .standard).pixels.bytes == bytes)
        for other in [file(chunks, isInterlaced: true), file(chunks, depth: 16)] {
            #expect(try CodecDecoder().decode(other, within: nil, limits: .standard).pixels.bytes == bytes)
        }
        return bytes
    }

    private static func gamma(_ value: Int) -> (String, [UInt8]) { ("gAMA", APNGWriter.four(value)) }

    private static func primaries(_ values: [Int]) -> (String, [UInt8]) {
        ("cHRM", values.flatMap(APNGWriter.four))
    }

    private static let sRGB = primaries([31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000])
    private static let displayP3 = primaries([31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000])

    @Test(arguments: [
        [], [gamma(45_455)], [gamma(45_455), sRGB], [gamma(45_000)], [displayP3], [sRGB],
        [("sRGB", [0]), gamma(100_000), displayP3], [gamma(0)], [("gAMA", [1])], [("cICP", [1, 13, 0, 1])],
        [("cICP", [1, 13, 0, 1]), gamma(100_000)],
        // A narrow range, matrix coefficients and unknown values are not supported.
        [("cICP", [9, 16, 0, 0])], [("cICP", [9, 16, 9, 1])], [("cICP", [2, 2, 0, 1])], [("cICP", [12, 13, 0])],
    ])
    func `sRGB and invalid chunks change nothing`(chunks: [(String, [UInt8])]) throws {
        let data = file(chunks)
        #expect(data.withUnsafeBytes { PNGColorSpace($0).conversion == nil })
        #expect(try pixels(chunks) == Self.row)
    }

    @Test func `a gamma chunk alone is applied`() throws {
        let linear: [UInt8] = [0, 137, 188, 255, 229, 168, 122, 128, 255, 0, 0, 255, 255, 255, 255, 0]
        #expect(try pixels([Self.gamma(100_000)]) == linear)
        #expect(try pixels([("cICP", [1, 8, 0, 1])]) == linear)
        #expect(try pixels([("cICP", [9, 16, 1, 1]), Self.gamma(100_000)]) == linear)
    }

    @Test(arguments: [[("cICP", [12, 13, 0, 1])], [("cICP", [12, 13, 0, 1]), ("sRGB", [0]), gamma(100_000)]])
    func `display P3 becomes sRGB`(chunks: [(String, [UInt8])]) throws {
        let expected: [UInt8] = [0, 65, 133, 255, 215, 93, 31, 128, 255, 0, 0, 255, 255, 255, 255, 0]
        #expect(isNear(try pixels(chunks), expected))
    }

    @Test func `primaries and gamma are converted`() throws {
        let expected: [UInt8] = [0, 63, 134, 255, 216, 93, 24, 128, 255, 0, 0, 255, 255, 255, 255, 0]
        #expect(isNear(try pixels([Self.gamma(45_455), Self.displayP3]), expected))
    }

    @Test func `another white point is adapted and white stays white`() throws {
        let bytes = try pixels([("cICP", [11, 17, 0, 1])])
        #expect(Array(bytes[12...]) == [255, 255, 255, 0])
    }

    @Test(arguments: [16, 18] as [UInt8])
    func `HDR maps reference white of 203 cd/m² below sRGB white to leave room for highlights`(
        transfer: UInt8
    ) throws {
        // The sample of reference white: 58 % with PQ and 75 % with HLG (ITU-R BT.2408, table 1).
        let sample: UInt8 = transfer == 16 ? 148 : 191
        var pixels: [UInt8] = [sample, sample, sample, 255, 255, 255, 255, 255]
        let conversion = try #require(
            data(of: transfer).withUnsafeBytes { PNGColorSpace($0).conversion })
        pixels.withUnsafeMutableBytes { conversion.convert($0) }
        // Half of the light of white.
        #expect(pixels[..<3].allSatisfy { (186...189).contains($0) })
        #expect(pixels[4...] == [255, 255, 255, 255])
    }

    @Test func `tone mapping is continuous and ends at the peak`() throws {
        #expect(ToneMapping(peak: 1) == nil && ToneMapping(peak: .infinity) == nil)
        let mapping = try #require(ToneMapping(peak: 1000 / 203.0))
        let light = (0...100).map { Float($0) / 20 }
        let shown = light.map { $0 * mapping.factor($0) }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 0.03 })
        #expect(abs(mapping.factor(1) - 0.5) < 1e-6 && shown.last == 1)
    }

    @Test func `of two chunks of the same kind the first is used`() throws {
        #expect(try pixels([Self.gamma(45_455), Self.gamma(100_000)]) == Self.row)
        #expect(try pixels([("cICP", [1, 13, 0, 1]), ("cICP", [12, 13, 0, 1])]) == Self.row)
    }

    @Test func `an invalid profile does not override the gamma`() throws {
        let name = Array("x\0\0".utf8)
        let both = try pixels([("iCCP", name + PNGFile.zlib([1, 2, 3])), Self.gamma(100_000)])
        #expect(both == (try pixels([Self.gamma(100_000)])))
    }

    private func data(of transfer: UInt8) -> Data { file([("cICP", [9, transfer, 0, 1])]) }

    @Test func `colours are converted before scaling`() throws {
        let data = file([Self.gamma(100_000)])
        let box = PixelSize(width: 2, height: 1)
        let codec = try CodecDecoder().decode(data, within: box, limits: .standard).pixels
        #expect(try VipsDecoder().decode(data, within: box, limits: .standard).pixels == codec)
    }

    @Test(arguments: [
        Array(repeating: 0, count: 8), Array(repeating: 1, count: 8), [1, 1, 1, 1, 2, 2, 3, 3],
        Array(repeating: Int(UInt32.max), count: 8), [31_270, 32_900, 64_000, 33_000, 64_000, 33_000, 15_000, 6_000],
    ])
    func `degenerate primaries are ignored`(values: [Int]) throws {
        #expect(try pixels([Self.gamma(45_455), Self.primaries(values)]) == Self.row)
    }

    private func isNear(_ bytes: [UInt8], _ expected: [UInt8]) -> Bool {
        zip(bytes, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}
