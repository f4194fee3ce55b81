import Foundation

/// How a run of the program ended and what it said.
struct ProgramResult: Sendable {
    /// The exit code, or the negative number of the signal that killed it.
    let code: Int32
    /// Standard output as it is.
    let bytes: Data
    /// Standard error.
    let errors: String

    /// Standard output as text.
    var output: String { String(decoding: bytes, as: UTF8.self) }

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// All that a person would see.
    var everything: String { output + errors }

    /// Every line of standard output as a JSON object; throws at the first that is none.
    func objects() throws -> [JSONObject] { try lines.map { try JSONObject(line: $0) } }

    /// The objects of one type.
    func objects(_ type: String) throws -> [JSONObject] { try objects().filter { $0["type"] == type } }
}

/// One line of JSON.
struct JSONObject: Equatable, Sendable {
    private let values: [String: Value]

    private enum Value: Equatable, Decodable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case object([String: Value])
        case list([Value])
        case null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }
    }

    init(line: String) throws { values = try JSONDecoder().decode([String: Value].self, from: Data(line.utf8)) }

    private init(values: [String: Value]) { self.values = values }

    var keys: Set<String> { Set(values.keys) }

    subscript(key: String) -> String? {
        if case .text(let text) = values[key] { text } else { nil }
    }

    func number(_ key: String) -> Int? {
        if case .number(let number) = values[key] { number } else { nil }
    }

    func object(_ key: String) -> JSONObject? {
        if case .object(let values) = values[key] { JSONObject(values: values) } else { nil }
    }
}
