import BrowserCore
import Foundation

/// One thing that happened, for somebody who reads of it later.
struct LogLine: Equatable {
    enum Severity: String { case info, warning }

    var severity: Severity
    /// May hold text of others; it is made safe as it is written.
    var text: String

    /// `2026-11-22T07:40:12.345Z 4711 warning …`: when, which process, how bad, what.
    func written(at time: Date, by process: Int32) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return "\(time.formatted(style)) \(process) \(severity.rawValue) \(SafeText.clean(text))\n"
    }
}
