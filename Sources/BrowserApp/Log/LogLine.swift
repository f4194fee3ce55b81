import BrowserCore
import Foundation

/// One line of the log.
struct LogLine: Equatable {
    enum Severity: String { case info, warning }

    var severity: Severity
    /// May contain untrusted text; it is sanitized when it is written.
    var text: String

    /// Returns the line as it is written: `2026-11-22T07:40:12.345Z 4711 warning …` (time, process, severity, text).
    func written(at time: Date, by process: Int32) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return "\(time.formatted(style)) \(process) \(severity.rawValue) \(SafeText.clean(text))\n"
    }
}
