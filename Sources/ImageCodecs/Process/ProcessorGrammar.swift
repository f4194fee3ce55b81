import Raster

/// The text form of processors, such as `downsample(400x300) |> round(20, corners: tl tr) |> bw`.
///
/// `|>` joins up to 64 steps. Sizes are `WxH` in pixels; colours are `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa` or a CSS
/// name; options have the form `name: value` and may be omitted.
///
/// - `downsample(400x300)`, `resize(400x300, fit|fill|stretch)`, `crop(100x60, anchor: 0.5 0.5)`
/// - `round(20 | 25%w | 25%h, size: 400x300, corners: tl tr bl br, background: #fff)`
/// - `border(4, black, radius: 8, corners: tl tr bl br)`
/// - `blur(6)`, `overlay(#ff0000, 0.5)`, `tint(#0000ff80)`, `bw`
/// - `color(brightness: 0, contrast: 1, saturation: 1, exposure: 0)`
/// - `blend(multiply, alpha: 1, background: #c86432)`, with the names of `BlendMode`
/// - `flip(horizontal|vertical)`, `rotate(90)`
public enum ProcessorGrammar {
    /// A syntax error: its position and the expected text.
    public struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// The column in characters, from 1.
        public let column: Int
        /// A description of the expected text, for users.
        public let expected: String

        public var description: String { "column \(column): expected \(expected)" }
    }

    /// Parses a chain of processors; an empty text gives the processor that changes nothing.
    ///
    /// - Throws: `Problem` at the first error.
    public static func parse(_ text: String) throws(Problem) -> any ImageProcessor {
        var chain: any ImageProcessor = DefaultImageProcessor()
        for step in try ProcessorSyntax.steps(of: text) {
            let next = try processor(for: step)
            chain = (chain |> next)
        }
        return chain
    }

    /// The names of all processors.
    package static var names: [String] { readers.map(\.key) }

    private typealias Reader = @Sendable (inout ProcessorArguments) throws(Problem) -> any ImageProcessor

    /// The processors, each with the arguments that it reads: a new one needs a row here.
    private static let readers: KeyValuePairs<String, Reader> = [
        "downsample": { given throws(Problem) in DownsamplingImageProcessor(size: try given.next(.size)) },
        "resize": { given throws(Problem) in
            ResizingImageProcessor(
                referenceSize: try given.next(.size), mode: try given.nextIfPresent(.choice()) ?? .stretch)
        },
        "crop": { given throws(Problem) in
            CroppingImageProcessor(size: try given.next(.size), anchor: try given.option("anchor", .anchor) ?? .center)
        },
        "round": { given throws(Problem) in
            RoundCornerImageProcessor(
                radius: try given.next(.radius), targetSize: try given.option("size", .size),
                roundingCorners: try given.option("corners", .corners) ?? .all,
                backgroundColor: try given.option("background", .color))
        },
        "border": { given throws(Problem) in try border(&given) },
        "blur": { given throws(Problem) in BlurImageProcessor(blurRadius: try given.next(.number(0...100))) },
        "overlay": { given throws(Problem) in
            OverlayImageProcessor(
                overlay: try given.next(.color), fraction: try given.nextIfPresent(.number(0...1)) ?? 0.5)
        },
        "tint": { given throws(Problem) in TintImageProcessor(tint: try given.next(.color)) },
        "color": { given throws(Problem) in
            ColorControlsProcessor(
                brightness: try given.option("brightness", .number(ColorControlsProcessor.brightnessRange)) ?? 0,
                contrast: try given.option("contrast", .number(ColorControlsProcessor.factorRange)) ?? 1,
                saturation: try given.option("saturation", .number(ColorControlsProcessor.factorRange)) ?? 1,
                inputEV: try given.option("exposure", .number(ColorControlsProcessor.exposureRange)) ?? 0)
        },
        "bw": { _ in BlackWhiteProcessor() },
        "blend": { given throws(Problem) in
            BlendImageProcessor(
                blendMode: try given.next(.choice()), alpha: try given.option("alpha", .number(0...1)) ?? 1,
                background: try given.option("background", .color))
        },
        "flip": { given throws(Problem) in FlipImageProcessor(try given.next(.choice())) },
        "rotate": { given throws(Problem) in RotateImageProcessor(angle: try given.next(.number(-360_000...360_000))) },
        "page": { given throws(Problem) in PageImageProcessor(Int(try given.next(.number(1...1_000_000)))) },
    ]

    private static func processor(for step: ProcessorSyntax.Step) throws(Problem) -> any ImageProcessor {
        var arguments = step.arguments
        guard let reader = readers.first(where: { $0.key == step.name }) else {
            throw Problem(column: step.column, expected: names.dropLast().joined(separator: ", ") + " or page")
        }
        let processor = try reader.value(&arguments)
        try arguments.finish()
        return processor
    }

    /// Reads the arguments of `border`; the width comes first, as in CSS.
    private static func border(_ arguments: inout ProcessorArguments) throws(Problem) -> BorderImageProcessor {
        let lineWidth = try arguments.nextIfPresent(.number(0...CornerRadius.largest)) ?? 4
        return BorderImageProcessor(
            color: try arguments.nextIfPresent(.color) ?? .black, lineWidth: lineWidth,
            radius: try arguments.option("radius", .radius) ?? .point(0),
            corners: try arguments.option("corners", .corners) ?? .all)
    }
}

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

/// Conversion of numbers from and to the shortest text that parses to the same value, for identifiers.
enum NumberText {
    /// Returns a text such as `6`, `0.5` or `1e-05`; the number must be finite.
    static func text(_ value: Double) -> String {
        let text = "\(value == 0 ? 0 : value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns a fraction of 1 in percent.
    ///
    /// It moves the decimal point of the shortest text, because a multiplication would lose the last digit.
    static func percent(_ part: Double) -> String {
        let text = text(part)
        let pieces = text.split(separator: "e")
        if pieces.count == 2, let exponent = Int(pieces[1]) { return "\(pieces[0])e\(exponent + 2)" }
        let digits = text.split(separator: ".")
        let decimals = digits.count == 2 ? String(digits[1]) : ""
        let moved = String(digits[0]) + (decimals + "00").prefix(2)
        let whole = moved.drop { $0 == "0" }
        let rest = decimals.dropFirst(2)
        return (whole.isEmpty ? "0" : String(whole)) + (rest.isEmpty ? "" : "." + rest)
    }

    /// Parses a decimal number and multiplies it by ten to the power of `shift`.
    ///
    /// - Returns: The number; nil if the text is not a number or the number is infinite.
    static func number(_ text: some StringProtocol, shiftedBy shift: Int = 0) -> Double? {
        let pieces = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let mantissa = pieces.first, pieces.count <= 2, mantissa.contains(where: { ("0"..."9").contains($0) }),
            mantissa.allSatisfy({ ("0"..."9").contains($0) || "+-.".contains($0) }),
            let exponent = pieces.count == 2 ? Int(pieces[1]) : 0,
            case let (sum, isTooLarge) = exponent.addingReportingOverflow(shift), !isTooLarge,
            let value = Double("\(mantissa)e\(sum)"), value.isFinite
        else { return nil }
        return value
    }
}

extension Double {
    /// Returns the value clamped to a range, or `fallback` for NaN.
    func limited(to range: ClosedRange<Double>, fallback: Double = 0) -> Double {
        isNaN ? fallback : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
