import BrowserCore
import Foundation

/// Values as one line of JSON each, with version 1 of our schema and nothing that could act on a terminal.
public enum JSONLine {
    /// The bytes of a line, its newline included.
    public static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Versioned(value: value)) else { return [] }
        return Array(escaped(String(decoding: data, as: UTF8.self)).utf8) + [10]
    }

    /// JSON escapes C0 only; DEL, C1 and invisible characters are escaped here, which leaves the value the same.
    private static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x7F }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII ? scalar.value != 0x7F : SafeText.clean(String(scalar)) == String(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }

    private struct Versioned<Value: Encodable>: Encodable {
        let value: Value

        private enum Keys: String, CodingKey {
            case version = "v"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .version)
            try value.encode(to: encoder)
        }
    }
}
