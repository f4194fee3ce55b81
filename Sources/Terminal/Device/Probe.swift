import Raster

/// Detects the terminal's capabilities from its replies to one round of queries.
///
/// All queries are written at once; the reply to DA1, which every terminal answers, ends the round.
struct Probe: Equatable, Sendable {
    let environment: TerminalEnvironment
    let settings: TerminalSettings
    /// Every reply in order of arrival, at most 64, for `doctor`.
    private(set) var replies: [TerminalReply] = []
    /// Whether the reply to the last query arrived.
    private(set) var isComplete = false

    /// The information from tmux's own client program; nil if it is unknown.
    private(set) var tmux: TmuxFacts?
    /// The characters of the Linux console's font; nil if they are unknown.
    let consoleFont: Set<UInt16>?

    /// Whether tmux was asked and has not replied yet.
    private(set) var awaitsTmux = false

    private(set) var attributes: [Int] = []
    private(set) var registers: Int?
    private(set) var maximumGeometry: PixelSize?
    private(set) var graphicsGeometry: PixelSize?
    /// The number of geometry replies in this round: the first is the window's, the second the limit.
    private var geometryAnswers = 0
    private(set) var cellPixels: PixelSize?
    private(set) var textAreaPixels: PixelSize?
    private(set) var background: Color?
    private(set) var synchronizedOutput = false
    private(set) var version = ""
    private(set) var kitty = false
    /// Whether the terminal, or tmux, reports 24-bit colours; nil without a reply.
    private(set) var directColor: Bool?

    init(
        environment: TerminalEnvironment, settings: TerminalSettings = TerminalSettings(),
        consoleFont: Set<UInt16>? = nil
    ) {
        self.environment = environment
        self.consoleFont = consoleFont
        self.settings = settings
        isComplete = !environment.isCapable
    }

    /// All queries, to be sent at the start; none for terminals without cursor control, which might print them.
    var queries: [ControlSequence] {
        guard environment.isCapable else { return [] }
        guard environment.readsControlStrings else { return [.queryAttributes] }
        var queries: [ControlSequence] = environment.mayAskBackground ? [.queryBackground] : []
        queries += [
            .queryVersion, .querySynchronizedOutput, .queryTextAreaPixels, .queryCellPixels, .queryColorRegisters,
            .queryGraphicsGeometry, .queryMaximumGraphicsGeometry,
        ]
        // A multiplexer would reply for itself, or let the outer terminal reply.
        if environment.multiplexer == nil { queries.append(.queryDirectColor) }
        if environment.mayKnowKitty { queries.append(.queryKittyGraphics) }
        return queries + [.queryAttributes]
    }

    /// The size queries, to be sent after every resize.
    var sizeQueries: [ControlSequence] {
        guard environment.isCapable else { return [] }
        guard environment.readsControlStrings else { return [.queryAttributes] }
        return [
            .queryTextAreaPixels, .queryCellPixels, .queryGraphicsGeometry, .queryMaximumGraphicsGeometry,
            .queryAttributes,
        ]
    }

    /// Discards the sizes before they are queried again.
    mutating func beginSizeRound() {
        cellPixels = nil
        textAreaPixels = nil
        graphicsGeometry = nil
        geometryAnswers = 0
        isComplete = false
    }

    /// Evaluates a reply, at any time.
    mutating func receive(_ reply: TerminalReply) {
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

    /// Discards tmux's information before it is queried again: the pane may have moved.
    mutating func beginTmuxRound() {
        tmux = nil
        awaitsTmux = true
    }

    /// Stores tmux's information; nil if it could not be obtained.
    ///
    /// The colour depth stays in force while tmux is queried again, so that text does not change its colours.
    mutating func receive(_ facts: TmuxFacts?) {
        tmux = facts
        if facts?.outerHasDirectColor == true { directColor = true }
        awaitsTmux = false
    }

    /// Returns whether SGR parameters contain the background of `queryDirectColor`: `48:2::1:2:3` in any notation.
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
/// Schedules rounds of queries: one at a time, and another one afterwards if it was requested meanwhile.
struct ProbeSchedule: Equatable {
    /// The time of the round in progress; nil if no replies are outstanding.
    private(set) var sentAt: ContinuousClock.Instant?
    private var isRequestedAgain = false

    /// Whether replies are outstanding.
    var isPending: Bool { sentAt != nil }

    /// Starts a round and returns true, or remembers the request if a round is in progress.
    mutating func request(at now: ContinuousClock.Instant) -> Bool {
        guard !isPending else {
            isRequestedAgain = true
            return false
        }
        sentAt = now
        return true
    }

    /// Ends the round and returns whether another one was requested.
    mutating func finish() -> Bool {
        defer { isRequestedAgain = false }
        sentAt = nil
        return isRequestedAgain
    }
}
