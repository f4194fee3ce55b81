import Testing

@testable import AlcedoTerminal

@Suite("Acknowledgements of the terminal", .timeLimit(.minutes(1)))
struct AcknowledgementTrackerTests {
    private let start = ContinuousClock.now
    private let picture = 128 * 1024

    /// Asks for a picture, and returns what is due and the times so far.
    private func asked(_ seconds: [Double]) -> AcknowledgementTracker {
        seconds.reduce(into: AcknowledgementTracker()) { $0.didQuery(at: start + .seconds($1), bytes: picture) }
    }

    @Test func `without earlier answers a picture is waited for 1 s`() {
        let acknowledgement = asked([0])
        #expect(acknowledgement.deadline(of: 1, ResponseTimes()) == start + .seconds(1))
        #expect(acknowledgement.deadline(of: 2, ResponseTimes()) == nil)
    }

    @Test(arguments: [(10, 1000), (400, 1600), (2000, 8000), (3000, 10_000), (60_000, 10_000)])
    func `a picture is waited for four times the longest answer, within 1 and 10 s`(answer: Int, patience: Int) {
        var times = ResponseTimes()
        times.record(.milliseconds(answer))
        times.record(.zero)
        #expect(asked([0]).deadline(of: 1, times) == start + .milliseconds(patience))
    }

    @Test func `an answer belongs to the oldest question, and the last one ends the wait`() {
        // Given a picture whose answer did not come within its time, and another one after it
        var times = ResponseTimes()
        var acknowledgement = asked([0])
        acknowledgement.expire()
        #expect(!acknowledgement.isPending && acknowledgement.hasOutstanding)
        acknowledgement.didQuery(at: start + .seconds(1), bytes: picture)
        // When the first answer comes
        #expect(acknowledgement.receive(at: start + .seconds(3), &times) == .seconds(3))
        // Then the second is still waited for, and has more time
        #expect(acknowledgement.isPending && acknowledgement.unacknowledgedBytes == picture)
        #expect(acknowledgement.deadline(of: 2, times) == start + .seconds(11))
        #expect(acknowledgement.receive(at: start + .seconds(5), &times) == .seconds(4))
        #expect(!acknowledgement.isPending && !acknowledgement.hasOutstanding)
        #expect(acknowledgement.receive(at: start + .seconds(6), &times) == nil)
    }

    @Test func `after a lost answer the next ones are matched again`() {
        // Given two pictures and one answer
        var times = ResponseTimes()
        var acknowledgement = asked([0, 1])
        _ = acknowledgement.receive(at: start + .seconds(2), &times)
        #expect(acknowledgement.isPending)
        // When the time is over
        acknowledgement.expire()
        // Then no answer is expected any more
        #expect(!acknowledgement.hasOutstanding)
        acknowledgement.didQuery(at: start + .seconds(9), bytes: picture)
        #expect(acknowledgement.receive(at: start + .seconds(10), &times) == .seconds(1))
        #expect(!acknowledgement.isPending)
    }

    @Test func `a question asked long ago is dropped`() {
        var times = ResponseTimes()
        var acknowledgement = asked([0, 60])
        #expect(acknowledgement.receive(at: start + .seconds(61), &times) == .seconds(1))
        #expect(!acknowledgement.hasOutstanding)
    }

    @Test func `a terminal that stops answering is waited for at most 1 s`() {
        var times = ResponseTimes()
        times.record(.seconds(2))
        var acknowledgement = AcknowledgementTracker()
        for round in 1...3 {
            acknowledgement.didQuery(at: start, bytes: picture)
            #expect(acknowledgement.deadline(of: round, times) == start + .seconds(8))
            acknowledgement.expire()
        }
        #expect(!acknowledgement.hasOutstanding)
        acknowledgement.didQuery(at: start, bytes: picture)
        #expect(acknowledgement.deadline(of: 4, times) == start + .seconds(1))
    }

    @Test func `before any answer only a remote terminal is waited for`() {
        let times = ResponseTimes()
        #expect(times.finalTimeout(after: .zero, unacknowledged: 0, isRemote: false) == .milliseconds(100))
        #expect(times.finalTimeout(after: .milliseconds(500), unacknowledged: 0, isRemote: true) == .milliseconds(2500))
        #expect(times.finalTimeout(after: .seconds(60), unacknowledged: 0, isRemote: true) == .milliseconds(100))
    }

    @Test(arguments: [(2, 100), (60, 120), (400, 800), (2000, 3000)])
    func `the final wait is twice the longest answer, within 0.1 and 3 s`(
        answer: Int, patience: Int
    ) {
        var times = ResponseTimes()
        times.record(.milliseconds(answer))
        for isRemote in [false, true] {
            #expect(
                times.finalTimeout(after: .seconds(9), unacknowledged: 100, isRemote: isRemote)
                    == .milliseconds(patience))
        }
    }

    @Test func `unacknowledged bytes lengthen the final wait by their transmission time`() {
        // Given an answer to 128 KiB after half a second
        var times = ResponseTimes()
        times.record(.milliseconds(500), bytes: picture)
        #expect(times.finalTimeout(after: .zero, unacknowledged: picture / 2, isRemote: true) == .milliseconds(1250))
        #expect(times.finalTimeout(after: .zero, unacknowledged: picture * 10, isRemote: false) == .seconds(3))
    }

    @Test func `with an unknown speed a remote picture in transit gets the longest final wait`() {
        var times = ResponseTimes()
        times.record(.milliseconds(400))
        #expect(times.finalTimeout(after: .zero, unacknowledged: picture, isRemote: true) == .seconds(3))
        #expect(times.finalTimeout(after: .zero, unacknowledged: picture, isRemote: false) == .milliseconds(800))
    }

    @Test func `SSH variables mark the terminal as remote`() {
        #expect(TerminalEnvironment(["TERM": "xterm", "SSH_CONNECTION": "1 2 3 4"]).isRemote)
        #expect(TerminalEnvironment(["TERM": "xterm", "SSH_TTY": "/dev/pts/1"]).isRemote)
        #expect(!TerminalEnvironment(["TERM": "xterm", "SSH_TTY": ""]).isRemote)
    }
}
