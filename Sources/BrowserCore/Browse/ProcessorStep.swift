/// One step of a processor chain as text, such as `color(brightness: 0.1)`, with its title and adjustable value.
struct ProcessorStep: Equatable {
    /// An argument that keys adjust: its step and bounds in hundredths.
    private struct Dial {
        /// The argument's label; nil if it has none.
        var label: String?
        /// The position among the arguments without a label.
        var position = 0
        let step: Int
        let bounds: ClosedRange<Int>
    }

    private static let dials: [String: [Dial]] = [
        "blur": [Dial(step: 100, bounds: 0...10_000)], "round": [Dial(step: 500, bounds: 0...100_000)],
        "border": [Dial(step: 100, bounds: 0...100_000)], "rotate": [Dial(step: 9000, bounds: -27_000...27_000)],
        "overlay": [Dial(position: 1, step: 10, bounds: 0...100)],
        "blend": [Dial(label: "alpha", step: 10, bounds: 0...100)],
        "color": [
            Dial(label: "brightness", step: 5, bounds: -100...100), Dial(label: "contrast", step: 10, bounds: 0...400),
            Dial(label: "saturation", step: 10, bounds: 0...400),
            Dial(label: "exposure", step: 50, bounds: -1000...1000),
        ],
    ]

    private let name: String
    private let arguments: [String]

    init(_ text: String) {
        let parts = text.split(separator: "(", maxSplits: 1)
        name = String(parts.first ?? "").filter { $0 != " " }
        guard parts.count == 2, parts[1].last == ")" else {
            arguments = []
            return
        }
        arguments = parts[1].dropLast().split(separator: ",").map(\.trimmedSpaces)
    }

    /// A title of a word or two; nil if the name is clear.
    var title: String? {
        switch name {
        case "bw": "Black and white"
        case "blur": "Blur"
        case "round": "Round corners"
        case "border": "Border"
        case "rotate": "Rotate"
        case "flip": arguments.first == "vertical" ? "Flip top-bottom" : "Flip left-right"
        case "tint": "Tint"
        case "overlay": "Colour overlay"
        case "blend": "Blend"
        case "crop": "Crop"
        case "resize": "Resize"
        case "downsample": "Shrink to fit"
        case "color": colorTitle
        default: nil
        }
    }

    private var colorTitle: String {
        guard let place = dialPlace, let value = Self.hundredths(place.value) else { return "Colours" }
        return switch place.dial.label {
        case "brightness": value < 0 ? "Darker" : "Brighter"
        case "contrast": value < 100 ? "Less contrast" : "More contrast"
        case "saturation": value < 100 ? "Less colour" : "More colour"
        default: value < 0 ? "Underexpose" : "Overexpose"
        }
    }

    /// Whether another step differs only in its adjustable value.
    func isSameKind(as other: ProcessorStep) -> Bool {
        guard name == other.name, let mine = dialPlace, let their = other.dialPlace else { return self == other }
        return mine.index == their.index && mine.dial.label == their.dial.label
            && arguments.enumerated().allSatisfy { index, argument in
                index == mine.index || other.arguments.indices.contains(index) && argument == other.arguments[index]
            } && arguments.count == other.arguments.count
    }

    var isAdjustable: Bool { dialPlace != nil }

    /// Returns the step's text with its value changed by some steps; nil if it has no value or is at its bound.
    func adjusted(by steps: Int) -> String? {
        guard let place = dialPlace, let value = Self.hundredths(place.value) else { return nil }
        let bounds = place.dial.bounds
        let new = min(max(value + steps * place.dial.step, bounds.lowerBound), bounds.upperBound)
        guard new != value else { return nil }
        var arguments = arguments
        arguments[place.index] = place.before + Self.text(hundredths: new) + place.unit
        return "\(name)(\(arguments.joined(separator: ", ")))"
    }

    /// The adjustable value: its argument, and the text before and after it there.
    private var dialPlace: (dial: Dial, index: Int, before: String, value: String, unit: String)? {
        for dial in Self.dials[name] ?? [] {
            let labels = arguments.map { argument in argument.split(separator: ":").first.map(String.init) ?? "" }
            let plain = arguments.indices.filter { !arguments[$0].contains(":") }
            let index = dial.label.map { label in labels.firstIndex(of: label) } ?? plain.dropFirst(dial.position).first
            guard let index else { continue }
            let before = dial.label.map { "\($0): " } ?? ""
            let rest = arguments[index].dropFirst(max(0, before.count - 1)).drop { $0 == " " }
            let value = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" }
            guard Self.hundredths(String(value)) != nil else { continue }
            return (dial, index, before, String(value), String(rest.dropFirst(value.count)))
        }
        return nil
    }

    private static func hundredths(_ text: String) -> Int? {
        guard let value = Double(text), abs(value) < 1e6 else { return nil }
        return Int((value * 100).rounded())
    }

    /// Returns the number without trailing zeros: `-0.05`, `1.3`, `20`.
    private static func text(hundredths: Int) -> String {
        let (whole, part) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        let decimals = part == 0 ? "" : part % 10 == 0 ? ".\(part / 10)" : part < 10 ? ".0\(part)" : ".\(part)"
        return "\(hundredths < 0 ? "-" : "")\(whole)\(decimals)"
    }
}

extension Substring {
    fileprivate var trimmedSpaces: String { split(separator: " ").joined(separator: " ") }
}
