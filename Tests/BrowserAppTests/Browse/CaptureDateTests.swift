import AlcedoBrowserCore
import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct CaptureDateTests {
    @Test(arguments: [
        ("2026-07-14T18:30:05+02:00", 1_784_046_605), ("2026-07-14T16:30:05Z", 1_784_046_605),
        ("2026-07-14T16:30:05-00:30", 1_784_048_405),
    ])
    func `a time with an offset is the same everywhere`(text: String, seconds: Int) {
        #expect(CaptureDate.seconds(text) == seconds)
    }

    @Test(arguments: ["", "2026", "2026-07-14", "2026-07-14T18:30:05+02", "not a time at all!!"])
    func `other texts are no time`(text: String) { #expect(CaptureDate.seconds(text) == nil) }

    @Test func `a file without a time of capture has that of its last change, a missing one none`() async throws {
        let place = try TemporaryFolder()
        let path = try place.write("a.png", try Fixtures.png())
        let dates = await CaptureDate.dates(of: [ItemID(0): path, ItemID(1): place / "none.png"])
        #expect(dates[ItemID(0)] ?? 0 > 1_700_000_000 && dates[ItemID(1)] == nil)
    }

    @Test func `the beginning of a file tells the camera, unless the file is long and may tell it later`() async throws
    {
        let place = try TemporaryFolder()
        let photo = try place.write("a.jpg", Self.photo(camera: "X100VI", length: 200_000))
        #expect(await CaptureDate.texts(inBeginningOf: photo) == CaptureTexts(camera: "X100VI"))
        let plain = try place.write("b.png", try Fixtures.png())
        #expect(await CaptureDate.texts(inBeginningOf: plain) == CaptureTexts())
        let long = try place.write("c.png", try Fixtures.png() + Data(count: 200_000))
        #expect(await CaptureDate.texts(inBeginningOf: long) == nil)
        #expect(await CaptureDate.texts(inBeginningOf: place / "none.jpg") == nil)
    }

    /// The start of a JPEG file whose EXIF data has a model only (EXIF 2.32, sections 4.5 and 4.6), with zeros after it.
    private static func photo(camera: String, length: Int) -> Data {
        let text = Array(camera.utf8) + [0]
        let fields: [UInt8] = [0, 1, 0x01, 0x10, 0, 2, 0, 0, 0, UInt8(text.count), 0, 0, 0, 26, 0, 0, 0, 0]
        let tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + fields + text
        let segment = Array("Exif".utf8) + [0, 0] + tiff
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment
        return Data(start) + Data(count: length)
    }
}
