import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct OrientationOfExifTests {
    private func orientation(_ exif: [UInt8]) -> Orientation { exif.withUnsafeBytes(Orientation.init(exif:)) }

    private func little(_ value: UInt8) -> [UInt8] {
        Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0]
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func `both byte orders are read`(value: UInt8) {
        #expect(orientation(OrientedJPEG.tiff(value)).rawValue == UInt16(value))
        #expect(orientation(little(value)).rawValue == UInt16(value))
        #expect(orientation(Array("Exif\0\0".utf8) + little(value)).rawValue == UInt16(value))
    }

    @Test(arguments: [0, 9, 255] as [UInt8])
    func `an unknown orientation is upright`(value: UInt8) { #expect(orientation(little(value)) == .upright) }

    @Test func `cut-off data is upright`() {
        for count in 0..<18 { #expect(orientation(Array(little(6).prefix(count))) == .upright) }
    }

    @Test func `an offset beyond the end is upright`() {
        var exif = little(6)
        exif[4...7] = [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(orientation(exif) == .upright)
    }
}
