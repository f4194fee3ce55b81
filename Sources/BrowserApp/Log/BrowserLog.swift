import BrowserCore

/// What of a browser's messages is worth keeping: of the same ones that the screen is updated from.
@MainActor
struct BrowserLog {
    /// Where an item's picture is, as it may be shown.
    let location: @MainActor (ItemID) -> String

    /// What a message leaves in the log; nil for most of them.
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
