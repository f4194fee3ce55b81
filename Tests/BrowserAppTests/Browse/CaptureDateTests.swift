import AlcedoBrowserCore
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
}
