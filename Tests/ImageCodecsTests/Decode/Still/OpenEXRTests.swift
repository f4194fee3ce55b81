import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct OpenEXRTests {
    private let decoder = CodecDecoder(formats: Set(ImageFormat.allCases))

    @discardableResult
    private func decode(_ bytes: [UInt8]) throws(CodecError) -> Image {
        try decoder.decode(Data(bytes), within: nil, limits: .standard)
    }

    private func little(_ values: Int..., bytes: Int) -> [UInt8] {
        values.flatMap { value in (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }

    /// An OpenEXR file of one channel of 32-bit fractions, whose pixels are all 1.
    private func openEXR(data: [Int], display: [Int]) -> [UInt8] {
        func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
            Array("\(name)\0\(type)\0".utf8) + little(value.count, bytes: 4) + value
        }
        func box(_ sides: [Int]) -> [UInt8] { sides.flatMap { little($0, bytes: 4) } }
        let one = little(Int(Float(1).bitPattern), bytes: 4)
        let (width, height) = (data[2] - data[0] + 1, data[3] - data[1] + 1)
        let channel = Array("Y\0".utf8) + little(2, 0, 1, 1, bytes: 4) + [0]
        let head =
            little(20_000_630, 2, bytes: 4) + attribute("channels", "chlist", channel)
            + attribute("compression", "compression", [0]) + attribute("dataWindow", "box2i", box(data))
            + attribute("displayWindow", "box2i", box(display)) + attribute("lineOrder", "lineOrder", [0])
            + attribute("pixelAspectRatio", "float", one)
            + attribute("screenWindowCenter", "v2f", little(0, 0, bytes: 4))
            + attribute("screenWindowWidth", "float", one) + [0]
        let row = width * 4
        let first = head.count + height * 8
        let offsets = (0..<height).flatMap { (y: Int) -> [UInt8] in little(first + y * (row + 8), bytes: 8) }
        let rows = (0..<height).flatMap { y in
            little(data[1] + y, row, bytes: 4) + (0..<width).flatMap { _ in one }
        }
        return head + offsets + rows
    }

    @Test(
        arguments: [
            ([0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 1, 1]), ([1, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]),
            ([-5, -5, 10, 0], [0, 0, 1, 1], [1, 1, 0, 0]), ([11, 20, 11, 20], [10, 20, 11, 21], [0, 1, 0, 0]),
        ] as [([Int], [Int], [Int])])
    func `the data window of an OpenEXR file lies in its display window`(
        data: [Int], display: [Int], lit: [Int]
    ) throws {
        let image = try decode(openEXR(data: data, display: display)).pixels.bytes
        let pixels = stride(from: 0, to: image.count, by: 4).map { Array(image[$0..<$0 + 4]) }
        #expect(pixels.map { $0[0] == 255 && $0[3] == 255 ? 1 : 0 } == lit, "\(pixels)")
        let beside = zip(pixels, lit).filter { $1 == 0 }.map(\.0)
        #expect(beside.allSatisfy { $0[3] == 0 || $0[0] == 0 })
    }

    @Test func `a display window beyond the limits is too large`() throws {
        let file = openEXR(data: [0, 0, 0, 0], display: [0, 0, 99_999, 99_999])
        #expect(throws: CodecError.processor(.limitExceeded("10000 MP, limit 100 MP; raise --max-pixels"))) {
            try decode(file)
        }
        #expect(throws: CodecError.self) { try decode(openEXR(data: [0, 0, 0, 0], display: [5, 5, 0, 0])) }
    }
}
