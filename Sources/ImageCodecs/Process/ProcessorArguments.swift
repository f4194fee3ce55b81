import Raster

/// What one step was given, read piece by piece; what is left over at the end is a problem.
struct ProcessorArguments {
    typealias Problem = ProcessorGrammar.Problem

    struct Argument {
        /// The name before a colon.
        let label: String?
        let value: String
        /// Of the label, or else of the value.
        let column: Int
        let valueColumn: Int
    }

    private var positional: [Argument]
    private var options: [Argument]
    private var labels: [String] = []
    /// Where an argument would have to come that is missing.
    private let end: Int

    init(_ arguments: [Argument], end: Int) {
        positional = arguments.filter { $0.label == nil }
        options = arguments.filter { $0.label != nil }
        self.end = end
    }

    /// The next argument without a label; a missing one is a problem.
    mutating func next<Value>(_ kind: ProcessorArgumentKind<Value>) throws(Problem) -> Value {
        guard let value = try nextIfPresent(kind) else { throw Problem(column: end, expected: kind.expected) }
        return value
    }

    /// The next argument without a label, nil when there is none.
    mutating func nextIfPresent<Value>(_ kind: ProcessorArgumentKind<Value>) throws(Problem) -> Value? {
        guard !positional.isEmpty else { return nil }
        return try read(positional.removeFirst(), kind)
    }

    /// The value of an option, nil when it is left out.
    mutating func option<Value>(_ label: String, _ kind: ProcessorArgumentKind<Value>) throws(Problem) -> Value? {
        labels.append(label)
        guard let index = options.firstIndex(where: { $0.label == label }) else { return nil }
        return try read(options.remove(at: index), kind)
    }

    /// Throws when something was given that nobody asked for.
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

/// A kind of argument: how it is read, and what it is called when it cannot be.
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
    /// One of the names.
    static func choice() -> Self {
        let names = Value.allCases.map(\.rawValue)
        let expected = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        return Self(expected: expected) { Value(rawValue: $0) }
    }
}
