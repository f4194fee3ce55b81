import Retrying
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now: Int64 = 784_111_777

    @Test(arguments: [
        ("0", 0), ("2", 2), ("86400", 86_400), (" 120\t", 120), ("007", 7),
    ])
    func `seconds are parsed`(field: String, seconds: Int) {
        #expect(RetryAfter(field, now: Self.now)?.delay == .seconds(seconds))
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ])
    func `dates are parsed as the time until them`(field: String, seconds: Int) {
        #expect(RetryAfter(field, now: Self.now)?.delay == .seconds(seconds))
    }

    @Test(arguments: [
        "", " ", "-1", "−1", "+1", "1e30", "1.", ".5", "1.5.2", "2 s", "0x10", "٣", "soon", "NaN", "infinity", "1,2",
        "1\0",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 25:00:00 GMT", "1994-11-06T08:49:37Z",
    ])
    func `anything else is malformed`(field: String) {
        #expect(RetryAfter(field, now: Self.now) == nil)
    }

    @Test(arguments: [("1.5", 1_500), ("0.25", 250), ("2.0", 2_000), ("3.00049", 3_000)])
    func `fractional seconds are accepted`(field: String, milliseconds: Int) {
        #expect(RetryAfter(field, now: Self.now)?.delay == .milliseconds(milliseconds))
    }

    @Test(arguments: ["1000000000000000000000000000000", "9223372036854775807", "9223372036854775808", "3153600001"])
    func `a huge number of seconds is clamped to a century`(field: String) {
        #expect(RetryAfter(field, now: Self.now)?.delay == .seconds(3_153_600_000))
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `any current time is accepted`(now: Int64) {
        let delay = RetryAfter("Fri, 31 Dec 9999 23:59:59 GMT", now: now)?.delay
        #expect(delay == (now == .max ? .zero : .seconds(3_153_600_000)))
        #expect(RetryAfter("Sunday, 06-Nov-94 08:50:37 GMT", now: now) != nil)
    }
}
