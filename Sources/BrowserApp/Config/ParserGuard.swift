/// Rejects text that toml++ 3.4 cannot handle.
///
/// The parser stops at a zero byte, where a C string ends. It nests tables for dotted keys without a limit. It aborts
/// on a header that does not start with a name, on a brace in place of an array value, and on a date without its time.
enum ParserGuard {
    /// In bytes.
    static let longestLine = 4096

    static func fault(in text: String, kind: String) -> ConfigurationFault? {
        if let zero = text.unicodeScalars.firstIndex(of: "\0") {
            return ConfigurationFault("a \(kind) is text, without zero bytes", at: .init(of: zero, in: text))
        }
        var value = OpenValue()
        for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if Substring(line).utf8.count > longestLine {
                let text = "the line is longer than \(longestLine) bytes"
                return ConfigurationFault(text, at: .init(line: index + 1, column: 1))
            }
            var scanner = KeyScanner(line)
            if value.isClosed, scanner.isBrokenHeader() {
                let text = "invalid TOML: the header of a section is its name in brackets, as [browser]"
                return ConfigurationFault(text, at: .init(line: index + 1, column: scanner.keyColumn))
            }
            value.scan(line)
            if let (what, column) = value.trap {
                return ConfigurationFault("invalid TOML: \(what)", at: .init(line: index + 1, column: column))
            }
        }
        return nil
    }
}
