import BrowserCore

/// Selects the browser messages that are worth logging; it sees the same messages that the screen is updated from.
@MainActor
struct BrowserLog {
    /// The redacted address or path of an item's picture.
    let location: @MainActor (ItemID) -> String

    /// Returns the log line for a message, or nil for the messages that are not logged.
    func line(for message: BrowseMessage) -> LogLine? {
        switch message {
        case .notice(let text): LogLine(severity: .info, text: text)
        case .warning(let text): LogLine(severity: .warning, text: text)
        case .listFinished(let skipped, let reasons):
            LogLine(
                severity: .info,
                text: skipped == 0
                    ? "lists read"
                    : "lists read, \(skipped) unusable lines: \(reasons.joined(separator: "; "))")
        case .statusChanged(let item, let status): line(for: status, of: item)
        case .hostsChanged(let hosts):
            hosts.isEmpty ? nil : LogLine(severity: .warning, text: hosts.map(Self.text).joined(separator: "; "))
        case .processorRefused(let reason, _): LogLine(severity: .warning, text: reason)
        default: nil
        }
    }

    private func line(for status: ItemStatus, of item: ItemID) -> LogLine? {
        switch status {
        case .failed(let reason): LogLine(severity: .warning, text: "failed: \(location(item)): \(reason)")
        case .retrying(let attempt, let attempts, let seconds, let reason):
            LogLine(
                severity: .info,
                text: "attempt \(attempt) of \(attempts) in \(seconds) s: \(location(item)): \(reason)")
        default: nil
        }
    }

    private static func text(of host: HostStatus) -> String { "\(host.host): \(host.words(seconds: host.seconds))" }
}
