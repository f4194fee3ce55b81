/// A value of a config file or an option before a setting parses it.
package enum ConfigurationValue: Sendable, Equatable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case texts([String])
    /// A value that no setting accepts, in words: "a list".
    case other(String)

    /// The value in TOML.
    var toml: String {
        switch self {
        case .text(let text): Self.toml(text)
        case .texts(let texts): "[\(texts.map(Self.toml).joined(separator: ", "))]"
        case .number, .flag, .other: plain
        }
    }

    /// The value as on a command line.
    package var plain: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .texts(let texts): texts.joined(separator: " ")
        case .other(let words): words
        }
    }

    /// The value for a message, with text in quotation marks so that empty text is visible.
    var quoted: String {
        switch self {
        case .text(let text): "'\(text)'"
        case .texts: "a list"
        case .number, .flag, .other: plain
        }
    }

    private static func toml(_ text: String) -> String { "\"\(text.unicodeScalars.map(escaped).joined())\"" }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(scalar)
        }
    }
}
