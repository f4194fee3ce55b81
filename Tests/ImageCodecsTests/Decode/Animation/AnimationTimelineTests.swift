import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct AnimationTimelineTests {
    private func timeline(_ milliseconds: [Int], loops: Int? = nil) -> AnimationTimeline {
        AnimationTimeline(delays: milliseconds.map { .milliseconds($0) }, loopCount: loops)
    }

    private func position(_ frame: Int, _ loops: Int, finished: Bool = false) -> AnimationTimeline.Position {
        AnimationTimeline.Position(frame: frame, completedLoops: loops, isFinished: finished)
    }

    @Test(arguments: [
        (0, 0, 0), (49, 0, 0), (50, 1, 0), (79, 1, 0), (80, 2, 0), (99, 2, 0), (100, 0, 1), (155, 1, 1),
        (100_000, 0, 1_000), (-5, 0, 0),
    ])
    func `the position follows from the time`(milliseconds: Int, frame: Int, loops: Int) {
        #expect(timeline([50, 30, 20]).position(at: .milliseconds(milliseconds)) == position(frame, loops))
    }

    @Test func `delays up to 11 ms count as 100 ms`() {
        #expect(timeline([0, 11, 12]).position(at: .milliseconds(199)) == position(1, 0))
        #expect(timeline([0, 11, 12]).position(at: .milliseconds(211)) == position(2, 0))
        #expect(timeline([0, 11, 12]).position(at: .milliseconds(212)) == position(0, 1))
    }

    @Test func `the last frame stays after the end`() {
        let twice = timeline([50, 50], loops: 2)
        #expect(twice.position(at: .milliseconds(199)) == position(1, 1))
        #expect(twice.position(at: .milliseconds(200)) == position(1, 2, finished: true))
        #expect(twice.position(at: .seconds(1 << 62)) == position(1, 2, finished: true))
        #expect(twice.end == .milliseconds(200))
        #expect(twice.nextChange(after: .milliseconds(149)) == .milliseconds(150))
        #expect(twice.nextChange(after: .milliseconds(150)) == nil)
        #expect(twice.nextChange(after: .milliseconds(900)) == nil)
    }

    @Test(arguments: [(1, 1), (3, 3), (nil, nil), (0, nil), (-4, nil)] as [(Int?, Int?)])
    func `the loop count decides the number of plays`(loops: Int?, plays: Int?) {
        let end = timeline([50], loops: loops).end
        #expect(end == plays.map { .milliseconds(50 * $0) })
    }

    @Test func `a still picture never changes`() {
        #expect(timeline([]).position(at: .seconds(5)) == position(0, 0, finished: true))
        #expect(timeline([]).nextChange(after: .zero) == nil)
        #expect(timeline([50]).nextChange(after: .seconds(5)) == nil)
        #expect(timeline([50], loops: 1).position(at: .seconds(5)) == position(0, 1, finished: true))
    }

    @Test func `extreme numbers do not trap`() {
        let huge = Duration.seconds(Int64.max)
        let delays = [huge, .zero, huge, Duration.seconds(Int64.min), .seconds(86_400)]
        for loops in [nil, .max, .min, 1] as [Int?] {
            for count in [1, 5, 200_000] {
                let many = Array(repeating: delays, count: count / 5 + 1).flatMap { $0 }
                let timeline = AnimationTimeline(delays: many, loopCount: loops)
                for moment in delays + [.nanoseconds(Int64.max), .nanoseconds(Int64.max - 1), .seconds(-1)] {
                    let position = timeline.position(at: moment)
                    #expect(many.indices.contains(position.frame))
                    if let next = timeline.nextChange(after: moment) { #expect(next > moment) }
                }
                _ = timeline.end?.components
            }
        }
    }

    /// The frames one by one, as a player that is never late would show them.
    @Test(arguments: 0..<30)
    func `every position equals that of a frame-by-frame player`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let delays = (0..<Int.random(in: 2...7, using: &random)).map { _ in Int.random(in: 0...40, using: &random) }
        let plays = Int.random(in: 1...4, using: &random)
        let timeline = timeline(delays, loops: plays)
        var clock = 0
        for loop in 0..<plays {
            for (frame, delay) in delays.enumerated() {
                let shown = delay <= 11 ? 100 : delay
                for moment in [clock, clock + shown - 1] {
                    #expect(timeline.position(at: .milliseconds(moment)) == position(frame, loop))
                    let isLast = loop == plays - 1 && frame == delays.count - 1
                    let next: Duration? = isLast ? nil : .milliseconds(clock + shown)
                    #expect(timeline.nextChange(after: .milliseconds(moment)) == next)
                }
                clock += shown
            }
        }
        #expect(timeline.end == .milliseconds(clock))
        #expect(timeline.position(at: .milliseconds(clock)).isFinished)
    }

    @Test(arguments: 0..<20)
    func `positions never go back and the next change is in the future`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let delays = (0..<Int.random(in: 2...50, using: &random)).map { _ in Int.random(in: 0...500, using: &random) }
        let timeline = timeline(delays)
        var moment = Duration.zero
        var earlier = timeline.position(at: moment)
        for _ in 0..<200 {
            let next = try #require(timeline.nextChange(after: moment))
            #expect(next > moment)
            #expect(timeline.position(at: next - .nanoseconds(1)) == earlier)
            let later = timeline.position(at: next)
            #expect(later != earlier)
            #expect((later.completedLoops, later.frame) > (earlier.completedLoops, earlier.frame))
            (moment, earlier) = (next, later)
        }
    }
}
