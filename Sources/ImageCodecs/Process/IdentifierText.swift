/// The text of a step as the grammar reads it: `name(positional, option: value)`.
struct IdentifierText {
    private let name: String
    private var arguments: [String]

    init(_ name: String, _ positional: String...) {
        self.name = name
        arguments = positional
    }

    /// Adds an option that has a value; one that has its default is left out by its owner.
    mutating func add(_ label: String, _ value: String?) {
        if let value { arguments.append("\(label): \(value)") }
    }

    var whole: String { "\(name)(\(arguments.joined(separator: ", ")))" }
}
