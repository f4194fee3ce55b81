import ImageTestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ScanScheduleTests {
    private let start: [UInt8] = [0xFF, 0xD8] + ProgressiveJPEG.segment(0xC2)
    private let scan: [UInt8] = ProgressiveJPEG.segment(0xDA) + [1]
    /// Ends a scan, and begins no other.
    private let table = ProgressiveJPEG.segment(0xC4)

    private func schedule(fastest: Bool, _ interval: Duration = .zero) -> ScanSchedule {
        ScanSchedule(ImageProgressive(isFastestScan: fastest, scanInterval: interval))
    }

    private func numbers(_ schedule: inout ScanSchedule, at seconds: Int) -> [Int] {
        var numbers: [Int] = []
        while let scan = schedule.next(at: .seconds(seconds)) { numbers.append(scan.number) }
        return numbers
    }

    @Test func `isFastestScan shows only the newest scan`() {
        var schedule = schedule(fastest: true)
        schedule.append(start + scan + scan + scan + table)
        #expect(numbers(&schedule, at: 0) == [3])
        #expect(numbers(&schedule, at: 1) == [])
        schedule.append(scan + table)
        #expect(numbers(&schedule, at: 1) == [4])
    }

    @Test func `without isFastestScan every scan is shown`() {
        var schedule = schedule(fastest: false)
        schedule.append(start + scan + scan + scan + table)
        #expect(numbers(&schedule, at: 0) == [1, 2, 3])
    }

    @Test func `partial pictures are at least the interval apart`() {
        var schedule = schedule(fastest: true, .seconds(10))
        schedule.append(start + scan + table)
        #expect(numbers(&schedule, at: 5) == [1])
        schedule.append(scan + table)
        #expect(numbers(&schedule, at: 14) == [])
        schedule.append(scan + table)
        #expect(numbers(&schedule, at: 15) == [3])
    }

    @Test func `every scan waits for its interval`() {
        var schedule = schedule(fastest: false, .seconds(10))
        schedule.append(start + scan + scan + scan + table)
        #expect((0..<40).flatMap { numbers(&schedule, at: $0) } == [1, 2, 3])
        var again = self.schedule(fastest: false, .seconds(10))
        again.append(start + scan + scan + table)
        #expect(numbers(&again, at: 0) == [1])
        #expect(numbers(&again, at: 9) == [])
        #expect(numbers(&again, at: 10) == [2])
    }

    @Test(arguments: [Duration.seconds(-5), .seconds(Int64.max), .seconds(Int64.min)])
    func `extreme intervals do not trap`(interval: Duration) {
        var schedule = schedule(fastest: false, interval)
        schedule.append(start + scan + scan + table)
        #expect(schedule.next(at: .zero)?.number == 1)
        #expect((schedule.next(at: .zero)?.number == 2) == (interval < .zero))
    }

    @Test func `a progressive JPEG has the default options of Kingfisher`() {
        #expect(
            ImageProgressive() == ImageProgressive(isBlur: true, isFastestScan: true, scanInterval: .zero))
    }
}
