import Raster

/// Text to processors: `downsample(400x300) |> round(20) |> bw`.
///
/// Steps: `downsample(WxH)`, `resize(WxH, fit|fill|stretch)`, `round(20 | 25%w | 25%h)`, `blur(6)`, `bw`.
public enum ProcessorGrammar {
    /// Where a text went wrong and what was expected there.
    public struct Problem: Error, Sendable, Equatable {
        /// From 1.
        public let column: Int
        public let expected: String
    }

    /// Reads a chain; an empty text is the processor that changes nothing.
    public static func parse(_ text: String) throws(Problem) -> any ImageProcessor {
        var chain: any ImageProcessor = DefaultImageProcessor()
        guard text.contains(where: { $0 != " " }) else { return chain }
        for step in try Step.split(text) {
            let next = try processor(for: step)
            chain = (chain |> next)
        }
        return chain
    }

    private static func processor(for step: Step) throws(Problem) -> any ImageProcessor {
        switch step.name {
        case "downsample":
            try step.allow(arguments: 1)
            return DownsamplingImageProcessor(size: try step.size(at: 0))
        case "resize":
            try step.allow(arguments: 2)
            return ResizingImageProcessor(referenceSize: try step.size(at: 0), mode: try step.mode(at: 1))
        case "round":
            try step.allow(arguments: 1)
            return RoundCornerImageProcessor(radius: try step.radius(at: 0))
        case "blur":
            try step.allow(arguments: 1)
            return BlurImageProcessor(blurRadius: try step.number(at: 0, in: 0...100))
        case "bw":
            try step.allow(arguments: 0)
            return BlackWhiteProcessor()
        default: throw Problem(column: step.column, expected: "downsample, resize, round, blur or bw")
        }
    }
}

/// One step of a chain as it was written.
private struct Step {
    let name: Substring
    let arguments: [(text: Substring, column: Int)]
    let column: Int

    static func split(_ text: String) throws(ProcessorGrammar.Problem) -> [Step] {
        var steps: [Step] = []
        var start = text.startIndex
        while true {
            let end = nextJoint(in: text, from: start)
            steps.append(try Step(text[start..<(end ?? text.endIndex)], in: text))
            guard let end else { return steps }
            start = text.index(end, offsetBy: 2)
        }
    }

    private static func nextJoint(in text: String, from start: String.Index) -> String.Index? {
        text[start...].indices.first { text[$0...].hasPrefix("|>") }
    }

    private init(_ piece: Substring, in text: String) throws(ProcessorGrammar.Problem) {
        let trimmed = piece.trimmed
        column = text.distance(from: text.startIndex, to: trimmed.startIndex) + 1
        guard let open = trimmed.firstIndex(of: "(") else {
            name = trimmed
            arguments = []
            return
        }
        guard trimmed.last == ")" else {
            let end = text.distance(from: text.startIndex, to: trimmed.endIndex) + 1
            throw ProcessorGrammar.Problem(column: end, expected: "a closing parenthesis")
        }
        name = trimmed[..<open].trimmed
        let inner = trimmed[trimmed.index(after: open)...].dropLast()
        let pieces = inner.trimmed.isEmpty ? [] : inner.split(separator: ",", omittingEmptySubsequences: false)
        arguments = pieces.map {
            let argument = $0.trimmed
            return (argument, text.distance(from: text.startIndex, to: argument.startIndex) + 1)
        }
    }

    func allow(arguments most: Int) throws(ProcessorGrammar.Problem) {
        guard arguments.count > most else { return }
        let expected = most == 0 ? "\(name) without arguments" : "a closing parenthesis"
        throw ProcessorGrammar.Problem(column: arguments[most].column, expected: expected)
    }

    func size(at index: Int) throws(ProcessorGrammar.Problem) -> PixelSize {
        let argument = try argument(at: index, expected: "a size such as 400x300")
        let sides = argument.text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0,
            width <= DecodeLimits.standard.side, height <= DecodeLimits.standard.side
        else {
            throw ProcessorGrammar.Problem(column: argument.column, expected: "a size such as 400x300")
        }
        return PixelSize(width: width, height: height)
    }

    func mode(at index: Int) throws(ProcessorGrammar.Problem) -> FitMode {
        guard arguments.count > index else { return .stretch }
        guard let mode = FitMode(rawValue: String(arguments[index].text)) else {
            throw ProcessorGrammar.Problem(column: arguments[index].column, expected: "fit, fill or stretch")
        }
        return mode
    }

    func number(
        at index: Int, in range: ClosedRange<Double>
    ) throws(ProcessorGrammar.Problem) -> Double {
        let expected = "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        let argument = try argument(at: index, expected: expected)
        guard let value = Double(argument.text), range.contains(value) else {
            throw ProcessorGrammar.Problem(column: argument.column, expected: expected)
        }
        return value
    }

    func radius(at index: Int) throws(ProcessorGrammar.Problem) -> RoundCornerImageProcessor.Radius {
        let expected = "a radius such as 20, 25%w or 25%h"
        let argument = try argument(at: index, expected: expected)
        let digits = argument.text.prefix { $0 != "%" }
        guard let value = Double(digits), value.isFinite, value >= 0 else {
            throw ProcessorGrammar.Problem(column: argument.column, expected: expected)
        }
        switch argument.text.dropFirst(digits.count) {
        case "": return .point(value)
        case "%w": return .widthFraction(value / 100)
        case "%h": return .heightFraction(value / 100)
        default: throw ProcessorGrammar.Problem(column: argument.column, expected: expected)
        }
    }

    private func argument(
        at index: Int, expected: String
    ) throws(ProcessorGrammar.Problem) -> (text: Substring, column: Int) {
        guard arguments.count > index else { throw ProcessorGrammar.Problem(column: column, expected: expected) }
        return arguments[index]
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var result = drop { $0 == " " }
        while result.last == " " { result.removeLast() }
        return result
    }
}
