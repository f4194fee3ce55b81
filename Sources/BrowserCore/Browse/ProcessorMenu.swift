import AlcedoScreen
import Raster

/// The menu of processors: changes apply at once, and Esc reverts them.
package struct ProcessorMenu: Sendable, Equatable {
    /// The steps to choose from, in the form of `ProcessorGrammar`.
    package static let offered = [
        "bw", "blur(6)", "round(20)", "border(4, white)", "rotate(90)", "flip(horizontal)", "flip(vertical)",
        "color(brightness: 0.1)", "color(contrast: 1.3)", "color(saturation: 1.5)", "tint(#c8643280)",
        "overlay(#0000ff, 0.3)",
    ]

    /// The chain before the menu opened.
    let before: String
    private(set) var chosen = 0
    /// The steps of the chain in order.
    private(set) var links: [String]
    /// The entries: steps of the chain that match no offered one, then the offered ones with their current values.
    private(set) var entries: [String]

    private static let arrow = " |> "

    init(chain: String, offer: [String]) {
        before = chain
        links = Self.links(of: chain)
        entries = offer
        var own: [String] = []
        for link in links {
            let place = entries.firstIndex { entry in
                !links.contains(entry) && ProcessorStep(entry).isSameKind(as: ProcessorStep(link))
            }
            if entries.contains(link) { continue }
            if let place { entries[place] = link } else { own.append(link) }
        }
        entries = own + entries
    }

    var chain: String { links.joined(separator: Self.arrow) }

    /// The step under the cursor.
    var step: ProcessorStep? { entries.indices.contains(chosen) ? ProcessorStep(entries[chosen]) : nil }

    mutating func move(by distance: Int) {
        let last = max(0, entries.count - 1)
        chosen = min(last, max(0, min(chosen, last) + distance))
    }

    mutating func choose(_ place: Int) { chosen = max(0, place) }

    /// Adds the selected step to the end of the chain, or removes it.
    mutating func toggle() {
        guard entries.indices.contains(chosen) else { return }
        if let place = links.firstIndex(of: entries[chosen]) {
            links.remove(at: place)
        } else {
            links.append(entries[chosen])
        }
    }

    /// Changes the value under the cursor and adds its step to the chain.
    ///
    /// - Returns: false if there is no value to change.
    mutating func adjust(by steps: Int) -> Bool {
        guard let new = step?.adjusted(by: steps) else { return false }
        if let place = links.firstIndex(of: entries[chosen]) { links[place] = new } else { links.append(new) }
        entries[chosen] = new
        return true
    }

    mutating func clear() { links = [] }

    /// Splits a chain at arrows outside brackets.
    private static func links(of chain: String) -> [String] {
        var (links, link, depth) = ([String](), "", 0)
        var previous: Character?
        for character in chain {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ">", previous == "|", depth == 0 {
                link.removeLast()
                links.append(link)
                link = ""
            } else {
                link.append(character)
            }
            previous = character
        }
        return (links + [link]).map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
    }
}

/// The processor menu at the end of the list; the picture shows changes at once.
struct ProcessorPanel {
    let menu: ProcessorMenu
    let state: BrowseState
    let layout: BrowseLayout

    /// The width of the column of titles, including the gap behind it.
    private static let nameWidth = 17

    private var rect: Rect { layout.menu }

    func draw(_ canvas: inout Canvas) {
        guard rect.rows > 2 else { return }
        canvas.clear(Rect(column: rect.column - 1, row: rect.row, columns: rect.columns + 1, rows: rect.rows))
        canvas.rule(rect)
        var title = StyledText("Processors", .heading)
        let chain = menu.chain.isEmpty ? "none" : menu.chain
        let room = rect.columns - title.width - 2
        title.append(StyledText(Fitting.truncateMiddle(chain, to: room, ellipsis: state.glyphs.ellipsis), .dim), gap: 2)
        canvas.write(title, rect.column, rect.row + 1, width: rect.columns)
        for place in visible {
            draw(entries[place], isChosen: place == menu.chosen, at: rect.row + 2 + place - visible.lowerBound, &canvas)
        }
    }

    private var entries: [String] { menu.entries }

    private var visible: Range<Int> {
        let (count, height) = (entries.count, max(0, rect.rows - 2))
        let first = max(0, min(menu.chosen - height / 2, count - height))
        return first..<min(count, first + height)
    }

    /// Returns the entry at a position on the screen.
    func entry(at place: Position) -> Int? {
        let number = visible.lowerBound + place.row - rect.row - 2
        return rect.contains(place) && visible.contains(number) ? number : nil
    }

    private func draw(_ entry: String, isChosen: Bool, at row: Int, _ canvas: inout Canvas) {
        if let place = menu.links.firstIndex(of: entry) {
            canvas.write("\(place + 1)", rect.column + 1, row, width: 2, .accent)
        }
        let (start, width) = (rect.column + 4, rect.columns - 5)
        let title = ProcessorStep(entry).title
        let nameWidth = title == nil ? 0 : min(width, Self.nameWidth)
        if let title {
            canvas.write(
                Fitting.truncate(title, to: nameWidth, ellipsis: state.glyphs.ellipsis), start, row, width: width)
        }
        let rest = max(0, width - nameWidth)
        // Beside its title a step keeps its values.
        let values = title == nil ? entry : String(entry.drop { $0 != "(" })
        let text = CellWidth.of(entry) <= rest ? entry : values
        canvas.write(
            Fitting.truncateMiddle(text, to: rest, ellipsis: state.glyphs.ellipsis), start + nameWidth, row,
            width: rest,
            title == nil ? .plain : .dim)
        if isChosen { canvas.drawCursor(rect.column, row, width: rect.columns - 1) }
    }
}

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
