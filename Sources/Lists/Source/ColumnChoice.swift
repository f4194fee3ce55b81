/// The columns of tables, and the members of JSON objects, that are read besides the fields of ``ListField``.
package struct ColumnChoice: Hashable, Sendable {
    /// The columns that entries get.
    package enum Kept: Hashable, Sendable {
        case none
        /// All but the address and the request headers, which may be secret.
        case all
        /// These; those that are named besides need not be in a list.
        case named([String], besides: [String])
    }

    /// The name of the column of addresses; nil, the default, finds it by names and contents.
    package var address: String?
    /// None by default.
    package var kept = Kept.none

    package init() {}

    /// Returns whether entries get a column.
    func keeps(_ name: String) -> Bool {
        switch kept {
        case .none: false
        case .all: name != address && ListField(name: name) != .headers
        case .named(let names, let others): names.contains(name) || others.contains(name)
        }
    }

    /// Returns the names of the choice that a header lacks.
    func missing(in header: [String]) -> [String] {
        guard case .named(let names, _) = kept else { return [] }
        return names.filter { !header.contains($0) }
    }
}

extension JSONValue: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for member in members { try container.encode(member.value, forKey: Key(stringValue: member.name)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .null: try Self.encode(String?.none, encoder)
        case .flag(let flag): try Self.encode(flag, encoder)
        case .integer(let number): try Self.encode(number, encoder)
        case .number(let number): try Self.encode(number, encoder)
        case .string(let text): try Self.encode(text, encoder)
        }
    }

    private static func encode(_ value: some Encodable, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
