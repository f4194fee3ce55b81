import Raster

/// One round of questions to the terminal and what came back of it.
///
/// All questions go out in one write; DA1, which every terminal answers, ends them.
public struct Probe: Equatable, Sendable {
    public let environment: TerminalEnvironment
    public let settings: TerminalSettings
    /// Every answer in the order it came, for `doctor`; at most 64.
    public private(set) var replies: [TerminalReply] = []
    /// Whether the answer to the last question came.
    public private(set) var isComplete = false

    private var attributes: [Int] = []
    private var registers: Int?
    private var maximumGeometry: PixelSize?
    private var graphicsGeometry: PixelSize?
    private var cellPixels: PixelSize?
    private var textAreaPixels: PixelSize?
    private var background: Color?
    private var synchronizedOutput = false
    private var version = ""
    private var kitty = false

    public init(environment: TerminalEnvironment, settings: TerminalSettings = TerminalSettings()) {
        self.environment = environment
        self.settings = settings
    }

    /// All questions, to be sent at the start.
    public var questions: [ControlSequence] {
        guard environment.readsControlStrings else { return [.askAttributes] }
        var questions: [ControlSequence] = [
            .askBackground, .askVersion, .askSynchronizedOutput, .askTextAreaPixels, .askCellPixels,
            .askColorRegisters, .askGraphicsGeometry, .askMaximumGraphicsGeometry,
        ]
        // Multiplexers take the kitty question for a title.
        if environment.multiplexer == nil { questions.append(.askKittyGraphics) }
        return questions + [.askAttributes]
    }

    /// The questions about sizes, to be sent again after every resize.
    public var sizeQuestions: [ControlSequence] {
        guard environment.readsControlStrings else { return [.askAttributes] }
        return [.askTextAreaPixels, .askCellPixels, .askGraphicsGeometry, .askMaximumGraphicsGeometry, .askAttributes]
    }

    /// Forgets the sizes, because the questions about them are being asked again.
    public mutating func beginSizeRound() {
        cellPixels = nil
        textAreaPixels = nil
        graphicsGeometry = nil
        isComplete = false
    }

    /// Takes an answer, whenever it comes.
    public mutating func receive(_ reply: TerminalReply) {
        if replies.count < 64 { replies.append(reply) }
        switch reply {
        case .attributes(let list):
            attributes = list
            isComplete = true
        case .graphics(let item, 0, let values): receiveGraphics(item, values)
        case .cellPixels(let size): cellPixels = size
        case .textAreaPixels(let size): textAreaPixels = size
        case .background(let color): background = color
        case .mode(2026, let state): synchronizedOutput = (1...3).contains(state)
        case .version(let text): version = text
        case .kittyGraphics(31, let message): kitty = message == "OK"
        default: break
        }
    }

    private mutating func receiveGraphics(_ item: Int, _ values: [Int]) {
        if item == 1, let count = values.first { registers = count }
        guard item == 2, values.count == 2, values[0] > 0, values[1] > 0 else { return }
        // Both questions are answered alike: the window's part comes first, and it is never the larger one.
        let size = PixelSize(width: values[0], height: values[1])
        if graphicsGeometry == nil {
            graphicsGeometry = size
        } else {
            maximumGeometry = size
        }
    }
}

// MARK: What follows

extension Probe {
    /// What is known by now.
    public func capabilities(window: WindowSize) -> TerminalCapabilities {
        var known = TerminalCapabilities()
        known.isComplete = isComplete
        known.version = version
        known.sixel = attributes.contains(4)
        known.colorRegisters = min(max(2, registers ?? 256), 1024)
        known.maximumSixelSize = maximumGeometry ?? known.maximumSixelSize
        known.kitty = kitty
        known.iterm = isITerm
        known.synchronizedOutput = synchronizedOutput
        known.background = background
        known.multiplexer = environment.multiplexer
        (known.cell, known.cellSource) = cell(window)
        known.colorDepth = colorDepth
        known.graphics = graphics(sixel: known.sixel)
        return known
    }

    private var isITerm: Bool {
        ["iTerm2", "WezTerm", "vscode", "mintty", "WarpTerminal"].contains { name in
            version.hasPrefix(name) || environment.program.hasPrefix(name)
        }
    }

    private var colorDepth: TerminalColorDepth {
        let terminal = environment.terminal
        if environment.noColor || terminal.hasPrefix("vt") { return .monochrome }
        if ["truecolor", "24bit"].contains(environment.colorTerminal) || terminal.hasSuffix("-direct") {
            return .truecolor
        }
        return terminal.contains("256color") || version.hasPrefix("XTerm") || kitty || isITerm ? .indexed : .ansi
    }

    private func graphics(sixel: Bool) -> GraphicsDecision {
        if let forced = settings.graphics { return GraphicsDecision(method: forced, reason: "the setting says so") }
        guard environment.isCapable else {
            return GraphicsDecision(method: .none, reason: "TERM is \(environment.terminal)")
        }
        if let multiplexer = environment.multiplexer {
            return GraphicsDecision(
                method: .blocks, reason: "\(multiplexer.rawValue) may claim pictures that the terminal cannot show")
        }
        if kitty { return GraphicsDecision(method: .kitty, reason: "the terminal answered the kitty graphics query") }
        if sixel { return GraphicsDecision(method: .sixel, reason: "DA1 has attribute 4") }
        if answersGeometry, version.localizedName == "Alacritty" {
            return GraphicsDecision(method: .sixel, reason: "the terminal answered XTSMGRAPHICS")
        }
        if isITerm { return GraphicsDecision(method: .iterm, reason: "the terminal names itself") }
        guard isComplete else {
            return GraphicsDecision(method: .blocks, reason: "the terminal has not answered yet")
        }
        return GraphicsDecision(method: .blocks, reason: "the terminal has neither kitty graphics nor sixel")
    }
}
