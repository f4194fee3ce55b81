import Foundation
import Testing

@testable import Retrying

@Suite(.timeLimit(.minutes(1)))
struct HTTPDateTests {
    private static let now: Int64 = 1_750_000_000

    private func seconds(_ text: String, now: Int64 = now) -> Int64? {
        HTTPDate(text, now: now)?.secondsSince1970
    }

    @Test func `the three date formats give the same time`() {
        #expect(seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(seconds("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777)
        #expect(seconds("Sun Nov  6 08:49:37 1994") == 784_111_777)
    }

    @Test func `parsed dates agree with Foundation on every day of four centuries`() throws {
        let format = Date.VerbatimFormatStyle(
            format: """
                Mon, \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                \(second: .twoDigits) GMT
                """,
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        for day in stride(from: -25_000, to: 121_000, by: 7) {
            let moment = Int64(day) * 86_400 + 3_723
            let text = Date(timeIntervalSince1970: Double(moment)).formatted(format)
            #expect(seconds(text) == moment, "\(text)")
        }
    }

    @Test func `leap days exist only in leap years`() {
        #expect(seconds("Tue, 29 Feb 2000 00:00:00 GMT") == 951_782_400)
        #expect(seconds("Thu, 29 Feb 1900 00:00:00 GMT") == nil)
        #expect(seconds("Sat, 29 Feb 2025 00:00:00 GMT") == nil)
    }

    @Test func `a leap second is accepted`() {
        #expect(seconds("Sat, 31 Dec 2016 23:59:60 GMT") == 1_483_228_800)
    }

    @Test func `two-digit years are at most fifty years ahead`() {
        // Now is June 2025.
        #expect(seconds("Sunday, 01-Jan-75 00:00:00 GMT") == seconds("Sun, 01 Jan 2075 00:00:00 GMT"))
        #expect(seconds("Sunday, 01-Jan-76 00:00:00 GMT") == seconds("Sun, 01 Jan 1976 00:00:00 GMT"))
    }

    @Test(arguments: [
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 006 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT x",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT", "",
    ])
    func `malformed dates are refused`(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test func `a truncated date is refused`() {
        let date = "Sunday, 06-Nov-94 08:49:37 GMT"
        for length in 0..<date.count { #expect(seconds(String(date.prefix(length))) == nil) }
    }
}
