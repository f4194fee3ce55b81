/// A builder for the text of a step in the grammar: `name(positional, option: value)`.
struct IdentifierText {
    private let name: String
    private var arguments: [String]

    init(_ name: String, _ positional: String...) {
        self.name = name
        arguments = positional
    }

    /// Appends an option; a nil value, which stands for the default, is omitted.
    mutating func add(_ label: String, _ value: String?) {
        if let value { arguments.append("\(label): \(value)") }
    }

    var whole: String { "\(name)(\(arguments.joined(separator: ", ")))" }
}
