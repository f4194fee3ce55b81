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

    /// What tmux told, asked by its own program; nil when it did not.
    public private(set) var tmux: TmuxFacts?
    /// The characters that the Linux console's font has; nil when they are not known.
    let consoleFont: Set<UInt16>?

    /// Whether tmux was asked and has not told yet.
    private(set) var awaitsTmux = false

    private(set) var attributes: [Int] = []
    private(set) var registers: Int?
    private(set) var maximumGeometry: PixelSize?
    private(set) var graphicsGeometry: PixelSize?
    /// How many answers about the geometry came in this round; the first is of the window, the second the limit.
    private var geometryAnswers = 0
    private(set) var cellPixels: PixelSize?
    private(set) var textAreaPixels: PixelSize?
    private(set) var background: Color?
    private(set) var synchronizedOutput = false
    private(set) var version = ""
    private(set) var kitty = false
    /// Whether the terminal, or tmux, says that it has 24-bit colours; nil when it did not answer.
    private(set) var directColor: Bool?

    public init(
        environment: TerminalEnvironment, settings: TerminalSettings = TerminalSettings(),
        consoleFont: Set<UInt16>? = nil
    ) {
        self.environment = environment
        self.consoleFont = consoleFont
        self.settings = settings
        isComplete = !environment.isCapable
    }

    /// All questions, to be sent at the start; none for a terminal that cannot place text, which might print them.
    public var questions: [ControlSequence] {
        guard environment.isCapable else { return [] }
        guard environment.readsControlStrings else { return [.askAttributes] }
        var questions: [ControlSequence] = environment.mayAskBackground ? [.askBackground] : []
        questions += [
            .askVersion, .askSynchronizedOutput, .askTextAreaPixels, .askCellPixels, .askColorRegisters,
            .askGraphicsGeometry, .askMaximumGraphicsGeometry,
        ]
        // A multiplexer would answer for itself, or let the terminal outside answer.
        if environment.multiplexer == nil { questions.append(.askDirectColor) }
        if environment.mayKnowKitty { questions.append(.askKittyGraphics) }
        return questions + [.askAttributes]
    }

    /// The questions about sizes, to be sent again after every resize.
    public var sizeQuestions: [ControlSequence] {
        guard environment.isCapable else { return [] }
        guard environment.readsControlStrings else { return [.askAttributes] }
        return [.askTextAreaPixels, .askCellPixels, .askGraphicsGeometry, .askMaximumGraphicsGeometry, .askAttributes]
    }

    /// Forgets the sizes, because the questions about them are being asked again.
    public mutating func beginSizeRound() {
        cellPixels = nil
        textAreaPixels = nil
        graphicsGeometry = nil
        geometryAnswers = 0
        isComplete = false
    }

    /// Takes an answer, whenever it comes.
    public mutating func receive(_ reply: TerminalReply) {
        if replies.count < 64 { replies.append(reply) }
        switch reply {
        case .attributes(let list):
            attributes = list
            isComplete = true
        case .graphics(1, 0, let values): registers = values.first
        case .graphics(2, let status, let values): receiveGeometry(status == 0 ? values : [])
        case .cellPixels(let size): cellPixels = size
        case .textAreaPixels(let size): textAreaPixels = size
        case .background(let color): background = color
        case .mode(2026, let state): synchronizedOutput = (1...3).contains(state)
        case .version(let text): version = text
        case .capability("524742"): directColor = true
        case .rendition(let parameters) where directColor != true:
            directColor = Self.isDirectColor(parameters)
        case .kittyGraphics(31, let message): kitty = message == "OK"
        default: break
        }
    }

    /// Forgets what tmux told, because it is being asked: the pane may lie elsewhere now.
    mutating func beginTmuxRound() {
        tmux = nil
        awaitsTmux = true
    }

    /// Takes what tmux told of itself; nil when it was asked in vain.
    ///
    /// Its colours are believed from then on, also while tmux is being asked again: text must not change its colours.
    mutating func receive(_ facts: TmuxFacts?) {
        tmux = facts
        if facts?.outerHasDirectColor == true { directColor = true }
        awaitsTmux = false
    }

    /// Whether SGR parameters hold the background of `askDirectColor`: `48:2::1:2:3`, or with other separators.
    private static func isDirectColor(_ parameters: String) -> Bool {
        let numbers = parameters.split { $0 == ":" || $0 == ";" }.drop { $0 != "48" }
        return numbers.prefix(5).elementsEqual(["48", "2", "1", "2", "3"])
    }

    private mutating func receiveGeometry(_ values: [Int]) {
        geometryAnswers += 1
        guard values.count == 2, values[0] > 0, values[1] > 0 else { return }
        let size = PixelSize(width: values[0], height: values[1])
        if geometryAnswers == 1 { graphicsGeometry = size } else { maximumGeometry = size }
    }
}
