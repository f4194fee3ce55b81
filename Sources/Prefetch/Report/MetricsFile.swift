import AlcedoConfig
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Glibc
import Retrying

/// A file with the state of a run for Prometheus, as the text collector of its node exporter reads it.
///
/// It is replaced as a whole, every ten seconds and at the end.
/// Source: prometheus.io, "Exposition formats", version 0.0.4.
struct MetricsFile {
    private static let interval = 10_000
    /// The most hosts whose state is told.
    private static let hostLimit = 50

    private let path: String
    private var lastTime = -interval
    private var hosts: [String: String] = [:]

    /// - Throws: `ProgramProblem` if the file cannot be written.
    init(path: String) throws(ProgramProblem) {
        self.path = path
        guard write("") else { throw ProgramProblem("cannot write \(path): \(String(cString: strerror(errno)))") }
    }

    mutating func note(_ event: HostEvent) {
        guard hosts[event.host] != nil || hosts.count < Self.hostLimit else { return }
        hosts[event.host] =
            switch event.change {
            case .parked: "parked"
            case .slowed: "slowed"
            case .circuitOpened: "failing"
            case .givenUp: "given_up"
            case .resumed: "ok"
            }
    }

    /// Writes the state if its time has come.
    ///
    /// - Parameter known: The number of items of the lists; nil until all are read.
    mutating func update(_ tally: PrefetchTally, inFlight: Int, known: Int?, isLast: Bool = false) {
        guard isLast || tally.milliseconds - lastTime >= Self.interval else { return }
        lastTime = tally.milliseconds
        _ = write(text(tally, inFlight: inFlight, known: known))
    }

    func text(_ tally: PrefetchTally, inFlight: Int, known: Int?) -> String {
        let counts = [
            ("fetched", tally.fetched), ("hit", tally.hits), ("revalidated", tally.revalidated),
            ("duplicate", tally.duplicates), ("skipped", tally.doneBefore + tally.leftOut), ("failed", tally.failed),
            ("cancelled", tally.cancelled),
        ]
        var lines = ["# TYPE alcedo_items_total counter"]
        lines += counts.map { "alcedo_items_total{status=\"\($0.0)\"} \($0.1)" }
        lines += ["# TYPE alcedo_bytes_total counter", "alcedo_bytes_total \(tally.bytesReceived)"]
        lines += ["# TYPE alcedo_retries_total counter", "alcedo_retries_total \(tally.retries)"]
        lines += ["# TYPE alcedo_inflight gauge", "alcedo_inflight \(inFlight)"]
        if !hosts.isEmpty { lines.append("# TYPE alcedo_host_state gauge") }
        lines += hosts.sorted { $0.key < $1.key }.map { host, state in
            "alcedo_host_state{host=\"\(Self.label(host))\",state=\"\(state)\"} 1"
        }
        if let known, tally.items > 0 {
            let left = tally.milliseconds / 1000 * max(0, known - tally.items) / tally.items
            lines += ["# TYPE alcedo_eta_seconds gauge", "alcedo_eta_seconds \(left)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func label(_ text: String) -> String {
        SafeText.clean(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private func write(_ text: String) -> Bool {
        let part = "\(path).\(getpid()).part"
        let descriptor = part.withPath { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { return false }
        let error = Console.writeAll(Array(text.utf8), to: descriptor)
        close(descriptor)
        if error == 0, part.withPath({ part in path.withPath { rename(part, $0) } }) == 0 { return true }
        let code = errno
        _ = part.withPath { unlink($0) }
        errno = error == 0 ? code : error
        return false
    }
}
