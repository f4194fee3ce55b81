/// Lets progress through at most ten times a second, and always the last.
struct ProgressThrottle {
    private let expected: Int?
    private let now: @Sendable () -> Duration
    private let send: @Sendable (DownloadProgress) -> Void
    private var lastSent: Duration?

    init(
        expected: Int?, now: @escaping @Sendable () -> Duration, send: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        self.expected = expected
        self.now = now
        self.send = send
    }

    mutating func note(_ received: Int) {
        let moment = now()
        if let lastSent, moment - lastSent < .milliseconds(100) { return }
        lastSent = moment
        send(DownloadProgress(received: received, total: expected))
    }

    func finish(_ received: Int) { send(DownloadProgress(received: received, total: expected)) }
}
