import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ExpiryCalendarTests {
    @Test func `what is due is answered and nothing else`() {
        var calendar = ExpiryCalendar()
        calendar.insert(1, at: .milliseconds(1_500))
        calendar.insert(2, at: .milliseconds(2_500))
        #expect(calendar.due(at: .milliseconds(900)).isEmpty)
        #expect(calendar.due(at: .milliseconds(1_600)) == [1])
        #expect(Set(calendar.due(at: .milliseconds(2_000))) == [1, 2])
    }

    @Test func `a moved entry is due at its new time only`() {
        var calendar = ExpiryCalendar()
        calendar.insert(1, at: .seconds(1))
        calendar.move(1, from: .seconds(1), to: .seconds(9))
        #expect(calendar.due(at: .seconds(8)).isEmpty)
        #expect(calendar.due(at: .seconds(9)) == [1])
        calendar.move(1, from: .seconds(9), to: nil)
        #expect(calendar.due(at: .seconds(99)).isEmpty)
        calendar.move(1, from: nil, to: .seconds(3))
        #expect(calendar.due(at: .seconds(99)) == [1])
    }

    @Test func `an earlier time than that of the last call is found`() {
        var calendar = ExpiryCalendar()
        calendar.insert(1, at: .seconds(100))
        #expect(calendar.due(at: .seconds(50)).isEmpty)
        calendar.insert(2, at: .seconds(10))
        #expect(calendar.due(at: .seconds(60)) == [2])
    }

    @Test func `a long time between two calls costs nothing`() {
        var calendar = ExpiryCalendar()
        calendar.insert(1, at: .seconds(-4_000_000_000_000_000_000))
        calendar.insert(2, at: .seconds(4_000_000_000_000_000_000))
        #expect(Set(calendar.due(at: .seconds(9_000_000_000_000_000_000))) == [1, 2])
    }
}
