import AlcedoScreen
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Numbers with units", .timeLimit(.minutes(1)))
struct UnitsTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 KiB"), (421_888, "412 KiB"), (1_258_291, "1.2 MiB"),
            (10_500_000, "10 MiB"), (1_503_238_553, "1.4 GiB"), (.max, "8.0 EiB"), (-5, "0 B"),
        ])
    func `bytes have two or three digits`(count: Int, expected: String) {
        #expect(Units.bytes(count) == expected)
    }

    @Test
    func `a used amount is written in the unit of its limit`() {
        #expect(Units.share(123_731_968, of: 268_435_456) == "118/256 MiB")
        #expect(Units.share(1_503_238_553, of: 5_368_709_120) == "1.4/5 GiB")
        #expect(Units.share(5, of: 0) == "5/0 B")
    }

    @Test(
        arguments: [(37, "37 s"), (180, "3 min"), (3600, "60 min"), (18_000, "5 h"), (518_400, "6 d"), (-1, "0 s")])
    func `durations take the largest unit that fits`(seconds: Int, expected: String) {
        #expect(Units.duration(seconds: seconds) == expected)
    }

    @Test(
        arguments: [
            (99, "99 s"), (100, "2 min"), (5969, "99 min"), (5970, "2 h"), (172_799, "2 d"), (604_799, "7 d"),
            (561_600, "7 d"), (561_599, "6 d"), (86_400_000, "3 y"), (-1, "0 s"), (.max, "9999 y"),
        ])
    func `the time until an event is rounded to the nearest unit`(seconds: Int, expected: String) {
        #expect(Units.duration(ahead: seconds) == expected)
    }

    @Test(arguments: [(214, "214 ms"), (2140, "2.1 s"), (12_000, "12 s"), (.max, "9999 y")])
    func `milliseconds are written in the largest unit that fits`(milliseconds: Int, expected: String) {
        #expect(Units.duration(milliseconds: milliseconds) == expected)
    }

    @Test
    func `percentages are rounded down and stay between 0 and 100`() {
        #expect(Units.percent(999, of: 1000) == "99 %")
        #expect(Units.percent(1000, of: 1000) == "100 %")
        #expect(Units.percent(.max, of: 1) == "100 %")
        #expect(Units.percent(5, of: 0) == "0 %")
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1204, "1,204"), (1_000_000, "1,000,000")])
    func `thousands are separated`(number: Int, expected: String) {
        #expect(Units.count(number) == expected)
    }

    @Test
    func `no value is wider than its column`() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<5000 {
            let number = Int.random(in: 0...Int.max, using: &random) >> Int.random(in: 0...62, using: &random)
            #expect(Units.bytes(number).count <= Units.bytesWidth)
            #expect(Units.rate(number).count <= Units.rateWidth)
            #expect(Units.duration(seconds: number).count <= Units.durationWidth)
            #expect(Units.duration(ahead: number).count <= Units.durationWidth)
        }
    }

    @Test(arguments: [
        (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"), (1_784_053_200, "2026-07-14"),
        (4_107_542_399, "2100-02-28"), (4_107_542_400, "2100-03-01"), (-2_208_988_801, "1899-12-31"),
    ]) func `a day is written as year, month and day`(seconds: Int, day: String) {
        #expect(Units.day(seconds) == day)
    }
}
