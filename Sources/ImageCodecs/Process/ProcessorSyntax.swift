/// A parser that splits a text into steps and arguments with their columns; it does not interpret them.
struct ProcessorSyntax {
    typealias Problem = ProcessorGrammar.Problem

    struct Step {
        let name: String
        let column: Int
        let arguments: ProcessorArguments
    }

    private static let mostSteps = 64

    private let characters: [Character]
    private var position = 0

    /// Parses all steps; returns none if the text is blank.
    static func steps(of text: String) throws(Problem) -> [Step] {
        var syntax = ProcessorSyntax(characters: Array(text))
        syntax.skipSpaces()
        guard !syntax.isAtEnd else { return [] }
        var steps = [try syntax.step()]
        while !syntax.isAtEnd {
            let column = syntax.column
            guard syntax.consume("|"), syntax.consume(">") else {
                throw Problem(column: column, expected: "|> or the end")
            }
            guard steps.count < mostSteps else {
                throw Problem(column: column, expected: "the end, as a chain may have \(mostSteps) steps")
            }
            syntax.skipSpaces()
            steps.append(try syntax.step())
        }
        return steps
    }

    private init(characters: [Character]) { self.characters = characters }

    private var isAtEnd: Bool { position == characters.count }
    private var column: Int { position + 1 }

    /// Parses a step and the spaces after it, beginning at its name.
    private mutating func step() throws(Problem) -> Step {
        let start = column
        let name = consume { $0.isLetter || $0.isNumber }
        let end = column
        skipSpaces()
        guard consume("(") else { return Step(name: name, column: start, arguments: ProcessorArguments([], end: end)) }
        let arguments = try arguments()
        skipSpaces()
        return Step(name: name, column: start, arguments: arguments)
    }

    /// Parses arguments from after the opening parenthesis up to and including the closing one.
    private mutating func arguments() throws(Problem) -> ProcessorArguments {
        var arguments: [ProcessorArguments.Argument] = []
        skipSpaces()
        if consume(")") { return ProcessorArguments([], end: column - 1) }
        while true {
            arguments.append(argument())
            if consume(")") { return ProcessorArguments(arguments, end: column - 1) }
            guard consume(",") else { throw Problem(column: column, expected: "a comma or a closing parenthesis") }
        }
    }

    /// Parses an argument up to, but not including, the character that ends it.
    private mutating func argument() -> ProcessorArguments.Argument {
        skipSpaces()
        let start = column
        let first = word()
        guard consume(":") else {
            return ProcessorArguments.Argument(label: nil, value: first, column: start, valueColumn: start)
        }
        skipSpaces()
        let valueColumn = column
        return ProcessorArguments.Argument(label: first, value: word(), column: start, valueColumn: valueColumn)
    }

    /// Parses text up to the next syntax character; trims it and collapses white space to single spaces.
    private mutating func word() -> String {
        consume { !"():,|".contains($0) }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func skipSpaces() { _ = consume(while: \.isWhitespace) }

    private mutating func consume(_ sign: Character) -> Bool {
        guard !isAtEnd, characters[position] == sign else { return false }
        position += 1
        return true
    }

    private mutating func consume(while isPart: (Character) -> Bool) -> String {
        let start = position
        while !isAtEnd, isPart(characters[position]) { position += 1 }
        return String(characters[start..<position])
    }
}
