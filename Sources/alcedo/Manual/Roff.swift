/// Writes the language of man(7).
enum Roff {
    private static let width = 78

    static func section(_ title: String) -> [String] { [".SH \(title)"] }

    static func subsection(_ title: String) -> [String] { [".SS \(escaped(title))"] }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Joins the non-empty parts of a line.
    static func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: " ") }

    /// Returns filled text; each sentence starts on a new line.
    static func text(_ text: String) -> [String] {
        let words = text.split { $0 == " " || $0 == "\n" }.map { escaped(String($0)) }
        return words.reduce(into: [String]()) { lines, word in
            guard let line = lines.last, line.count + 1 + word.count <= width, !line.endsSentence else {
                return lines.append(word)
            }
            lines[lines.count - 1] = line + " " + word
        }.map(guarded)
    }

    static func paragraphs(_ texts: [String]) -> [String] {
        texts.enumerated().flatMap { ($0.offset == 0 ? [] : [".PP"]) + text($0.element) }
    }

    /// Returns a term, which must be escaped already, with its description.
    static func term(_ title: [String], _ text: String) -> [String] { [".TP"] + title + self.text(text) }

    static func terms(_ terms: [(String, String)]) -> [String] { terms.flatMap { term([bold($0)], $1) } }

    /// Returns lines that are not filled.
    static func verbatim(_ lines: [String]) -> [String] { [".EX"] + lines.map { guarded(escaped($0)) } + [".EE"] }

    /// Escapes text for the formatter, in ASCII.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "\"": "\\(dq"
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u\(hexadecimal(scalar.value))]"
            }
        }.joined()
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Protects a line that starts with a dot, which would be a request.
    private static func guarded(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }
}

extension String {
    fileprivate var endsSentence: Bool { hasSuffix(".") && !hasSuffix("..") }
}
