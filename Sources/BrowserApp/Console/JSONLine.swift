import BrowserCore
import Foundation

/// Encodes values as single lines of JSON, with version 1 of the schema and without characters that could affect a
/// terminal.
package enum JSONLine {
    /// Returns the bytes of a line, including its newline.
    package static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Versioned(value: value)) else { return [] }
        return Array(escaped(String(decoding: data, as: UTF8.self)).utf8) + [10]
    }

    /// Escapes DEL, C1 and invisible characters.
    ///
    /// JSONEncoder escapes only C0; the value stays the same.
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
