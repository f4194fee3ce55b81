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
        #expect(facts.focalLength == 35 && facts.taken == "2026-07-14T18:30:05")
        #expect(facts.latitude == -33.86 && facts.longitude == 151.2)
        #expect(facts.lens == nil && facts.copyright == nil)
    }

    @Test func `every container format stores the metadata in its own place`() {
        let exif = ExifSample.camera().tiff
        #expect(CaptureFacts(file: jpeg(exif)) == CaptureFacts(file: png(exif)))
        #expect(CaptureFacts(file: webP(exif)).camera == "Kestrel Optics K7")
        #expect(CaptureFacts(file: Data(exif)) == CaptureFacts(file: png(exif)))
    }

    /// A HEIC or AVIF file whose EXIF data is an item of the box `meta`.
    private func boxed(_ brand: String, _ exif: [UInt8], version: Int = 0, inData: Bool = false) -> Data {
        let name = BoxFile.box("infe", [2, 0, 0, 0, 0, 7, 0, 0] + Array("Exif\0".utf8))
        let names = BoxFile.box("iinf", [0, 0, 0, 0, 0, 1] + name)
        let content = [0, 0, 0, 0] + exif
        let data = inData ? BoxFile.box("idat", content) : []
        func file(_ start: Int) -> [UInt8] {
            let id: [UInt8] = version == 2 ? [0, 0, 0, 7] : [0, 7]
            let method: [UInt8] = version == 0 ? [] : [0, inData ? 1 : 0]
            let count: [UInt8] = version == 2 ? [0, 0, 0, 1] : [0, 1]
            let place = BoxFile.number(inData ? 0 : start, 4) + BoxFile.number(content.count, 4)
            let places = BoxFile.box(
                "iloc", [UInt8(version), 0, 0, 0, 0x44, 0] + count + id + method + [0, 0, 0, 1] + place)
            let head = BoxFile.box("ftyp", Array("\(brand)\0\0\0\0".utf8))
            return head + BoxFile.box("meta", [0, 0, 0, 0] + names + places + data)
        }
        let start = file(0).count + 8
        return Data(file(start) + BoxFile.box("mdat", inData ? [] : content))
    }

    @Test(arguments: ["avif", "heic"], [0, 1, 2])
    func `the metadata of AVIF and HEIC is an item of their boxes`(brand: String, version: Int) {
        let exif = ExifSample.camera().tiff
        #expect(CaptureFacts(file: boxed(brand, exif, version: version)) == CaptureFacts(file: png(exif)))
        let inData = boxed(brand, exif, version: max(1, version), inData: true)
        #expect(CaptureFacts(file: inData) == CaptureFacts(file: png(exif)))
    }

    @Test func `the metadata of JPEG XL is a box, with a length of four or eight bytes`() {
        let exif = ExifSample.camera().tiff
        let mark = BoxFile.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
        let short = BoxFile.box("Exif", [0, 0, 0, 0] + exif)
        let long = BoxFile.number(1, 4) + Array("Exif".utf8) + BoxFile.number(exif.count + 20, 8) + [0, 0, 0, 0] + exif
        #expect(CaptureFacts(file: Data(mark + short)) == CaptureFacts(file: png(exif)))
        #expect(CaptureFacts(file: Data(mark + long)) == CaptureFacts(file: png(exif)))
    }

    @Test func `the metadata of JPEG XL may be packed with Brotli, behind other packed boxes`() {
        let exif = ExifSample.camera().tiff
        let mark = BoxFile.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
        // One stored block and an empty last one: RFC 7932, section 9.2.
        func stored(_ content: [UInt8]) -> [UInt8] {
            let head = (content.count - 1) << 4 | 1 << 20
            return [0, 8, 16].map { UInt8(truncatingIfNeeded: head >> $0) } + content + [3]
        }
        let words = BoxFile.box("brob", Array("xml ".utf8) + stored(Array("<x/>".utf8)))
        let packed = BoxFile.box("brob", Array("Exif".utf8) + stored([0, 0, 0, 0] + exif))
        #expect(CaptureFacts(file: Data(mark + words + packed)) == CaptureFacts(file: png(exif)))
        let damaged = BoxFile.box("brob", Array("Exif".utf8) + [0xFF, 0xFF, 0xFF])
        #expect(CaptureFacts(file: Data(mark + damaged)).camera == nil)
    }

    @Test func `damaged boxes do not trap, nor do lengths of zero loop`() {
        let whole = Array(boxed("heic", ExifSample.camera().tiff, version: 2))
        for count in 0..<whole.count { _ = CaptureFacts(file: Data(whole.prefix(count))) }
        for place in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x88, 0xFF] {
                var file = whole
                file[place] = value
                _ = CaptureFacts(file: Data(file))
            }
        }
        #expect(CaptureFacts(file: Data(whole)).camera != nil)
    }

    @Test(
        arguments: [
            ("2026:07:14 18:30:05", "+02:00", "2026-07-14T18:30:05+02:00"),
            ("2026:07:14 18:30:05", "Z", "2026-07-14T18:30:05"),
            ("0000:00:00 00:00:00", "", nil), ("2026:13:01 00:00:00", "", nil), ("    :  :     :  :  ", "", nil),
            ("2026:07:14 24:00:00", "", nil), ("2026-07-14 18:30:05", "", nil), ("２０２６:07:14 18:30", "", nil),
        ] as [(String, String, String?)])
    func `the time of capture is written as ISO 8601, with its offset`(time: String, offset: String, expected: String?)
    {
        let exif = ExifSample(fields: [(0x8769, .directory([(0x9003, .text(time)), (0x9011, .text(offset))]))])
        #expect(CaptureFacts(file: jpeg(exif.tiff)).taken == expected)
    }

    @Test(
        arguments: [
            ("ASCII\0\0\0", Array("Low tide\0\0".utf8)), ("\0\0\0\0\0\0\0\0", Array("Low tide".utf8)),
            ("UNICODE\0", "Low tide".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }),
        ] as [(String, [UInt8])])
    func `the comment of EXIF data names its encoding`(encoding: String, text: [UInt8]) {
        let exif = ExifSample(fields: [(0x8769, .directory([(0x9286, .bytes(Array(encoding.utf8) + text))]))])
        #expect(CaptureFacts(file: jpeg(exif.tiff)).description == "Low tide")
    }

    @Test func `a comment in the file stands for a missing description`() {
        let comment = Data([0xFF, 0xD8, 0xFF, 0xFE, 0, 10]) + Data("Low tide".utf8) + Data([0xFF, 0xD9])
        #expect(CaptureFacts(file: comment).description == "Low tide")
        let text = PNGFile.chunk("tEXt", Array("Comment\0Caf".utf8) + [0xE9])
        #expect(CaptureFacts(file: png([]) + text).description == "Café")
        #expect(CaptureFacts(file: png(ExifSample.camera().tiff) + text).description == "Reeds at dawn")
    }

    @Test func `texts have no control characters, and bytes that are not UTF-8 are replaced`() {
        let exif = ExifSample(fields: [
            (0x010E, .text("a\u{1B}[2Jb\u{202E}c")), (0x0110, .bytes([0x4B, 0xFF, 0x37, 0x21, 0], kind: 2)),
        ])
        let facts = CaptureFacts(file: jpeg(exif.tiff))
        #expect(facts.description == "a[2Jbc" && facts.camera == "K\u{FFFD}7!")
    }

    @Test func `the facts of a picture have time and camera`() {
        var facts = PictureFacts()
        facts.readExif(of: jpeg(ExifSample.camera().tiff))
        #expect(facts.camera == nil, "nothing is read of a file of unknown format")
        facts.format = .jpeg
        facts.readExif(of: jpeg(ExifSample.camera().tiff))
        #expect(facts.camera == "Kestrel Optics K7" && facts.taken == "2026-07-14T18:30:05")
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
