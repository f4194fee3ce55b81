import Foundation
import ImageTestSupport
import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct CaptureFactsTests {
    private func jpeg(_ exif: [UInt8]) -> Data {
        let content = Array("Exif\0\0".utf8) + exif
        let length = content.count + 2
        return Data([0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content + [0xFF, 0xD9])
    }

    private func png(_ exif: [UInt8]) -> Data {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let length = content.count
            return [0, 0, UInt8(length >> 8), UInt8(length & 255)] + Array(name.utf8) + content + [0, 0, 0, 0]
        }
        let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return Data(
            mark + chunk("IHDR", [UInt8](repeating: 1, count: 13)) + chunk("IDAT", [1, 2]) + chunk("eXIf", exif))
    }

    private func webP(_ exif: [UInt8]) -> Data {
        let count = exif.count
        return Data(
            Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPEXIF".utf8)
                + [UInt8(count & 255), UInt8(count >> 8), 0, 0] + exif)
    }

    @Test(arguments: [true, false])
    func `capture facts are read from the metadata`(isLittle: Bool) throws {
        let facts = CaptureFacts(file: jpeg(ExifSample.camera(isLittle: isLittle).tiff))
        #expect(facts.camera == "Kestrel Optics K7")
        #expect(facts.description == "Reeds at dawn" && facts.artist == "A. Fisher")
        #expect(facts.exposureTime == 0.004 && facts.aperture == 2.8 && facts.sensitivity == 200)
        #expect(facts.focalLength == 35 && facts.taken == "2026:07:14 18:30:05")
        #expect(facts.latitude == -33.86 && facts.longitude == 151.2)
        #expect(facts.lens == nil && facts.copyright == nil)
    }

    @Test func `every container format stores the metadata in its own place`() {
        let exif = ExifSample.camera().tiff
        #expect(CaptureFacts(file: jpeg(exif)) == CaptureFacts(file: png(exif)))
        #expect(CaptureFacts(file: webP(exif)).camera == "Kestrel Optics K7")
        #expect(CaptureFacts(file: Data(exif)) == CaptureFacts(file: png(exif)))
    }

    @Test func `a model that contains its maker is not doubled`() {
        let exif = ExifSample(fields: [(0x010F, .text("KESTREL")), (0x0110, .text("Kestrel 9"))])
        #expect(CaptureFacts(file: jpeg(exif.tiff)).camera == "Kestrel 9")
    }

    @Test func `without Exif there are no capture facts`() throws {
        let nothing = CaptureFacts(file: Data())
        for kind in SampleFiles.Kind.allCases { #expect(CaptureFacts(file: try SampleFiles.file(kind)) == nothing) }
    }

    @Test func `a fraction with denominator zero is ignored`() {
        let exif = ExifSample(fields: [(0x8769, .directory([(0x829A, .fractions([(1, 0)]))]))])
        #expect(CaptureFacts(file: jpeg(exif.tiff)).exposureTime == nil)
    }

    @Test func `truncated and corrupted metadata does not trap`() {
        let whole = ExifSample.camera().tiff
        for count in 0..<whole.count { _ = CaptureFacts(file: jpeg(Array(whole.prefix(count)))) }
        for place in whole.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var exif = whole
                exif[place] = value
                _ = CaptureFacts(file: jpeg(exif))
            }
        }
        // Then, untouched, it is still what it was: the loops above did read it
        #expect(CaptureFacts(file: jpeg(whole)).camera != nil)
    }
}
