import Raster

/// A reader of the arguments of one step; arguments that remain unread are an error.
struct ProcessorArguments {
    typealias Problem = ProcessorGrammar.Problem

    struct Argument {
        /// The name before the colon; nil for a positional argument.
        let label: String?
        let value: String
        /// The column of the label, or of the value if there is no label.
        let column: Int
        let valueColumn: Int
    }

    private var positional: [Argument]
    private var options: [Argument]
    private var labels: [String] = []
    /// The column where a missing argument is reported.
    private let end: Int

    init(_ arguments: [Argument], end: Int) {
        positional = arguments.filter { $0.label == nil }
        options = arguments.filter { $0.label != nil }
        self.end = end
    }

    /// Reads the next positional argument; throws if there is none.
    mutating func next<Value>(_ kind: ProcessorArgumentKind<Value>) throws(Problem) -> Value {
        guard let value = try nextIfPresent(kind) else { throw Problem(column: end, expected: kind.expected) }
        return value
    }

    /// Reads the next positional argument; nil if there is none.
    mutating func nextIfPresent<Value>(_ kind: ProcessorArgumentKind<Value>) throws(Problem) -> Value? {
        guard !positional.isEmpty else { return nil }
        return try read(positional.removeFirst(), kind)
    }

    /// Reads the value of an option; nil if the option is absent.
    mutating func option<Value>(_ label: String, _ kind: ProcessorArgumentKind<Value>) throws(Problem) -> Value? {
        labels.append(label)
        guard let index = options.firstIndex(where: { $0.label == label }) else { return nil }
        return try read(options.remove(at: index), kind)
    }

    /// Checks that all arguments were read.
    ///
    /// - Throws: A problem at the first argument that was not read.
    func finish() throws(Problem) {
        guard let first = (positional + options).min(by: { $0.column < $1.column }) else { return }
        if let label = first.label, labels.contains(label) {
            throw Problem(column: first.column, expected: "'\(label)' only once")
        }
        let known = labels.map { "'\($0): …'" }.joined(separator: ", ")
        throw Problem(
            column: first.column,
            expected: known.isEmpty ? "a closing parenthesis" : "\(known) or a closing parenthesis")
    }

    private func read<Value>(
        _ argument: Argument, _ kind: ProcessorArgumentKind<Value>
    ) throws(Problem) -> Value {
        guard let value = kind.read(argument.value) else {
            throw Problem(column: argument.valueColumn, expected: kind.expected)
        }
        return value
    }
}

/// A type of argument: its parser and its description in error messages.
struct ProcessorArgumentKind<Value> {
    let expected: String
    let read: (String) -> Value?
}

extension ProcessorArgumentKind where Value == PixelSize {
    static var size: Self {
        Self(expected: "a size such as 400x300") { text in
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            let range = 1...100_000
            guard sides.count == 2, let width = sides[0], let height = sides[1], range.contains(width),
                range.contains(height)
            else { return nil }
            return PixelSize(width: width, height: height)
        }
    }
}

extension ProcessorArgumentKind where Value == Double {
    static func number(_ range: ClosedRange<Double>) -> Self {
        let ends = [range.lowerBound, range.upperBound].map(NumberText.text)
        return Self(expected: "a number from \(ends[0]) to \(ends[1])") { text in
            NumberText.number(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ProcessorArgumentKind where Value == Color {
    static var color: Self { Self(expected: "a colour such as #c86432 or black", read: ColorText.color) }
}

extension ProcessorArgumentKind where Value == CornerRadius {
    static var radius: Self { Self(expected: "a radius such as 20, 25%w or 25%h", read: CornerRadius.init(text:)) }
}

extension ProcessorArgumentKind where Value == Corners {
    static var corners: Self { Self(expected: "corners such as tl tr bl br", read: Corners.init(text:)) }
}

extension ProcessorArgumentKind where Value == CroppingImageProcessor.Anchor {
    static var anchor: Self {
        Self(expected: "two numbers from 0 to 1 such as 0.5 0.5") { text in
            let parts = text.split(separator: " ").map { NumberText.number($0) }
            guard parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x), (0...1).contains(y) else {
                return nil
            }
            return CroppingImageProcessor.Anchor(x: x, y: y)
        }
    }
}

extension ProcessorArgumentKind where Value: CaseIterable & RawRepresentable<String> {
    /// Returns the kind that accepts the raw values of an enumeration.
    static func choice() -> Self {
        let names = Value.allCases.map(\.rawValue)
        let expected = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        return Self(expected: expected) { Value(rawValue: $0) }
    }
}
